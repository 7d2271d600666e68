"""Payoffs of Five-O without the luck of the cards, so that fewer games tell two players apart.

Every card that is dealt changes the first player's chance to win. How much more than the average of all cards that
could have come instead is luck, and its mean is zero for any two players. So the payoff less all luck has the same mean
and much less variance, however rough the estimated chances are. In the first three rows the champion's network
estimates them; in the last row they are the chances of the columns against the cards that are left, taken as
independent. The estimates may use the cards of both sides, because players never see them. (Burch, Schmid, Moravčík,
Morrill and Bowling, "AIVAT", AAAI 2018; only its terms for the dealer.)

The luck of the first row is left in: each side gets it once when a deal is played from both seats.
"""

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.five_o import pairs
from fifthstreet.agents.five_o.chances import Board, Chances, Numbers, game_chance, read_cards
from fifthstreet.agents.five_o.last_row import LAST_CARDS, strengths_with
from fifthstreet.agents.five_o.pairs import (
    OPEN_PLIES,
    WIDTH,
    Position,
    Weights,
    best_placement,
    new_position,
    put,
    see,
)
from fifthstreet.games.deck import CARDS
from fifthstreet.games.five_o import COLUMNS, PLACEMENTS, ROWS, FiveO, FiveOState, row_of, seat_of
from fifthstreet.games.game import Adjustment
from fifthstreet.kernel import kernel

LESSONS = pairs.GAMES  # games that the network has learned from


@kernel
def column_chance(mine: Numbers, theirs: Numbers, my_card: int, their_card: int, left: int) -> float:
    """The chance of a column, from its strengths with each card; a side without a card, −1, gets a random one."""
    won, count = 0, 0
    for i in range(LAST_CARDS):
        if i != my_card if my_card >= 0 else not left >> i & 1:
            continue
        for j in range(LAST_CARDS):
            if j != their_card if their_card >= 0 else i == j or not left >> j & 1:
                continue
            won += 2 * (mine[i] > theirs[j]) + (mine[i] == theirs[j])
            count += 2
    return won / count


@kernel
def last_row_value(strengths: Numbers, row: Numbers, side: int, card: int, left: int, p: Chances) -> float:
    """The chance to win the game with this card in the best open column."""
    best = 0.0
    for column in range(COLUMNS):
        p[column] = column_chance(
            strengths[side, column], strengths[1 - side, column], row[side, column], row[1 - side, column], left
        )
    for column in range(COLUMNS):
        if row[side, column] < 0:
            without = p[column]
            p[column] = column_chance(
                strengths[side, column], strengths[1 - side, column], card, row[1 - side, column], left
            )
            best = max(best, game_chance(p))
            p[column] = without
    return best


@kernel
def luck(state: FiveOState, weights: Weights) -> float:
    """By how much the cards of a finished game favoured the first player, in chances."""
    board, position, total = np.empty((2, COLUMNS, ROWS), np.int64), new_position(), 0.0
    read_cards(state, board)
    dealt = np.zeros(CARDS, np.bool_)
    for side in range(2):
        for column in range(COLUMNS):
            card = board[side, column, 0]
            put(position, side, column, card)
            see(position.unseen, card)
            dealt[card] = True
    p, with_card, scratch = np.empty(COLUMNS), np.empty(COLUMNS), np.empty((4, WIDTH), np.float32)
    rest = Position(position.facts, position.keys, position.bits, position.unseen.copy())
    for ply in range(OPEN_PLIES):
        side, to = seat_of(ply), state.moves[ply] + 0
        came = board[side, to, row_of(ply)]
        value, values, count = 0.0, 0.0, 0
        for card in range(CARDS):
            if dealt[card]:
                continue
            rest.unseen[:] = position.unseen
            see(rest.unseen, card)
            column = best_placement(weights, ply, card, rest, p, with_card, scratch)
            p[column] = with_card[column]
            chance = game_chance(p)
            values += chance
            count += 1
            if card == came:
                value = chance
        total += (value - values / count) * (1 if side == 0 else -1)
        put(position, side, to, came)
        see(position.unseen, came)
        dealt[came] = True
    return total + luck_of_last_row(state, board, position, np.flatnonzero(~dealt))


@kernel
def luck_of_last_row(state: FiveOState, board: Board, position: Position, cards: Numbers) -> float:
    """The same for the last row alone; `cards` are those left when it begins."""
    strengths, p, total = np.empty((2, COLUMNS, LAST_CARDS), np.int64), np.empty(COLUMNS), 0.0
    strengths_with(position.keys, position.bits, cards, strengths)
    row, left = np.full((2, COLUMNS), -1), (1 << LAST_CARDS) - 1
    for ply in range(OPEN_PLIES, PLACEMENTS):
        side, to = seat_of(ply), state.moves[ply]
        value, values, count, came = 0.0, 0.0, 0, -1
        for i in range(LAST_CARDS):
            if left >> i & 1:
                chance = last_row_value(strengths, row, side, i, left & ~(1 << i), p)
                values += chance
                count += 1
                if cards[i] == board[side, to, ROWS - 1]:
                    value, came = chance, i
        total += (value - values / count) * (1 if side == 0 else -1)
        row[side, to] = came
        left &= ~(1 << came)
    return total


@kernel
def without_luck(state: FiveOState, knowledge: Weights, payoffs: NDArray[np.float64]) -> None:
    """Take the luck of the cards out of the payoffs; `knowledge` is the network's weights in one row."""
    payoffs[0] -= 2 * luck(state, knowledge.reshape((-1, WIDTH)))
    payoffs[1] = -payoffs[0]


def luck_reduction(game: FiveO, lessons: int = LESSONS) -> tuple[Adjustment, Weights]:
    """The adjustment that takes luck out of the payoffs of this game, and the network that it needs."""
    return without_luck, pairs.learned(lessons).reshape(-1)
