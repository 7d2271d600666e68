"""Every board that a spot can come to, with the hands that are left on each, weakest first on rivers.

Boards that differ only by suits nobody can tell apart are one board: if some change of suits leaves the cards so far
and both ranges as they are, the cards that it exchanges are dealt once, and what hands are worth is copied.
"""

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_7
from fifthstreet.kernel import kernel

PAD = 8  # rows of hands are filled up to a multiple of this
SUIT_ORDERS = np.array(list(permutations(range(4))), np.int64)  # the first changes nothing


class Hands(NamedTuple):
    """The hands of both sides on the first board, in the order of their numbers: side 0, then side 1."""

    start: NDArray[np.int64]  # (3,) where the hands of each side begin
    cards: NDArray[np.uint8]  # (hands, 2)
    weight: NDArray[np.float32]
    same: NDArray[np.int16]  # the number of the same two cards in the other side's range, −1 if they are not in it


class Symmetry(NamedTuple):
    """The changes of suits that leave the first board and both ranges as they are."""

    card: NDArray[np.uint8]  # (changes, 52) what each card becomes
    hand: NDArray[np.int16]  # (changes, hands) what each hand becomes


class Boards(NamedTuple):
    """All boards: the first is number 0, then come its children, then theirs; side is the last index."""

    street: NDArray[np.int8]
    card: NDArray[np.int8]  # the last card, −1 for the first board
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    children: NDArray[np.int32]
    symmetry: NDArray[np.int64]  # as bits: the changes of suits that leave the board as it is
    first_copy: NDArray[np.int32]  # where the copies of this board begin
    copies: NDArray[np.int32]  # how many boards it stands for
    hands: NDArray[np.int32]  # (boards, 2)
    width: NDArray[np.int32]  # (boards, 2) the same, filled up
    first_hand: NDArray[np.int64]  # (boards, 2) where they begin in the rows below
    first_into: NDArray[np.int64]  # (boards, 2) the same for `into`, a row for each copy
    first_alike: NDArray[np.int64]  # (boards, 2) the same for `alike`; −1 if no hands are alike
    change: NDArray[np.int8]  # of each copy: the change of suits that leads to it
    # of each hand on each board
    hand: NDArray[np.int16]  # its number
    low: NDArray[np.uint8]
    high: NDArray[np.uint8]
    strength: NDArray[np.int16]  # on rivers
    same: NDArray[np.int16]  # where the other side has the same two cards, −1 where it does not
    into: NDArray[np.int16]  # for each copy of the board: where the hand stands on the board before
    alike: NDArray[np.int16]  # the first hand that some change of suits makes of this one


def symmetry_of(cards: list[int], ranges: tuple[Any, Any], hands: Hands, number: Any) -> Symmetry:
    """The changes of suits that leave the cards and both ranges (weights by combination) as they are."""
    kept_cards, kept_hands = [], []
    suits = {suit: tuple(sorted(card >> 2 for card in cards if card & 3 == suit)) for suit in range(4)}
    for order in SUIT_ORDERS:
        if any(suits[suit] != suits[order[suit]] for suit in range(4)):
            continue
        becomes = (np.arange(52) & ~3) | order[np.arange(52) & 3]
        first, second = becomes[hands.cards[:, 0]], becomes[hands.cards[:, 1]]
        combination = combination_of(np.minimum(first, second), np.maximum(first, second))
        places = []
        for side in (0, 1):
            part = slice(hands.start[side], hands.start[side + 1])
            if not np.array_equal(ranges[side][combination[part]], hands.weight[part]):
                break
            places.append(number[side][combination[part]])
        else:
            kept_cards.append(becomes)
            kept_hands.append(np.concatenate(places))
    return Symmetry(np.array(kept_cards, np.uint8), np.array(kept_hands, np.int16))


def combination_of(low: Any, high: Any) -> Any:
    """The number of two cards among the 1,326 combinations."""
    return high * (high - 1) // 2 + low


@kernel(allocates=False)
def count_boards(cards: int, used: int, symmetry: Symmetry) -> int:
    """How many boards there are, with those before the river, if suits that are alike are dealt once."""
    changes, found = (1 << symmetry.card.shape[0]) - 1, 1
    if cards == 5:
        return found
    for first in range(52):
        if (used >> first) & 1 or not is_first(symmetry, changes, first):
            continue
        found += 1
        if cards == 3:
            left = staying(symmetry, changes, first)
            for second in range(52):
                taken = (used >> second) & 1 or second == first
                found += not taken and is_first(symmetry, left, second)
    return found


@kernel(allocates=False)
def is_first(symmetry: Symmetry, changes: int, card: int) -> bool:
    """Whether no allowed change of suits makes a lower card of this one."""
    for change in range(symmetry.card.shape[0]):
        if (changes >> change) & 1 and symmetry.card[change, card] < card:
            return False
    return True


@kernel(allocates=False)
def staying(symmetry: Symmetry, changes: int, card: int) -> int:
    """Those of the changes that leave this card as it is."""
    left = 0
    for change in range(symmetry.card.shape[0]):
        if (changes >> change) & 1 and symmetry.card[change, card] == card:
            left |= 1 << change
    return left


@kernel(allocates=False)
def list_boards(first_street: int, used: int, symmetry: Symmetry, hands: Hands, boards: Boards, totals: Any) -> None:
    """Fill in all of `boards` that does not concern single hands; `totals` becomes the length of the other rows."""
    boards.street[0], boards.card[0], boards.parent[0] = first_street, -1, -1
    boards.symmetry[0] = (1 << symmetry.card.shape[0]) - 1
    boards.first_copy[0], boards.copies[0], boards.change[0] = 0, 1, 0
    count, copies = 1, 1
    for board in range(boards.street.size):
        measure(board, hands, boards, totals)
        boards.first_child[board], boards.children[board] = count, 0
        if boards.street[board] == 2:
            continue
        before = boards.card[board]
        for card in range(52):
            if (used >> card) & 1 or card == before or not is_first(symmetry, boards.symmetry[board], card):
                continue
            boards.street[count], boards.card[count] = boards.street[board] + 1, card
            boards.parent[count] = board
            boards.symmetry[count] = staying(symmetry, boards.symmetry[board], card)
            boards.first_copy[count], boards.copies[count] = copies, 0
            seen = 0
            for change in range(symmetry.card.shape[0]):
                becomes = symmetry.card[change, card]
                if (boards.symmetry[board] >> change) & 1 and not (seen >> becomes) & 1:
                    seen |= 1 << becomes
                    boards.change[copies] = change
                    boards.copies[count] += 1
                    copies += 1
            boards.children[board] += 1
            count += 1


@kernel(allocates=False)
def measure(board: int, hands: Hands, boards: Boards, totals: Any) -> None:
    """Count the hands that are left on a board, and give them a place."""
    last = boards.card[board]
    before = boards.card[boards.parent[board]] if boards.parent[board] > 0 else -1
    for side in range(2):
        count = 0
        for number in range(hands.start[side], hands.start[side + 1]):
            low, high = hands.cards[number, 0], hands.cards[number, 1]
            count += low != last and high != last and low != before and high != before
        width = (count + PAD - 1) // PAD * PAD
        boards.hands[board, side], boards.width[board, side] = count, width
        boards.first_hand[board, side], boards.first_into[board, side] = totals[0], totals[1]
        totals[0] += width
        if board > 0:
            totals[1] += width * boards.copies[board]
        boards.first_alike[board, side] = -1
        changes = boards.symmetry[board]
        if boards.street[board] < 2 and changes & (changes - 1):
            boards.first_alike[board, side] = totals[2]
            totals[2] += width


@kernel(allocates=False)
def place_hands(
    key: np.uint64, bits: np.uint64, symmetry: Symmetry, hands: Hands, boards: Boards, begin: int, end: int, work: Any
) -> None:
    """Fill in the hands of these boards. The board before must be complete. `work` is (6, hands) whole numbers."""
    for board in range(begin, end):
        parent = boards.parent[board]
        last = boards.card[board]
        before = boards.card[parent] if parent > 0 else -1
        key_now, bits_now = key, bits
        if last >= 0:
            key_now, bits_now = key_now + KEY[last], bits_now | BIT[last]
        if before >= 0:
            key_now, bits_now = key_now + KEY[before], bits_now | BIT[before]
        for side in range(2):
            count, row = 0, boards.first_hand[board, side]
            for number in range(hands.start[side], hands.start[side + 1]):
                low, high = hands.cards[number, 0], hands.cards[number, 1]
                if low != last and high != last and low != before and high != before:
                    work[0, count] = number - hands.start[side]
                    if boards.street[board] == 2:
                        both = bits_now | BIT[low] | BIT[high]
                        work[1, count] = strength_7(key_now + KEY[low] + KEY[high], both)
                    else:
                        work[1, count] = 0
                    count += 1
            if boards.street[board] == 2:
                sort_hands(count, work)
            for i in range(count):
                number = hands.start[side] + work[0, i]
                boards.hand[row + i], boards.strength[row + i] = work[0, i], work[1, i]
                boards.low[row + i], boards.high[row + i] = hands.cards[number, 0], hands.cards[number, 1]
                work[2 + side, work[0, i]] = i
            for i in range(count, boards.width[board, side]):
                boards.hand[row + i] = -1
        for side in range(2):
            count, row = boards.hands[board, side], boards.first_hand[board, side]
            for i in range(count):
                other = hands.same[hands.start[side] + boards.hand[row + i]]
                boards.same[row + i] = work[3 - side, other] if other >= 0 else -1
            alike = boards.first_alike[board, side]
            if alike >= 0:
                for i in range(count):
                    first = i
                    for change in range(symmetry.card.shape[0]):
                        if (boards.symmetry[board] >> change) & 1:
                            becomes = symmetry.hand[change, hands.start[side] + boards.hand[row + i]]
                            first = min(first, work[2 + side, becomes])
                    boards.alike[alike + i] = first
            if board == 0:
                continue
            rows = boards.first_hand[parent, side]
            for i in range(boards.hands[parent, side]):
                work[4, boards.hand[rows + i]] = i
            for copy in range(boards.copies[board]):
                change = boards.change[boards.first_copy[board] + copy]
                into = boards.first_into[board, side] + copy * boards.width[board, side]
                for i in range(count):
                    becomes = symmetry.hand[change, hands.start[side] + boards.hand[row + i]]
                    boards.into[into + i] = work[4, becomes]


@kernel(allocates=False)
def sort_hands(count: int, work: Any) -> None:
    """Sort the first rows of `work`, numbers and strengths, by strength: seven bits of it, then the other six."""
    for low_bits in (True, False):
        source, target = (0, 6) if low_bits else (6, 0)
        shift = 0 if low_bits else 7
        for i in range(129):
            work[5, i] = 0
        for i in range(count):
            work[5, ((work[source + 1, i] >> shift) & 127) + 1] += 1
        for i in range(128):
            work[5, i + 1] += work[5, i]
        for i in range(count):
            digit = (work[source + 1, i] >> shift) & 127
            place = work[5, digit]
            work[5, digit] = place + 1
            work[target, place], work[target + 1, place] = work[source, i], work[source + 1, i]


def first_key(cards: list[int]) -> tuple[np.uint64, np.uint64]:
    """The key and the bits of the first board."""
    return np.uint64(EMPTY + KEY[cards].sum()), np.bitwise_or.reduce(BIT[cards])


def boards_of(cards: list[int], symmetry: Symmetry, hands: Hands) -> Boards:
    """All boards that follow these three to five cards."""
    used = sum(1 << card for card in cards)
    count = count_boards(len(cards), used, symmetry)
    deals = (1, 49, 49 * 48 + 49)[5 - len(cards)] + 1

    def zeros(kind: Any, *shape: int) -> Any:
        return np.zeros(shape, kind)

    def of_hands(*lengths: int) -> tuple[Any, ...]:
        rows, into, alike = lengths
        kinds = (np.int16, np.uint8, np.uint8, np.int16, np.int16)
        return *(zeros(kind, rows) for kind in kinds), zeros(np.int16, into), zeros(np.int16, alike)

    by_board = (
        zeros(np.int8, count),
        zeros(np.int8, count),
        *(zeros(np.int32, count) for _ in range(3)),
        zeros(np.int64, count),
        *(zeros(np.int32, count) for _ in range(2)),
        *(zeros(np.int32, count, 2) for _ in range(2)),
        *(zeros(np.int64, count, 2) for _ in range(3)),
        zeros(np.int8, deals),
    )
    boards, totals = Boards(*by_board, *of_hands(1, 1, 1)), zeros(np.int64, 3)
    list_boards(len(cards) - 3, used, symmetry, hands, boards, totals)
    boards = Boards(*by_board, *of_hands(*(max(int(total), 1) for total in totals)))
    key, bits = first_key(cards)
    work = zeros(np.int64, 8, max(len(hands.cards), 136))
    place_hands(key, bits, symmetry, hands, boards, 0, count, work)
    return boards
