"""Naïve abstract reinforcement learning: the value of every abstraction of a line, learned from games for its points.

On-policy Monte Carlo (Neller, Messinger and Yang 2015): a game is played greedily by the values so far, except that
with probability ε a card goes to a random cell; then every abstraction that any line passed through moves its mean
towards what that line scored in the end. ε falls by the factor δ with each game. With `sizes`, the distribution of the
lines' lengths learns the mean difference between the final score and the sum of the lines' values.

The paper does not say what an abstraction is worth that was never met ("Abstracting Independent Hands" has a hash map,
and no word on what is not in it). With `unseen="score"`, the default, it is what the line scores so far; with
`unseen="best"` it is the most that any hand scores, so that everything is tried at least once. The score so far is the
default because the paper compares its evaluation with just that, and because a player who wants to try everything needs
no ε.

Two learners start each round from the same values and play games of their own, and their means are joined, so that the
result does not depend on the number of cores; rounds grow with what is known.
"""

import functools
import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet import rng
from fifthstreet.agents.squares import lines
from fifthstreet.agents.squares.lines import (
    ABSTRACTIONS,
    PATTERN,
    PATTERNS,
    REST,
    SIZES,
    WEIGHT,
    Numbers,
    Position,
    Values,
)
from fifthstreet.games.point_systems import AMERICAN, ENGLISH
from fifthstreet.games.poker_squares import CELLS, LINES, SIDE, PokerSquares
from fifthstreet.kernel import kernel
from fifthstreet.learned import Recipe, frozen
from fifthstreet.learned.steps import State, in_steps
from fifthstreet.parallel import in_order
from fifthstreet.rng import RngState, below, pick, uniform

DECAY = 0.999975  # δ of the paper
LEARNERS = 2
LESSONS = 300_000  # games by default, set by hand; learning from more does not always make better play
VARIANTS = ((0.5, False), (0.1, False), (0.5, True))  # of the paper: ε₀, and whether lengths of lines count
ALWAYS = math.inf  # an ε that stays above 1: games of random play alone
# What a game costs beside one of greedy play, in processor time: measured once, and fixed so that results do not
# depend on the machine (`fifthstreet reproduce poker-squares --only learning-speed` measures it again).
RANDOM_COST, SIZES_COST = 1 / 2.1, 1.25

Unseen = Literal["score", "best"]
"""What an abstraction is worth that was never met: what the line scores so far, or the most that any hand scores."""

Array = NDArray[Any]


class Evaluation(NamedTuple):
    """The values of lines by abstraction, and corrections by the distribution of their lengths, or none."""

    values: Values
    sizes: Values


@kernel
def any_cell(position: Position, rng: RngState) -> int:
    """A random free cell."""
    pick, cell = below(rng, CELLS - position.played), 0
    while position.grid[cell] >= 0 or pick > 0:
        pick -= position.grid[cell] < 0
        cell += 1
    return cell


@kernel
def place_next(
    position: Position, deck: Numbers, explored: float, values: Values, sizes: Values, numbers: Numbers, rng: RngState
) -> bool:
    """Draw a card and place it where it adds most, or with probability `explored` in a random cell.

    Writes the numbers of the lines after it to `numbers`, and returns whether the cell was random.
    """
    card = pick(rng, deck, position.played, len(deck))
    lines.deal(position, card)
    anywhere = uniform(rng) < explored
    if anywhere:
        cell = any_cell(position, rng)
    else:
        lines.gains(position, card, values)
        cell = lines.best_cell(position, sizes, rng[:0])
    lines.place(position, cell, card)
    number_lines(position, numbers)
    return anywhere


@kernel
def number_lines(position: Position, numbers: Numbers) -> None:
    """Write the number of each line's abstraction, −1 for a full line."""
    for i in range(LINES):
        line = position.lines[i]
        numbers[i] = -1 if line.length == SIDE else lines.number_of(position, lines.stage_of(position.played, i), line)


@kernel(changes="position")
def learn(
    position: Position,
    values: Values,
    counts: NDArray[np.int32],
    sizes: Values,
    size_counts: NDArray[np.int32],
    games: int,
    explored: float,
    rng: RngState,
) -> None:
    """Play this many games and move the means in `values` and `sizes`; the counts say how often each was met."""
    passed, expected, distribution = np.zeros((CELLS, LINES), np.int64), np.zeros(CELLS), np.zeros(CELLS, np.int64)
    deck, scores = np.arange(52), np.zeros(LINES)
    for _ in range(games):
        lines.clear(position, False)
        for played in range(CELLS):
            place_next(position, deck, explored, values, sizes, passed[played], rng)
            if sizes.size > 0:
                distribution[played] = lines.sizes_of(position)
                expected[played] = lines.value_of(position, played + 1, values, sizes[:0])
        total = 0.0
        for i in range(LINES):
            scores[i] = lines.score_of(position, position.lines[i])
            total += scores[i]
        for played in range(CELLS):
            for i in range(LINES):
                number = passed[played, i]
                if number >= 0:
                    counts[number] += 1
                    values[number] += (scores[i] - values[number]) / counts[number]
            if sizes.size > 0:
                number = distribution[played]
                size_counts[number] += 1
                sizes[number] += (total - expected[played] - sizes[number]) / size_counts[number]
        explored *= DECAY**LEARNERS  # the others play too


@kernel(changes="position")
def greedy_games(
    position: Position, values: Values, sizes: Values, fine: bool, decks: Numbers, scores: NDArray[np.float64]
) -> None:
    """Write the score of greedy play with each of these decks to `scores`."""
    no_rng = np.empty(0, np.uint64)
    for game in range(decks.shape[0]):
        lines.clear(position, fine)
        lines.play_on(position, decks[game], CELLS, values, sizes, no_rng)
        scores[game] = lines.value_of(position, CELLS, values, sizes[:0])


@functools.lru_cache(maxsize=16)
def by_score(points: tuple[int, ...]) -> Evaluation:
    """The evaluation by which every line is worth what it scores so far."""
    # A pattern says how many cards there are of each rank, so any hand of the pattern will do.
    by_pattern = np.full(PATTERNS, float(points[0]))
    position = Position.blank()
    line = position.lines[0]
    for counts in ((), (1,), (1, 1), (2,), (1, 1, 1), (2, 1), (3,), (1, 1, 1, 1), (2, 1, 1), (2, 2), (3, 1), (4,)):
        lines.clear_line(line)
        for rank, count in enumerate(counts):
            for suit in range(count):
                lines.put(position, line, 4 * rank + suit)
        for total in _totals(counts):
            by_pattern[PATTERN[total]] = points[lines.category_of_line(line)]
    whole = np.broadcast_to(by_pattern[:, None], (2 * (CELLS + 1), len(by_pattern), REST))
    return Evaluation(np.ascontiguousarray(whole.reshape(-1), np.float32), np.zeros(0, np.float32))


def _totals(counts: tuple[int, ...]) -> set[int]:
    """The sums of weights of these counts by rank, for any number of undealt cards of each rank."""
    found = {0}
    for count in counts:
        found = {total + int(WEIGHT[8 * count + undealt]) for total in found for undealt in range(5 - count)}
    return found


def cost(lessons: int, explored: float, sizes: bool = False) -> float:
    """How many games of greedy play without `sizes` cost as much as this many lessons.

    >>> cost(21, ALWAYS), cost(100, 0.0, sizes=True)
    (10.0, 125.0)
    """
    random = lessons if explored >= 1 else explored * (1 - DECAY**lessons) / (1 - DECAY)
    return (lessons - random * (1 - RANDOM_COST)) * (SIZES_COST if sizes else 1)


def lessons_for(budget: float, explored: float, sizes: bool = False) -> int:
    """How many lessons cost as much as this many games of greedy play: `cost` the other way round."""
    low, high = 0, math.ceil(budget / RANDOM_COST)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(middle, explored, sizes) <= budget else (low, middle - 1)
    return low


@functools.lru_cache(maxsize=32)
def learned(
    points: tuple[int, ...], explored: float, sizes: bool, lessons: int, seed: int = 0, unseen: Unseen = "score"
) -> Evaluation:
    """The evaluation after this many games, learned once and kept; what is shipped is in half precision."""
    found = recipe(points, explored, sizes, lessons, seed, unseen).arrays()
    start = _start(points, sizes, unseen)
    whole = frozen({name: unpacked(found, name, each) for name, each in start._asdict().items()})
    return Evaluation(**whole)


def recipe(
    points: tuple[int, ...],
    explored: float,
    sizes: bool,
    lessons: int = LESSONS,
    seed: int = 0,
    unseen: Unseen = "score",
) -> Recipe:
    usual = points in (AMERICAN, ENGLISH) and (explored, sizes) in VARIANTS
    shipped = usual and (lessons, seed, unseen) == (LESSONS, 0, "score")

    def learn() -> dict[str, Array]:
        fresh, start = learned_anew(points, explored, sizes, lessons, seed, unseen), _start(points, sizes, unseen)
        kept: dict[str, Array] = {}
        for name, values, before in zip(Evaluation._fields, fresh, start, strict=True):
            kept |= packed(name, values, before, np.float16 if shipped else np.float32)
        return kept

    return Recipe(
        __file__,
        "-".join(map(str, ("squares", *points, explored, int(sizes), lessons, seed, unseen))),
        learn,
        game=PokerSquares.name,
        agent="narl",
        cost=10 * lessons / LESSONS,
        games=lessons,
        seed=seed,
        shapes=packed_shapes("values", ABSTRACTIONS) | packed_shapes("sizes", SIZES if sizes else 0),
        shipped=shipped,
    )


def packed(name: str, values: Array, start: Array, kind: type[np.floating[Any]] = np.float16) -> dict[str, Array]:
    """Values of this kind, but only those that differ from where learning started, and which those are."""
    short = values.astype(kind)
    changed = short != start.astype(kind)
    return {f"{name} changed": np.packbits(changed), name: short[changed]}


def unpacked(found: Mapping[str, Array], name: str, start: Array) -> Array:
    """The values again."""
    values = start.copy()
    changed = np.unpackbits(found[f"{name} changed"], count=len(start)).astype(bool)
    values[changed] = found[name]
    return values


def packed_shapes(name: str, count: int) -> dict[str, tuple[int | None, ...]]:
    """The shapes of what `packed` returns for so many values."""
    return {f"{name} changed": (-(-count // 8),), name: (None,)}


def _start(points: tuple[int, ...], sizes: bool, unseen: Unseen) -> Evaluation:
    """The evaluation before anything is learned."""
    values = by_score(points).values
    start = values if unseen == "score" else np.full_like(values, max(points))
    return Evaluation(start, np.zeros(SIZES if sizes else 0, np.float32))


def _round(
    points: tuple[int, ...],
    means: list[Array],
    counts: list[Array],
    games: int,
    explored: float,
    base: rng.RngState,
    number: int,
    learner: int,
) -> tuple[list[Array], list[Array]]:
    """The means and counts of one learner after its share of a round's games."""
    own_rng = np.empty(4, np.uint64)
    rng.fork(base, LEARNERS * number + learner, own_rng)
    own, seen = [part.copy() for part in means], [part.copy() for part in counts]
    share = (games + learner) // LEARNERS
    learn(lines.empty_grid(points), own[0], seen[0], own[1], seen[1], share, explored, own_rng)
    return own, seen


def learned_anew(
    points: tuple[int, ...], explored: float, sizes: bool, lessons: int, seed: int, unseen: Unseen = "score"
) -> Evaluation:
    """The evaluation after this many games, not taken from the cache."""
    base, rounds, planned = rng.seeded(seed, "narl"), list[tuple[int, int]](), 0
    while planned < lessons:
        rounds.append((planned, min(max(4_000, planned // 2), lessons - planned)))
        planned += rounds[-1][1]

    def start() -> State:
        means = _start(points, sizes, unseen)._asdict()
        return means | {f"{name} met": np.zeros(len(each), np.int32) for name, each in means.items()}

    def step(number: int, state: State) -> State:
        done, games = rounds[number]
        means, counts = [state["values"], state["sizes"]], [state["values met"], state["sizes met"]]
        begun = functools.partial(_round, points, means, counts, games, explored * DECAY**done, base, number)
        results = list(in_order(begun, range(LEARNERS)))
        after: dict[str, Array] = {}
        for part, name in enumerate(Evaluation._fields):
            total = sum(seen[part] for _, seen in results) - (LEARNERS - 1) * counts[part]
            weighted = sum(own[part].astype(float) * seen[part] for own, seen in results)
            weighted -= (LEARNERS - 1) * means[part].astype(float) * counts[part]
            after[name] = np.where(total > 0, weighted / np.maximum(total, 1), means[part]).astype(np.float32)
            after[f"{name} met"] = total
        return after

    what = f"learning Poker Squares for {' '.join(map(str, points))} from {lessons:,} games"
    state = in_steps(what, len(rounds), start, step)
    return Evaluation(state["values"], state["sizes"])
