"""The recipes that come with lomber: every key is there with its meaning, variants hold what differs, mistakes are told."""

import re

import pytest
import yaml
from typer.testing import CliRunner

from lomber.envs import LomberError, make_game
from lomber.training import cli
from lomber.training.recipe import CONFIGS, Recipe, load_recipe

FILES = sorted(CONFIGS.glob("*.yaml"))


def test_every_game_has_a_recipe():
    assert {"bouillotte", "ombre", "piquet"} <= {file.stem for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_key_stands_there_with_its_meaning(file):
    values = yaml.safe_load(file.read_text())
    assert set(values) - {"variants"} == set(Recipe.model_fields)
    for key in Recipe.model_fields:
        (line,) = re.findall(rf"^{key}:.*$", file.read_text(), re.M)
        assert "# " in line or key == "options", f"{key} has no comment"
    recipe = load_recipe(file.stem)
    options = make_game(recipe.game, recipe.preset, **recipe.options).options
    assert recipe.game == file.stem and options.episode in ("deal", "coup")
    for name in values.get("variants", {}):
        variant = load_recipe(file.stem, [], name)
        changed = {key for key in Recipe.model_fields if getattr(variant, key) != getattr(recipe, key)}
        assert changed == set(values["variants"][name]), f"{name}: a key that does not differ, or one that does"


def test_a_variant_takes_overrides_too():
    full = load_recipe("ombre", ["seed=7"], "full")
    assert (full.seed, full.imitate.agent) == (7, "ombre/heuristic") and full.decisions > 5 * load_recipe("ombre").decisions


def test_a_file_may_have_any_name_and_its_variants_do_not_count(tmp_path):
    (tmp_path / "mine").write_text("game: ombre\ndecisions: 9\nvariants: {full: {decisions: 99}}\n")
    assert load_recipe("ombre", [], tmp_path / "mine").decisions == 9


@pytest.mark.parametrize(
    ("game", "source", "told"),
    [
        ("ombre", "ful", "no recipe file ful; the recipe of ombre has the variants full"),
        ("piquet", "full", "no recipe file full$"),
        ("whist", None, "recipe .*whist"),
    ],
)
def test_a_recipe_that_there_is_not_is_told(game, source, told):
    with pytest.raises(LomberError, match=told):
        load_recipe(game, [], source)


def test_a_variant_goes_on_in_its_folder(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    for words, told in (
        (["--recipe", "full"], "runs/ombre-full holds no run"),
        ([], "runs/ombre holds no run"),
        (["--recipe", str(CONFIGS / "ombre.yaml")], "goes with neither a file"),
    ):
        monkeypatch.setattr("sys.argv", ["lomber", "train", "ombre", "--resume", *words])
        with pytest.raises(SystemExit):
            cli.main()
        assert told in capsys.readouterr().err


@pytest.mark.parametrize(("words", "folder"), [([], "runs/ombre"), (["--recipe", "full"], "runs/ombre-full")])
def test_a_variant_has_a_folder_of_its_own(words, folder, monkeypatch, tmp_path):
    training = pytest.importorskip("lomber.training.train", exc_type=ImportError)
    asked = []

    def train(recipe, path, **_):
        asked.append((recipe, str(path)))
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "train", train)
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli.app, ["train", "ombre", *words]).exit_code == 130
    assert asked == [(load_recipe("ombre", [], *words[1:]), folder)]
