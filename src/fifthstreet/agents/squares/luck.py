"""Poker Squares with the luck of the cards taken out of the score, so that few games tell two players apart.

Every card moves what the grid promises; what it moves it by, less the mean over all cards that might have come in its
place, is luck, and nothing on average, whoever plays. So the score less all luck has the same mean and much less
spread, however rough the promises are. Here they are those of the champion's network. (Burch, Schmid, Moravčík, Morrill
and Bowling, "AIVAT", AAAI 2018; of its terms, those of the dealer.)
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.squares import champion
from fifthstreet.agents.squares.crossings import WIDTH, promised, rooms
from fifthstreet.agents.squares.lines import ABSTRACTIONS, FACTS, LEFT, deal, no_cards, place
from fifthstreet.games import poker_squares
from fifthstreet.games.game import Rules
from fifthstreet.games.poker_squares import CELLS, GRID, LINES, PLACED, POINTS, PokerSquares, payoff, play_to_end
from fifthstreet.kernel import kernel

# A setup is the points, then the values of lines and the network's weights, two numbers in each place.
VALUES, NETWORK = PLACED, PLACED + ABSTRACTIONS // 2


@kernel
def luck(data: Any, order: Any, values: Any, weights: Any) -> float:
    """By how much the cards of a finished game, whose cells were filled in this order, favoured the player."""
    lines, left, grid = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.full(CELLS, -1)
    with_card, rest = lines.copy(), left.copy()
    room, out, dealt = rooms(), np.empty(CELLS), np.zeros(52, np.bool_)
    points, total = data[POINTS:PLACED], 0.0
    no_cards(lines, left, True)
    for played in range(CELLS):
        came, value, values_of_all, count = data[GRID + order[played]], 0.0, 0.0, 0
        for card in range(52):
            if dealt[card]:
                continue
            with_card[:], rest[:] = lines, left
            deal(with_card, rest, card)
            best = out[promised(played, card, grid, with_card, rest, points, values, weights, room, out)]
            values_of_all += best
            count += 1
            if card == came:
                value = best
        total += value - values_of_all / count
        deal(lines, left, came)
        place(lines, order[played], came, left)
        grid[order[played]], dealt[came] = came, True
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
    values, weights = setup[VALUES:NETWORK].view(np.float32), setup[NETWORK:].view(np.float32).reshape((-1, WIDTH))
    payoffs[0] = payoff(data, 0) - luck(data, order, values, weights)
    return True


@dataclass(frozen=True)
class WithoutLuck(PokerSquares):
    """Poker Squares that pays less what was luck: for matches between compiled players who learn nothing."""

    rules: ClassVar[Rules] = PokerSquares.rules._replace(start=start, play_out=play_out)

    lessons: int = champion.LESSONS

    def setup(self) -> NDArray[np.int64]:
        found = champion.prepared(self.points, self.lessons)
        parts = (found.values, found.network.reshape(-1))
        return np.concatenate([super().setup(), *(part.view(np.int64) for part in parts)])
