"""A player of Poker Squares: cards sampled and placed by learned values, and the last four cells by counting.

It prepares for a point system by learning what lines are worth to the whole grid (`temporal`); then a network learns
what such values of single lines leave out (`crossings`). In the game every cell is tried with the same sampled cards:
five are placed greedily by the values of the lines, and the network judges the grid after them. (Placed by the network
itself, cards would end up where it errs most in their favour: that is slower, and plays no better.) Its judgement of
the grid as it is counts as some more samples, since few samples say less. After each stage the worse half of the cells
is dropped. Empty rows are alike, and so are empty columns, so that only the first of them is tried. With four free
cells or fewer, every order of the cards to come is counted.

Time a game is turned into a number of simulated placements by a speed that is measured once in a process, so that a
policy needs no clock; `plies` gives the number for a card instead, and makes results repeatable. With none, the card
goes to the cell that the network puts first.
"""

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from fifthstreet import rng
from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.squares import crossings, lines, narl, temporal
from fifthstreet.agents.squares.crossings import WIDTH, Weights, correction, expected_scores
from fifthstreet.agents.squares.greedy import by_cell, points_of, refuse_effort, refuse_lessons
from fifthstreet.agents.squares.lines import WHOLE, Floats, Numbers, Position, Positions, Values, new_position
from fifthstreet.agents.squares.narl import Array, by_score, packed, packed_shapes, unpacked
from fifthstreet.games.game import AnyGame, Mind
from fifthstreet.games.point_systems import AMERICAN, ENGLISH
from fifthstreet.games.poker_squares import CELLS, LINES, SIDE, Cell, PokerSquares, SquaresView
from fifthstreet.kernel import kernel
from fifthstreet.learned import Recipe, frozen
from fifthstreet.parallel import in_order
from fifthstreet.record import copy_bytes
from fifthstreet.rng import RngState, pick_some

# A mind: how many placements to simulate for a card; then, two of them in each number, the values of lines by which
# sampled cards are placed, those that go with the network, and its weights.
PLIES, PLACING, VALUES, NETWORK = 0, 1, 1 + lines.ABSTRACTIONS // 2, 1 + lines.ABSTRACTIONS
COUNTED = 4  # free cells from which on everything is counted
TRIED = CELLS - COUNTED - 1  # cards for which others are sampled: not the first, and not when all is counted
# Set by hand; no search over them is recorded.
PRIOR = 30.0  # samples that the network's judgement of the grid as it is counts for
NEAR = 5  # sampled cards placed before the network judges
LESSONS = 250_000  # games that the network learns from by default
LINE_LESSONS = 16  # games that lines learn from before, for each of these
LUCKY = 40  # of those, for each that lines learn from without luck
TRIALS = 30_000  # most games by which lines alone and with the network are compared


class Prepared(NamedTuple):
    """What was learned for a point system."""

    placing: Values  # of lines by themselves
    values: Values  # of lines that go with the network
    network: Weights


class Scratch(NamedTuple):
    """Memory to work in."""

    positions: tuple[Positions, Positions, Positions, Positions]  # as it is, and with one, two and three cards more
    network: crossings.Scratch


@kernel
def new_scratch() -> Scratch:
    now, one, two, three = new_position(), new_position(), new_position(), new_position()
    return Scratch((now, one, two, three), crossings.new_scratch())


@kernel
def spread(position: Position, means: Floats) -> None:
    """Give every free cell what was found for the first that is like it."""
    for cell in range(CELLS):
        if position.grid[cell] < 0:
            means[cell] = means[lines.alike(position, cell)]


@kernel
def prepared_in(mind: Mind) -> Prepared:
    placing, values = mind[PLACING:VALUES].view(np.float32), mind[VALUES:NETWORK].view(np.float32)
    return Prepared(placing, values, mind[NETWORK:].view(np.float32).reshape((-1, WIDTH)))


@kernel
def at_once(view: SquaresView, found: Prepared, scratch: Scratch, out: Floats) -> int:
    """Fill `out` with the network's expected score for placing the next card in each free cell; return the best."""
    position = scratch.positions[0][0]
    lines.read_grid(view, True, position)
    best = expected_scores(position, view.next_card, found.values, found.network, scratch.network, out)
    spread(position, out)
    return best


@kernel
def rollouts(view: SquaresView, plies: float, found: Prepared, scratch: Scratch, rng: RngState, means: Floats) -> int:
    """Fill `means` with the expected score of each free cell, from this many simulated placements; return the best."""
    position, new, expected = scratch.positions[0][0], scratch.positions[1][0], np.empty(CELLS)
    at_once(view, found, scratch, expected)
    cards, played = np.empty(52, np.int64), view.placed
    count = lines.undealt_cards(position, cards)
    end, none = min(played + 1 + NEAR, CELLS), found.placing[:0]
    drawn = end - played - 1
    cells, scores, alive = np.empty(CELLS, np.int64), np.empty(CELLS), 0
    for cell in range(CELLS):
        if view.grid[cell] < 0 and lines.alike(position, cell) == cell:
            cells[alive], scores[alive] = cell, PRIOR * expected[cell]
            alive += 1
    if alive == 1:  # the first card, or the last: there is nothing to try
        means[cells[0]] = expected[cells[0]]
        spread(position, means)
        return int(cells[0])
    stages, games, left_over = 1, PRIOR, alive
    while left_over > 2:
        left_over = (left_over + 1) // 2
        stages += 1
    for stage in range(stages):
        some = max(1, int(plies / max(1, drawn) / stages / alive))
        for _ in range(some):
            pick_some(rng, cards, count, drawn)
            for i in range(alive):
                copy_bytes(position, new, WHOLE)
                lines.place(new, cells[i], view.next_card)
                lines.play_on(new, cards, end, found.placing, none, rng[:0])
                scores[i] += lines.value_of(new, end, found.values, none)
                if end < CELLS:
                    scores[i] += correction(new, found.network, scratch.network)
        games += some
        for i in range(alive):
            means[cells[i]] = scores[i] / games
        keep = (alive + 1) // 2 if stage < stages - 1 else 1
        while alive > keep:
            worst = 0
            for i in range(1, alive):
                if scores[i] < scores[worst]:
                    worst = i
            alive -= 1
            for i in range(worst, alive):
                cells[i], scores[i] = cells[i + 1], scores[i + 1]
    spread(position, means)
    return int(cells[0])


@kernel
def one_left(position: Position, cell: int, cards: Numbers, count: int) -> float:
    """The mean final score when one of the first `count` cards goes into the last cell."""
    row, column, total, others = cell // SIDE, SIDE + cell % SIDE, 0.0, 0.0
    for i in range(count):
        total += position.points[lines.category_with(position.lines[row], cards[i])]
        total += position.points[lines.category_with(position.lines[column], cards[i])]
    for i in range(LINES):
        if i != row and i != column:
            others += lines.score_of(position, position.lines[i])
    return others + total / count


@kernel
def swap_out(cards: Numbers, i: int, last: int) -> int:
    """Swap a card to place `last`, and return it."""
    cards[i], cards[last] = cards[last], cards[i]
    return int(cards[last])


@kernel
def two_left(
    position: Position, first: int, second: int, cards: Numbers, count: int, positions: tuple[Positions, ...]
) -> float:
    """The mean final score of best play with two free cells, when the first `count` cards may come."""
    total, new = 0.0, positions[3][0]
    for i in range(count):
        card = swap_out(cards, i, count - 1)
        copy_bytes(position, new, WHOLE)
        lines.place(new, first, card)
        best = one_left(new, second, cards, count - 1)
        copy_bytes(position, new, WHOLE)
        lines.place(new, second, card)
        total += max(best, one_left(new, first, cards, count - 1))
        swap_out(cards, i, count - 1)
    return total / count


@kernel
def three_left(
    position: Position, cells: Numbers, skip: int, cards: Numbers, count: int, positions: tuple[Positions, ...]
) -> float:
    """The mean final score of best play with three free cells: four `cells`, but for number `skip`."""
    total, new = 0.0, positions[2][0]
    for i in range(count):
        card = swap_out(cards, i, count - 1)
        best = -np.inf
        for a in range(4):
            if a == skip:
                continue
            b = 0 if skip != 0 and a != 0 else 1 if skip != 1 and a != 1 else 2
            c = 6 - skip - a - b
            copy_bytes(position, new, WHOLE)
            lines.place(new, cells[a], card)
            best = max(best, two_left(new, cells[b], cells[c], cards, count - 1, positions))
        total += best
        swap_out(cards, i, count - 1)
    return total / count


@kernel
def counted(view: SquaresView, scratch: Scratch, means: Floats) -> int:
    """With four free cells or fewer, fill `means` with the expected final score of each under best play.

    Returns the best cell.
    """
    positions = scratch.positions
    position, new = positions[0][0], positions[1][0]
    lines.read_grid(view, False, position)
    cards = np.empty(52, np.int64)
    count, free, cells = lines.undealt_cards(position, cards), 0, np.empty(CELLS, np.int64)
    for cell in range(CELLS):
        if view.grid[cell] < 0:
            cells[free] = cell
            free += 1
    best = int(cells[0])
    for a in range(free):
        copy_bytes(position, new, WHOLE)
        lines.place(new, cells[a], view.next_card)
        if free == 1:
            value = lines.value_of(new, CELLS, np.empty(0, np.float32), np.empty(0, np.float32))
        elif free == 2:
            value = one_left(new, cells[1 - a], cards, count)
        elif free == 3:
            value = two_left(new, cells[(a + 1) % 3], cells[(a + 2) % 3], cards, count, positions)
        else:
            value = three_left(new, cells, a, cards, count, positions)
        means[cells[a]] = value
        if value > means[best]:
            best = int(cells[a])
    return best


@kernel(changes="view")
def counted_further(view: SquaresView, scratch: Scratch, means: Floats) -> int:
    """The same with five free cells, to tell exactly what players lose there; it takes half a second.

    It changes the view, so pass a copy.
    """
    position, cards, then, best, card = (
        scratch.positions[0][0],
        np.empty(52, np.int64),
        np.empty(CELLS),
        -1,
        view.next_card,
    )
    lines.read_grid(view, False, position)
    count = lines.undealt_cards(position, cards)
    view.placed += 1
    for cell in range(CELLS):
        if view.grid[cell] >= 0:
            continue
        view.grid[cell], total = card, 0.0
        for i in range(count):
            view.next_card = cards[i]
            total += then[counted(view, scratch, then)]
        view.grid[cell], means[cell] = -1, total / count
        if best < 0 or means[cell] > means[best]:
            best = cell
    return best


@kernel
def champion(view: SquaresView, mind: Mind, rng: RngState) -> int:
    scratch, means = new_scratch(), np.empty(CELLS)
    if mind[PLIES] == 0:
        return at_once(view, prepared_in(mind), scratch, means)
    if view.placed >= CELLS - COUNTED:
        return counted(view, scratch, means)
    return rollouts(view, mind[PLIES], prepared_in(mind), scratch, rng, means)


@dataclass
class SquaresChampion(Agent):
    """Tries every cell with sampled cards, judged by what it learned for the point system; counts the last cells."""

    name: ClassVar[str] = "champion"
    games: ClassVar[tuple[str, ...]] = ("poker-squares",)
    plays = champion

    time: float = 1.0
    plies: int | None = None
    lessons: int = LESSONS

    def __post_init__(self) -> None:
        self.plies = refuse_effort(self.time, self.plies)
        self.lessons = refuse_lessons(self.lessons)

    def decide(self, turn: Turn[SquaresView]) -> Decision:
        view, mind, means, scratch = turn.view, turn.mind, np.full(CELLS, np.nan), new_scratch()
        if mind[PLIES] == 0:
            best, how = at_once(view, prepared_in(mind), scratch, means), "according to the network"
        elif view.placed >= CELLS - COUNTED:
            best, how = counted(view, scratch, means), "with best play to the end"
        else:
            best = rollouts(view, float(mind[PLIES]), prepared_in(mind), scratch, turn.rng.state, means)
            how = "over sampled cards"
        score = float(means[best])
        return Decision(best, by_cell(means), f"{Cell(best)} averages {score:.1f} points {how}", {"score": score})

    def mind(self, game: AnyGame) -> Mind:
        return _mind(points_of(game), self._plies(game), self.lessons)

    def effort(self, game: AnyGame) -> str:
        return f"{self._plies(game):,} placements a card" if self.plies is None else ""

    def _plies(self, game: AnyGame) -> int:
        """How many placements to simulate for a card."""
        if self.plies is not None:
            return self.plies
        return int(self.time * _plies_a_second(points_of(game), self.lessons) / TRIED)


@functools.lru_cache(maxsize=16)
def _mind(points: tuple[int, ...], plies: int, lessons: int) -> Mind:
    """Shared by all champions with these parameters, since none writes to it."""
    parts = [part.reshape(-1).view(np.float64) for part in prepared(points, lessons)]
    mind = np.concatenate([[plies], *parts])
    mind.flags.writeable = False
    return mind


@functools.lru_cache(maxsize=16)
def lines_by_themselves(points: tuple[int, ...], lessons: int) -> Values:
    """The values of lines, learned once and kept in half precision."""
    found = unpacked(lines_recipe(points, lessons).arrays(), "placing", by_score(points).values)
    found.flags.writeable = False
    return found


def lines_recipe(points: tuple[int, ...], lessons: int = LESSONS) -> Recipe:
    games = LINE_LESSONS * lessons

    def learn() -> dict[str, Array]:
        values = temporal.self_taught(points, games, -(-games // LUCKY))
        return packed("placing", values, by_score(points).values)

    return Recipe(
        __file__,
        "-".join(map(str, ("squares-lines", *points, lessons))),
        learn,
        game=PokerSquares.name,
        agent=SquaresChampion.name,
        cost=120 * lessons / LESSONS,
        games=games,
        shapes=packed_shapes("placing", lines.ABSTRACTIONS),
        shipped=_shipped(points, lessons),
    )


@functools.lru_cache(maxsize=16)
def prepared(points: tuple[int, ...], lessons: int) -> Prepared:
    """Values of lines, and the network with its own values if it plays better than lines alone; learned once."""
    found, placing = recipe(points, lessons).arrays(), lines_by_themselves(points, lessons)
    own = {"values": unpacked(found, "values", placing), "network": found["network"].astype(np.float32)}
    return Prepared(placing, **frozen(own))


def recipe(points: tuple[int, ...], lessons: int = LESSONS) -> Recipe:
    def learn() -> dict[str, Array]:
        placing, trials = lines_by_themselves(points, lessons), min(TRIALS, lessons)
        alone = greedy_scores(points, placing, trials)
        values, network = crossings.self_taught(points, placing, float(alone.std()), lessons)
        if not network_scores(points, values, network, trials).mean() > alone.mean():  # also if it is nan
            values, network = placing, np.zeros_like(network)
        return {"network": network.astype(np.float16), **packed("values", values, placing)}

    return Recipe(
        __file__,
        "-".join(map(str, ("squares-champion", *points, lessons))),
        learn,
        game=PokerSquares.name,
        agent=SquaresChampion.name,
        cost=120 * lessons / LESSONS,
        games=lessons,
        shapes=packed_shapes("values", lines.ABSTRACTIONS) | {"network": (crossings.VECTORS + 1, WIDTH)},
        shipped=_shipped(points, lessons),
    )


def _shipped(points: tuple[int, ...], lessons: int) -> bool:
    return points in (AMERICAN, ENGLISH) and lessons == LESSONS


def greedy_scores(points: tuple[int, ...], values: Values, trials: int) -> Floats:
    """The scores of greedy play by lines alone."""
    return _scores(functools.partial(_greedy, points, values), trials)


def _greedy(points: tuple[int, ...], values: Values, decks: Numbers) -> Floats:
    scores = np.empty(len(decks))
    narl.greedy_games(lines.empty_grid(points), values, np.zeros(0, np.float32), True, decks, scores)
    return scores


def network_scores(points: tuple[int, ...], values: Values, network: Weights, trials: int) -> Floats:
    """The scores of play by the network, with the same cards."""
    return _scores(functools.partial(_by_network, points, values, network), trials)


def _by_network(points: tuple[int, ...], values: Values, network: Weights, decks: Numbers) -> Floats:
    scores = np.empty(len(decks))
    crossings.greedy_games(lines.empty_grid(points), values, network, decks, scores)
    return scores


def _scores(play: Callable[[Numbers], Floats], trials: int) -> Floats:
    decks = np.random.default_rng(0).permuted(np.tile(np.arange(52), (trials, 1)), axis=1)
    return np.concatenate([*in_order(play, np.array_split(decks, 2))])


@functools.cache
def _plies_a_second(points: tuple[int, ...], lessons: int) -> float:
    """How many placements one core simulates in a second of a game, measured once in a process."""
    plies, stages = 20_000.0, (3, 7, 11, 15, 19)
    stream, found, fastest = rng.stream(0, "speed"), prepared(points, lessons), np.inf
    views = [SquaresView.filled(points, {6 * i % CELLS: 2 * i for i in range(placed)}, 51) for placed in stages]
    for _ in range(4):  # the first compiles
        begin = time.thread_time()
        for view in views:
            rollouts(view, plies, found, new_scratch(), stream.state, np.empty(CELLS))
        fastest = min(fastest, time.thread_time() - begin)
    return len(stages) * plies / fastest
