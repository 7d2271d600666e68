"""What the documents tell people to type works."""

import re
from pathlib import Path

import numpy as np

from fifthstreet.agents import agent_named
from fifthstreet.arena.match import match

DOCS = Path(__file__).parents[1] / "docs"


def test_the_agent_of_the_guide_plays_and_its_kernel_plays_the_same(tmp_path: Path) -> None:
    slow, kernel, methods = re.findall(r"```python\n(.*?)```", (DOCS / "writing-an-agent.md").read_text(), re.DOTALL)
    (tmp_path / "slow.py").write_text(slow)
    (tmp_path / "fast.py").write_text(kernel + slow + methods)
    players = [agent_named(f"{tmp_path}/{name}.py:Careful:bluff=0.1", "kuhn") for name in ("slow", "fast")]
    results = [match("kuhn", [player, "equilibrium"], 300, 1) for player in players]
    assert [result.compiled for result in results] == [False, True]
    assert np.array_equal(results[0].by_deal, results[1].by_deal)


def test_links_lead_somewhere() -> None:
    root = DOCS.parent
    for page in (*root.glob("*.md"), *DOCS.glob("*.md")):
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
