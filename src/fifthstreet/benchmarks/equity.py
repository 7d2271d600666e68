"""Equity calculations compared with packages on PyPI."""

from collections.abc import Iterator
from itertools import combinations

from fifthstreet.benchmarks import HERE, Measurement, compare, seconds
from fifthstreet.evaluation.equity import equity
from fifthstreet.evaluation.preflop import compute_against_one, compute_sampled

NAME = "equity"
SAMPLES = 1_000_000


def measure() -> Iterator[list[Measurement]]:
    times = {HERE: seconds(lambda: equity(["AhKh", "QdQc"]))}
    yield compare(NAME, "AhKh v QdQc, exact", "ms", 1e3, times | dict(_peers("AhKh", "QdQc")), False)

    ranged = seconds(lambda: equity(["AsKs", "QQ+"], workers=1))
    yield compare(NAME, "AsKs v QQ+, exact", "ms", 1e3, {HERE: ranged}, False)

    flop = seconds(lambda: [equity(["AhKh", "QdQc", "7c7d"], "2c3d4h") for _ in range(100)]) / 100
    yield compare(NAME, "three known hands on a flop, exact", "µs", 1e6, {HERE: flop}, False)

    times = {
        HERE: seconds(lambda: equity(["random"] * 6, samples=SAMPLES, workers=1)),
        f"{HERE}, 2 threads": seconds(lambda: equity(["random"] * 6, samples=SAMPLES, workers=2)),
    }
    yield compare(NAME, "six random hands, independent deals", "M/s", SAMPLES / 1e6, times, True)

    times = {
        HERE: seconds(lambda: compute_against_one(1)),
        f"{HERE}, 2 threads": seconds(lambda: compute_against_one(2)),
    }
    yield compare(NAME, "all 169 classes v a random hand, exact", "s", 1, times, False)

    times = {HERE: seconds(lambda: compute_sampled(SAMPLES, workers=1))}
    yield compare(NAME, "deals of ten hands for the preflop tables", "M/s", SAMPLES / 1e6, times, True)


def _peers(hand: str, against: str) -> Iterator[tuple[str, float]]:
    """Yield the seconds every installed peer takes for the exact equity of one hand against another."""
    try:
        import eval7

        cards = [[eval7.Card(held[:2]), eval7.Card(held[2:])] for held in (hand, against)]
        left = [card for card in eval7.Deck().cards if card not in cards[0] + cards[1]]

        def every_board() -> int:
            score = eval7.evaluate
            return sum(score([*cards[0], *board]) > score([*cards[1], *board]) for board in combinations(left, 5))

        yield "eval7, looped", seconds(every_board, 0)
    except ImportError:
        pass
    try:
        import poker_equity

        yield "poker-equity", seconds(lambda: poker_equity.exact_from_text("holdem", [hand, against]), 0)
    except ImportError:
        pass
