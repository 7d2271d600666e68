"""Five-O with the luck of the cards taken out of what a game pays, so that fewer games tell two players apart.

Every card that is dealt moves the chances; what it moves them by, less the mean over all cards that might have come in
its place, is luck, and nothing on average, whoever plays. So the payoff less all luck has the same mean and much less
spread, however rough the chances are. Here they are those of the champion's network in the first three rows, and in the
last row those of the columns against the cards that are left, taken as independent; both sides' cards count, since
nobody at the table is told. (Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT", AAAI 2018; of its terms, those of
the dealer.)

The luck of the first row stays in: each side gets it once when a deal is played from both seats.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.five_o import pairs
from fifthstreet.agents.five_o.chances import game_chance
from fifthstreet.agents.five_o.last_row import CARDS, strengths_with
from fifthstreet.agents.five_o.pairs import FACTS, OPEN_PLIES, UNSEEN, WIDTH, best_placement, empty_board, put, see
from fifthstreet.games.five_o import COLUMNS, MOVES, PLACEMENTS, ROWS, FiveO, payoff, place_of, play_to_end, start
from fifthstreet.games.game import Rules
from fifthstreet.kernel import kernel


@kernel
def column_chance(mine: Any, theirs: Any, my_card: int, their_card: int, left: int) -> float:
    """The chance of a column by its strengths with each card; a side without a card, −1, gets a random one left."""
    won, count = 0, 0
    for i in range(CARDS):
        if i != my_card if my_card >= 0 else not left >> i & 1:
            continue
        for j in range(CARDS):
            if j != their_card if their_card >= 0 else i == j or not left >> j & 1:
                continue
            won += 2 * (mine[i] > theirs[j]) + (mine[i] == theirs[j])
            count += 2
    return won / count


@kernel
def last_row_value(strengths: Any, row: Any, side: int, card: int, left: int, p: Any) -> float:
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
def luck(data: Any, weights: Any) -> float:
    """By how much the cards of a finished game favoured the first player, in chances."""
    facts, unseen = np.zeros((2, COLUMNS, FACTS), np.int64), np.zeros(UNSEEN, np.uint64)
    keys, bits = np.zeros((2, COLUMNS), np.uint64), np.zeros((2, COLUMNS), np.uint64)
    p, with_card, room = np.empty(COLUMNS), np.empty(COLUMNS), np.empty((4, WIDTH), np.float32)
    empty_board(facts, keys, bits, unseen)
    dealt, rest = np.zeros(52, np.bool_), unseen.copy()
    for side in range(2):
        for column in range(COLUMNS):
            card = data[place_of(side, column, 0)]
            put(facts, keys, bits, side, column, card)
            see(unseen, card)
            dealt[card] = True
    total = 0.0
    for ply in range(OPEN_PLIES):
        side, to = ply % 2, data[MOVES + ply]
        came = data[place_of(side, to, 1 + ply // (2 * COLUMNS))]
        value, values, count = 0.0, 0.0, 0
        for card in range(52):
            if dealt[card]:
                continue
            rest[:] = unseen
            see(rest, card)
            column = best_placement(weights, ply, card, facts, rest, p, with_card, room)
            p[column] = with_card[column]
            chance = game_chance(p)
            values += chance
            count += 1
            if card == came:
                value = chance
        total += (value - values / count) * (1 if side == 0 else -1)
        put(facts, keys, bits, side, to, came)
        see(unseen, came)
        dealt[came] = True
    cards, count = np.empty(CARDS, np.int64), 0
    for card in range(52):
        if not dealt[card]:
            cards[count] = card
            count += 1
    strengths = np.empty((2, COLUMNS, CARDS), np.int64)
    strengths_with(keys, bits, cards, strengths)
    row, left = np.full((2, COLUMNS), -1), (1 << CARDS) - 1
    for ply in range(OPEN_PLIES, PLACEMENTS):
        side, to = ply % 2, data[MOVES + ply]
        value, values, count, came = 0.0, 0.0, 0, -1
        for i in range(CARDS):
            if left >> i & 1:
                chance = last_row_value(strengths, row, side, i, left & ~(1 << i), p)
                values += chance
                count += 1
                if cards[i] == data[place_of(side, to, ROWS - 1)]:
                    value, came = chance, i
        total += (value - values / count) * (1 if side == 0 else -1)
        row[side, to] = came
        left &= ~(1 << came)
    return total


@kernel
def play_out(
    setup: Any, policies: Any, lessons: Any, minds: Any, agents: Any, dealer: Any, words: Any, payoffs: Any
) -> bool:
    data = start(setup)
    if not play_to_end(data, policies, minds, agents, dealer, words):
        return False
    payoffs[0] = payoff(data, 0) - 2 * luck(data, setup[2:].view(np.float32).reshape((-1, WIDTH)))
    payoffs[1] = -payoffs[0]
    return True


@dataclass(frozen=True)
class WithoutLuck(FiveO):
    """Five-O that pays less what was luck: for matches between compiled players who learn nothing."""

    rules: ClassVar[Rules] = FiveO.rules._replace(play_out=play_out)

    lessons: int = pairs.GAMES

    def setup(self) -> NDArray[np.int64]:
        return np.concatenate([super().setup(), pairs.learned(self.lessons).reshape(-1).view(np.int64)])
