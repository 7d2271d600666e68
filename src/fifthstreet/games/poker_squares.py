"""Poker Squares: 25 cards one by one onto a grid of five by five, for the points of its ten rows and columns.

What a hand scores is a point system (`point_systems`), so there are many games in one. The player sees everything but
the order of the cards to come.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.cards import Card
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, category_number, strength_56
from fifthstreet.games.game import CHANCE, OVER, ArrayState, RuledGame, Rules
from fifthstreet.games.point_systems import points
from fifthstreet.kernel import kernel
from fifthstreet.rng import Stream, below

SIDE = 5
CELLS = SIDE * SIDE
LINES = 2 * SIDE  # five rows, then five columns

# A state, and a view, is one array.
POINTS = 0  # of each category
PLACED = 10
NEXT = 11  # the card that is to be placed, −1 if it is not drawn yet
GRID = 12  # the card in each cell, row by row, −1 where none lies
SIZE = GRID + CELLS

STRAIGHT_FLUSH = 8
ROYAL_FLUSH = 9


@kernel
def start(setup: Any) -> Any:
    data = np.full(SIZE, -1)
    data[POINTS:PLACED] = setup
    data[PLACED] = 0
    return data


@kernel
def to_act(data: Any) -> int:
    if data[PLACED] == CELLS:
        return OVER
    return CHANCE if data[NEXT] < 0 else 0


@kernel
def is_dealt(data: Any, card: int) -> bool:
    for cell in range(CELLS):
        if data[GRID + cell] == card:
            return True
    return data[NEXT] == card


@kernel
def choice_count(data: Any) -> int:
    return (52 if data[NEXT] < 0 else CELLS) - data[PLACED]


@kernel
def choice(data: Any, i: int) -> int:
    if data[NEXT] < 0:
        for card in range(52):
            if not is_dealt(data, card):
                if i == 0:
                    return card
                i -= 1
    for cell in range(CELLS):
        if data[GRID + cell] < 0:
            if i == 0:
                return cell
            i -= 1
    return -1


@kernel
def allowed(data: Any, action: int) -> bool:
    if data[PLACED] == CELLS:
        return False
    if data[NEXT] < 0:
        return 0 <= action < 52 and not is_dealt(data, action)
    return 0 <= action < CELLS and data[GRID + action] < 0


@kernel
def apply(data: Any, action: int) -> None:
    if data[NEXT] < 0:
        data[NEXT] = action
    else:
        data[GRID + action] = data[NEXT]
        data[NEXT] = -1
        data[PLACED] += 1


@kernel
def after(data: Any, action: int) -> Any:
    new = data.copy()
    apply(new, action)
    return new


@kernel
def view(data: Any, seat: int) -> Any:
    return data.copy()


@kernel
def cell_of(line: int, i: int) -> int:
    """The i-th cell of a row, or of a column."""
    return SIDE * line + i if line < SIDE else SIDE * i + line - SIDE


@kernel
def category_of(data: Any, line: int) -> int:
    """The category of a full line, 0 for a high card to 9 for a royal flush."""
    key, bits, lowest = EMPTY, np.uint64(0), 52
    for i in range(SIDE):
        card = data[GRID + cell_of(line, i)]
        key += KEY[card]
        bits |= BIT[card]
        lowest = min(lowest, card)
    category = category_number(int(strength_56(key, bits)))
    return ROYAL_FLUSH if category == STRAIGHT_FLUSH and lowest >= 4 * 8 else category  # from the ten up


@kernel
def payoff(data: Any, seat: int) -> float:
    total = 0
    for line in range(LINES):
        total += data[POINTS + category_of(data, line)]
    return float(total)


@kernel
def any_choice(view: Any, mind: Any, words: Any) -> int:
    return choice(view, below(words, choice_count(view)))


@kernel
def play_to_end(data: Any, policy: Any, mind: Any, dealer: Any, words: Any, order: Any) -> bool:
    """Deal and place all cards, writing down in which order the cells were filled; false at a wrong placement."""
    deck, left, seen = np.arange(52), 52, data.copy()
    for played in range(CELLS):
        place = below(dealer, left)
        data[NEXT] = deck[place]
        left -= 1
        for later in range(place, left):  # what is left stays in order, so that this is the card `choice` names
            deck[later] = deck[later + 1]
        seen[:] = data
        action = policy(seen, mind, words)
        if not allowed(data, action):
            return False
        apply(data, action)
        order[played] = action
    return True


@kernel
def play_out(
    setup: Any, policies: Any, lessons: Any, minds: Any, agents: Any, dealer: Any, words: Any, payoffs: Any
) -> bool:
    data, agent = start(setup), agents[0]
    if not play_to_end(data, policies[agent], minds[agent], dealer, words[agent], np.empty(CELLS, np.int64)):
        return False
    payoffs[0] = payoff(data, 0)
    if minds[agent].size > 0:
        lessons[agent](data.copy(), payoffs[0], minds[agent])
    return True


class SquaresState(ArrayState):
    """A game in progress."""

    __slots__ = ()

    @property
    def placed(self) -> int:
        return int(self.data[PLACED])

    @property
    def next_card(self) -> Card | None:
        """The card that is to be placed."""
        return Card(int(self.data[NEXT])) if self.data[NEXT] >= 0 else None

    @property
    def grid(self) -> list[list[Card | None]]:
        """The cards by row and column, None in a free cell."""
        cards = [Card(card) if card >= 0 else None for card in self.data[GRID:].tolist()]
        return [cards[first : first + SIDE] for first in range(0, CELLS, SIDE)]

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(self.data[POINTS:PLACED].tolist())

    def line_scores(self) -> list[int | None]:
        """What each row, then each column scores; None for one that is not full."""
        full = [all(self.data[GRID + cell_of(line, i)] >= 0 for i in range(SIDE)) for line in range(LINES)]
        return [self.points[category_of(self.data, line)] if full[line] else None for line in range(LINES)]

    def __repr__(self) -> str:
        rows = " / ".join(" ".join("--" if card is None else str(card) for card in row) for row in self.grid)
        return f"<{rows} | next {self.next_card or '–'}>"


class Cell(int):
    """A cell of the grid, row by row from the top left; said as its row and column, both from 1."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"cell {int(self) // SIDE + 1}{int(self) % SIDE + 1}"

    __repr__ = __str__


@dataclass(frozen=True)
class PokerSquares(RuledGame[SquaresState, SquaresState, Any]):
    """A solitaire: the points of the ten hands that the rows and columns make."""

    name: ClassVar[str] = "poker-squares"
    payoff_unit: ClassVar[str] = "points"
    seats = 1
    rules: ClassVar[Rules] = Rules(
        start, to_act, choice_count, choice, allowed, after, view, payoff, any_choice, play_out
    )
    action_type: ClassVar[type[int]] = Cell
    chance_type: ClassVar[type[int]] = Card

    system: str = "american"

    def __post_init__(self) -> None:
        points(self.system)

    @property
    def points(self) -> tuple[int, ...]:
        return points(self.system)

    def setup(self) -> NDArray[np.int64]:
        return np.array(self.points, np.int64)

    def raw(self, value: SquaresState) -> NDArray[np.int64]:
        return value.data

    def as_state(self, raw: NDArray[np.int64]) -> SquaresState:
        return SquaresState(raw)

    def as_view(self, raw: NDArray[np.int64]) -> SquaresState:
        return SquaresState(raw)

    def drawing(self, view: SquaresState) -> str:
        """The grid, with what the full rows and columns score beside and below them."""
        scores = ["" if score is None else str(score) for score in view.line_scores()]
        lines = ["     1    2    3    4    5"]
        for row, cards in enumerate(view.grid):
            cells = "   ".join(" ·" if card is None else str(card) for card in cards)
            lines.append(f"{row + 1}   {cells}   {scores[row]:>4}")
        lines.append("  " + "".join(f"{score:>4} " for score in scores[SIDE:]))
        if view.next_card is not None:
            lines.append(f"to place: {view.next_card}")
        return "\n".join(line.rstrip() for line in lines)

    def lies_open(self, view: SquaresState) -> bool:
        return True

    def imagine(self, view: SquaresState, rng: Stream) -> SquaresState:
        return SquaresState(view.data.copy())


def scored(system: str, grid: Sequence[int]) -> int:
    """The points of 25 cards, row by row."""
    data = start(np.array(points(system), np.int64))
    data[GRID:], data[PLACED] = grid, CELLS
    return int(payoff(data, 0))
