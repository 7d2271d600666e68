"""Heads-up hold'em after the flop: optimal play for any board, ranges, pot, stacks and sizes.

    betting_tree.py   the sizes, and the betting as a tree that is the same on every board
    boards.py         all boards and the hands left on each; suits that nobody can tell apart are dealt once
    lanes.py          numbers by eights
    showdown.py       what every hand wins against many ranges, in one sweep over the hands
    vector_cfr.py     the iterations, on whole ranges
    spot.py           what people ask for: a Spot
    spot_solver.py    its memory, fixed play, and iterations on whole ranges
    spot_solution.py  its solution, and a Position anywhere in it
    solve_spot.py     from one to the other

Chips are counted so that the pot at the root is there to be won: both sides' EV add up to it.

>>> from fifthstreet import solve_spot
>>> solution = solve_spot("As9c4d3h2c", "AA,QJs", "KK", pot=100, stack=100, sizes="all-in", until=0.01)
>>> round(solution.ev["oop"], 1)  # three sets and half as many bluffs bet, and king high might as well fold
64.3
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fifthstreet.cards import Card, cards, show
from fifthstreet.errors import InputError, quoted, whole
from fifthstreet.evaluation.ranges import Range
from fifthstreet.solvers.betting_tree import SIDES, STREETS, Betting, Node, Sizes
from fifthstreet.solvers.betting_tree import sizes_from as sizes_from

MOST_CHIPS = 10**8


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

    def betting(self) -> Betting:
        return Betting(self.street, self.pot, self.stack, self.sizes, self.raise_cap)

    def tree(self) -> Node:
        """The betting."""
        return self.betting().tree()

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
