"""The paper on Poker Squares at quick scale, and what holds whoever wins."""

import numpy as np
import pytest

from fifthstreet.estimate import Estimate
from fifthstreet.games.point_systems import points
from fifthstreet.papers import paper_named, poker_squares
from fifthstreet.papers.paper import FigureResult, Run, TableResult, Verdict
from fifthstreet.papers.poker_squares import Played, drawn, exceptions, together
from fifthstreet.papers.reproduce import Reproduction, reproduce


@pytest.fixture(scope="module")
def found() -> Reproduction:
    return reproduce([paper_named("poker-squares")], seed=1)


def _table(found: Reproduction, id: str) -> TableResult:
    (result,) = (outcome.result for outcome in found.outcomes if outcome.item.id == id)
    if isinstance(result, FigureResult):
        return result.data
    assert isinstance(result, TableResult)
    return result


def test_every_figure_and_table_has_rows(found: Reproduction) -> None:
    rows = {"figure-1": 15, "figure-2": 5, "figure-3": 15, "figure-4": 5, "time": 5}  # with totals
    rows |= {"champion": 11, "champion-time": 2, "lost": 2, "ceiling": 2}
    for id, count in rows.items():
        table = _table(found, id)
        assert len(table.rows) == count
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_every_claim_has_a_verdict(found: Reproduction) -> None:
    assert len(found.claims) == 13
    for _, claim, result in found.claims:
        assert result.verdict is claim.where.verdict(result.measured)
        assert result.measured.low <= result.measured.value <= result.measured.high


def test_points_go_from_0_to_1(found: Reproduction) -> None:
    for id, several in (("figure-1", ("Ameritish", "Random", "Hypercorner")), ("figure-2", ()), ("figure-4", ())):
        *columns, total = _table(found, id).rows
        for column in columns:
            scaled = [float(cell.split(" ± ")[0]) for cell in column[1:-2]]
            assert all(0 <= score <= 1 for score in scaled)
            assert max(scaled) == 1 or column[0] in several
        assert all(0 <= float(cell.split(" ± ")[0]) <= len(columns) for cell in total[1:-2])
    totals = [float(row[-1].split(" ± ")[0]) for row in _table(found, "figure-3").rows]
    assert totals == sorted(totals, reverse=True)


def test_expectimax_needs_less_time_than_it_has(found: Reproduction) -> None:
    (claim,) = (result for _, claim, result in found.claims if claim.id == "time-used")
    assert claim.verdict is Verdict.REPRODUCED


def test_the_same_seed_plays_the_same_games(found: Reproduction) -> None:
    again = reproduce([paper_named("poker-squares")], only="figure-4", seed=1)
    assert _table(again, "figure-4") == _table(found, "figure-4")


def test_random_systems_are_spread() -> None:
    """Near seeds give near systems, these do not."""
    high_cards = [points(drawn("random", number))[0] for number in range(20)]
    assert max(high_cards) - min(high_cards) > 100
    assert {points(drawn("hypercorner", number))[0] for number in range(20)} == {-1, 1}


def test_the_systems_of_the_paper() -> None:
    eight, every = (measure(Run("paper")) for measure in (poker_squares._eight, poker_squares._one_of_each))
    assert len(eight) == 8
    assert len(every) == 14
    assert eight.items() <= every.items()


def test_totals_and_leads_are_by_deal() -> None:
    scaled = {
        "one": {"a": np.array([1.0, 2.0, 0.0]), "b": np.array([0.0, 1.0, -1.0])},
        "two": {"a": np.array([0.0, 0.0]), "b": np.array([1.0, 1.0])},
    }
    played = Played(scaled, {"a": np.ones(5), "b": np.ones(5)}, {"one": ("american",), "two": ("english",)}, 3)
    assert played.lead("one", "a", "b") == Estimate.exact(1, 3)  # deals differ, the distance does not
    assert played.total("a") == played.total("b") == 1
    assert played.ahead("a", "b").value == 0
    assert played.cell("one", "b") == "0.00"


def test_exceptions_are_counted_with_their_doubts() -> None:
    above, below, open = Estimate(2, 1, 3, 9), Estimate(-2, -3, -1, 9), Estimate(1, -1, 3, 9)
    assert exceptions([[above, above], [above, above]]) == Estimate(0, 0, 0, 2)
    assert exceptions([[above, below], [above, open]]) == Estimate(1, 1, 2, 2)


def test_intervals_that_hold_together_are_wider() -> None:
    lead = Estimate(2, 1, 3, 9)
    assert together([lead])[0].half_width == pytest.approx(1)
    assert together([lead] * 20)[7].half_width == pytest.approx(3.02334 / 1.95996, abs=1e-4)
