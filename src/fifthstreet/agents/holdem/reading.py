"""What players read from a view of hold'em."""

import numpy as np
from numpy.typing import NDArray

from fifthstreet.evaluation.preflop import class_number
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_7, strength_56
from fifthstreet.games.holdem import HoldemTable, HoldemView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, pick_some

_U = np.uint64


@kernel
def raises(view: HoldemTable) -> int:
    """Bets and raises on this street, not counting the blinds."""
    posted = False
    for seat in range(view.seats):
        posted |= view.blinds[seat] > 0
    return view.raises - (posted and view.street == 0)


@kernel
def starting_class(view: HoldemView, seat: int) -> int:
    """The place of the seat's two cards among the 169 classes."""
    return class_number(view.cards[seat, 0], view.cards[seat, 1])


@kernel
def cards_on_board(street: int) -> int:
    return 0 if street == 0 else min(2 + street, 5)


@kernel
def hand_of(view: HoldemView, seat: int) -> tuple[np.uint64, np.uint64]:
    """Key and bits of the seat's two cards."""
    a, b = view.cards[seat, 0], view.cards[seat, 1]
    return EMPTY + KEY[a] + KEY[b], BIT[a] | BIT[b]


@kernel
def board_of(view: HoldemView, count: int) -> tuple[np.uint64, np.uint64]:
    """Key and bits of the first cards of the board."""
    key, bits = _U(0), _U(0)
    for place in range(count):
        key += KEY[view.board[place]]
        bits |= BIT[view.board[place]]
    return key, bits


@kernel
def unseen(bits: np.uint64, deck: NDArray[np.int64]) -> int:
    """Write the cards that are not among these to `deck`, and return how many they are."""
    size = 0
    for card in range(52):
        if not bits & BIT[card]:
            deck[size] = card
            size += 1
    return size


@kernel
def strength_now(view: HoldemView) -> int:
    """The strength of the own cards with the board, from the flop on."""
    count = cards_on_board(view.street)
    key, bits = hand_of(view, view.seat)
    board_key, board_bits = board_of(view, count)
    if count == 5:
        return int(strength_7(key + board_key, bits | board_bits))
    return int(strength_56(key + board_key, bits | board_bits))


@kernel
def share_against_one(view: HoldemView, seat: int, street: int) -> float:
    """The share of one opponent's possible hands that are worse on the board of this street, equal ones counted half.

    From the flop on.
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
def share_against_random(view: HoldemView, others: int, samples: int, rng: RngState) -> float:
    """The share of the pot that the hand wins against `others` random hands, estimated from sampled deals."""
    known = cards_on_board(view.street)
    mine_key, mine_bits = hand_of(view, view.seat)
    board_key, board_bits = board_of(view, known)
    deck = np.empty(52, np.int64)
    size = unseen(mine_bits | board_bits, deck)
    total = 0.0
    for _ in range(samples):
        pick_some(rng, deck, size, 5 - known + 2 * others)
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


@kernel
def share_over_boards(view: HoldemView, samples: int, rng: RngState) -> float:
    """The share of one opponent's possible hands that are worse in the end, equal ones counted half.

    The missing cards of the board are dealt this many times, and every hand is compared on each of these boards.
    """
    known = cards_on_board(view.street)
    mine_key, mine_bits = hand_of(view, view.seat)
    board_key, board_bits = board_of(view, known)
    deck = np.empty(52, np.int64)
    size = unseen(mine_bits | board_bits, deck)
    missing, worse, equal = 5 - known, 0, 0
    for _ in range(samples):
        pick_some(rng, deck, size, missing)
        key, bits = board_key, board_bits
        for i in range(missing):
            key += KEY[deck[i]]
            bits |= BIT[deck[i]]
        mine = strength_7(mine_key + key, mine_bits | bits)
        key += EMPTY
        for i in range(missing, size):
            key_i, bits_i = key + KEY[deck[i]], bits | BIT[deck[i]]
            for j in range(missing, i):
                theirs = strength_7(key_i + KEY[deck[j]], bits_i | BIT[deck[j]])
                worse += theirs < mine
                equal += theirs == mine
    hands = (size - missing) * (size - missing - 1) // 2
    return (worse + equal / 2) / (samples * hands)
