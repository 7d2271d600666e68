"""Players who place every card where an evaluation of the grid is highest, and what all players of the game share."""

import functools
import math
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.squares import lines
from fifthstreet.agents.squares.lines import ABSTRACTIONS, Floats, Position, Positions, Values
from fifthstreet.agents.squares.narl import ALWAYS, LESSONS, Evaluation, Unseen, by_score, learned
from fifthstreet.errors import InputError, whole
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.poker_squares import CELLS, SIDE, Cell, PokerSquares, SquaresView
from fifthstreet.kernel import kernel
from fifthstreet.rng import RngState

# A mind: parameters, then the values of the evaluation, two of them in each number, then its corrections likewise.
PARAMETERS = 32
SIZES_FROM = PARAMETERS + ABSTRACTIONS // 2

Name = Literal["score", "narl", "narl-0.1", "narl-sizes", "narl-random"]
"""The paper's evaluations: the score so far, and those learned from ε₀ = 0.5, 0.1, and 0.5 with lengths of lines.

The last is learned from games of random play alone, to tell what the paper's mixture with greedy play is good for.
"""
EXPLORED: dict[Name, float] = {"narl": 0.5, "narl-0.1": 0.1, "narl-sizes": 0.5, "narl-random": ALWAYS}


@functools.lru_cache(maxsize=16)
def evaluation(
    name: Name, points: tuple[int, ...], lessons: int, unseen: Unseen = "score", learning_seed: int = 0
) -> Evaluation:
    if name == "score":
        return by_score(points)
    return learned(points, EXPLORED[name], name == "narl-sizes", lessons, learning_seed, unseen)


def mind_of(found: Evaluation, *parameters: float) -> Mind:
    """A mind with this evaluation and these parameters."""
    head = np.zeros(PARAMETERS)
    head[: len(parameters)] = parameters
    sizes = np.append(found.sizes, np.zeros(len(found.sizes) % 2, np.float32))
    mind = np.concatenate([head, found.values.view(np.float64), sizes.view(np.float64)])
    mind.flags.writeable = False
    return mind


@functools.lru_cache(maxsize=8)
def _mind(
    name: Name,
    points: tuple[int, ...],
    lessons: int,
    unseen: Unseen,
    learning_seed: int,
    parameters: tuple[float, ...],
) -> Mind:
    return mind_of(evaluation(name, points, lessons, unseen, learning_seed), *parameters)


@kernel
def values_of(mind: Mind) -> Values:
    return mind[PARAMETERS:SIZES_FROM].view(np.float32)


@kernel
def corrections_of(mind: Mind) -> Values:
    return mind[SIZES_FROM:].view(np.float32)


@kernel
def greedy_cell(view: SquaresView, values: Values, sizes: Values, positions: Positions) -> int:
    """The cell with the highest expected score; what the card adds to each line is left in the first of `positions`."""
    position = positions[0]
    lines.read_grid(view, False, position)
    lines.gains(position, view.next_card, values)
    return lines.best_cell(position, sizes, np.empty(0, np.uint64))


@kernel
def expected_scores(view: SquaresView, values: Values, sizes: Values, positions: Positions, out: Floats) -> int:
    """Fill `out` with the expected score for placing the next card in each free cell; return the best cell."""
    best = greedy_cell(view, values, sizes, positions)
    scores_by_cell(positions[0], values, sizes, out)
    return best


@kernel
def scores_by_cell(position: Position, values: Values, sizes: Values, out: Floats) -> None:
    """Fill `out` with the expected score for each free cell of the card whose gains `position` holds."""
    now, total = lines.sizes_of(position), lines.value_of(position, position.played + 1, values, sizes[:0])
    for cell in range(CELLS):
        if position.grid[cell] < 0:
            row, column = cell // SIDE, cell % SIDE
            out[cell] = total + position.gain[row] + position.gain[SIDE + column]
            if sizes.size > 0:
                out[cell] += sizes[lines.sizes_with(position, now, row, column)]


@kernel
def by_evaluation(view: SquaresView, mind: Mind, rng: RngState) -> int:
    return greedy_cell(view, values_of(mind), corrections_of(mind), lines.new_position())


def refuse_lessons(lessons: int) -> int:
    return whole(lessons, "lessons", least=1, most=10**10)


def refuse_effort(time: float, plies: int | None) -> int | None:
    """Check the seconds for a game, and the number of placements if that is given, which is returned."""
    if not 0 <= time <= 3600:
        raise InputError(f"time={time!r}: seconds a game, from 0 to 3600")
    return None if plies is None else whole(plies, "plies", least=0, most=10**12)


def by_cell(values: Floats) -> dict[int, float]:
    """The values that are known, for a decision."""
    return {cell: value for cell, value in enumerate(values.tolist()) if not math.isnan(value)}


class _Greedy(Agent):
    """Places the card where its evaluation is highest."""

    plays = by_evaluation

    def decide(self, turn: Turn[SquaresView]) -> Decision:
        values = np.full(CELLS, np.nan)
        best = expected_scores(turn.view, values_of(turn.mind), corrections_of(turn.mind), lines.new_position(), values)
        score = float(values[best])
        return Decision(best, by_cell(values), f"{Cell(best)} has the highest value, {score:.1f}", {"score": score})


@dataclass
class GreedyScore(_Greedy):
    """Places the card where the score so far is highest."""

    name: ClassVar[str] = "greedy"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Significance of Each Design Component"

    def mind(self, game: AnyGame) -> Mind:
        return _mind("score", points_of(game), 0, "score", 0, ())


@dataclass
class Evaluating(Agent):
    """A player by one of the paper's evaluations.

    evaluation     which one
    lessons        how many games it was learned from; the paper learns for five minutes
    unseen         what an abstraction is worth that was never met
    learning_seed  the seed of these games: evaluations that differ only in it differ by chance
    """

    evaluation: Name = "narl"
    lessons: int = LESSONS
    unseen: Unseen = "score"
    learning_seed: int = 0

    def __post_init__(self) -> None:
        self.lessons = refuse_lessons(self.lessons)
        self.learning_seed = whole(self.learning_seed, "learning_seed", least=0, most=2**63 - 1)
        for given, kind, what in ((self.evaluation, Name, "evaluation"), (self.unseen, Unseen, "unseen")):
            if given not in get_args(kind):
                raise InputError(f"{what}={given!r}: it is one of {', '.join(get_args(kind))}")

    def mind_with(self, game: AnyGame, *parameters: float) -> Mind:
        """The mind with this evaluation and these parameters; players with the same ones share it."""
        learned_from = self.lessons, self.unseen, self.learning_seed
        return _mind(self.evaluation, points_of(game), *learned_from, parameters)


@dataclass
class Narl(_Greedy, Evaluating):
    """Places the card where the learned values of the lines are highest; 300,000 lessons for the paper's 5 minutes."""

    name: ClassVar[str] = "narl"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    source: ClassVar[str] = "poker-squares.txt, Static Evaluation"

    def mind(self, game: AnyGame) -> Mind:
        return self.mind_with(game)


def points_of(game: AnyGame) -> tuple[int, ...]:
    assert isinstance(game, PokerSquares)
    return game.points
