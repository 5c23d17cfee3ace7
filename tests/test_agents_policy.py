"""Trained policies as agents: they play as their network says, alike in any batch; what does not fit is refused with words."""

import copy
import json
import pickle
import shutil
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest

import lomber.envs
from lomber.agents import policy as policies
from lomber.agents.base import Positions
from lomber.agents.policy import BLOCK, load_policy, read_about
from lomber.agents.random import RandomAgent
from lomber.agents.registry import load_agent
from lomber.envs import LomberError, UnknownName, make_game
from lomber.training.evaluate import evaluate

pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper  # noqa: E402
from policies import about_of, logits_of, model_of, positions, weights_of, write_policy  # noqa: E402


@pytest.fixture(scope="module")
def game():
    return make_game("piquet")


@pytest.fixture(scope="module")
def folder(game, tmp_path_factory):
    return write_policy(tmp_path_factory.mktemp("sound"), game)


@pytest.fixture(scope="module")
def asked(game):
    """Positions of random play, 50 of them: more than three blocks, the last one not full."""
    observation, mask = positions(game, 50, seed=7)
    keys = np.random.default_rng(2).integers(0, 2**64, 50, np.uint64)
    return Positions(observation, mask, np.zeros(50, np.int64), keys)


def part(asked, rows):
    return Positions(asked.observation[rows], asked.action_mask[rows], asked.seat[rows], asked.key[rows])


def test_it_plays_the_legal_action_of_the_highest_logit(game, folder, asked):
    agent = load_policy(folder, game, seed=3)
    logits = logits_of(weights_of(game), asked.observation, asked.action_mask)
    assert (agent.act(asked) == logits.argmax(axis=1)).all()
    assert np.allclose(agent.logits(asked.observation, asked.action_mask), logits, atol=1e-4), "illegal ones are -1e8"
    assert (agent.name, agent.seed, agent.wants_view, agent.blocks) == (str(folder), 3, False, True)


def test_any_of_the_two_files_names_it(game, folder, asked):
    paths = [folder, folder / "policy.onnx", str(folder / "policy.json")]
    first, *others = [load_policy(path, game).act(asked).tolist() for path in paths]
    assert others == [first, first]


@pytest.mark.parametrize("sample", [False, True])
@pytest.mark.parametrize("blocks", [True, False])
def test_a_decision_depends_on_no_other_in_the_batch(game, folder, asked, sample, blocks):
    agent = load_policy(folder, game, sample=sample)
    agent.blocks = blocks
    whole, logits = agent.act(asked), agent.logits(asked.observation, asked.action_mask)
    rng = np.random.default_rng(5)
    for size in (1, 2, 7, BLOCK, BLOCK + 1, 49):
        rows = rng.permutation(50)[:size]
        some = part(asked, rows)
        assert (agent.act(some) == whole[rows]).all()
        assert agent.logits(some.observation, some.action_mask).tobytes() == logits[rows].tobytes()


def test_a_decision_depends_on_no_process(folder, asked, tmp_path, game):
    """The same bits and, drawn, the same moves in another process, asked the other way round."""
    np.savez(tmp_path / "asked.npz", observation=asked.observation, mask=asked.action_mask, key=asked.key)
    code = (
        "import sys, numpy as np; from lomber.envs import make_game; from lomber.agents.registry import load_agent\n"
        "from lomber.agents.base import Positions\n"
        "told = {k: v[::-1] for k, v in np.load(sys.argv[2]).items()}\n"
        "agent = load_agent(sys.argv[1], make_game('piquet'))\n"
        "print(agent.act(Positions(told['observation'], told['mask'], np.zeros(50, int), told['key']))[::-1].tolist())\n"
        "print(agent.logits(told['observation'], told['mask'])[::-1].tobytes().hex())"
    )
    words = [sys.executable, "-c", code, f"{folder}:sample", str(tmp_path / "asked.npz")]
    done = subprocess.run(words, capture_output=True, text=True)
    agent = load_policy(folder, game, sample=True)
    actions, logits = agent.act(asked).tolist(), agent.logits(asked.observation, asked.action_mask)
    assert done.stdout.split("\n")[:2] == [str(actions), logits.tobytes().hex()], done.stderr


@pytest.mark.parametrize("sample", ["", ":sample"])
def test_an_evaluation_depends_on_no_batch_size(game, folder, sample):
    results = [evaluate(game, load_agent(f"{folder}{sample}", game), RandomAgent(), 12, batch=batch) for batch in (12, 5, 1)]
    assert len({(result.mean, result.sd, result.sd_single) for result in results}) == 1 and results[0].sd > 0


def test_sampling_follows_the_softmax_of_the_legal_logits(game, folder, asked):
    agent = load_agent(f"{folder}:sample", game)
    row = int(asked.action_mask.sum(axis=1).argmax())
    n = 4000
    keys = np.random.default_rng(3).integers(0, 2**64, n, np.uint64)
    many = Positions(np.tile(asked.observation[row], (n, 1)), np.tile(asked.action_mask[row], (n, 1)), np.zeros(n, int), keys)
    logits = logits_of(weights_of(game), asked.observation[row], asked.action_mask[row])
    wanted = np.exp(logits - logits.max())
    wanted /= wanted.sum()
    found = np.bincount(agent.act(many), minlength=game.num_actions) / n
    assert (np.abs(found - wanted) < 4 * np.sqrt(wanted * (1 - wanted) / n) + 1e-12).all()
    assert (wanted > 0.02).sum() > 3, "a position in which there is something to draw"


def test_it_goes_through_pickle_and_deepcopy(game, folder, asked):
    agent = load_policy(folder, game, 4, sample=True)
    again = pickle.loads(pickle.dumps(agent))
    assert (again.act(asked) == agent.act(asked)).all() and (again.seed, again.sample) == (4, True)
    assert copy.deepcopy(agent).act(asked).tolist() == agent.act(asked).tolist()


def test_a_path_is_an_opponent_in_every_face(game, folder):
    env = gymnasium.make("lomber/Piquet-v0", opponents=str(folder), seat=0)
    env.reset(seed=3)
    twin = env.unwrapped.clone()
    for _ in range(4):
        action = int(twin.action_masks().argmax())
        assert env.step(action)[0].tobytes() == twin.step(action)[0].tobytes()
    gymnasium.make("lomber/Piquet-v0", opponents=[folder]).reset(seed=3)
    gymnasium.make_vec("lomber/Piquet-v0", 3, "vector_entry_point", opponents=str(folder)).reset(seed=3)


def test_a_name_that_is_neither_agent_nor_path_is_unknown(game):
    for name in ("", "piquet/heuristik"):
        with pytest.raises(UnknownName, match="a name, or the folder of a policy"):
            load_agent(name, game)
    with pytest.raises(UnknownName, match="there is no folder 'runs/nothing-here'"):
        load_agent("runs/nothing-here", game)


def test_a_known_name_goes_before_a_folder(game, tmp_path, monkeypatch):
    (tmp_path / "random").mkdir()
    monkeypatch.chdir(tmp_path)
    assert isinstance(load_agent("random", game), RandomAgent)
    with pytest.raises(LomberError, match="there is no file random"):
        load_agent("./random", game)


# Refusals: each by a fault planted into a sound policy.


def refused(folder, game, words):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(LomberError, match=words) as error:
            load_agent(str(folder), game)
    assert "\n" not in str(error.value) and len(str(error.value)) < 700


@pytest.mark.parametrize("missing", ["policy.onnx", "policy.json"])
def test_a_missing_file_is_refused(game, folder, tmp_path, missing):
    shutil.copytree(folder, tmp_path / "p")
    (tmp_path / "p" / missing).unlink()
    for path in (tmp_path / "p", tmp_path / "p" / "policy.onnx", tmp_path / "p" / "policy.json"):
        refused(path, game, f"there is no file .*{missing}")


@pytest.mark.parametrize("size", [0, 1, 40, 2000, -4, -1])
def test_a_truncated_network_is_refused(game, folder, tmp_path, size):
    data = (folder / "policy.onnx").read_bytes()
    write_policy(tmp_path, game, data[:size])
    refused(tmp_path, game, "is no ONNX model")


@pytest.mark.parametrize("size", [0, 1, 300, -1, -2])
def test_a_truncated_json_is_refused(game, folder, tmp_path, size):
    shutil.copytree(folder, tmp_path / "p")
    text = (folder / "policy.json").read_text()
    (tmp_path / "p" / "policy.json").write_text(text[:size])
    refused(tmp_path / "p", game, "policy.json is no JSON, or it is cut short")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[]", "no object with the keys"), (b"\xff\xfe", "no JSON"), (b"[" * 100_000, "no JSON"),
        (b"{}", "lacks the key 'game'"),
    ],
)  # fmt: skip
def test_a_foreign_json_is_refused(game, folder, tmp_path, data, words):
    shutil.copytree(folder, tmp_path / "p")
    (tmp_path / "p" / "policy.json").write_bytes(data)
    refused(tmp_path / "p", game, words)


@pytest.mark.parametrize("kind", ["policy.onnx", "policy.json"])
def test_a_file_too_large_is_not_read(game, folder, tmp_path, monkeypatch, kind):
    monkeypatch.setitem(policies.MOST_BYTES, f".{kind.partition('.')[2]}", 1000)
    refused(folder, game, f"{kind} is larger than")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"observation": [1.0]}, "1 numbers, not"),
        ({"observation": "x"}, "a list of numbers"),
        ({"observation": [[1.0], 2]}, "does not fit"),
        ({"legal": []}, "a list of numbers"),
        ({"legal": [5000]}, "out of bounds"),
        ({"legal": [-1]}, "a list of action ids"),
        ({"legal": [0.5]}, "a list of action ids"),
        ({"logits": [10**400]}, "does not fit"),
        ({"logits": [0.5]}, "does not fit"),
    ],
)
def test_a_test_vector_that_fits_no_position_is_refused(game, tmp_path, fault, words):
    about = about_of(game, weights_of(game))
    about["test_vectors"][1].update(fault)
    write_policy(tmp_path, game, about=about)
    refused(tmp_path, game, f"test vector 1 of policy.json .*{words}")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"layout_hash": "abc"}, "another layout of the observation: layout_hash is 'abc', piquet_v0 has '[0-9a-f]+'"),
        ({"actions_hash": "abc"}, "another table of actions: actions_hash is 'abc', piquet_v0 has '[0-9a-f]+'"),
        ({"game": "ombre"}, "plays 'ombre', not 'piquet'"),
        ({"observation_size": 3}, "another size of the observation: observation_size is 3, piquet_v0 has [0-9]+"),
        ({"num_actions": "3"}, "another number of actions: num_actions is '3', piquet_v0 has [0-9]+"),
        ({"preset": "rubikon"}, "did you mean rubicon"),
        ({"options": {"episod": "deal"}}, "did you mean episode"),
        ({"options": {"name": "x"}}, "names options that piquet_v0 has not"),
        ({"options": []}, "'options' is no dict"),
        ({"preset": None}, "'preset' is no str"),
        ({"test_vectors": []}, "has no test vectors"),
        ({"test_vectors": [3]}, "test vector 0"),
        ({"game": "\x1b[2J"}, r"'\\x1b\[2J'"),
    ],
)
def test_a_json_of_something_else_is_refused(game, tmp_path, fault, words):
    write_policy(tmp_path, game, about={**about_of(game, weights_of(game)), **fault})
    refused(tmp_path, game, words)


def test_a_network_of_another_run_is_refused(game, folder, tmp_path):
    shutil.copytree(folder, tmp_path / "p")
    (tmp_path / "p" / "policy.onnx").write_bytes(model_of(game, weights_of(game, 1)).SerializeToString())
    refused(tmp_path / "p", game, "not the file that policy.json was written for")


@pytest.mark.parametrize(("told", "words"), [({}, "lacks the key 'onnx_sha256'"), ({"onnx_sha256": None}, "is no str")])
def test_a_json_that_tells_no_hash_is_refused(game, folder, tmp_path, told, words):
    shutil.copytree(folder, tmp_path / "p")
    about = json.loads((folder / "policy.json").read_text())
    del about["onnx_sha256"]
    (tmp_path / "p" / "policy.json").write_text(json.dumps({**about, **told}))
    refused(tmp_path / "p", game, words)


def test_errors_name_the_files_as_they_are_called(game, folder, tmp_path):
    for ending in ("onnx", "json"):
        shutil.copy(folder / f"policy.{ending}", tmp_path / f"mine.{ending}")
    assert load_policy(tmp_path / "mine.onnx", game).blocks
    (tmp_path / "mine.onnx").write_bytes(model_of(game, weights_of(game, 1)).SerializeToString())
    refused(tmp_path / "mine.json", game, "mine.onnx is not the file that mine.json was written for")
    (tmp_path / "mine.json").write_text("{")
    refused(tmp_path / "mine.onnx", game, "mine.json is no JSON")
    with pytest.raises(LomberError, match="mine.json is no JSON"):
        read_about(tmp_path / "mine.onnx")


def test_test_vectors_that_do_not_reproduce_are_refused(game, tmp_path):
    write_policy(tmp_path, game, model_of(game, weights_of(game, 1)), about_of(game, weights_of(game)))
    refused(tmp_path, game, "does not give the logits of test vector 0 in policy.json: off by")


def test_numbers_too_large_for_the_network_are_refused(game, tmp_path):
    about = about_of(game, weights_of(game))
    about["test_vectors"][0]["observation"][3] = 1e300
    write_policy(tmp_path, game, about=about)
    refused(tmp_path, game, "test vector 0 in policy.json: some are no numbers")


def test_one_wrong_logit_is_refused(game, tmp_path):
    about = about_of(game, weights_of(game))
    about["test_vectors"][2]["logits"][-1] += 0.01
    write_policy(tmp_path, game, about=about)
    refused(tmp_path, game, "test vector 2")


def test_a_network_that_gives_no_numbers_is_refused(game, tmp_path):
    weights = weights_of(game)
    weights[1][0, :] = np.nan
    write_policy(tmp_path, game, model_of(game, weights), about_of(game, weights_of(game)))
    refused(tmp_path, game, "some are no numbers")


@pytest.mark.parametrize("sample", [False, True])
def test_no_number_at_the_table_is_no_decision(game, folder, asked, sample):
    agent = load_policy(folder, game, sample=sample)
    spoilt = part(asked, np.arange(20))
    spoilt.observation[17, 3] = np.nan
    with pytest.raises(LomberError, match="no number for a legal action"):
        agent.act(spoilt)
    nothing = part(asked, np.arange(20))
    nothing.action_mask[3] = 0
    with pytest.raises(LomberError, match="no number for a legal action"):
        agent.act(nothing)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"names": ("obs", "action_mask")}, "has inputs 'obs' and 'action_mask', not 'observation' and 'action_mask'"),
        ({"names": ("observation", "mask")}, "has inputs 'observation' and 'mask'"),
        ({"batch": 4}, r"input observation of policy.onnx is tensor\(float\) \(4, \d+\), not tensor\(float\) \(batch, \d+\)"),
    ],
)
def test_foreign_inputs_are_refused(game, tmp_path, changes, words):
    write_policy(tmp_path, game, model_of(game, weights_of(game), **changes))
    refused(tmp_path, game, words)


def test_inputs_of_another_width_are_refused(game, tmp_path):
    weights = weights_of(game)
    short = [weights[0][:-1], weights[1]]
    write_policy(tmp_path, game, model_of(game, short, widths=(game.observation_size - 1, None)))
    refused(tmp_path, game, r"input observation of policy.onnx is tensor\(float\) \(batch, \d+\), not")


def test_inputs_of_another_type_and_other_outputs_are_refused(game, tmp_path):
    model = model_of(game, weights_of(game))
    model.graph.input[1].type.tensor_type.elem_type = TensorProto.FLOAT
    write_policy(tmp_path / "type", game, model)
    refused(tmp_path / "type", game, r"input action_mask of policy.onnx is tensor\(float\) .*, not tensor\(int8\)")
    model = model_of(game, weights_of(game))
    model.graph.output[0].name = model.graph.node[-1].output[0] = "values"
    write_policy(tmp_path / "out", game, model)
    refused(tmp_path / "out", game, "has outputs 'values', not logits")
    shape = model_of(game, weights_of(game)).SerializeToString().replace(b"batch", b"ba\xfbch")
    write_policy(tmp_path / "name", game, shape)
    refused(tmp_path / "name", game, "refused by onnxruntime: 'utf-8'")
    model = model_of(game, weights_of(game))
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("logits", TensorProto.DOUBLE, None))
    model.graph.node[-1].output[0] = "single"
    model.graph.node.append(helper.make_node("Cast", ["single"], ["logits"], to=TensorProto.DOUBLE))
    write_policy(tmp_path / "double", game, model)
    refused(tmp_path / "double", game, "gives float64")


def external(model):
    onnx.external_data_helper.set_external_data(model.graph.initializer[0], "../secret", 0, 4)
    model.graph.initializer[0].ClearField("raw_data")
    return "another file"


def external_constant(model):
    constant = helper.make_node("Constant", [], ["c"], value=onnx.numpy_helper.from_array(np.zeros(4, np.float32)))
    onnx.external_data_helper.set_external_data(constant.attribute[0].t, "secret", 0, 16)
    model.graph.node.insert(0, constant)
    return "another file"


def external_sparse(model):
    sparse = helper.make_sparse_tensor(
        onnx.numpy_helper.from_array(np.ones(1, np.float32), "s"), onnx.numpy_helper.from_array(np.zeros(1, np.int64)), [4]
    )
    onnx.external_data_helper.set_external_data(sparse.values, "secret", 0, 4)
    model.graph.sparse_initializer.append(sparse)
    return "another file"


def location_only(model):
    model.graph.initializer[0].data_location = TensorProto.EXTERNAL
    return "another file"


def names_only(model):
    model.graph.initializer[0].external_data.add(key="location", value="secret")
    return "another file"


def foreign_operator(model):
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    model.graph.node.insert(0, helper.make_node("EPContext", ["observation"], ["e"], domain="com.microsoft"))
    return "domain 'com.microsoft'"


def loop(model):
    body = helper.make_graph([], "body", [], [])
    model.graph.node.insert(0, helper.make_node("Loop", ["n", ""], ["l"], body=body))
    return "branches or loops"


def chance(model):
    model.graph.node.insert(0, helper.make_node("RandomUniformLike", ["observation"], ["r"]))
    return "draws chance of its own"


def function(model):
    model.functions.append(helper.make_function("own", "f", ["a"], ["b"], [], [helper.make_opsetid("", 17)]))
    return "functions or training steps"


def no_graph(model):
    model.ClearField("graph")
    return "holds no graph"


def broken_graph(model):
    model.graph.node[0].input[0] = "nowhere"
    return "refused by onnxruntime"


FAULTS = [
    external,
    external_constant,
    external_sparse,
    location_only,
    names_only,
    foreign_operator,
    loop,
    chance,
    function,
    no_graph,
]


@pytest.mark.parametrize("fault", [*FAULTS, broken_graph])
def test_a_network_that_asks_for_more_is_refused_before_it_runs(game, tmp_path, fault, monkeypatch):
    model = model_of(game, weights_of(game))
    words = fault(model)
    write_policy(tmp_path, game, model)
    if fault is not broken_graph:
        monkeypatch.setattr(policies, "_open_session", lambda *_: pytest.fail("handed to onnxruntime"))
    refused(tmp_path, game, words)


@pytest.mark.parametrize(
    "data", [b"\x08\x08", b"\x00\x01", b"\x3b\x00", b"\xff" * 11, b"\x3a\x05ab", b"\x38\x01", b"ORTM" * 8]
)
def test_bytes_that_are_no_model_are_refused(game, tmp_path, data):
    write_policy(tmp_path, game, data)
    refused(tmp_path, game, "is no ONNX model")


@pytest.mark.parametrize("tail", [b"\x00\x00", b"\x63\x64", b"\x80", b"\x62\x05", b"\x06\x00"])
def test_a_sound_network_with_broken_bytes_behind_is_refused(game, folder, tmp_path, tail):
    write_policy(tmp_path, game, (folder / "policy.onnx").read_bytes() + tail)
    refused(tmp_path, game, "is no ONNX model, or it is cut short")


def test_rows_of_a_network_that_mixes_them_go_through_one_by_one(game, tmp_path, asked):
    """It rates a row by the mean of its block: only alone is it a function of the position."""
    weights = weights_of(game)
    model = model_of(game, weights)
    model.graph.node[1].output[0] = "r"
    model.graph.node.insert(2, helper.make_node("ReduceMean", ["r"], ["mean"], axes=[0], keepdims=1))
    model.graph.node.insert(3, helper.make_node("Mul", ["r", "one"], ["r1"]))
    model.graph.node.insert(4, helper.make_node("Add", ["r1", "mean"], ["x1"]))
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.array(0, np.float32), "one"))
    write_policy(tmp_path, game, model)
    agent = load_policy(tmp_path, game)
    assert not agent.blocks
    assert (agent.act(asked) == logits_of(weights, asked.observation, asked.action_mask).argmax(axis=1)).all()


def test_other_options_than_the_trained_ones_are_told(game, folder, tmp_path):
    with pytest.warns(UserWarning, match=r"trained on make_game\('piquet', preset='korolik'\) and plays .*rubicon"):
        load_policy(folder, make_game("piquet", "rubicon"))
    write_policy(tmp_path, game, about={**about_of(game, weights_of(game)), "id": "piquet_v9"})
    with pytest.warns(UserWarning, match="'piquet_v9'"):
        load_policy(tmp_path, game)


def test_its_json_is_read_without_the_network(folder, game, tmp_path):
    assert read_about(folder)["layout_hash"] == game.layout_hash
    with pytest.raises(LomberError, match="there is no file"):
        read_about(tmp_path)


def test_without_onnxruntime_the_extra_is_named(folder):
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from lomber.envs import make_game; from lomber.agents.registry import load_agent\n"
        "load_agent('random', make_game('piquet'))\n"
        "try: load_agent(sys.argv[1], make_game('piquet'))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True)
    assert done.stdout.startswith("LomberError") and "pip install 'lomber[agents]'" in done.stdout, done.stderr


def test_its_test_vectors_are_json_that_a_stranger_can_read(folder):
    told = json.loads((folder / "policy.json").read_text())
    assert all(len(v["legal"]) == len(v["logits"]) > 0 for v in told["test_vectors"])
    assert lomber.envs.GAMES[told["game"]]
