"""The solution of a spot, to be walked through: what each hand does in every position, and what it is worth."""

import functools
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fifthstreet import cache
from fifthstreet.cards import Card, cards, show
from fifthstreet.errors import InputError, quoted
from fifthstreet.estimate import Estimate
from fifthstreet.evaluation.ranges import CLASSES, Range, class_of
from fifthstreet.shown import Shown, TableOfText
from fifthstreet.solvers import vector_cfr
from fifthstreet.solvers.betting_tree import DEAL, SIDES, Node
from fifthstreet.solvers.betting_tree import sizes_from as sizes_from
from fifthstreet.solvers.showdown import shares
from fifthstreet.solvers.vector_cfr import AVERAGE, Task

if TYPE_CHECKING:
    from matplotlib.axes import Axes

from fifthstreet.solvers.spot import Spot
from fifthstreet.solvers.spot_solver import Locks, Look, Solver, following


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
            child = following(node, step)
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
    _solver: Solver = field(repr=False, compare=False)

    @classmethod
    def _of(cls, solver: Solver, looks: tuple[Look, ...]) -> "SpotSolution":
        ev = {side: float(solver.value(number)) for number, side in enumerate(SIDES)}
        percent = looks[-1].exploitability if looks else solver.exploitability()
        return cls(solver.spot, ev, percent, solver.iterations, solver.cpu_s, solver.memory_mb, looks, solver)

    @classmethod
    def _from_arrays(
        cls, found: Mapping[str, Any], spot: Spot, locks: Locks | None, merged: bool = True
    ) -> "SpotSolution":
        solver = Solver(spot, locks, merged=merged)
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
            places = solver.places
            width, count = int(each["width"][1 - side]), int(each["hands"][1 - side])
            row = int(places.reach[side, node.number]) * width
            reach[1 - side] = memory.reach[street][row : row + count].astype(float)
            width, count = int(each["width"][side]), int(each["hands"][side])
            for wanted in (node, *(node.children if node.actor == side else ())):
                row, scale = int(places.value[side, wanted.number]), float(places.scale[side, wanted.number])
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
                    place, width = int(solver.places.table[node.number]), int(each["width"][side])
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
