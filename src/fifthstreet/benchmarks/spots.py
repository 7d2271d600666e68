"""Hold'em spots beside a solver in Rust, postflop-solver, which cannot be installed with pip.

Its figures were recorded once, elsewhere: CPU seconds of one thread, to 0.5 % of the pot, without setting up. This
project's include setting up, from the ranges on. OpenSpiel was measured there, too, so it tells how much faster this
machine is; a second row has the recorded figures divided by that.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from fifthstreet.benchmarks import HERE, Measurement
from fifthstreet.solvers.solve_spot import solve_spot
from fifthstreet.solvers.spot import Spot

RECORDED = "postflop-solver, recorded elsewhere"
SCALED = "postflop-solver, at this machine's speed"
UNTIL = 0.5
OFTEN = {5: 15, 4: 5, 3: 2}  # runs by cards on the board: the best one counts

RERAISER = "99+,ATs+,A5s-A2s,KTs+,QJs,JTs,T9s,AQo+,KQo:0.5,AJo:0.5"
CALLER = "TT-66,AJs-A8s,A5s-A4s,KTs+,QTs+,JTs,T9s,98s,87s,76s,AQo-AJo,KQo"
WIDE = (
    "99-22,A9s-A2s,KJs-K2s,QJs-Q2s,J6s+,T6s+,96s+,85s+,74s+,63s+,53s+,43s,"
    "AJo-A3o,KQo-K8o,QJo-Q8o,J8o+,T8o+,97o+,87o,76o"
)
OPENER = "22+,A2s+,K2s+,Q4s+,J7s+,T7s+,97s+,86s+,75s+,64s+,54s,A2o+,K8o+,Q9o+,J9o+,T9o,98o"


@dataclass(frozen=True)
class Case:
    """A spot, with the CPU seconds and the memory in MB that were recorded."""

    cpu_s: float
    memory_mb: float
    board: str
    oop: str
    ip: str
    pot: int
    stack: int
    sizes: str
    raise_cap: int | None = None


CASES = {
    "R03": Case(
        0.0010, 0.2, "Ks8d5c3h2d",
        "AKs,AKo:0.5,KQ,KJs,KTs,99,77-66,55,33,A8s,87s,A5s,A4s,64s,QJs,JTs",
        "AA:0.5,AK,KQs,K9s,QQ-TT,88:0.75,55,QJs,JTs,T9s,98s",
        1000, 3000, "50% 100% / 50%",
    ),
    "R04": Case(
        0.0004, 0.2, "QhQd7c4s4d",
        "AQ,KQs,QJs,QTs,77,44,A7s,87s,76s,65s,JTs,KJs",
        "AA-KK,JJ-TT,AQs,KQ:0.5,QJs:0.5,98s,T9s,A5s-A2s,99-88:0.25",
        1000, 4000, "oop 50% / a; ip 50% 200% / a",
    ),
    "R05": Case(0.004, 0.3, "Ah9h6h2h5c", WIDE, OPENER, 1000, 2000, "50% 100% / 50%"),
    "R07": Case(0.007, 0.5, "Kc9s6d4h2c", "any", "any", 1000, 2000, "50% 100% / 50%"),
    "R09": Case(0.003, 0.3, "8c7d3s3hKd", OPENER, WIDE, 100, 1000, "20c", 3),
    "R10": Case(
        0.0003, 0.2, "KcQdJhTs9s",
        "AA,AKs,AQo:0.5,KK-22,KQs,QJs,JTs,98s,87s,76s,65s",
        "AKo,A9s,A5s-A2s,KK-TT,55-22,KQs,KTs,Q8s,J8s,86s,54s:0.3",
        1000, 1500, "50% / a",
    ),
    "T01": Case(
        0.045, 1.2, "Ks8d5c3h",
        "AA,AK,KQs,KJs,QJs,JTs,A5s-A4s,QQ:0.5",
        "KQs,KTs,K9s,88,55,33:0.5,JJ-99,A8s,87s,76s,AQs,64s",
        1000, 2000, "50% / a",
    ),
    "T02": Case(0.099, 2.2, "Td9d6hQc", RERAISER, CALLER, 800, 2400, "50% / a"),
    "T03": Case(0.116, 2.5, "Ah8h3h7c", RERAISER, CALLER, 800, 1600, "50%"),
    "T05": Case(0.059, 2.1, "Jd8c4c2h", WIDE, OPENER, 1000, 500, "a"),
    "T06": Case(0.242, 6.4, "Jd8c4cKc", WIDE, OPENER, 800, 2400, "turn 50% /; river 50% 100% /"),
    "T08": Case(0.270, 7.2, "AcKd4s4c", "any", "22+,A2+,K9s+,KTo+,QTs+,JTs", 1000, 2000, "100% /"),
    "F01": Case(
        4.17, 45.5, "Kh7d2c",
        "AA,KK,AKs,KQs,QQ,JJ,A5s,QJs", "KQs,KJs,77,22,TT-88,AQs,JTs,T9s",
        1000, 1000, "50% / a",
    ),
    "F02": Case(2.74, 75.7, "Td9d6h", RERAISER, CALLER, 1000, 1000, "50% / a"),
    "F04": Case(
        8.46, 90.2, "QsQd7h",
        "AQs,KQs,QJs,77,AA-KK,JJ-88,A7s,AKs,T9s:0.5,65s:0.5",
        "AQs:0.5,KQ:0.5,QJs,QTs,JJ-88,77:0.5,66,A7s,87s,76s,AJs,KJs",
        1600, 4800, "flop, turn 50% /; river 50% / a",
    ),
    "F06": Case(5.47, 87.7, "Ac9d4h", WIDE, OPENER, 1000, 1000, "a"),
}  # fmt: skip


def spot_of(case: Case) -> Spot:
    return Spot.of(case.board, case.oop, case.ip, case.pot, case.stack, case.sizes, case.raise_cap)


def measure(faster: float | None) -> Iterator[list[Measurement]]:
    """Every spot; `faster` is how many times as fast this machine is as the one of the records, if that is known."""
    for name, case in CASES.items():
        spot = spot_of(case)
        runs = [solve_spot(spot, until=UNTIL) for _ in range(OFTEN[len(spot.board)])]
        best, memory = min(run.cpu_s for run in runs), runs[0].memory_mb
        hands = f"{len(spot.oop.weights):,} × {len(spot.ip.weights):,} hands"
        street = ("flop", "turn", "river")[spot.street]
        task = f"{street} {name}, {hands}, to {UNTIL} % of the pot"
        rows = [
            Measurement("solvers", task, HERE, best, "CPU s with setting up, 1 thread"),
            Measurement("solvers", task, RECORDED, case.cpu_s, "CPU s, 1 thread", f"{case.cpu_s / best:.3g} ×"),
        ]
        if faster is not None:
            scaled = case.cpu_s / faster
            rows.append(Measurement("solvers", task, SCALED, scaled, "CPU s, 1 thread", f"{scaled / best:.3g} ×"))
        less = f"{case.memory_mb / memory:.3g} ×"
        rows += [
            Measurement("solvers", f"{street} {name}, memory", HERE, memory, "MB"),
            Measurement("solvers", f"{street} {name}, memory", RECORDED, case.memory_mb, "MB", less),
        ]
        yield rows
