"""Jam or fold: against published equilibria, and by symmetry."""

from typing import Any

import numpy as np
import pytest

from fifthstreet import InputError, equity, push_fold
from fifthstreet.evaluation.ranges import CLASSES
from fifthstreet.solvers.push_fold import COMBOS, class_equities, three_handed


def test_class_equities_are_exact() -> None:
    found, pairs = class_equities()
    for one, other in (("AKs", "QQ"), ("72o", "AA"), ("A5s", "54s"), ("KQo", "KQo")):
        i, j = CLASSES.index(one), CLASSES.index(other)
        assert found[i, j] == pytest.approx(equity([one, other], exact=True).players[0].share, abs=1e-12)
        assert found[i, j] + found[j, i] == pytest.approx(1, abs=1e-12)
    assert pairs.sum() == 1326 * 1225 and np.array_equal(pairs, pairs.T)
    assert pairs.sum(axis=1) == pytest.approx(COMBOS * 1225)


def test_every_published_stack_and_ante(rows: Any) -> None:
    for row in rows("solver/push_fold.csv"):
        found = push_fold(float(row["stack_bb"]), float(row["ante_bb"]))
        assert found.exploitability < 1e-12
        assert found.value_bb == pytest.approx(float(row["sb_value_bb"]), abs=1e-6)
        assert found.jam == pytest.approx(float(row["sb_jam"]), abs=1e-6)
        assert found.call == pytest.approx(float(row["bb_call"]), abs=1e-6)


def test_every_published_class_that_is_not_indifferent(rows: Any) -> None:
    for row in rows("solver/push_fold_classes.csv"):
        found, i = push_fold(float(row["stack_bb"]), float(row["ante_bb"])), CLASSES.index(row["class"])
        if abs(float(row["sb_jam_minus_fold_bb"])) > 1e-5:
            assert found.jam_chances[i] == pytest.approx(float(row["sb_jam"]), abs=1e-6)
        if abs(float(row["bb_call_minus_fold_bb"])) > 1e-5:
            assert found.call_chances[i] == pytest.approx(float(row["bb_call"]), abs=1e-6)


def test_three_players() -> None:
    found = three_handed(10.0, 0.0, 100_000, 150)
    jam, _, first, over_button, over_small, both = (chart.share for _, chart in found.charts())
    assert 0.25 < jam < 0.45 < first < 0.65  # with one opponent left, the small blind jams more
    assert both < over_button < over_small  # the wider the jam, the wider the call; two jams are called least
    assert sum(value.value for value in found.value_bb) == pytest.approx(0, abs=1e-9)
    assert max(found.gains) < 0.005
    aces = CLASSES.index("AA")
    assert found.chances[:, aces] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("stack", "ante", "said"),
    [
        (0.5, 0, "solved for 1 to 25"),
        (26, 0, "solved for 1 to 25"),
        (float("nan"), 0, "is not a stack"),
        ("ten", 0, "is not a stack"),
        (10, -1, "from 0 to 1"),
        (10, float("inf"), "is not an ante"),
        (1, 0.1, "cannot post"),
    ],
)
def test_wrong_stacks_and_antes_are_refused(stack: Any, ante: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        push_fold(stack, ante)
    with pytest.raises(InputError, match=said):
        three_handed(stack, ante)
