"""Poker Squares: 25 cards placed one by one on a grid of five by five, for the points of its ten rows and columns.

What a hand scores is a point system (`point_systems`), so there are many games in one. The player sees everything but
the order of the cards to come.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, category_number, strength_56
from fifthstreet.games.deck import (
    CARD,
    CARDS,
    DEALING,
    FULL_DECK,
    WithDeck,
    draw,
    is_undealt,
    new_deck,
)
from fifthstreet.games.game import CHANCE, OVER, RuledGame, Rules
from fifthstreet.games.point_systems import LEAST, MOST, points
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Record, Row, copy_bytes
from fifthstreet.rng import Stream

SIDE = 5
CELLS = SIDE * SIDE
LINES = 2 * SIDE  # five rows, then five columns

STRAIGHT_FLUSH = 8
ROYAL_FLUSH = 9


class SquaresTable(Record):
    """What a state and a view have in common: everything but the deck."""

    points: Annotated[Row, Field(np.int8, shape=10, low=LEAST, high=MOST)]  # of each category
    placed: Annotated[int, Field(np.int64, low=0, high=CELLS)]  # cards on the grid
    next_card: Annotated[int, CARD]  # the card to place, −1 if it is not drawn yet
    grid: Annotated[Row, CARD._replace(shape=CELLS)]  # the card in each cell, row by row, −1 in a free one
    order: Annotated[Row, Field(np.int8, shape=CELLS, low=0, high=CELLS - 1)]  # the cells as they were filled

    def contradiction(self) -> str:
        cards = [card for card in (*self.grid, self.next_card) if card >= 0]
        filled = [cell for cell, card in enumerate(self.grid) if card >= 0]
        if len({*cards}) < len(cards) or sorted(self.order[: self.placed]) != filled or len(cards) > CELLS:
            return f"a grid that cannot come about with {self.placed} cards placed"
        return super().contradiction()

    @property
    def rows(self) -> list[list[Card | None]]:
        """The cards by row and column, None in a free cell."""
        cards = [Card(card) if card >= 0 else None for card in self.grid]
        return [cards[first : first + SIDE] for first in range(0, CELLS, SIDE)]

    def line_scores(self) -> list[int | None]:
        """What each row, then each column scores; None for one that is not full."""
        full = [all(self.grid[cell_of(line, i)] >= 0 for i in range(SIDE)) for line in range(LINES)]
        return [self.points[category_of(self, line)] if full[line] else None for line in range(LINES)]

    def __repr__(self) -> str:
        rows = " / ".join(" ".join("--" if card is None else str(card) for card in row) for row in self.rows)
        return f"<{rows} | next {Card(self.next_card) if self.next_card >= 0 else '–'}>"


_SHARED = SquaresTable.head  # bytes


class SquaresState(SquaresTable, WithDeck):
    """A game in progress."""

    def contradiction(self) -> str:
        left = {*range(CARDS)} - {self.next_card, *self.grid}
        if self.deck != sum(1 << card for card in left):
            return "its deck is not made of the cards that are not dealt"
        return super().contradiction()


class SquaresView(SquaresTable):
    """What the player sees."""

    @classmethod
    def filled(cls, points: Sequence[int], cards: Mapping[int, int], next_card: int = -1) -> Self:
        """A grid with these cards, by cell in the order they were placed, and a card to place."""
        grid, order = [cards.get(cell, -1) for cell in range(CELLS)], [*cards, *[0] * (CELLS - len(cards))]
        return cls.of(points=points, placed=len(cards), next_card=next_card, grid=grid, order=order)


@kernel
def to_act(table: SquaresTable) -> int:
    if table.placed == CELLS:
        return OVER
    return CHANCE if table.next_card < 0 else 0


@kernel
def choice_count(table: SquaresTable) -> int:
    return CELLS - table.placed


@kernel
def choice(table: SquaresTable, i: int) -> int:
    """The i-th free cell."""
    for cell in range(CELLS):
        if table.grid[cell] < 0:
            if i == 0:
                return cell
            i -= 1
    return -1


@kernel
def allowed(state: SquaresState, action: int) -> bool:
    if state.placed == CELLS:
        return False
    if state.next_card < 0:
        return is_undealt(state, action)
    return 0 <= action < CELLS and state.grid[action] < 0


@kernel(changes="state")
def apply(state: SquaresState, action: int) -> None:
    """Draw a card or place it."""
    if state.next_card < 0:
        draw(state, action)
        state.next_card = action
    else:
        state.grid[action] = state.next_card
        state.order[state.placed] = action
        state.placed += 1
        state.next_card = -1


@kernel(changes="view")
def observe(state: SquaresState, seat: int, view: SquaresView) -> None:
    copy_bytes(state, view, _SHARED)


@kernel
def cell_of(line: int, i: int) -> int:
    """The i-th cell of a row, or of a column."""
    return SIDE * line + i if line < SIDE else SIDE * i + line - SIDE


@kernel
def category_of(table: SquaresTable, line: int) -> int:
    """The category of a full line, 0 for a high card to 9 for a royal flush."""
    key, bits, lowest = EMPTY, np.uint64(0), CARDS
    for i in range(SIDE):
        card = table.grid[cell_of(line, i)]
        key += KEY[card]
        bits |= BIT[card]
        lowest = min(lowest, card)
    category = category_number(int(strength_56(key, bits)))
    return ROYAL_FLUSH if category == STRAIGHT_FLUSH and lowest >= 4 * 8 else category  # from the ten up


@kernel
def payoffs(state: SquaresState, out: NDArray[np.float64]) -> None:
    total = 0
    for line in range(LINES):
        total += state.points[category_of(state, line)]
    out[0] = total


class Cell(int):
    """A cell of the grid, numbered row by row from the top left; in words, its row and column, both from 1."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"cell {int(self) // SIDE + 1}{int(self) % SIDE + 1}"

    __repr__ = __str__


@functools.lru_cache(maxsize=64)
def opening(points: tuple[int, ...]) -> SquaresState:
    """The empty grid of a point system."""
    return SquaresState.of(points=points, next_card=-1, grid=-1, deck=FULL_DECK)


@dataclass(frozen=True)
class PokerSquares(RuledGame[SquaresState, SquaresView, Any]):
    """A solitaire: the points of the ten hands that the rows and columns make."""

    name: ClassVar[str] = "poker-squares"
    payoff_unit: ClassVar[str] = "points"
    seats = 1
    rules: ClassVar[Rules] = Rules(
        SquaresState, SquaresView, to_act, *DEALING, choice_count, choice, apply, observe, payoffs, allowed
    )
    action_type: ClassVar[type[int]] = Cell
    chance_type: ClassVar[type[int]] = Card

    system: str = "american"

    def __post_init__(self) -> None:
        points(self.system)

    @property
    def points(self) -> tuple[int, ...]:
        return points(self.system)

    def start(self) -> SquaresState:
        return opening(self.points).thaw().freeze()  # a copy, as in hold'em

    def drawing(self, view: SquaresView) -> str:
        """The grid, with what the full rows and columns score beside and below them."""
        scores = ["" if score is None else str(score) for score in view.line_scores()]
        lines = ["     1    2    3    4    5"]
        for row, cards in enumerate(view.rows):
            cells = "   ".join(" ·" if card is None else str(card) for card in cards)
            lines.append(f"{row + 1}   {cells}   {scores[row]:>4}")
        lines.append("  " + "".join(f"{score:>4} " for score in scores[SIDE:]))
        if view.next_card >= 0:
            lines.append(f"to place: {Card(view.next_card)}")
        return "\n".join(line.rstrip() for line in lines)

    def lies_open(self, view: SquaresView) -> bool:
        return True

    def imagine(self, view: SquaresView, rng: Stream) -> SquaresState:
        """The state itself: nothing is hidden but the order in which cards come, which is drawn when they do."""
        state = SquaresState.blank()
        copy_bytes(view, state, _SHARED)
        new_deck(state)
        for cell in [*view.order][: view.placed]:
            draw(state, view.grid[cell])
        if view.next_card >= 0:
            draw(state, view.next_card)
        return state.freeze()


def scored(system: str, grid: Sequence[int]) -> int:
    """The points of 25 cards, row by row."""
    view = SquaresView.filled(points(system), dict(enumerate(grid)))
    return sum(view.points[category_of(view, line)] for line in range(LINES))
