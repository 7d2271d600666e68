"""Hand evaluation compared with evaluators on PyPI, none of which takes an array."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.benchmarks import HERE, Measurement, compare, seconds
from fifthstreet.cards import Card
from fifthstreet.evaluation.enumeration import all_five, all_seven
from fifthstreet.evaluation.strength import evaluate, evaluate_7

NAME = "evaluation"
HANDS = 1_000_000
FEW = 2_000  # hands for evaluators that take one at a time

Prepared = tuple[Callable[[Any], object], list[Any]]
"""A peer's evaluator, and the hands in the form it takes."""


def measure() -> Iterator[list[Measurement]]:
    rng = np.random.default_rng(1)
    hands = np.argsort(rng.random((HANDS, 52)), axis=1)[:, :7].astype(np.uint8)
    few = hands[:FEW]
    peers = {name: taken * HANDS / FEW for name, taken in _peers(few)}

    batch = {
        HERE: seconds(lambda: evaluate(hands)),
        f"{HERE}, 2 threads": seconds(lambda: evaluate(hands, workers=2)),
    }
    yield compare(NAME, "a million random 7-card hands", "M/s", HANDS / 1e6, batch | peers, True)

    single, rows = evaluate_7.dispatcher, few.tolist()

    def one_by_one() -> None:
        for row in rows:
            single(*row)

    one = {HERE: seconds(one_by_one) * HANDS / FEW}
    yield compare(NAME, "one 7-card hand per call", "M/s", HANDS / 1e6, one | peers, True)

    hundred = hands[:100]
    whole = seconds(lambda: [evaluate(hundred) for _ in range(1000)]) / 1000
    overhead = whole - 100 * batch[HERE] / HANDS
    yield compare(NAME, "overhead of a call with 100 hands", "µs", 1e6, {HERE: overhead}, False)

    five, seven = (
        seconds(all_five),
        seconds(lambda: [part.size for a in range(6, 52) for part in all_seven(a)]),
    )
    yield compare(NAME, "all 5-card hands in order", "M/s", 2.598960, {HERE: five}, True)
    yield compare(NAME, "all 7-card hands in order", "M/s", 133.784560, {HERE: seven}, True)


def _peers(hands: NDArray[np.uint8]) -> Iterator[tuple[str, float]]:
    """Yield the seconds every installed peer takes for these hands."""
    texts = [[str(Card(card)) for card in hand] for hand in hands.tolist()]
    for name, prepare in _PEERS.items():
        try:
            call, given = prepare(texts)
        except ImportError:
            continue

        def work(call: Callable[[Any], object] = call, given: list[Any] = given) -> None:
            for hand in given:
                call(hand)

        yield name, seconds(work)


def _eval7(texts: list[list[str]]) -> Prepared:
    import eval7

    return eval7.evaluate, [[eval7.Card(card) for card in hand] for hand in texts]


def _pkrbot(texts: list[list[str]]) -> Prepared:
    import pkrbot

    return pkrbot.evaluate, [[pkrbot.Card(card) for card in hand] for hand in texts]


def _phevaluator(texts: list[list[str]]) -> Prepared:
    import phevaluator

    numbers = [[phevaluator.Card(card).id_ for card in hand] for hand in texts]
    return lambda hand: phevaluator.evaluate_cards(*hand), numbers


def _treys(texts: list[list[str]]) -> Prepared:
    import treys

    judge = treys.Evaluator()
    return lambda hand: judge.evaluate(hand[:5], hand[5:]), [[treys.Card.new(c) for c in hand] for hand in texts]


def _holdem_hand_evaluator(texts: list[list[str]]) -> Prepared:
    import holdem_hand_evaluator

    return holdem_hand_evaluator.evaluate_hand, ["".join(hand) for hand in texts]


_PEERS: dict[str, Callable[[list[list[str]]], Prepared]] = {
    "pkrbot": _pkrbot,
    "holdem-hand-evaluator": _holdem_hand_evaluator,
    "eval7": _eval7,
    "phevaluator": _phevaluator,
    "treys": _treys,
}
