"""Five-O Poker: two players, five columns each, column against column.

One card lies in every column; then the players take turns to draw a card and place it, 20 cards each. A column may be
at most one card ahead of a player's others, so every round of five fills each column once. The cards of one row, the
last unless the game says otherwise, lie face down for the opponent; with `hidden=off` none do. Two cards stay in the
deck. The better hand wins a column, a tied column counts for neither, and the player with more columns wins the game;
equal numbers are a draw. With `draws=second` it takes three columns to win, and a game in which nobody has three goes
to the second player, as in the program of Aharon and Mandel.

Both players see a drawn card at once, except in the hidden row.
"""

import functools
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card
from fifthstreet.errors import InputError
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_56
from fifthstreet.games.deck import CARD, CARDS, DEALING, FULL_DECK, WithDeck, deal_hidden, draw, is_undealt
from fifthstreet.games.game import CHANCE, OVER, RuledGame, Rules
from fifthstreet.kernel import kernel
from fifthstreet.record import Cube, Field, Record, Row, copy_bytes
from fifthstreet.rng import Stream

COLUMNS, ROWS = 5, 5
PLACEMENTS = 40  # by both players, after the first row


class FiveOTable(Record):
    """What a state and a view of a game have in common."""

    hidden: Annotated[int, Field(np.int8, low=3, high=ROWS)]  # the row, from 0, that lies face down; ROWS for none
    drawn_game: Annotated[int, Field(np.int8, low=-1, high=0)]  # what an undecided game pays the first player
    dealt: Annotated[int, Field(np.int64, low=0, high=CARDS)]  # cards so far, ten before the first placement
    placed: Annotated[int, Field(np.int64, low=0, high=PLACEMENTS)]  # placements so far
    next_card: Annotated[int, CARD]  # the card to be placed, −1 if it is not drawn yet or may not be seen
    moves: Annotated[Row, Field(np.int8, shape=PLACEMENTS, low=-1, high=COLUMNS - 1)]  # column of each placement, or −1
    cards: Annotated[Cube, CARD._replace(shape=(2, COLUMNS, ROWS))]  # by seat, −1 where none lies or it is face down

    def contradiction(self) -> str:
        cells = self.placed_in
        if self.dealt - self.placed not in (2 * COLUMNS, 2 * COLUMNS + 1) and (self.dealt > 2 * COLUMNS or self.placed):
            return f"{self.dealt} cards are dealt and {self.placed} placed"
        if len(cells) != self.placed or any(column >= 0 for column in self.moves[self.placed :]):
            return f"the moves {[*self.moves]} after {self.placed} placements"
        known = [*self.known.values(), *([self.next_card] if self.next_card >= 0 else [])]
        if len({*known}) < len(known) or any(cell[2] and cell not in cells for cell in self.known):
            return "a card lies twice, or where none was placed"
        return super().contradiction()

    @property
    def placed_in(self) -> set[tuple[int, int, int]]:
        """Where the placed cards lie, by seat, column and row."""
        return {(p % 2, column, 1 + p // (2 * COLUMNS)) for p, column in enumerate(self.moves) if column >= 0}

    @property
    def known(self) -> dict[tuple[int, int, int], int]:
        """The cards that lie face up, by seat, column and row."""
        cells = [(seat, column, row) for seat in range(2) for column in range(COLUMNS) for row in range(ROWS)]
        return {cell: self.cards[cell] for cell in cells if self.cards[cell] >= 0}

    def column(self, seat: int, column: int) -> list[Card | None]:
        """The cards of a column from the first on, None for one that lies face down."""
        cards = self.cards
        found = (cards[seat, column, row] for row in range(self.height(seat, column)))
        return [Card(card) if card >= 0 else None for card in found]

    def height(self, seat: int, column: int) -> int:
        """The number of cards in a column, those that lie face down included."""
        if self.dealt < 2 * COLUMNS:
            return int(self.cards[seat, column, 0] >= 0)
        return 1 + [*self.moves][seat::2].count(column)

    def __repr__(self) -> str:
        sides = [" ".join(_text(self.column(seat, i)) for i in range(COLUMNS)) for seat in range(2)]
        return f"<{' | '.join(sides)} | next {_text([Card(self.next_card)] if self.next_card >= 0 else [])}>"


def _text(cards: list[Card | None]) -> str:
    return "".join("??" if card is None else str(card) for card in cards) or "–"


class FiveOState(FiveOTable, WithDeck):
    """A game in play."""

    def contradiction(self) -> str:
        cards = [*self.known.values(), *([self.next_card] if self.next_card >= 0 else [])]
        placed = sum(cell[2] > 0 for cell in self.known)
        if placed != self.placed or sum(1 << card for card in cards) != FULL_DECK & ~self.deck:
            return "cards are missing, or on the table and in the deck"
        return super().contradiction()


class FiveOView(FiveOTable):
    """What a seat knows of a game."""

    seat: Annotated[int, Field(np.int8, low=0, high=1)]  # whose view it is

    def contradiction(self) -> str:
        unseen = self.placed_in - self.known.keys()
        if any(seat == self.seat or row != self.hidden for seat, _, row in unseen):
            return "a card that was placed is missing"
        return super().contradiction()

    def __str__(self) -> str:
        """The opponent's columns above, growing upwards, and the seat's own below."""
        lines = [self._line(1 - self.seat, row) for row in range(ROWS - 1, -1, -1)]
        lines.append("   " + "   ".join(str(column + 1) for column in range(COLUMNS)))
        lines += [self._line(self.seat, row) for row in range(ROWS)]
        drawn = [f"to place: {Card(self.next_card)}"] if self.next_card >= 0 else []
        return "\n".join([line for line in lines if line.strip()] + drawn)

    def _line(self, seat: int, row: int) -> str:
        """A row across the columns; ▒▒ lies face down."""
        columns = [self.column(seat, column) for column in range(COLUMNS)]
        cells = ["  " if row >= len(cards) else "▒▒" if cards[row] is None else str(cards[row]) for cards in columns]
        return "  " + "  ".join(cells)


_SHARED = FiveOTable.head  # bytes


@kernel
def seat_of(placement: int) -> int:
    """The seat that makes this placement, counted from 0."""
    return placement % 2


@kernel
def row_of(placement: int) -> int:
    """The row that this placement, counted from 0, belongs to: 1 to 4."""
    return 1 + placement // (2 * COLUMNS)


@kernel
def to_act(table: FiveOTable) -> int:
    if table.placed == PLACEMENTS:
        return OVER
    return CHANCE if table.dealt < 2 * COLUMNS + 1 + table.placed else seat_of(table.placed)


@kernel
def is_open(table: FiveOTable, column: int) -> bool:
    """Whether the player to act may place a card in this column."""
    return table.cards[seat_of(table.placed), column, row_of(table.placed)] < 0


@kernel
def choice_count(table: FiveOTable) -> int:
    return COLUMNS - (table.placed // 2) % COLUMNS


@kernel
def choice(table: FiveOTable, i: int) -> int:
    """The i-th of the open columns."""
    for column in range(COLUMNS):
        if is_open(table, column):
            if i == 0:
                return column
            i -= 1
    return -1


@kernel
def allowed(state: FiveOState, action: int) -> bool:
    seat = to_act(state)
    if seat == CHANCE:
        return is_undealt(state, action)
    return seat != OVER and 0 <= action < COLUMNS and is_open(state, action)


@kernel(changes="state")
def apply(state: FiveOState, action: int) -> None:
    """Deal a card or place the drawn one."""
    if to_act(state) == CHANCE:
        if state.dealt < 2 * COLUMNS:  # the first row, the first player's columns first
            state.cards[state.dealt // COLUMNS, state.dealt % COLUMNS, 0] = action
        else:
            state.next_card = action
        draw(state, action)
    else:
        state.cards[seat_of(state.placed), action, row_of(state.placed)] = state.next_card
        state.moves[state.placed] = action
        state.next_card = -1
        state.placed += 1


@kernel(changes="view")
def observe(state: FiveOState, seat: int, view: FiveOView) -> None:
    """Everything but the opponent's hidden row, until the game is over."""
    copy_bytes(state, view, _SHARED)
    view.seat = seat
    if state.placed < PLACEMENTS:
        if state.hidden < ROWS:
            for column in range(COLUMNS):
                view.cards[1 - seat, column, state.hidden] = -1
        if seat_of(state.placed) != seat and row_of(state.placed) == state.hidden:
            view.next_card = -1


@kernel
def column_strength(table: FiveOTable, seat: int, column: int) -> int:
    """The strength of a full column."""
    key, bits = EMPTY, np.uint64(0)
    for row in range(ROWS):
        card = table.cards[seat, column, row]
        key += KEY[card]
        bits |= BIT[card]
    return int(strength_56(key, bits))


@kernel
def payoffs(state: FiveOState, out: NDArray[np.float64]) -> None:
    first, second = 0, 0  # columns won
    for column in range(COLUMNS):
        one, other = column_strength(state, 0, column), column_strength(state, 1, column)
        first += one > other
        second += other > one
    if state.drawn_game == 0:
        won = (first > second) - (first < second)
    else:
        won = 1 if first >= 3 else -1
    out[0], out[1] = won, -won


@functools.cache  # every game begins with it
def opening(hidden: int, drawn_game: int) -> FiveOState:
    """The state before the first card is dealt."""
    return FiveOState.of(hidden=hidden, drawn_game=drawn_game, next_card=-1, moves=-1, cards=-1, deck=FULL_DECK)


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
        FiveOState, FiveOView, to_act, *DEALING, choice_count, choice, apply, observe, payoffs, allowed
    )
    action_type: ClassVar[type[int]] = Column
    chance_type: ClassVar[type[int]] = Card

    hidden: Literal[5, 4, "off"] = 5
    draws: Literal["half", "second"] = "half"

    def __post_init__(self) -> None:
        if self.hidden not in (4, 5, "off"):
            raise InputError(f"hidden={self.hidden!r}: the hidden row is the 4th or the 5th, or off")

    def start(self) -> FiveOState:
        hidden = ROWS if self.hidden == "off" else self.hidden - 1
        return opening(hidden, 0 if self.draws == "half" else -1).thaw().freeze()  # a copy, as in hold'em

    def lies_open(self, view: FiveOView) -> bool:
        return view.placed < 2 * COLUMNS * (view.hidden - 1)

    def imagine(self, view: FiveOView, rng: Stream) -> FiveOState:
        """Deal the hidden cards, on the table or just drawn, from those not in sight."""
        state, other, cards = FiveOState.blank(), 1 - view.seat, view.cards
        copy_bytes(view, state, _SHARED)
        row = [(other, column, view.hidden) for column in range(COLUMNS) if view.height(other, column) > view.hidden]
        hidden: list[Any] = [place for place in row if cards[place] < 0]
        if to_act(view) >= 0 and view.next_card < 0:
            hidden.append("next")
        places = [(seat, column, row) for seat in range(2) for column in range(COLUMNS) for row in range(ROWS)]
        dealt: dict[Any, int] = {}
        deal_hidden(state, [view.next_card, *(cards[place] for place in places)], dealt, hidden, rng)
        state.next_card = dealt.pop("next", view.next_card)
        for place, card in dealt.items():
            state.cards[place] = card
        return state.freeze()


def at_random(placements: int, rng: Stream) -> FiveOView:
    """What the player to act sees after this many placements at random: a position to measure at."""
    game = FiveO()
    state = game.start()
    while game.to_act(state) == CHANCE or state.placed < placements:
        choices = game.choices(state)
        state = game.after(state, choices[rng.below(len(choices))])
    return game.view(state, placements % 2)
