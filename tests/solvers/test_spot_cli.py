"""Spots and jam or fold on the command line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fifthstreet.cards import Card
from fifthstreet.cli import cli
from fifthstreet.errors import InputError

SPOT = ["--board", "As9c4d3h2c", "--range", "AA,QJs", "--against", "KK", "--pot", "100", "--stack", "100"]
SPOT += ["--sizes", "all-in", "--quiet"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solutions are kept apart; compiled code and tables, which are found already, are not."""
    from fifthstreet.solvers import spot_solver
    from fifthstreet.solvers.push_fold import class_equities

    spot_solver.usable_lanes()
    class_equities()
    monkeypatch.setenv("FIFTHSTREET_CACHE", str(tmp_path))


def run(*words: str) -> str:
    done = CliRunner().invoke(cli, list(words), catch_exceptions=True)
    if isinstance(done.exception, InputError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def test_a_spot_as_json() -> None:
    found = json.loads(run("solve", "holdem", *SPOT, "--until", "0.1", "--json"))
    assert found["ev"]["oop"] == pytest.approx(64.29, abs=0.1)
    assert found["equity"]["ip"] == pytest.approx(4 / 7)
    assert found["exploitability_pct_of_pot"] <= 0.1
    assert found["root"]["actions"] == ["check", "allin 100"]
    assert sum(found["root"]["frequency"]) == pytest.approx(1)
    assert {"iterations", "cpu_s", "memory_mb"} <= set(found)


def test_a_spot_from_a_file_kept_and_asked_again(tmp_path: Path) -> None:
    file = tmp_path / "spot.json"
    menu = {"bet": ["a"], "raise": []}
    given: dict[str, Any] = {"board": "As9c4d3h2c", "oop": "AA,QJs", "ip": "KK", "pot": 100, "stack": 100}
    file.write_text(json.dumps({**given, "sizes": {"river": {"oop": menu, "ip": menu}}, "raise_cap": None}))
    kept = tmp_path / "kept.npz"
    words = ["solve", "holdem", "--spot", str(file), "--until", "0.1", "--quiet"]
    first = run(*words, "--keep", str(kept))
    assert kept.is_file() and "EV oop 64." in first
    chart = first.splitlines()[2:15]
    assert [len(line.split()) >= 13 for line in chart] == [True] * 13
    assert chart[0].startswith(" AA A") and "·" in chart[1]
    after = run(*words, "--at", "all-in", "--hand", "KdKc")
    assert "call" in after and "KdKc: EV" in after
    one = json.loads(run(*words, "--at", "all-in", "--hand", "KcKd", "--json"))
    assert one["call"] == pytest.approx(0.5, abs=0.05)


def test_locks() -> None:
    found = json.loads(run("solve", "holdem", *SPOT, "--json", "--lock", "all-in=any fold 0.25 call 0.75"))
    assert found["ev"]["oop"] == pytest.approx(3 / 7 * 175, abs=0.5)
    agent = json.loads(run("solve", "holdem", *SPOT, "--json", "--lock", "ip=call-station"))
    assert agent["ev"]["oop"] == pytest.approx(3 / 7 * 200, abs=0.5)


def test_jam_or_fold() -> None:
    found = json.loads(run("push-fold", "--stack", "10", "--json"))
    assert (found["stack"], found["ante"]) == (10, 0)
    assert found["jam"] == pytest.approx(0.582838, abs=1e-6)
    assert found["call"] == pytest.approx(0.373764, abs=1e-6)
    assert found["value_bb"] == pytest.approx(-0.0453708, abs=1e-6)
    text = run("push-fold", "--stack", "10")
    assert "small blind jams 58.28%" in text and "−0.04537 bb" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "leduc", *SPOT], "'leduc' has no spots"),
        (["solve", "holdem", "--board", "As9c4d"], "a spot needs --range"),
        (["solve", "holdem", "--spot", "none.json"], "cannot be read"),
        (["solve", "holdem", *SPOT, "--hand", "As"], "has 1 cards"),
        (["solve", "holdem", *SPOT, "--hand", "7h7d"], "not in the range"),
        (["solve", "holdem", *SPOT, "--at", "bet 3"], "is no action"),
        (["solve", "holdem", *SPOT, "--until", "nan"], "percentage of the pot"),
        (["solve", "holdem", *SPOT, "--sizes", " "], "names no size"),
        (["solve", "holdem", *SPOT, "--lock", "ip"], "give a place and play"),
        (["solve", "holdem", *SPOT, "--lock", "all-in=any fold x"], "is no probability"),
        (["push-fold", "--stack", "nan"], "is not a stack"),
    ],
)
def test_wrong_input(words: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        run(*words)


def test_the_python_of_the_guide_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[2] / "docs" / "solving.md"
    found: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        exec(code, found)
    assert found["solution"].exploitability < 0.01
    assert found["river"].board[-1] == Card.parse("2c") and found["rows"]
    assert "exploitability" in capsys.readouterr().out
    assert found["folding"].ev["oop"] > found["spot"].ev["oop"]
