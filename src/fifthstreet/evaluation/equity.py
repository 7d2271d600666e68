"""Equity: the share of the pot that hands or ranges win when all cards are dealt; exact where that is affordable.

>>> print(equity(["AhKh", "QdQc"]))
AhKh  46.21 %  wins 787,966  ties 6,732
QdQc  53.79 %  wins 917,606  ties 6,732
exact, over 1,712,304 deals
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card, CardError, cards, show
from fifthstreet.errors import InputError, whole
from fifthstreet.estimate import Estimate, share
from fifthstreet.evaluation.exact import showdown
from fifthstreet.evaluation.ranges import ALL_COMBOS, Combo, Range, RangeError
from fifthstreet.evaluation.sampled import sample
from fifthstreet.evaluation.strength import BIT, Ints, Keys
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order
from fifthstreet.rng import fork, seeded

Hand = str | Range | Iterable[int]
Floats = NDArray[np.float64]
Report = Callable[[int, int], None]

SAMPLES = 1_000_000
MOST_SAMPLES = 1_000_000_000  # a few minutes; the interval is then ± 0.003 %
AFFORDABLE = 150_000_000  # showdowns enumerated by default: about a second
_UNIT = 50_000
_MOST_TUPLES = 500_000  # ways to deal the hands that are enumerated by default
_MOST_TUPLES_EVER = 5_000_000  # and with exact=True


@dataclass(frozen=True)
class PlayerEquity:
    """One player's result. `wins` and `ties` count deals (weighted, if a range has weights)."""

    hand: str
    wins: float
    ties: float
    share: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class Equity:
    """How often each player wins. `by_winners[mask]` counts the deals split by exactly the players in the mask."""

    method: str
    hands: tuple[str, ...]
    by_winners: NDArray[Any]

    @property
    def deals(self) -> float:
        return _number(self.by_winners.sum())

    @property
    def players(self) -> list[PlayerEquity]:
        return [self._player(i) for i in range(len(self.hands))]

    def _player(self, player: int) -> PlayerEquity:
        masks = np.arange(len(self.by_winners))
        winners = _bit_counts(len(self.hands))
        mine = self.by_winners * (masks >> player & 1)
        deals = self.by_winners.sum()
        alone = self.by_winners[1 << player]
        total, squares = float((mine / winners).sum()), float((mine / winners**2).sum())
        exact = self.method == "exact"
        found = Estimate.exact(total / float(deals)) if exact else share(total, squares, int(deals))
        ties = _number(mine.sum() - alone)
        return PlayerEquity(self.hands[player], _number(alone), ties, found.value, (found.low, found.high))

    def to_dict(self) -> dict[str, Any]:
        players = [vars(player) | {"ci95": list(player.ci95)} for player in self.players]
        return {"method": self.method, "deals": self.deals, "players": players}

    def __str__(self) -> str:
        players = self.players
        width = max(len(player.hand) for player in players)
        wins = max(len(f"{player.wins:,.10g}") for player in players)
        ties = max(len(f"{player.ties:,.10g}") for player in players)
        lines = []
        for player in players:
            half = (player.ci95[1] - player.ci95[0]) / 2
            interval = f" ± {100 * half:.2f}" if self.method == "sampled" else ""
            lines.append(
                f"{player.hand:<{width}}  {100 * player.share:5.2f}{interval} %"
                f"  wins {player.wins:>{wins},.10g}  ties {player.ties:>{ties},.10g}"
            )
        kind = "exact, over" if self.method == "exact" else "sampled, 95 % intervals, over"
        return "\n".join([*lines, f"{kind} {self.deals:,.12g} deals"])


def equity(
    hands: Iterable[Hand],
    board: str | Iterable[int] = "",
    dead: str | Iterable[int] = "",
    *,
    exact: bool | None = None,
    samples: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    report: Report | None = None,
) -> Equity:
    """Return the equity of 2 to 10 hands or ranges, given the board so far and any dead cards.

    By default all deals are enumerated if that takes about a second or less; otherwise a million are sampled.
    `exact=True` always enumerates, `samples` always samples. A seed gives the same sample for any number of workers.
    At most MOST_SAMPLES deals are sampled.
    """
    if isinstance(hands, str) or not isinstance(hands, Iterable):
        raise InputError(f"{hands!r} is not 2 to 10 hands: give a list of them")
    hands = list(hands)
    if not 2 <= len(hands) <= 10:
        raise InputError(f"{len(hands)} hand{'s' * (len(hands) != 1)} given: equity takes 2 to 10")
    if samples is not None:
        samples = whole(samples, "samples", least=1, most=MOST_SAMPLES)
        if exact:
            raise InputError("exact=True and samples cannot be combined")
    if workers is not None:
        workers = whole(workers, "workers", least=1)
    seed = whole(seed, "as a seed")
    spot = _Spot.read(hands, board, dead)
    if samples is None and exact is not False:
        if (single := spot.single) is not None:
            return Equity("exact", spot.names, spot.enumerate_one(single))
        groups = spot.groups() if exact or spot.tuples <= _MOST_TUPLES else None
        if groups is not None and (exact or len(groups[1]) * spot.showdowns() <= AFFORDABLE):
            return Equity("exact", spot.names, spot.enumerate_all(*groups, workers, report))
    return Equity("sampled", spot.names, spot.sample(samples or SAMPLES, seed, workers, report))


@dataclass(frozen=True)
class _Spot:
    """A validated query: the hands each player may hold, the board and the dead cards."""

    names: tuple[str, ...]
    holdings: tuple[tuple[Combo, ...], ...]
    weights: tuple[tuple[float, ...] | None, ...]  # None: all equal
    random: tuple[bool, ...]
    board: list[Card]
    dead: list[Card]

    @classmethod
    def read(cls, hands: Sequence[Hand], board: str | Iterable[int], dead: str | Iterable[int]) -> "_Spot":
        on_board, gone = _read_cards(board, "board"), _read_cards(dead, "dead cards")
        if len(on_board) > 5:
            raise CardError(f"{show(on_board)!r} has {len(on_board)} cards: a board has at most 5")
        ranges = [_read_hand(hand) for hand in hands]
        known = [*on_board, *gone]
        for i, found in enumerate(ranges):
            if isinstance(found, tuple):
                for card in found:
                    if card in known:
                        raise CardError(f"{card} is there twice: in hand {i + 1}, {show(found)!r}, and elsewhere")
                    known.append(card)
        if len(set(known)) != len(known):
            twice = next(card for card in on_board if card in gone)
            raise CardError(f"{twice} is there twice: on the board {show(on_board)!r} and in {show(gone)!r}")
        if 52 - len(known) < 5 - len(on_board) + 2 * sum(not isinstance(found, tuple) for found in ranges):
            raise CardError(f"{len(gone)} dead cards leave too few to deal: {show(gone)!r}")
        names: list[str] = []
        holdings: list[tuple[Combo, ...]] = []
        weights: list[tuple[float, ...] | None] = []
        random: list[bool] = []
        for found in ranges:
            if isinstance(found, tuple):
                names.append(show(found))
                holdings.append((found,))
                weights.append(None)
                random.append(False)
            else:
                left = found.without(known)
                values = tuple(left.weights.values())
                names.append(found.text)
                holdings.append(left.combos)
                weights.append(values if set(values) != {1.0} else None)
                random.append(found.is_random)
        return cls(tuple(names), tuple(holdings), tuple(weights), tuple(random), on_board, gone)

    @property
    def single(self) -> tuple[Combo, ...] | None:
        """The players' hands if all of them are known, else None."""
        if all(len(holding) == 1 for holding in self.holdings) and not any(self.weights):
            return tuple(holding[0] for holding in self.holdings)
        return None

    @property
    def tuples(self) -> int:
        return math.prod(len(holding) for holding in self.holdings)

    def showdowns(self) -> int:
        """Return roughly how many showdowns it takes to enumerate the boards for one tuple of hands."""
        to_come = 5 - len(self.board)
        overhead = 4_000  # of one call, in showdowns; both numbers are rough, they only choose exact or sampled
        return overhead + len(self.holdings) * (40_000 if to_come > 2 else math.comb(48, to_come))

    def enumerate_one(self, hands: Sequence[Combo]) -> NDArray[np.int64]:
        wins = np.zeros(1 << len(hands), np.int64)
        showdown(np.array(hands, np.int64), np.array(self.board, np.int64), np.array(self.dead, np.int64), wins)
        return wins

    def groups(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the tuples of hands that are distinct up to relabelling suits, and the total weight of each."""
        if self.tuples > _MOST_TUPLES_EVER:
            raise InputError(
                f"{' v '.join(self.names)} can be dealt in up to {self.tuples:,} ways: too many to enumerate"
            )
        numbers = _combo_numbers()
        players = len(self.holdings)
        flat = np.concatenate([[numbers[combo] for combo in holding] for holding in self.holdings])
        weights = np.concatenate([w or (1.0,) * len(h) for w, h in zip(self.weights, self.holdings, strict=True)])
        starts = np.cumsum([0, *map(len, self.holdings)])
        renamings = self._renamings() if players <= 6 else _renamed_combos()[:1]  # a tuple's code has 64 bits
        rows = np.empty((self.tuples, players), np.int16)
        found_weights, codes = np.empty(self.tuples), np.empty(self.tuples, np.uint64)
        count = _tuples(flat, weights, starts, _combo_bits(), renamings, rows, found_weights, codes)
        if count == 0:
            raise self._impossible()
        if players > 6:
            return rows[:count].astype(np.int64), found_weights[:count]
        _, first, inverse = np.unique(codes[:count], return_index=True, return_inverse=True)
        return rows[first].astype(np.int64), np.bincount(inverse, found_weights[:count]).astype(np.float64)

    def _renamings(self) -> NDArray[np.int16]:
        """Return the permutations of suits that leave the board and the dead cards unchanged."""
        kept = []
        for number, order in enumerate(permutations(range(4))):
            fixed = all({Card.of(c.rank, order[c.suit]) for c in row} == set(row) for row in (self.board, self.dead))
            if fixed:
                kept.append(number)
        return _renamed_combos()[kept]

    def enumerate_all(
        self,
        rows: NDArray[np.int64],
        weights: NDArray[np.float64],
        workers: int | None,
        report: Report | None,
    ) -> NDArray[Any]:
        def one(row: NDArray[np.int64]) -> NDArray[np.int64]:
            return self.enumerate_one([ALL_COMBOS[number] for number in row])

        total = np.zeros(1 << len(self.holdings))
        for done, (weight, wins) in enumerate(zip(weights, in_order(one, rows, workers), strict=True), 1):
            total += weight * wins
            if report:
                report(done, len(rows))
        return total if any(self.weights) else total.astype(np.int64)

    def sample(self, deals: int, seed: int, workers: int | None, report: Report | None) -> NDArray[np.int64]:
        if self.tuples < _MOST_TUPLES and not next(self._together(), None):
            raise self._impossible()
        listed = [() if random else holding for random, holding in zip(self.random, self.holdings, strict=True)]
        combos = np.array([combo for holding in listed for combo in holding], np.int64).reshape(-1, 2)
        starts = np.cumsum([0, *map(len, listed)])
        keep, alias = np.ones(len(combos)), np.arange(len(combos))
        for player, weights in enumerate(self.weights):
            if weights is not None and listed[player]:
                part = slice(starts[player], starts[player + 1])
                keep[part], alias[part] = _alias(np.array(weights))
                alias[part] += starts[player]
        known = {*self.board, *self.dead}
        known.update(card for holding in listed if len(holding) == 1 for card in holding[0])
        deck = np.array([card for card in range(52) if card not in known], np.int64)
        board, base = np.array(self.board, np.int64), seeded(seed, "equity")

        def unit(number: int) -> NDArray[np.int64] | None:
            rng, wins = np.empty(4, np.uint64), np.zeros(1 << len(listed), np.int64)
            fork(base, number, rng)
            size = min(_UNIT, deals - number * _UNIT)
            return wins if sample(combos, keep, alias, starts, board, deck, rng, size, wins) else None

        units = -(-deals // _UNIT)
        total = np.zeros(1 << len(listed), np.int64)
        for done, wins in enumerate(in_order(unit, range(units), workers), 1):
            if wins is None:
                raise self._impossible("can be dealt together too rarely to be sampled")
            total += wins
            if report:
                report(done, units)
        return total

    def _together(self, taken: frozenset[Card] = frozenset(), player: int = 0) -> Iterator[bool]:
        """Yield True once for every way to deal all ranges together without sharing a card."""
        if player == len(self.holdings):
            yield True
            return
        for combo in self.holdings[player]:
            if not taken.intersection(combo):
                yield from self._together(taken.union(combo), player + 1)

    def _impossible(self, why: str = "cannot be dealt together") -> RangeError:
        return RangeError(f"the ranges {' v '.join(repr(name) for name in self.names)} {why}")


def _read_cards(given: str | Iterable[int], what: str) -> list[Card]:
    try:
        return cards(given)
    except CardError as error:
        raise CardError(f"{what}: {error}") from None


def _read_hand(given: Hand) -> Combo | Range:
    """Return a known hand as two cards, anything else as a Range."""
    if isinstance(given, Range):
        return given if len(given) > 1 or set(given.weights.values()) != {1.0} else given.combos[0]
    if isinstance(given, str):
        if len(given) == 4:
            try:
                first, second = Card.parse(given[:2]), Card.parse(given[2:])
            except CardError:
                return Range.parse(given)
            if first == second:
                raise CardError(f"{first} is there twice in {given!r}")
            return first, second
        compact = "".join(given.replace(",", " ").split()).replace("10", "T")
        if compact != given and len(compact) == 4 and compact[1] in "cdhsCDHS" and compact[3] in "cdhsCDHS":
            return _read_hand(compact)
        return Range.parse(given)
    found = cards(given)
    if len(found) != 2:
        raise CardError(f"{show(found)!r} has {len(found)} cards: a starting hand has 2")
    return found[0], found[1]


def _number(value: Any) -> float:
    return int(value) if float(value).is_integer() else float(value)


@cache
def _bit_counts(players: int) -> NDArray[np.int64]:
    counts = np.array([mask.bit_count() for mask in range(1 << players)])
    counts[0] = 1  # mask 0 has no winners and no deals; avoids dividing by 0
    return counts


@cache
def _combo_numbers() -> dict[Combo, int]:
    return {order: number for number, (a, b) in enumerate(ALL_COMBOS) for order in ((a, b), (b, a))}


@cache
def _combo_bits() -> NDArray[np.uint64]:
    return np.array([BIT[a] | BIT[b] for a, b in ALL_COMBOS])


@cache
def _renamed_combos() -> NDArray[np.int16]:
    """Return the combo that each combo becomes under each of the 24 suit permutations; the first is the identity."""
    numbers = _combo_numbers()
    return np.array(
        [
            [numbers[Card.of(a.rank, order[a.suit]), Card.of(b.rank, order[b.suit])] for a, b in ALL_COMBOS]
            for order in permutations(range(4))
        ],
        np.int16,
    )


@kernel
def _tuples(
    flat: Ints,
    weights: Floats,
    starts: Ints,
    bits: Keys,
    renamings: NDArray[np.int16],
    rows: NDArray[np.int16],
    found_weights: Floats,
    codes: Keys,
) -> int:
    """List all deals of one hand per player without a shared card, with their weights; return how many there are.

    Deals that differ only by a permutation of suits get the same code, the smallest over all permutations.
    """
    players = starts.size - 1
    place = starts[:-1].copy()
    taken = np.zeros(players + 1, np.uint64)
    found, player = 0, 0
    while player >= 0:
        if place[player] == starts[player + 1]:
            place[player] = starts[player]
            player -= 1
            if player >= 0:
                place[player] += 1
            continue
        held = bits[flat[place[player]]]
        if taken[player] & held:
            place[player] += 1
            continue
        taken[player + 1] = taken[player] | held
        if player < players - 1:
            player += 1
            continue
        weight, best = 1.0, np.uint64(0xFFFFFFFFFFFFFFFF)
        for p in range(players):
            rows[found, p] = flat[place[p]]
            weight *= weights[place[p]]
        for r in range(renamings.shape[0]):
            code = np.uint64(0)
            for p in range(players):
                code = code * np.uint64(1326) + np.uint64(renamings[r, rows[found, p]])
            best = min(best, code)
        found_weights[found], codes[found] = weight, best
        found += 1
        place[player] += 1
    return found


def _alias(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the tables of Walker's alias method: keep entry i with probability keep[i], otherwise use alias[i]."""
    scaled = weights * (len(weights) / weights.sum())
    keep, alias = np.ones(len(weights)), np.arange(len(weights))
    small = [i for i, w in enumerate(scaled) if w < 1]
    large = [i for i, w in enumerate(scaled) if w >= 1]
    while small and large:
        low, high = small.pop(), large[-1]
        keep[low], alias[low] = scaled[low], high
        scaled[high] -= 1 - scaled[low]
        if scaled[high] < 1:
            small.append(large.pop())
    return keep, alias
