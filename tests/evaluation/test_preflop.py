import numpy as np

from fifthstreet.evaluation.preflop import (
    canonical_boards,
    compute_against_one,
    compute_sampled,
    preflop_table,
)
from fifthstreet.evaluation.ranges import CLASSES, combos_of


def test_boards_up_to_the_names_of_suits() -> None:
    boards, weights = canonical_boards()
    assert len(boards) == 134_459
    assert weights.sum() == 2_598_960
    assert len({tuple(sorted(board)) for board in boards.tolist()}) == 134_459


def test_every_deal_is_counted_and_half_the_pot_is_won() -> None:
    found = compute_against_one(workers=2)
    total = found["wins"] + found["losses"] + found["ties"]
    assert set(total.tolist()) == {2_097_572_400}
    combos = np.array([len(combos_of(name)) for name in CLASSES])
    assert ((found["wins"] - found["losses"]) * combos).sum() == 0


def test_sampled_tables_are_within_a_thousandth() -> None:
    for players in range(3, 11):
        table = preflop_table(players)
        assert len(table) == 169
        assert max(entry.half_width for entry in table.values()) <= 0.001
        mean = sum(entry.share * len(combos_of(name)) for name, entry in table.items()) / 1326
        assert abs(mean - 1 / players) < 0.0005


def test_sampling_finds_the_exact_table_for_two() -> None:
    found = compute_sampled(2_000_000, seed=9)
    shares = found["shares"][:, 1] / found["counts"]
    deviations = np.sqrt((found["squares"][:, 1] / found["counts"] - shares**2) / found["counts"])
    exact = np.array([preflop_table(2)[name].share for name in CLASSES])
    assert (abs(shares - exact) < 5.5 * deviations).all()  # 169 classes: fails once in 150,000 seeds


def test_sampling_is_the_same_for_any_number_of_workers() -> None:
    one, two = compute_sampled(2_500_000, workers=1), compute_sampled(2_500_000, workers=2)
    assert all((one[key] == two[key]).all() for key in one)
