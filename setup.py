"""The folders at the top of the repository become lomber.envs, lomber.agents and so on; all else is in pyproject.toml."""

from setuptools import find_packages, setup

ROOTS = ("envs", "agents", "training", "configs")

setup(
    package_dir={f"lomber.{root}": root for root in ROOTS},
    packages=[f"lomber.{name}" for root in ROOTS for name in (root, *(f"{root}.{sub}" for sub in find_packages(root)))],
)
