"""Whatever an agent does, the command ends with one sentence that names it, and never with a wrong result."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fifthstreet import InputError, match, session, tournament
from fifthstreet.arena import limits, worker_processes
from fifthstreet.arena.contest import contest
from fifthstreet.arena.exploit import exploitability
from fifthstreet.arena.laboratory import laboratory
from fifthstreet.naming import from_file

FILE = Path(__file__).parent / "misbehaving.py"
WAYS = ("generator", "exit", "error", "stop", "deep", "answer")


def wild(where: str, way: str) -> str:
    return f"{FILE}:Wild:where={where},way={way}"


COMMANDS: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "match": (
        lambda agent: match("kuhn", [agent, "random"], 4),
        ("decide", "decision", "action", "learn", "mind", "policy", "lesson", "learns", "warm_up", "copy"),
    ),
    "session": (lambda agent: session("holdem:seats=2", [agent, "random"], 4), ("decide", "memory")),
    "tournament": (lambda agent: tournament("kuhn", [agent, "random"], 4), ("decide", "learn")),
    "exploit": (lambda agent: exploitability("kuhn", agent, samples=10), ("decide", "action", "mind", "probabilities")),
}


NOT_LOOKED_AT = {("match", "learn"), ("match", "learns"), ("tournament", "learn"), ("exploit", "mind")}
"""Answers that may be anything."""


@pytest.mark.parametrize("command", COMMANDS)
def test_whatever_an_agent_does_is_reported_in_one_sentence(command: str) -> None:
    play, places = COMMANDS[command]
    for where in places:
        for way in WAYS:
            if way == "answer" and (command, where) in NOT_LOOKED_AT:
                continue
            with pytest.raises(InputError) as error:
                play(wild(where, way))
            text = str(error.value)
            assert "Wild" in text and "\n" not in text and len(text) <= 300, (where, way)


def test_a_contest_goes_on_without_whoever_misbehaves() -> None:
    for way in WAYS:
        result = contest(["american"], [wild("decide", way), "random"], 2)
        assert len(result.entries["american", wild("decide", way)].faults) == 2, way
        with pytest.raises(InputError, match="Wild failed"):
            contest(["american"], [wild("policy", way if way != "answer" else "exit"), "random"], 2)


def test_a_file_or_a_class_that_raises_anything_is_refused(tmp_path: Path) -> None:
    for raised in ("GeneratorExit", "SystemExit(0)", "type('E', (Exception,), {'__str__': lambda self: 1 / 0})()"):
        file = tmp_path / f"mine{len(raised)}.py"
        file.write_text(f"raise {raised}\n")
        with pytest.raises(InputError, match="cannot be loaded"):
            match("kuhn", [f"{file}:Mine", "random"], 4)
        file.write_text(
            "from dataclasses import dataclass\nfrom fifthstreet import Agent\n@dataclass\nclass Mine(Agent):\n"
            f"    def __post_init__(self):\n        raise {raised}\n"
        )
        os.utime(file, (1, 1))
        with pytest.raises(InputError, match="cannot be made"):
            match("kuhn", [f"{file}:Mine", "random"], 4)


def command(*words: str, timeout: float = 120) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "fifthstreet", *words, "--store", "none", "--quiet", "--json"],
        capture_output=True,
        text=True,
        timeout=timeout,
    )


def test_the_command_line_ends_with_code_2_and_no_traceback() -> None:
    found = command("match", "kuhn", wild("decide", "generator"), "random", "--deals", "4")
    assert found.returncode == 2 and not found.stdout
    assert json.loads(found.stderr)["error"]["message"].startswith(
        "Wild failed to decide: GeneratorExit (misbehaving.py"
    )


# Kernels.

PLACES = {
    "beyond_the_table": ("IndexError: index 100000", "return 1 if TABLE[1_000_000"),
    "beyond_in_a_helper": ("IndexError: index ", "return int(row[i])"),
    "beyond_the_mind": ("IndexError: index ", "mind[view.card + 2] = 2.0"),
    "rarely_beyond": ("IndexError: index 6 is out of bounds", "return 1 if TABLE[int(mind[0])"),
    "raising": ("ValueError: no idea", 'raise ValueError("no idea")'),
}


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("which", PLACES)
def test_a_kernel_that_leaves_its_arrays_is_caught_and_its_line_named(which: str, compiled: bool) -> None:
    """Also within kernels that it calls, and late in a match in which it learns."""
    said, code = PLACES[which]
    line = next(i for i, text in enumerate(FILE.read_text().splitlines(), 1) if code in text)
    with pytest.raises(InputError) as error:
        match("kuhn", [f"{FILE}:Careless:which={which}", "random"], 4000, 1, compiled=compiled)
    assert said in str(error.value) and str(error.value).endswith(f"(misbehaving.py, line {line})")


def test_unchecked_kernels_have_no_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    kind, _ = from_file(f"{FILE}:Careless", object, "agent")
    kernel = sys.modules[kind.__module__].looked_up
    assert kernel._compiled().targetoptions.get("boundscheck")
    monkeypatch.setenv("FIFTHSTREET_UNCHECKED", "1")
    assert not kernel._compiled().targetoptions.get("boundscheck")


# Limits and worker processes.


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_LEAST_WAITING", 0.3)
    monkeypatch.setattr(limits, "WAITING", 1.0)
    monkeypatch.setattr(limits, "_GRACE", 0.3)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("way", ["computes", "defies", "sleeps"])
def test_a_decision_that_takes_too_long_ends_the_match(way: str) -> None:
    slow = f"{FILE}:Slow:way={way}"
    if way == "defies":
        found = command("match", "kuhn", slow, "random", "--deals", "4", "--time-limit", "0.05")
        assert found.returncode == 2
        text = json.loads(found.stderr)["error"]["message"]
    else:
        with pytest.raises(InputError) as error:
            match("kuhn", [slow, "random"], 4, time_limit=0.05)
        text = str(error.value)
    assert "Slow took longer than 0.05 s to decide in seat" in text and "KuhnView" in text


def test_who_is_fast_enough_plays_as_without_a_limit() -> None:
    agents = [f"{FILE}:Slow:way=none", "random"]
    limited = match("kuhn", agents, 40, 1, time_limit=5)
    assert np.array_equal(limited.by_deal, match("kuhn", agents, 40, 1).by_deal)
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="a time limit of"):
            match("kuhn", agents, 4, time_limit=wrong)


@pytest.mark.parametrize("way", ["SIGKILL", "SIGSTOP"])
def test_what_a_dead_or_hung_worker_was_playing_is_played_again(
    tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_processes, "PATIENCE", 5.0)
    note = tmp_path / "deaths"
    note.write_text("")
    agents = [f"{FILE}:Dying:file={note},way={way},times={2 if way == 'SIGKILL' else 1}", "random"]
    with laboratory("none", "processes", 2):
        found = match("kuhn", agents, 60, 3)
    assert len(note.read_text()) >= 1
    alone = match("kuhn", agents, 60, 3)
    assert np.array_equal(found.by_deal, alone.by_deal)


def test_work_that_kills_every_worker_is_refused(tmp_path: Path) -> None:
    note = tmp_path / "deaths"
    note.write_text("")
    agent = f"{FILE}:Dying:file={note},way=ends,times=1000"
    with laboratory("none", "processes", 1), pytest.raises(InputError, match=r"died 3 times at the same .*exit code 0"):
        match("kuhn", [agent, "random"], 60, 3)


def test_a_worker_that_takes_too_long_is_ended_with_its_sentence() -> None:
    slow = f"{FILE}:Slow:way=defies"
    with laboratory("none", "processes", 1), pytest.raises(InputError, match=r"Slow took longer than 0\.05 s"):
        match("kuhn", [slow, "random"], 4, time_limit=0.05)
