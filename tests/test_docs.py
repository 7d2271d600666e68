"""Everything the documents tell people to type works, and prints what they show."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

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


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in ("ARCHITECTURE.md", "CONTRIBUTING.md")])
def test_lines_are_short_except_in_tables(page: Path) -> None:
    lines = enumerate(page.read_text().splitlines(), 1)
    assert [number for number, line in lines if len(line) > 120 and not line.startswith("|")] == []


def test_the_agent_of_the_guide_plays_and_its_kernel_plays_the_same(tmp_path: Path) -> None:
    slow, kernel, methods, lesson, memory = re.findall(
        r"```python\n(.*?)```", (DOCS / "writing-an-agent.md").read_text(), re.DOTALL
    )
    (tmp_path / "slow.py").write_text(slow)
    (tmp_path / "fast.py").write_text(kernel + slow + methods)
    with_memory = methods.replace("np.array([self.bluff])", "np.array([self.bluff, 0.0])") + memory
    (tmp_path / "learner.py").write_text(kernel + lesson + slow + with_memory)
    players = [agent_named(f"{tmp_path}/{name}.py:Careful:bluff=0.1", "kuhn") for name in ("slow", "fast", "learner")]
    results = [match("kuhn", [player, "equilibrium"], 300, 1) for player in players]
    assert [result.compiled for result in results] == [False, True, True]
    assert all(np.array_equal(results[0].by_deal, other.by_deal) for other in results[1:])
    for compiled in (True, False):
        table = Players(game_named("kuhn"), [players[2], agent_named("equilibrium", "kuhn")], compiled)
        totals = np.zeros((300, 2))
        table.play([(game_named("kuhn"), np.arange(2))], Seeds.of(1, 2), 0, totals)
        assert table.agents[0].memory(table.minds[0]) == [{"games won": int((totals[:, 0] > 0).sum())}]


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
