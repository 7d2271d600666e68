"""The paper on the adaptive draw player at quick scale, and what holds whoever wins."""

from itertools import pairwise

import numpy as np
import pytest

from fifthstreet.agents import agent_named
from fifthstreet.agents.draw.seasons import (
    ANY_WIN,
    COUNTED,
    FIRST,
    MEANT,
    PAID,
    RAISED,
    SHOWN_WIN,
    STRONG,
    STRONG_RAISED,
    WON,
)
from fifthstreet.arena.session import session
from fifthstreet.estimate import Estimate
from fifthstreet.papers import adaptive_draw, paper_named
from fifthstreet.papers.adaptive_draw import beyond, search
from fifthstreet.papers.adaptive_draw.printed import TABLE_5, TABLE_6, blocks
from fifthstreet.papers.adaptive_draw.search import PRINTED, Counting, Rule, best_counting, distances
from fifthstreet.papers.adaptive_draw.seasons import (
    OPPONENTS,
    SAMPLES,
    START,
    STYLES,
    Played,
    Season,
    largest_size,
    least,
    season,
)
from fifthstreet.papers.paper import Claim, Experiment, FigureResult, Run, TableResult, Verdict
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
        ("values", 93),
    ],
)
def test_tables_and_figures_have_their_rows(id: str, rows: int) -> None:
    table = _item(id)
    assert len(table.rows) == rows
    assert all(len(row) == len(table.columns) for row in table.rows)


def test_the_printed_numbers_agree_with_themselves() -> None:
    shares = [(100 * played / hands, 100 * won / played) for hands, played, won in TABLE_5]
    printed_played = [100, 100, 100, 100, 97.5, 85.6, 81.0, 78.6, 64.7, 61.6, 59.3, 56.8, 55.5]
    printed_won = [20.0, 24.0, 25.3, 28.0, 30.7, 31.5, 31.5, 31.3, 33.3, 33.7, 34.5, 34.0, 33.6]
    for (played, won), *printed in zip(shares, printed_played, printed_won, strict=True):
        assert abs(played - printed[0]) < 0.1
        assert abs(won - printed[1]) < 0.1
    assert np.cumsum(blocks(), axis=0).tolist() == [list(row) for row in TABLE_5]
    assert blocks()[-1] == (500, 243, 76)
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
    ("id", "verdict"),
    [
        ("worked-examples", Verdict.REPRODUCED),
        ("plays-all-at-first", Verdict.REPRODUCED),
        ("fewer-played", Verdict.REPRODUCED),
        ("loses-loose-aggressive", Verdict.REPRODUCED),
        ("loses-tight-aggressive", Verdict.REPRODUCED),
        ("more-from-loose", Verdict.REPRODUCED),
        ("loose-play-more", Verdict.REPRODUCED),
        ("loose-worse-in-mixed", Verdict.REPRODUCED),
        ("plays-more-loose-aggressive", Verdict.NOT_REPRODUCED),
    ],
)
def test_claims_that_any_seed_decides(id: str, verdict: Verdict) -> None:
    (claim,) = (item for item in PAPER.items if item.id == id)
    assert isinstance(claim, Claim)
    assert claim.run(QUICK).verdict is verdict


def test_a_season_adds_up_and_does_not_depend_on_the_number_of_runs() -> None:
    two, one = (season(Played("adaptive", STYLES, 5, hands=300), runs) for runs in (2, 1))
    assert np.array_equal(two.units[0], one.units[0])
    assert (two.units.sum(axis=2) == 5 * START).all()
    counts = two.counts[:, -1]
    assert (counts[..., MEANT] >= counts[..., [FIRST, WON]].max(axis=-1)).all()
    assert (counts[..., ANY_WIN] >= counts[..., [WON, SHOWN_WIN]].max(axis=-1)).all()
    assert (counts[..., PAID] <= 300).all()
    assert (counts[:, 0, STRONG] >= counts[:, 0, STRONG_RAISED]).all()
    assert (counts[:, 0, RAISED] >= counts[:, 0, STRONG_RAISED]).all()
    assert not counts[:, 1:, [RAISED, STRONG]].any()  # counted of the learner only
    assert (two.won(1, 100, 300) == two.units[:, -1, 1] - two.units[:, 3, 1]).all()
    steps = np.abs(np.diff(two.values, axis=1))
    assert (steps <= 0.1 * 50 + 1e-9).all()
    assert steps.any()


def test_a_season_is_a_session_with_other_cards() -> None:
    """Counts and winnings of the styles, against the agents in the arena: the mean of many hands is the same."""
    played = Played("adaptive:losses=folded", ("tight-passive",) * 4, 3, hands=6_000)  # it never learns
    here = season(played, 4)
    there = session("five-card-draw", ["adaptive:losses=folded", *["tight-passive"] * 4], 24_000, 3)
    won, other = here.won(0, 0, 6_000) / 6_000, there.won(0)
    half = 4 * won.std(ddof=1) / 2
    assert abs(won.mean() - other.value) < half + 2 * other.half_width
    assert (here.counts[:, -1, 0, MEANT] == 6_000).all()


def test_after_training_it_can_stop_learning() -> None:
    played = Played("adaptive", OPPONENTS["loose-aggressive"], 4, hands=500, learning=200)
    found = season(played, 1)
    after = [row for row, hand in zip(found.values[0], SAMPLES, strict=False) if hand >= 200]
    assert all((one == two).all() for one, two in pairwise(after))
    learned = season(Played("adaptive", OPPONENTS["loose-aggressive"], 4, hands=500), 1)
    assert (learned.values[0, :5] == found.values[0, :5]).all()
    assert (learned.values[0, -1] != found.values[0, -1]).any()


def test_positions_are_counted_from_the_left_of_the_dealer() -> None:
    """In the first hand player 0 sits there, in the second player 1, in the sixth player 0 again."""
    payoffs = np.array([[10.0 * player + hand for player in range(5)] for hand in range(6)])
    found = adaptive_draw.by_position(payoffs)
    assert found[0].tolist() == [0, 10, 20, 30, 40]
    assert found[1].tolist() == [11, 21, 31, 41, 1]
    assert found[5].tolist() == [5, 15, 25, 35, 45]


def test_the_least_and_the_largest_hold_for_all_together() -> None:
    one, two = Estimate(1, 0.9, 1.1, 50), Estimate(-2, -2.3, -1.7, 20)
    wide = [each.with_error(0.025) for each in (one, two)]
    assert least([one, two]) == Estimate(-2, wide[1].low, wide[1].high, 20)
    assert largest_size([one, two]) == Estimate(2, -wide[1].high, -wide[1].low, 20)
    assert largest_size([Estimate(0.1, -0.2, 0.4, 9)]).low == 0


# The distance from the printed numbers.


def _season_like_print(table: str, table_5: bool) -> Season:
    """Two runs that have exactly what the paper prints."""
    units, counts = np.full((2, len(SAMPLES), 5), float(START)), np.zeros((2, len(SAMPLES), 5, COUNTED))
    if table_5:
        for hands, played, won in TABLE_5:
            counts[:, hands == SAMPLES, 0, MEANT], counts[:, hands == SAMPLES, 0, WON] = played, won
    for player, (end, played, won) in enumerate(TABLE_6[table]):
        units[:, -1, player] = end
        before = counts[:, SAMPLES == 5_000, player]
        counts[:, -1, player] = before[:, 0]
        counts[:, -1, player, MEANT] += played
        counts[:, -1, player, WON] += won
    return Season(units, counts, np.zeros((2, len(SAMPLES), 93)))


def test_what_is_printed_has_no_distance_from_itself() -> None:
    seasons = {table: _season_like_print(table, table == "loose-aggressive") for table in TABLE_6}
    counting = Counting("meant to", "played and won", "loose-aggressive")
    means, variances = search.measured(seasons, counting)
    assert (means == PRINTED).all()
    assert not variances.any()
    spread = search.spread_of([variances])
    assert (spread == 1).all()
    best = best_counting(Rule(), seasons, spread)
    assert (best.counting, best.distances) == (counting, (0, 0, 0))


def test_the_distance_is_the_root_mean_square_of_all_86() -> None:
    deviation = np.concatenate([np.full(26, 3.0), np.full(60, -1.0)])
    assert len(PRINTED) == 86
    assert distances(deviation) == pytest.approx((3.0, 1.0, np.sqrt((26 * 9 + 60) / 86)))


def test_the_defaults_of_the_agent_are_the_nearest_interpretation() -> None:
    assert agent_named(search.NEAREST.spec, "five-card-draw") == agent_named("adaptive", "five-card-draw")
    assert search.NEAREST in search.RULES
    assert len(set(search.RULES)) == 36


def test_all_of_the_paper_and_what_goes_beyond_it_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything runs, as small as it can be: what it shows at full size is a matter of minutes."""
    tiny = beyond.Size((2, 60), 2_000, 2, 1, (2, 200))
    monkeypatch.setattr(beyond, "size_of", lambda run: tiny)
    monkeypatch.setattr(beyond, "CHOOSING", 2)
    monkeypatch.setattr(Experiment, "sizes", _smallest)
    found = reproduce([PAPER], seed=2)
    assert [outcome.item for outcome in found.outcomes] == list(PAPER.items)
    assert len(found.claims) == sum(isinstance(item, Claim) for item in PAPER.items)
    assert all(outcome.result.to_dict() for outcome in found.outcomes)
    assert "86 printed numbers" in found.findings["adaptive-draw"]


def _smallest(experiment: Experiment[object], scale: str) -> tuple[int, int]:
    size = {"deals": 200, "hands": 500}.get(experiment.unit, 4)
    return size, size
