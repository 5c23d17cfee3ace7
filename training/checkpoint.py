"""Checkpoints: all that a run is between two rollouts, so that one that goes on gives the same weights to the last bit
(with the same versions, on the same machine).

A checkpoint is one file, checkpoints/<decisions>.pt in the run's folder, whole or not there; the last two are kept. In it:
network and optimizer; torch's generator (actions) and the buffer's (order of samples); the tables' states, ids and scratch;
the pool; curve, counters, recipe. It holds tensors and plain values only and is loaded as such: nothing is unpickled.
"""

import io
import json
import pickle
import zipfile
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from ..envs.engine.errors import LomberError
from ..envs.engine.game import Game
from ..envs.engine.layout import fingerprint
from .files import write_whole
from .recipe import Recipe

FORMAT = 1
KEPT = 2
# What may change when a run goes on: nothing that has shaped the weights it has.
FREE_KEYS = ("decisions", "evaluate_every", "checkpoint_every", "curve_ids", "final_ids", "tensorboard")


def encode(value: Any) -> Any:
    """Nested dictionaries and lists with their arrays, structured ones too, as tensors of bytes."""
    if isinstance(value, np.ndarray):
        flat = np.frombuffer(bytearray(value.tobytes()), np.uint8)
        descr = json.dumps(np.lib.format.dtype_to_descr(value.dtype))
        return {"dtype": descr, "shape": list(value.shape), "bytes": torch.from_numpy(flat)}
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, list):
        return [encode(item) for item in value]
    return value


def decode(value: Any) -> Any:
    """What `encode` was given; arrays are writeable."""
    if isinstance(value, dict) and set(value) == {"dtype", "shape", "bytes"}:
        dtype = np.lib.format.descr_to_dtype(_tuples(json.loads(value["dtype"])))
        return np.frombuffer(bytearray(value["bytes"].numpy().tobytes()), dtype).reshape(value["shape"])
    if isinstance(value, dict):
        return {key: decode(item) for key, item in value.items()}
    if isinstance(value, list):
        return [decode(item) for item in value]
    return value


def _tuples(descr: Any) -> Any:
    """A dtype's description as numpy wants it: JSON knows no tuples, a field is one and so is its shape."""
    if isinstance(descr, str):
        return descr
    return [(name, _tuples(kind), *(tuple(shape) for shape in rest)) for name, kind, *rest in descr]


def capture(model: MaskablePPO) -> dict[str, Any]:
    """The state of a model between two rollouts, its environment's included."""
    env: Any = model.get_env()
    buffer: Any = model.rollout_buffer
    return {
        "decisions": model.num_timesteps,
        "updates": model._n_updates,
        "episodes": [dict(episode) for episode in model.ep_info_buffer or ()],
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "torch": torch.get_rng_state(),
        "shuffle": json.dumps(buffer.generator.bit_generator.state),
        "starts": encode(np.asarray(model._last_episode_starts)),
        "env": encode(env.state()),
    }


def restore(model: MaskablePPO, saved: dict[str, Any]) -> None:
    """Put a freshly built model, and its environment, where `capture` was called."""
    env: Any = model.get_env()
    buffer: Any = model.rollout_buffer
    env.restore(decode(saved["env"]))
    model.policy.load_state_dict(saved["policy"])
    model.policy.optimizer.load_state_dict(saved["optimizer"])
    model.num_timesteps, model._n_updates = saved["decisions"], saved["updates"]
    model.ep_info_buffer = deque(saved["episodes"], maxlen=model._stats_window_size)
    model.ep_success_buffer = deque(maxlen=model._stats_window_size)
    model._last_obs, model._last_episode_starts = env.observation(), decode(saved["starts"])
    buffer.generator.bit_generator.state = json.loads(saved["shuffle"])
    torch.set_rng_state(saved["torch"])  # last: building the model drew from it


def table_of(game: Game) -> dict[str, str]:
    """What a checkpoint's arrays mean: they fit no other."""
    return {
        "id": game.id, "layout": game.layout_hash, "actions": game.actions_hash,
        "state": fingerprint((json.dumps(np.lib.format.dtype_to_descr(game.state_dtype)),)),
    }  # fmt: skip


def checkpoints(folder: Path) -> list[Path]:
    """The checkpoints of the run in `folder`, the newest first."""
    return sorted((folder / "checkpoints").glob("[0-9]*.pt"), reverse=True)


def decisions_of(path: Path) -> int:
    return int(path.stem)


def save_checkpoint(folder: Path, saved: dict[str, Any]) -> Path:
    """Write a checkpoint, then drop those before the last two. LomberError tells which one is left if it cannot be written."""
    memory = io.BytesIO()
    torch.save({"format": FORMAT, **saved}, memory)
    path = folder / "checkpoints" / f"{saved['decisions']:012}.pt"
    try:
        path.parent.mkdir(exist_ok=True)
        write_whole(path, memory.getvalue())
    except OSError as error:
        left = next(
            (f"the one of {decisions_of(old):,} decisions is left" for old in checkpoints(folder)), "there is none yet"
        )
        raise LomberError(f"no checkpoint could be written at {saved['decisions']:,} decisions ({error}); {left}") from error
    for old in checkpoints(folder)[KEPT:]:
        old.unlink()
    return path


def load_checkpoint(folder: Path, game: Game, recipe: Recipe, tell: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """The newest whole checkpoint of the run in `folder`; `tell` hears of newer ones that are damaged.

    LomberError: there is none, it is of another game or layout, or the recipe differs in more than FREE_KEYS.
    """
    found = checkpoints(folder)
    saved = next(_whole(folder), None)
    if saved is None and found:
        raise LomberError(f"no checkpoint in {folder} can be read: {', '.join(path.name for path in found)}")
    if saved is None:
        raise LomberError(f"{folder} holds no checkpoint to go on from")
    for path in found:
        if decisions_of(path) > saved["decisions"]:
            tell(f"{path} cannot be read: the run goes on from {saved['decisions']:,} decisions")
    if saved["table"] != table_of(game):
        raise LomberError(f"the checkpoint in {folder} is of another version of {game.name}: it cannot go on in this one")
    was = saved["recipe"]
    for key, value in recipe.model_dump().items():
        if key not in FREE_KEYS and was.get(key, value) != value:
            raise LomberError(
                f"recipe key {key}: the run in {folder} has {was[key]!r}, not {value!r}; free are {', '.join(FREE_KEYS)}"
            )
    return saved


def _whole(folder: Path) -> Iterator[dict[str, Any]]:
    """Checkpoints that can be read, the newest first."""
    for path in checkpoints(folder):
        try:
            content = path.read_bytes()
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                damaged = archive.testzip()
            saved = None if damaged else torch.load(io.BytesIO(content), weights_only=True)
        except (OSError, RuntimeError, EOFError, zipfile.BadZipFile, pickle.UnpicklingError):
            continue  # a damaged disk: the one before it may be whole
        if saved and saved["format"] == FORMAT:
            yield saved


def unfinished(folder: Path) -> tuple[int, int] | None:
    """Of the run in `folder`, if it stopped early: the decisions it has made and those it was to make."""
    saved = next(_whole(folder), None)
    if saved is None or saved["decisions"] >= saved["recipe"]["decisions"]:
        return None
    return saved["decisions"], saved["recipe"]["decisions"]


def clear(folder: Path) -> None:
    """Remove the checkpoints of a run that another one writes over."""
    for path in checkpoints(folder):
        path.unlink()
