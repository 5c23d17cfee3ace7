"""Fixtures for all tests: the toy games stand in the registry while a test asks for them."""

import pytest

import lomber.envs

TOYS = {"solo": "toy", "low": "toy.low"}


@pytest.fixture
def toys(monkeypatch):
    """Solo and low in the registry."""
    for name, module in TOYS.items():
        monkeypatch.setitem(lomber.envs.GAMES, name, module)


@pytest.fixture
def solo(toys):
    return lomber.envs.make_game("solo", episode="partie")
