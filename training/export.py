"""A trained policy as files that anybody may load: policy.onnx beside policy.json, which says what it is for.

Inputs of the network: observation (batch, D) float32, action_mask (batch, A) int8. Output: logits (batch, A) float32, of
illegal actions -1e8. The JSON carries the hashes of layout and action table: a loader refuses others.
"""

import hashlib
import importlib.metadata
import io
import json
import pickle
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from gymnasium import spaces
from numpy.typing import NDArray

from ..agents.random import RandomAgent
from ..envs.engine.errors import LomberError
from ..envs.engine.game import Game
from ..envs.engine.registry import make_game
from ..envs.engine.tables import Tables
from ..envs.faces.keys import Decisions
from ..envs.faces.opponents import decide
from .critic import SplitExtractor, StateCriticPolicy

ILLEGAL = -1e8  # logit of an illegal action
TOLERANCE = 1e-3  # between torch and onnxruntime, on logits


class MaskedLogits(torch.nn.Module):
    """The actor of an SB3 policy as one function of observation and mask."""

    def __init__(self, policy: Any):
        super().__init__()
        self.policy = policy

    def forward(self, observation: torch.Tensor, action_mask: torch.Tensor) -> torch.Tensor:
        """(batch, A) float32."""
        features = self.policy.extract_features(observation, self.policy.pi_features_extractor)
        logits = self.policy.action_net(self.policy.mlp_extractor.forward_actor(features))
        return torch.where(action_mask > 0, logits, torch.full_like(logits, ILLEGAL))


def sample_positions(game: Game, n: int, seed: int = 0) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Observations (n, D) and masks (n, A) from random play: table i stands 3 * i decisions after its first deal."""
    tables, agent = Tables(game, n, seed), RandomAgent()
    tables.reset()
    decisions = Decisions(tables, seed)
    for count in range(3 * (n - 1)):
        rows = np.flatnonzero(3 * np.arange(n) > count)
        tables.step(decide(agent, tables, rows, decisions), rows)
    return tables.observation.copy(), tables.action_mask.copy()


def export_policy(policy: Any, game: Game, folder: Path, facts: Mapping[str, Any]) -> None:
    """Write policy.onnx and policy.json; `facts` (how trained, measured strength) go into the JSON as they are.

    LomberError where onnxruntime, if it is installed, disagrees with torch on any test vector.
    """
    module = MaskedLogits(policy).eval()
    observation, mask = sample_positions(game, 8)
    inputs = torch.as_tensor(observation), torch.as_tensor(mask)
    with torch.no_grad():
        logits = module(*inputs).numpy()
    file = folder / "policy.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # this exporter is on its way out, the new one is twenty times slower
        torch.onnx.export(
            module, inputs, str(file), dynamo=False, opset_version=17, input_names=["observation", "action_mask"],
            output_names=["logits"], dynamic_axes={name: {0: "batch"} for name in ("observation", "action_mask", "logits")},
        )  # fmt: skip
    _check(file, observation, mask, logits)
    about = {
        "game": game.name, "id": game.id, "preset": game.preset, "options": game.changed_options,
        "layout_hash": game.layout_hash, "actions_hash": game.actions_hash, "observation_size": game.observation_size,
        "num_actions": game.num_actions, "version": importlib.metadata.version("lomber"),
        "onnx_sha256": hashlib.sha256(file.read_bytes()).hexdigest(), **facts,
        "test_vectors": [_vector(*row) for row in zip(observation, mask, logits, strict=True)],
    }  # fmt: skip
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in about.items())
    (folder / "policy.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def export_checkpoint(checkpoint: Path, out: Path | None = None, game: Game | None = None) -> tuple[Path, Path]:
    """Write the network of an SB3 checkpoint, `policy.zip` or the folder of a run, as policy.onnx and policy.json; the paths.

    The game and how it was trained are told by recipe.yaml and result.json beside it. Much of an SB3 checkpoint is pickles:
    they are not loaded. LomberError for what is no checkpoint of MaskablePPO, or one of another game.
    """
    file = checkpoint / "policy.zip" if checkpoint.is_dir() else checkpoint
    if not file.is_file():
        raise LomberError(f"there is no checkpoint {file}")
    game = game or _game_of_run(file.parent)
    try:
        policy, decisions = _read_policy(file)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, pickle.UnpicklingError) as error:
        told = " ".join(str(error).split())[:200]
        raise LomberError(f"{file} is no checkpoint of MaskablePPO: {type(error).__name__}: {told}") from error
    seen, actions = policy.observation_space.shape[0], int(policy.action_space.n)
    view = game.observation_size  # a critic may have seen the perfect state behind it
    if seen not in (view, view + game.reveal_size) or actions != game.num_actions:
        has, wanted = f"{seen} floats and {actions} actions", f"{view} and {game.num_actions}"
        raise LomberError(f"{file} is no policy for {game.id}: it was trained on {has}, the game has {wanted}")
    folder = out or file.parent
    folder.mkdir(parents=True, exist_ok=True)
    try:
        export_policy(policy, game, folder, _facts_of_run(file.parent, decisions))
    except RuntimeError as error:
        raise LomberError(f"{file} cannot play from a view of {game.id} alone: {' '.join(str(error).split())}") from error
    return folder / "policy.onnx", folder / "policy.json"


def _read_policy(file: Path) -> tuple[Any, int]:
    """(policy, decisions it was trained for) of a checkpoint: tensors and plain JSON are read, the policy is built anew."""
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

    try:
        with zipfile.ZipFile(file) as archive:
            facts = json.loads(archive.read("data"))
            weights = torch.load(io.BytesIO(archive.read("policy.pth")), map_location="cpu", weights_only=True)
    except zipfile.BadZipFile as error:
        raise ValueError(str(error)) from error
    net = {part: _layers(weights, name) for part, name in (("pi", "policy_net"), ("vf", "value_net"))}
    (of_actor, *_), (seen, *_) = net.values()
    actions = len(weights["action_net.bias"])
    told = str(facts["policy_kwargs"].get("activation_fn", "Tanh"))  # as text: the class itself is a pickle
    activation = next((known for known in (torch.nn.ReLU, torch.nn.Tanh) if known.__name__ in told), None)
    if activation is None:
        raise ValueError(f"its units are {told}, neither ReLU nor Tanh")
    given: dict[str, Any] = {
        "net_arch": {part: sizes[1:] for part, sizes in net.items()}, "activation_fn": activation,
    }  # fmt: skip
    if of_actor < seen:
        given |= {"features_extractor_class": SplitExtractor, "features_extractor_kwargs": {"view": of_actor}}
    kind = StateCriticPolicy if of_actor < seen else MaskableActorCriticPolicy
    policy = kind(spaces.Box(-1.0, 1.0, (seen,), np.float32), spaces.Discrete(actions), lambda _: 0.0, **given)
    policy.load_state_dict(weights)
    return policy, int(facts["num_timesteps"])


def _layers(weights: Mapping[str, torch.Tensor], name: str) -> list[int]:
    """The widths of a network's layers, that of its input first."""
    names = [key for key in weights if key.startswith(f"mlp_extractor.{name}.") and key.endswith(".weight")]
    return [weights[names[0]].shape[1], *(weights[key].shape[0] for key in names)]


def _game_of_run(folder: Path) -> Game:
    recipe = folder / "recipe.yaml"
    if not recipe.is_file():
        raise LomberError(f"there is no {recipe} to tell the game: name it with --game, --preset and --option")
    try:
        values = yaml.safe_load(recipe.read_text(encoding="utf-8"))
        return make_game(values["game"], values.get("preset"), **values.get("options") or {})
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError, AttributeError) as error:
        raise LomberError(f"{recipe} is no recipe: {' '.join(str(error).split())}") from error


def _facts_of_run(folder: Path, decisions: int) -> dict[str, Any]:
    """What result.json tells, if it is of this checkpoint and not of an earlier or later one."""
    try:
        facts = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        if facts["trained"]["decisions"] == decisions:
            return dict(facts)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return {"trained": {"decisions": decisions}}


def _check(file: Path, observation: NDArray[np.float32], mask: NDArray[np.int8], logits: NDArray[np.float32]) -> None:
    try:
        import onnxruntime
    except ImportError:
        return
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    (got,) = session.run(["logits"], {"observation": observation, "action_mask": mask})
    if not np.allclose(got, logits, rtol=TOLERANCE, atol=TOLERANCE):
        raise LomberError(f"{file.name} does not compute what the policy does: off by {np.abs(got - logits).max():.2g}")


def _vector(observation: NDArray[np.float32], mask: NDArray[np.int8], logits: NDArray[np.float32]) -> dict[str, Any]:
    legal = np.flatnonzero(mask)
    return {
        "observation": [int(x) if x == int(x) else float(x) for x in observation],
        "legal": legal.tolist(),
        "logits": [round(float(x), 5) for x in logits[legal]],
    }
