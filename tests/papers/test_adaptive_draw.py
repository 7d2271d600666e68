"""The paper on the adaptive draw player at quick scale, and what holds whoever wins."""

import numpy as np
import pytest

from fifthstreet.agents.draw.reading import PLAYED, WON
from fifthstreet.estimate import Estimate
from fifthstreet.papers import adaptive_draw, adaptive_draw_beyond, adaptive_draw_seasons, paper_named
from fifthstreet.papers.adaptive_draw import TABLE_5, TABLE_6
from fifthstreet.papers.adaptive_draw_seasons import START, STYLES, Size, season
from fifthstreet.papers.paper import Claim, FigureResult, Run, TableResult, Verdict
from fifthstreet.papers.reproduce import reproduce

PAPER = paper_named("adaptive-draw")
QUICK = Run("quick", 1)  # what one item has measured, the others use


def _item(id: str) -> TableResult:
    (item,) = (item for item in PAPER.items if item.id == id)
    result = item.run(QUICK)
    table = result.data if isinstance(result, FigureResult) else result
    assert isinstance(table, TableResult)
    return table


@pytest.mark.parametrize(
    ("id", "rows"),
    [
        ("examples", 3),
        ("table-5", 13),
        ("table-6", 20),
        ("printed-sums", 4),
        ("figure-4", 9),
        ("figure-5", 9),
        ("figure-6", 5),
    ],
)
def test_tables_and_figures_have_their_rows(id: str, rows: int) -> None:
    table = _item(id)
    assert len(table.rows) == rows
    assert all(len(row) == len(table.columns) for row in table.rows)


def test_the_printed_numbers_agree_with_themselves() -> None:
    assert [round(100 * won / played, 1) for _, played, won in TABLE_5][:4] == [20.0, 24.0, 25.3, 28.0]
    totals = {table: sum(units for units, _, _ in rows) for table, rows in TABLE_6.items()}
    assert totals == {
        "loose-aggressive": 50_015,
        "tight-passive": 49_244,
        "loose-passive": 50_000,
        "tight-aggressive": 49_989,
    }
    assert _item("printed-sums").wrong == {1}  # the tight-passive table
    assert _item("examples").wrong == {1}  # 12.57


@pytest.mark.parametrize(
    "id",
    [
        "fair-players",
        "fewer-played",
        "less-than-half",
        "loses-loose-aggressive",
        "loses-tight-aggressive",
        "beats-loose-aggressive",
        "beats-loose-passive",
        "more-from-loose",
        "loose-play-more",
        "loose-worse-in-mixed",
    ],
)
def test_claims_that_any_seed_shows(id: str) -> None:
    (claim,) = (item for item in PAPER.items if item.id == id)
    assert isinstance(claim, Claim)
    assert claim.run(QUICK).verdict is Verdict.REPRODUCED


def test_a_season_adds_up_and_does_not_depend_on_the_number_of_runs() -> None:
    two, one = (season("adaptive", STYLES, runs, 5, hands=300) for runs in (2, 1))
    assert np.array_equal(two.units[0], one.units[0])
    assert (two.units.sum(axis=2) == 5 * START).all()
    assert two.counts[0, -1, 0, 0] == 300
    assert (two.counted(0, PLAYED, 0, 300) >= two.counted(0, WON, 0, 300)).all()
    assert (two.won(1, 100, 300) == two.units[:, -1, 1] - two.units[:, 3, 1]).all()
    assert (np.abs(np.diff(two.values, axis=1)) <= 0.1 * 50 + 1e-9).all()


def test_positions_are_counted_from_the_left_of_the_dealer() -> None:
    """In the first hand player 0 sits there, in the second player 1."""
    assert adaptive_draw._ahead([Estimate(1, 0.9, 1.1, 5), Estimate(0.1, -0.1, 0.3, 5)]).value == 1


def test_all_of_the_paper_and_what_goes_beyond_it_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything runs, as small as it can be: what it shows at full size is a matter of minutes."""
    tiny = Size(6, 500, 20, (2, 60), 2_000, 2, 1, (2, 200), 2)
    for room in (adaptive_draw, adaptive_draw_seasons, adaptive_draw_beyond):
        monkeypatch.setattr(room, "size_of", lambda run: tiny)
    found = reproduce([PAPER], seed=2)
    assert [outcome.item for outcome in found.outcomes] == list(PAPER.items)
    assert len(found.claims) == sum(isinstance(item, Claim) for item in PAPER.items)
    assert all(outcome.result.to_dict() for outcome in found.outcomes)
