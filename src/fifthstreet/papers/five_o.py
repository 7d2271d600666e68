"""Five-O Poker, by Shai Aharon and Moshe Mandel."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from fifthstreet.estimate import Estimate
from fifthstreet.evaluation.hand import Category, category
from fifthstreet.papers.paper import Claim, Paper, Run, Table, TableResult, exactly

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
    """How many of all five-card hands have each strength."""
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
        "Counted over all five-card hands. The printed number of pairs has a digit too many: as printed, the column "
        f"adds up to {printed_sum:,}, not to the total below it.",
    )


def _hands(run: Run, kind: Category) -> Estimate:
    return Estimate.exact(run.once(_counts)[kind][0], TABLE_1_TOTAL[0])


def _distinct(run: Run) -> Estimate:
    return Estimate.exact(sum(distinct for _, distinct in run.once(_counts).values()), TABLE_1_TOTAL[0])


PAPER = Paper(
    "five-o",
    "Five-O Poker",
    "Shai Aharon, Moshe Mandel",
    (
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
                f"Of all five-card hands, so many are: {kind}",
                f"{hands:,}",
                exactly(hands),
                partial(_hands, kind=kind),
                "A misprint: 1,098,240 is right." if kind is Category.PAIR else "",
            )
            for kind, (hands, _) in TABLE_1.items()
        ),
    ),
)
