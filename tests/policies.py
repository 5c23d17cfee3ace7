"""Tiny policies built by hand for tests: two layers of fixed weights as ONNX, and the JSON beside it. Needs onnx."""

import hashlib
import json

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from lomber.agents.random import RandomAgent
from lomber.envs import Tables
from lomber.envs.faces.keys import Decisions
from lomber.envs.faces.opponents import decide

HIDDEN = 24
SHAPES = {"observation": TensorProto.FLOAT, "action_mask": TensorProto.INT8}


def positions(game, n, seed=0):
    """Observations (n, D) and masks (n, A) of random play."""
    tables, agent = Tables(game, n, seed), RandomAgent()
    tables.reset()
    decisions = Decisions(tables, seed)
    for count in range(2 * n):
        rows = np.flatnonzero(2 * np.arange(n) > count)
        if len(rows):
            tables.step(decide(agent, tables, rows, decisions), rows)
    return tables.observation.copy(), tables.action_mask.copy()


def weights_of(game, seed=0):
    """Matrices (D, HIDDEN) and (HIDDEN, A), float32."""
    rng = np.random.default_rng(seed)
    shapes = ((game.observation_size, HIDDEN), (HIDDEN, game.num_actions))
    return [rng.normal(size=shape, scale=shape[0] ** -0.5).astype(np.float32) for shape in shapes]


def logits_of(weights, observation, mask):
    first, second = (w.astype(np.float64) for w in weights)
    return np.where(mask > 0, np.maximum(observation @ first, 0) @ second, -1e8)


def model_of(game, weights, widths=(None, None), batch="batch", names=("observation", "action_mask"), extra=()):
    """The ONNX model; widths, batch and names of its inputs as a fault has them, `extra` nodes before the others."""
    sizes = [given or right for given, right in zip(widths, (game.observation_size, game.num_actions), strict=True)]
    nodes = [
        *extra,
        helper.make_node("MatMul", [names[0], "w0"], ["x0"]),
        helper.make_node("Relu", ["x0"], ["x1"]),
        helper.make_node("MatMul", ["x1", "w1"], ["x2"]),
        helper.make_node("Cast", [names[1]], ["may"], to=TensorProto.BOOL),
        helper.make_node("Where", ["may", "x2", "illegal"], ["logits"]),
    ]
    arrays = {"w0": weights[0], "w1": weights[1], "illegal": np.array(-1e8, np.float32)}
    graph = helper.make_graph(
        nodes,
        "policy",
        [
            helper.make_tensor_value_info(name, kind, [batch, size])
            for name, kind, size in zip(names, SHAPES.values(), sizes, strict=True)
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [batch, game.num_actions])],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def about_of(game, weights, vectors=4):
    """What the JSON of an exported policy holds."""
    observation, mask = positions(game, vectors)
    logits = logits_of(weights, observation, mask)
    return {
        "game": game.name, "id": game.id, "preset": game.preset, "options": game.changed_options,
        "layout_hash": game.layout_hash, "actions_hash": game.actions_hash,
        "test_vectors": [
            {"observation": o.tolist(), "legal": np.flatnonzero(m).tolist(), "logits": x[m > 0].round(5).tolist()}
            for o, m, x in zip(observation, mask, logits, strict=True)
        ],
    }  # fmt: skip


def write_policy(folder, game, model=None, about=None, seed=0):
    """Write both files into `folder`, by default of a sound policy; returns the folder."""
    weights = weights_of(game, seed)
    data = model_of(game, weights) if model is None else model
    data = data.SerializeToString() if isinstance(data, onnx.ModelProto) else data
    told = about_of(game, weights) if about is None else about
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "policy.onnx").write_bytes(data)
    (folder / "policy.json").write_text(json.dumps({**told, "onnx_sha256": hashlib.sha256(data).hexdigest()}))
    return folder
