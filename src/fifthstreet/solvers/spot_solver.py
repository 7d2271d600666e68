"""The solver of a spot: its memory, play that is fixed, the iterations, and how far they are from perfect."""

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fifthstreet import cache
from fifthstreet.cards import Card, show
from fifthstreet.errors import InputError, quoted
from fifthstreet.evaluation.ranges import ALL_COMBOS, Combo, Range
from fifthstreet.parallel import together
from fifthstreet.solvers import vector_cfr
from fifthstreet.solvers.betting_tree import DEAL, SIDES, Node, nodes_of
from fifthstreet.solvers.betting_tree import sizes_from as sizes_from
from fifthstreet.solvers.boards import (
    Hands,
    boards_of,
    combination_of,
    count_boards,
    list_hands,
    no_symmetry,
    symmetry_of,
)
from fifthstreet.solvers.lanes import ONE, Lanes, best_lanes, zeros
from fifthstreet.solvers.vector_cfr import AVERAGE, BEST, Game, Memory, Task

if TYPE_CHECKING:
    pass

from fifthstreet.solvers.spot import Spot

MOST_MB = 4_000


Chooser = Callable[[tuple[str, ...], list[Card], Combo, Sequence[str]], Sequence[float]]
"""Fixed play as a function: the line so far, the board, a hand and the actions; it returns their probabilities."""

Lock = Mapping[str, Mapping[str, float]] | Chooser
"""Fixed play: a function, or probabilities of actions by range, where the last range that names a hand counts."""

Locks = Mapping[str, Lock]
"""Fixed play by place: a line such as "check, bet 90", "" for the root, or "oop" or "ip" for all that a side does."""


@dataclass(frozen=True)
class Look:
    """How far the solution was after some iterations: the exploitability in per cent of the pot."""

    iterations: int
    cpu_s: float
    exploitability: float


Report = Callable[[Look], None]


class Solver:
    """A spot with the memory that its solution takes, and everything that is asked of it."""

    def __init__(
        self,
        spot: Spot,
        locks: Locks | None = None,
        lanes: Lanes | None = None,
        most_mb: int = MOST_MB,
        merged: bool = True,
    ) -> None:
        self.spot = spot
        nodes, children = spot.betting().grown()
        fixed, locked = fixed_nodes(self.root, locks) if locks else {}, np.zeros(len(nodes), np.bool_)
        locked[[node.number for node in fixed]] = True
        programs, self.places = vector_cfr.programs_of(nodes, children, spot.pot / 2, locked)
        self.hands, number, ranges = _hands_of(spot)
        board = [int(card) for card in spot.board]
        self.merged = merged and spot.street < 2 and not fixed  # whether suits that are alike are dealt once
        if self.merged:
            self.symmetry = symmetry_of(board, ranges, self.hands, number)
        else:
            self.symmetry = no_symmetry(self.hands, spot.street == 2)
        self._refuse_if_large(board, programs.list["table_rows"].reshape(3, 2), most_mb)
        boards = self.boards = boards_of(board, self.symmetry, self.hands)
        room = self._room = vector_cfr.room_for(boards, programs)
        first = boards.list[0]
        regrets, average, worth, *of_sides = zeros(room.table, room.table, room.worth, *first["width"].tolist())
        weight = of_sides[0], of_sides[1]
        self.deals = vector_cfr.weigh(boards, self.hands, weight, np.zeros((2, 53)))
        if not self.deals > 0:
            raise InputError(
                f"no hand of {quoted(spot.oop.text)} can be dealt together with one of {quoted(spot.ip.text)}"
            )
        chosen = usable_lanes() if lanes is None else lanes
        self.game = Game(boards, programs, regrets, average, weight, worth, chosen)
        self.memory = vector_cfr.memory_for(room)
        self.end = 1 + int(first["children"])
        self.iterations, self.cpu_s = 0, 0.0
        self._helpers: list[Memory] = []
        for node, lock in fixed.items():
            self._fill(node, lock)

    @functools.cached_property
    def root(self) -> Node:
        """The betting, to be walked through."""
        return self.spot.tree()

    @property
    def memory_mb(self) -> float:
        """What the arrays take."""
        arrays = [*self.boards, *self.game.programs, *self.hands, *self.symmetry, *self.game.weight]
        arrays += [self.game.regrets, self.game.average, self.game.worth]
        for memory in (self.memory, *self._helpers):
            arrays += [*memory.reach, *memory.values, *memory.sweeps]
        return sum(array.nbytes for array in {id(array): array for array in arrays}.values()) / 1e6

    def _refuse_if_large(self, board: list[int], rows: Any, most_mb: int) -> None:
        count = count_boards(len(board), sum(1 << card for card in board), self.symmetry)
        hands = np.diff(self.hands.start)
        wanted = count * float((rows.max(axis=0) * 8 + 10) @ (hands + 8)) / 1e6
        if wanted > most_mb:
            raise InputError(
                f"the tree needs about {wanted:,.0f} MB, and at most {most_mb:,} are allowed: use fewer sizes, a raise "
                "cap or narrower ranges"
            )

    # Fixed play.

    def _fill(self, node: Node, lock: Lock) -> None:
        """Write fixed play into the tables, on every board."""
        side, actions = node.actor, node.actions
        place, chosen = int(self.places.table[node.number]), None
        if not callable(lock):
            chosen = by_hand(lock, actions)
        for number in np.flatnonzero(self.boards.list["street"] == node.street):
            each = self.boards.list[number]
            width, begin = int(each["width"][side]), int(each["first_hand"][side])
            at = int(each["table"][side]) + place * width
            shown = self.cards_of(int(number))
            for i in range(int(each["hands"][side])):
                combo = self.combo(side, int(self.boards.hand[begin + i]))
                if chosen is None:
                    assert callable(lock)
                    chances = _checked_chances(lock(node.line, shown, combo, actions), actions, show(combo))
                elif combo in chosen:
                    chances = chosen[combo]
                else:
                    raise InputError(f"the lock says nothing about {show(combo)}: add 'any' for all other hands")
                for a, chance in enumerate(chances):
                    self.game.regrets[at + a * width + i] = self.game.average[at + a * width + i] = chance

    def combo(self, side: int, number: int) -> Combo:
        low, high = self.hands.cards[int(self.hands.start[side]) + number]
        return Card(int(high)), Card(int(low))

    def cards_of(self, board: int) -> list[Card]:
        """The cards of a board, in the order in which they were dealt."""
        more = []
        while board:
            more.append(Card(int(self.boards.list[board]["card"])))
            board = int(self.boards.list[board]["parent"])
        return [*self.spot.board, *reversed(more)]

    # Iterations.

    def iterate(self, iterations: int, workers: int, look: bool = True) -> float:
        """Do this many iterations; return the exploitability in per cent of the pot, if a `look` is wanted, else 0."""
        begin = time.process_time()
        learn, steps = 2 * iterations, 2 * iterations + 2 * look
        if workers == 1:
            task = Task(self.iterations + 1, learn, steps - learn, BEST, 0, 3, 1, self.end)
            total = vector_cfr.work(self.game, self.memory, task)
        else:
            total = 0.0
            for step in range(steps):
                first, learning = self.iterations + 1 + step // 2, int(step < learn)
                task = Task(first, learning, 1 - learning, BEST, step & 1, 3, 1, self.end)
                total += self._pass(task, workers)
        self.iterations += iterations
        self.cpu_s += time.process_time() - begin
        return 50 * total / self.deals / self.spot.pot

    def _pass(self, task: Task, workers: int) -> float:
        """One pass on several threads, each with some of the boards; the result does not depend on how many."""
        while len(self._helpers) < workers:
            self._helpers.append(self._helper())
        cuts = np.linspace(1, self.end, 4 * workers + 1).astype(int).tolist()
        vector_cfr.work(self.game, self.memory, task._replace(phases=1, end=1))
        free = list(self._helpers)

        def some(part: int) -> None:
            memory = free.pop()
            vector_cfr.work(self.game, memory, task._replace(phases=0, begin=cuts[part], end=cuts[part + 1]))
            free.append(memory)

        together(some, len(cuts) - 1, workers)
        return vector_cfr.work(self.game, self.memory, task._replace(phases=2, end=1))

    def _helper(self) -> Memory:
        """Memory for another thread; the rows of the first street are those of all."""
        own, street = vector_cfr.memory_for(self._room), self.spot.street
        reach = tuple(self.memory.reach[i] if i == street else own.reach[i] for i in range(3))
        values = tuple(self.memory.values[i] if i == street else own.values[i] for i in range(3))
        return Memory(reach, values, own.sweeps)  # type: ignore[arg-type]

    def value(self, side: int) -> float:
        """What a side wins on average with the average strategies."""
        total = vector_cfr.work(self.game, self.memory, Task(1, 0, 1, AVERAGE, side, 3, 1, self.end))
        return total / self.deals + self.spot.pot / 2

    def exploitability(self) -> float:
        total = vector_cfr.work(self.game, self.memory, Task(1, 0, 2, BEST, 0, 3, 1, self.end))
        return 50 * total / self.deals / self.spot.pot


def following(node: Node, step: str) -> Node:
    """Where an action leads."""
    word = " ".join(step.lower().replace("all-in", "allin").split())
    for action, child in zip(node.actions, node.children, strict=True):
        if word == action or (word == "allin" and action.startswith("allin")):
            return child
    if node.actor == DEAL:
        raise InputError(f"{step.strip()!r} is no card that can come here")
    choices = ", ".join(node.actions) if node.actor < 2 else "nobody acts"
    raise InputError(f"{step.strip()!r} is no action after {' '.join(node.line) or 'the start'!r}: there are {choices}")


def fixed_nodes(root: Node, locks: Locks) -> dict[Node, Lock]:
    """The nodes where play is fixed."""
    found: dict[Node, Lock] = {}
    for place, lock in locks.items():
        if place in SIDES:
            side = SIDES.index(place)
            found |= {node: lock for node in nodes_of(root) if node.actor == side}
            continue
        node = root
        for step in (step for step in place.split(",") if step.strip()):
            if node.actor == DEAL:
                node = node.children[0]
            if step.strip() != "/":
                node = following(node, step)
        if node.actor == DEAL:
            node = node.children[0]
        if node.actor > 1:
            raise InputError(f"nobody acts after {place!r}, so nothing can be locked there")
        found[node] = lock
    return found


def by_hand(lock: Mapping[str, Mapping[str, float]], actions: Sequence[str]) -> dict[Combo, list[float]]:
    found: dict[Combo, list[float]] = {}
    for text, chances in lock.items():
        unknown = [action for action in chances if action not in actions]
        if unknown:
            raise InputError(f"{unknown[0]!r} is no action here: there are {', '.join(actions)}")
        row = _checked_chances([chances.get(action, 0.0) for action in actions], actions, text)
        found |= dict.fromkeys(Range.parse(text).combos, row)
    return found


def _checked_chances(chances: Sequence[float], actions: Sequence[str], who: str) -> list[float]:
    row = [float(chance) for chance in chances]
    if len(row) != len(actions) or not all(chance >= 0 for chance in row) or abs(sum(row) - 1) > 1e-4:
        raise InputError(f"{who}: {quoted(row)} are no probabilities of {', '.join(actions)}")
    return row


def _hands_of(spot: Spot) -> tuple[Hands, Any, Any]:
    """The hands of both sides and, by side and combination, the number of each and its weight.

    Neighbours share no card as far as possible, since sums by card are faster then.
    """
    places, cards_of, combination_at = _combinations()
    given, ranges = np.zeros((2, 1326), np.float32), (spot.oop.weights, spot.ip.weights)
    used = np.zeros((2, 1326), np.bool_)
    for side, weights in enumerate(ranges):
        place = np.fromiter(map(places.__getitem__, weights), np.int64, len(weights))
        given[side, place], used[side, place] = np.fromiter(weights.values(), np.float32, len(weights)), True
    count = len(ranges[0]) + len(ranges[1])
    hands = Hands(
        np.zeros(3, np.int64), np.zeros((count, 2), np.uint8), np.zeros(count, np.float32), np.zeros(count, np.int16)
    )
    number, by_combination = np.full((2, 1326), -1), np.zeros((2, 1326), np.float32)
    list_hands(used, given, cards_of, combination_at, hands, number, by_combination)
    return hands, number, by_combination


@functools.cache
def _combinations() -> tuple[dict[Combo, int], Any, Any]:
    """The place of each combination in the order of hands, its two cards, and its number."""
    pairs = np.array([(low, high) for high, low in ALL_COMBOS])
    low, high = pairs.T
    order = np.lexsort((low, high, (low - high) & 3))
    places = {ALL_COMBOS[number]: place for place, number in enumerate(order.tolist())}
    return places, pairs[order].astype(np.uint8), combination_of(low, high)[order]


@functools.cache
def usable_lanes() -> Lanes:
    """How many lanes kernels have here: one, if they cannot be compiled with more.

    They are compiled, or found in the cache, on the way, so that this is not part of the time that a spot takes.
    """
    toy = Spot.of("As9c4d3h2c", "AA", "KK", 2, 1, "all-in")
    best = best_lanes()
    try:
        Solver(toy, lanes=best).iterate(1, 1)
    except Exception as error:  # Numba or LLVM have changed
        if best == ONE:
            raise
        cache.announce(f"vectors cannot be compiled here ({type(error).__name__}), so spots are solved without")
        Solver(toy, lanes=ONE).iterate(1, 1)
        return ONE
    return best
