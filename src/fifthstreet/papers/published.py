"""Published results: the report of a full run that is part of the project, and the scorecard in its README."""

import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fifthstreet import cache
from fifthstreet.errors import InputError, quoted
from fifthstreet.papers import PAPERS
from fifthstreet.papers.paper import Verdict

PLACE = cache.PACKAGE.parent.parent / "docs" / "results"  # in a clone of the project
_BESIDE = "Also measured: " + " · ".join(
    f"[{title}]({name}.md)"
    for name, title in {
        "holdem": "hold'em",
        "five-card-draw": "five-card draw",
        "five-o": "Five-O",
        "poker-squares": "Poker Squares",
        "speed": "speed",
    }.items()
)
_BEGIN, _END = "<!-- scorecard -->", "<!-- end of scorecard -->"
_NEEDED = {"method": dict, "findings": dict, "keys": dict, "items": list}
_MOST_BYTES = 50_000_000


@dataclass(frozen=True)
class Published:
    """What data/results.json of a report says."""

    folder: Path
    data: Mapping[str, Any]

    def claims(self, paper: str) -> list[Mapping[str, Any]]:
        return [item for item in self.data["items"] if item["kind"] == "claim" and item["paper"] == paper]

    def verdict(self, paper: str, claim: str) -> str | None:
        """The published verdict on a claim, None if there is none."""
        return next((str(item["verdict"]) for item in self.claims(paper) if item["id"] == claim), None)

    def older(self) -> list[str]:
        """The papers that were measured with other code than the present."""
        return [paper.name for paper in PAPERS if self.data["keys"].get(paper.name) != paper.key()]

    def tally(self, paper: str, beyond: bool = False) -> list[int]:
        """How many claims have each verdict."""
        verdicts = [item["verdict"] for item in self.claims(paper) if item["beyond"] is beyond]
        return [verdicts.count(verdict.value) for verdict in Verdict]


def published(folder: Path = PLACE) -> Published:
    """Read a published report; an InputError says in one sentence what is wrong with it."""
    path = folder / "data" / "results.json"
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ValueError("it is too large")
        data = json.loads(path.read_text(encoding="utf-8"))
        for name, kind in _NEEDED.items():
            if not isinstance(data[name], kind):
                raise ValueError(f"{name!r} is not what it should be")
        for item in data["items"]:
            if item["kind"] == "claim":
                Verdict(item["verdict"]), item["paper"], item["id"], item["beyond"], item["words"], item["measured"]
    except OSError as error:
        raise InputError(f"there are no published results in {quoted(str(folder))}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"the published results in {quoted(str(folder))} cannot be read: {error!r:.80}") from None
    return Published(folder, data)


def update(folder: Path = PLACE, readme: Path | None = None) -> None:
    """Write README.md in the folder, and the scorecard into the README of the project."""
    found = published(folder)
    _write(folder / "README.md", page(found))
    if readme is not None:
        _write(readme, with_scorecard(readme.read_text(encoding="utf-8"), found))


def _write(path: Path, text: str) -> None:
    with cache.replacing(path) as file:
        file.write(text.encode())


def with_scorecard(text: str, found: Published) -> str:
    """A README with the scorecard between its two marks."""
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise InputError(f"the README has no place for the scorecard: {_BEGIN} and {_END} are not in it")
    return f"{before}{_BEGIN}\n{scorecard(found)}\n{_END}{after}"


def scorecard(found: Published) -> str:
    """The verdicts by paper, as Markdown."""
    titles = {paper.name: paper.title for paper in PAPERS}
    rows = [[titles[name], *found.tally(name)] for name in titles if found.claims(name)]
    sums = ["**all**", *(f"**{sum(column)}**" for column in zip(*(row[1:] for row in rows), strict=True))]
    lines = _table(["paper", *(verdict.value for verdict in Verdict)], [*rows, sums])
    beyond = [sum(column) for column in zip(*(found.tally(name, beyond=True) for name in titles), strict=True)]
    counts = ", ".join(f"{count} {verdict.value}" for verdict, count in zip(Verdict, beyond, strict=True))
    return "\n".join([*lines, "", f"Claims that go beyond the papers are counted apart: {counts}."])


def page(found: Published) -> str:
    """The findings and every claim, as Markdown."""
    method = found.data["method"]
    lines = ["# Results", ""]
    lines += [
        _wrapped(
            f"Reproduced with `{method['command']}` at commit {method['commit']} on {method['machine']}. "
            "[The report](index.html) has every table and figure; its numbers are in [data](data)."
        ),
        "",
    ]
    if found.older():
        older = f"**Older:** the code has changed since these were measured: {', '.join(found.older())}."
        lines += [_wrapped(older), ""]
    lines += [scorecard(found), "", _wrapped(_BESIDE), ""]
    for paper in PAPERS:
        if not found.claims(paper.name):
            continue
        lines += [f"## {paper.title}", ""]
        text = found.data["findings"].get(paper.name)
        lines += [_wrapped(text), ""] if text else []
        rows = [
            [item["words"], item["printed"], _number(item["measured"]), item["played"] or "exact", item["verdict"]]
            for item in found.claims(paper.name)
        ]
        lines += [*_table(["claim", "printed", "measured", "played", "verdict"], rows), ""]
    return "\n".join(lines)


def _wrapped(paragraph: str) -> str:
    return textwrap.fill(paragraph, 120, break_long_words=False, break_on_hyphens=False)


def _number(measured: Mapping[str, Any]) -> str:
    from fifthstreet.estimate import Estimate

    low, high = (float("nan") if end is None else end for end in measured["ci95"])
    return str(Estimate(measured["value"], low, high, measured["count"]))


def _table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    cells = [columns, ["---"] * len(columns), *rows]
    return ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in cells]
