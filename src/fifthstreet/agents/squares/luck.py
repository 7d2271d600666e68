"""The luck of the cards in Poker Squares, to be taken out of the score so that a few games tell two players apart.

Every card changes the expected score of the grid. That change, less its mean over all cards that might have come
instead, is luck, and nothing on average for any player. So the score less all luck has the same mean and much less
spread, however rough the expectations are. Here they are the values of lines that the champion learned (`foresight`).
(Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT", AAAI 2018; of its terms, those of the dealer.)
"""

import numpy as np

from fifthstreet.agents.squares import champion, foresight, lines
from fifthstreet.agents.squares.foresight import foresee
from fifthstreet.agents.squares.lines import Floats, Positions, Values
from fifthstreet.games.game import Adjustment
from fifthstreet.games.poker_squares import CELLS, PokerSquares, SquaresState
from fifthstreet.kernel import kernel

LESSONS = champion.LESSONS


@kernel
def luck(state: SquaresState, values: Values, positions: Positions, scratch: foresight.Scratch) -> float:
    """By how many points the cards of a finished game favoured the player."""
    position, by_card, total = positions[0], np.empty(52), 0.0
    for category in range(10):
        position.points[category] = state.points[category]
    lines.clear(position, True)
    for played in range(CELLS):
        cell = state.order[played]
        card, mean = state.grid[cell], foresee(position, values, scratch, by_card)
        total += by_card[card] - mean
        lines.deal(position, card)
        lines.place(position, cell, card)
    return total


@kernel
def without_luck(state: SquaresState, knowledge: Values, payoffs: Floats) -> None:
    """Take the luck out of a payoff; `knowledge` is the values of lines."""
    payoffs[0] -= luck(state, knowledge, lines.new_position(), foresight.new_scratch())


def luck_reduction(game: PokerSquares, lessons: int = LESSONS) -> tuple[Adjustment, Values]:
    """The kernel that takes luck out of payoffs, and what it has to know: values learned from this many lessons."""
    return without_luck, champion.lines_by_themselves(game.points, lessons)
