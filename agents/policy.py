"""A trained policy as an agent: policy.onnx beside policy.json, which says what it is for.

Both files may come from strangers. Nothing in them is executed but standard operators, no other file is opened, and what does
not fit the game is refused with words. onnxruntime (the extra `agents`) is imported when the first policy is loaded.

What is guaranteed: a decision depends on its own position and key alone, whatever stands beside it in the batch. The network
sees blocks of always BLOCK rows, the last one filled up with zeros, so the runtime does the same arithmetic each time; when
a policy is loaded its test vectors are tried in every place of a block, in two companies, and if one bit differs, rows go
through one by one. Another processor may round otherwise: there two actions that the network rates alike may change places.
"""

import hashlib
import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.chance import CHOICE, philox
from ..envs.engine.errors import LomberError
from ..envs.engine.game import Game
from ..envs.engine.jit import entry
from ..envs.engine.registry import make_game
from .abstracted import Abstracted
from .base import BaseAgent, Considered, Positions
from .onnx_file import check_onnx

BLOCK = 16  # rows of a run: one decision takes 50 us and many take 3 us each, measured with two layers of 128
TOLERANCE = 1e-3  # of the logits of test vectors, absolute and relative
MOST_BYTES = {".onnx": 2**28, ".json": 2**24}
SAMPLE = ":sample"  # behind a path or a name: draw by the probabilities instead of taking the best

_ZERO, _CHOICE = np.uint64(0), np.uint64(CHOICE)
_FIVE, _SIX = np.uint64(5), np.uint64(6)


@entry
def draw_actions(logits, mask, keys, actions):
    """A legal action for each row, drawn by softmax over the legal logits, from the row's key; -1 where that is no number."""
    for i in range(mask.shape[0]):
        best = -np.inf
        for a in range(mask.shape[1]):
            if mask[i, a] and float(logits[i, a]) > best:
                best = float(logits[i, a])
        total = 0.0
        for a in range(mask.shape[1]):
            if mask[i, a]:
                total += math.exp(float(logits[i, a]) - best)
        x, y, _, _ = philox(keys[i], _ZERO, _ZERO, _ZERO, _CHOICE)
        left = (np.float64(x >> _FIVE) * 67108864.0 + np.float64(y >> _SIX)) / 9007199254740992.0 * total  # 53 bits
        actions[i] = -1
        if not total >= 1.0:  # not a number, or nothing is legal
            continue
        for a in range(mask.shape[1]):
            if mask[i, a]:
                actions[i] = a
                left -= math.exp(float(logits[i, a]) - best)
                if left < 0.0:
                    break


class Policy(BaseAgent):
    """The agent of a policy's two files: the legal action of the highest logit (the first of equals), or one drawn by softmax.

    Attributes: name, seed, sample, about (the JSON, without its test vectors), blocks (False: rows go through one by one).
    Raises LomberError naming the file and what is wrong; warns where the policy was trained on other options.
    """

    game: Game

    def __init__(self, name: str, model: bytes, about: bytes, game: Game, seed: int = 0, sample: bool = False):
        super().__init__(game, seed)
        self.name, self.sample, self._files = name, sample, (model, about)
        self._onnx, self._json = (file.name for file in policy_files(name))
        told = _read_about(about, f"{name}: {self._json}")
        vectors = told.pop("test_vectors")
        self.about = told
        self._check_game(game)
        self._check_sum(model)
        check_onnx(model, f"{name}: {self._onnx}")
        self._session, inputs, outputs = _open_session(model, name, self._onnx)
        self._check_ports(inputs, outputs)
        observation, mask, logits = self._read_vectors(vectors)
        self.blocks = self._same_everywhere(observation, mask)
        self._check_logits(observation, mask, logits)

    def __repr__(self) -> str:
        return f"Policy({self.name!r}, seed={self.seed}, sample={self.sample})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Policy, (self.name, *self._files, self.game, self.seed, self.sample)

    def __deepcopy__(self, _: Any) -> "Policy":
        return self  # it remembers nothing from decision to decision

    def act(self, positions: Positions) -> NDArray[np.int64]:
        """Actions (n,) int64; LomberError where the network gives what is no number."""
        mask = np.ascontiguousarray(positions.action_mask)
        logits = self.logits(positions.observation, mask)
        if self.sample:
            actions = np.zeros(len(mask), np.int64)
            draw_actions(logits, mask, np.ascontiguousarray(positions.key), actions)
            fine = actions >= 0
        else:
            rated = np.where(mask > 0, logits, -np.inf)
            actions = rated.argmax(axis=1)  # of what is no number the first is the highest
            fine = np.isfinite(rated[np.arange(len(mask)), actions])
        if not fine.all():
            raise LomberError(f"{self.name}: the network gives no number for a legal action, so it cannot decide")
        return actions

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """(n, A) float64: how likely each action is chosen; without `sample` one of each row has 1."""
        if not self.sample:
            return np.eye(positions.action_mask.shape[1])[self.act(positions)]
        return self._softmax(positions)

    def consider(self, positions: Positions) -> Considered:
        """The decision of the first position, rated by softmax over the legal actions whether moves are drawn or not."""
        return Considered(int(self.act(positions)[0]), "probability", self._softmax(positions)[0])

    def _softmax(self, positions: Positions) -> NDArray[np.float64]:
        mask = np.ascontiguousarray(positions.action_mask)
        rated = np.where(mask > 0, self.logits(positions.observation, mask).astype(np.float64), -np.inf)
        weights = np.exp(rated - rated.max(axis=1, keepdims=True))
        found: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        if not np.isfinite(found).all():
            raise LomberError(f"{self.name}: the network gives no number for a legal action, so it cannot decide")
        return found

    def logits(self, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.float32]:
        """Logits (n, A) float32 of observations (n, D) float32 and masks (n, A) int8; of illegal actions they mean nothing."""
        self._check_shapes(observation, mask)
        out = np.zeros(mask.shape, np.float32)
        size = BLOCK if self.blocks else 1
        seen, may = self._block(size)
        for start in range(0, len(mask), size):
            rows = slice(start, start + size)
            n = len(mask[rows])
            seen[:n], seen[n:] = observation[rows], 0
            may[:n], may[n:] = mask[rows], 0
            out[rows] = self._run(seen, may)[:n]
        return out

    def _check_shapes(self, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> None:
        """A position of another game is told, not fitted in: numpy would stretch a column of one."""
        game = self.game
        for what, array, width in (("observations", observation, game.observation_size), ("masks", mask, game.num_actions)):
            if array.shape != (len(mask), width):
                raise LomberError(f"{self.name} takes {what} {(len(mask), width)} of {game.id}, not {array.shape}")

    def _block(self, n: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        return np.zeros((n, self.game.observation_size), np.float32), np.zeros((n, self.game.num_actions), np.int8)

    def _run(self, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> NDArray[np.float32]:
        try:
            (logits,) = self._session.run(["logits"], {"observation": observation, "action_mask": mask})
        except Exception as error:  # onnxruntime's errors have no common base
            raise LomberError(f"{self.name}: {self._onnx} fails: {_line(error)}") from error
        if logits.shape != mask.shape or logits.dtype != np.float32:
            raise LomberError(f"{self.name}: {self._onnx} gives {logits.dtype} {logits.shape}, not float32 {mask.shape}")
        return logits  # type: ignore[no-any-return]

    def _check_sum(self, model: bytes) -> None:
        wanted, found = self.about["onnx_sha256"], hashlib.sha256(model).hexdigest()
        if wanted != found:
            told = f"{self._onnx} is not the file that {self._json} was written for: sha256 {found}, not {wanted!r}"
            raise LomberError(f"{self.name}: {told}")

    def _check_game(self, game: Game) -> None:
        about = self.about
        if about["game"] != game.name:
            raise LomberError(f"{self.name} plays {about['game']!r}, not {game.name!r}")
        for key, what in _OF_THE_GAME.items():
            told, wanted = about.get(key, getattr(game, key)), getattr(game, key)  # the sizes may be left out
            if told != wanted:
                raise LomberError(f"{self.name} was trained on another {what}: {key} is {told!r}, {game.id} has {wanted!r}")
        try:
            trained = make_game(game.name, about["preset"], **about["options"])
        except (LomberError, TypeError) as error:
            raise LomberError(f"{self.name}: {self._json} names options that {game.id} has not: {error}") from error
        if trained != game:
            self._warn(f"was trained on {trained!r} and plays {game!r} now")
        if about.get("id", game.id) != game.id:
            self._warn(f"was trained on {about['id']!r}, whose rules are not quite those of {game.id}")

    def _warn(self, words: str) -> None:
        warnings.warn(f"{self.name} {words}", stacklevel=2)

    def _check_ports(self, found: dict[str, tuple[str, list[Any]]], outputs: list[str]) -> None:
        """The inputs are those of the game, with any number of rows."""
        game = self.game
        wanted = {
            "observation": ("tensor(float)", game.observation_size), "action_mask": ("tensor(int8)", game.num_actions),
        }  # fmt: skip
        if set(found) != set(wanted):
            raise LomberError(f"{self.name}: {self._onnx} has inputs {_names(found)}, not {_names(wanted)}")
        for port, (kind, width) in wanted.items():
            has, shape = found[port]
            if has != kind or len(shape) != 2 or isinstance(shape[0], int) or shape[1] != width:
                told = f"{has} {_shape(shape)}, not {kind} {_shape(['batch', width])}"
                raise LomberError(f"{self.name}: input {port} of {self._onnx} is {told}")
        if outputs != ["logits"]:
            raise LomberError(f"{self.name}: {self._onnx} has outputs {_names(outputs)}, not logits")

    def _read_vectors(self, vectors: list[Any]) -> tuple[NDArray[np.float32], NDArray[np.int8], NDArray[np.float64]]:
        observation, mask = self._block(len(vectors))
        logits = np.zeros(mask.shape)
        for i, vector in enumerate(vectors):
            try:
                observation[i] = _numbers(vector["observation"], self.game.observation_size)
                legal = _action_ids(vector["legal"])
                mask[i, legal] = 1
                logits[i, legal] = _numbers(vector["logits"], len(legal))
            except (TypeError, ValueError, KeyError, IndexError, OverflowError) as error:
                told = f"test vector {i} of {self._json} does not fit {self.game.id}: {_line(error)}"
                raise LomberError(f"{self.name}: {told}") from error
        return observation, mask, logits

    def _check_logits(self, observation: NDArray[np.float32], mask: NDArray[np.int8], wanted: NDArray[np.float64]) -> None:
        off = np.abs(np.where(mask > 0, self.logits(observation, mask), 0) - wanted)
        bad = ~(off <= TOLERANCE * (1 + np.abs(wanted))).all(axis=1)  # true of what is no number
        if bad.any():
            worst = int(np.flatnonzero(bad)[0])
            told = f"off by {off[worst].max():.2g}" if np.isfinite(off[worst]).all() else "some are no numbers"
            raise LomberError(
                f"{self.name}: {self._onnx} does not give the logits of test vector {worst} in {self._json}: {told}"
            )

    def _same_everywhere(self, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> bool:
        """Whether each row comes out alike, bit for bit, in every place of a block: among other rows, and alone."""
        known: dict[int, bytes] = {}
        for place in range(BLOCK):
            rows = np.roll(np.resize(np.arange(len(mask)), BLOCK), place)
            alone, alone_mask = self._block(BLOCK)
            alone[place], alone_mask[place] = observation[rows[place]], mask[rows[place]]
            told = [*zip(rows.tolist(), self._run(observation[rows], mask[rows]), strict=True)]
            told.append((int(rows[place]), self._run(alone, alone_mask)[place]))
            for row, logits in told:
                legal = logits[mask[row] > 0].tobytes()
                if known.setdefault(row, legal) != legal:
                    return False
        return True


def load_policy(path: str | Path, game: Game, seed: int = 0, sample: bool = False, called: str | None = None) -> BaseAgent:
    """The agent of a folder with policy.onnx and policy.json, or of one of two files that stand side by side.

    One that was trained on the game's action abstraction sits at tables of all actions too. `:sample` behind the path asks for
    actions drawn by the network's probabilities, as `sample` does; its name is `called`, or else the path. Raises LomberError
    for a file that is missing, cut short, foreign or of another game, naming what was found and what should be.
    """
    name = str(path)
    model, about = (_read(file) for file in policy_files(name))
    fewer = game.abstracted
    learnt = fewer if fewer and _read_about(about, name)["actions_hash"] == fewer.actions_hash else game
    policy = Policy(called or name, model, about, learnt, seed, sample or name.endswith(SAMPLE))
    return policy if learnt is game else Abstracted(game, policy)


def read_about(path: str | Path) -> dict[str, Any]:
    """What a policy's JSON tells, checked for its keys only; the network is not opened."""
    file = policy_files(str(path))[1]
    return _read_about(_read(file), f"{path}: {file.name}")


def is_policy(name: str) -> bool:
    """Whether a name is meant as a path to a policy: it ends like one of its files, or a folder of that name exists."""
    path = Path(name.removesuffix(SAMPLE))
    return bool(name) and (path.suffix in MOST_BYTES or path.is_dir())


def policy_files(name: str) -> tuple[Path, Path]:
    """The ONNX file and the JSON that a path means."""
    path = Path(name.removesuffix(SAMPLE))
    base = path if path.suffix in MOST_BYTES else path / "policy.onnx"
    return base.with_suffix(".onnx"), base.with_suffix(".json")


def _read(file: Path) -> bytes:
    if not file.is_file() and file.with_suffix(".zip").is_file():
        raise LomberError(f"there is no file {file}: lomber export {file.parent} makes it of {file.with_suffix('.zip').name}")
    if not file.is_file():
        raise LomberError(f"a policy is two files, .onnx and .json side by side; there is no file {file}")
    if file.stat().st_size > MOST_BYTES[file.suffix]:
        raise LomberError(f"{file} is larger than {MOST_BYTES[file.suffix] >> 20} MiB, too large for a policy")
    return file.read_bytes()


_KEYS: dict[str, type] = {
    "game": str, "layout_hash": str, "actions_hash": str, "preset": str, "options": dict, "test_vectors": list,
    "onnx_sha256": str,
}  # fmt: skip

_OF_THE_GAME = {
    "layout_hash": "layout of the observation", "actions_hash": "table of actions",
    "observation_size": "size of the observation", "num_actions": "number of actions",
}  # fmt: skip


def _read_about(data: bytes, name: str) -> dict[str, Any]:
    try:
        about = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise LomberError(f"{name} is no JSON, or it is cut short: {_line(error)}") from error
    if not isinstance(about, dict):
        raise LomberError(f"{name} is no object with the keys {', '.join(_KEYS)}")
    for key, kind in _KEYS.items():
        if key not in about:
            raise LomberError(f"{name} lacks the key {key!r}")
        if not isinstance(about[key], kind):
            raise LomberError(f"{name}: {key!r} is no {kind.__name__}")
    if not about["test_vectors"]:
        raise LomberError(f"{name} has no test vectors, so nothing says whether the network is the right one")
    return about


def _open_session(model: bytes, name: str, file: str) -> tuple[Any, dict[str, tuple[str, list[Any]]], list[str]]:
    """The session, its inputs as name -> (type, shape), and the names of its outputs."""
    try:
        import onnxruntime
    except ImportError as error:
        raise LomberError(f"{name} is a trained policy, which needs onnxruntime: pip install 'lomber[agents]'") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.load_model_format", "ONNX")
    try:
        session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"], enable_fallback=0)
        inputs = {port.name: (port.type, port.shape) for port in session.get_inputs()}
        return session, inputs, [port.name for port in session.get_outputs()]
    except Exception as error:  # onnxruntime's errors have no common base
        raise LomberError(f"{name}: {file} is refused by onnxruntime: {_line(error)}") from error


def _numbers(values: Any, length: int | None = None) -> NDArray[Any]:
    """A list of numbers as an array (length,), float32 where a length is given; ValueError where it is none."""
    array = np.array(values)
    if array.ndim != 1 or not len(array) or array.dtype.kind not in "if":
        raise ValueError(f"a list of numbers, not {str(values)[:40]!r}")
    if length is None:
        return array
    if len(array) != length:
        raise ValueError(f"{len(array)} numbers, not {length}")
    with np.errstate(over="ignore"):
        return array.astype(np.float32)


def _action_ids(values: Any) -> NDArray[np.int64]:
    """A list of action ids (length,); ValueError where it is none. One beyond the last is an IndexError where it is used."""
    ids = _numbers(values)
    if ids.dtype.kind != "i" or ids.min() < 0:
        raise ValueError(f"a list of action ids, not {str(values)[:40]!r}")
    return ids.astype(np.int64)


def _line(error: object) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())[:300]


def _names(ports: Any) -> str:
    return " and ".join(repr(port) for port in ports) or "none"


def _shape(shape: Any) -> str:
    return f"({', '.join(str(size) for size in shape)})"
