"""What players read off a view of hold'em, and how they put a wish into a legal action."""

from typing import Any

import numpy as np

from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_7
from fifthstreet.games.betting import ANTES, CALL, FOLD, HIGH, LIVE, PAID, SEATS
from fifthstreet.games.holdem import BOARD, CARDS, SEAT, limits
from fifthstreet.kernel import kernel
from fifthstreet.rng import below

_U = np.uint64


@kernel
def pot(view: Any) -> int:
    """All chips that have been put in."""
    total = 0
    for seat in range(view[SEATS]):
        total += view[PAID + seat] + view[ANTES + seat]
    return total


@kernel
def raise_by(view: Any, amount: float) -> int:
    """A raise by so much above the highest bet, as near as the rules allow; a call where no raise is allowed."""
    _, lowest, highest = limits(view, view[SEAT])
    if highest == 0:
        return CALL
    return max(lowest, min(highest, view[HIGH] + int(amount)))


@kernel
def give_up(view: Any) -> int:
    """Fold, or check where that is free."""
    return FOLD if limits(view, view[SEAT])[0] > 0 else CALL


@kernel
def share_against_random(view: Any, samples: int, words: Any) -> float:
    """The share of the pot that the hand wins if all others still in hold random cards, from sampled deals."""
    seat, others = view[SEAT], view[LIVE] - 1
    deck, size = np.empty(52, np.int64), 0
    mine_key, mine_bits = EMPTY, _U(0)
    for place in (CARDS + 2 * seat, CARDS + 2 * seat + 1):
        mine_key += KEY[view[place]]
        mine_bits |= BIT[view[place]]
    board_key, board_bits, known = _U(0), _U(0), 0
    for place in range(BOARD, BOARD + 5):
        if view[place] >= 0:
            board_key += KEY[view[place]]
            board_bits |= BIT[view[place]]
            known += 1
    for card in range(52):
        if not (mine_bits | board_bits) & BIT[card]:
            deck[size] = card
            size += 1
    total = 0.0
    for _ in range(samples):
        for i in range(5 - known + 2 * others):
            place = i + below(words, size - i)
            deck[i], deck[place] = deck[place], deck[i]
        key, bits = board_key, board_bits
        for i in range(5 - known):
            key += KEY[deck[i]]
            bits |= BIT[deck[i]]
        mine = strength_7(mine_key + key, mine_bits | bits)
        shared = 1
        for other in range(others):
            a, b = deck[5 - known + 2 * other], deck[6 - known + 2 * other]
            theirs = strength_7(EMPTY + key + KEY[a] + KEY[b], bits | BIT[a] | BIT[b])
            if theirs > mine:
                shared = 0
                break
            shared += theirs == mine
        if shared > 0:
            total += 1.0 / shared
    return total / samples
