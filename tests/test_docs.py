"""What the documents tell people to type works."""

import re
from pathlib import Path

import numpy as np
import pytest

from fifthstreet.agents import agent_named
from fifthstreet.arena.match import match
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.store import Store
from fifthstreet.arena.units import Players
from fifthstreet.games import game_named

DOCS = Path(__file__).parents[1] / "docs"


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


def test_the_experiment_of_the_guide_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "experiments.md").read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    exec(code.replace("100_000", "1_000"), {})
    with Store(tmp_path / "runs.sqlite", read_only=True) as kept:
        assert sum(end - first for number in (1, 2, 3) for first, end in kept.stretches(number)) == 3_000


def test_links_lead_somewhere() -> None:
    root = DOCS.parent
    for page in (*root.glob("*.md"), *DOCS.glob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
