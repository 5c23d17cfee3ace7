"""A run that begins by imitating an agent: it learns the agent's moves, then goes on as any other run."""

import numpy as np
import pytest

from lomber.agents.random import RandomAgent
from lomber.agents.registry import load_agent
from lomber.envs import LomberError, Tables, make_game
from lomber.envs.faces.keys import Decisions
from lomber.envs.faces.opponents import Positions, decide

pytest.importorskip("sb3_contrib")

from rich.console import Console
from sb3_contrib import MaskablePPO

from lomber.training import curve, imitate
from lomber.training import train as training
from lomber.training.recipe import load_recipe
from lomber.training.rollouts import SeatRolloutBuffer

KEYS = [
    "tables=128", "steps=16", "batch=256", "net=[48]", "curve_ids=2", "evaluate_every=1000", "checkpoint_every=1000",
    "tensorboard=false",
]  # fmt: skip
ROLLOUT = 128 * 16


def imitated(folder, *keys, agent="ombre/heuristic", rollouts=20):
    """The model after `rollouts` rollouts of imitation."""
    wanted = f"imitate={{agent: {agent}, decisions: {rollouts * ROLLOUT}, learning_rate: 0.003}}"
    recipe = load_recipe("ombre", [*KEYS, wanted, f"decisions={rollouts * ROLLOUT}", *keys])
    game = make_game(recipe.game, recipe.preset, **recipe.options)
    model = training.build_model(recipe, training.build_env(recipe, game))
    with curve.StopRequest(print) as stop:
        training.learn(model, recipe, game, folder, None, stop, Console(quiet=True))
    return model


def agreement(model, agent="ombre/heuristic", seed=99):
    """How often the greedy policy does as the agent, at tables the agent plays, where there is a choice."""
    game = model.get_env().tables.game
    tables, teacher, policy = Tables(game, 64, seed), load_agent(agent, game), curve.GreedyPolicy(model.policy)
    tables.reset()
    rows, decisions, same = np.arange(64), Decisions(tables, seed), []
    for _ in range(120):
        actions = decide(teacher, tables, rows, decisions)
        open_rows = tables.action_mask.sum(axis=1) > 1
        same += (decide(policy, tables, rows, decisions) == actions)[open_rows].tolist()
        tables.step(actions)
    return np.mean(same)


@pytest.mark.jit
def test_it_learns_the_moves_of_the_agent(tmp_path, monkeypatch):
    learnt = agreement(imitated(tmp_path))
    assert learnt > 0.6, "seen: 0.70"
    monkeypatch.setattr(imitate.ImitatingPPO, "_ask_teacher", lambda self, env: RandomAgent().act(positions(env)))
    assert agreement(imitated(tmp_path)) < 0.45, "seen: 0.31"


def positions(env):
    tables = env.tables
    keys = np.random.default_rng(int(tables.id.sum())).integers(2**63, size=tables.n).astype(np.uint64)
    return Positions(tables.observation, tables.action_mask, tables.seat, keys)


@pytest.mark.parametrize("keys", [["critic=state"], ["pool={current: 1, frozen: 1, random: 1}"]])
def test_rows_are_the_agents_own_whatever_the_tables(tmp_path, monkeypatch, keys):
    """Each row that is learnt from holds what the agent does there, with the mask of that very decision."""
    add, checked = SeatRolloutBuffer.add, []

    def checking(self, observation, actions, *args, **kwargs):
        masks = kwargs["action_masks"].reshape(len(actions), -1)
        assert masks[np.arange(len(actions)), actions[:, 0]].all()
        checked.append(actions[:, 0].copy())
        add(self, observation, actions, *args, **kwargs)

    monkeypatch.setattr(SeatRolloutBuffer, "add", checking)
    asked = []
    true = imitate.ImitatingPPO._ask_teacher
    monkeypatch.setattr(imitate.ImitatingPPO, "_ask_teacher", lambda self, env: asked.append(true(self, env)) or asked[-1])
    imitated(tmp_path, *keys, rollouts=2)
    assert len(checked) == 32 and all(np.array_equal(*pair) for pair in zip(asked, checked, strict=True))


def test_after_the_imitation_it_is_stock(tmp_path, monkeypatch):
    """The agent is asked for its own rollouts only, and the stock update runs for the others only."""
    calls = []
    true = imitate.ImitatingPPO._ask_teacher
    monkeypatch.setattr(imitate.ImitatingPPO, "_ask_teacher", lambda self, env: calls.append("ask") or true(self, env))
    stock = MaskablePPO.train
    monkeypatch.setattr(MaskablePPO, "train", lambda self: calls.append("train") or stock(self))
    imitated(tmp_path, f"decisions={5 * ROLLOUT}", rollouts=2)
    assert calls == ["ask"] * 32 + ["train"] * 3


def test_the_rate_of_the_imitation_falls_first(tmp_path, monkeypatch):
    rates = []
    monkeypatch.setattr(imitate.ImitatingPPO, "train", lambda self: rates.append((self.lr_schedule(1.0), self.ent_coef)))
    keys = ["learning_rate=0.5", "entropy=0.25", "entropy_end=0.05", f"decisions={4 * ROLLOUT}"]
    imitated(tmp_path, *keys, rollouts=2)
    assert np.allclose(rates, [(0.003, 0.25), (0.0015, 0.15), (0.5, 0.25), (0.25, 0.15)])


def test_the_saved_policy_holds_no_agent(tmp_path):
    model = imitated(tmp_path, rollouts=1)
    loaded = MaskablePPO.load(tmp_path / "policy.zip", device="cpu")
    assert not hasattr(loaded, "teacher") and model.teacher.name == "ombre/heuristic"


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (["imitate={agent: ombre/heuristik, decisions: 100}"], "ombre/heuristic"),
        (["imitate={agent: piquet/heuristic, decisions: 100}"], "agent for ombre"),
        (["imitate={agent: random, decisions: 0}"], "recipe key imitate.decisions"),
        (["imitate={agent: random}"], "recipe key imitate.decisions"),
        (["imitate={agent: random, decisions: 9, speed: 1}"], "recipe key imitate.speed"),
        (["imitate={agent: random, decisions: 900}", "anneal=800"], "anneal counts the 900 decisions of imitate"),
    ],
)
def test_mistakes_are_told(keys, told):
    with pytest.raises(LomberError, match=told):
        recipe = load_recipe("ombre", [*KEYS, *keys])
        training.build_model(recipe, training.build_env(recipe, make_game("ombre")))
