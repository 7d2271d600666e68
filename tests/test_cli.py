"""The command line as a person and as a program meet it."""

import errno
import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import click
import pytest

import fifthstreet
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
    monkeypatch.delenv("COLUMNS", raising=False)  # test runners set it
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


def test_a_player_may_say_check_and_bet_and_all_in(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def played(game: str, *words: str) -> list[int]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{word}\n" for word in words)))
        found = run("play", game, "--against", "call-station", "--seat", "2", "--seed", "4", "--json").out
        lines = [json.loads(line) for line in found.splitlines()]
        assert not any("error" in line for line in lines[1:]), found
        return [step["action"] for step in lines[-1]["record"]["steps"] if step["seat"] == 1]

    assert played("holdem:seats=2", "call", "check", "bet 4", "all-in") == [0, 0, 4, 194]
    assert played("holdem:seats=2", "raise 20", "bet 10", "check", "check") == [20, 10, 0, 0]
    monkeypatch.setattr(sys, "stdin", io.StringIO("check\nfold\n"))
    refused = run("play", "holdem:seats=2", "--against", "call-station", "--seat", "2", "--seed", "4").out
    assert "'check' names no action here: there are fold, call, 4–200" in refused
    monkeypatch.setattr(sys, "stdin", io.StringIO("all-in\nfold\n"))  # no stack is all in after one limit bet
    refused = run("play", "holdem:seats=2,limit=yes", "--against", "call-station", "--seat", "2", "--seed", "4").out
    assert "'all-in' names no action here" in refused


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
    assert "eva" not in run("agents", "leduc").out
    assert "kuhn" in run("games").out


def test_preflop(run: Command) -> None:
    table = run("preflop", "--json").json()
    assert len(table) == 169
    assert "85.20" in run("preflop").out


def test_preflop_strengths_are_kept_as_in_the_papers_figure(run: Command, tmp_path: Path) -> None:
    """Figure 3.2: a row for each lower card; pairs of twos top left, pairs of aces bottom right."""
    shares = {entry["hand"]: entry["share"] for entry in run("preflop", "--json").json()}
    for flag, kind in ((), "o"), (("--suited",), "s"):
        run("preflop", "--csv", str(tmp_path / "2.csv"), *flag)
        rows = [line.split(",") for line in (tmp_path / "2.csv").read_text().splitlines()]
        assert [len(row) for row in rows] == [13] * 13
        for low, high in combinations(range(13), 2):
            assert rows[low][high] == f"{shares['23456789TJQKA'[high] + '23456789TJQKA'[low] + kind]:.5f}"
            assert rows[high][low] == ""
        assert (rows[0][0], rows[12][12]) == (("0.50334", "0.85204") if kind == "o" else ("", ""))


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
    remembered = run(*words, "--memory").out
    assert "What opponent-model remembers" in remembered
    assert "call-station remembers nothing" in remembered
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
        "by_winnings": 0,
        "by_winners": 0,
        "mismatched": [],
        "incomplete": [],
        "unreadable": [],
    }
    assert "1 verified" in run("replay", file, "--verify").out
    (tmp_path / "wrong.phh").write_text((tmp_path / "hand.phh").read_text().replace("[10, 8]", "[9, 9]"))
    wrong = run("replay", file, str(tmp_path / "wrong.phh"), "--verify")
    assert (wrong.code, wrong.err) == (1, "")
    assert "1 verified" in wrong.out
    assert "1 mismatched" in wrong.out
    (tmp_path / "empty.phhs").write_text("")
    empty = run("replay", str(tmp_path / "empty.phhs"))
    assert (empty.code, empty.err) == (2, f"fifthstreet: '{tmp_path}/empty.phhs' has no hands in it\n")
    several = run("replay", str(tmp_path / "empty.phhs"), file, "--json")  # one bad file does not hide the others
    assert (several.code, several.err) == (2, empty.err)
    assert [hand["file"] for hand in json.loads(several.out)] == ["hand.phh"]
    (tmp_path / "a.log").write_text("STATE:0:f:2c3c|4c5c:-50|50:Ann|Bob\nSCORE:-50|50:Ann|Bob\n")
    assert [hand["hand"] for hand in run("replay", str(tmp_path / "a.log"), "--json").json()] == ["0"]


def test_a_full_disk_leaves_what_was_kept_before(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "memory.json"
    words = ("session", "five-card-draw:seats=2", "random", "random", "--hands", "4", "--keep", str(kept))
    assert run(*words).code == 0
    before = kept.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    again = run(*words, "--seed", "1")
    assert (again.code, again.err.count("\n")) == (2, 1)
    assert "memory.json' cannot be written: No space left" in again.err
    assert kept.read_bytes() == before and list(tmp_path.iterdir()) == [kept]


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
    (("equity", "AhKh", "QdQc", "--samples", "0"), "0 samples"),
    (("equity", "AhKh", "QdQc", "--samples", "1000000001"), "1000000001 samples: it must be a whole number"),
    (("equity", "AhKh", "nonsense"), "'nonsense'"),
    (("equity", "AhKh", "QdQc", "--samples", "5", "--exact"), "exclude"),
    (("preflop", "--players", "11"), "11"),
    (("preflop", "--suited"), "there is no --csv"),
    (("preflop", "--csv", "/no/such/folder/2.csv"), "/no/such/folder/2.csv"),
    (("match", "holdem:raising_passes=-1", "random", "random"), "-1"),
    (("match", "holdem:limit=true,minimum_raise=false", "random", "random"), "minimum_raise=False"),
    (("match", "chess", "random", "random"), "'chess'"),
    (("match", "kuhn", "random", "nobody"), "'nobody'"),
    (("match", "kuhn", "random"), "2 seats"),
    (("match", "kuhn", "random", "random:x=1"), "'x=1'"),
    (("match", "kuhn", "random", "random", "--deals", "-1"), "-1"),
    (("match", "kuhn", "random", "random", "--until", "-1"), "-1"),
    (("match", "kuhn", "random", "./no.py:Mine"), "no.py"),
    (("match", "./no.py:Mine", "random", "random"), "names no game: there is no file 'no.py'"),
    (("match", "khun", "random", "random"), "'khun' is not a game (did you mean 'kuhn'?)"),
    (("agents", "hold-em"), "(did you mean 'holdem'?)"),
    (("match", "kuhn", "random", "equilibirum"), "(did you mean 'equilibrium'?)"),
    (("match", "kuhn", "random", "equilibrium:bluf=0.1"), "(did you mean 'bluff'?)"),
    (("match", "holdem:ante_by=buton", "random", "random"), "(did you mean 'button'?)"),
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


@pytest.mark.parametrize(("words", "quoted"), WRONG[::6])
def test_errors_are_json_where_results_are(words: tuple[str, ...], quoted: str, run: Command) -> None:
    found = run(*words, "--json")
    assert (found.code, found.out) == (2, "")
    error = json.loads(found.err)["error"]
    assert quoted in error["message"]
    assert error["kind"]
    assert "traceback" not in error


FAILING = """
from dataclasses import dataclass
from fifthstreet import Agent

@dataclass
class Failing(Agent):
    def decide(self, turn):
        return self.helper()

    def helper(self):
        return {}["nothing there"]
"""


def test_a_traceback_shows_everything(run: Command, tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(FAILING)
    words = ("match", "kuhn", f"{tmp_path}/failing.py:Failing", "random", "--deals", "10")
    plain = run(*words)
    assert (plain.code, plain.err.count("\n")) == (2, 1)
    for given in ((*words, "--traceback"), ("--traceback", *words)):
        told = run(*given)
        assert told.code == 2
        assert "Traceback" in told.err
        assert 'return {}["nothing there"]' in told.err
        assert told.err.splitlines()[-1] == plain.err.strip()
    error = json.loads(run(*words, "--traceback", "--json").err)["error"]
    assert 'return {}["nothing there"]' in error["traceback"]
    hidden = run("session", "holdem:stack=x", "random", "random", "--traceback")  # raised `from None`
    assert "invalid literal for int()" in hidden.err


def every_command(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, group
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from every_command(command, *path, name)
        else:
            yield (*path, name), command


EVERY_COMMAND = list(every_command(cli.cli))


@pytest.mark.parametrize(
    ("path", "command"), EVERY_COMMAND, ids=[" ".join(("fifthstreet", *path)) for path, _ in EVERY_COMMAND]
)
def test_every_help_has_a_working_example(path: tuple[str, ...], command: click.Command, run: Command) -> None:
    text = run(*path, "--help").out
    examples = [line.strip() for line in text.partition("Example:")[2].splitlines() if line.strip()]
    assert examples
    for line in examples:
        program, *words = shlex.split(line.partition(" > ")[0])
        assert program == "fifthstreet"
        assert tuple(words[: len(path)]) == path
        if "--help" not in words and command is not cli.cli:
            command.make_context(path[-1], words[len(path) :])  # an error for what it does not take


MINE = """
from dataclasses import dataclass
from neighbour import NAME
from fifthstreet import Agent, Decision
from fifthstreet.games.kuhn import Kuhn

class Mine(Kuhn):
    name = NAME

class Nameless(Kuhn):
    name = None

class NotAGame:
    pass

@dataclass
class Bold(Agent):
    games = ("mine",)

    def decide(self, turn):
        return Decision(turn.choices[-1])
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "neighbour.py").write_text('NAME = "mine"\n')
    (tmp_path / "games.py").write_text(MINE)
    return f"{tmp_path}/games.py"


def test_a_game_by_path_is_taken_everywhere(mine: str, run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    game = f"{mine}:Mine"
    (listed,) = run("games", game, "--json").json()
    assert (listed["name"], listed["seats"], listed["agents"]) == ("mine", 2, ["random"])
    assert [agent["name"] for agent in run("agents", game, "--json").json()] == ["random"]
    words = ("match", game, "random", "random", "--deals", "300", "--seed", "3", "--store", "none", "--json")
    found = run(*words).json()
    assert found["game"] == game
    assert run(*words, "--engine", "processes", "--workers", "1").json() == found
    kuhn = run("match", "kuhn", *words[2:]).json()
    assert found["agents"] == kuhn["agents"]
    assert run("tournament", game, f"{mine}:Bold", "random", "--deals", "100", "--json").json()["deals"] == 100
    assert f"'{mine}:Bold' does not play kuhn" in run("match", "kuhn", f"{mine}:Bold", "random").err
    monkeypatch.setattr(sys, "stdin", io.StringIO("bet\npass\n" * 2))
    end = json.loads(run("play", game, "--against", "random", "--json").out.splitlines()[-1])
    assert end["record"]["game"] == game


def test_a_game_by_path_is_read_again_when_it_changes(mine: str, run: Command) -> None:
    path = Path(mine)
    assert run("games", f"{mine}:Mine", "--json").json()[0]["name"] == "mine"
    path.write_text(MINE.replace("name = NAME", 'name = "yours"'))
    os.utime(path, ns=(1, 1))
    assert run("games", f"{mine}:Mine", "--json").json()[0]["name"] == "yours"


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("Nobody", "has no RuledGame 'Nobody'"),
        ("Mime", "(did you mean 'Mine'?)"),
        ("NotAGame", "has no RuledGame 'NotAGame'"),
        ("Nameless", "Nameless has no name"),
        ("Mine:stack=5", "'stack=5' is not a parameter"),
    ],
)
def test_a_wrong_game_by_path_is_one_sentence(name: str, quoted: str, mine: str, run: Command) -> None:
    for words in (("match", f"{mine}:{name}", "random", "random"), ("agents", f"{mine}:{name}")):
        found = run(*words)
        assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
        assert quoted in found.err


def test_a_game_that_cannot_be_loaded_is_one_sentence(tmp_path: Path, run: Command) -> None:
    (tmp_path / "broken.py").write_text("import nothing_of_the_kind")
    found = run("match", f"{tmp_path}/broken.py:Mine", "random", "random")
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert "cannot be loaded: ModuleNotFoundError" in found.err


def test_runs_are_resumed_as_they_were_given(run: Command, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "runs.sqlite"))
    first = run("match", "--seed", "0", "kuhn", "equilibrium", "random", "--deals", "500", *store, "--json")
    (listed,) = run("runs", *store, "--json").json()
    assert (listed["state"], listed["given"]["deals"]) == ("finished", 500)
    assert "match --deals 500 kuhn equilibrium random" in run("runs", *store).out
    assert run("runs", *store, "show", "1", "--json").json()["id"] == 1  # the store before the command or after it
    for words in (("runs", *store, "resume", "1", "--json"), ("runs", "resume", "1", "--json", *store)):
        assert run(*words).json() == first.json()
    assert len(run("runs", *store, "--json").json()) == 1  # the same run, not a new one
    assert run("runs", "export", "1", *store).out.count("\n") == 1001


def test_a_store_that_cannot_be_written_says_how_to_do_without(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIFTHSTREET_STORE", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/dev/null")
    words = ("match", "kuhn", "random", "random", "--deals", "10")
    found = run(*words)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert "--store none" in found.err
    assert run(*words, "--store", "none").code == 0


def test_a_closed_output_is_said_in_one_sentence() -> None:
    for words in ("games", "evaluate AhKhQhJhTh --json", "--help"):
        command = ["sh", "-c", f"exec {sys.executable} -m fifthstreet {words} >&-"]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 2
        assert "the output cannot be written: it is closed" in done.stderr
        assert done.stderr.count("\n") == 1
    closed = subprocess.run(["sh", "-c", f"exec {sys.executable} -m fifthstreet nothing >&- 2>&-"], check=False)
    assert closed.returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_said_in_one_sentence() -> None:
    for words in (["games"], ["games", "--json"], ["evaluate", "AhKhQhJhTh"]):
        with Path("/dev/full").open("w") as full:
            command = [sys.executable, "-m", "fifthstreet", *words]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert "the output cannot be written: No space left on device" in done.stderr.decode()
        assert done.stderr.count(b"\n") == 1


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


def test_the_package_lists_its_names() -> None:
    listed = dir(fifthstreet)
    assert set(fifthstreet.__all__) <= set(listed)
    assert listed == sorted(listed)


def test_a_quiet_command_says_nothing_beside_its_result(tmp_path: Path) -> None:
    """Not even what it compiles, in a process with an empty cache."""
    command = [sys.executable, "-m", "fifthstreet", "match", "kuhn", "random", "random", "--deals", "10"]
    variables = {name: value for name, value in os.environ.items() if name != "FIFTHSTREET_QUIET"}
    variables |= {"FIFTHSTREET_CACHE": str(tmp_path)}
    command += ["--quiet", "--store", "none"]
    found = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300)
    assert (found.returncode, found.stderr) == (0, "")
    assert "chips per deal" in found.stdout
