"""Training recipes: YAML files with every key documented, checked before anything is trained."""

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ..envs.engine.errors import LomberError, unknown

CONFIGS = Path(__file__).resolve().parents[1] / "configs" / "train"


class Imitation(BaseModel):
    """Whom a run imitates before it learns by itself, and for how long."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    agent: str
    decisions: int = Field(gt=0)
    learning_rate: float = Field(1e-3, gt=0)


class Recipe(BaseModel):
    """What a training run needs to know; configs/train/<game>.yaml says what each key means."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    game: str
    preset: str | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    seed: int = Field(1, ge=0, lt=2**32)
    decisions: int = Field(gt=0)
    tables: int = Field(512, gt=1)
    steps: int = Field(64, gt=1)
    batch: int = Field(4096, gt=1)
    epochs: int = Field(2, gt=0)
    net: list[Annotated[int, Field(gt=0)]] = Field(default_factory=lambda: [128, 128], min_length=1)
    learning_rate: float = Field(1e-3, gt=0)
    entropy: float = Field(0.05, ge=0)
    entropy_end: float = Field(0.01, ge=0)
    clip: float = Field(0.2, gt=0)
    gae_lambda: float = Field(0.95, ge=0, le=1)
    reward_scale: float = Field(30.0, gt=0)
    critic: Literal["view", "state"] = "view"
    pool: dict[str, Annotated[float, Field(ge=0)]] = Field(default_factory=lambda: {"current": 1.0}, min_length=1)
    imitate: Imitation | None = None
    freeze_every: int = Field(10, gt=0)
    frozen_most: int = Field(8, gt=0)
    anneal: int | None = Field(None, gt=0)
    checkpoint_every: int = Field(5, gt=0)
    evaluate_every: int = Field(10, gt=0)
    curve_ids: int = Field(200, gt=1)
    final_ids: int = Field(2000, gt=1)
    goal: dict[str, Annotated[float, Field(ge=0)]] = Field(default_factory=lambda: {"random": 0.5})
    tensorboard: bool = True

    @model_validator(mode="after")
    def _anneals_after_imitating(self) -> "Recipe":
        if self.imitate and self.anneal and self.anneal <= self.imitate.decisions:
            raise ValueError(f"anneal counts the {self.imitate.decisions:,} decisions of imitate too, and is to be above them")
        return self


def load_recipe(game: str, overrides: list[str] | None = None, source: str | Path | None = None) -> Recipe:
    """The recipe of a game, with `key=value` overrides. LomberError names the key that is wrong.

    source: a variant that the game's recipe has (the keys that differ stand under `variants`), or another recipe's file.
    """
    variants = variants_of(game)
    changed = variants.get(str(source), {})
    file = Path(source) if source and not changed else CONFIGS / f"{game}.yaml"
    if not file.is_file() and source:
        known = f"; the recipe of {game} has the variants {', '.join(variants)}" if variants else ""
        raise LomberError(f"there is no recipe file {file}{known}")
    if not file.is_file():
        raise unknown("recipe", game, sorted(p.stem for p in CONFIGS.glob("*.yaml")))
    values = _read(file) | changed
    values.pop("variants", None)
    for override in overrides or []:
        key, equals, value = override.partition("=")
        if not equals:
            raise LomberError(f"an override is key=value, not {override!r}")
        try:
            values[key] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise LomberError(f"recipe key {key}: {value!r} is not YAML: {_line(error)}") from error
    for key in values:
        if key not in Recipe.model_fields:
            raise unknown("recipe key", key, Recipe.model_fields)
    if values.get("game") != game:
        raise LomberError(f"recipe key game: {file.name} trains {values.get('game')!r}, not {game!r}")
    try:
        return Recipe(**values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        if not where:
            raise LomberError(f"recipe: {first['msg'].lower().removeprefix('value error, ')}") from error
        raise LomberError(f"recipe key {where}: {first['msg'].lower()} (it is {first.get('input')!r})") from error


def variants_of(game: str) -> dict[str, dict[str, Any]]:
    """The variants of a game's recipe: of each the keys that differ."""
    file = CONFIGS / f"{game}.yaml"
    found: dict[str, dict[str, Any]] = _read(file).get("variants", {}) if file.is_file() else {}
    return found


def _read(file: Path) -> dict[str, Any]:
    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise LomberError(f"{file.name} is not YAML: {_line(error)}") from error
    if not isinstance(values, dict):
        raise LomberError(f"{file.name} is not a table of keys and values")
    return values


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
