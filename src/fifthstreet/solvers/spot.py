"""Heads-up hold'em after the flop: optimal play for any board, ranges, pot, stacks and sizes.

    betting_tree.py   the sizes, and the betting as a tree that is the same on every board
    boards.py         all boards and the hands left on each; suits that nobody can tell apart are dealt once
    lanes.py          numbers by eights
    showdown.py       what every hand wins against many ranges, in one sweep over the hands
    vector_cfr.py     the iterations, on whole ranges
    spot.py           what people ask for: a Spot, its solution, and a Position anywhere in it

Chips are counted so that the pot at the root is there to be won: both sides' EV add up to it.

>>> solution = solve_spot("As9c4d3h2c", "AA,QJs", "KK", pot=100, stack=100, sizes="all-in", until=0.01)
>>> round(solution.ev["oop"], 1)  # three sets and half as many bluffs bet, and king high might as well fold
64.3
"""

import contextlib
import functools
import hashlib
import io
import json
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fifthstreet import cache
from fifthstreet.cards import Card, cards, show
from fifthstreet.errors import InputError, quoted, whole
from fifthstreet.estimate import Estimate
from fifthstreet.evaluation.ranges import ALL_COMBOS, CLASSES, Combo, Range, class_of
from fifthstreet.parallel import threads, together
from fifthstreet.shown import Shown, TableOfText
from fifthstreet.solvers import vector_cfr
from fifthstreet.solvers.betting_tree import DEAL, SIDES, STREETS, Betting, Node, Sizes, nodes_of
from fifthstreet.solvers.betting_tree import sizes_from as sizes_from
from fifthstreet.solvers.boards import (
    Hands,
    boards_of,
    combination_of,
    count_boards,
    no_symmetry,
    symmetry_of,
)
from fifthstreet.solvers.lanes import ONE, Lanes, best_lanes
from fifthstreet.solvers.showdown import shares
from fifthstreet.solvers.vector_cfr import AVERAGE, BEST, Game, Memory, Places, Task

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNTIL = 0.5  # per cent of the pot
MOST_ITERATIONS = 1_000_000
MOST_MB = 4_000
MOST_CHIPS = 10**8
_LOOK = 10  # iterations between two looks at the exploitability
_CACHED_MB = 64  # larger solutions are not kept unless they are saved
_WORTH_THREADS = 500  # boards


@dataclass(frozen=True)
class Spot:
    """What is to be solved: a board of three to five cards, both ranges, chips and sizes."""

    board: tuple[Card, ...]
    oop: Range
    ip: Range
    pot: int
    stack: int
    sizes: Sizes
    raise_cap: int | None = None

    @classmethod
    def of(
        cls,
        board: Any,
        oop: str | Range,
        ip: str | Range,
        pot: int,
        stack: int,
        sizes: str | Sizes = "50% 100% all-in",
        raise_cap: int | None = None,
    ) -> "Spot":
        """A checked spot.

        oop, ip    the ranges of the side that acts first on every street, and of the other
        pot        what lies in the middle, in whole chips
        stack      what each side has behind
        sizes      a line like "50% 100% all-in" or "flop 33%; turn, river 75% / a" (see `sizes_from`), or by street,
                   side, and "bet" or "raise"
        raise_cap  the most raises after a bet on a street; None for any number
        """
        shown = cards(board)
        if not 3 <= len(shown) <= 5:
            raise InputError(f"the board {show(shown)!r} has {len(shown)} cards: a spot has 3 to 5")
        pot = whole(pot, "chips in the pot", least=1, most=MOST_CHIPS)
        stack = whole(stack, "chips in each stack", least=1, most=MOST_CHIPS)
        if raise_cap is not None:
            raise_cap = whole(raise_cap, "raises at most", least=0, most=1000)
        street = len(shown) - 3
        chosen = sizes_from(sizes, street) if isinstance(sizes, str) else _checked_sizes(sizes, street)
        ranges = [_range_of(given).without(shown) for given in (oop, ip)]
        return cls(tuple(shown), ranges[0], ranges[1], pot, stack, chosen, raise_cap)

    @classmethod
    def from_dict(cls, given: Any) -> "Spot":
        """A spot from an object with board, oop, ip, pot, stack, sizes and, if wanted, raise_cap."""
        if not isinstance(given, Mapping):
            raise InputError(f"{quoted(given)} is not a spot: give an object with board, oop, ip, pot, stack and sizes")
        missing = [name for name in ("board", "oop", "ip", "pot", "stack", "sizes") if name not in given]
        if missing:
            raise InputError(f"the spot has no {missing[0]!r}: it needs board, oop, ip, pot, stack and sizes")
        board, oop, ip, pot, stack, sizes = (given[name] for name in ("board", "oop", "ip", "pot", "stack", "sizes"))
        return cls.of(board, oop, ip, pot, stack, sizes, given.get("raise_cap"))

    def to_dict(self) -> dict[str, Any]:
        return {
            "board": show(self.board),
            "oop": _text_of(self.oop),
            "ip": _text_of(self.ip),
            "pot": self.pot,
            "stack": self.stack,
            "sizes": self.sizes,
            "raise_cap": self.raise_cap,
        }

    @property
    def street(self) -> int:
        return len(self.board) - 3

    def tree(self) -> Node:
        """The betting."""
        return Betting(self.street, self.pot, self.stack, self.sizes, self.raise_cap).tree()

    def __str__(self) -> str:
        return f"{show(self.board)}, pot {self.pot:,}, stacks {self.stack:,}"


def _range_of(given: str | Range) -> Range:
    found = Range.parse(given) if isinstance(given, str) else given
    if not isinstance(found, Range):
        raise InputError(f"{quoted(given)} is not a range: give text like 'AKs, 77+'")
    for combo, weight in found.weights.items():
        if not (math.isfinite(weight) and weight > 0):
            raise InputError(f"{show(combo)} has the weight {weight!r} in {quoted(found.text)}: weights are above 0")
    return found


def _text_of(given: Range) -> str:
    """A range as text that gives the same weights again, whatever was written when it was made."""
    try:
        if Range.parse(given.text).weights.items() >= given.weights.items():
            return given.text
    except InputError:
        pass
    return ",".join(f"{show(combo)}:{weight:g}" for combo, weight in given.weights.items())


def _checked_sizes(given: Any, first: int) -> Sizes:
    """Sizes by street and side, as they were given, for the streets that are played."""
    if not isinstance(given, Mapping):
        raise InputError(
            f"{quoted(given)} are not sizes: give a line like '50% 100% all-in', or sizes by street and side"
        )
    found: dict[str, Any] = {}
    for street in STREETS[first:]:
        if street not in given:
            raise InputError(f"the sizes say nothing about the {street}: give bets and raises for each street")
        found[street] = {}
        for side in SIDES:
            menu = given[street].get(side) if isinstance(given[street], Mapping) else None
            if not isinstance(menu, Mapping) or not all(
                isinstance(menu.get(word, []), Sequence) and not isinstance(menu.get(word, []), str)
                for word in ("bet", "raise")
            ):
                raise InputError(
                    f"the sizes of {side} on the {street} are not lists of bets and raises: {quoted(menu)}"
                )
            found[street][side] = {word: [str(size) for size in menu.get(word, [])] for word in ("bet", "raise")}
    return found


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


class _Solver:
    """A spot with the memory that its solution takes, and everything that is asked of it."""

    def __init__(
        self,
        spot: Spot,
        locks: Locks | None = None,
        lanes: Lanes | None = None,
        most_mb: int = MOST_MB,
        merged: bool = True,
    ) -> None:
        self.spot, self.root = spot, spot.tree()
        fixed = self._fixed(locks or {})
        programs, self.places = vector_cfr.programs_of(self.root, spot.pot / 2, fixed)
        self.hands, number, ranges = _hands_of(spot)
        board = [int(card) for card in spot.board]
        self.merged = merged and spot.street < 2 and not fixed  # whether suits that are alike are dealt once
        self.symmetry = symmetry_of(board, ranges, self.hands, number) if self.merged else no_symmetry(self.hands)
        rows = programs.list["table_rows"].reshape(3, 2)
        self._refuse_if_large(board, rows, most_mb)
        boards = self.boards = boards_of(board, self.symmetry, self.hands)
        each = boards.list
        sizes = each["width"] * rows[each["street"]]
        ends = sizes.ravel().cumsum()
        each["table"] = ends.reshape(-1, 2) - sizes
        first, behind = each[0], int(each["children"][0])
        weights = []
        for side in (0, 1):
            row = np.zeros(int(first["width"][side]), np.float32)
            count, begin = int(first["hands"][side]), int(first["first_hand"][side])
            row[:count] = self.hands.weight[self.hands.start[side] + boards.hand[begin : begin + count]]
            weights.append(row)
        ways = int(programs.list["ends"][2 * spot.street])
        worth = np.zeros(max(8, behind * ways * int(first["width"].max())), np.float32)
        regrets, average = np.zeros(int(ends[-1]), np.float32), np.zeros(int(ends[-1]), np.float32)
        chosen = usable_lanes() if lanes is None else lanes
        self.game = Game(boards, programs, regrets, average, (weights[0], weights[1]), worth, chosen)
        self.memory = vector_cfr.memory_for(self.game)
        self.deals = _deals(self.hands)
        if not self.deals > 0:
            raise InputError(
                f"no hand of {quoted(spot.oop.text)} can be dealt together with one of {quoted(spot.ip.text)}"
            )
        self.end = 1 + behind
        self.iterations, self.cpu_s = 0, 0.0
        self._helpers: list[Memory] = []
        for node, lock in fixed.items():
            self._fill(node, lock)

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

    def _fixed(self, locks: Locks) -> dict[Node, Lock]:
        """The nodes where play is fixed."""
        found: dict[Node, Lock] = {}
        for place, lock in locks.items():
            if place in SIDES:
                side = SIDES.index(place)
                found |= {node: lock for node in nodes_of(self.root) if node.actor == side}
                continue
            node, rest = self.root, [step for step in place.split(",") if step.strip()]
            for step in rest:
                if node.actor == DEAL:
                    node = node.children[0]
                if step.strip() != "/":
                    node = _following(node, step)
            if node.actor == DEAL:
                node = node.children[0]
            if node.actor > 1:
                raise InputError(f"nobody acts after {place!r}, so nothing can be locked there")
            found[node] = lock
        return found

    def _fill(self, node: Node, lock: Lock) -> None:
        """Write fixed play into the tables, on every board."""
        side, actions = node.actor, node.actions
        place, by_hand = self.places[2 * node.street + side].table[node], None
        if not callable(lock):
            by_hand = _by_hand(lock, actions)
        for number in np.flatnonzero(self.boards.list["street"] == node.street):
            each = self.boards.list[number]
            width, begin = int(each["width"][side]), int(each["first_hand"][side])
            at = int(each["table"][side]) + place * width
            shown = self.cards_of(int(number))
            for i in range(int(each["hands"][side])):
                combo = self.combo(side, int(self.boards.hand[begin + i]))
                if by_hand is None:
                    assert callable(lock)
                    chances = _checked_chances(lock(node.line, shown, combo, actions), actions, show(combo))
                elif combo in by_hand:
                    chances = by_hand[combo]
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

    def iterate(self, iterations: int, workers: int) -> float:
        """Do this many iterations; return the exploitability in per cent of the pot."""
        begin = time.process_time()
        if workers == 1:
            task = Task(self.iterations + 1, 2 * iterations, 2, BEST, 0, 3, 1, self.end)
            total = vector_cfr.work(self.game, self.memory, task)
        else:
            total = 0.0
            for step in range(2 * iterations + 2):
                learn = int(step < 2 * iterations)
                total += self._pass(
                    Task(self.iterations + 1 + step // 2, learn, 1 - learn, BEST, step & 1, 3, 1, self.end), workers
                )
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
        own, street = vector_cfr.memory_for(self.game), self.spot.street
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


def _following(node: Node, step: str) -> Node:
    """Where an action leads."""
    word = " ".join(step.lower().replace("all-in", "allin").split())
    for action, child in zip(node.actions, node.children, strict=True):
        if word == action or (word == "allin" and action.startswith("allin")):
            return child
    if node.actor == DEAL:
        raise InputError(f"{step.strip()!r} is no card that can come here")
    choices = ", ".join(node.actions) if node.actor < 2 else "nobody acts"
    raise InputError(f"{step.strip()!r} is no action after {' '.join(node.line) or 'the start'!r}: there are {choices}")


def _by_hand(lock: Mapping[str, Mapping[str, float]], actions: Sequence[str]) -> dict[Combo, list[float]]:
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


def _hands_of(spot: Spot) -> tuple[Hands, Any, tuple[Any, Any]]:
    """The hands of both sides, the number of each combination, and its weight.

    Neighbours share no card as far as possible, since sums by card are faster then.
    """
    places, cards_of, combination_at = _combinations()
    rows, weights, numbers, ranges = [], [], [], []
    for side in (spot.oop, spot.ip):
        count = len(side.weights)
        place = np.fromiter(map(places.__getitem__, side.weights), np.int64, count)
        order = np.argsort(place)
        weight = np.fromiter(side.weights.values(), np.float32, count)[order]
        combination = combination_at[place[order]]
        number, by_combination = np.full(1326, -1), np.zeros(1326, np.float32)
        number[combination], by_combination[combination] = np.arange(count), weight
        rows.append(cards_of[place[order]])
        weights.append(weight)
        numbers.append((number, combination))
        ranges.append(by_combination)
    same = [numbers[1 - side][0][numbers[side][1]] for side in (0, 1)]
    start = np.array([0, len(rows[0]), len(rows[0]) + len(rows[1])])
    hands = Hands(start, np.concatenate(rows), np.concatenate(weights), np.concatenate(same).astype(np.int16))
    return hands, (numbers[0][0], numbers[1][0]), (ranges[0], ranges[1])


@functools.cache
def _combinations() -> tuple[dict[Combo, int], Any, Any]:
    """The place of each combination in the order of hands, its two cards, and its number."""
    pairs = np.array([(low, high) for high, low in ALL_COMBOS])
    low, high = pairs.T
    order = np.lexsort((low, high, (low - high) & 3))
    places = {ALL_COMBOS[number]: place for place, number in enumerate(order.tolist())}
    return places, pairs[order].astype(np.uint8), combination_of(low, high)[order]


def _deals(hands: Hands) -> float:
    """The weight of all deals of two hands that share no card."""
    cut, weight = int(hands.start[1]), hands.weight.astype(float)
    by_card = [
        np.bincount(hands.cards[part].ravel(), np.repeat(weight[part], 2), 52)
        for part in (slice(cut), slice(cut, None))
    ]
    same = hands.same[:cut]
    twice = weight[:cut] @ np.where(same >= 0, weight[cut + same], 0)
    return float(weight[:cut].sum() * weight[cut:].sum() - by_card[0] @ by_card[1] + twice)


def solve_spot(
    board: Any,
    oop: str | Range | None = None,
    ip: str | Range | None = None,
    pot: int | None = None,
    stack: int | None = None,
    sizes: str | Sizes = "50% 100% all-in",
    *,
    raise_cap: int | None = None,
    until: float = UNTIL,
    iterations: int | None = None,
    locks: Locks | None = None,
    workers: int | None = 1,
    most_mb: int = MOST_MB,
    cached: bool = False,
    lanes: Lanes | None = None,
    report: Report | None = None,
) -> "SpotSolution":
    """Optimal play for a board, two ranges, a pot and stacks; see `Spot.of`. `board` may also be a whole Spot.

    until       stop at this exploitability: the mean of what both sides could gain, in per cent of the pot
    iterations  stop after this many, if that is sooner
    locks       play that is fixed: the solution is the other side's best answer, and the same side's best elsewhere
    workers     threads; more than one helps on flops
    most_mb     refuse what needs more memory
    cached      look in the user's cache first, and keep the solution there
    lanes       how many numbers are worked on at once: EIGHT, ONE, or what fits the processor
    report      called with a Look every few iterations

    Interrupted with Ctrl-C, it returns what was found so far.
    """
    if isinstance(board, Spot):
        spot = board
    elif oop is None or ip is None or pot is None or stack is None:
        raise InputError("a spot needs a board, both ranges, a pot and a stack")
    else:
        spot = Spot.of(board, oop, ip, pot, stack, sizes, raise_cap)
    if isinstance(until, bool) or not (isinstance(until, int | float) and 0 < until < math.inf):
        raise InputError(f"until={quoted(until)}: an exploitability is a percentage of the pot, above 0")
    if iterations is not None:
        iterations = whole(iterations, "iterations", least=1, most=MOST_ITERATIONS)
    solving = _Solving(spot, until, iterations or MOST_ITERATIONS, locks, workers, most_mb, lanes, report)
    if not cached or any(callable(lock) for lock in (locks or {}).values()):
        solving.go()
        return solving.solution()
    about = json.dumps([spot.to_dict(), until, iterations, locks], sort_keys=True)
    name = f"spot-{hashlib.blake2b(about.encode(), digest_size=8).hexdigest()}"

    def compute() -> dict[str, Any]:
        solving.go()
        solver = solving.solver
        assert solver is not None
        if solving.stopped or solver.game.average.nbytes > _CACHED_MB * 1e6:
            raise _NotKept
        return solving.kept()

    try:
        found = cache.arrays(__file__, name, compute)
    except _NotKept:
        return solving.solution()
    return solving.solution() if solving.solver else SpotSolution._from_arrays(found, spot, locks)


class _NotKept(Exception):
    """What was found is not for the cache."""


@dataclass
class _Solving:
    """A solution under way."""

    spot: Spot
    until: float
    most: int
    locks: Locks | None
    workers: int | None
    most_mb: int
    lanes: Lanes | None
    report: Report | None
    solver: _Solver | None = None
    looks: list[Look] = field(default_factory=list)
    stopped: bool = False

    def go(self) -> None:
        usable_lanes()
        begin = time.process_time()
        solver = self.solver = _Solver(self.spot, self.locks, self.lanes, self.most_mb)
        solver.cpu_s = time.process_time() - begin
        many = threads(self.workers) if len(solver.boards.list) >= _WORTH_THREADS else 1
        with _interruptible() as stop:
            while solver.iterations < self.most and not stop.is_set():
                percent = solver.iterate(min(_LOOK, self.most - solver.iterations), many)
                self.looks.append(Look(solver.iterations, solver.cpu_s, percent))
                if self.report:
                    self.report(self.looks[-1])
                if percent <= self.until:
                    break
            self.stopped = stop.is_set()

    def kept(self) -> dict[str, Any]:
        assert self.solver is not None
        looks = np.array([(look.iterations, look.cpu_s, look.exploitability) for look in self.looks]).reshape(-1, 3)
        return {"average": self.solver.game.average, "looks": looks}

    def solution(self) -> "SpotSolution":
        assert self.solver is not None
        return SpotSolution._of(self.solver, tuple(self.looks))


@functools.cache
def usable_lanes() -> Lanes:
    """How many lanes kernels have here: one, if they cannot be compiled with more.

    They are compiled, or found in the cache, on the way, so that this is not part of the time that a spot takes.
    """
    toy = Spot.of("As9c4d3h2c", "AA", "KK", 2, 1, "all-in")
    best = best_lanes()
    try:
        _Solver(toy, lanes=best).iterate(1, 1)
    except Exception as error:  # Numba or LLVM have changed
        if best == ONE:
            raise
        cache.announce(f"vectors cannot be compiled here ({type(error).__name__}), so spots are solved without")
        _Solver(toy, lanes=ONE).iterate(1, 1)
        return ONE
    return best


@contextlib.contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, so that an iteration is finished first; a second Ctrl-C stops at once."""
    stop = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is signal.SIG_IGN:
        yield stop
        return

    def handle(number: int, frame: Any) -> None:
        if stop.is_set() and callable(before):
            before(number, frame)
        stop.set()

    signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass(frozen=True)
class Position(Shown):
    """A point in a solved spot: whose turn it is, what each hand does there, and what it is worth.

    line     the actions and cards that lead here
    board    the cards so far
    side     who acts: "oop", "ip", or None where a card is dealt or the hand is over
    actions  what the side may do
    """

    line: tuple[str, ...]
    board: tuple[Card, ...]
    side: str | None
    actions: tuple[str, ...]
    _solution: "SpotSolution" = field(repr=False, compare=False)
    _node: Node = field(repr=False, compare=False)
    _board: int = field(repr=False, compare=False)
    _change: Any = field(repr=False, compare=False)  # (52,) what each card of the board that was solved is here

    def at(self, *steps: str) -> "Position":
        """The position after more actions, such as "check" or "bet 90", or cards, such as "Th"."""
        here = self
        for step in steps:
            here = here._after(step)
        return here

    def _after(self, step: str) -> "Position":
        node, board, change = self._node, self._board, self._change
        if not isinstance(step, str):
            raise InputError(f"{quoted(step)} is no action or card")
        if node.actor != DEAL:
            child = _following(node, step)
            action = node.actions[node.children.index(child)]
            return self._solution._position(child, (*self.line, action), board, change)
        card = Card.parse(step.strip())
        if card in self.board:
            raise InputError(f"{card} is already on the board {show(self.board)}")
        solver = self._solution._solver
        each, back = solver.boards.list[board], np.argsort(change)
        for number in range(int(each["first_child"]), int(each["first_child"] + each["children"])):
            dealt = solver.boards.list[number]
            for copy in range(int(dealt["first_copy"]), int(dealt["first_copy"] + dealt["copies"])):
                more = solver.symmetry.card[solver.boards.change[copy]]
                if more[dealt["card"]] == back[card]:
                    return self._solution._position(node.children[0], (*self.line, str(card)), number, change[more])
        raise InputError(f"{card} cannot come here")

    @functools.cached_property
    def _rows(self) -> dict[str, dict[str, Any]]:
        """By side: the hands as pairs of cards, their reach, EV, equity, and both for the actions of the one to act."""
        return self._solution._rows_at(self)

    def hands(self, side: str | None = None) -> list[dict[str, Any]]:
        """A row for each hand that a side may hold: for a table, or a DataFrame of pandas.

        weight is how likely the hand gets here, EV is in chips from here on, for the pot as it now stands. EV and
        equity are None for a hand that no hand of the opponent can be dealt with.
        """
        side = self._side(side)
        rows, names = self._rows[side], self.actions if side == self.side else ()
        found = []
        for i, combo in enumerate(rows["combos"]):
            known = rows["against"][i] > 0
            row: dict[str, Any] = {
                "hand": show(combo),
                "weight": float(rows["weight"][i]),
                "ev": float(rows["ev"][i]) if known else None,
                "equity": float(rows["equity"][i]) if known else None,
            }
            row |= {name: float(rows["chances"][a, i]) for a, name in enumerate(names)}
            row |= {f"ev of {name}": float(rows["action_ev"][a, i]) if known else None for a, name in enumerate(names)}
            found.append(row)
        return found

    def _side(self, side: str | None) -> str:
        found = side or self.side or SIDES[0]
        if found not in SIDES:
            raise InputError(f"{quoted(side)} is not a side: oop or ip")
        return found

    def strategy(self, hand: str) -> dict[str, float]:
        """How often the side to act takes each action with a hand such as AhKh, or with a class such as AKs."""
        if self.side is None:
            raise InputError(f"nobody acts after {' '.join(self.line) or 'the start'!r}")
        rows = self._rows[self.side]
        found = self._weights_of(hand, rows)
        chances = rows["chances"] @ found
        return {name: float(chance) for name, chance in zip(self.actions, chances, strict=True)}

    def _weights_of(self, hand: str, rows: Mapping[str, Any]) -> Any:
        wanted = set(Range.parse(hand).combos)
        chosen = np.array([combo in wanted for combo in rows["combos"]])
        if not chosen.any():
            raise InputError(f"{quoted(hand)} is not in the range of {self.side} on {show(self.board)}")
        weight = np.where(chosen, np.maximum(rows["weight"], 1e-30), 0)
        return weight / weight.sum()

    def _mean(self, name: str) -> dict[str, float | None]:
        """The mean over all deals, by side."""
        found: dict[str, float | None] = {}
        for side, rows in self._rows.items():
            weight = rows["weight"] * rows["against"]
            found[side] = float(weight @ np.nan_to_num(rows[name]) / weight.sum()) if weight.sum() > 0 else None
        return found

    @property
    def ev(self) -> dict[str, float | None]:
        """What each side wins on average from here on."""
        return self._mean("ev")

    @property
    def equity(self) -> dict[str, float | None]:
        """The share of the pot that each side would win if nobody bet any more."""
        return self._mean("equity")

    @property
    def frequency(self) -> dict[str, float]:
        """How often the side to act takes each action, over its whole range."""
        if self.side is None:
            return {}
        rows = self._rows[self.side]
        weight = rows["weight"] * rows["against"]
        total = weight.sum()
        return {
            name: float(rows["chances"][a] @ weight / total) if total > 0 else 0.0
            for a, name in enumerate(self.actions)
        }

    def classes(self, side: str | None = None) -> dict[str, dict[str, Any]]:
        """The same as `hands` by class such as AKs: the weight is the mean share of its hands that get here."""
        side = self._side(side)
        found: dict[str, dict[str, Any]] = {}
        groups: dict[str, list[dict[str, Any]]] = {}
        for row in self.hands(side):
            groups.setdefault(class_of(cards(row["hand"])), []).append(row)
        for name in CLASSES:
            if name not in groups:
                continue
            rows = groups[name]
            weight = np.array([row["weight"] for row in rows])
            found[name] = {"hands": len(rows), "weight": float(weight.mean())}
            shares = np.maximum(weight, 1e-30) / np.maximum(weight, 1e-30).sum()
            for key in rows[0]:
                if key not in ("hand", "weight"):
                    values = [row[key] for row in rows]
                    sound = np.array([value is not None for value in values])
                    part = np.where(sound, shares, 0)
                    numbers = np.array([value or 0.0 for value in values])
                    found[name][key] = float(part @ numbers / part.sum()) if part.sum() > 0 else None
        return found

    def grid(self, side: str | None = None) -> list[list[dict[str, Any] | None]]:
        """The classes as a chart of 13 rows: pairs on the diagonal, suited hands above; None where there is no hand."""
        found = self.classes(side)
        return [
            [found.get(name) and {"class": name, **found[name]} for name in CLASSES[i : i + 13]]
            for i in range(0, 169, 13)
        ]

    def to_dict(self) -> dict[str, Any]:
        return {
            "line": list(self.line),
            "board": show(self.board),
            "side": self.side,
            "actions": list(self.actions),
            "frequency": list(self.frequency.values()),
            "ev": self.ev,
            "equity": self.equity,
        }

    def plotted(self) -> list[tuple[str, Estimate]]:
        return [(name, Estimate.exact(chance)) for name, chance in self.frequency.items()]

    def measured_in(self) -> str:
        return "share of the range"

    def table(self) -> TableOfText:
        found = self.classes()
        rows = []
        for name, row in found.items():
            numbers = [f"{row['weight']:.2f}", _figure(row["ev"], 1), _figure(row["equity"], 3)]
            rows.append([name, *numbers, *(f"{row[action]:.1%}" for action in self.actions)])
        return ["hand", "weight", "EV", "equity", *self.actions], rows, str(self)

    def __str__(self) -> str:
        ev, equity = self.ev, self.equity
        both = ", ".join(f"{side} EV {_figure(ev[side], 2)}, equity {_share(equity[side])}" for side in SIDES)
        where = " ".join(self.line) or "start"
        does = "; ".join(f"{name} {chance:.1%}" for name, chance in self.frequency.items())
        return f"{show(self.board)}, {where}: {both}" + (f"; {self.side} plays {does}" if does else "")

    def _repr_html_(self) -> str:
        return _chart_html(self)


def _figure(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


@dataclass(frozen=True)
class SpotSolution(Shown):
    """Optimal play in a spot, as far as it was found.

    ev              by side: what it wins on average, with the pot at the root there to be won
    exploitability  the mean of what both sides could gain, in per cent of the pot
    """

    spot: Spot
    ev: dict[str, float]
    exploitability: float
    iterations: int
    cpu_s: float
    memory_mb: float
    looks: tuple[Look, ...] = field(repr=False)
    _solver: _Solver = field(repr=False, compare=False)

    @classmethod
    def _of(cls, solver: _Solver, looks: tuple[Look, ...]) -> "SpotSolution":
        ev = {side: float(solver.value(number)) for number, side in enumerate(SIDES)}
        percent = looks[-1].exploitability if looks else solver.exploitability()
        return cls(solver.spot, ev, percent, solver.iterations, solver.cpu_s, solver.memory_mb, looks, solver)

    @classmethod
    def _from_arrays(
        cls, found: Mapping[str, Any], spot: Spot, locks: Locks | None, merged: bool = True
    ) -> "SpotSolution":
        solver = _Solver(spot, locks, merged=merged)
        average = found["average"]
        looks = found["looks"]
        sound = average.dtype == np.float32 and average.shape == solver.game.average.shape
        if not (sound and np.isfinite(average).all() and (average >= 0).all() and looks.shape[1:] == (3,)):
            raise InputError("the solution is damaged: its numbers are not a strategy of this spot")
        solver.game.average[:] = average
        rows = tuple(Look(int(row[0]), float(row[1]), float(row[2])) for row in looks)
        if rows:
            solver.iterations, solver.cpu_s = rows[-1].iterations, rows[-1].cpu_s
        return cls._of(solver, rows)

    def save(self, path: str | Path) -> None:
        """Write the solution to an .npz file, which appears when it is complete."""
        path = Path(path)
        if path.suffix != ".npz":
            raise InputError(f"{quoted(str(path))}: the name of a kept solution ends in .npz")
        looks = np.array([(look.iterations, look.cpu_s, look.exploitability) for look in self.looks]).reshape(-1, 3)
        about = json.dumps({"spot": self.spot.to_dict(), "merged": self._solver.merged})
        content = io.BytesIO()
        np.savez_compressed(content, about=np.array(about), average=self._solver.game.average, looks=looks)
        with cache.replacing(path) as file:
            file.write(content.getbuffer())

    @classmethod
    def load(cls, path: str | Path) -> "SpotSolution":
        """A solution that was saved."""
        try:
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                about = json.loads(str(stored["about"]))
                found = {"average": stored["average"], "looks": stored["looks"]}
        except FileNotFoundError:
            raise InputError(f"there is no file {quoted(str(path))}") from None
        except Exception as error:  # a damaged file, in one of many ways
            raise InputError(f"{quoted(str(path))} is not a kept solution ({type(error).__name__})") from None
        return cls._from_arrays(found, Spot.from_dict(about.get("spot")), None, bool(about.get("merged")))

    # Walking through it.

    @functools.cached_property
    def root(self) -> Position:
        """Where the spot begins."""
        return self._position(self._solver.root, (), 0, np.arange(52))

    def at(self, *steps: str) -> Position:
        """The position after these actions, such as "check" or "bet 90", and cards, such as "Th"."""
        return self.root.at(*steps)

    def strategy(self, hand: str) -> dict[str, float]:
        """How often out of position takes each action at the root with a hand such as AhKh, or a class such as AKs."""
        return self.root.strategy(hand)

    def hands(self, side: str | None = None) -> list[dict[str, Any]]:
        """A row for each hand of a side at the root: for a table, or a DataFrame of pandas."""
        return self.root.hands(side)

    def grid(self, side: str | None = None) -> list[list[dict[str, Any] | None]]:
        return self.root.grid(side)

    @functools.cached_property
    def equity(self) -> dict[str, float | None]:
        """By side: the share of the pot that it would win if nobody bet."""
        return self.root.equity

    def _position(self, node: Node, line: tuple[str, ...], board: int, change: Any) -> Position:
        solver = self._solver
        dealt = len(self.spot.board)
        shown = tuple(Card(int(change[card])) for card in solver.cards_of(board)[dealt:])
        side = SIDES[node.actor] if node.actor < 2 else None
        actions = tuple(node.actions) if side else ()
        return Position(line, (*self.spot.board, *shown), side, actions, self, node, board, change)

    def _rows_at(self, position: Position) -> dict[str, dict[str, Any]]:
        solver, node, board, change = self._solver, position._node, position._board, position._change
        game, memory, boards, spot = solver.game, solver.memory, solver.boards, self.spot
        each, parent = boards.list[board], int(boards.list[board]["parent"])
        deep = int(each["street"]) - spot.street
        unit, river = (0, 0) if deep == 0 else (board, 0) if deep == 1 else (parent, board)
        street = int(each["street"])
        reach: list[Any] = [None, None]
        worth: list[dict[Node, Any]] = [{}, {}]
        for side in (0, 1):
            vector_cfr.work(game, memory, Task(1, 0, 1, AVERAGE, side, 3, 1, solver.end))
            if unit:
                vector_cfr.work(game, memory, Task(1, 0, 1, AVERAGE, side, 0, unit, unit + 1, river))
            places: Places = solver.places[2 * street + side]
            width, count = int(each["width"][1 - side]), int(each["hands"][1 - side])
            row = places.reach[node] * width
            reach[1 - side] = memory.reach[street][row : row + count].astype(float)
            width, count = int(each["width"][side]), int(each["hands"][side])
            for wanted in (node, *(node.children if node.actor == side else ())):
                row, scale = places.value[wanted]
                worth[side][wanted] = memory.values[street][row * width : row * width + count].astype(float) * scale
        found = {}
        most = int(np.diff(solver.hands.start).max())
        levels, sums = np.zeros((3, 2, most)), np.zeros(53)
        for side in (0, 1):
            begin, count = int(each["first_hand"][side]), int(each["hands"][side])
            numbers = boards.hand[begin : begin + count]
            other = int(each["first_hand"][1 - side])
            theirs = boards.hand[other : other + int(each["hands"][1 - side])]
            weight = np.zeros(most)
            weight[theirs] = reach[1 - side]
            shares(boards, board, side, weight, sums, levels, street)
            won, dealt = levels[street, 0, :count].copy(), levels[street, 1, :count].copy()
            runs = (1, 44, 45 * 44)[2 - street]
            against = np.maximum(dealt / runs, 0)
            against[against < 1e-7 * max(weight.sum(), 1e-30)] = 0
            low, high = solver.hands.cards[int(solver.hands.start[side]) + numbers].astype(int).T
            first, second = change[low], change[high]
            combos = [(Card(int(max(pair))), Card(int(min(pair)))) for pair in zip(first, second, strict=True)]
            with np.errstate(divide="ignore", invalid="ignore"):
                back = spot.pot / 2 + node.paid[side]
                ev = worth[side][node] / against + back
                rows = {
                    "combos": combos,
                    "weight": reach[side],
                    "against": against,
                    "ev": ev,
                    "equity": 0.5 + won / dealt / 2,
                }
                if node.actor == side:
                    place, width = solver.places[2 * street + side].table[node], int(each["width"][side])
                    at = int(each["table"][side]) + place * width
                    table = (
                        game.average[at : at + len(node.children) * width].reshape(-1, width)[:, :count].astype(float)
                    )
                    total = table.sum(axis=0)
                    rows["chances"] = np.where(total > 0, table / np.where(total > 0, total, 1), 1 / len(table))
                    rows["action_ev"] = np.array([worth[side][child] / against + back for child in node.children])
            found[SIDES[side]] = rows
        return found

    # Showing it.

    def to_dict(self) -> dict[str, Any]:
        root = self.root
        return {
            "ev": self.ev,
            "equity": self.equity,
            "exploitability_pct_of_pot": self.exploitability,
            "iterations": self.iterations,
            "cpu_s": self.cpu_s,
            "memory_mb": self.memory_mb,
            "root": {"actions": list(root.actions), "frequency": list(root.frequency.values())},
            "spot": self.spot.to_dict(),
        }

    def table(self) -> TableOfText:
        columns, rows, _ = self.root.table()
        return columns, rows, str(self)

    def plotted(self) -> list[tuple[str, Estimate]]:
        return self.root.plotted()

    def _draw(self, axes: "Axes") -> None:
        """Draw how the exploitability fell."""
        axes.loglog(
            [look.iterations for look in self.looks], [look.exploitability for look in self.looks], "o-", markersize=3
        )
        axes.set_xlabel("iterations")
        axes.set_ylabel("exploitability, % of the pot")
        axes.set_title(str(self), fontsize="small")

    def __str__(self) -> str:
        ev = ", ".join(f"{side} {value:,.2f}" for side, value in self.ev.items())
        reached = f"exploitability {self.exploitability:.2g} % of the pot after {self.iterations:,} iterations"
        return f"{self.spot}: EV {ev}; {reached}"

    def _repr_html_(self) -> str:
        return _chart_html(self.root, str(self))


def colours(actions: Sequence[str]) -> list[tuple[int, int, int]]:
    """A colour for each action: folds blue, checks and calls green, bets red, the larger the darker."""
    bets = [action for action in actions if action.split()[0] in ("bet", "raise", "allin")]
    found = []
    for action in actions:
        if action == "fold":
            found.append((70, 120, 190))
        elif action not in bets:
            found.append((90, 170, 90))
        else:
            share = bets.index(action) / max(len(bets) - 1, 1)
            found.append((int(225 - 85 * share), int(90 - 60 * share), int(80 - 45 * share)))
    return found


def _chart_html(position: Position, title: str = "") -> str:
    """The strategy as a chart for notebooks."""
    palette = colours(position.actions)
    css = "width:3.2em;height:2em;text-align:center;font-size:80%;color:#fff;border:1px solid #888"
    lines = []
    for i, row in enumerate(position.grid()):
        cells = []
        for j, cell in enumerate(row):
            name = CLASSES[13 * i + j]
            if cell is None:
                cells.append(f'<td style="{css};background:#ddd;color:#999">{name}</td>')
                continue
            stops, done = [], 0.0
            for action, colour in zip(position.actions, palette, strict=True):
                part = 100 * cell[action]
                stops.append(f"rgb{colour} {done:.1f}% {done + part:.1f}%")
                done += part
            paint = f"linear-gradient(90deg,{','.join(stops)})" if stops else "#777"
            said = ", ".join(f"{action} {cell[action]:.0%}" for action in position.actions)
            tip = f"{name}: {said}; EV {_figure(cell['ev'], 1)}, equity {_share(cell['equity'])}"
            cells.append(f'<td title="{tip}" style="{css};background:{paint}">{name}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><caption>{title or position}</caption>{''.join(lines)}</table>"
