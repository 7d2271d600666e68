"""Solve a game: optimal play for both players, to any precision, and how far it is from perfect.

>>> print(solve("kuhn", until=1e-4))
kuhn: value −0.0556 for the first player, exploitability 7.7e-05 after 2,172 iterations of discounted
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from fifthstreet.errors import InputError, whole
from fifthstreet.estimate import Estimate
from fifthstreet.games import game_named
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import did_you_mean, spec_of
from fifthstreet.shown import Shown, TableOfText
from fifthstreet.solvers import cfr
from fifthstreet.solvers.best_response import Judge
from fifthstreet.solvers.sampling import Sampler, Sampling
from fifthstreet.solvers.strategy import Strategy
from fifthstreet.solvers.tree import MOST_NODES, Expanded, Floats, TooLarge, Views, expand

if TYPE_CHECKING:
    from matplotlib.axes import Axes

METHODS = (*cfr.RULES, *get_args(Sampling))
UNTIL = 0.001
MOST_ITERATIONS = 10**9
_FIRST_LOOK, _LOOK_AGAIN = 10, 1.25  # iterations before exploitability is computed first, and how many times more later
_SHOWN = 40  # information sets in a table
_JUDGED = 2_000_000  # nodes of a tree that is expanded only to know the exploitability


@dataclass(frozen=True)
class Look:
    """How far the solution was after some iterations; None if that is not known exactly."""

    iterations: int
    cpu_s: float
    exploitability: float | None


Report = Callable[[Look], None]


@dataclass(frozen=True)
class Solution(Shown):
    """Optimal play as far as it was found.

    value           what the first player wins on average if both play the strategy; None if the tree is too large
    exploitability  the mean over both seats of what a perfect opponent wins more than the strategy; None likewise
    """

    game: str
    method: str
    strategy: Strategy
    value: float | None
    exploitability: float | None
    iterations: int
    cpu_s: float
    looks: tuple[Look, ...] = ()
    rules: AnyGame | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        known = ""
        if self.value is not None:
            value = f"{self.value:.4f}".replace("-", "−")
            known = f"value {value} for the first player, exploitability {self.exploitability:.2g} "
        return f"{self.game}: {known}after {self.iterations:,} iterations of {self.method}"

    def table(self) -> TableOfText:
        assert self.rules is not None
        rows = self.strategy.rows(self.rules)
        names = list(dict.fromkeys(name for _, chances in rows for name in chances))
        cells = [
            [text, *(f"{chances[name]:.3f}" if name in chances else "" for name in names)] for text, chances in rows
        ]
        more = f"; {len(cells) - _SHOWN:,} more information sets" if len(cells) > _SHOWN else ""
        return ["information set", *names], cells[:_SHOWN], f"{self}{more}"

    def plotted(self) -> list[tuple[str, Estimate]]:
        return [("exploitability", Estimate.exact(self.exploitability or 0.0))]

    def _draw(self, axes: "Axes") -> None:
        """Draw how the exploitability fell."""
        known = [look for look in self.looks if look.exploitability]
        axes.loglog([look.iterations for look in known], [look.exploitability for look in known], "o-", markersize=3)
        axes.set_xlabel(f"iterations of {self.method}")
        axes.set_ylabel("exploitability per deal")
        axes.set_title(str(self), fontsize="small")

    def to_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "method": self.method,
            "value": self.value,
            "exploitability": self.exploitability,
            "iterations": self.iterations,
            "cpu_s": self.cpu_s,
            "information_sets": len(self.strategy),
            "looks": [vars(look) for look in self.looks],
        }


def solve(
    game: str | AnyGame,
    method: str = "discounted",
    until: float | None = None,
    iterations: int | None = None,
    *,
    alternating: bool = True,
    seed: int = 0,
    most_nodes: int = MOST_NODES,
    report: Report | None = None,
) -> Solution:
    """Find optimal play in a zero-sum game for two.

    game         a name as on the command line, or an object
    method       how regrets are updated (cfr, cfr+, linear, discounted, predictive), or sampled (external, outcome)
    until        stop when the exploitability, in chips per deal, is below this; 0.001 unless iterations are given
    iterations   stop after this many
    alternating  update one player after the other, and not both at once
    seed         of the methods that sample
    most_nodes   refuse a larger tree
    report       called with a Look from time to time

    Interrupted with Ctrl-C, it returns what was found so far.
    """
    rules = game_named(game, 2) if isinstance(game, str) else game
    if method not in METHODS:
        raise InputError(f"{method!r} is not a method{did_you_mean(method, METHODS)}: choose from {', '.join(METHODS)}")
    if until is not None and not (np.isfinite(until) and until > 0):
        raise InputError(f"until={until!r}: an exploitability is above 0")
    if iterations is not None:
        iterations = whole(iterations, "iterations", least=1, most=MOST_ITERATIONS)
    wanted = UNTIL if until is None and iterations is None else until
    if method in cfr.RULES:
        run: _Run = _Exact(rules, method, expand(rules, most_nodes), alternating)
    else:
        run = _Sampled(rules, method, seed, most_nodes)
        if run.judge is None and iterations is None:
            raise InputError(f"{rules.name} is too large to know its exploitability: say how many --iterations to run")
    run.go(wanted, iterations or MOST_ITERATIONS, report)
    return run.solution()


class _Run(ABC):
    """A solution under way; without a judge, its exploitability is not known."""

    judge: Judge | None

    def __init__(self, game: AnyGame, method: str) -> None:
        self.game, self.method = game, method
        self.done, self.cpu_s = 0, 0.0
        self.looks: list[Look] = []

    @abstractmethod
    def step(self, iterations: int) -> None:
        """Run this many more iterations."""

    @abstractmethod
    def strategy(self) -> Strategy:
        """The average strategy so far."""

    @abstractmethod
    def row(self) -> Floats:
        """The same in the order of the tree."""

    def go(self, until: float | None, most: int, report: Report | None) -> None:
        """Iterate, and look how far it is more and more rarely, until it is good enough or was interrupted."""
        try:
            while self.done < most:
                target = min(max(_FIRST_LOOK, int(self.done * _LOOK_AGAIN)), most)
                begin = time.process_time()
                self.step(target - self.done)
                self.done = target
                self.cpu_s += time.process_time() - begin
                now = Look(self.done, self.cpu_s, self.judge.exploitability(self.row()) if self.judge else None)
                self.looks.append(now)
                if report:
                    report(now)
                if until is not None and now.exploitability is not None and now.exploitability <= until:
                    return
        except KeyboardInterrupt:
            if not self.looks:
                raise

    def solution(self) -> Solution:
        row = self.row() if self.judge else None
        return Solution(
            spec_of(self.game),
            self.method,
            self.strategy(),
            self.judge.value(row) if self.judge and row is not None else None,
            self.judge.exploitability(row) if self.judge and row is not None else None,
            self.done,
            self.cpu_s,
            tuple(self.looks),
            self.game,
        )


class _Exact(_Run):
    """Over the whole tree."""

    def __init__(self, game: AnyGame, method: str, expanded: Expanded, alternating: bool) -> None:
        super().__init__(game, method)
        self._expanded, self.judge = expanded, Judge(expanded.tree)
        self._rule, self._alternating = cfr.RULES[method], alternating
        self._memory = cfr.Memory.of(expanded.tree)

    def step(self, iterations: int) -> None:
        first = self.done + 1
        cfr.iterate(self._expanded.tree, self._rule, self._memory, first, self.done + iterations, self._alternating)

    def row(self) -> Floats:
        return cfr.average(self._expanded.tree, self._memory)

    def strategy(self) -> Strategy:
        tree = self._expanded.tree
        return Strategy(spec_of(self.game), self._expanded.views, tree.start, tree.action, self.row())


class _Sampled(_Run):
    """By sampling; exploitability is known if the tree is small enough."""

    def __init__(self, game: AnyGame, method: Any, seed: int, most_nodes: int) -> None:
        super().__init__(game, method)
        self._sampler, self.judge = Sampler(game, method, seed), None
        try:
            self._expanded = expand(game, min(most_nodes, _JUDGED))
            self.judge = Judge(self._expanded.tree)
        except TooLarge:
            pass  # it is solved without knowing how well

    def row(self) -> Floats:
        return self.strategy().row(self._expanded)

    def step(self, iterations: int) -> None:
        self._sampler.run(iterations)

    def strategy(self) -> Strategy:
        found, rules = self._sampler.found, self.game.rules
        assert rules is not None
        count = int(found.known.used[0])
        counts = found.counts[:count].astype(np.int32)
        used = np.arange(found.actions.shape[1]) < counts[:, None]
        totals = np.where(used, found.totals[:count], 0)
        sums = totals.sum(axis=1, keepdims=True)
        chances = np.where(sums > 0, totals / np.where(sums > 0, sums, 1), 1 / counts[:, None])
        start = np.concatenate([[0], counts.cumsum()]).astype(np.int32)
        views = Views(found.known.views[:count].copy(), rules.view)
        return Strategy(spec_of(self.game), views, start, found.actions[:count][used], chances[used])
