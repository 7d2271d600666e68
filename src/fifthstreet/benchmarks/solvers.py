"""Solvers compared with OpenSpiel's, which are written in C++: the same games, one core. Then hold'em spots."""

from collections.abc import Callable, Iterator
from typing import Any

from fifthstreet.benchmarks import HERE, Measurement, compare, seconds, spots
from fifthstreet.games import game_named
from fifthstreet.solvers import cfr
from fifthstreet.solvers.best_response import Judge
from fifthstreet.solvers.sampling import Sampler
from fifthstreet.solvers.solution import solve
from fifthstreet.solvers.tree import expand

NAME = "solvers"
THERE = "OpenSpiel"
UNTIL = 0.001
ITERATIONS = 571  # of CFR+ in OpenSpiel until Leduc is solved to 0.001, found beforehand: looking takes longer
RECORDED_LEDUC_S = 5.6  # what OpenSpiel took where figures of spots were recorded


def measure() -> Iterator[list[Measurement]]:
    leduc = _row("Leduc to an exploitability of 0.001", "s", 1, _here_leduc, _there_leduc, False)
    yield leduc
    yield _row("exploitability of a strategy of Leduc", "ms", 1000, _here_exploitability, _there_exploitability, False)
    yield _row("CFR+ on Kuhn", "iterations/s", 10_000, _here_kuhn, _there_kuhn, True)
    yield _row("external sampling on Leduc", "iterations/s", 10_000, _here_sampling, _there_sampling, True)
    there = [row.figure for row in leduc if row.who == THERE]
    yield from spots.measure(RECORDED_LEDUC_S / there[0] if there else None)


def _row(
    task: str, unit: str, scale: float, here: Callable[[], float], there: Callable[[Any], float], per_second: bool
) -> list[Measurement]:
    times = {HERE: here()}
    try:
        import pyspiel

        times[THERE] = there(pyspiel)
    except ImportError:
        pass
    return compare(NAME, task, unit, scale, times, per_second)


def _here_leduc() -> float:
    game = game_named("leduc")
    return seconds(lambda: solve(game, until=UNTIL))  # with making the tree, and looking how far it is


def _there_leduc(pyspiel: Any) -> float:
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game("leduc_poker"))

    def iterate() -> None:
        for _ in range(ITERATIONS // 10):
            solver.evaluate_and_update_policy()

    return 10 * seconds(iterate)


def _here_exploitability() -> float:
    tree = expand(game_named("leduc")).tree
    judge, strategy = Judge(tree), cfr.uniform(tree)
    return seconds(lambda: judge.exploitability(strategy))


def _there_exploitability(pyspiel: Any) -> float:
    game = pyspiel.load_game("leduc_poker")
    policy = pyspiel.UniformRandomPolicy(game)
    return seconds(lambda: pyspiel.exploitability(game, policy))


def _here_kuhn() -> float:
    tree = expand(game_named("kuhn")).tree
    rule, memory = cfr.RULES["cfr+"], cfr.Memory.of(tree)
    return seconds(lambda: cfr.iterate(tree, rule, memory, 1, 10_000, True))


def _there_kuhn(pyspiel: Any) -> float:
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game("kuhn_poker"))
    return 10 * seconds(lambda: [solver.evaluate_and_update_policy() for _ in range(1000)])


def _here_sampling() -> float:
    sampler = Sampler(game_named("leduc"))
    sampler.run(10_000)
    return seconds(lambda: sampler.run(10_000))


def _there_sampling(pyspiel: Any) -> float:
    solver = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"))
    return seconds(lambda: [solver.run_iteration() for _ in range(10_000)])
