"""What a wheel holds, what its metadata promises, and the rules that every source keeps."""

import ast
import configparser
import email
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HOUSE = Path(__file__).resolve().parents[1]
ROOTS = ("envs", "agents", "training", "configs")
BUILD_FILES = ("pyproject.toml", "setup.py", "LICENSE", "README.md")
# Planted into the copy that is built: folders of data have no __init__.py, folders of code need one.
PROBES = {
    "agents/weights/probe.onnx": b"",
    "agents/weights/probe/probe.json": b"{}",
    "configs/probe/probe.yaml": b"{}",
    "envs/probe/__init__.py": b"",
    "envs/probe/schema/probe.json": b"{}",
}
# What one may call of numpy.random: makers of generators. All else there is, or draws from, the global generator.
GENERATORS = {"BitGenerator", "Generator", "PCG64", "PCG64DXSM", "Philox", "SeedSequence", "default_rng"}


def house_files() -> list[Path]:
    """Paths, relative to the house, of all files that git tracks or would add."""
    command = ["git", "-C", str(HOUSE), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout: which files belong to the house is not known")
    return [Path(name) for name in sorted(set(listing.split("\0"))) if name and (HOUSE / name).is_file()]


def python_trees(*roots: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in house_files():
        if path.suffix == ".py" and (not roots or path.parts[0] in roots):
            yield path, ast.parse((HOUSE / path).read_text(encoding="utf-8"), str(path))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the house as it stands, built from a copy, so that the checkout keeps no build folder."""
    copy = tmp_path_factory.mktemp("house")
    for path in house_files():
        if path.parts[0] in ROOTS or str(path) in BUILD_FILES:
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(HOUSE / path, copy / path)
    for name, content in PROBES.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes(content)
    build = "from setuptools.build_meta import build_wheel; build_wheel('dist')"
    done = subprocess.run([sys.executable, "-c", build], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = (copy / "dist").glob("*.whl")
    return built


def read_metadata(wheel: Path, name: str) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (entry for entry in archive.namelist() if entry.endswith(f".dist-info/{name}"))
        return archive.read(path).decode()


def test_wheel_holds_every_file_of_the_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        found = {name.removeprefix("lomber/") for name in archive.namelist() if ".dist-info/" not in name}
    expected = {path.as_posix() for path in house_files() if path.parts[0] in ROOTS} | set(PROBES)
    missing, surplus = sorted(expected - found), sorted(found - expected)
    assert not missing, f"a folder of code needs an __init__.py, a new suffix a line in package-data: {missing}"
    assert not surplus


def test_metadata_names_command_opponents_and_extras(wheel: Path) -> None:
    entry_points = configparser.ConfigParser()
    entry_points.read_string(read_metadata(wheel, "entry_points.txt"))
    assert entry_points["console_scripts"]["lomber"] == "lomber.training.cli:main"
    assert entry_points["lomber.opponents"]["default"] == "lomber.agents.registry:load_agent"
    metadata = email.message_from_string(read_metadata(wheel, "METADATA"))
    assert metadata["License-Expression"] == "MIT"
    assert set(metadata.get_all("Provides-Extra")) >= {"agents", "render", "train", "bench", "peers", "all", "dev"}


def test_core_needs_no_learning_library(wheel: Path) -> None:
    metadata = email.message_from_string(read_metadata(wheel, "METADATA"))
    requirements = [Requirement(line) for line in metadata.get_all("Requires-Dist")]
    core = {requirement.name for requirement in requirements if requirement.marker is None}
    assert core == {"numpy", "numba", "gymnasium", "pettingzoo", "typer", "rich"}


def test_environments_import_from_the_wheel_without_agents_or_torch(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = (
        "import sys; import lomber.envs; print(lomber.envs.__file__);"
        "print(sorted({'torch', 'stable_baselines3', 'onnxruntime', 'lomber.agents'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "LOMBER_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str(tmp_path / "lomber" / "envs" / "__init__.py"), "[]"]


def test_constraints_pin_every_requirement() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [lines for extra, lines in project["optional-dependencies"].items() if extra != "peers"]
    wanted = [Requirement(line) for lines in (project["dependencies"], *extras) for line in lines]
    pins = {}
    for line in (HOUSE / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, version = line.split("==")
            pins[canonicalize_name(name)] = version
    for requirement in wanted:
        if requirement.name != "lomber":
            pin = pins.get(canonicalize_name(requirement.name))
            assert pin, f"constraints.txt has no {requirement.name}: run make constraints"
            assert requirement.specifier.contains(pin), f"{requirement} does not allow its pin {pin}"


def test_no_source_uses_a_global_generator() -> None:
    found = []
    for path, tree in python_trees("envs", "agents", "training"):
        found += [f"{path}:{line}: {what}" for line, what in _global_draws(tree)]
    assert not found, f"chance comes from a key (envs/engine/chance.py) or a generator handed in: {found}"


def _global_draws(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Uses of numpy's global generator and of the module random's; `random.Random(seed)` is nobody's global."""
    numpys = {"numpy"}  # names that mean numpy, numpy.random and random in this file
    numpy_randoms, randoms = {"numpy.random"}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "numpy":
                    numpys.add(alias.asname or "numpy")
                elif alias.name == "numpy.random" and alias.asname:
                    numpy_randoms.add(alias.asname)
                elif alias.name == "random":
                    randoms.add(alias.asname or "random")
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                if node.module == "numpy" and alias.name == "random":
                    numpy_randoms.add(alias.asname or "random")
                elif node.module == "numpy.random" and alias.name not in GENERATORS:
                    yield node.lineno, f"from numpy.random import {alias.name}"
                elif node.module == "random" and alias.name != "Random":
                    yield node.lineno, f"from random import {alias.name}"
    numpy_randoms |= {f"{name}.random" for name in numpys}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            if (owner in numpy_randoms and node.attr not in GENERATORS) or (owner in randoms and node.attr != "Random"):
                yield node.lineno, f"{owner}.{node.attr}"
        elif isinstance(node, ast.Call) and not node.args and not node.keywords:
            maker = ast.unparse(node.func)
            if maker.split(".")[-1] == "default_rng" and ("." not in maker or maker.rpartition(".")[0] in numpy_randoms):
                yield node.lineno, f"{maker}() without a seed"


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nnp.random.seed(1)",
        "import numpy\nnumpy.random.shuffle([])",
        "from numpy.random import shuffle",
        "from numpy import random\nrandom.rand()",
        "import numpy as np\nrng = np.random.default_rng()",
        "import random\nrandom.seed(1)",
        "import random as r\nr.shuffle([])",
        "from random import choice",
    ],
)
def test_global_generators_are_recognised(source: str) -> None:
    assert list(_global_draws(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nrng: np.random.Generator = np.random.default_rng(seed)\nrng.shuffle(deck)",
        "import random\nrng = random.Random(3)\nrng.shuffle(deck)",
        "from . import random\nrandom.Agent()",
    ],
)
def test_own_generators_are_allowed(source: str) -> None:
    assert not list(_global_draws(ast.parse(source)))


def test_imports_name_lomber_and_never_the_bare_folders() -> None:
    found = []
    for path, tree in python_trees():
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            found += [f"{path}:{node.lineno}: {name}" for name in names if name.split(".")[0] in ROOTS]
    bare = re.compile(rf"^\s*(?:>>> )?(?:import|from) (?:{'|'.join(ROOTS)})\b", re.MULTILINE)
    for path in house_files():
        if path.suffix == ".md":
            text = (HOUSE / path).read_text(encoding="utf-8")
            found += [f"{path}: {match.group().strip()}" for match in bare.finditer(text)]
    assert not found


def test_no_file_names_a_path_of_one_machine() -> None:
    machine = re.compile(rb"(?<![\w.:/~$}-])/(?:work|root|home|opt|Users)/[\w.]+")
    found = []
    for path in house_files():
        content = (HOUSE / path).read_bytes()
        if b"\0" not in content:
            found += [f"{path}: {match.group().decode()}" for match in machine.finditer(content)]
    assert not found
