"""Solvers compared with OpenSpiel's, which are written in C++: the same games, one core.

Hold'em spots stand beside figures of a solver in Rust, postflop-solver, which cannot be installed with pip: CPU seconds
that were recorded once on another machine, so there is no ratio.
"""

from collections.abc import Callable, Iterator
from typing import Any

from fifthstreet.benchmarks import HERE, Measurement, compare, seconds
from fifthstreet.games import game_named
from fifthstreet.solvers import cfr
from fifthstreet.solvers.best_response import Judge
from fifthstreet.solvers.sampling import Sampler
from fifthstreet.solvers.solution import solve
from fifthstreet.solvers.solve_spot import solve_spot
from fifthstreet.solvers.spot import Spot
from fifthstreet.solvers.tree import expand

NAME = "solvers"
THERE = "OpenSpiel"
UNTIL = 0.001
ITERATIONS = 571  # of CFR+ in OpenSpiel until Leduc is solved to 0.001, found beforehand: looking takes longer


RECORDED = "postflop-solver, recorded elsewhere"
SPOTS: tuple[tuple[str, float, str, str, str, int, int, str], ...] = (  # with the CPU seconds recorded, on one thread
    ("river, all hands on both sides", 0.007, "Kc9s6d4h2c", "any", "any", 1000, 2000, "50% 100% / 50%"),
    (
        "turn, 118 against 104 hands",
        0.099,
        "Td9d6hQc",
        "99+,ATs+,A5s-A2s,KTs+,QJs,JTs,T9s,AQo+,KQo:0.5,AJo:0.5",
        "TT-66,AJs-A8s,A5s-A4s,KTs+,QTs+,JTs,T9s,98s,87s,76s,AQo-AJo,KQo",
        800,
        2400,
        "50% / all-in",
    ),
    (
        "flop, 130 against 113 hands",
        2.74,
        "Td9d6h",
        "99+,ATs+,A5s-A2s,KTs+,QJs,JTs,T9s,AQo+,KQo:0.5,AJo:0.5",
        "TT-66,AJs-A8s,A5s-A4s,KTs+,QTs+,JTs,T9s,98s,87s,76s,AQo-AJo,KQo",
        1000,
        1000,
        "50% / all-in",
    ),
)


def measure() -> Iterator[list[Measurement]]:
    yield _row("Leduc to an exploitability of 0.001", "s", 1, _here_leduc, _there_leduc, False)
    yield _row("exploitability of a strategy of Leduc", "ms", 1000, _here_exploitability, _there_exploitability, False)
    yield _row("CFR+ on Kuhn", "iterations/s", 10_000, _here_kuhn, _there_kuhn, True)
    yield _row("external sampling on Leduc", "iterations/s", 10_000, _here_sampling, _there_sampling, True)
    for what, recorded, *given in SPOTS:
        task, spot = f"{what}, to 0.5 % of the pot", Spot.of(*given)  # type: ignore[arg-type]
        best = min(solve_spot(spot, until=0.5).cpu_s for _ in range(3))  # with setting up, on one thread
        yield [
            Measurement(NAME, task, HERE, best, "CPU s"),
            Measurement(NAME, task, RECORDED, recorded, "CPU s, without setting up"),
        ]


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
