"""A solved spot as the page walks through it."""

import math
import signal

from fifthstreet.cards import Card, show
from fifthstreet.solvers.betting_tree import DEAL, FOLD, SHOWDOWN, SIDES, STREETS
from fifthstreet.solvers.solve_spot import solve_spot
from fifthstreet.solvers.spot import Spot
from fifthstreet.solvers.spot_solution import Position, SpotSolution
from fifthstreet.solvers.spot_solver import Look
from fifthstreet.web import spots
from fifthstreet.web.drawing.face import Json, rounded
from fifthstreet.web.solver_process import Report

LEAST = 1e-4  # hands that get here less often are left out
ENDS = {DEAL: "deal", SHOWDOWN: "showdown", FOLD: "fold"}


def prepare() -> None:
    """Compile everything, if this is the first time, on a small spot."""
    solve_spot("As9c4d3h2c", "AA,QJs", "KK", pot=100, stack=100, sizes="all-in", until=10).root.hands()


def solved(asked: Json, report: Report) -> "Solved":
    """The solution of a spot, or what was found when the report asked to stop."""
    spot = Spot.from_dict(asked)
    stopped = False

    def told(look: Look) -> None:
        nonlocal stopped
        if not report(look.iterations, look.exploitability) and not stopped:
            stopped = True
            signal.raise_signal(signal.SIGINT)  # what a person at a terminal does: the solver returns what it has

    locks = spots.locks_from(asked["lock"], spot)
    return Solved(solve_spot(spot, until=asked["until"], locks=locks or None, report=told))


class Solved:
    def __init__(self, solution: SpotSolution) -> None:
        self.solution = solution
        self.root = solution.spot.tree()

    def summary(self) -> Json:
        found = self.solution
        return {
            "iterations": found.iterations,
            "exploitability": rounded(found.exploitability),
            "memory_mb": round(found.memory_mb, 1),
        }

    def node(self, line: list[str]) -> Json:
        """What is to be seen after these actions and cards; InputError if they lead nowhere."""
        position, node = self.solution.root, self.root
        path: list[Json] = []
        for step in line:
            position = position.at(step)
            if node.actor == DEAL:
                path.append({"card": position.line[-1]})
                node = node.children[0]
            else:
                chosen = node.actions.index(position.line[-1])
                path.append({"to_act": SIDES[node.actor], "actions": node.actions, "chosen": chosen})
                node = node.children[chosen]
        spot = self.solution.spot
        ev, equity = position.ev, position.equity
        found: Json = {
            "line": list(position.line),
            "path": path,
            "board": show(position.board),
            "street": STREETS[node.street],
            "pot": spot.pot + sum(node.paid),
            "stacks": {side: spot.stack - node.paid[i] for i, side in enumerate(SIDES)},
            "to_act": position.side,
            "ends": ENDS.get(node.actor),
            "actions": list(position.actions),
            "frequency": [rounded(chance) for chance in position.frequency.values()],
            "cards": [],
            "sides": {},
            "hands": {},
        }
        if node.actor == DEAL:
            found["cards"] = [str(card) for card in map(Card, range(52)) if card not in position.board]
        for side in SIDES:
            rows = [row for row in position.hands(side) if row["weight"] >= LEAST]
            combos = math.fsum(row["weight"] for row in rows)
            found["sides"][side] = {"ev": rounded(ev[side]), "equity": rounded(equity[side]), "combos": rounded(combos)}
            found["hands"][side] = [_hand(position, side, row) for row in rows]
        return found


def _hand(position: Position, side: str, row: Json) -> Json:
    """A hand with its weight, EV and equity and, for the side to act, how often it takes each action and their EV."""
    found = {"hand": row["hand"], **{name: rounded(row[name]) for name in ("weight", "ev", "equity")}}
    if side == position.side:
        found["frequency"] = [rounded(row[action]) for action in position.actions]
        found["action_ev"] = [rounded(row[f"ev of {action}"]) for action in position.actions]
    return found
