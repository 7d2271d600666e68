"""The chance that a column wins if both sides are completed at random, exactly or by simulation; and equation (3).

Pairs of completions that share no card need not be counted one by one. Of the opponent's completions Y that are weaker
than my X, those that share no card with it are counted by inclusion and exclusion over the subsets T of X: the
alternating sum of how many weaker Y contain T. All completions of both sides are sorted by strength, and one sweep from
weak to strong keeps, for every set T of up to four cards, how many Y so far contain it. Each X reads 2^|X| of these
counters and each Y raises 2^|Y| of them: a few million steps, where there are ten thousand million pairs.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.five_o.hands import ALL_LEFT, LEFT, SUITS_LEFT, Cards, Counts, keys_of
from fifthstreet.evaluation.hand import STRENGTHS
from fifthstreet.evaluation.strength import BIT, KEY, strength_56
from fifthstreet.games.deck import CARDS
from fifthstreet.games.five_o import COLUMNS, ROWS, FiveOTable, FiveOView, is_open
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, pick

Board = NDArray[np.int64]
"""The cards of a table by seat, column and row, for a search to place cards on."""

Numbers = NDArray[np.int64]
Chances = NDArray[np.float64]

_U = np.uint64
_CHOOSE = np.array([[math.comb(n, k) for k in range(5)] for n in range(53)])


@kernel
def read_cards(table: FiveOTable, board: Board) -> None:
    """Copy the cards of a table to `board`."""
    for seat in range(2):
        for column in range(COLUMNS):
            for row in range(ROWS):
                board[seat, column, row] = table.cards[seat, column, row]


@kernel
def visible(cards: Cards) -> int:
    """How many cards of a column can be seen; they lie first."""
    count = 0
    while count < ROWS and cards[count] >= 0:
        count += 1
    return count


@kernel
def seen_cards(view: FiveOView) -> int:
    """The cards that this seat has seen, as a set of bits."""
    seen = 0
    for seat in range(2):
        for column in range(COLUMNS):
            for row in range(ROWS):
                if view.cards[seat, column, row] >= 0:
                    seen |= 1 << view.cards[seat, column, row]
    return seen | 1 << view.next_card if view.next_card >= 0 else seen


@kernel
def unseen_cards(view: FiveOView, deck: Numbers) -> int:
    """Write the cards that this seat has not seen to `deck`, and return how many there are."""
    seen, size = seen_cards(view), 0
    for card in range(CARDS):
        if not seen >> card & 1:
            deck[size] = card
            size += 1
    return size


@kernel
def count_card(left: Counts, card: int, change: int) -> None:
    left[card >> 2] += change
    left[SUITS_LEFT + (card & 3)] += change
    left[ALL_LEFT] += change


@kernel
def unseen_counts(view: FiveOView) -> Counts:
    """How many cards of each rank and suit, and in all, this seat has not seen."""
    seen, left = seen_cards(view), np.zeros(LEFT, np.int64)
    for card in range(CARDS):
        if not seen >> card & 1:
            count_card(left, card, 1)
    return left


@kernel
def completions(
    key: Any, bits: Any, deck: Numbers, size: int, missing: int, strengths: NDArray[np.uint16], members: Numbers
) -> int:
    """Write the strength of a hand with every set of `missing` cards of the deck, and return how many sets there are.

    The sets themselves go to `members`: the places of the cards in the deck, a byte each.
    """
    count = 0
    if missing == 0:
        strengths[0], members[0] = strength_56(key, bits), 0
        return 1
    for a in range(size):
        key_a, bits_a = key + KEY[deck[a]], bits | BIT[deck[a]]
        if missing == 1:
            strengths[count], members[count] = strength_56(key_a, bits_a), a
            count += 1
            continue
        for b in range(a):
            key_b, bits_b = key_a + KEY[deck[b]], bits_a | BIT[deck[b]]
            if missing == 2:
                strengths[count], members[count] = strength_56(key_b, bits_b), a << 8 | b
                count += 1
                continue
            for c in range(b):
                key_c, bits_c = key_b + KEY[deck[c]], bits_b | BIT[deck[c]]
                if missing == 3:
                    strengths[count], members[count] = strength_56(key_c, bits_c), a << 16 | b << 8 | c
                    count += 1
                    continue
                for d in range(c):
                    strengths[count] = strength_56(key_c + KEY[deck[d]], bits_c | BIT[deck[d]])
                    members[count] = a << 24 | b << 16 | c << 8 | d
                    count += 1
    return count


@kernel
def by_strength(strengths: NDArray[np.uint16], members: Numbers, count: int, first: Numbers) -> Numbers:
    """The sets in order of strength; first[s] is where those of strength s begin."""
    first[:] = 0
    for i in range(count):
        first[strengths[i] + 1] += 1
    for s in range(1, first.size):
        first[s] += first[s - 1]
    ordered, place = np.empty(count, np.int64), first.copy()
    for i in range(count):
        s = strengths[i]
        ordered[place[s]] = members[i]
        place[s] += 1
    return ordered


@kernel
def subsets(member: int, missing: int, shift: Numbers, places: Numbers) -> None:
    """The number of the counter of every subset of a set, by which of its cards are in it.

    A set of t cards at places a > b > … has the number C(a, t) + C(b, t − 1) + … among all of its size.
    """
    places[0] = 0
    for subset in range(1, 1 << missing):
        total, taken = 0, 0
        for i in range(missing):  # from the lowest place to the highest
            if subset >> i & 1:
                taken += 1
                total += _CHOOSE[member >> (8 * i) & 255, taken]
        places[subset] = shift[taken] + total


_EVEN = np.array([bin(i).count("1") % 2 == 0 for i in range(16)])


@kernel
def disjoint(counters: NDArray[np.int32], places: Numbers, count: int) -> int:
    """Inclusion and exclusion: how many of the sets that have passed share no card with this one."""
    total = 0
    for subset in range(count):
        if _EVEN[subset]:
            total += counters[places[subset]]
        else:
            total -= counters[places[subset]]
    return total


@kernel
def last_row_counts(
    my_key: Any, my_bits: Any, missing: int, key: Any, bits: Any, their_missing: int, deck: Numbers, size: int
) -> tuple[int, int, int]:
    """What `column_counts` returns, pair by pair: for columns that miss one card at most."""
    mine, theirs, members = np.empty(52, np.uint16), np.empty(52, np.uint16), np.empty(52, np.int64)
    my_count = completions(my_key, my_bits, deck, size, missing, mine, members)
    their_count = completions(key, bits, deck, size, their_missing, theirs, members)
    wins, ties = 0, 0
    for i in range(my_count):
        for j in range(their_count):
            if i != j or missing == 0 or their_missing == 0:
                wins += mine[i] > theirs[j]
                ties += mine[i] == theirs[j]
    return wins, ties, my_count * _CHOOSE[size - missing, their_missing]


@kernel
def column_counts(
    my_key: Any, my_bits: Any, mine: int, key: Any, bits: Any, theirs: int, deck: Numbers, size: int
) -> tuple[int, int, int]:
    """Wins, ties and all pairs of completions, of a column with `mine` cards against one with `theirs`."""
    missing, their_missing = 5 - mine, 5 - theirs
    if missing <= 1 and their_missing <= 1:
        return last_row_counts(my_key, my_bits, missing, key, bits, their_missing, deck, size)
    most = max(_CHOOSE[size, missing], _CHOOSE[size, their_missing])
    strengths, members = np.empty(most, np.uint16), np.empty(most, np.int64)
    my_first, their_first = np.empty(STRENGTHS + 2, np.int64), np.empty(STRENGTHS + 2, np.int64)
    my_count = completions(my_key, my_bits, deck, size, missing, strengths, members)
    my_sets = by_strength(strengths, members, my_count, my_first)
    their_count = completions(key, bits, deck, size, their_missing, strengths, members)
    their_sets = by_strength(strengths, members, their_count, their_first)
    shift = np.zeros(6, np.int64)
    for t in range(5):
        shift[t + 1] = shift[t] + _CHOOSE[size, t]
    counters = np.zeros(shift[5], np.int32)
    places = np.empty(16, np.int64)
    wins, ties = 0, 0
    for s in range(1, STRENGTHS + 1):
        for i in range(my_first[s], my_first[s + 1]):
            subsets(my_sets[i], missing, shift, places)
            wins += disjoint(counters, places, 1 << missing)
        if their_first[s] == their_first[s + 1]:
            continue
        for i in range(my_first[s], my_first[s + 1]):
            subsets(my_sets[i], missing, shift, places)
            ties -= disjoint(counters, places, 1 << missing)
        for i in range(their_first[s], their_first[s + 1]):
            subsets(their_sets[i], their_missing, shift, places)
            for subset in range(1 << their_missing):
                counters[places[subset]] += 1
        for i in range(my_first[s], my_first[s + 1]):
            subsets(my_sets[i], missing, shift, places)
            ties += disjoint(counters, places, 1 << missing)
    return wins, ties, my_count * _CHOOSE[size - missing, their_missing]


@kernel
def pair_of_hands(view: FiveOView, column: int, put: bool) -> tuple[Any, Any, int, Any, Any, int]:
    """Key, bits and size of a column, with the drawn card or without, and of the opponent's as far as it is seen."""
    mine, theirs = view.cards[view.seat, column], view.cards[1 - view.seat, column]
    my_size, size = visible(mine), visible(theirs)
    my_key, my_bits = keys_of(mine, my_size)
    key, bits = keys_of(theirs, size)
    if put:
        my_key, my_bits, my_size = my_key + KEY[view.next_card], my_bits | BIT[view.next_card], my_size + 1
    return my_key, my_bits, my_size, key, bits, size


@kernel
def exact_chance(view: FiveOView, column: int, put: bool, tie: float) -> float:
    """The chance that a column wins with the drawn card put there, or without; a tied column counts as `tie`."""
    deck = np.empty(52, np.int64)
    size = unseen_cards(view, deck)
    my_key, my_bits, mine, key, bits, theirs = pair_of_hands(view, column, put)
    wins, ties, pairs = column_counts(my_key, my_bits, mine, key, bits, theirs, deck, size)
    return (wins + tie * ties) / pairs


@kernel
def sampled_chance(view: FiveOView, column: int, put: bool, tie: float, samples: int, rng: RngState) -> float:
    """The same from `samples` simulated completions."""
    deck = np.empty(52, np.int64)
    size = unseen_cards(view, deck)
    my_key, my_bits, mine, key, bits, theirs = pair_of_hands(view, column, put)
    missing, cards = 5 - mine, 10 - mine - theirs
    wins, ties = 0, 0
    for _ in range(samples):
        key_1, bits_1, key_2, bits_2 = my_key, my_bits, key, bits
        for i in range(cards):
            card = pick(rng, deck, i, size)
            if i < missing:
                key_1 += KEY[card]
                bits_1 |= BIT[card]
            else:
                key_2 += KEY[card]
                bits_2 |= BIT[card]
        one, two = strength_56(key_1, bits_1), strength_56(key_2, bits_2)
        wins += one > two
        ties += one == two
    return (wins + tie * ties) / samples


@kernel
def all_chances(view: FiveOView, samples: int, tie: float, rng: RngState, put: Chances, wait: Chances) -> None:
    """Write the chances of every column with the card (`put`, NaN where not allowed) and without it (`wait`).

    With 0 samples they are exact.
    """
    for column in range(COLUMNS):
        put[column] = np.nan
        if samples == 0:
            wait[column] = exact_chance(view, column, False, tie)
        else:
            wait[column] = sampled_chance(view, column, False, tie, samples, rng)
        if is_open(view, column):
            if samples == 0:
                put[column] = exact_chance(view, column, True, tie)
            else:
                put[column] = sampled_chance(view, column, True, tie, samples, rng)


@kernel
def best_column(put: Chances, wait: Chances, wins: Chances) -> int:
    """The best column for the card; writes the chance to win the game with the card in each to `wins`."""
    best = -1
    columns = wait.copy()
    for column in range(COLUMNS):
        wins[column] = np.nan
        if not np.isnan(put[column]):
            columns[column] = put[column]
            wins[column] = game_chance(columns)
            columns[column] = wait[column]
            if best < 0 or wins[column] > wins[best]:
                best = column
    return best


@kernel
def fewer_than_three(columns: Chances, without: int) -> tuple[float, float, float]:
    """The chances that none, one and two columns are won, leaving out column `without`, −1 for none."""
    none, one, two = 1.0, 0.0, 0.0
    for column in range(COLUMNS):
        if column != without:
            p = columns[column]
            two += (one - two) * p
            one += (none - one) * p
            none -= none * p
    return none, one, two


@kernel
def game_chance(columns: Chances) -> float:
    """Equation (3): the chance of three columns or more, if each is won independently of the others."""
    none, one, two = fewer_than_three(columns, -1)
    return 1 - none - one - two


@kernel
def leverage(columns: Chances, column: int) -> float:
    """The chance that exactly two of the other four are won: how much of the game depends on this column."""
    _, _, two = fewer_than_three(columns, column)
    return two
