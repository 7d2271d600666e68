"""Equity of the 169 starting hands against 1 to 9 random hands: exact heads-up, sampled against more.

Both tables are computed once and kept in the user's cache.
"""

import functools
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet import rng
from fifthstreet.cards import RANKS, Card
from fifthstreet.errors import whole
from fifthstreet.estimate import share
from fifthstreet.evaluation import sampled
from fifthstreet.evaluation.ranges import CLASSES, class_of, combos_of
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, Ints, strength_7
from fifthstreet.kernel import kernel
from fifthstreet.learned import Recipe
from fifthstreet.learned.steps import State, in_steps
from fifthstreet.parallel import in_order

Floats = NDArray[np.float64]

_U = np.uint64

DEALS = 40_000_000  # enough for ±0.001 for every class and number of players
_UNIT = 1_000_000
DEALS_AGAINST_ONE = 2_097_572_400  # boards times opposing hands: C(50, 5) · C(45, 2)
PLAYED_BY = ("holdem", "hand-strength")  # the game, and an agent that plays by these tables


@dataclass(frozen=True)
class Preflop:
    """A class of starting hands with `players` at the table: its pot share, and half the width of the 95 % interval."""

    hand: str
    players: int
    share: float
    half_width: float
    deals: int


def preflop_table(players: int) -> dict[str, Preflop]:
    """Return the equity of all 169 classes at a table of 2 to 10 players with random hands, none of whom folds."""
    players = whole(players, "players", least=2, most=10)
    if players == 2:
        wins, _, ties = against_one()
        exact = (wins + ties / 2) / DEALS_AGAINST_ONE
        return {name: Preflop(name, 2, float(exact[i]), 0.0, DEALS_AGAINST_ONE) for i, name in enumerate(CLASSES)}
    counts, shares, squares = _sampled_tables()
    table = {}
    for i, name in enumerate(CLASSES):
        found = share(float(shares[i, players - 1]), float(squares[i, players - 1]), int(counts[i]))
        table[name] = Preflop(name, players, found.value, found.half_width, found.count)
    return table


def triangle(table: dict[str, Preflop], suited: bool = False) -> list[list[str]]:
    """Return the equities with five decimals as Dreher and Zharkov keep them in files (Figure 3.2 of their report).

    A row for each lower card, from the deuce up, with the higher card from the deuce to the ace as columns, empty
    below the diagonal: pairs and offsuit hands, or the suited ones, which leave the diagonal empty too.
    """

    def cell(low: int, high: int) -> str:
        if high < low or (suited and high == low):
            return ""
        name = RANKS[high] + RANKS[low] + ("" if high == low else "s" if suited else "o")
        return f"{table[name].share:.5f}"

    return [[cell(low, high) for high in range(13)] for low in range(13)]


def ordered_classes() -> list[str]:
    """Return the 169 classes from best to worst against one random hand."""
    table = preflop_table(2)
    return sorted(CLASSES, key=lambda name: (-table[name].share, CLASSES.index(name)))


@kernel
def class_number(a: int, b: int) -> int:
    """Return the index of a hand's class in CLASSES."""
    high, low = max(a, b) >> 2, min(a, b) >> 2
    if (a & 3) == (b & 3):
        return (12 - high) * 13 + 12 - low
    return (12 - low) * 13 + 12 - high


@functools.cache
def against_one() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return each class's exact wins, losses and ties against a random hand, over all 2,097,572,400 deals."""
    found = recipe_against_one().arrays()
    return found["wins"], found["losses"], found["ties"]


def recipe_against_one() -> Recipe:
    shapes = dict.fromkeys(("wins", "losses", "ties"), (169,))
    return Recipe(__file__, "preflop-heads-up", compute_against_one, *PLAYED_BY, 10, DEALS_AGAINST_ONE, shapes)


def compute_against_one(workers: int | None = None) -> dict[str, Ints]:
    """Compute the table that `against_one` caches."""
    boards, weights = canonical_boards()
    cuts = [(boards[i : i + 10_000], weights[i : i + 10_000]) for i in range(0, len(boards), 10_000)]
    total = sum(in_order(_against_one_on, cuts, workers), np.zeros((3, 169), np.int64))
    combos = np.array([len(combos_of(name)) for name in CLASSES])
    return {name: total[i] // combos for i, name in enumerate(("wins", "losses", "ties"))}


def _against_one_on(some: tuple[NDArray[np.uint8], Ints]) -> Ints:
    """Wins, losses and ties by class on these boards with their weights."""
    counts = np.zeros((3, 169), np.int64)
    _count_boards(*some, _class_index(), counts)
    return counts


def canonical_boards() -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the 134,459 boards that are distinct up to relabelling suits, and how many boards each stands for."""
    ranks = np.array([r for r in combinations_with_replacement(range(13), 5) if r[0] != r[4]])
    boards, weights = np.empty((134_459, 5), np.uint8), np.empty(134_459, np.int64)
    found = _canonical(ranks, np.array(list(permutations(range(4)))), boards, weights)
    if found != len(boards) or weights.sum() != 2_598_960:
        raise AssertionError(f"{found} boards for {weights.sum()}")
    return boards, weights


@kernel
def _canonical(rank_sets: Ints, orders: Ints, boards: NDArray[np.uint8], weights: Ints) -> int:
    """For each rank multiset, keep the suit patterns that no permutation of suits makes smaller; return the count."""
    found = 0
    suits, other = np.zeros(5, np.int64), np.zeros(5, np.int64)
    for row in range(rank_sets.shape[0]):
        ranks = rank_sets[row]
        for pattern in range(1024):
            legal = True
            for i in range(5):
                suits[i] = (pattern >> (2 * (4 - i))) & 3
                if i > 0 and ranks[i] == ranks[i - 1] and suits[i] <= suits[i - 1]:
                    legal = False
                    break
            if not legal:
                continue
            smallest, same = True, 0
            for order in range(24):
                for i in range(5):
                    other[i] = orders[order, suits[i]]
                for i in range(1, 5):  # suits of equal ranks in ascending order again
                    j = i
                    while j > 0 and ranks[j] == ranks[j - 1] and other[j] < other[j - 1]:
                        other[j], other[j - 1] = other[j - 1], other[j]
                        j -= 1
                code = 0
                for i in range(5):
                    code = code * 4 + other[i]
                if code < pattern:
                    smallest = False
                    break
                same += code == pattern
            if smallest:
                for i in range(5):
                    boards[found, i] = ranks[i] * 4 + suits[i]
                weights[found] = 24 // same
                found += 1
    return found


@kernel
def _count_boards(boards: NDArray[np.uint8], weights: Ints, class_index: Ints, counts: Ints) -> None:
    """Play every hand against every other on every board, adding wins, losses and ties to `counts`.

    The few distinct strengths that occur on a board are numbered in order. The opponents that a hand beats are all
    weaker hands minus those that share a card with it, so one running count of all hands and one per card suffice.
    """
    number_of = np.zeros(7463, np.int16)
    seen = np.zeros(7463, np.int32)
    deck = np.zeros(47, np.int64)
    first, second = np.zeros(1081, np.int64), np.zeros(1081, np.int64)
    strengths = np.zeros(1081, np.uint16)
    distinct = np.zeros(1081, np.uint16)
    total = np.zeros(1082, np.int32)
    with_card = np.zeros((1082, 47), np.int16)
    for b in range(boards.shape[0]):
        key, bits = EMPTY, _U(0)
        for card in boards[b]:
            key += KEY[card]
            bits |= BIT[card]
        size = 0
        for card in range(52):
            if not bits & BIT[card]:
                deck[size] = card
                size += 1
        hands, values = 0, 0
        for i in range(47):
            key_i, bits_i = key + KEY[deck[i]], bits | BIT[deck[i]]
            for j in range(i):
                value = strength_7(key_i + KEY[deck[j]], bits_i | BIT[deck[j]])
                first[hands], second[hands], strengths[hands] = i, j, value
                if seen[value] != b + 1:
                    seen[value] = b + 1
                    distinct[values] = value
                    values += 1
                hands += 1
        ordered = np.sort(distinct[:values])
        for v in range(values):
            number_of[ordered[v]] = v
        total[: values + 1] = 0
        with_card[: values + 1] = 0
        for h in range(hands):
            v = number_of[strengths[h]] + 1
            total[v] += 1
            with_card[v, first[h]] += 1
            with_card[v, second[h]] += 1
        for v in range(1, values + 1):
            total[v] += total[v - 1]
            for i in range(47):
                with_card[v, i] += with_card[v - 1, i]
        weight = weights[b]
        for h in range(hands):
            v = number_of[strengths[h]]
            i, j = first[h], second[h]
            worse = total[v] - with_card[v, i] - with_card[v, j]
            # + 1 because the hand itself is subtracted twice
            not_better = total[v + 1] - with_card[v + 1, i] - with_card[v + 1, j] + 1
            hand_class = class_index[deck[i], deck[j]]
            counts[0, hand_class] += weight * worse
            counts[1, hand_class] += weight * (990 - not_better)
            counts[2, hand_class] += weight * (not_better - worse)


@functools.cache
def _class_index() -> NDArray[np.int64]:
    index = {name: i for i, name in enumerate(CLASSES)}
    table = np.zeros((52, 52), np.int64)
    for a in range(52):
        for b in range(52):
            if a != b:
                table[a, b] = index[class_of((Card(a), Card(b)))]
    return table


@functools.cache
def _sampled_tables() -> tuple[Ints, Floats, Floats]:
    found = recipe_sampled().arrays()
    return found["counts"], found["shares"], found["squares"]


def recipe_sampled() -> Recipe:
    shapes = {"counts": (169,), "shares": (169, 10), "squares": (169, 10)}
    return Recipe(__file__, "preflop-sampled", lambda: compute_sampled(DEALS), *PLAYED_BY, 120, DEALS, shapes)


def compute_sampled(deals: int, seed: int = 0, workers: int | None = None) -> dict[str, NDArray[Any]]:
    """Sample deals; return counts by class, and pot shares and squared shares by class and number of opponents."""
    unit, units = functools.partial(_sample, deals, rng.seeded(seed, "preflop")), -(-deals // _UNIT)
    together = 4  # units in a step

    def step(number: int, state: State) -> State:
        some = range(together * number, min(together * (number + 1), units))
        for part in in_order(unit, some, workers):
            state = {name: before + more for (name, before), more in zip(state.items(), part, strict=True)}
        return state

    def start() -> State:
        return {"counts": np.zeros(169, np.int64), "shares": np.zeros((169, 10)), "squares": np.zeros((169, 10))}

    return dict(in_steps("dealing to 10 players before the flop", -(-units // together), start, step))


def _sample(deals: int, base: rng.RngState, number: int) -> tuple[Ints, Floats, Floats]:
    """What one unit of these deals adds."""
    state = np.empty(4, np.uint64)
    rng.fork(base, number, state)
    counts, shares, squares = np.zeros(169, np.int64), np.zeros((169, 10)), np.zeros((169, 10))
    sampled.all_seats(min(_UNIT, deals - number * _UNIT), _class_index(), state, counts, shares, squares)
    return counts, shares, squares
