"""Benchmarks against other installed packages, measured in the same run and reported as ratios.

They are part of the package, so that `fifthstreet bench` works wherever it is installed. Absolute figures depend on
the load of the machine; ratios measured in one run hardly do.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fifthstreet.errors import InputError
from fifthstreet.naming import did_you_mean

Report = Callable[[int, int], None]

HERE = "fifthstreet"


@dataclass(frozen=True)
class Measurement:
    """A task done by this project or a peer; `ratio` is how many times as fast this project is."""

    benchmark: str
    task: str
    who: str
    figure: float
    unit: str
    ratio: str = ""


def seconds(work: Callable[[], object], at_least: float = 0.5, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the best time of repeated calls, for at least this many seconds, after one warm-up call."""
    work()
    best, begin = float("inf"), clock()
    while True:
        start = clock()
        work()
        end = clock()
        best = min(best, end - start)
        if end - begin >= at_least:
            return best


def compare(
    benchmark: str, task: str, unit: str, scale: float, times: dict[str, float], per_second: bool
) -> list[Measurement]:
    """Return the times as measurements: `scale` / seconds if `per_second`, else `scale` × seconds."""
    found = []
    for who, taken in times.items():
        figure = scale / taken if per_second else scale * taken
        ratio = "" if who.startswith(HERE) else f"{taken / times[HERE]:,.3g} ×"
        found.append(Measurement(benchmark, task, who, figure, unit, ratio))
    return found


def run(name: str | None, report: Report | None = None) -> list[Measurement]:
    """Run one benchmark by name, or all of them."""
    from fifthstreet.benchmarks import arena, draw, equity, evaluation, five_o, holdem, solvers, squares, table

    everything: dict[str, Callable[[], Iterator[list[Measurement]]]] = {
        "evaluation": evaluation.measure,
        "equity": equity.measure,
        "holdem": holdem.measure,
        "draw": draw.measure,
        "five-o": five_o.measure,
        "squares": squares.measure,
        "solvers": solvers.measure,
        "arena": arena.measure,
        "table": table.measure,
    }
    if name is not None and name not in everything:
        close = did_you_mean(name, everything)
        raise InputError(f"{name!r} is not a benchmark{close}: choose from {', '.join(everything)}, soak")
    chosen = [name] if name else list(everything)
    found: list[Measurement] = []
    for number, each in enumerate(chosen):
        for step, rows in enumerate(everything[each](), 1):
            found.extend(rows)
            if report:
                report(10 * number + min(step, 9), 10 * len(chosen))
    return found
