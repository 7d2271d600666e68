"""Table 2.2 of Dreher and Zharkov played by rules written down a second time, without the project's games and agents.

Only cards are ranked by the package. Seats do not move, the button does.
"""

import math
from typing import Any

import numpy as np

from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, category_number, strength_7, strength_56
from fifthstreet.kernel import kernel
from fifthstreet.rng import below, pick_some

CALLS = np.array([0, 1, 2, 3])  # the weakest categories with which risky, moderate and conservative call
LEVELS = np.array([0.0, 3.0, 2.0, 1.0])


@kernel
def hands_of_table_2_2(hands: int, passes: int, rng: Any, results: Any) -> None:
    """Write what the random, risky, moderate and conservative player win in each hand to a row of `results`."""
    deck, bets, paid = np.arange(52), np.zeros(4, np.int64), np.zeros(4, np.int64)
    turns, inside, ranks = np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    for hand in range(hands):
        pick_some(rng, deck, 52, 13)
        button = hand % 4
        paid[:] = 0
        inside[:] = 1
        for street in range(4):
            bets[:] = 0
            turns[:] = 0
            if street == 0:
                bets[(button + 1) % 4], bets[(button + 2) % 4] = 1, 2
            player = (button + (3 if street == 0 else 1)) % 4
            while inside.sum() > 1:
                price, waiting = bets.max(), 0
                for one in range(4):
                    waiting += inside[one] and (turns[one] == 0 or bets[one] < price)
                if waiting == 0:
                    break
                if inside[player] and (turns[player] == 0 or bets[player] < price):
                    wish, amount = below(rng, 3), float(2 + below(rng, 7))
                    if street > 0 and player > 0:
                        key, bits = EMPTY + KEY[deck[2 * player]], BIT[deck[2 * player]]
                        for place in range(2 + street):
                            card = deck[8 + place]
                            key += KEY[card]
                            bits |= BIT[card]
                        last = deck[2 * player + 1]
                        key += KEY[last]
                        bits |= BIT[last]
                        rank = int(strength_7(key, bits)) if street == 3 else int(strength_56(key, bits))
                        power = category_number(rank)
                        wish = (power >= CALLS[player]) + (power > CALLS[player])
                        amount = math.exp(power / 3 - 3) * 100 * LEVELS[player] + 2
                    if wish == 0 and bets[player] < price:
                        inside[player] = 0
                    else:
                        more = int(amount) if wish == 2 and turns[player] < passes else 0
                        bets[player] = price + more
                    turns[player] += 1
                player = (player + 1) % 4
            paid += bets
        best, winners = -1, 0
        for player in range(4):
            key, bits = EMPTY, np.uint64(0)
            for place in range(7):
                card = deck[8 + place] if place < 5 else deck[2 * player + place - 5]
                key += KEY[card]
                bits |= BIT[card]
            ranks[player] = int(strength_7(key, bits)) if inside[player] else -1
            if ranks[player] > best:
                best, winners = ranks[player], 0
            winners += inside[player] and ranks[player] == best
        for player in range(4):
            results[hand, player] = (paid.sum() / winners if ranks[player] == best else 0.0) - paid[player]
