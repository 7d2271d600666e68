"""Published results: read, checked against the present code, and shown."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fifthstreet.cli import cli
from fifthstreet.errors import InputError
from fifthstreet.papers import PAPERS, published

ROOT = Path(__file__).parents[2]


def claim(id: str, verdict: str, beyond: bool = False) -> dict[str, Any]:
    measured = {"value": 0.5, "ci95": [0.4, None], "count": 100}
    words = {"words": f"What {id} | says", "printed": "1", "measured": measured, "played": "100 deals of Table 1"}
    return {"kind": "claim", "paper": "five-o", "id": id, "verdict": verdict, "beyond": beyond, **words}


def content() -> dict[str, Any]:
    method = {"command": "fifthstreet reproduce", "commit": "abc", "hours": "1.5", "machine": "two cores"}
    items = [claim("one", "reproduced"), claim("two", "undecided"), claim("three", "not reproduced", beyond=True)]
    keys = {paper.name: paper.key() for paper in PAPERS}
    findings = {"five-o": "What was found."}
    return {"method": method, "findings": findings, "keys": keys, "items": [*items, {"kind": "table"}]}


def put(folder: Path, text: str) -> Path:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "results.json").write_text(text, encoding="utf-8")
    return folder


def test_published_verdicts_are_counted_and_found(tmp_path: Path) -> None:
    found = published.published(put(tmp_path, json.dumps(content())))
    assert found.tally("five-o") == [1, 0, 1]
    assert found.tally("five-o", beyond=True) == [0, 1, 0]
    assert found.verdict("five-o", "two") == "undecided"
    assert found.verdict("five-o", "four") is None
    assert found.older() == []


def test_results_of_other_code_are_marked_as_older(tmp_path: Path) -> None:
    old = content()
    old["keys"]["eva-holdem"] = "0123"
    found = published.published(put(tmp_path, json.dumps(old)))
    assert found.older() == ["eva-holdem"]
    assert "**Older:**" in published.page(found)
    assert "eva-holdem" in published.page(found).split("**Older:**")[1].splitlines()[0]


def test_the_page_and_the_scorecard_show_every_claim(tmp_path: Path) -> None:
    found = published.published(put(tmp_path, json.dumps(content())))
    page = published.page(found)
    assert "What one \\| says" in page and "What was found." in page and "not reproduced" in page
    text = published.with_scorecard("before\n<!-- scorecard -->\nold\n<!-- end of scorecard -->\nafter", found)
    assert text.startswith("before\n<!-- scorecard -->\n| paper |") and text.endswith("after")
    assert "old" not in text and "| **all** | **1** | **0** | **1** |" in text
    with pytest.raises(InputError, match="no place for the scorecard"):
        published.with_scorecard("nothing here", found)


DAMAGED = {
    "empty": "",
    "cut": json.dumps(content())[:300],
    "another shape": "[]",
    "another version": json.dumps({"method": {}, "items": []}),
    "a strange verdict": json.dumps(content() | {"items": [claim("one", "perhaps")]}),
    "a claim without words": json.dumps(content() | {"items": [{"kind": "claim", "verdict": "undecided"}]}),
    "deep": "[" * 200_000,
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_damaged_results_are_one_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        published.published(put(tmp_path, text))
    assert "cannot be read" in str(refused.value) and len(str(refused.value)) < 300


@pytest.mark.parametrize("damage", [None, "{"])
def test_papers_are_reproduced_without_published_results(
    damage: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if damage is not None:
        put(tmp_path, damage)
    read = published.published
    monkeypatch.setattr(published, "published", lambda: read(tmp_path))
    done = CliRunner().invoke(cli, ["reproduce", "five-o", "--only", "table-1"])
    assert done.exit_code == 0, done.output
    assert done.stderr.count("published results") == 1


def test_the_project_shows_what_was_published() -> None:
    """Results that are older than the code say so: `fifthstreet scorecard --update` writes both pages."""
    if not (published.PLACE / "data" / "results.json").exists():
        pytest.skip("no results have been published yet")
    found = published.published()
    assert (published.PLACE / "README.md").read_text(encoding="utf-8") == published.page(found)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == published.with_scorecard(readme, found)
