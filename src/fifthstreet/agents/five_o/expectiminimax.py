"""Search with sampled decks, each played as if its order were known, and a vote (§II.B.3).

For every sampled order of the unseen cards, alpha-beta finds the best column, as if both players saw the order; the
column that is best most often is taken. The value of a position where the search stops is one of the state evaluations.
With `time`, seconds a move on one core, as many decks are searched as fit, by a speed that is measured once in a
process. With `reply=no` the search does as the authors' program did, not as their text says: the opponent's reply to
the root placement is left out.
"""

import functools
import math
import time
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.five_o.chances import unseen_cards, unseen_counts
from fifthstreet.agents.five_o.hands import ALL_LEFT, SUITS_LEFT
from fifthstreet.agents.five_o.probable import Exact, by_chance
from fifthstreet.agents.five_o.states import KINDS, difference, hand_value, state_value
from fifthstreet.errors import InputError, whole
from fifthstreet.games.five_o import (
    COLUMNS,
    HIDDEN,
    MOVES,
    NEXT,
    PLACED,
    PLACEMENTS,
    SEAT,
    at_random,
    is_open,
    place_of,
    placing,
    row_of,
)
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.kernel import kernel
from fifthstreet.rng import below, stream

# In the mind: as the exact player has them samples and ties, then these.
DEPTH, DECKS, EVALUATION, REPLY, OWN_LAST_ROW, LEAVES = 2, 3, 4, 5, 6, 7
INFINITE = 1e18
MOST_DECKS = 1_000_000


@kernel
def count_card(left: Any, card: int, change: int) -> None:
    left[card >> 2] += change
    left[SUITS_LEFT + (card & 3)] += change
    left[ALL_LEFT] += change


@kernel
def placed_by(placed: int, seat: int) -> int:
    """How many of so many placements are a seat's."""
    return (placed + 1 - seat) // 2


@kernel
def search(
    data: Any, left: Any, cards: Any, first: int, depth: int, low: float, high: float, kind: int, leaves: Any
) -> float:
    """The value for `data[SEAT]` of the position with cards[first] to be placed, between two bounds.

    Alpha-beta with its own stack, because Numba cannot read recursive code back from its cache. As the order of the
    cards is known, what is unseen at the leaves is the same for all of them. So every hand is valued as at a leaf from
    the start, and a placement changes the value of one.
    """
    me, depth = data[SEAT], min(depth, PLACEMENTS - data[PLACED])
    for later in range(1, depth):
        count_card(left, cards[first + later], -1)
    values, differences, total = np.empty((2, COLUMNS)), np.empty(COLUMNS), 0.0
    for column in range(COLUMNS):
        for side in range(2):
            placed = placed_by(data[PLACED] + depth, side)
            values[side, column] = hand_value(data, side, column, placed, left, kind)
        differences[column] = difference(values[me, column], values[1 - me, column], kind)
        total += differences[column]
    tried, best = np.empty(depth, np.int64), np.empty(depth)
    lows, highs = np.empty(depth), np.empty(depth)
    before = np.empty((depth, 3))  # the value of a hand, the difference and the total before a placement
    level, entering = 0, True
    while True:
        seat, row = placing(data), row_of(data)
        if entering:
            tried[level], best[level] = -1, -INFINITE if seat == me else INFINITE
            lows[level], highs[level] = (low, high) if level == 0 else (lows[level - 1], highs[level - 1])
            entering = False
        column = tried[level] + 1
        while column < COLUMNS and data[place_of(seat, column, row)] >= 0:
            column += 1
        if column < COLUMNS and lows[level] < highs[level]:
            tried[level], place = column, place_of(seat, column, row)
            data[place] = cards[first + level]
            new = hand_value(data, seat, column, placed_by(data[PLACED] + depth - level, seat), left, kind)
            mine, theirs = (new, values[1 - me, column]) if seat == me else (values[me, column], new)
            changed = difference(mine, theirs, kind)
            value = total - differences[column] + changed
            if level < depth - 1:
                before[level, 0], before[level, 1], before[level, 2] = values[seat, column], differences[column], total
                values[seat, column], differences[column], total = new, changed, value
                data[PLACED] += 1
                level += 1
                entering = True
                continue
            leaves[0] += 1
            data[place] = -1
        elif level == 0:
            for later in range(1, depth):
                count_card(left, cards[first + later], 1)
            return best[0]
        else:  # back to the position before, which learns the value
            value = best[level]
            level -= 1
            data[PLACED] -= 1
            seat, row = placing(data), row_of(data)
            column = tried[level]
            data[place_of(seat, column, row)] = -1
            values[seat, column], differences[column], total = before[level, 0], before[level, 1], before[level, 2]
        if seat == me:
            best[level] = max(best[level], value)
            lows[level] = max(lows[level], value)
        else:
            best[level] = min(best[level], value)
            highs[level] = min(highs[level], value)


@kernel
def imagine_order(view: Any, words: Any, data: Any, cards: Any) -> None:
    """A deck that fits the view: the opponent's hidden cards laid into `data`, and the cards in the order of play."""
    deck = np.empty(52, np.int64)
    size = unseen_cards(view, deck)
    for i in range(size - 1):
        place = i + below(words, size - i)
        deck[i], deck[place] = deck[place], deck[i]
    data[:] = view
    used, other = 0, 1 - view[SEAT]
    for ply in range(2 * COLUMNS * (view[HIDDEN] - 1) + other, view[PLACED], 2):
        place = place_of(other, view[MOVES + ply], view[HIDDEN])
        if ply // (2 * COLUMNS) == view[HIDDEN] - 1 and data[place] < 0:
            data[place] = deck[used]
            used += 1
    cards[0] = view[NEXT]
    for i in range(used, size):
        cards[1 + i - used] = deck[i]


@kernel
def vote(view: Any, mind: Any, words: Any, votes: Any, values: Any) -> int:
    """Which column is best in how many decks, and the sum of its values in them."""
    data, cards = np.empty_like(view), np.empty(60, np.int64)
    depth, kind = int(mind[DEPTH]), int(mind[EVALUATION])
    row, me = row_of(view), view[SEAT]
    votes[:], values[:] = 0, 0.0
    leaves = np.zeros(1, np.int64)
    for deck in range(int(mind[DECKS])):
        if deck > 0 and leaves[0] >= mind[LEAVES]:
            break
        imagine_order(view, words, data, cards)
        left = unseen_counts(data)
        best, chosen = -INFINITE, -1
        for column in range(COLUMNS):
            place = place_of(me, column, row)
            if data[place] >= 0:
                continue
            data[place] = cards[0]
            data[PLACED] += 1
            value = value_after(data, left, cards, depth, best, kind, mind[REPLY] > 0, leaves)
            data[PLACED] -= 1
            data[place] = -1
            values[column] += value
            if value > best:
                best, chosen = value, column
        votes[chosen] += 1
    winner = -1
    for column in range(COLUMNS):
        if is_open(view, column) and (winner < 0 or votes[column] > votes[winner]):
            winner = column
    return winner


@kernel
def value_after(data: Any, left: Any, cards: Any, depth: int, low: float, kind: int, reply: bool, leaves: Any) -> float:
    """The value of the position after the root placement."""
    if depth <= 1 or data[PLACED] == PLACEMENTS:
        leaves[0] += 1
        return whole_value(data, left, kind)
    if reply:
        count_card(left, cards[1], -1)
        value = search(data, left, cards, 1, depth - 1, low, INFINITE, kind, leaves)
        count_card(left, cards[1], 1)
        return value
    if data[PLACED] == PLACEMENTS - 1:
        leaves[0] += 1
        return whole_value(data, left, kind)
    data[PLACED] += 1  # the opponent's card goes nowhere
    count_card(left, cards[2], -1)
    value = search(data, left, cards, 2, depth - 1, low, INFINITE, kind, leaves)
    count_card(left, cards[2], 1)
    data[PLACED] -= 1
    return value


@kernel
def whole_value(data: Any, left: Any, kind: int) -> float:
    me, placed = data[SEAT], data[PLACED]
    return state_value(data, me, placed_by(placed, me), placed_by(placed, 1 - me), left, kind)


@kernel
def by_vote(view: Any, mind: Any, words: Any) -> int:
    if row_of(view) == 4 and mind[OWN_LAST_ROW] == 0:
        return by_chance(view, mind, words)
    return vote(view, mind, words, np.empty(COLUMNS, np.int64), np.empty(COLUMNS))


@dataclass
class Expectiminimax(Agent):
    """Searches sampled decks as if their order were known, and takes the column that is best in most of them."""

    name: ClassVar[str] = "expectiminimax"
    games: ClassVar[tuple[str, ...]] = ("five-o",)
    source: ClassVar[str] = "five-o §II.B.3"

    depth: int = 3
    decks: int = 100
    evaluation: Literal["greedy-1", "greedy-2", "fast-greedy-2"] = "fast-greedy-2"
    time: float | None = None
    reply: bool = True
    last_row: Literal["exact", "own"] = "exact"

    def __post_init__(self) -> None:
        self.depth = whole(self.depth, "plies of depth", least=1, most=20)
        self.decks = whole(self.decks, "decks", least=1, most=MOST_DECKS)
        if self.time is not None and not 0 < self.time <= 3600:
            raise InputError(f"time={self.time!r}: seconds a move, above 0 and up to 3600")

    def decide(self, turn: Turn) -> Decision:
        data = turn.view.data
        if row_of(data) == 4 and self.last_row == "exact":
            return Exact().decide(turn)
        votes, values = np.empty(COLUMNS, np.int64), np.empty(COLUMNS)
        best = vote(data, turn.mind, turn.rng.state, votes, values)
        opened, decks = [column for column in range(COLUMNS) if is_open(data, column)], int(votes.sum())
        return Decision(
            best,
            values={column: float(values[column]) / decks for column in opened},
            reason=f"column {best + 1} is best in {votes[best]} of {decks} decks, {self.depth} plies deep",
            figures={"votes": {column: int(votes[column]) for column in opened}},
        )

    def policy(self, game: AnyGame) -> Policy | None:
        return by_vote

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        decks, leaves = (
            (self.decks, math.inf) if self.time is None else (MOST_DECKS, self.time * _leaves_a_second(self.evaluation))
        )
        settings = [self.depth, decks, KINDS[self.evaluation], self.reply, self.last_row == "own", leaves]
        return np.array([0, 1.0, *settings], np.float64)


@functools.cache
def _leaves_a_second(evaluation: str) -> float:
    """How many leaves one core evaluates in a second, measured once in a process."""
    leaves, seconds = sample_searches(5, 100, evaluation)
    return leaves / seconds


def sample_searches(depth: int, decks: int, evaluation: str) -> tuple[int, float]:
    """The leaves that some searches from the first deal evaluate, and the seconds that they take, the best of three."""
    view = at_random(0, stream(0, "speed")).data
    best, counted = math.inf, 0
    for attempt in range(4):  # the first compiles
        rng, leaves = stream(1, "speed"), np.zeros(1, np.int64)
        data, cards = np.empty_like(view), np.empty(60, np.int64)
        begin = time.perf_counter()
        for _ in range(decks):
            imagine_order(view, rng.state, data, cards)
            search(data, unseen_counts(data), cards, 0, depth, -INFINITE, INFINITE, KINDS[evaluation], leaves)
        if attempt:
            best = min(best, time.perf_counter() - begin)
        counted = int(leaves[0])
    return counted, best
