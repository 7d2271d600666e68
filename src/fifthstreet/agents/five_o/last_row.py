"""The last row, which lies face down: every card in every column, and the best placement against a model of the
opponent.

Twelve cards are unseen when the row begins, and each player draws five of them without seeing the other's. So the
opponent's row does not depend on mine, and mine is a problem for one player. The model: the opponent puts each card
where its chance of three columns grows most, each column against a random card of the twelve (equation 3), as the
probability players do. With three open columns or fewer, every row of that opponent and every card of mine is counted:
the placement is the best there is against the model. With more, the opponent's rows are sampled and the columns are
taken as independent, and all my cards are still counted.
"""

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.five_o.chances import Chances, Numbers, leverage, unseen_cards
from fifthstreet.agents.five_o.hands import keys_of
from fifthstreet.evaluation.strength import BIT, KEY, strength_56
from fifthstreet.games.five_o import COLUMNS, ROWS, FiveOView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState, pick, pick_some

LAST_CARDS = 12  # unseen when the last row begins
EXACT = 3  # open columns or fewer, and everything is counted
SAMPLES = 1_000
ALL_OPEN = (1 << COLUMNS) - 1

Bits = NDArray[np.uint64]
Won = tuple[float, float, float]
"""With columns taken as independent, what is won so far: the chance of none, one and two of them."""


@kernel
def strengths_with(keys: Bits, bits: Bits, cards: Numbers, strengths: Numbers) -> None:
    """The strength of every column of both sides with each of the row's cards."""
    for side in range(2):
        for column in range(COLUMNS):
            for i in range(LAST_CARDS):
                key, held = keys[side, column] + KEY[cards[i]], bits[side, column] | BIT[cards[i]]
                strengths[side, column, i] = strength_56(key, held)


@kernel
def chances_with(strengths: Numbers, chances: Chances, waits: Chances) -> None:
    """The chance of every column with each card against a random other card, and with a random card itself."""
    for column in range(COLUMNS):
        for side in range(2):
            mine, theirs = strengths[side, column], strengths[1 - side, column]
            total = 0.0
            for i in range(LAST_CARDS):
                won = 0
                for j in range(LAST_CARDS):
                    won += 0 if i == j else (mine[i] > theirs[j]) * 2 + (mine[i] == theirs[j])
                chances[side, column, i] = won / (2 * (LAST_CARDS - 1))
                total += chances[side, column, i]
            waits[side, column] = total / LAST_CARDS


@kernel
def model_placement(chances: Chances, p: Chances, opened: int, card: int) -> int:
    """Where the model puts a card: `p` holds the chances of the filled columns and the waits of the open ones."""
    best, most = -1, 0.0
    for column in range(COLUMNS):
        if opened >> column & 1:
            gain = (chances[column, card] - p[column]) * leverage(p, column)
            if best < 0 or gain > most:
                best, most = column, gain
    return best


@kernel
def model_row(chances: Chances, waits: Chances, order: Numbers, p: Chances, row: Numbers) -> None:
    """The row that the model makes of five cards in this order: the card of each column."""
    opened = ALL_OPEN
    p[:] = waits
    for i in range(COLUMNS):
        column = model_placement(chances, p, opened, order[i])
        opened &= ~(1 << column)
        p[column], row[column] = chances[column, order[i]], order[i]


@kernel
def share(won: int, drawn: float) -> float:
    return 1.0 if won > 0 else drawn if won == 0 else 0.0


@kernel
def sampled_rows(
    keys: Bits, bits: Bits, cards: Numbers, rows: int, drawn: float, rng: RngState, columns: Chances
) -> float:
    """The share of games that the first side wins when both play the row by the model; writes its share by column."""
    strengths = np.empty((2, COLUMNS, LAST_CARDS), np.int64)
    chances, waits = np.empty((2, COLUMNS, LAST_CARDS)), np.empty((2, COLUMNS))
    strengths_with(keys, bits, cards, strengths)
    chances_with(strengths, chances, waits)
    p, order = np.empty(COLUMNS), np.arange(LAST_CARDS)
    mine, theirs = np.empty(COLUMNS, np.int64), np.empty(COLUMNS, np.int64)
    total = 0.0
    columns[:] = 0.0
    for _ in range(rows):
        pick_some(rng, order, LAST_CARDS, 2 * COLUMNS)
        model_row(chances[0], waits[0], order, p, mine)
        model_row(chances[1], waits[1], order[COLUMNS:], p, theirs)
        won = 0
        for column in range(COLUMNS):
            one, two = strengths[0, column, mine[column]], strengths[1, column, theirs[column]]
            sign = int(one > two) - int(one < two)
            columns[column] += 0.5 + 0.5 * sign
            won += sign
        total += share(won, drawn)
    for column in range(COLUMNS):
        columns[column] /= rows
    return total / rows


@kernel
def sampled_beliefs(
    strengths: Numbers, chances: Chances, waits: Chances, unseen: Numbers, rng: RngState, beliefs: Chances
) -> None:
    """The chance of every column with each card against the rows that the model makes of unseen cards."""
    order, counts = unseen.copy(), np.zeros(LAST_CARDS, np.int64)
    p, row = np.empty(COLUMNS), np.empty(COLUMNS, np.int64)
    beliefs[:] = 0.0
    for _ in range(SAMPLES):
        taken = 0
        for i in range(COLUMNS):
            taken |= 1 << pick(rng, order, i, order.size)
        model_row(chances, waits, order, p, row)
        for i in range(LAST_CARDS):
            if not taken >> i & 1:
                counts[i] += 1
                for column in range(COLUMNS):
                    one, two = strengths[0, column, i], strengths[1, column, row[column]]
                    beliefs[column, i] += (one > two) + 0.5 * (one == two)
    for column in range(COLUMNS):
        for i in range(LAST_CARDS):
            beliefs[column, i] /= max(1, counts[i])


@kernel
def with_column(won: Won, p: float) -> Won:
    return won[0] * (1 - p), won[1] * (1 - p) + won[0] * p, won[2] * (1 - p) + won[1] * p


@kernel
def of_three(won: Won) -> float:
    return 1 - won[0] - won[1] - won[2]


@kernel
def with_last(beliefs: Chances, opened: int, unseen: Numbers, used: int, won: Won) -> float:
    """The chance of three columns when one is open: by the mean over its cards, in which it is linear."""
    column = 0
    while not opened >> column & 1:
        column += 1
    total, count = 0.0, 0
    for card in unseen:
        if not used >> card & 1:
            total += beliefs[column, card]
            count += 1
    return of_three(with_column(won, total / count))


@kernel
def best_chance(beliefs: Chances, opened: int, count: int, unseen: Numbers, won: Won) -> float:
    """The chance of three columns when `count` are open and every card to come goes where it is best.

    Level by level without recursion: at each, the card that is tried, the column it is tried in, the best column's
    chance, and the sum of these over the cards.
    """
    if count == 0:
        return of_three(won)
    last = count - 1
    open_at, used, so_far = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros((count, 3))
    card_at, column_at = np.full(count, -1), np.full(count, COLUMNS)
    best, total = np.zeros(count), np.zeros(count)
    open_at[0] = opened
    so_far[0, 0], so_far[0, 1], so_far[0, 2] = won
    level = 0
    while True:
        now = (so_far[level, 0], so_far[level, 1], so_far[level, 2])
        if level == last:
            value = with_last(beliefs, open_at[level], unseen, used[level], now)
        else:
            column_at[level] += 1
            while column_at[level] < COLUMNS and not open_at[level] >> column_at[level] & 1:
                column_at[level] += 1
            if column_at[level] < COLUMNS:
                card, column = unseen[card_at[level]], column_at[level]
                after = with_column(now, beliefs[column, card])
                level += 1
                open_at[level], used[level] = open_at[level - 1] & ~(1 << column), used[level - 1] | 1 << card
                so_far[level, 0], so_far[level, 1], so_far[level, 2] = after
                card_at[level], column_at[level], best[level], total[level] = -1, COLUMNS, 0.0, 0.0
                continue
            total[level] += best[level]
            card_at[level] += 1
            while card_at[level] < unseen.size and used[level] >> unseen[card_at[level]] & 1:
                card_at[level] += 1
            if card_at[level] < unseen.size:
                column_at[level], best[level] = -1, 0.0
                continue
            value = total[level] / (unseen.size - level)
        if level == 0:
            return value
        level -= 1
        best[level] = max(best[level], value)


@kernel
def independent_values(
    beliefs: Chances, filled: Numbers, opened: int, count: int, card: int, unseen: Numbers, values: Chances
) -> None:
    """The chance of three columns with the card in each open one, and the best play after that."""
    won = (1.0, 0.0, 0.0)
    for column in range(COLUMNS):
        if not opened >> column & 1:
            won = with_column(won, beliefs[column, filled[column]])
    for column in range(COLUMNS):
        if opened >> column & 1:
            after = with_column(won, beliefs[column, card])
            values[column] = best_chance(beliefs, opened & ~(1 << column), count - 1, unseen, after)


@kernel
def all_rows(chances: Chances, waits: Chances, unseen: Numbers) -> Numbers:
    """The rows that the model makes of every five of the unseen cards in every order."""
    size = unseen.size
    rows = np.empty((size * (size - 1) * (size - 2) * (size - 3) * (size - 4), COLUMNS), np.int64)
    p, order, count = np.empty(COLUMNS), np.empty(COLUMNS, np.int64), 0
    for a in range(size):
        for b in range(size):
            for c in range(size):
                for d in range(size):
                    if a in (b, c, d) or b in (c, d) or c == d:
                        continue
                    for e in range(size):
                        if e != a and e != b and e != c and e != d:
                            order[0], order[1], order[2] = unseen[a], unseen[b], unseen[c]
                            order[3], order[4] = unseen[d], unseen[e]
                            model_row(chances, waits, order, p, rows[count])
                            count += 1
    return rows


@kernel
def mean_share(
    base: Numbers, signs: NDArray[np.int8], unseen: Numbers, used: int, taken: Numbers, drawn: float
) -> float:
    """The share of games when the last open column takes each unseen card, against all rows without my cards."""
    total, count = 0.0, 0
    for card in unseen:
        if used >> card & 1:
            continue
        mine = used | 1 << card
        for row in range(base.size):
            if not taken[row] & mine:
                total += share(base[row] + signs[card, row], drawn)
                count += 1
    return total / count


@kernel
def exact_values(
    strengths: Numbers,
    rows: Numbers,
    filled: Numbers,
    opened: int,
    card: int,
    unseen: Numbers,
    drawn: float,
    values: Chances,
) -> None:
    """The share of games with the card in each open column, of two or three, and the best play after that.

    `filled` has the card of each filled column. `base` is what I lead by in the filled columns, row by row.
    """
    count = len(rows)
    signs = np.empty((COLUMNS, LAST_CARDS, count), np.int8)
    taken, base = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for column in range(COLUMNS):
        for row in range(count):
            taken[row] |= 1 << rows[row, column]
            theirs = strengths[1, column, rows[row, column]]
            for i in range(LAST_CARDS):
                mine = strengths[0, column, i]
                signs[column, i, row] = int(mine > theirs) - int(mine < theirs)
            if not opened >> column & 1:
                base[row] += signs[column, filled[column], row]
    values[:] = np.nan
    for column in range(COLUMNS):
        if not opened >> column & 1:
            continue
        rest, first = opened & ~(1 << column), base + signs[column, card]
        others = np.empty(2, np.int64)
        size = 0
        for other in range(COLUMNS):
            if rest >> other & 1:
                others[size] = other
                size += 1
        if size == 1:
            values[column] = mean_share(first, signs[others[0]], unseen, 0, taken, drawn)
            continue
        total = 0.0
        for later in unseen:
            best = 0.0
            for which in range(2):
                second = first + signs[others[which], later]
                best = max(best, mean_share(second, signs[others[1 - which]], unseen, 1 << later, taken, drawn))
            total += best
        values[column] = total / unseen.size


@kernel
def place_values(view: FiveOView, rng: RngState, values: Chances) -> int:
    """The best column for the drawn card in the last row; writes the chance to win the game with it in each."""
    seat = view.seat
    keys, bits = np.empty((2, COLUMNS), np.uint64), np.empty((2, COLUMNS), np.uint64)
    for column in range(COLUMNS):
        keys[0, column], bits[0, column] = keys_of(view.cards[seat, column], ROWS - 1)
        keys[1, column], bits[1, column] = keys_of(view.cards[1 - seat, column], ROWS - 1)
    cards, filled, opened, size = np.empty(LAST_CARDS, np.int64), np.zeros(COLUMNS, np.int64), 0, 0
    for column in range(COLUMNS):
        card = view.cards[seat, column, ROWS - 1]
        if card < 0:
            opened |= 1 << column
        else:
            cards[size], filled[column] = card, size
            size += 1
    drawn_card, count = size, COLUMNS - size
    cards[size] = view.next_card
    left = unseen_cards(view, cards[size + 1 :])
    unseen = np.arange(size + 1, size + 1 + left)
    strengths = np.empty((2, COLUMNS, LAST_CARDS), np.int64)
    chances, waits = np.empty((2, COLUMNS, LAST_CARDS)), np.empty((2, COLUMNS))
    strengths_with(keys, bits, cards, strengths)
    chances_with(strengths, chances, waits)
    values[:] = np.nan
    drawn = 0.5 + 0.5 * (view.drawn_game if seat == 0 else -view.drawn_game)
    if 1 < count <= EXACT:
        rows = all_rows(chances[1], waits[1], unseen)
        exact_values(strengths, rows, filled, opened, drawn_card, unseen, drawn, values)
    else:
        beliefs = np.empty((COLUMNS, LAST_CARDS))
        sampled_beliefs(strengths, chances[1], waits[1], unseen, rng, beliefs)
        independent_values(beliefs, filled, opened, count, drawn_card, unseen, values)
    best = -1
    for column in range(COLUMNS):
        if opened >> column & 1 and (best < 0 or values[column] > values[best]):
            best = column
    return best
