"""What the paper on EVA claims: what is exact, what is timed, and how measured errors are computed."""

import math
import time

import numpy as np
import pytest

from fifthstreet.agents.holdem import eva
from fifthstreet.papers import eva_holdem
from fifthstreet.papers.eva_holdem import PAPER, Spots
from fifthstreet.papers.paper import Claim, ClaimResult, Run, Verdict


def claim(id: str) -> Claim:
    return next(claim for claim in PAPER.claims if claim.id == id)


@pytest.fixture(scope="module")
def run() -> Run:
    return Run("quick", 1)


def found(id: str, run: Run) -> ClaimResult:
    return claim(id).run(run)


@pytest.mark.parametrize(
    ("id", "value", "verdict"),
    [
        ("classes", 169, Verdict.REPRODUCED),
        ("offsuit-classes", 91, Verdict.NOT_REPRODUCED),
        ("fewer-combinations", 99_884_400 / 2_118_760, Verdict.REPRODUCED),
    ],
)
def test_what_is_counted(id: str, value: float, verdict: Verdict, run: Run) -> None:
    result = found(id, run)
    assert result.measured.value == pytest.approx(value)
    assert result.verdict is verdict


def test_enumerating_the_opponents_hands_takes_more_than_the_own_boards(run: Run) -> None:
    theirs, own = (found(id, run).measured for id in ("enumeration-impossible", "own-enumeration"))
    assert 5 * own.value < theirs.value  # there are 47 times as many
    assert own.low <= own.value <= own.high


def test_processor_time_is_not_the_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0, 0.25, 1, 1.5, 2, 2.1, 3, 3.3, 4, 4.2])
    monkeypatch.setattr(time, "thread_time", lambda: next(times))
    measured = eva_holdem._milliseconds(lambda: None)
    assert (measured.value, measured.low, measured.high) == pytest.approx((100, 100, 250))
    assert claim("enumeration-impossible").where.verdict(measured) is Verdict.NOT_REPRODUCED


def made_up(products_off_by: float, noise: float) -> Spots:
    """Spots whose product over 2 opponents is off by this much, with this much noise in each estimate of the truth."""
    rng, size = np.random.default_rng(1), 4_000
    true = rng.uniform(0.2, 0.7, (size, 4))
    halves = true[:, :, None, None] + noise * rng.normal(size=(size, 4, 2, 10))
    one, empty = np.sqrt(true + products_off_by), np.zeros((size, 4))
    return Spots(one, empty, empty, empty, empty, empty, empty, halves)


def test_noise_in_the_truth_does_not_count_as_an_error_of_the_product(run: Run) -> None:
    measure = eva_holdem._product_error("one", 2)
    for off, noise in ((0.0, 0.02), (0.05, 0.02), (0.05, 0.0)):
        spots = made_up(off, noise)
        error = measure(_with(spots))
        assert error.value == pytest.approx(off, abs=0.004)
        assert error.low <= error.value <= error.high


def _with(spots: Spots) -> Run:
    run = Run("quick", 0)
    run.play = lambda experiment: spots  # type: ignore[method-assign, assignment, return-value]
    return run


def test_the_table_by_random_sevens_is_the_table_by_enumeration() -> None:
    """The appendix credits the score of seven random cards to each of their 21 pairs."""
    from fifthstreet.evaluation.preflop import class_number
    from fifthstreet.evaluation.strength import evaluate

    rng, sets = np.random.default_rng(2), 4_000
    totals, squares, counts = np.zeros(169), np.zeros(169), np.zeros(169)
    cards = np.array([rng.permutation(52)[:7] for _ in range(sets)])
    scores = eva.scores()[evaluate(cards)]
    for row, score in zip(cards.tolist(), scores, strict=True):
        for i in range(7):
            for j in range(i):
                place = class_number(row[i], row[j])
                totals[place] += score
                squares[place] += score * score
                counts[place] += 1
    means = totals / counts
    errors = np.sqrt((squares / counts - means**2) / counts)
    assert (np.abs(means - eva.expectations()) < 6 * errors).all()


def test_no_decision_depends_on_sunk_costs(run: Run) -> None:
    result = found("sunk-cost-ignored", run)
    assert result.verdict is Verdict.REPRODUCED
    assert result.measured.count > 0  # decisions after the flop


def test_a_tie_is_not_a_loss(run: Run) -> None:
    """Against one random hand 4 % of deals are ties before the flop; the claim is that there are hardly any."""
    spots = run.play(eva_holdem.SPOTS)
    assert 0.01 < spots.ties[:, 0].mean() < 0.08
    assert (spots.wins + spots.ties <= 1).all()
    error = 5 * 0.5 / math.sqrt(2 * eva_holdem.DEALS)
    assert (np.abs(spots.halves[:, :, :, 1].mean(axis=2) - spots.wins) < error).all()


def test_the_river_has_one_board_for_both(run: Run) -> None:
    """So what §4.1 computes there is the true probability, and sampling is off by its own error."""
    spots = run.play(eva_holdem.SPOTS)
    assert spots.one[:, 3] == pytest.approx(spots.wins[:, 3])
    assert (np.abs(spots.sampled[:, 3] - spots.one[:, 3]) < 5 * eva_holdem.ERROR).all()
    assert np.abs(spots.one[:, 1] - spots.wins[:, 1]).max() > 0.01  # on the flop it is not


def test_how_it_begins_a_hand(run: Run) -> None:
    table = next(item for item in PAPER.items if item.id == "first-decision")
    rows = {row[:2]: [int(cell) for cell in row[2:]] for row in table.run(run).rows}  # type: ignore[union-attr]
    assert rows["2 players", "growing"] == [0, 0, 0, 60]
    assert rows["2 players", "fixed"] == [0, 60, 0, 0]
    assert rows["6 players", "fixed"][0] > 45
    assert rows["6 players", "fixed"][2:] == [0, 0]
    assert all(sum(row) == 60 for row in rows.values())
