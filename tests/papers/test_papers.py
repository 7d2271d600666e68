"""The frame of the papers, and the results that are exact."""

import csv
import functools
import html
import json
import math
import re
from pathlib import Path

import pytest

from fifthstreet.errors import InputError
from fifthstreet.estimate import Estimate
from fifthstreet.papers import PAPERS, paper_named
from fifthstreet.papers.paper import (
    Between,
    Claim,
    ClaimResult,
    Paper,
    Run,
    TableResult,
    Verdict,
    exactly,
)
from fifthstreet.papers.report import write_report
from fifthstreet.papers.reproduce import Reproduction, reproduce


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.1, 0.9, Verdict.REPRODUCED),
        (1.1, 2.0, Verdict.NOT_REPRODUCED),
        (-2.0, -0.1, Verdict.NOT_REPRODUCED),
        (0.5, 1.5, Verdict.UNDECIDED),
        (-5.0, 5.0, Verdict.UNDECIDED),
        (-math.inf, math.inf, Verdict.UNDECIDED),
    ],
)
def test_the_verdict_follows_from_the_interval(low: float, high: float, verdict: Verdict) -> None:
    assert Between(0, 1).verdict(Estimate(0.5, low, high, 100)) is verdict


def test_exact_claims_are_never_undecided() -> None:
    assert exactly(3).verdict(Estimate.exact(3)) is Verdict.REPRODUCED
    assert exactly(3).verdict(Estimate.exact(4)) is Verdict.NOT_REPRODUCED


def test_every_paper_is_listed_once_with_ids_of_its_own() -> None:
    assert len({found.name for found in PAPERS}) == len(PAPERS)
    for found in PAPERS:
        assert paper_named(found.name) is found
        assert len({item.id for item in found.items}) == len(found.items)
    with pytest.raises(InputError, match="'nobody' is not a paper"):
        paper_named("nobody")


def test_shared_measurements_are_made_once() -> None:
    calls = []

    def measure(run: Run) -> Estimate:
        calls.append(run.scale)
        return Estimate.exact(1)

    claims = tuple(Claim(name, "words", "1", exactly(1), lambda run: run.once(measure)) for name in "ab")
    reproduce([Paper("p", "P", "nobody", claims)], scale="paper")
    assert calls == ["paper"]


@pytest.fixture(scope="module")
def everything() -> Reproduction:
    """All papers at quick scale, but for those whose own tests run all of them again."""
    papers = [paper for paper in PAPERS if paper.name not in ("poker-squares", "adaptive-draw", "holdem-simulator")]
    return reproduce(papers, seed=1, minutes=0)


def _measured(everything: Reproduction, claim: str) -> ClaimResult:
    return next(result for _, found, result in everything.claims if found.id == claim)


def test_the_report_is_a_site_that_stands_alone(everything: Reproduction, tmp_path: Path) -> None:
    found = everything
    front = write_report(found, tmp_path / "deep" / "report")
    pages = {path.name: path.read_text(encoding="utf-8") for path in front.parent.glob("*.html")}
    assert set(pages) == {"index.html", "methods.html", *(f"{paper.name}.html" for paper in found.papers)}
    known = ("http://www.w3.org", "http://purl.org", "http://creativecommons.org", "https://matplotlib.org")  # of SVG
    for name, text in pages.items():
        own = functools.reduce(lambda rest, namespace: rest.replace(namespace, ""), known, text)
        assert not [outside for outside in ("http://", "https://", "src=", "<script", "<link") if outside in own], name
        for target in re.findall(r'<a href="([^"#]*)', text):
            assert (front.parent / target).is_file(), target
    figures = sum(text.count('role="img" aria-label="') for text in pages.values())
    assert figures == sum(text.count("<svg") for text in pages.values()) == len(found.figures)
    for outcome, claim, result in found.claims:
        row = pages["index.html"].split(f'<tr id="{outcome.paper.name}-{claim.id}">')[1].split("</tr>")[0]
        for part in (claim.words, claim.printed, *str(result.measured).split(" ", 1), result.verdict.value):
            assert html.escape(part) in row
    for paper in found.papers:
        for reading in paper.readings:
            assert html.escape(reading) in pages[f"{paper.name}.html"]
            assert html.escape(reading) in pages["methods.html"]


def test_every_number_of_the_report_is_there_for_programs(everything: Reproduction, tmp_path: Path) -> None:
    data = write_report(everything, tmp_path).parent / "data"
    stored = json.loads((data / "results.json").read_text(encoding="utf-8"))
    assert len(stored["items"]) == len(everything.outcomes)
    counted = sum(stored["verdicts"].values()) + sum(stored["verdicts_beyond"].values())
    assert counted == len(everything.claims)
    with (data / "claims.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["claim"] for row in rows] == [claim.id for _, claim, _ in everything.claims]
    assert [float(row["measured"]) for row in rows] == [result.measured.value for *_, result in everything.claims]
    for outcome in everything.outcomes:
        if isinstance(outcome.result, TableResult):
            with (data / f"{outcome.paper.name}-{outcome.item.id}.csv").open(newline="", encoding="utf-8") as file:
                assert tuple(map(tuple, csv.reader(file))) == (outcome.result.columns, *outcome.result.rows)


def test_wrong_places_and_names(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'table-99'"):
        reproduce(PAPERS, only="table-99")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_report(reproduce([paper_named("five-o")], only="table-1"), tmp_path / "file" / "report")
