"""A season in compiled code: thousands of hands at one table, in which player 0 learns, and what is counted there."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.draw import adaptive, styles
from fifthstreet.agents.draw.hands import KIND
from fifthstreet.agents.draw.reading import has_paid, is_shown
from fifthstreet.games.betting import BETS, RAISES
from fifthstreet.games.five_card_draw import DrawState, DrawView, FiveCardDraw, strength_of
from fifthstreet.games.table import Brains, Scratch
from fifthstreet.kernel import kernel
from fifthstreet.record import one_record
from fifthstreet.rng import RngState, fork

# What is counted of each player: hands that it played by three definitions, that it won by three, and raises.
MEANT, FIRST, PAID, WON, ANY_WIN, SHOWN_WIN, RAISED, STRONG, STRONG_RAISED = range(9)
COUNTED = 9
STRONG_FROM = 2  # two pairs: the least hand that every style of the paper plays in the first round


class Seated(NamedTuple):
    """The players of a season in the compiled loop."""

    minds: NDArray[np.float64]  # one row each
    counts: NDArray[np.float64]
    learns: NDArray[np.int64]  # 1 while player 0 learns


@kernel
def decide(seated: Seated, player: int, view: DrawView, rngs: Sequence[RngState]) -> int:
    if player == 0:
        return adaptive.by_value(view, seated.minds[player], rngs[0])
    return styles.by_table(view, seated.minds[player], rngs[0])


@kernel
def learn(seated: Seated, player: int, view: DrawView, payoff: float) -> None:
    """Count the hand, and let player 0 learn from it."""
    mind, counts, won = seated.minds[player], seated.counts[player], payoff > 0
    if player == 0:
        first, meant = adaptive.meant_first(view, mind), adaptive.meant(view, mind)
    else:
        first, meant = styles.meant_first(view, mind), styles.meant(view, mind)
    counts[MEANT] += meant
    counts[FIRST] += first
    counts[PAID] += has_paid(view)
    counts[WON] += won and meant
    counts[ANY_WIN] += won
    counts[SHOWN_WIN] += won and is_shown(view)
    if player == 0:
        strong, raised = KIND[strength_of(view, view.seat)] >= STRONG_FROM, has_raised(view)
        counts[RAISED] += raised
        counts[STRONG] += strong
        counts[STRONG_RAISED] += strong and raised
        if seated.learns[0]:
            adaptive.adapt(view, payoff, mind)


@kernel
def has_raised(view: DrawView) -> bool:
    """Whether the seat has bet or raised in this hand."""
    for i in range(view.history_length):
        entry = view.history[i]
        if entry.seat == view.seat and BETS <= entry.kind <= RAISES:
            return True
    return False


play_deal = FiveCardDraw.rules.deal_player(Brains(decide, learn))
STATE, VIEW = DrawState.dtype, DrawView.dtype


@kernel
def play_hands(
    parent: RngState,
    start: DrawState,
    seated: Seated,
    samples: NDArray[np.int64],
    learning: int,
    carries: bool,
    units: NDArray[np.float64],
    counts: NDArray[np.float64],
    values: NDArray[np.float64],
) -> bool:
    """Play up to the last sample, and write units, counts and learning values to a row for each; False if one cheats.

    learning  hands after which player 0 stops learning
    carries   whether stacks carry over, a broke player getting new ones; otherwise every hand starts with equal stacks
    """
    seats, row, ante, full = 5, 0, start.antes[0], start.stacks[0] + start.antes[0]
    order, payoffs, rngs = np.empty(seats, np.int64), np.empty(seats), np.empty((1, 4), np.uint64)
    everybody = np.ones(seats, np.int64)
    scratch = Scratch(one_record(STATE), one_record(VIEW), np.empty(4, np.uint64), rngs, payoffs, everybody)
    won, stacks = np.zeros(seats), np.full(seats, float(full))
    for hand in range(samples[-1]):
        fork(parent, 2 * hand, scratch.dealer)
        fork(parent, 2 * hand + 1, rngs[0])
        for seat in range(seats):
            order[seat] = (seat + hand) % seats
            if carries:
                start.stacks[seat] = int(stacks[order[seat]]) - ante
        seated.learns[0] = hand < learning
        if not play_deal(start, order, seated, scratch):
            return False
        for seat in range(seats):
            player = order[seat]
            won[player] += payoffs[seat]
            stacks[player] += payoffs[seat]
            if stacks[player] <= ante:
                stacks[player] = full
        if hand + 1 == samples[row]:
            units[row], counts[row] = full + won, seated.counts
            values[row] = seated.minds[0, adaptive.VALUES : adaptive.VALUES + values.shape[1]]
            row += 1
    return True
