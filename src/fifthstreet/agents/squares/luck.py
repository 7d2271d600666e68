"""Poker Squares with the luck of the cards taken out of the score, so that few games tell two players apart.

Every card moves what the grid promises; what it moves it by, less the mean over all cards that might have come in its
place, is luck, and nothing on average, whoever plays. So the score less all luck has the same mean and much less
spread, however rough the promises are. Here they are those of lines as the champion learned them (`foresight`). (Burch,
Schmid, Moravčík, Morrill and Bowling, "AIVAT", AAAI 2018; of its terms, those of the dealer.)
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.squares import champion
from fifthstreet.agents.squares.foresight import foresee, foresights
from fifthstreet.agents.squares.lines import FACTS, LEFT, deal, no_cards, place
from fifthstreet.games import poker_squares
from fifthstreet.games.game import Rules
from fifthstreet.games.poker_squares import CELLS, GRID, LINES, PLACED, POINTS, PokerSquares, payoff, play_to_end
from fifthstreet.kernel import kernel

VALUES = PLACED  # in a setup, after the points: the values of lines, two numbers in each place


@kernel
def luck(data: Any, order: Any, values: Any) -> float:
    """By how much the cards of a finished game, whose cells were filled in this order, favoured the player."""
    lines, left, grid = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.full(CELLS, -1)
    room, by_card, points, total = foresights(), np.empty(52), data[POINTS:PLACED], 0.0
    no_cards(lines, left, True)
    for played in range(CELLS):
        cell, mean = order[played], foresee(played, grid, lines, left, points, values, room, by_card)
        grid[cell] = data[GRID + cell]
        total += by_card[grid[cell]] - mean
        deal(lines, left, grid[cell])
        place(lines, cell, grid[cell], left)
    return total


@kernel
def start(setup: Any) -> Any:
    return poker_squares.start(setup[:PLACED])


@kernel
def play_out(
    setup: Any, policies: Any, lessons: Any, minds: Any, agents: Any, dealer: Any, words: Any, payoffs: Any
) -> bool:
    data, agent, order = start(setup), agents[0], np.empty(CELLS, np.int64)
    if not play_to_end(data, policies[agent], minds[agent], dealer, words[agent], order):
        return False
    payoffs[0] = payoff(data, 0) - luck(data, order, setup[VALUES:].view(np.float32))
    return True


@dataclass(frozen=True)
class WithoutLuck(PokerSquares):
    """Poker Squares that pays less what was luck: for matches between compiled players who learn nothing."""

    rules: ClassVar[Rules] = PokerSquares.rules._replace(start=start, play_out=play_out)

    lessons: int = champion.LESSONS

    def setup(self) -> NDArray[np.int64]:
        return np.concatenate([super().setup(), champion.prepared(self.points, self.lessons).placing.view(np.int64)])
