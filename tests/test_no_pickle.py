"""No command loads a pickle: each is handed one, in every file that it reads, and none of them goes off."""

import base64
import io
import json
import pickle
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lomber.agents.policy import SAMPLE
from lomber.envs import LomberError
from lomber.training import cli

# Words that hand each command the folder or a file of it; `{0}` is the folder. Commands that read no file have no words.
WORDS = {
    "games": [],
    "warm": [],
    "replay": [["{0}/deal.txt"], ["{0}/deal.json", "--json"]],
    "bench": [["train", "{0}"], ["{0}"]],
    "train": [
        ["piquet", "--out", "{0}", "--resume"],
        ["piquet", "--out", "{0}/new", "--recipe", "{0}/recipe.yaml"],
        ["piquet", "--out", "{0}/pool", "pool={{'{0}': 1}}"],
        ["piquet", "--out", "{0}/teacher", "imitate={{agent: '{0}'}}"],
    ],
    "evaluate": [["{0}", "random"], ["random", f"{{0}}{SAMPLE}"], ["{0}/policy.onnx", "random"], ["{0}/policy.zip", "random"]],
    "measure": [["{0}"], ["random", "--against", "{0}", "--ids", "2"], ["random", "--ids", "2", "--out", "{0}/policy.json"]],
    "exploit": [["bouillotte", "--preset", "mini", "--agent", "{0}"]],
    "agents": [["{0}"], ["{0}/policy.json"], []],
    "play": [["piquet", "--against", "{0}"], ["piquet", "--against", "{0}/policy.onnx"]],
    "advise": [["{0}/deal.txt"], ["{0}/deal.json", "--agent", "{0}"]],
    "plot": [["bids", "{0}"]],
    "export": [["{0}"], ["{0}/policy.zip", "--game", "piquet"], ["{0}", "--game", "piquet", "--out", "{0}/out"]],
}
FILES = (
    "policy.onnx", "policy.json", "policy.zip", "recipe.yaml", "result.json", "deal.txt", "deal.json", "metrics.csv",
    "checkpoints/000000000512.pt",
)  # fmt: skip


class Bomb:
    """Whoever unpickles it leaves a file `marker` behind."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return Path.touch, (self.marker,)


def plain(bomb, name):
    return pickle.dumps(bomb)


def yaml_object(bomb, name):
    return f'!!python/object/apply:os.mkdir ["{bomb.marker}"]'.encode()


def from_torch(bomb, name):
    torch = pytest.importorskip("torch")
    memory = io.BytesIO()
    torch.save({"format": 1, "decisions": 512, "policy": bomb}, memory)
    return memory.getvalue()


def from_sb3(bomb, name):
    """A checkpoint whose every part that SB3 unpickles is the bomb."""
    torch = pytest.importorskip("torch")
    spoilt = {":type:": "<class 'object'>", ":serialized:": base64.b64encode(pickle.dumps(bomb)).decode()}
    keys = ("policy_class", "observation_space", "action_space", "policy_kwargs", "learning_rate", "clip_range")
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("data", json.dumps({**dict.fromkeys(keys, spoilt), "num_timesteps": 512}))
        for part in ("policy.pth", "policy.optimizer.pth", "pytorch_variables.pth"):
            inner = io.BytesIO()
            torch.save(bomb, inner)
            archive.writestr(part, inner.getvalue())
    return memory.getvalue()


KINDS = (plain, yaml_object, from_torch, from_sb3)


def test_every_command_is_tried():
    assert {command.name or command.callback.__name__ for command in cli.app.registered_commands} == set(WORDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", [name for name, words in WORDS.items() if words])
def test_no_command_loads_a_pickle(command, kind, tmp_path, monkeypatch):
    folder, marker = tmp_path / "runs" / "given", tmp_path / "gone_off"
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(kind(Bomb(marker), name))
    monkeypatch.chdir(tmp_path)
    for words in WORDS[command]:
        done = CliRunner().invoke(cli.app, [command, *(word.format(folder) for word in words)], input="q\n")
        assert not marker.exists(), f"lomber {command} {' '.join(words)} unpickled it"
        told = done.exception, done.output
        assert done.exit_code or command == "agents", "it was handed what it cannot use"
        assert isinstance(done.exception, SystemExit | LomberError | OSError | None), told


@pytest.mark.parametrize("kind", [plain, from_torch])
def test_a_run_that_goes_on_unpickles_no_checkpoint(kind, tmp_path):
    """Beside a recipe that is sound."""
    pytest.importorskip("torch")
    from lomber.training.recipe import load_recipe

    folder, marker = tmp_path / "run", tmp_path / "gone_off"
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "recipe.yaml").write_text(json.dumps(load_recipe("piquet").model_dump()))
    (folder / "checkpoints" / "000000000512.pt").write_bytes(kind(Bomb(marker), "x"))
    done = CliRunner().invoke(cli.app, ["train", "piquet", "--resume", "--out", str(folder)])
    assert not marker.exists() and "checkpoint" in str(done.exception)


def test_the_bombs_go_off(tmp_path):
    """Where they are unpickled: else the test above would say nothing."""
    torch, yaml = pytest.importorskip("torch"), pytest.importorskip("yaml")
    save_util = pytest.importorskip("stable_baselines3.common.save_util")

    def open_sb3(data):
        (tmp_path / "c.zip").write_bytes(data)
        with suppress(pickle.UnpicklingError):  # of the tensors, which SB3 loads as such
            save_util.load_from_zip_file(tmp_path / "c.zip")

    opened = {
        plain: pickle.loads,
        yaml_object: yaml.unsafe_load,
        from_torch: lambda data: torch.load(io.BytesIO(data), weights_only=False),
        from_sb3: open_sb3,
    }
    for kind in KINDS:
        marker = tmp_path / kind.__name__
        opened[kind](kind(Bomb(marker), "x"))
        assert marker.exists(), kind.__name__
