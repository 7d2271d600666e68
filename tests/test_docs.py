"""Everything the documents tell people to type works, and prints what they show."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

from fifthstreet import cli
from fifthstreet.agents import agent_named
from fifthstreet.arena.match import match
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.store import Store
from fifthstreet.arena.units import Players
from fifthstreet.games import game_named
from fifthstreet.games.holdem import HoldemView

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = (*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")))


def shell_blocks(page: Path) -> Iterator[str]:
    """Yield the code blocks without a language, which hold shell commands."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE):
        if not language:
            yield block.replace("\\\n", " ")


def with_output() -> Iterator[tuple[str, str]]:
    """Yield every command that is shown after a `$`, with the output shown below it."""
    for page in PAGES:
        for block in shell_blocks(page):
            yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


def without_output() -> Iterator[str]:
    """Yield every other command line of this project."""
    for page in PAGES:
        for block in shell_blocks(page):
            yield from re.findall(r"^fifthstreet .*$", block, re.MULTILINE)


@pytest.mark.parametrize(("command", "output"), list(with_output()))
def test_a_command_prints_what_is_shown(command: str, output: str) -> None:
    name, *arguments = shlex.split(command)
    assert name == "fifthstreet"
    done = subprocess.run(
        [sys.executable, "-m", name, *arguments], capture_output=True, env=os.environ | {"PYTHONIOENCODING": "utf-8"}
    )
    assert done.returncode == 0, done.stderr.decode()
    assert [line.rstrip() for line in done.stdout.decode().splitlines()] == output.splitlines()


def test_some_output_is_shown() -> None:
    assert len(list(with_output())) >= 3 and len(list(without_output())) >= 20


@pytest.mark.parametrize("line", sorted(set(without_output())))
def test_a_command_without_output_exists_with_its_options(line: str) -> None:
    _, *words = shlex.split(line, comments=True)
    command: click.Command = cli.cli
    while isinstance(command, click.Group) and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    assert command is not cli.cli, f"{line} is not a command"
    known = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize("page", PAGES)
def test_lines_are_short_except_in_tables(page: Path) -> None:
    lines = enumerate(page.read_text().splitlines(), 1)
    assert [number for number, line in lines if len(line) > 120 and not line.lstrip().startswith("|")] == []


def agents_of_the_guide() -> list[str]:
    """The Python code of the guide: agents for Kuhn poker and hold'em, one that learns, and a game step by step."""
    return re.findall(r"```python\n(.*?)```", (DOCS / "writing-an-agent.md").read_text(), re.DOTALL)


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    """A folder with the files that the guide tells people to save."""
    for name, code in zip(("mine", "pairs", "noticing"), agents_of_the_guide(), strict=False):
        (tmp_path / f"{name}.py").write_text(code)
    return tmp_path


def test_the_first_agent_of_the_guide_plays(guide: Path) -> None:
    result = match("kuhn", [f"{guide}/mine.py:Careful:bluff=0.1", "equilibrium"], 300, 1)
    assert not result.compiled
    assert result.standings[0].payoff.value != 0


@pytest.mark.parametrize("agent", ["pairs.py:Pairs:bluff=0.2", "noticing.py:Noticing"])
def test_compiled_agents_of_the_guide_play_the_same_through_the_protocol(guide: Path, agent: str) -> None:
    table = [f"{guide}/{agent}", "call-station", "random"]
    fast, slow = (match("holdem:seats=3", table, 100, 1, compiled=compiled) for compiled in (True, False))
    assert np.array_equal(fast.by_deal, slow.by_deal)
    assert len(np.unique(fast.by_deal[:, 0])) > 10


def test_the_learner_of_the_guide_remembers_who_folds(guide: Path) -> None:
    agents = [agent_named(name, "holdem") for name in (f"{guide}/noticing.py:Noticing", "call-station", "honest")]
    game, totals = game_named("holdem:seats=3"), np.zeros((200, 3))
    table = Players(game, agents, compiled=True)
    table.play([(game, np.arange(3))], Seeds.of(1, 3), 0, totals)
    me, caller, honest = table.agents[0].memory(table.minds[0])
    assert [row["player"] for row in (me, caller, honest)] == [0, 1, 2]
    assert me["folds"] == caller["folds"] == 0 < honest["folds"] < 1


def test_the_game_of_the_guide_is_played_step_by_step() -> None:
    first, *_, steps = agents_of_the_guide()
    found: dict[str, Any] = {"__name__": "guide"}
    exec(first, found)
    exec(steps, found)
    assert len(found["states"]) == len(found["record"].steps) + 1


def test_mypy_finds_a_field_that_is_not_there(guide: Path) -> None:
    wrong = guide / "wrong.py"
    wrong.write_text((guide / "pairs.py").read_text().replace("a pot of {turn.view.pot}", "a pot of {turn.view.pott}"))
    files = [str(guide / name) for name in ("mine.py", "pairs.py", "noticing.py", "wrong.py")]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent", *files],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert len(errors) == 1, done.stdout + done.stderr
    assert '"HoldemView" has no attribute "pott"' in errors[0]


def test_the_guide_lists_every_field_of_a_holdem_view() -> None:
    rows = re.findall(r"^\| (`.*?) \|", (DOCS / "writing-an-agent.md").read_text(), re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(HoldemView.fields)


def test_the_experiment_of_the_guide_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "experiments.md").read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    exec(code.replace("100_000", "1_000"), {})
    with Store(tmp_path / "runs.sqlite", read_only=True) as kept:
        assert sum(end - first for number in (1, 2, 3) for first, end in kept.stretches(number)) == 3_000


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
