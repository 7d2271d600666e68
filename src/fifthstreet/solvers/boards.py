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
from fifthstreet.record import rows_of

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


BOARD = np.dtype(
    [
        ("street", np.int64),
        ("card", np.int64),  # the last card, −1 for the first board
        ("parent", np.int64),
        ("first_child", np.int64),
        ("children", np.int64),
        ("symmetry", np.int64),  # as bits: the changes of suits that leave the board as it is
        ("first_copy", np.int64),  # where the copies of this board begin
        ("copies", np.int64),  # how many boards it stands for
        # by side
        ("hands", np.int64, 2),
        ("width", np.int64, 2),  # the same, filled up
        ("first_hand", np.int64, 2),  # where they begin in the rows of `Boards`
        ("first_into", np.int64, 2),  # the same for `into`, a row for each copy
        ("first_alike", np.int64, 2),  # the same for `alike`; −1 if no hands are alike
        ("table", np.int64, 2),  # where the rows of regrets begin
    ],
    align=True,
)


class Boards(NamedTuple):
    """All boards: the first is number 0, then come its children, then theirs."""

    list: Any  # of BOARD
    change: NDArray[np.int8]  # of each copy: the change of suits that leads to it
    # of each hand on each board
    hand: NDArray[np.int16]  # its number
    low: NDArray[np.uint8]
    high: NDArray[np.uint8]
    strength: NDArray[np.int16]  # on rivers
    same: NDArray[np.int16]  # where the other side has the same two cards, −1 where it does not
    into: NDArray[np.int16]  # for each copy of the board: where the hand stands on the board before
    alike: NDArray[np.int16]  # the first hand that some change of suits makes of this one


@kernel(allocates=False)
def list_hands(
    used: Any, given: Any, cards: Any, combination: Any, hands: Hands, number: Any, by_combination: Any
) -> None:
    """Fill in the hands of both sides, and by side and combination their numbers and weights.

    used, given  by side, in the order of hands: whether it is in the range, and its weight
    cards        of each combination in this order
    combination  its number
    """
    count = 0
    for side in range(2):
        hands.start[side] = count
        for place in range(1326):
            if used[side, place]:
                hands.cards[count, 0], hands.cards[count, 1] = cards[place, 0], cards[place, 1]
                hands.weight[count] = by_combination[side, combination[place]] = given[side, place]
                number[side, combination[place]] = count - hands.start[side]
                count += 1
    hands.start[2] = count
    for side in range(2):
        for i in range(hands.start[side], hands.start[side + 1]):
            low, high = int(hands.cards[i, 0]), int(hands.cards[i, 1])
            hands.same[i] = number[1 - side, high * (high - 1) // 2 + low]


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


def no_symmetry(hands: Hands, river: bool = False) -> Symmetry:
    """Only the change of suits that changes nothing; on a river, where no card follows, hands are not listed."""
    if river:
        return _STAYING
    numbers = [np.arange(hands.start[side + 1] - hands.start[side]) for side in (0, 1)]
    return Symmetry(np.arange(52, dtype=np.uint8)[None], np.concatenate(numbers).astype(np.int16)[None])


_STAYING = Symmetry(np.arange(52, dtype=np.uint8)[None], np.zeros((1, 0), np.int16))


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
    boards.list[0].street, boards.list[0].card, boards.list[0].parent = first_street, -1, -1
    boards.list[0].symmetry = (1 << symmetry.card.shape[0]) - 1
    boards.list[0].first_copy, boards.list[0].copies, boards.change[0] = 0, 1, 0
    count, copies = 1, 1
    for board in range(boards.list.size):
        measure(board, hands, boards, totals)
        boards.list[board].first_child, boards.list[board].children = count, 0
        if boards.list[board].street == 2:
            continue
        before = boards.list[board].card
        for card in range(52):
            if (used >> card) & 1 or card == before or not is_first(symmetry, boards.list[board].symmetry, card):
                continue
            boards.list[count].street, boards.list[count].card = boards.list[board].street + 1, card
            boards.list[count].parent = board
            boards.list[count].symmetry = staying(symmetry, boards.list[board].symmetry, card)
            boards.list[count].first_copy, boards.list[count].copies = copies, 0
            seen = 0
            for change in range(symmetry.card.shape[0]):
                becomes = symmetry.card[change, card]
                if (boards.list[board].symmetry >> change) & 1 and not (seen >> becomes) & 1:
                    seen |= 1 << becomes
                    boards.change[copies] = change
                    boards.list[count].copies += 1
                    copies += 1
            boards.list[board].children += 1
            count += 1


@kernel(allocates=False)
def measure(board: int, hands: Hands, boards: Boards, totals: Any) -> None:
    """Count the hands that are left on a board, and give them a place."""
    last = boards.list[board].card
    before = boards.list[boards.list[board].parent].card if boards.list[board].parent > 0 else -1
    for side in range(2):
        count = 0
        for number in range(hands.start[side], hands.start[side + 1]):
            low, high = hands.cards[number, 0], hands.cards[number, 1]
            count += low != last and high != last and low != before and high != before
        width = (count + PAD - 1) // PAD * PAD
        boards.list[board].hands[side], boards.list[board].width[side] = count, width
        boards.list[board].first_hand[side], boards.list[board].first_into[side] = totals[0], totals[1]
        totals[0] += width
        if board > 0:
            totals[1] += width * boards.list[board].copies
        boards.list[board].first_alike[side] = -1
        changes = boards.list[board].symmetry
        if boards.list[board].street < 2 and changes & (changes - 1):
            boards.list[board].first_alike[side] = totals[2]
            totals[2] += width


@kernel(allocates=False)
def place_hands(
    key: np.uint64, bits: np.uint64, symmetry: Symmetry, hands: Hands, boards: Boards, begin: int, end: int, work: Any
) -> None:
    """Fill in the hands of these boards. The board before must be complete. `work` is (6, hands) whole numbers."""
    for board in range(begin, end):
        parent = boards.list[board].parent
        last = boards.list[board].card
        before = boards.list[parent].card if parent > 0 else -1
        key_now, bits_now = key, bits
        if last >= 0:
            key_now, bits_now = key_now + KEY[last], bits_now | BIT[last]
        if before >= 0:
            key_now, bits_now = key_now + KEY[before], bits_now | BIT[before]
        for side in range(2):
            count, row = 0, boards.list[board].first_hand[side]
            for number in range(hands.start[side], hands.start[side + 1]):
                low, high = hands.cards[number, 0], hands.cards[number, 1]
                if low != last and high != last and low != before and high != before:
                    work[0, count] = number - hands.start[side]
                    if boards.list[board].street == 2:
                        both = bits_now | BIT[low] | BIT[high]
                        work[1, count] = strength_7(key_now + KEY[low] + KEY[high], both)
                    else:
                        work[1, count] = 0
                    count += 1
            if boards.list[board].street == 2:
                sort_hands(count, work)
            for i in range(count):
                number = hands.start[side] + work[0, i]
                boards.hand[row + i], boards.strength[row + i] = work[0, i], work[1, i]
                boards.low[row + i], boards.high[row + i] = hands.cards[number, 0], hands.cards[number, 1]
                work[2 + side, work[0, i]] = i
            for i in range(count, boards.list[board].width[side]):
                boards.hand[row + i] = -1
        for side in range(2):
            count, row = boards.list[board].hands[side], boards.list[board].first_hand[side]
            for i in range(count):
                other = hands.same[hands.start[side] + boards.hand[row + i]]
                boards.same[row + i] = work[3 - side, other] if other >= 0 else -1
            alike = boards.list[board].first_alike[side]
            if alike >= 0:
                for i in range(count):
                    first = i
                    for change in range(symmetry.card.shape[0]):
                        if (boards.list[board].symmetry >> change) & 1:
                            becomes = symmetry.hand[change, hands.start[side] + boards.hand[row + i]]
                            first = min(first, work[2 + side, becomes])
                    boards.alike[alike + i] = first
            if board == 0:
                continue
            rows = boards.list[parent].first_hand[side]
            for i in range(boards.list[parent].hands[side]):
                work[4, boards.hand[rows + i]] = i
            for copy in range(boards.list[board].copies):
                change = boards.change[boards.list[board].first_copy + copy]
                into = boards.list[board].first_into[side] + copy * boards.list[board].width[side]
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


_NONE: Any = tuple(np.zeros(1, kind) for kind in (np.int16, np.uint8, np.uint8, *(np.int16,) * 4))  # not known yet


def boards_of(cards: list[int], symmetry: Symmetry, hands: Hands) -> Boards:
    """All boards that follow these three to five cards."""
    used = sum(1 << card for card in cards)
    count = count_boards(len(cards), used, symmetry)
    deals = (1, 49, 49 * 48 + 49)[5 - len(cards)] + 1

    def of_hands(rows: int, into: int, alike: int) -> tuple[Any, ...]:
        kinds = (np.int16, np.uint8, np.uint8, np.int16, np.int16)
        return *(np.zeros(rows, kind) for kind in kinds), np.zeros(into, np.int16), np.zeros(alike, np.int16)

    by_board, totals = (rows_of(count, BOARD), np.zeros(deals, np.int8)), np.zeros(3, np.int64)
    list_boards(len(cards) - 3, used, symmetry, hands, Boards(*by_board, *_NONE), totals)
    boards = Boards(*by_board, *of_hands(*(max(total, 1) for total in totals.tolist())))
    key, bits = first_key(cards)
    work = np.zeros((8, max(len(hands.cards), 136)), np.int64)
    place_hands(key, bits, symmetry, hands, boards, 0, count, work)
    return boards
