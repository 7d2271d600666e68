"""The command line as a person and as a program meet it."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fifthstreet import cli


class Output:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


class Command:
    """Runs the command line within this process, as `main` would."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *words: str) -> Output:
        self.monkeypatch.setattr(sys, "argv", ["fifthstreet", *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
        captured = self.capsys.readouterr()
        return Output(int(end.value.code or 0), captured.out, captured.err)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def test_evaluate(run: Command) -> None:
    assert "royal flush" in run("evaluate", "Ah Kh Qh Jh Th").out
    assert run("evaluate", "Ah", "Kh", "Qh", "Jh", "Th", "2c", "2d", "--json").json() == {
        "cards": ["Ah", "Kh", "Qh", "Jh", "Th", "2c", "2d"],
        "strength": 7462,
        "name": "royal flush",
    }


def test_play(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("bet\npass\n" * 2))
    said = run("play", "kuhn", "--against", "equilibrium", "--seed", "5").out
    assert "you: queen, opponent: ▒▒" in said
    assert "(seed 5)" in said
    monkeypatch.setattr(sys, "stdin", io.StringIO("bet\npass\n" * 2))
    lines = [json.loads(line) for line in run("play", "kuhn", "--against", "random", "--json").out.splitlines()]
    assert lines[0]["choices"]
    assert lines[-1]["payoff"] in (-2, -1, 1, 2)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    ended = run("play", "five-o", "--against", "reflex-2")
    assert (ended.code, ended.err.splitlines()[-1]) == (2, "fifthstreet: the input ended before the game was over")
    assert "'nobody'" in run("play", "kuhn", "--against", "nobody").err
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert run("play", "five-o", "--against", "reflex-2").code == 130


def test_equity(run: Command) -> None:
    assert "46.21 %" in run("equity", "AhKh", "QdQc").out
    found = run("equity", "AhKh", "QdQc", "--board", "2c3d4h", "--dead", "9s", "--json").json()
    assert found["method"] == "exact"
    assert [set(player) for player in found["players"]] == [{"hand", "wins", "ties", "share", "ci95"}] * 2
    sampled = run("equity", "AhKh", "random", "QQ+", "--samples", "5000", "--json").json()
    assert (sampled["method"], sampled["deals"]) == ("sampled", 5000)
    assert "±" in run("equity", "AhKh", "random", "QQ+", "--samples", "5000").out


def test_discards(run: Command) -> None:
    found = run("discards", "Ah Kh Qh Jh", "2c", "--most", "1", "--json").json()
    assert len(found) == 6
    assert (found[0]["discard"], found[0]["hands"]) == ("2c", 47)
    assert "nothing" in run("discards", "AhKhQhJh2c").out


def test_lists(run: Command) -> None:
    assert [entry["name"] for entry in run("games", "--json").json()] == [
        "holdem",
        "five-card-draw",
        "five-o",
        "poker-squares",
        "kuhn",
        "leduc",
    ]
    agents = {entry["name"]: entry for entry in run("agents", "kuhn", "--json").json()}
    assert agents["equilibrium"]["parameters"] == {"bluff": pytest.approx(1 / 3)}
    assert "Kuhn" in agents["equilibrium"]["source"]
    assert "equilibrium" not in run("agents", "leduc").out
    assert "kuhn" in run("games").out


def test_preflop(run: Command) -> None:
    table = run("preflop", "--json").json()
    assert len(table) == 169
    assert "85.20" in run("preflop").out


def test_match_and_tournament(run: Command) -> None:
    words = ("match", "kuhn", "equilibrium", "random", "--deals", "500", "--seed", "3")
    found = run(*words, "--json").json()
    assert found == run(*words, "--workers", "2", "--json").json()
    assert [agent["name"] for agent in found["agents"]] == ["equilibrium", "random"]
    assert "500 deals" in run(*words).out
    assert "yes" in run("match", "kuhn", "equilibrium", "random", "--deals", "50000", "--until", "0.1").out
    table = run("tournament", "kuhn", "equilibrium", "random", "--deals", "500", "--json").json()
    assert table["agents"][0]["name"] == "equilibrium"
    assert "rating" in run("tournament", "kuhn", "equilibrium", "random", "--deals", "500").out


def test_session(run: Command) -> None:
    words = (
        "session",
        "holdem",
        "opponent-model",
        "call-station",
        "random",
        "--hands",
        "60",
        "--runs",
        "2",
        "--seed",
        "3",
    )
    found = run(*words, "--json").json()
    assert (found["hands"], found["runs"], found["stacks"]) == (60, 2, "reset")
    assert sum(sum(agent["totals"]) for agent in found["agents"]) == 0
    assert "memories" not in found
    told = run(*words, "--memory", "--json").json()["memories"]
    assert told[0][0]["observations"] > 0
    assert told[1:] == [[], []]
    assert "What opponent-model remembers" in run(*words, "--memory").out
    assert "up to 60 hands" in run(*words, "--stacks", "carry").out


def test_contest(run: Command) -> None:
    words = ("contest", "--systems", "american, english", "--agents", "greedy random", "--games", "3", "--seed", "2")
    found = run(*words, "--json").json()
    assert (found["systems"], found["games"], found["seed"]) == (["american", "english"], 3, 2)
    assert {row["agent"] for row in found["standings"]} == {"greedy", "random"}
    assert [(entry["system"], entry["agent"]) for entry in found["entries"]] == [
        (system, agent) for system in ("american", "english") for agent in ("greedy", "random")
    ]
    apart = ("--systems", "american", "--systems", "english", "--agents", "greedy", "--agents", "random")
    again = run("contest", *apart, "--games", "3", "--seed", "2", "--workers", "2", "--json").json()
    scores = [[entry["scores"] for entry in result["entries"]] for result in (found, again)]
    assert scores[0] == scores[1]
    assert "tournament score" in run(*words).out


def test_replay(run: Command, tmp_path: Path) -> None:
    (tmp_path / "hand.phh").write_text(
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [9, 9]\n'
        'actions = ["d dh p1 AhKh", "d dh p2 2c2d", "p2 f"]\nfinishing_stacks = [10, 8]\n'
    )
    file = str(tmp_path / "hand.phh")
    assert "seat 1 folds" in run("replay", file).out
    assert run("replay", file, "--json").json()[0]["finishing_stacks"] == [10, 8]
    assert run("replay", file, "--verify", "--json").json() == {
        "hands": 1,
        "verified": 1,
        "no_result": 0,
        "unsupported": 0,
        "mismatched": [],
    }
    assert "1 verified" in run("replay", file, "--verify").out


def test_reproduce(run: Command, tmp_path: Path) -> None:
    assert "1,098,240" in run("reproduce", "five-o", "--only", "table-1").out
    found = run("reproduce", "five-o", "--only", "table-1-pair", "--json", "--out", str(tmp_path)).json()
    assert found["items"][0]["verdict"] == "not reproduced"
    assert (tmp_path / "index.html").is_file()


WRONG = [
    (("evaluate", "AhKhQhJh"), "4 cards"),
    (("evaluate", "AhKhQhJhXx"), "'X'"),
    (("evaluate", "AhKhQhJhAh"), "Ah is there twice"),
    (("evaluate", "AhKhQhJhTh9h8h7h"), "8 cards"),
    (("equity", "AhKh"), "1 hand given"),
    (("equity", *["random"] * 11), "11 hands given"),
    (("equity", "AhKh", "AhQc"), "Ah is there twice"),
    (("equity", "AhKh", "QdQc", "--board", "Qd2c3c"), "Qd is there twice"),
    (("equity", "AhKh", "QdQc", "--samples", "0"), "0"),
    (("equity", "AhKh", "nonsense"), "'nonsense'"),
    (("equity", "AhKh", "QdQc", "--samples", "5", "--exact"), "exclude"),
    (("preflop", "--players", "11"), "11"),
    (("match", "chess", "random", "random"), "'chess'"),
    (("match", "kuhn", "random", "nobody"), "'nobody'"),
    (("match", "kuhn", "random"), "2 seats"),
    (("match", "kuhn", "random", "random:x=1"), "'x=1'"),
    (("match", "kuhn", "random", "random", "--deals", "-1"), "-1"),
    (("match", "kuhn", "random", "random", "--until", "-1"), "-1"),
    (("match", "kuhn", "random", "./no.py:Mine"), "no.py"),
    (("agents", "chess"), "'chess'"),
    (("reproduce", "nobody"), "'nobody'"),
    (("session", "kuhn", "random", "random"), "kuhn has no sessions"),
    (("session", "holdem:stack=-5", "random", "random"), "-5"),
    (("session", "holdem", "random", "random", "--hands", "1000000000000"), "1,000,000,000,000 hands"),
    (("match", "holdem:cap=99999999999999999999999", "random", "random"), "99999999999999999999999"),
    (("match", "holdem:cap=-1", "random", "random"), "-1"),
    (("match", "holdem:straddle=1", "random", "random"), "a straddle of 1"),
    (("match", "holdem:small_blind=5", "random", "random"), "blinds 5 and 2"),
    (("match", "holdem:stack=2.5", "random", "random"), "'2.5'"),
    (("contest", "--systems", "french", "--agents", "greedy"), "'french' is not a point system"),
    (("contest", "--systems", "1 2", "--agents", "greedy"), "'1 2' has 2 numbers"),
    (("contest", "--systems", "english", "--agents", "nobody"), "'nobody'"),
    (("contest", "--systems", "english", "--agents", "greedy greedy"), "'greedy' is named twice"),
    (("contest", "--systems", "english", "--agents", " "), "needs a point system and an agent"),
    (("contest", "--systems", "english", "--agents", "greedy", "--time", "0"), "time 0.0"),
    (("contest", "--systems", "english", "--agents", "greedy", "--games", "0"), "0"),
    (("contest", "--systems", "english", "--agents", "greedy", "--beside", "none.csv"), "'none.csv' cannot be read"),
    (("contest", "--agents", "greedy"), "'--systems'"),
    (("replay", "/dev/zero"), "is not a file"),
    (("replay", "/"), "is not a file"),
    (("session", "holdem", "eva:risk=7", "random"), "7"),
    (("reproduce", "--only", "x"), "'x'"),
    (("reproduce", "five-o", "--out", "/dev/null/x"), "'/dev/null/x'"),
    (("discards", "AhKh"), "'AhKh' has 2 cards"),
    (("match", "five-card-draw:trade=9", "random", "random"), "9 cards to trade"),
    (("match", "five-card-draw", "adaptive:values=/no/such", "random"), "'/no/such' cannot be read"),
    (("match", "kuhn", "random", "random", "--workers", "60000"), "60000"),
    (("bench", "nothing"), "'nothing'"),
    (("replay", "no.phh"), "'no.phh'"),
    (("nothing",), "'nothing'"),
    (("evaluate",), "CARDS"),
]


@pytest.mark.parametrize(
    ("words", "quoted"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_wrong_input_is_one_sentence_and_exit_code_2(words: tuple[str, ...], quoted: str, run: Command) -> None:
    found = run(*words)
    assert found.code == 2
    assert found.out == ""
    assert quoted in found.err
    assert found.err.count("\n") == 1


def test_no_command_is_a_question_for_help(run: Command) -> None:
    found = run()
    assert (found.code, found.err) == (0, "")
    assert "Commands:" in found.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_said_in_one_sentence() -> None:
    for words in (["games"], ["games", "--json"], ["evaluate", "AhKhQhJhTh"]):
        with Path("/dev/full").open("w") as full:
            command = [sys.executable, "-m", "fifthstreet", *words]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert done.stderr.decode() == "fifthstreet: the output cannot be written: No space left on device\n"


def test_a_terminal_without_the_signs_is_served_all_the_same() -> None:
    words = ["equity", "AhKh", "QdQc", "--samples", "1000"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "fifthstreet", *words]
    assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


def test_it_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fifthstreet", "evaluate", "AhKh"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "fifthstreet: 'AhKh' has 2 cards: a hand has 5, 6 or 7\n"
