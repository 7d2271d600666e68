"""Players who put every card where an evaluation of the grid is highest, and what all players of the game share."""

import functools
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.squares.lines import (
    ABSTRACTIONS,
    FACTS,
    LEFT,
    best_cell,
    gains,
    read_grid,
    sizes_of,
    sizes_with,
    value_of,
)
from fifthstreet.agents.squares.narl import LESSONS, Evaluation, by_score, learned
from fifthstreet.errors import InputError, whole
from fifthstreet.games.game import AnyGame, Policy
from fifthstreet.games.poker_squares import CELLS, GRID, LINES, NEXT, PLACED, POINTS, SIDE
from fifthstreet.kernel import kernel

# A mind: parameters, then the values of the evaluation, two in each place, then its corrections in the same way.
PARAMETERS = 32
SIZES_FROM = PARAMETERS + ABSTRACTIONS // 2

Name = Literal["score", "narl", "narl-0.1", "narl-sizes"]
"""The paper's evaluations: the score so far, and what was learned from ε₀ 0.5, 0.1, and 0.5 with sizes of lines."""


@functools.lru_cache(maxsize=16)
def evaluation(name: Name, points: tuple[int, ...], lessons: int) -> Evaluation:
    if name == "score":
        return by_score(points)
    return learned(points, 0.1 if name == "narl-0.1" else 0.5, name == "narl-sizes", lessons)


def mind_of(found: Evaluation, *parameters: float) -> NDArray[np.float64]:
    head = np.zeros(PARAMETERS)
    head[: len(parameters)] = parameters
    sizes = np.append(found.sizes, np.zeros(len(found.sizes) % 2, np.float32))
    return np.concatenate([head, found.values.view(np.float64), sizes.view(np.float64)])


@kernel
def values_of(mind: Any) -> Any:
    return mind[PARAMETERS:SIZES_FROM].view(np.float32)


@kernel
def corrections_of(mind: Any) -> Any:
    return mind[SIZES_FROM:].view(np.float32)


@kernel
def promises(view: Any, values: Any, sizes: Any, out: Any) -> int:
    """What the grid promises with the drawn card in each free cell, and the best of them."""
    lines, left, gain = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.zeros(LINES)
    read_grid(view, False, lines, left)
    played, points, grid = view[PLACED], view[POINTS:PLACED], view[GRID:]
    gains(played, view[NEXT], lines, left, points, values, gain)
    now, total = sizes_of(lines), value_of(played + 1, lines, left, points, values, sizes[:0])
    for cell in range(CELLS):
        if grid[cell] < 0:
            row, column = cell // SIDE, cell % SIDE
            out[cell] = total + gain[row] + gain[SIDE + column]
            if sizes.size > 0:
                out[cell] += sizes[sizes_with(now, lines, row, column)]
    return best_cell(grid, lines, gain, sizes, np.empty(0, np.uint64))


@kernel
def by_promise(view: Any, mind: Any, words: Any) -> int:
    lines, left, gain = np.zeros((LINES, FACTS), np.int64), np.zeros(LEFT, np.int64), np.zeros(LINES)
    read_grid(view, False, lines, left)
    gains(view[PLACED], view[NEXT], lines, left, view[POINTS:PLACED], values_of(mind), gain)
    return best_cell(view[GRID:], lines, gain, corrections_of(mind), words[:0])


def refuse_lessons(lessons: int) -> int:
    return whole(lessons, "lessons", least=1, most=10**10)


def by_cell(values: NDArray[np.float64]) -> dict[int, float]:
    return {cell: float(value) for cell, value in enumerate(values) if not np.isnan(value)}


class _Greedy(Agent):
    """Puts the card where its evaluation promises most."""

    def decide(self, turn: Turn) -> Decision:
        values = np.full(CELLS, np.nan)
        best = promises(turn.view.data, values_of(turn.mind), corrections_of(turn.mind), values)
        where = turn.game.label(turn.view, best)
        return Decision(best, by_cell(values), f"{where} promises {values[best]:.1f} points", {"score": values[best]})

    def policy(self, game: AnyGame) -> Policy | None:
        return by_promise


@dataclass
class GreedyScore(_Greedy):
    """Puts the card where the score so far is highest."""

    name: ClassVar[str] = "greedy"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Significance of Each Design Component"

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        return mind_of(by_score(points_of(game)))


@dataclass
class Narl(_Greedy):
    """Puts the card where the learned values of the lines are highest."""

    name: ClassVar[str] = "narl"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Static Evaluation"

    evaluation: Name = "narl"
    lessons: int = LESSONS

    def __post_init__(self) -> None:
        self.lessons = refuse_lessons(self.lessons)
        refuse_evaluation(self.evaluation)

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        return mind_of(evaluation(self.evaluation, points_of(game), self.lessons))


def refuse_evaluation(name: str) -> None:
    if name not in get_args(Name):
        raise InputError(f"evaluation={name!r}: it is one of {', '.join(get_args(Name))}")


def points_of(game: Any) -> tuple[int, ...]:
    points: tuple[int, ...] = game.points
    return points
