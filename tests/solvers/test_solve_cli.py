"""Games that can be enumerated, on the command line."""

import functools
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fifthstreet.cli import cli
from fifthstreet.errors import InputError
from fifthstreet.solvers import push_fold

ONE_CARD = f"{Path(__file__).parents[1] / 'onecard.py'}:OneCard"


def run(*words: str) -> str:
    done = CliRunner().invoke(cli, [*words, "--quiet"])
    if isinstance(done.exception, InputError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def test_a_game_as_json() -> None:
    found = json.loads(run("solve", "leduc", "--json"))
    assert set(found) >= {"value", "exploitability", "iterations", "cpu_s"}
    assert found["value"] == pytest.approx(-0.0856064, abs=0.002)
    assert 0 <= found["exploitability"] <= 0.001


def test_a_game_by_its_path_is_solved_kept_and_exploited(tmp_path: Path) -> None:
    kept = tmp_path / "onecard.npz"
    text = run("solve", ONE_CARD, "--until", "0.01", "--keep", str(kept))
    assert f"kept in {kept}" in text and "exploitability" in text
    found = json.loads(run("exploit", ONE_CARD, str(kept), "random", "--json"))["agents"]
    assert [set(each) >= {"name", "exploitability", "ci95", "by_seat"} for each in found] == [True, True]
    assert [each["ci95"] for each in found] == [None, None]  # both state their probabilities
    assert 0 <= found[0]["exploitability"] <= 0.01 < 0.2 < found[1]["exploitability"]
    assert len(found[0]["by_seat"]) == 2
    table = run("exploit", ONE_CARD, str(kept), "random")
    assert "a perfect opponent wins" in table and "perfect answer" in table


@pytest.mark.parametrize("method", ["cfr", "cfr+", "linear", "predictive", "external", "outcome"])
def test_every_method_can_be_chosen(method: str) -> None:
    found = json.loads(run("solve", "kuhn", "--method", method, "--iterations", "2000", "--simultaneous", "--json"))
    assert found["iterations"] == 2000
    assert found["value"] == pytest.approx(-1 / 18, abs=0.1)


def test_jam_or_fold_for_three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push_fold, "three_handed", functools.partial(push_fold.three_handed, deals=5000, iterations=30))
    words = "push-fold", "--stack", "10", "--players", "3"
    found = json.loads(CliRunner().invoke(cli, [*words, "--json"]).output)
    assert (found["stack"], found["ante"], found["players"]) == (10, 0, 3)
    assert 0.2 < found["button_jams"] < 0.5 and len(found["value_bb"]) == 3
    text = CliRunner().invoke(cli, words).output
    assert text.count("AKs") == 6 and "button jams" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "leduc", "--keep", "leduc.txt"], r"ends in \.npz"),
        (["solve", "leduc", "--method", "crf"], "is not a method"),
        (["solve", "leduc", "--until", "nan"], "above 0"),
        (["solve", "poker-squares"], "has 1 seats"),
        (["solve", "holdem:seats=3"], "has 3 seats"),
        (["solve", "./none.py:Game"], "none.py"),
        (["exploit", "leduc", "nobody"], "is not an agent for leduc"),
    ],
)
def test_wrong_input(words: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        run(*words)
