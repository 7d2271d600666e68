"""The statistics against what they promise: coverage of intervals, error rates of tests, ratings that are recovered."""

import math

import numpy as np
import pytest

from fifthstreet.arena.statistics import SequentialTest, ratings, score
from fifthstreet.errors import InputError
from fifthstreet.estimate import bounded_mean, mean, student, student_tail


def test_the_interval_of_a_mean_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(2000):
        found = mean(rng.exponential(1.0, 400))
        inside += found.low <= 1.0 <= found.high
    assert 0.925 <= inside / 2000 <= 0.97  # 0.95 less a little for the skew; five deviations either way


def test_the_interval_of_few_is_as_good_as_that_of_many() -> None:
    rng = np.random.default_rng(8)
    for count in (2, 3, 5, 10):
        found = [mean(rng.normal(0, 1, count)) for _ in range(4000)]
        assert 0.932 <= np.mean([e.low <= 0 <= e.high for e in found]) <= 0.968


# Games won, half won and lost: mixed, nearly all drawn, nearly all won, rarely lost, often in quarters.
SHAPES = (
    {-1: 0.3, 0: 0.3, 1: 0.4},
    {-1: 0.08, 0: 0.92},
    {0: 0.97, 1: 0.03},
    {-1: 0.02, 1: 0.98},
    {-1: 0.1, -0.5: 0.2, 0: 0.4, 0.5: 0.2, 1: 0.1},
)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [3, 24])
def test_the_interval_of_bounded_values_covers_the_truth_however_many_are_equal(
    shape: dict[float, float], count: int
) -> None:
    rng, truth = np.random.default_rng(5), sum(value * chance for value, chance in shape.items())
    samples = np.sort(rng.choice(list(shape), (400, count), p=list(shape.values())))
    different, times = np.unique(samples, axis=0, return_counts=True)
    found = [bounded_mean(sample, -1, 1) for sample in different]
    assert times @ [e.low <= truth <= e.high for e in found] / 400 >= 0.91  # at least 0.95, less four deviations
    assert all(e.low < e.value < e.high or abs(e.value) == 1 for e in found)
    assert all(e.high > e.low for e in found)


def test_students_interval_would_not_do_for_them() -> None:
    rng = np.random.default_rng(5)
    found = [mean(sample) for sample in rng.choice([-1, 0], (400, 24), p=[0.08, 0.92])]
    assert np.mean([e.low <= -0.08 <= e.high for e in found]) < 0.9


def test_the_interval_of_bounded_values_is_clopper_and_pearsons_for_coins_and_students_for_many() -> None:
    for heads, tosses, low, high in ((0, 10, 0, 0.3085), (3, 10, 0.0667, 0.6525), (10, 10, 0.6915, 1)):
        found = bounded_mean([1] * heads + [0] * (tosses - heads), 0, 1)
        assert found.low == pytest.approx(low, abs=0.005)
        assert found.high == pytest.approx(high, abs=0.005)
    values = np.random.default_rng(6).choice([-1, -0.5, 0, 0.5, 1], 4000)
    exact, bounded = mean(values), bounded_mean(values, -1, 1)
    assert bounded.half_width == pytest.approx(exact.half_width, rel=0.03)
    assert bounded.value == exact.value


def test_the_interval_of_the_loser_mirrors_that_of_the_winner() -> None:
    values = np.random.default_rng(7).choice([-1, 0, 1], 50, p=[0.2, 0.5, 0.3])
    won, lost = bounded_mean(values, -1, 1), bounded_mean(-values, -1, 1)
    assert (won.low, won.high) == (-lost.high, -lost.low)


def test_bounded_values_that_are_out_of_bounds_or_missing_are_refused() -> None:
    for values in ([], [0.5, 1.5], [-0.1]):
        with pytest.raises(InputError):
            bounded_mean(values, 0, 1)


def test_students_t_as_in_the_tables() -> None:
    table = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980}
    for freedom, value in table.items():
        assert student(freedom) == pytest.approx(value, abs=0.0006)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 12, 29, 150])
def test_the_tail_of_students_distribution(freedom: int) -> None:
    assert student_tail(student(freedom), freedom) == pytest.approx(0.025, rel=1e-6)
    assert student_tail(0, freedom) == pytest.approx(0.5)
    assert student_tail(1.3, freedom) + student_tail(-1.3, freedom) == pytest.approx(1)


def test_the_mean_of_one_and_of_none() -> None:
    assert (mean([3.0]).low, mean([3.0]).high) == (-math.inf, math.inf)
    with pytest.raises(InputError):
        mean([])
    with pytest.raises(InputError):
        score(0, 0, 0)


def test_the_interval_of_a_score_covers_the_truth_with_and_without_draws() -> None:
    rng = np.random.default_rng(2)
    for win, draw in ((0.5, 0.0), (0.3, 0.5), (0.9, 0.05)):
        inside = 0
        for _ in range(2000):
            wins, draws, losses = rng.multinomial(300, [win, draw, 1 - win - draw])
            found = score(int(wins), int(draws), int(losses))
            inside += found.low <= win + draw / 2 <= found.high
        assert 0.92 <= inside / 2000 <= 0.99


def test_a_score_stays_within_nought_and_one() -> None:
    for wins, draws, losses in ((10, 0, 0), (0, 0, 10), (0, 10, 0), (1, 0, 0)):
        found = score(wins, draws, losses)
        assert 0 <= found.low <= found.value <= found.high <= 1


def test_ratings_are_recovered_within_their_intervals() -> None:
    rng = np.random.default_rng(3)
    truth = np.array([200.0, 50.0, 0.0, -250.0])
    expected = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    for drawn in (0.0, 0.8):  # of what the weaker of two makes, so much in draws
        inside = 0
        for _ in range(200):
            wins, draws = np.zeros((4, 4)), np.zeros((4, 4))
            for i in range(4):
                for j in range(i):
                    draw = 2 * drawn * min(expected[i, j], expected[j, i])
                    chances = [expected[i, j] - draw / 2, draw, expected[j, i] - draw / 2]
                    wins[i, j], draws[i, j], wins[j, i] = rng.multinomial(1000, chances)
                    draws[j, i] = draws[i, j]
            found = ratings(wins, draws)
            inside += sum(e.low <= t <= e.high for e, t in zip(found, truth, strict=True))
            assert {e.count for e in found} == {3000}
        assert 0.91 <= inside / 800 <= 0.985


def test_whoever_wins_everything_has_a_finite_rating() -> None:
    found = ratings(np.array([[0, 10.0], [0, 0]]), np.zeros((2, 2)))
    assert 100 < found[0].value < 2000
    assert found[0].value == pytest.approx(-found[1].value)


def test_players_who_never_met_are_not_rated() -> None:
    with pytest.raises(InputError, match="never met"):
        ratings(np.zeros((2, 2)), np.zeros((2, 2)))


@pytest.mark.parametrize(("truth", "right"), [(0.0, "no"), (0.1, "yes")])
def test_the_sequential_test_errs_as_rarely_as_it_promises(truth: float, right: str) -> None:
    rng, test = np.random.default_rng(4), SequentialTest(0.1)
    wrong, used = 0, []
    for _ in range(400):
        values = rng.normal(truth, 1.0, 20_000)
        for size in range(100, 20_001, 100):
            seen = values[:size]
            if (answer := test.verdict(size, seen.sum(), (seen**2).sum())) is not None:
                wrong += answer != right
                used.append(size)
                break
    assert len(used) == 400
    assert wrong / 400 <= 0.09  # promised 0.05; 0.09 would be 3.7 deviations
    assert np.mean(used) < 1083  # what a test of fixed size with the same error rates needs


def test_questions_that_cannot_be_asked() -> None:
    for difference in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(InputError):
            SequentialTest(difference)
    for rate in (0.0, 0.5, -0.1):
        with pytest.raises(InputError):
            SequentialTest(0.1, false_yes=rate)
