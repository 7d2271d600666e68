"""What players read off a view of hold'em, and how they put a wish into a legal action."""

from typing import Any

import numpy as np

from fifthstreet.evaluation.preflop import class_number
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_7, strength_56
from fifthstreet.games.betting import CALL, FOLD, HIGH, RAISES, SEAT, SEATS
from fifthstreet.games.holdem import BLINDS, BOARD, CARDS, STREET, limits
from fifthstreet.kernel import kernel
from fifthstreet.rng import below

_U = np.uint64


@kernel
def raises(view: Any) -> int:
    """Bets and raises on this street; the blinds are none."""
    posted = False
    for seat in range(view[SEATS]):
        posted |= view[BLINDS + seat] > 0
    return view[RAISES] - (posted and view[STREET] == 0)


@kernel
def starting_class(view: Any, seat: int) -> int:
    """The place of the seat's two cards among the 169 classes."""
    return class_number(view[CARDS + 2 * seat], view[CARDS + 2 * seat + 1])


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
def cards_on_board(street: int) -> int:
    return 0 if street == 0 else min(2 + street, 5)


@kernel
def hand_of(view: Any, seat: int) -> Any:
    """Key and bits of the seat's two cards."""
    a, b = view[CARDS + 2 * seat], view[CARDS + 2 * seat + 1]
    return EMPTY + KEY[a] + KEY[b], BIT[a] | BIT[b]


@kernel
def board_of(view: Any, count: int) -> Any:
    """Key and bits of the first cards of the board."""
    key, bits = _U(0), _U(0)
    for place in range(BOARD, BOARD + count):
        key += KEY[view[place]]
        bits |= BIT[view[place]]
    return key, bits


@kernel
def unseen(bits: Any, deck: Any) -> int:
    """Write the cards that are not among these to `deck`; how many they are."""
    size = 0
    for card in range(52):
        if not bits & BIT[card]:
            deck[size] = card
            size += 1
    return size


@kernel
def strength_now(view: Any) -> int:
    """The strength of the own cards with the board, from the flop on."""
    count = cards_on_board(view[STREET])
    key, bits = hand_of(view, view[SEAT])
    board_key, board_bits = board_of(view, count)
    if count == 5:
        return int(strength_7(key + board_key, bits | board_bits))
    return int(strength_56(key + board_key, bits | board_bits))


@kernel
def share_against_one(view: Any, seat: int, street: int) -> float:
    """How the seat's hand stands on the board of this street, from the flop on, against one other hand.

    The share of all hands that the other may hold which are worse now, equal ones counted half.
    """
    count = cards_on_board(street)
    key, bits = hand_of(view, seat)
    board_key, board_bits = board_of(view, count)
    deck = np.empty(52, np.int64)
    size = unseen(bits | board_bits, deck)
    river = count == 5
    key, bits = key + board_key, bits | board_bits
    board_key += EMPTY
    mine = strength_7(key, bits) if river else strength_56(key, bits)
    better, equal = 0, 0
    for i in range(size):
        key_i, bits_i = board_key + KEY[deck[i]], board_bits | BIT[deck[i]]
        for j in range(i):
            key, bits = key_i + KEY[deck[j]], bits_i | BIT[deck[j]]
            theirs = strength_7(key, bits) if river else strength_56(key, bits)
            better += theirs > mine
            equal += theirs == mine
    return 1.0 - (better + equal / 2) / (size * (size - 1) // 2)


@kernel
def share_against_random(view: Any, others: int, samples: int, words: Any) -> float:
    """The share of the pot that the hand wins against so many random hands, from sampled deals."""
    known = cards_on_board(view[STREET])
    mine_key, mine_bits = hand_of(view, view[SEAT])
    board_key, board_bits = board_of(view, known)
    deck = np.empty(52, np.int64)
    size = unseen(mine_bits | board_bits, deck)
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
