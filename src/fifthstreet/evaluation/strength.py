"""The compiled evaluator: the strength of five, six or seven cards from two table look-ups.

Every card has a 64-bit key, and the key of a hand is the sum of its cards' keys on top of EMPTY, so a search can add
cards one by one. The upper 40 bits are an additive hash of the ranks; the lower 16 count the suits, starting at 3, so
that bit 3 of a suit's count means "five or more": a flush. Without a flush, the hash gives the strength through a table
of displacements (16 KB) and a table of strengths (139 KB). This is a perfect hash of all 49,205 rank multisets of seven
cards, small enough for the L2 cache; five and six cards have a smaller pair of tables. With a flush, only the ranks in
that suit matter, and their 13 bits index a table directly.

The tables are built from the readable rules in `hand.py`, which give the 7,462 classes of five cards. The strength of
six or seven cards is the best over leaving out one card.
"""

import os
from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.cards import CardError, cards, show
from fifthstreet.errors import whole
from fifthstreet.evaluation import hand
from fifthstreet.kernel import kernel
from fifthstreet.parallel import together

Keys = NDArray[np.uint64]
Strengths = NDArray[np.uint16]
Ints = NDArray[np.int64]

_U = np.uint64

# Layout of a key, and widths of the two levels of the hash.
EMPTY = _U(0x3333)  # the key of no cards
FLUSH_BITS = _U(0x8888)
_INVALID_BITS = _U(0xFF0000)  # set by numbers above 51
_NOT_PLAIN = FLUSH_BITS | _INVALID_BITS
_HASH_SHIFT = 24
_ROW_BITS_7, _COLUMN_BITS_7 = 13, 16
_ROW_BITS_56, _COLUMN_BITS_56 = 12, 15
_ROW_7, _COLUMN_7, _MASK_7 = _U(51), _U(35), _U(0xFFFF)
_ROW_56, _COLUMN_56, _MASK_56 = _U(52), _U(37), _U(0x7FFF)
_SLACK = 4096  # the largest displacement


def _rank_weights() -> Keys:
    """Return thirteen 40-bit weights whose sums have distinct hashes for all rank multisets; seed 0 happens to work."""
    return np.random.default_rng(0).integers(0, 2**40, 13, dtype=np.uint64) << _U(_HASH_SHIFT)


def _multisets(size: int) -> NDArray[np.uint64]:
    """Return the count of each rank, one row per multiset of `size` ranks with at most four of each."""
    rows = np.array(list(combinations_with_replacement(range(13), size)))
    counts = (rows[:, :, None] == np.arange(13)).sum(axis=1)
    possible: NDArray[np.uint64] = counts[counts.max(axis=1) <= 4].astype(np.uint64)
    return possible


def _perfect_hash(
    keys: Keys, values: Strengths, row_bits: int, column_bits: int
) -> tuple[NDArray[np.uint16], Strengths]:
    """Return displacements and a table such that table[column + displacement[row]] is the value of each key."""
    hashes = (keys >> _U(64 - row_bits - column_bits)).astype(np.int64)
    if len(np.unique(hashes)) != len(hashes):
        raise AssertionError("two rank multisets share a hash")
    rows, columns = hashes >> column_bits, hashes & (2**column_bits - 1)
    table = np.zeros(2**column_bits + _SLACK, np.uint16)
    displacement = np.zeros(2**row_bits, np.uint16)
    order = np.argsort(rows, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(rows[order])) + 1)
    steps = np.arange(_SLACK)
    for group in sorted(groups, key=len, reverse=True):  # fullest rows first, each into the first gap that fits
        free = np.ones(_SLACK, bool)
        for column in columns[group]:
            free &= table[column : column + _SLACK] == 0
        step = int(steps[free][0])
        displacement[rows[group[0]]] = step
        table[columns[group] + step] = values[group]
    return displacement, table


def _build() -> dict[str, Any]:
    weights = _rank_weights()
    place = {value: index + 1 for index, value in enumerate(hand.classes())}

    sets = {size: _multisets(size) for size in (5, 6, 7)}
    keys = {size: (counts * weights).sum(axis=1, dtype=np.uint64) for size, counts in sets.items()}
    best = {5: np.zeros(len(sets[5]), np.uint16)}
    for row, counts in enumerate(sets[5].astype(int)):
        best[5][row] = place[hand._value(np.repeat(np.arange(13), counts).tolist(), flush=False)]
    for size in (6, 7):
        order = np.argsort(keys[size - 1])
        smaller, strengths = keys[size - 1][order], best[size - 1][order]
        best[size] = np.zeros(len(sets[size]), np.uint16)
        for rank in range(13):
            held = sets[size][:, rank] > 0
            without = np.searchsorted(smaller, keys[size][held] - weights[rank])
            best[size][held] = np.maximum(best[size][held], strengths[without])

    flush = np.zeros(2**13, np.uint16)
    for five in combinations(range(13), 5):
        flush[sum(1 << rank for rank in five)] = place[hand._value(five, flush=True)]
    for mask in range(2**13):
        if mask.bit_count() in (6, 7):  # ascending, so the smaller masks are already filled
            flush[mask] = max(flush[mask & ~(1 << rank)] for rank in range(13) if mask >> rank & 1)

    rows_7, table_7 = _perfect_hash(keys[7], best[7], _ROW_BITS_7, _COLUMN_BITS_7)
    rows_56, table_56 = _perfect_hash(
        np.concatenate([keys[5], keys[6]]), np.concatenate([best[5], best[6]]), _ROW_BITS_56, _COLUMN_BITS_56
    )
    return {
        "weights": weights,
        "rows_7": rows_7,
        "table_7": table_7,
        "rows_56": rows_56,
        "table_56": table_56,
        "flush": flush,
        "categories": np.array([min(place[v] for v in place if v[0] == c) for c in hand.Category], np.uint16),
    }


_tables = cache.arrays(__file__, "evaluator", _build)
_ROWS_7, _TABLE_7 = _tables["rows_7"], _tables["table_7"]
_ROWS_56, _TABLE_56 = _tables["rows_56"], _tables["table_56"]
_FLUSH, _CATEGORIES = _tables["flush"], _tables["categories"]

RANK_KEY: Keys = _tables["weights"]
"""The part of a card's key that depends on its rank."""

KEY: Keys = np.full(256, _U(1 << 16), np.uint64)
"""The key of each card; the key of a number above 51 sets _INVALID_BITS, which the batch functions check."""
KEY[:52] = np.repeat(RANK_KEY, 4) + np.tile(_U(1) << (_U(4) * np.arange(4, dtype=np.uint64)), 13)

BIT: Keys = _U(1) << np.array([16 * (card & 3) + (card >> 2) for card in range(52)], np.uint64)
"""The bit of each card in a 64-bit set of cards: 16 bits per suit, deuce lowest."""


@kernel
def plain_7(key: np.uint64) -> Any:
    """Return the strength of seven cards, ignoring flushes."""
    return _TABLE_7[((key >> _COLUMN_7) & _MASK_7) + _ROWS_7[key >> _ROW_7]]


@kernel
def plain_56(key: np.uint64) -> Any:
    """Return the strength of five or six cards, ignoring flushes."""
    return _TABLE_56[slot_56(key)]


@kernel
def slot_56(key: np.uint64) -> int:
    """Return a unique number below `slots_56()` for every rank multiset of five or six cards."""
    return ((key >> _COLUMN_56) & _MASK_56) + _ROWS_56[key >> _ROW_56]


@kernel
def slots_56() -> int:
    return _TABLE_56.size


@kernel
def flush_strength(ranks: np.uint64) -> Any:
    """Return the strength of a flush with these ranks (13 bits, five to seven of them set)."""
    return _FLUSH[ranks]


@kernel
def flush_suit(key: np.uint64) -> np.uint64:
    """Return the suit that has five or more cards in the key."""
    bits = key & FLUSH_BITS
    return (bits > _U(0x8)) + _U(bits > _U(0x80)) + _U(bits > _U(0x800))


@kernel
def strength_7(key: np.uint64, bits: np.uint64) -> Any:
    """Return the strength of seven cards from the sum of their keys (starting at EMPTY) and of their bits."""
    if key & FLUSH_BITS:
        return _FLUSH[(bits >> (_U(16) * flush_suit(key))) & _U(0x1FFF)]
    return plain_7(key)


@kernel
def strength_56(key: np.uint64, bits: np.uint64) -> Any:
    """Return the strength of five or six cards from the sum of their keys (starting at EMPTY) and of their bits."""
    if key & FLUSH_BITS:
        return _FLUSH[(bits >> (_U(16) * flush_suit(key))) & _U(0x1FFF)]
    return plain_56(key)


@kernel
def category_number(strength: int) -> int:
    """Return the category of a strength, 0 (high card) to 8 (straight flush)."""
    number = 8
    while strength < _CATEGORIES[number]:
        number -= 1
    return number


@kernel
def evaluate_5(a: int, b: int, c: int, d: int, e: int) -> int:
    """Return the strength of five cards, unchecked; `evaluate_5.dispatcher` has the least call overhead."""
    key = EMPTY + KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[e]
    return strength_56(key, BIT[a] + BIT[b] + BIT[c] + BIT[d] + BIT[e])


@kernel
def evaluate_7(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    """Return the strength of seven cards, unchecked; `evaluate_7.dispatcher` has the least call overhead."""
    key = EMPTY + KEY[a] + KEY[b] + KEY[c] + KEY[d] + KEY[e] + KEY[f] + KEY[g]
    if key & FLUSH_BITS:
        return strength_7(key, BIT[a] + BIT[b] + BIT[c] + BIT[d] + BIT[e] + BIT[f] + BIT[g])
    return plain_7(key)


_BLOCK = 512


@kernel
def _one_by_one(
    flat: NDArray[np.uint8],
    width: np.uint64,
    out: Strengths,
    start: np.uint64,
    waiting: NDArray[np.uint16],
    count: np.uint64,
) -> bool:
    """Evaluate the waiting hands, mostly flushes, one by one; return False if one contains an invalid card."""
    valid = True
    for i in range(count):
        row = start + _U(waiting[i])
        first = row * width
        key, bits = EMPTY, _U(0)
        for j in range(width):
            card = flat[first + _U(j)]
            key += KEY[card]
            bits |= BIT[min(card, 51)]
        valid &= (key & _INVALID_BITS) == _U(0)
        out[row] = strength_7(key, bits) if width == _U(7) else strength_56(key, bits)
    return valid


@kernel
def _key_7(flat: NDArray[np.uint8], first: np.uint64) -> np.uint64:
    """Return the key of the seven cards that start at index `first`."""
    return (
        (KEY[flat[first]] + KEY[flat[first + _U(1)]])
        + (KEY[flat[first + _U(2)]] + KEY[flat[first + _U(3)]])
        + (KEY[flat[first + _U(4)]] + KEY[flat[first + _U(5)]])
        + (KEY[flat[first + _U(6)]] + EMPTY)
    )


@kernel
def batch_7(flat: NDArray[np.uint8], out: Strengths) -> bool:
    """Fill `out` with the strengths of the seven-card hands laid end to end in `flat`; return False on an invalid card.

    Works on four hands at a time. Flushes, one hand in 33, are set aside and evaluated after each block, so that a
    mispredicted branch never delays a look-up. Unsigned counters avoid Numba's test for negative indices.
    """
    waiting = np.empty(_BLOCK + 1, np.uint16)
    rows, start, valid = _U(out.size), _U(0), True
    while start < rows:
        size = min(_U(_BLOCK), rows - start)
        first, row, count = start * _U(7), _U(0), _U(0)
        while row + _U(3) < size:
            key_0, key_1 = _key_7(flat, first), _key_7(flat, first + _U(7))
            key_2, key_3 = _key_7(flat, first + _U(14)), _key_7(flat, first + _U(21))
            place = start + row
            out[place], out[place + _U(1)] = plain_7(key_0), plain_7(key_1)
            out[place + _U(2)], out[place + _U(3)] = plain_7(key_2), plain_7(key_3)
            if (key_0 | key_1 | key_2 | key_3) & _NOT_PLAIN:
                waiting[count] = row
                count += _U((key_0 & _NOT_PLAIN) != _U(0))
                waiting[count] = row + _U(1)
                count += _U((key_1 & _NOT_PLAIN) != _U(0))
                waiting[count] = row + _U(2)
                count += _U((key_2 & _NOT_PLAIN) != _U(0))
                waiting[count] = row + _U(3)
                count += _U((key_3 & _NOT_PLAIN) != _U(0))
            row += _U(4)
            first += _U(28)
        while row < size:  # the last three or fewer
            waiting[count] = row
            count += _U(1)
            row += _U(1)
        valid &= _one_by_one(flat, _U(7), out, start, waiting, count)
        start += size
    return valid


@kernel
def batch_56(flat: NDArray[np.uint8], width: int | np.uint64, out: Strengths) -> bool:
    """Fill `out` with the strengths of hands of five or six cards; return False on an invalid card."""
    waiting = np.empty(_BLOCK + 1, np.uint16)
    rows, start, valid = _U(out.size), _U(0), True
    width = _U(width)
    while start < rows:
        size = min(_U(_BLOCK), rows - start)
        first, row, count = start * width, _U(0), _U(0)
        while row < size:
            key = EMPTY
            for j in range(width):
                key += KEY[flat[first + _U(j)]]
            waiting[count] = row
            count += _U((key & _NOT_PLAIN) != _U(0))
            out[start + row] = plain_56(key)
            row += _U(1)
            first += width
        valid &= _one_by_one(flat, width, out, start, waiting, count)
        start += size
    return valid


@kernel
def no_repeats(hands: NDArray[np.uint8]) -> int:
    """Return the index of the first row that contains a card twice, or −1."""
    for row in range(hands.shape[0]):
        seen = _U(0)
        for j in range(hands.shape[1]):
            seen |= _U(1) << _U(hands[row, j])
        count = 0
        while seen:
            seen &= seen - _U(1)
            count += 1
        if count != hands.shape[1]:
            return row
    return -1


@overload
def evaluate(hands: str | Sequence[int], *, check: bool = ..., workers: int | None = ...) -> int: ...
@overload
def evaluate(hands: NDArray[Any], *, check: bool = ..., workers: int | None = ...) -> Any: ...
def evaluate(hands: Any, *, check: bool = False, workers: int | None = 1) -> Any:
    """Return the strength of a hand, 1 to 7,462, or the strengths of many hands at once.

    A hand is text ("Ah Kh Qh Jh Th") or five to seven cards. Many hands are an integer array of shape (n, 5), (n, 6)
    or (n, 7), and return an array of n strengths. Shape, type and range of an array are always checked. Repeated cards
    in a row are checked only with `check=True`, which takes longer than the evaluation itself. `workers` is the number
    of threads for large arrays; None means all cores.

    >>> evaluate("Ah Kh Qh Jh Th")
    7462
    >>> evaluate(np.array([[0, 5, 10, 15, 21], [51, 50, 49, 48, 47]]))
    array([   1, 7452], dtype=uint16)
    """
    if isinstance(hands, np.ndarray) and hands.ndim == 2:
        return _evaluate_array(hands, check, workers)
    if isinstance(hands, np.ndarray) and hands.ndim != 1:
        raise CardError(f"an array of shape {hands.shape} is not hands: the shape is (n, 5), (n, 6) or (n, 7)")
    if not isinstance(hands, str | np.ndarray | Iterable):
        raise CardError(f"{hands!r} is not a hand: give text, cards, or an array of shape (n, 5), (n, 6) or (n, 7)")
    found = cards(hands)
    if not 5 <= len(found) <= 7:
        raise CardError(f"{show(found)!r} has {len(found)} cards: a hand has 5, 6 or 7")
    return int(_evaluate_array(np.array([found], np.uint8), False, 1)[0])


def _evaluate_array(hands: NDArray[Any], check: bool, workers: int | None) -> Strengths:
    rows, width = hands.shape
    if workers is not None and workers != 1:
        workers = whole(workers, "workers", least=1)
    if width not in (5, 6, 7):
        raise CardError(f"an array of shape {hands.shape} is not hands: the shape is (n, 5), (n, 6) or (n, 7)")
    if hands.dtype != np.uint8:
        if hands.dtype.kind not in "iu":
            raise CardError(f"an array of {hands.dtype} is not hands: cards are whole numbers from 0 to 51")
        if rows and not 0 <= hands.min() <= hands.max() <= 51:
            raise _no_card(hands)
        hands = hands.astype(np.uint8)
    flat = hands.reshape(-1)  # copies only if the rows are not contiguous
    out = np.empty(rows, np.uint16)
    if workers == 1 or rows < 20_000:  # for fewer rows threads cost more than they save
        valid = _batch(flat, width, out)
    else:
        parts = 4 * (workers or os.cpu_count() or 1)

        def some(part: int) -> bool:
            first, last = rows * part // parts, rows * (part + 1) // parts
            return _batch(flat[first * width : last * width], width, out[first:last])

        valid = all(together(some, parts, workers))
    if not valid:
        raise _no_card(hands)
    if check and (row := no_repeats(hands)) >= 0:
        raise CardError(f"row {row} holds a card twice: {show(hands[row])!r}")
    return out


def _batch(flat: NDArray[np.uint8], width: int, out: Strengths) -> bool:
    return batch_7(flat, out) if width == 7 else batch_56(flat, width, out)


def _no_card(hands: NDArray[Any]) -> CardError:
    row, column = np.argwhere((hands < 0) | (hands > 51))[0]
    return CardError(f"{hands[row, column]} in row {row} is not a card: cards are whole numbers from 0 to 51")
