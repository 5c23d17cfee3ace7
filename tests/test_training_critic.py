"""The critic with the perfect state: it sees what is hidden, the actor and what is exported do not."""

import numpy as np
import pytest

from lomber.envs import LomberError, make_game

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO

from lomber.training import train as training
from lomber.training.curve import GreedyPolicy
from lomber.training.evaluate import evaluate
from lomber.training.export import MaskedLogits, _read_policy, export_checkpoint, export_policy
from lomber.training.recipe import load_recipe

KEYS = ["critic=state", "tables=8", "steps=8", "net=[16, 8]"]


@pytest.fixture
def game():
    return make_game("piquet")


def model_of(game, *keys):
    recipe = load_recipe("piquet", [*KEYS, *keys])
    return training.build_model(recipe, training.build_env(recipe, game))


def played(env, steps=70):
    """Observations, masks and infos of the last deals' ends, after random play."""
    seen, rng, ends = env.reset(), np.random.default_rng(1), []
    for _ in range(steps):
        seen, _, done, infos = env.step(np.array([rng.choice(np.flatnonzero(row)) for row in env.action_masks()]))
        ends += [(env.tables.final[row].copy(), env.acted[row], infos[row]) for row in np.flatnonzero(done)]
    return seen, env.action_masks().copy(), ends


@pytest.mark.parametrize("pool", ["{current: 1}", "{random: 1}"])
def test_the_perfect_state_stands_behind_the_view(game, pool):
    env = training.build_env(load_recipe("piquet", [*KEYS, f"pool={pool}"]), game)
    seen, _, ends = played(env)
    width = game.observation_size
    assert env.observation_space.shape == seen.shape[1:] == (width + game.reveal_size,)
    assert np.array_equal(seen[:, :width], game.observe(game.hide(env.tables.states, env.seat), env.seat))
    assert np.array_equal(seen[:, width:], game.reveal(env.tables.states))
    assert len(ends) > 3
    for final, seat, info in ends:
        states = np.array([final], game.state_dtype)
        wanted = np.hstack([game.observe(game.hide(states, seat), seat), game.reveal(states)])[0]
        assert np.array_equal(info["terminal_observation"], wanted)


def hidden_counts(policy, seen, masks, width):
    """Do the actor's probabilities, do the values change with what stands behind the view?"""
    one = torch.as_tensor(seen)
    two = one.clone()
    two[:, width:] = 1 - two[:, width:]
    actions = torch.as_tensor(masks.argmax(axis=1))

    def asked(observation):
        values, logs, entropy = policy.evaluate_actions(observation, actions, action_masks=torch.as_tensor(masks))
        probabilities = policy.get_distribution(observation, action_masks=masks).distribution.probs
        return values, torch.cat([logs[:, None], entropy[:, None], probabilities], dim=1)

    with torch.no_grad():
        (values, acts), (values2, acts2) = asked(one), asked(two)
        torch.manual_seed(1)
        drawn, *_ = policy(one, action_masks=masks)
        torch.manual_seed(1)
        drawn2, *_ = policy(two, action_masks=masks)
    return not (torch.equal(acts, acts2) and torch.equal(drawn, drawn2)), not torch.allclose(values, values2)


def test_what_is_hidden_moves_the_value_and_never_the_actor(game):
    model = model_of(game)
    seen, masks, _ = played(model.get_env())
    assert hidden_counts(model.policy, seen, masks, game.observation_size) == (False, True)


def test_an_actor_that_sees_all_is_noticed(game, monkeypatch):
    monkeypatch.setattr(training, "StateCriticPolicy", "MlpPolicy")
    model = model_of(game)
    seen, masks, _ = played(model.get_env())
    assert hidden_counts(model.policy, seen, masks, game.observation_size) == (True, True)


def test_no_gradient_of_the_actor_reaches_the_hidden_part(game):
    """After learning too: nothing in the update ties the two networks together."""
    model = model_of(game, "batch=64", "epochs=1")
    model.set_logger(training.Logger(None, []))
    model.learn(128)
    seen, masks, _ = played(model.get_env())
    assert hidden_counts(model.policy, seen, masks, game.observation_size) == (False, True)
    (first, *_) = model.policy.mlp_extractor.policy_net
    assert first.in_features == game.observation_size


def test_the_exported_policy_takes_the_view_alone(game, tmp_path):
    model = model_of(game)
    seen, masks, _ = played(model.get_env())
    export_policy(model.policy, game, tmp_path, {})
    view = np.ascontiguousarray(seen[:, : game.observation_size])
    with torch.no_grad():
        wanted = MaskedLogits(model.policy)(torch.as_tensor(seen), torch.as_tensor(masks)).numpy()
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(str(tmp_path / "policy.onnx"), providers=["CPUExecutionProvider"])
    assert [given.shape[1] for given in session.get_inputs()] == [game.observation_size, game.num_actions]
    (got,) = session.run(["logits"], {"observation": view, "action_mask": masks})
    assert np.allclose(got, wanted, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("critic", ["view", "state"])
def test_a_checkpoint_is_built_anew_to_the_bit(game, tmp_path, critic):
    """From its tensors and plain text alone: nothing of it is unpickled."""
    model = model_of(game, f"critic={critic}", "net=[16, 8, 12]")
    model.num_timesteps = 77
    model.save(tmp_path / "policy.zip", exclude=["rollout_buffer_class", "rollout_buffer_kwargs"])
    policy, decisions = _read_policy(tmp_path / "policy.zip")
    seen, masks, _ = played(model.get_env())
    assert decisions == 77 and type(policy) is type(model.policy)
    with torch.no_grad():
        wanted, got = (MaskedLogits(one)(torch.as_tensor(seen), torch.as_tensor(masks)) for one in (model.policy, policy))
        assert torch.equal(wanted, got) and len(torch.unique(wanted)) > 30
        assert torch.equal(*(one.predict_values(torch.as_tensor(seen)) for one in (model.policy, policy)))


def test_a_checkpoint_of_other_units_is_told(game, tmp_path):
    model = MaskablePPO(
        "MlpPolicy", training.build_env(load_recipe("piquet", KEYS[1:]), game), n_steps=8, batch_size=8,
        policy_kwargs={"activation_fn": torch.nn.SiLU}, device="cpu",
    )  # fmt: skip
    model.save(tmp_path / "policy.zip")
    with pytest.raises(LomberError, match="SiLU"):
        export_checkpoint(tmp_path / "policy.zip", tmp_path / "out", game)


def test_the_greedy_policy_plays_from_views(game):
    policy = GreedyPolicy(model_of(game).policy)
    assert evaluate(game, policy, policy, ids=4).mean == 0
