"""Fixtures for all tests: the toy games stand in the registry while a test asks for them."""

import importlib
from dataclasses import fields

import pytest

import lomber.envs

TOYS = {"solo": "toy", "low": "toy.low"}


def episodes(name):
    """The values of a game's option `episode`: one deal, then those of several."""
    options = importlib.import_module({**lomber.envs.GAMES, **TOYS}[name]).SPEC.options
    (values,) = (field.metadata["values"] for field in fields(options) if field.name == "episode")
    return sorted(values, key=lambda episode: episode != "deal")


@pytest.fixture
def toys(monkeypatch):
    """Solo and low in the registry."""
    for name, module in TOYS.items():
        monkeypatch.setitem(lomber.envs.GAMES, name, module)


@pytest.fixture
def solo(toys):
    return lomber.envs.make_game("solo", episode="partie")
