"""Hand strengths before the flop in Dreher and Zharkov's simulator: Figure 3.2 compared with exact equities."""

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import RANKS
from fifthstreet.estimate import Z95, Estimate
from fifthstreet.papers.paper import Axes, Between, Claim, Figure, FigureResult, Item, Run, Table, TableResult, exactly

ROLLOUTS = 10_000  # per class, according to §3.2.1

# Figure 3.2: heads-up hand strengths of pairs and offsuit hands. One row per lower card, from the deuce up; in a row
# the higher card runs from the pair to the ace.
FIGURE_3_2 = """
0.49993 0.32446 0.33155 0.34541 0.33760 0.34683 0.36933 0.39377 0.41507 0.44668 0.47460 0.50470 0.54637
0.53638 0.35236 0.36318 0.35897 0.36737 0.37379 0.39913 0.42727 0.45237 0.48028 0.51755 0.56017
0.56967 0.37921 0.37942 0.38413 0.39651 0.40814 0.43434 0.46182 0.48846 0.52154 0.56667
0.60339 0.40061 0.40162 0.41454 0.42513 0.44245 0.47559 0.50175 0.53546 0.57879
0.63365 0.42636 0.43105 0.44440 0.46229 0.47990 0.50845 0.54157 0.57620
0.66005 0.45098 0.46145 0.47805 0.49589 0.51967 0.55443 0.58880
0.69098 0.48207 0.49795 0.51792 0.53411 0.55875 0.60069
0.71891 0.51414 0.52976 0.55478 0.58031 0.60857
0.74928 0.55306 0.57335 0.59815 0.62565
0.77415 0.57951 0.60636 0.63417
0.79817 0.61475 0.64472
0.82499 0.65546
0.85036
"""


class Cells(NamedTuple):
    """Figure 3.2 and the exact frequencies of wins and ties, in the printed order."""

    hands: list[str]
    printed: NDArray[np.float64]
    wins: NDArray[np.float64]
    ties: NDArray[np.float64]

    def exact(self, tie: float = 0.5) -> NDArray[np.float64]:
        """Return the exact hand strengths, with ties counted as this share of a win."""
        return self.wins + tie * self.ties

    def spread(self, tie: float = 0.5) -> NDArray[np.float64]:
        """Return the standard deviation of one rollout."""
        spread: NDArray[np.float64] = np.sqrt(self.wins + tie**2 * self.ties - self.exact(tie) ** 2)
        return spread

    def deviations(self, tie: float = 0.5) -> NDArray[np.float64]:
        """Return the error of each value in standard deviations of a mean of 10,000 rollouts."""
        return (self.printed - self.exact(tie)) / (self.spread(tie) / math.sqrt(ROLLOUTS))

    def finer_than(self, rollouts: int) -> int:
        """Return how many printed values cannot be a mean of this many wins, losses and half-won ties."""
        halves = self.printed * 2 * rollouts
        return int((abs(halves - halves.round()) > 1e-6).sum())

    def inside(self, tie: float = 0.5) -> int:
        """Return how many values lie within the 95 % interval around the exact value."""
        return int((abs(self.deviations(tie)) <= Z95).sum())


def _cells(run: Run) -> Cells:
    from fifthstreet.evaluation.preflop import DEALS_AGAINST_ONE, against_one
    from fifthstreet.evaluation.ranges import CLASSES

    wins, _, ties = (counts / DEALS_AGAINST_ONE for counts in against_one())
    hands, printed = [], []
    for low, row in enumerate(FIGURE_3_2.split("\n")[1:-1]):
        for high, value in enumerate(row.split(), low):
            hands.append(RANKS[high] + RANKS[low] + ("" if high == low else "o"))
            printed.append(float(value))
    index = [CLASSES.index(hand) for hand in hands]
    return Cells(hands, np.array(printed), wins[index], ties[index])


def _figure_3_2(run: Run) -> FigureResult:
    cells = run.once(_cells)
    exact, spread, deviations, inside = cells.exact(), cells.spread(), cells.deviations(), cells.inside()
    off = cells.printed - exact

    def draw(axes: Axes) -> None:
        order = np.argsort(exact)
        place = np.arange(len(order))
        for rollouts, shade in ((ROLLOUTS, 0.15), (100_000, 0.3)):
            half = Z95 * spread[order] / math.sqrt(rollouts)
            label = f"95 % of means of {rollouts:,} rollouts"
            axes.fill_between(place, -half, half, alpha=shade, color="C0", linewidth=0, label=label)
        axes.plot(place, off[order], "o", markersize=3, color="C3", label="printed − exact")
        axes.axhline(0, color="gray", linewidth=0.8)
        marks = place[:: len(place) // 10]
        axes.set_xticks(marks, [cells.hands[order[i]] for i in marks])
        axes.set_xlabel("pairs and offsuit hands, from weakest to strongest")
        axes.set_ylabel("printed − exact")
        axes.legend(fontsize="small", loc="lower left")

    rows = zip(cells.hands, cells.printed, exact, off, deviations, strict=True)
    data = TableResult(
        ("hand", "printed", "exact", "difference", "in standard deviations of 10,000 rollouts"),
        tuple((hand, f"{p:.5f}", f"{e:.5f}", f"{d:+.5f}", f"{z:+.2f}") for hand, p, e, d, z in rows),
        frozenset(np.flatnonzero(abs(deviations) > Z95).tolist()),
    )
    return FigureResult(
        draw,
        f"Printed minus exact hand strength for 91 hands: {inside} lie within the 95 % band of 10,000 rollouts.",
        data,
        f"{inside} of the 91 printed values lie within the 95 % error of 10,000 rollouts. They are pot shares with "
        f"ties counted half: with ties as losses {cells.inside(0)} would fit, with ties as wins {cells.inside(1)}. But "
        f"means of 10,000 such results are multiples of 0.00005, and {cells.finer_than(ROLLOUTS)} of the 91 are not.",
    )


def _inside(run: Run) -> Estimate:
    """Return a count, not an estimate: both the printed and the exact values are known."""
    return Estimate.exact(run.once(_cells).inside(), 91)


def _least_inside(values: int = 91, probability: float = 0.95, risk: float = 0.005) -> int:
    """Return how many values lie inside with probability 1 − risk, if each does with this probability."""
    below = 0.0
    for count in range(values + 1):
        below += math.comb(values, count) * probability**count * (1 - probability) ** (values - count)
        if below > risk:
            return count
    return values


def _rollouts(run: Run) -> Estimate:
    """Return how many rollouts per class explain the size of the errors, with a chi-square interval."""
    deviations = run.once(_cells).deviations()
    count = len(deviations)
    square = float((deviations**2).sum())

    def quantile(z: float) -> float:  # of chi-square, by Wilson and Hilferty (1931)
        return count * (1 - 2 / (9 * count) + z * math.sqrt(2 / (9 * count))) ** 3

    value, low, high = (ROLLOUTS * q / square for q in (count, quantile(-Z95), quantile(Z95)))
    return Estimate(value, low, high, count)


def _classes() -> int:
    """Return how many kinds of two cards there are if suits matter only by being the same or not."""
    return len({(*sorted((a // 4, b // 4)), a % 4 == b % 4) for a, b in combinations(range(52), 2)})


def _more_players(run: Run) -> TableResult:
    from fifthstreet.evaluation.preflop import preflop_table

    tables = [preflop_table(players) for players in range(2, 11)]
    hands = ("AA", "KK", "AKs", "AKo", "JJ", "KQs", "JTs", "77", "A5s", "T9o", "22", "72o")
    widest = max(cell.half_width for table in tables for cell in table.values())
    fewest = min(cell.deals for table in tables[1:] for cell in table.values())
    return TableResult(
        ("hand", *(f"{players} players" for players in range(2, 11))),
        tuple((hand, *(f"{table[hand].share:.4f}" for table in tables)) for hand in hands),
        note=f"Exact for two players, sampled for more: the widest 95 % interval of all 169 classes is ±{widest:.5f}, "
        f"from at least {fewest:,} deals per class. The tables are computed once, with their own seed, and kept.",
    )


ITEMS: tuple[Item, ...] = (
    Figure("figure-3.2", "Figure 3.2: preflop rollout for two players and unsuited cards", _figure_3_2),
    Claim(
        "figure-3.2-values",
        "The printed hand strengths come from 10,000 rollouts per class",
        f"91 values; read as: {_least_inside()} or more lie within the 95 % error of 10,000 rollouts",
        Between(_least_inside(), 91),
        _inside,
    ),
    Claim(
        "figure-3.2-rollouts",
        "For each of these classes 10,000 rollout simulations are performed",
        "10,000",
        Between(ROLLOUTS / 1.5, ROLLOUTS * 1.5),
        _rollouts,
        "The values are more accurate, and have finer decimals, than 10,000 rollouts allow.",
    ),
    Claim(
        "classes",
        "There are 169 equivalence classes of starting hands (§3.2.1)",
        "169",
        exactly(169),
        lambda run: Estimate.exact(_classes(), 1326),
    ),
    Claim(
        "rollouts-in-all",
        "There are over 15 million simulations to perform (§3.2.1)",
        "over 15 million; 10,000 for each class and each of 2 to 10 players",
        Between(low=15_000_000),
        lambda run: Estimate.exact(ROLLOUTS * _classes() * len(range(2, 11))),
    ),
    Table("preflop-tables", "Hand strengths before the flop for 2 to 10 players (§3.2.1)", _more_players),
)
