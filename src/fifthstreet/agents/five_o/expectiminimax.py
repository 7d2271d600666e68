"""Search with sampled decks, each played as if its order were known, and a vote (§II.B.3).

For every sampled order of the unseen cards, alpha-beta finds the best column, as if both players saw the order; the
column that is best most often is taken. That is the authors' variant. With `choose=average` it is the column with the
best mean value over all decks, as in the equation above it; then every value has to be exact, which prunes less.
Positions where the search stops are valued by one of the state evaluations.

A move ends after `decks`, or when it has valued `leaves` positions, or as many as take `time`: seconds per move on one
core, by a speed that is measured once per process. It always searches one deck.

In the authors' program the player places two cards before the opponent replies, and three plies follow its first
placement: `reply=no,depth=4`. `values=program` values hands as there (see `hands`).
"""

import functools
import math
import time
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.five_o.chances import Board, Chances, Numbers, count_card, read_cards, unseen_cards
from fifthstreet.agents.five_o.hands import LEFT, Counts
from fifthstreet.agents.five_o.probable import Exact, by_chance
from fifthstreet.agents.five_o.states import INTERPRETED, KINDS, Values, difference, hand_value, state_value
from fifthstreet.errors import InputError, whole
from fifthstreet.games.deck import CARDS
from fifthstreet.games.five_o import COLUMNS, PLACEMENTS, ROWS, FiveOView, at_random, is_open, row_of, seat_of
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, pick_some, stream

# In the mind: as the exact player has them samples and ties, then these.
DEPTH, DECKS, EVALUATION, REPLY, OWN_LAST_ROW, LEAVES, AVERAGE = 2, 3, 4, 5, 6, 7, 8
INFINITE = 1e18
MOST_DECKS = 1_000_000


class Sampled(NamedTuple):
    """A sampled deck, for a search to play with."""

    board: Board  # the cards on the table, the opponent's hidden ones among them
    order: Numbers  # the cards in the order in which they will be placed, the drawn one first
    left: Counts  # the cards still in the deck


@kernel
def empty_sample() -> Sampled:
    return Sampled(np.empty((2, COLUMNS, ROWS), np.int64), np.empty(CARDS, np.int64), np.empty(LEFT, np.int64))


@kernel
def sample_deck(view: FiveOView, rng: RngState, sampled: Sampled) -> None:
    """Fill `sampled` with a random deck that fits the view."""
    board, order, left = sampled
    deck = np.empty(CARDS, np.int64)
    size = unseen_cards(view, deck)
    pick_some(rng, deck, size, size - 1)
    read_cards(view, board)
    used, other, first = 0, 1 - view.seat, 2 * COLUMNS * (view.hidden - 1)  # the hidden row's first placement
    for placement in range(first + other, min(view.placed, first + 2 * COLUMNS), 2):
        column = view.moves[placement]
        if board[other, column, view.hidden] < 0:
            board[other, column, view.hidden] = deck[used]
            used += 1
    order[0], left[:] = view.next_card, 0
    for i in range(used, size):
        order[1 + i - used] = deck[i]
        count_card(left, deck[i], 1)


@kernel
def search(
    view: FiveOView, sampled: Sampled, first: int, reply: bool, depth: int, low: float, kind: int, leaves: Numbers
) -> float:
    """The value for the seat of the view, if at least `low`, when the first cards of the order are placed already.

    Without a reply the same seat places again before the opponent, who is then a round of turns behind.

    Alpha-beta with its own stack, because Numba cannot read recursive code back from its cache. As the order of the
    cards is known, what is unseen at the leaves is the same for all of them. So every hand is valued as at a leaf from
    the start, and a placement changes the value of one. `leaves[0]` counts the leaves.
    """
    board, order, left = sampled
    me, behind = view.seat, 0 if reply else 2
    root = view.placed + first + behind // 2
    depth = min(depth, PLACEMENTS - root)
    placed = view.placed + first + depth
    for level in range(1, depth):
        count_card(left, order[first + level], -1)
    values, differences, total = np.empty((2, COLUMNS)), np.empty(COLUMNS), 0.0
    for column in range(COLUMNS):
        for side in range(2):
            values[side, column] = hand_value(board, side, column, placed, left, kind)
        differences[column] = difference(values[me, column], values[1 - me, column], kind)
        total += differences[column]
    tried, best = np.empty(depth, np.int64), np.empty(depth)
    lows, highs = np.empty(depth), np.empty(depth)
    before = np.empty((depth, 3))  # the value of a hand, the difference and the total before a placement
    level, entering = 0, True
    while True:
        seat = seat_of(root + level)
        row = row_of(root + level - (0 if seat == me else behind))
        if entering:
            tried[level], best[level] = -1, -INFINITE if seat == me else INFINITE
            lows[level], highs[level] = (low, INFINITE) if level == 0 else (lows[level - 1], highs[level - 1])
            entering = False
        column = tried[level] + 1
        while column < COLUMNS and board[seat, column, row] >= 0:
            column += 1
        if column < COLUMNS and lows[level] < highs[level]:
            tried[level] = column
            board[seat, column, row] = order[first + level]
            new = hand_value(board, seat, column, placed, left, kind)
            mine, theirs = (new, values[1 - me, column]) if seat == me else (values[me, column], new)
            changed = difference(mine, theirs, kind)
            value = total - differences[column] + changed
            if level < depth - 1:
                before[level, 0], before[level, 1], before[level, 2] = values[seat, column], differences[column], total
                values[seat, column], differences[column], total = new, changed, value
                level += 1
                entering = True
                continue
            leaves[0] += 1
            board[seat, column, row] = -1
        elif level == 0:
            for later in range(1, depth):
                count_card(left, order[first + later], 1)
            return best[0]
        else:  # back to the position before, which learns the value
            value = best[level]
            level -= 1
            seat, column = seat_of(root + level), tried[level]
            row = row_of(root + level - (0 if seat == me else behind))
            board[seat, column, row] = -1
            values[seat, column], differences[column], total = before[level, 0], before[level, 1], before[level, 2]
        if seat == me:
            best[level] = max(best[level], value)
            lows[level] = max(lows[level], value)
        else:
            best[level] = min(best[level], value)
            highs[level] = min(highs[level], value)


@kernel
def value_after(
    view: FiveOView, sampled: Sampled, depth: int, low: float, kind: int, reply: bool, leaves: Numbers
) -> float:
    """The value of the position after the root placement, if at least `low`."""
    if depth <= 1 or view.placed + (1 if reply else 2) >= PLACEMENTS:
        leaves[0] += 1
        return state_value(sampled.board, seat_of(view.placed), view.placed + 1, sampled.left, kind)
    count_card(sampled.left, sampled.order[1], -1)
    value = search(view, sampled, 1, reply, depth - 1, low, kind, leaves)
    count_card(sampled.left, sampled.order[1], 1)
    return value


@kernel
def search_decks(
    view: FiveOView, mind: Mind, rng: RngState, exact: bool, votes: Numbers, values: Chances, leaves: Numbers
) -> int:
    """The number of decks searched; writes in how many each column is best, and the sum of its values in all of them.

    Unless `exact`, the value of a column that is not the best in its deck is only a bound.
    """
    sampled = empty_sample()
    depth, kind, row = int(mind[DEPTH]), int(mind[EVALUATION]), row_of(view.placed)
    votes[:], values[:], leaves[0] = 0, 0.0, 0
    decks = 0
    while decks < mind[DECKS] and (decks == 0 or leaves[0] < mind[LEAVES]):
        sample_deck(view, rng, sampled)
        best, chosen = -INFINITE, -1
        for column in range(COLUMNS):
            if is_open(view, column):
                sampled.board[view.seat, column, row] = view.next_card
                low = -INFINITE if exact else best
                value = value_after(view, sampled, depth, low, kind, mind[REPLY] > 0, leaves)
                sampled.board[view.seat, column, row] = -1
                values[column] += value
                if value > best:
                    best, chosen = value, column
        votes[chosen] += 1
        decks += 1
    return decks


@kernel
def elected(view: FiveOView, average: bool, votes: Numbers, values: Chances) -> int:
    """The open column with most votes, or with the greatest sum of values."""
    best = -1
    for column in range(COLUMNS):
        if is_open(view, column):
            if average:
                better = best < 0 or values[column] > values[best]
            else:
                better = best < 0 or votes[column] > votes[best]
            if better:
                best = column
    return best


@kernel
def by_vote(view: FiveOView, mind: Mind, rng: RngState) -> int:
    if row_of(view.placed) == ROWS - 1 and mind[OWN_LAST_ROW] == 0:
        return by_chance(view, mind, rng)
    votes, values, average = np.empty(COLUMNS, np.int64), np.empty(COLUMNS), mind[AVERAGE] > 0
    search_decks(view, mind, rng, average, votes, values, np.zeros(1, np.int64))
    return elected(view, average, votes, values)


@dataclass
class Expectiminimax(Agent):
    """Searches sampled decks as if their order were known; the best in most of them wins. 100 decks, paper: one minute.

    depth       placements looked ahead; in the authors' program its own first one and three more
    decks       sampled per move
    evaluation  of the positions where the search stops
    time        seconds per move on one core, instead of a number of decks
    leaves      positions valued per move, instead of a number of decks: a time limit that is the same everywhere
    reply       whether the opponent places after the first card; not so in the authors' program
    choose      the column that is best in most decks, or best on average over the decks
    values      hands valued by the paper's text or as in the authors' program
    last_row    by the exact chances of the columns as the other players do, or by its own search
    """

    name: ClassVar[str] = "expectiminimax"
    games: ClassVar[tuple[str, ...]] = ("five-o",)
    source: ClassVar[str] = "five-o §II.B.3"
    plays = by_vote

    depth: int = 3
    decks: int = 100
    evaluation: Literal["greedy-1", "greedy-2", "fast-greedy-2"] = "fast-greedy-2"
    time: float | None = None
    leaves: int | None = None
    reply: bool = True
    choose: Literal["vote", "average"] = "vote"
    values: Values = "text"
    last_row: Literal["exact", "own"] = "exact"

    def __post_init__(self) -> None:
        self.depth = whole(self.depth, "plies of depth", least=1, most=20)
        self.decks = whole(self.decks, "decks", least=1, most=MOST_DECKS)
        if self.time is not None and not 0 < self.time <= 3600:
            raise InputError(f"time={self.time!r}: seconds a move, above 0 and up to 3600")
        if self.leaves is not None:
            self.leaves = whole(self.leaves, "leaves", least=1, most=10**12)
            if self.time is not None:
                raise InputError(f"time={self.time!r} and leaves={self.leaves!r}: give one of them")

    def decide(self, turn: Turn[FiveOView]) -> Decision:
        view, mind, rng = turn.view, turn.mind, turn.rng.state
        if row_of(view.placed) == ROWS - 1 and self.last_row == "exact":
            return Exact().decide(turn)
        votes, values, again, leaves = np.empty(COLUMNS, np.int64), np.empty(COLUMNS), rng.copy(), np.zeros(1, np.int64)
        average = self.choose == "average"
        decks = search_decks(view, mind, rng, average, votes, values, leaves)
        best = elected(view, average, votes, values)
        if not average:  # the same decks again, for the true values of all columns
            everything = mind.copy()
            everything[DECKS], everything[LEAVES] = decks, math.inf
            everything.flags.writeable = mind.flags.writeable  # or the search is compiled again
            search_decks(view, everything, again, True, votes, values, leaves)
        opened = [column for column in range(COLUMNS) if is_open(view, column)]
        found = {column: float(values[column]) / decks for column in opened}
        why = f"worth {found[best]:,.2f} on average over {decks}" if average else f"best in {votes[best]} of {decks}"
        return Decision(
            best,
            values=found,
            reason=f"column {best + 1} is {why} decks, {self.depth} plies deep",
            figures={"votes": {column: int(votes[column]) for column in opened}},
        )

    def effort(self, game: AnyGame) -> str:
        return "" if self.time is None else f"{int(self._leaves()):,} positions a move"

    def _leaves(self) -> float:
        """How many positions it can value in its time."""
        return (self.time or 0) * _leaves_a_second(self.evaluation, self.values)

    def mind(self, game: AnyGame) -> Mind:
        decks, leaves = float(self.decks), math.inf
        if self.leaves is not None:
            decks, leaves = MOST_DECKS, self.leaves
        if self.time is not None:
            decks, leaves = MOST_DECKS, self._leaves()
        kind = KINDS[self.evaluation] | INTERPRETED[self.values]
        settings = [self.depth, decks, kind, self.reply, self.last_row == "own", leaves, self.choose == "average"]
        return np.array([0, 1.0, *settings], np.float64)


@functools.cache
def _leaves_a_second(evaluation: str, values: Values) -> float:
    """How many leaves one core values in a second, measured once per process."""
    leaves, seconds = sample_searches(5, 100, evaluation, values)
    return leaves / seconds


def sample_searches(depth: int, decks: int, evaluation: str, values: Values = "text") -> tuple[int, float]:
    """The leaves that some searches from the first deal value, and the seconds that they take, the best of three.

    Seconds are processor time of this thread, so that a busy machine does not weaken the player.
    """
    view, kind = at_random(0, stream(0, "speed")), KINDS[evaluation] | INTERPRETED[values]
    best, counted = math.inf, 0
    for attempt in range(4):  # the first compiles
        rng, sampled, leaves = stream(1, "speed"), empty_sample(), np.zeros(1, np.int64)
        begin = time.thread_time()
        for _ in range(decks):
            sample_deck(view, rng.state, sampled)
            search(view, sampled, 0, True, depth, -INFINITE, kind, leaves)
        if attempt:
            best = min(best, time.thread_time() - begin)
        counted = int(leaves[0])
    return counted, best
