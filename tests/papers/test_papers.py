"""The frame of the papers, and the results that are exact."""

import csv
import functools
import html
import json
import math
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from fifthstreet.agents.five_o import hands
from fifthstreet.errors import InputError
from fifthstreet.estimate import Estimate
from fifthstreet.papers import PAPERS, paper_named
from fifthstreet.papers.five_o import p_value
from fifthstreet.papers.five_o_chances import straight_truth
from fifthstreet.papers.paper import (
    Between,
    Claim,
    ClaimResult,
    FigureResult,
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


def test_table_1_of_five_o_is_right_but_for_the_pairs() -> None:
    found = reproduce([paper_named("five-o")], only="table-1")
    (table,) = (o.result for o in found.outcomes if isinstance(o.result, TableResult))
    assert [table.rows[i][0] for i in table.wrong] == ["pair"]


def test_what_is_exact_in_five_o_has_its_verdict(everything: Reproduction) -> None:
    found = {claim.id: result for outcome, claim, result in everything.claims if outcome.paper.name == "five-o"}
    assert found["table-1-pair"].verdict is Verdict.NOT_REPRODUCED
    assert found["table-1-pair"].measured.value == 1_098_240
    others = [result for id, result in found.items() if id.startswith("table-1") and id != "table-1-pair"]
    assert all(result.verdict is Verdict.REPRODUCED for result in others)
    assert found["equation-3-printed"].verdict is Verdict.REPRODUCED
    assert found["equation-2-exact"].verdict is Verdict.NOT_REPRODUCED
    assert found["equation-2-exact"].measured.value > 0.4  # a nine and fifteen draws


def test_the_true_chance_of_a_straight_is_that_of_all_draws() -> None:
    """Against every draw from a small deck: twelve cards of seven ranks."""
    left = np.zeros(hands.LEFT, np.int64)
    left[[4, 5, 7, 8, 9, 10, 11]] = 2, 1, 2, 2, 1, 3, 1
    left[hands.ALL_LEFT] = 12
    deck = [rank for rank in range(13) for _ in range(left[rank])]
    held = 1 << 6 | 1 << 7
    ways = [int(straight) & ~held for straight in hands.STRAIGHTS if not held & ~int(straight)]
    for draws in (3, 5, 8):
        made = [sum(1 << rank for rank in set(drawn)) for drawn in combinations(deck, draws)]
        exact = sum(any(way & ~ranks == 0 for way in ways) for ranks in made) / len(made)
        assert straight_truth(held, left, draws) == pytest.approx(exact)


def test_ten_games_fit_what_a_fair_coin_allows() -> None:
    assert p_value(5, 10, 0.5) == pytest.approx(1)
    assert p_value(10, 10, 0.5) == pytest.approx(2 / 1024)
    assert p_value(0, 10, 0.0) == pytest.approx(1)


def test_figure_3_2_lies_within_the_error_of_its_rollouts() -> None:
    found = reproduce([paper_named("holdem-simulator")], only="figure-3.2")
    ((_, _, figure),) = found.figures
    assert isinstance(figure, FigureResult)
    assert len(figure.data.rows) == 91
    assert not figure.data.wrong
    assert "67 of the 91 are not" in figure.note
    rollouts = reproduce([paper_named("holdem-simulator")], only="figure-3.2-rollouts").claims[0][2]
    assert isinstance(rollouts, ClaimResult)
    assert rollouts.verdict is Verdict.NOT_REPRODUCED
    assert 50_000 < rollouts.measured.low < 100_000 < rollouts.measured.high


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
    papers = [paper for paper in PAPERS if paper.name not in ("poker-squares", "adaptive-draw")]
    return reproduce(papers, seed=1, seconds=0)


def _measured(everything: Reproduction, claim: str) -> ClaimResult:
    return next(result for _, found, result in everything.claims if found.id == claim)


@pytest.mark.parametrize(
    "claim",
    [
        "random-loses-most",
        "conservative-beats-risky",
        "conservative-beats-risky-again",
        "phase-2-beats-phase-1",
    ],
)
def test_who_wins_in_the_simulator(everything: Reproduction, claim: str) -> None:
    """Claims that hold by a dozen standard errors and more, so that any seed shows them."""
    assert _measured(everything, claim).verdict is Verdict.REPRODUCED


def test_the_tables_of_the_simulator_are_like_the_printed_ones(everything: Reproduction) -> None:
    for id, players in (("table-3.1", 6), ("table-4.1", 6), ("table-4.2", 10)):
        (table,) = (o.result for o in everything.outcomes if o.item.id == id)
        assert isinstance(table, TableResult)
        assert len(table.rows) == players
        printed, measured = ([float(row[column].split(" ± ")[0]) for row in table.rows] for column in (1, 2))
        assert np.corrcoef(printed, measured)[0, 1] > 0.8
        assert sum(measured) == pytest.approx(0, abs=0.1)


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
