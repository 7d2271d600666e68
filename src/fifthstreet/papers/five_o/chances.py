"""The counts, chances and equations of the Five-O paper: Tables I and II, Figure 1, equations (2) and (3)."""

import math
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fifthstreet.estimate import Estimate, mean
from fifthstreet.evaluation.hand import Category, category
from fifthstreet.games.five_o import COLUMNS, FiveOView
from fifthstreet.papers.paper import (
    Axes,
    Between,
    Claim,
    Experiment,
    Figure,
    FigureResult,
    Item,
    Run,
    Table,
    TableResult,
    exactly,
)
from fifthstreet.rng import Stream, stream

# Table I as printed: hands and distinct hands of each category.
TABLE_1 = {
    Category.STRAIGHT_FLUSH: (40, 10),
    Category.FOUR_OF_A_KIND: (624, 156),
    Category.FULL_HOUSE: (3_744, 156),
    Category.FLUSH: (5_108, 1_277),
    Category.STRAIGHT: (10_200, 10),
    Category.THREE_OF_A_KIND: (54_912, 858),
    Category.TWO_PAIR: (123_552, 858),
    Category.PAIR: (10_982_240, 2_860),
    Category.HIGH_CARD: (1_302_540, 1_277),
}
TABLE_1_TOTAL = (2_598_960, 7_462)


def _all_five_card_hands(run: Run) -> NDArray[np.int64]:
    """Return how many five-card hands have each strength."""
    from fifthstreet.evaluation.enumeration import five_card_histogram

    return five_card_histogram()


def _counts(run: Run) -> dict[Category, tuple[int, int]]:
    histogram = run.once(_all_five_card_hands)
    found = dict.fromkeys(TABLE_1, (0, 0))
    for strength in np.flatnonzero(histogram):
        kind = category(int(strength))
        hands, distinct = found[kind]
        found[kind] = (hands + int(histogram[strength]), distinct + 1)
    return found


def _table_1(run: Run) -> TableResult:
    found = run.once(_counts)
    rows = [(str(kind), *TABLE_1[kind], *found[kind]) for kind in TABLE_1]
    printed_sum = sum(hands for hands, _ in TABLE_1.values())
    total = (sum(hands for hands, _ in found.values()), sum(distinct for _, distinct in found.values()))
    rows.append(("total", *TABLE_1_TOTAL, *total))
    return TableResult(
        ("category", "hands, printed", "distinct, printed", "hands, counted", "distinct, counted"),
        tuple((name, *(f"{number:,}" for number in numbers)) for name, *numbers in rows),
        frozenset(i for i, row in enumerate(rows) if row[1:3] != row[3:5]),
        "Counted over all five-card hands. The printed number of pairs has one digit too many: as printed, the column "
        f"adds up to {printed_sum:,}, not to the total below it.",
    )


def _hands(run: Run, kind: Category) -> Estimate:
    return Estimate.exact(run.once(_counts)[kind][0], TABLE_1_TOTAL[0])


def _distinct(run: Run) -> Estimate:
    return Estimate.exact(sum(distinct for _, distinct in run.once(_counts).values()), TABLE_1_TOTAL[0])


# Table II as printed: exact, then from 1,000, 10,000 and 100,000 samples.
SIZES = (1_000, 10_000, 100_000)
PUT = (
    (0.691712, 0.716, 0.6939, 0.68984),
    (0.098279, 0.078, 0.0974, 0.09886),
    (0.399533, 0.39, 0.3986, 0.39877),
    (0.298829, 0.328, 0.2998, 0.29743),
    (0.343097, 0.348, 0.3452, 0.3443),
)
WAIT = (
    (0.742933, 0.755, 0.7421, 0.74103),
    (0.175254, 0.179, 0.1755, 0.17461),
    (0.465409, 0.463, 0.4624, 0.46429),
    (0.363734, 0.335, 0.3651, 0.36423),
    (0.417712, 0.451, 0.4264, 0.41836),
)
WIN = (
    (0.34889, 0.358913, 0.352483, 0.348053),
    (0.335084, 0.331424, 0.337362, 0.334738),
    (0.339556, 0.342415, 0.342972, 0.338865),
    (0.339141, 0.368798, 0.341662, 0.337548),
    (0.33549, 0.330146, 0.335578, 0.334906),
)


# Table II and Figure 1: sampled and exact chances.


def _state(number: int) -> FiveOView:
    """Return a random view before the first placement of the second round, all columns open, as in Table II."""
    from fifthstreet.games.five_o import at_random

    return at_random(10, stream(number, "table-2"))


def _chances(view: FiveOView, samples: int, rng: Stream) -> NDArray[np.float64]:
    """Return put, wait and win chances of the five columns, exact if `samples` is 0."""
    from fifthstreet.agents.five_o.chances import all_chances, best_column

    put, wait, win = np.empty(5), np.empty(5), np.empty(5)
    all_chances(view, samples, 1.0, rng.state, put, wait)
    best_column(put, wait, win)
    return np.stack([put, wait, win])


def _table_2(run: Run) -> TableResult:
    view, rng = _state(run.seed), stream(run.seed, "samples")
    exact = _chances(view, 0, rng)
    sampled = [_chances(view, size, rng) for size in SIZES]
    rows = []
    for kind, name in enumerate(("put", "wait", "win")):
        for column in range(5):
            printed = (PUT, WAIT, WIN)[kind][column]
            cells = [f"{found[kind, column]:.6g}" for found in (exact, *sampled)]
            rows.append((name, f"{column + 1}", *cells, " / ".join(f"{value:g}" for value in printed)))
    return TableResult(
        ("chance", "column", "exact", *(f"{size:,}" for size in SIZES), "printed, for their state"),
        tuple(rows),
        note=f"At {view!r}. Their cards are not printed, so these numbers are for a different state.",
    )


@dataclass(frozen=True)
class Sampled:
    """What sampling found in some states, by state, number of samples and, for errors, chance."""

    errors: NDArray[np.float64]  # of all put and wait chances
    losses: NDArray[np.float64]  # of the chance to win, by choosing the best column by the samples


def _sample_states(run: Run, states: int) -> Sampled:
    errors, losses = np.empty((states, len(SIZES), 2 * COLUMNS)), np.empty((states, len(SIZES)))
    for number in range(states):
        view, rng = _state(number), stream(run.seed, "errors", number)
        exact = _chances(view, 0, rng)
        for place, size in enumerate(SIZES):
            found = _chances(view, size, rng)
            errors[number, place] = (found - exact)[:2].reshape(-1)
            losses[number, place] = exact[2].max() - exact[2, found[2].argmax()]
        if run.report:
            run.report(number + 1, states)
    return Sampled(errors, losses)


STATES = Experiment("sampling", "random states", _sample_states, quick=(8, 128), paper=(64, 512))


def _figure_1(run: Run) -> FigureResult:
    view, rng = _state(run.seed), stream(run.seed, "figure-1")
    exact = _chances(view, 0, rng)[2]
    sizes = [int(100 * 10 ** (step / 4)) for step in range(13)]
    wins = np.array([_chances(view, size, rng)[2] for size in sizes])

    def draw(axes: Axes) -> None:
        for column in range(5):
            (line,) = axes.semilogx(sizes, wins[:, column], "o-", markersize=3, label=f"column {column + 1}")
            axes.axhline(exact[column], color=line.get_color(), linewidth=0.8, linestyle=":")
        axes.set_xlabel("samples per column")
        axes.set_ylabel("chance to win the game")
        axes.legend(fontsize="small")

    rows = tuple((f"{size:,}", *(f"{win:.4f}" for win in row)) for size, row in zip(sizes, wins, strict=True))
    return FigureResult(
        draw,
        "The chance to win with the card in each column, by number of samples; it converges to the exact chance.",
        TableResult(
            ("samples", *(f"column {column + 1}" for column in range(5))),
            (*rows, ("exact", *(f"{win:.4f}" for win in exact))),
        ),
    )


def _error_table(run: Run) -> TableResult:
    found, rows = run.play(STATES), []
    for place, size in enumerate(SIZES):
        printed = np.array([row[place + 1] - row[0] for row in (*PUT, *WAIT)])
        rms, printed_rms = (math.sqrt(float((errors**2).mean())) for errors in (found.errors[:, place], printed))
        deviations = [math.sqrt(row[0] * (1 - row[0]) / size) for row in (*PUT, *WAIT)]
        square = sum((error / deviation) ** 2 for error, deviation in zip(printed, deviations, strict=True))
        loss = mean(found.losses[:, place])
        cells = f"{rms:.5f}", f"{printed_rms:.5f}", f"{square:.1f}", f"{loss.value:.5f} ± {loss.half_width:.5f}"
        rows.append((f"{size:,}", *cells))
    return TableResult(
        ("samples", "error", "error, printed", "printed, chi-square", "loss by the choice"),
        tuple(rows),
        note=f"Root mean squares: measured in {len(found.errors):,} states, printed over ten chances. The last column "
        "is what the choice by samples costs, in the chance to win by equation (3). Before it is the chi-square of the "
        "ten printed errors, the sum of their squares in standard deviations: 10 is expected, and "
        "95 of 100 such tables have 3.2 to 20.5.",
    )


def _slope(run: Run) -> Estimate:
    """Return the exponent with which the error falls in the number of samples, from 1,000 to 100,000."""
    squares = [(run.play(STATES).errors[:, place] ** 2).mean(axis=1) for place in (0, -1)]
    value = math.log(squares[1].mean() / squares[0].mean()) / (2 * math.log(100))
    relative = [mean(square).half_width / float(square.mean()) for square in squares]
    half = math.hypot(*relative) / (2 * math.log(100))
    return Estimate(value, value - half, value + half, len(squares[0]))


def _loss_by_choice(run: Run) -> Estimate:
    return mean(run.play(STATES).losses[:, SIZES.index(10_000)])


def _deals(run: Run) -> Estimate:
    return Estimate.exact(math.factorial(42) / math.factorial(2) / 1e50)


def _printed_wins(run: Run) -> Estimate:
    """Return the largest gap between the printed exact win chances and equation (3) of the printed column chances."""
    from fifthstreet.agents.five_o.chances import best_column

    win = np.empty(5)
    best_column(np.array([row[0] for row in PUT]), np.array([row[0] for row in WAIT]), win)
    return Estimate.exact(float(np.abs(win - [row[0] for row in WIN]).max()), 5)


# Equation (2): straights that are not disjoint.


def straight_truth(ranks: int, left: NDArray[np.int64], draws: int) -> float:
    """Return the exact chance that the draws complete some straight through these ranks.

    Uses inclusion and exclusion twice: over the straights, and over the ranks not drawn.
    """
    from fifthstreet.agents.five_o.hands import ALL_LEFT, STRAIGHTS

    unseen = int(left[ALL_LEFT])

    def all_drawn(missing: int) -> float:
        places = [rank for rank in range(13) if missing >> rank & 1]
        total = 0
        for size in range(len(places) + 1):
            for absent in combinations(places, size):
                others = unseen - sum(int(left[rank]) for rank in absent)
                total += (-1) ** size * math.comb(others, draws)
        return total / math.comb(unseen, draws)

    ways = [int(straight) & ~ranks for straight in STRAIGHTS if not ranks & ~int(straight)]
    total = 0.0
    for size in range(1, len(ways) + 1):
        for some in combinations(ways, size):
            needed = 0
            for missing in some:
                needed |= missing
            total -= (-1) ** size * all_drawn(needed)
    return total


EXAMPLES = (("9c", 15), ("8c9d", 15), ("9cTd", 10), ("6c7d8h", 10), ("6c7d8h", 5), ("6c7d8h9s", 5), ("2c3d4h5s", 5))


def _straights(run: Run) -> list[tuple[str, int, float, float]]:
    from fifthstreet.agents.five_o.hands import ALL_LEFT, LEFT, straight_chance
    from fifthstreet.cards import parse_cards

    found = []
    for text, draws in EXAMPLES:
        left, ranks = np.zeros(LEFT, np.int64), 0
        left[:13], left[ALL_LEFT] = 4, 52
        for card in parse_cards(text):
            ranks |= 1 << (card >> 2)
            left[card >> 2] -= 1
            left[ALL_LEFT] -= 1
        found.append((text, draws, float(straight_chance(ranks, left, draws)), straight_truth(ranks, left, draws)))
    return found


def _equation_2(run: Run) -> TableResult:
    return TableResult(
        ("hand", "draws", "equation (2)", "truth", "equation (2) / truth"),
        tuple(
            (text, f"{draws}", f"{equation:.4f}", f"{truth:.4f}", f"{equation / truth:.2f}")
            for text, draws, equation, truth in run.once(_straights)
        ),
        note="All other cards are unseen. The equation misses draws that contain a needed rank twice, and counts draws "
        "that make several straights several times.",
    )


def _equation_2_error(run: Run) -> Estimate:
    found = run.once(_straights)
    return Estimate.exact(max(abs(equation - truth) for _, _, equation, truth in found), len(found))


ITEMS: tuple[Item, ...] = (
    Claim(
        "number-of-deals",
        "After the first row there are 42!/2! ≈ 7.02·10⁵⁰ deals (§II, note 2)",
        "7.02·10⁵⁰; read as: right to one unit of the last digit",
        Between(7.01, 7.03),
        _deals,
        "In 10⁵⁰; printed with its digits cut off. It counts deals, each of which can be placed in 5!⁸ ways.",
    ),
    Table("table-1", "Table I: 7,462 equivalent poker ranks", _table_1),
    Claim(
        "table-1-classes",
        "There are 7,462 distinct five-card hands",
        "7,462",
        exactly(7_462),
        _distinct,
    ),
    *(
        Claim(
            f"table-1-{str(kind).replace(' ', '-')}",
            f"The number of five-card hands that are: {kind}",
            f"{hands:,}",
            exactly(hands),
            partial(_hands, kind=kind),
            "A misprint: 1,098,240 is right." if kind is Category.PAIR else "",
        )
        for kind, (hands, _) in TABLE_1.items()
    ),
    Table("equation-2", "Equation (2) and the true chance of a straight", _equation_2),
    Claim(
        "equation-2-exact",
        "Different straights are disjoint events, and equation (2) is the exact probability (§I.B)",
        "exact; read as: off by less than 0.001",
        Between(high=0.001),
        _equation_2_error,
        "The largest error among the examples in the table.",
    ),
    Table("table-2", "Table II: probabilities of different sample sizes", _table_2),
    Figure("figure-1", "Figure 1: Monte Carlo simulation, win probability", _figure_1),
    Table("table-2-errors", "Table II: printed and measured errors", _error_table),
    Claim(
        "samples-help",
        "The approximation is more accurate as the sample size grows",
        "Table II; read as: the error falls as 1/√samples, an exponent of −0.5",
        Between(low=-0.55, high=-0.45),
        _slope,
    ),
    Claim(
        "ten-thousand-samples",
        "After only 10,000 simulations the agent can reach good results (§II.B.4)",
        "good; read as: choosing by them costs at most 0.001 of the chance to win per move",
        Between(high=0.001),
        _loss_by_choice,
        "By equation (3) of the exact chances, in random states before the first placement of the second round.",
    ),
    Claim(
        "equation-3-printed",
        "The printed chances to win the game follow from the printed column chances by equation (3)",
        "Table II; read as: up to the second to last digit, 0.00001",
        Between(high=0.00001),
        _printed_wins,
    ),
)
