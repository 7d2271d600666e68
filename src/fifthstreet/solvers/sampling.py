"""Counterfactual regret minimisation on sampled deals, played directly by the rules: for games of any size.

Lanctot et al., "Monte Carlo sampling for regret minimization in extensive games", 2009.

- external: chance and the opponent are sampled, and all actions of the player whose regrets are updated are tried
- outcome: a whole game is sampled, with some exploration

Later iterations count more if the solver is linear (Brown and Sandholm, 2019). Only information sets that were reached
are kept.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError
from fifthstreet.games.game import CHANCE, OVER, AnyGame, Rules
from fifthstreet.kernel import Kernel, factory, kernel
from fifthstreet.record import bytes_of, copy_bytes, records
from fifthstreet.rng import RngState, below, seeded, uniform
from fifthstreet.solvers.information import InformationSets, number_of

Floats = NDArray[np.float64]
Sampling = Literal["external", "outcome"]

MOST_DECISIONS = 256  # of one player in a game
MOST_ACTIONS = 64  # of an information set
MOST_SETS = 50_000_000
EXPLORATION = 0.6  # of outcome sampling: how often an action is picked at random, as in the paper


class Found(NamedTuple):
    """What was found so far; regrets and totals have a row for each information set."""

    known: InformationSets
    regrets: Floats  # sums of sampled regrets
    totals: Floats  # weighted sums of strategies
    actions: NDArray[np.int64]
    counts: NDArray[np.int8]  # how many actions there are

    @classmethod
    def of_size(cls, sets: int, width: int, view_size: int) -> "Found":
        rows = np.zeros((sets, width))
        known = InformationSets.for_most(sets, view_size)
        return cls(known, rows, rows.copy(), rows.astype(np.int64), np.zeros(sets, np.int8))


class Scratch(NamedTuple):
    """Memory for a walk: a position for each decision on the way."""

    states: Any
    dealt: Any  # the position in which both walks of an iteration begin
    views: Any
    view_bytes: NDArray[np.uint8]
    payoffs: Floats
    path: NDArray[np.int64]  # the information set of each decision, which of its actions is being tried, of how many
    chances: Floats  # the strategy there
    values: Floats  # what each action is worth

    @classmethod
    def for_rules(cls, rules: Rules, width: int) -> "Scratch":
        states, dealt = records(rules.state, MOST_DECISIONS + 1), records(rules.state, 1)
        views, path = records(rules.view, 1), np.zeros((MOST_DECISIONS, 3), np.int64)
        rows = np.zeros((MOST_DECISIONS + 1, width))
        return cls(states, dealt, views, bytes_of(views), np.zeros(2), path, rows, rows.copy())


@kernel(allocates=False)
def match_regrets(regrets: Floats, count: int, out: Floats) -> None:
    """Write a strategy in proportion to the regrets above 0."""
    above = 0.0
    for i in range(count):
        out[i] = max(regrets[i], 0.0)
        above += out[i]
    for i in range(count):
        out[i] = out[i] / above if above > 0.0 else 1.0 / count


@kernel(allocates=False)
def pick(chances: Floats, count: int, rng: RngState) -> int:
    """An action, with these probabilities."""
    left = uniform(rng)
    for i in range(count - 1):
        left -= chances[i]
        if left < 0.0:
            return i
    return count - 1


@factory
def looker(choice_count: Any, choice: Any, observe: Any) -> Kernel[..., int]:
    """The number of the information set of the seat that acts; −1 if there is no room for it."""

    @kernel(allocates=False)
    def look(state: Any, actor: int, scratch: Any, found: Any) -> int:
        scratch.view_bytes[:] = 0
        observe(state, actor, scratch.views[0])
        before = found.known.used[0]
        number = number_of(scratch.view_bytes, found.known)
        if found.known.used[0] > before:
            count = choice_count(state)
            if count > found.regrets.shape[1]:
                return -1
            found.counts[number] = count
            for i in range(count):
                found.actions[number, i] = choice(state, i)
        return number

    return look


@factory
def external_walk(
    to_act: Any,
    chance_count: Any,
    chance: Any,
    choice_count: Any,
    choice: Any,
    apply: Any,
    payoffs: Any,
    look: Any,
    state_size: int,
) -> Kernel[..., bool]:
    """A walk that updates the regrets of one seat, and the average strategy of the other."""

    @kernel(allocates=False)
    def walk(seat: int, weight: float, scratch: Any, found: Any, rng: Any) -> bool:
        """Play on from scratch.states[0]; False if there was no room, and the walk was given up."""
        states, path, depth = scratch.states, scratch.path, 0
        while True:
            state = states[depth]
            actor = to_act(state)
            if actor == CHANCE:
                apply(state, chance(state, below(rng, chance_count(state))))
                continue
            if actor != OVER:
                number = look(state, actor, scratch, found)
                if number < 0 or depth == MOST_DECISIONS:
                    return False
                count, chances = choice_count(state), scratch.chances[depth]
                match_regrets(found.regrets[number], count, chances)
                if actor == seat:
                    path[depth, 0], path[depth, 1], path[depth, 2] = number, 0, count
                    copy_bytes(state, states[depth + 1], state_size)
                    apply(states[depth + 1], choice(state, 0))
                    depth += 1
                else:
                    for i in range(count):
                        found.totals[number, i] += weight * chances[i]
                    apply(state, choice(state, pick(chances, count, rng)))
                continue
            payoffs(state, scratch.payoffs)
            value, done = scratch.payoffs[seat], True
            while depth > 0 and done:  # go back to an action that was not tried yet
                depth -= 1
                number, step, count = path[depth, 0], path[depth, 1], path[depth, 2]
                scratch.values[depth, step] = value
                done = step + 1 == count
                if done:
                    value = 0.0
                    for i in range(count):
                        value += scratch.chances[depth, i] * scratch.values[depth, i]
                    for i in range(count):
                        found.regrets[number, i] += weight * (scratch.values[depth, i] - value)
                else:
                    path[depth, 1] = step + 1
                    copy_bytes(states[depth], states[depth + 1], state_size)
                    apply(states[depth + 1], choice(states[depth], step + 1))
                    depth += 1
                    break
            if done:
                return True

    return walk


@factory
def outcome_walk(
    to_act: Any,
    chance_count: Any,
    chance: Any,
    choice_count: Any,
    choice: Any,
    apply: Any,
    payoffs: Any,
    look: Any,
    state_size: int,
) -> Kernel[..., bool]:
    """One game that updates the regrets and the average strategy of a seat.

    Probabilities of chance and of the opponent cancel: the game is sampled with them. What is left are the seat's own.
    """

    @kernel(allocates=False)
    def walk(seat: int, weight: float, scratch: Any, found: Any, rng: Any) -> bool:
        """Play on from scratch.states[0]; False if there was no room, and the walk was given up."""
        state, path, depth = scratch.states[0], scratch.path, 0
        actor = to_act(state)
        while actor != OVER:
            if actor == CHANCE:
                apply(state, chance(state, below(rng, chance_count(state))))
            else:
                number = look(state, actor, scratch, found)
                if number < 0 or depth == MOST_DECISIONS:
                    return False
                count, chances = choice_count(state), scratch.chances[depth]
                match_regrets(found.regrets[number], count, chances)
                explores = actor == seat and uniform(rng) < EXPLORATION
                step = below(rng, count) if explores else pick(chances, count, rng)
                apply(state, choice(state, step))
                if actor == seat:
                    path[depth, 0], path[depth, 1], path[depth, 2] = number, step, count
                    depth += 1
            actor = to_act(state)
        payoffs(state, scratch.payoffs)
        value = scratch.payoffs[seat]
        own, sampled = 1.0, 1.0  # the probability that the seat plays here, and that it was sampled here
        for i in range(depth):
            step, count = path[i, 1], path[i, 2]
            scratch.values[i, 0], scratch.values[i, 1] = own, sampled
            taken = scratch.chances[i, step]
            own *= taken
            sampled *= EXPLORATION / count + (1.0 - EXPLORATION) * taken
        for i in range(depth - 1, -1, -1):
            number, step, count = path[i, 0], path[i, 1], path[i, 2]
            taken = scratch.chances[i, step]
            value /= EXPLORATION / count + (1.0 - EXPLORATION) * taken
            own, sampled = scratch.values[i, 0], scratch.values[i, 1]
            for j in range(count):
                regret = (value if j == step else 0.0) - taken * value
                found.regrets[number, j] += weight * regret / sampled
                found.totals[number, j] += weight * own / sampled * scratch.chances[i, j]
            value *= taken
        return True

    return walk


@factory
def undealt(state_size: int) -> Kernel[..., None]:
    """A game begins before the first card: chance deals on the way."""

    @kernel(allocates=False)
    def deal(start: Any, state: Any, _given: Any, _rng: Any) -> None:
        copy_bytes(start, state, state_size)

    return deal


@factory
def looper(deal: Any, walk: Any, state_size: int) -> Kernel[..., int]:
    """Iterations, each with a walk for both seats."""

    @kernel(allocates=False)
    def loop(start: Any, first: int, last: int, linear: bool, given: Any, scratch: Any, found: Any, rng: Any) -> int:
        """Run the iterations from `first` to `last`; returns the last one, or the one before room became short."""
        room = found.counts.size - found.counts.size // 8
        for t in range(first, last + 1):
            if found.known.used[0] > room:
                return t - 1
            deal(start, scratch.dealt[0], given, rng)
            for seat in range(2):
                copy_bytes(scratch.dealt[0], scratch.states[0], state_size)
                if not walk(seat, float(t) if linear else 1.0, scratch, found, rng):
                    return t - 1
        return last

    return loop


WALKS = {"external": external_walk, "outcome": outcome_walk}


_STATE = ("slots", "views", "used", "regrets", "totals", "actions", "counts", "rng", "iterations")


class Sampler:
    """A game while it is solved by sampling.

    linear  whether later iterations count more, in proportion to their number
    deal    a kernel that deals a whole game at once: it fills its second record with a position, given the start of the
            game, `given` and random numbers; unless there is one, chance acts by the rules
    given   what it needs, such as tables
    """

    def __init__(
        self,
        game: AnyGame,
        sampling: Sampling = "external",
        seed: int = 0,
        linear: bool = True,
        deal: Kernel[..., None] | None = None,
        given: Any = (),
    ) -> None:
        if game.seats != 2:
            raise InputError(f"{game.name} has {game.seats} seats, and only games for two players can be solved")
        if game.rules is None:
            raise InputError(f"{game.name} has no compiled rules, which sampling needs")
        rules, self.game, self.linear, self.iterations = game.rules, game, linear, 0
        self._given = given
        look = looker(rules.choice_count, rules.choice, rules.observe)
        listing = rules.to_act, rules.chance_count, rules.chance, rules.choice_count, rules.choice
        walk = WALKS[sampling](*listing, rules.apply, rules.payoffs, look, rules.state.size)
        self._loop = looper(deal or undealt(rules.state.size), walk, rules.state.size)
        self._rng = seeded(seed, "solving", game.name)
        self._start = records(rules.state, 1, game.start())
        self._width = 8
        self._scratch = Scratch.for_rules(rules, self._width)
        self.found = Found.of_size(1 << 14, self._width, rules.view.size)

    def run(self, iterations: int) -> None:
        """Run this many more iterations, and make room where it is needed."""
        last = self.iterations + iterations
        while self.iterations < last:
            now = self._given, self._scratch, self.found, self._rng
            done = self._loop(self._start[0], self.iterations + 1, last, self.linear, *now)
            if done == self.iterations < last:
                self._grow()
            self.iterations = done

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that a later `restore` needs to go on from here. The arrays are the solver's own."""
        found, known = self.found, self.found.known
        arrays: list[NDArray[Any]] = [*known, found.regrets, found.totals, found.actions, found.counts]
        arrays += [self._rng, np.array(self.iterations)]
        return dict(zip(_STATE, arrays, strict=True))

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `state` returned."""
        *known, regrets, totals, actions, counts, rng, iterations = (state[name] for name in _STATE)
        self.found = Found(InformationSets(*known), regrets, totals, actions, counts)
        self._rng, self.iterations = rng, int(iterations)
        if regrets.shape[1] != self._width:
            self._width = regrets.shape[1]
            rules = self.game.rules
            assert rules is not None
            self._scratch = Scratch.for_rules(rules, self._width)

    def _grow(self) -> None:
        rules, old, count = self.game.rules, self.found, int(self.found.known.used[0])
        assert rules is not None
        sets = len(old.counts)
        if count > sets - sets // 8 - 1:
            sets *= 2
        elif self._width < MOST_ACTIONS:
            self._width *= 2
        if sets > MOST_SETS or (count and self._width == MOST_ACTIONS and sets == len(old.counts)):
            raise InputError(
                f"{self.game.name} is too large to be solved even by sampling: more than {MOST_SETS:,} information "
                f"sets, {MOST_ACTIONS} actions or {MOST_DECISIONS} decisions of a player"
            )
        self._scratch = Scratch.for_rules(rules, self._width)
        self.found = Found.of_size(sets, self._width, rules.view.size)
        for row in old.known.views[:count]:
            number_of(row, self.found.known)
        width = old.regrets.shape[1]
        for new, before in zip(self.found[1:4], old[1:4], strict=True):
            new[:count, :width] = before[:count]
        self.found.counts[:count] = old.counts[:count]
