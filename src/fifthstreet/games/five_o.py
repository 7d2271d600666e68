"""Five-O Poker: two players, five columns each, column against column.

One card lies in every column; then the players place 20 cards each, in turn, drawn one by one. A column may be at most
one card ahead of a player's others, so every round of five fills each column once. The cards of the last row lie face
down for the opponent. Two cards stay in the deck. The better hand wins a column, and three columns or more win the
game. Column ties count for neither; if so neither has three, the one with more columns wins, and equal columns are a
draw.

A state or view is one array. A drawn card is seen by both as soon as it is drawn, except in the hidden row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card
from fifthstreet.errors import InputError
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_56
from fifthstreet.games.game import CHANCE, OVER, ArrayState, RuledGame, Rules
from fifthstreet.kernel import kernel
from fifthstreet.rng import Stream, below

COLUMNS, ROWS = 5, 5
PLACEMENTS = 40  # by both players, after the first row

# Places in the array.
SEAT = 0  # whose view it is, −1 in a state
HIDDEN = 1  # the row, from 0, that lies face down for the opponent
DRAWN_GAME = 2  # what a drawn game pays the first player
DEALT = 3  # cards dealt so far, ten before the first placement
PLACED = 4  # placements so far
NEXT = 5  # the card that is to be placed, −1 if it is not drawn yet or may not be seen
MOVES = 6  # the column of each placement
CARDS = MOVES + PLACEMENTS  # by player, column and row, −1 where none lies or may be seen
SIZE = CARDS + 2 * COLUMNS * ROWS


@kernel
def place_of(seat: int, column: int, row: int) -> int:
    return CARDS + (seat * COLUMNS + column) * ROWS + row


@kernel
def start(setup: Any) -> Any:
    """From the hidden row and what a drawn game pays the first player."""
    data = np.full(SIZE, -1, np.int64)
    data[HIDDEN], data[DRAWN_GAME] = setup[0], setup[1]
    data[DEALT] = data[PLACED] = 0
    return data


@kernel
def placing(data: Any) -> int:
    """Whose placement is next."""
    return data[PLACED] % 2


@kernel
def row_of(data: Any) -> int:
    """The row that the next placement belongs to, from 1."""
    return 1 + data[PLACED] // (2 * COLUMNS)


@kernel
def to_act(data: Any) -> int:
    if data[PLACED] == PLACEMENTS:
        return OVER
    return CHANCE if data[DEALT] < 2 * COLUMNS + 1 + data[PLACED] else placing(data)


@kernel
def is_open(data: Any, column: int) -> bool:
    """Whether the player to act may place a card in this column."""
    seat, row = placing(data), row_of(data)
    return data[place_of(seat, column, row)] < 0


@kernel
def choice_count(data: Any) -> int:
    if to_act(data) == CHANCE:
        return 52 - data[DEALT]
    return COLUMNS - (data[PLACED] // 2) % COLUMNS


@kernel
def is_dealt(data: Any, card: int) -> bool:
    for place in range(CARDS, SIZE):
        if data[place] == card:
            return True
    return data[NEXT] == card


@kernel
def choice(data: Any, i: int) -> int:
    if to_act(data) == CHANCE:
        for card in range(52):
            if not is_dealt(data, card):
                if i == 0:
                    return card
                i -= 1
    for column in range(COLUMNS):
        if is_open(data, column):
            if i == 0:
                return column
            i -= 1
    return -1


@kernel
def allowed(data: Any, action: int) -> bool:
    seat = to_act(data)
    if seat == OVER:
        return False
    if seat == CHANCE:
        return 0 <= action < 52 and not is_dealt(data, action)
    return 0 <= action < COLUMNS and is_open(data, action)


@kernel
def apply(data: Any, action: int) -> None:
    """Deal a card or place the drawn one, in place."""
    if to_act(data) == CHANCE:
        dealt = data[DEALT]
        if dealt < 2 * COLUMNS:  # the first row, the first player's columns first
            data[place_of(dealt // COLUMNS, dealt % COLUMNS, 0)] = action
        else:
            data[NEXT] = action
        data[DEALT] += 1
    else:
        data[place_of(placing(data), action, row_of(data))] = data[NEXT]
        data[MOVES + data[PLACED]] = action
        data[NEXT] = -1
        data[PLACED] += 1


@kernel
def after(data: Any, action: int) -> Any:
    new = data.copy()
    apply(new, action)
    return new


@kernel
def show_to(data: Any, seat: int, out: Any) -> None:
    """What this seat may know: all but the opponent's hidden row, until the game is over."""
    for place in range(SIZE):
        out[place] = data[place]
    out[SEAT] = seat
    if data[PLACED] < PLACEMENTS:
        for column in range(COLUMNS):
            out[place_of(1 - seat, column, data[HIDDEN])] = -1
        if placing(data) != seat and row_of(data) == data[HIDDEN]:
            out[NEXT] = -1


@kernel
def view(data: Any, seat: int) -> Any:
    out = np.empty_like(data)
    show_to(data, seat, out)
    return out


@kernel
def column_strength(data: Any, seat: int, column: int) -> int:
    """The strength of a full column."""
    key, bits = EMPTY, np.uint64(0)
    first = place_of(seat, column, 0)
    for place in range(first, first + ROWS):
        key += KEY[data[place]]
        bits |= BIT[data[place]]
    return int(strength_56(key, bits))


@kernel
def payoff(data: Any, seat: int) -> float:
    won = 0
    for column in range(COLUMNS):
        mine, theirs = column_strength(data, seat, column), column_strength(data, 1 - seat, column)
        won += (mine > theirs) - (mine < theirs)
    if won == 0:
        return float(data[DRAWN_GAME] if seat == 0 else -data[DRAWN_GAME])
    return 1.0 if won > 0 else -1.0


@kernel
def any_choice(view: Any, mind: Any, words: Any) -> int:
    return choice(view, below(words, choice_count(view)))


@kernel
def play_to_end(data: Any, policies: Any, minds: Any, agents: Any, dealer: Any, words: Any) -> bool:
    """Play a game from its start; False if a policy chose what is not allowed."""
    deck, left, seen = np.arange(52), 52, np.empty(SIZE, np.int64)
    seat = to_act(data)
    while seat != OVER:
        if seat == CHANCE:
            place = below(dealer, left)
            action = deck[place]
            left -= 1
            for later in range(place, left):  # what is left stays in order, so that this is the card `choice` names
                deck[later] = deck[later + 1]
        else:
            agent = agents[seat]
            show_to(data, seat, seen)
            action = policies[agent](seen, minds[agent], words[agent])
            if not allowed(data, action):
                return False
        apply(data, action)
        seat = to_act(data)
    return True


@kernel
def play_out(
    setup: Any, policies: Any, lessons: Any, minds: Any, agents: Any, dealer: Any, words: Any, payoffs: Any
) -> bool:
    data, seen = start(setup), np.empty(SIZE, np.int64)
    if not play_to_end(data, policies, minds, agents, dealer, words):
        return False
    for seat in range(2):
        payoffs[seat] = payoff(data, seat)
        if minds[agents[seat]].size > 0:
            show_to(data, seat, seen)
            lessons[agents[seat]](seen, payoffs[seat], minds[agents[seat]])
    return True


class FiveOState(ArrayState):
    """A game in progress."""

    __slots__ = ()

    @property
    def placed(self) -> int:
        return int(self.data[PLACED])

    @property
    def next_card(self) -> Card | None:
        """The card that is to be placed."""
        return Card(int(self.data[NEXT])) if self.data[NEXT] >= 0 else None

    def column(self, seat: int, column: int) -> list[Card | None]:
        """The cards of a column from the first on, None for one that lies face down."""
        first = place_of(seat, column, 0)
        found = [Card(card) if card >= 0 else None for card in self.data[first : first + ROWS].tolist()]
        return found[: self.size(seat, column)]

    def size(self, seat: int, column: int) -> int:
        if self.data[DEALT] < 2 * COLUMNS:
            return int(self.data[place_of(seat, column, 0)] >= 0)
        return 1 + int((self.data[MOVES + seat : CARDS : 2] == column).sum())

    def __repr__(self) -> str:
        sides = [" ".join(_text(self.column(seat, i)) for i in range(COLUMNS)) for seat in range(2)]
        return f"<{' | '.join(sides)} | next {_text([self.next_card] if self.next_card is not None else [])}>"


def _row_of_text(view: FiveOState, seat: int, row: int) -> str:
    """A row across the columns; ▒▒ lies face down."""
    columns = [view.column(seat, column) for column in range(COLUMNS)]
    cells = ["  " if row >= len(cards) else "▒▒" if cards[row] is None else str(cards[row]) for cards in columns]
    return "  " + "  ".join(cells)


def _text(cards: list[Card | None]) -> str:
    return "".join("??" if card is None else str(card) for card in cards) or "–"


class FiveOView(FiveOState):
    """What a seat knows of a game."""

    __slots__ = ()

    @property
    def seat(self) -> int:
        return int(self.data[SEAT])


class Column(int):
    """A column to place a card in."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"column {int(self) + 1}"

    __repr__ = __str__


@dataclass(frozen=True)
class FiveO(RuledGame[FiveOState, FiveOView, Any]):
    """Two players, five columns each; the better hand wins a column, three columns win the game."""

    name: ClassVar[str] = "five-o"
    payoff_unit: ClassVar[str] = "games"
    rules: ClassVar[Rules] = Rules(
        start, to_act, choice_count, choice, allowed, after, view, payoff, any_choice, play_out
    )
    action_type: ClassVar[type[int]] = Column
    chance_type: ClassVar[type[int]] = Card

    hidden: int = 5
    draws: Literal["half", "second"] = "half"

    def __post_init__(self) -> None:
        if self.hidden not in (4, 5):
            raise InputError(f"hidden={self.hidden!r}: the hidden row is the 4th or the 5th")

    def setup(self) -> NDArray[np.int64]:
        return np.array([self.hidden - 1, 0 if self.draws == "half" else -1], np.int64)

    def raw(self, value: FiveOState) -> NDArray[np.int64]:
        return value.data

    def as_state(self, raw: NDArray[np.int64]) -> FiveOState:
        return FiveOState(raw)

    def as_view(self, raw: NDArray[np.int64]) -> FiveOView:
        return FiveOView(raw)

    def drawing(self, view: FiveOView) -> str:
        """The opponent's columns above, growing upwards, and one's own below."""
        lines = [_row_of_text(view, 1 - view.seat, row) for row in range(ROWS - 1, -1, -1)]
        lines.append("   " + "   ".join(str(column + 1) for column in range(COLUMNS)))
        lines += [_row_of_text(view, view.seat, row) for row in range(ROWS)]
        drawn = [f"to place: {view.next_card}"] if view.next_card is not None else []
        return "\n".join([line for line in lines if line.strip()] + drawn)

    def lies_open(self, view: FiveOView) -> bool:
        return int(view.data[PLACED]) < 2 * COLUMNS * (int(view.data[HIDDEN]) - 1)

    def imagine(self, view: FiveOView, rng: Stream) -> FiveOState:
        data = view.data.copy()
        data[SEAT] = -1
        left = [card for card in range(52) if not is_dealt(data, card)]
        rng.shuffle(left)
        for place in _covered(view):
            data[place] = left.pop()
        return FiveOState(data)


def at_random(placements: int, rng: Stream) -> FiveOView:
    """What the player to act sees after so many placements at random: somewhere to measure at."""
    game = FiveO()
    state = game.start()
    while game.to_act(state) == CHANCE or state.placed < placements:
        choices = game.choices(state)
        state = game.after(state, choices[rng.below(len(choices))])
    return game.view(state, placements % 2)


def _covered(view: FiveOView) -> Sequence[int]:
    """The places of cards that lie on the table, or are about to, and that this seat does not see."""
    data, other = view.data, 1 - view.seat
    row = int(data[HIDDEN])
    covered = [
        int(place_of(other, column, row))
        for column in range(COLUMNS)
        if view.size(other, column) > row and data[place_of(other, column, row)] < 0
    ]
    return [*covered, NEXT] if to_act(data) >= 0 and data[NEXT] < 0 else covered
