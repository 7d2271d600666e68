"""The betting of a heads-up spot after the flop as a tree, built from the sizes that each side may bet and raise.

    50%           half the pot; as a raise, to the bet faced plus half the pot after calling it
    90c           90 chips; as a raise, 90 more than the bet faced
    20c3r         the same, at most three raises after the bet on a street
    a, all-in     everything

Out of position acts first on every street. An amount that reaches the stack is the all-in, equal amounts are one
action, others are rounded to whole chips; a raise is at least as large as the last one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from fifthstreet.errors import InputError, quoted

STREETS = ("flop", "turn", "river")
SIDES = ("oop", "ip")
DEAL, SHOWDOWN, FOLD = 2, 3, 4  # besides the two sides, who or what comes next
WHOLE = 10**8
MOST_BETTING = 20_000  # nodes of the betting tree, before any card is dealt

Sizes = Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]
"""By street, side, and "bet" or "raise": the sizes as text."""


@dataclass(frozen=True)
class Size:
    """How much to bet: a share of the pot, chips, or everything if neither is given."""

    share: int | None = None  # of the pot, in parts of WHOLE
    chips: int | None = None
    most_raises: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Size":
        word = text.strip().lower() if isinstance(text, str) else ""
        if word in ("a", "all-in", "allin"):
            return cls()
        if match := re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)%", word, re.ASCII):
            found = cls(share=int(Decimal(match[1]) * WHOLE) // 100)
        elif match := re.fullmatch(r"([0-9]{1,9})c(?:([0-9]{1,3})r)?", word, re.ASCII):
            found = cls(chips=int(match[1]), most_raises=int(match[2]) if match[2] else None)
        else:
            raise InputError(f"{quoted(text)} is not a size: sizes are like 50%, 90c (chips), 20c3r or all-in")
        if not found.share and not found.chips:
            raise InputError(f"{quoted(text)} is not a size: a bet is more than nothing")
        return found


@dataclass(eq=False)
class Node:
    """A point in the betting: who acts, with the actions and where they lead."""

    street: int  # 0 to 2, as in STREETS
    actor: int  # 0 out of position, 1 in position, DEAL, SHOWDOWN or FOLD
    paid: tuple[int, int]  # by each side since the root
    before: int  # by each before this street
    line: tuple[str, ...]  # the actions that lead here, with "/" where a card is dealt
    actions: list[str] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)


@dataclass(frozen=True)
class Betting:
    """What the tree is built from."""

    street: int
    pot: int
    stack: int
    sizes: Sizes
    raise_cap: int | None = None

    def tree(self) -> Node:
        """The root; an InputError if the tree is too large or a size is none."""
        menus = [self._menu(street, side) for street in range(self.street, 3) for side in (0, 1)]
        root = Node(self.street, 0, (0, 0), 0, ())
        waiting, nodes = [(root, 0, 0)], 1  # with the raises so far, and 1 after a check
        while waiting:
            node, raises, checked = waiting.pop()
            if node.actor == DEAL:
                following, paid = node.street + 1, node.paid[0]
                actor = 0 if paid < self.stack else SHOWDOWN if following == 2 else DEAL
                line = (*node.line, "/") if actor == 0 else node.line
                node.children.append(Node(following, actor, node.paid, paid, line))
                node.actions.append("/")
                waiting.append((node.children[0], 0, 0))
            elif node.actor < 2:
                bets, lifts = menus[2 * (node.street - self.street) + node.actor]
                for action, child, more, after_check in self._choices(node, raises, checked, bets, lifts):
                    node.actions.append(action)
                    node.children.append(child)
                    waiting.append((child, more, after_check))
            nodes += len(node.children)
            if nodes > MOST_BETTING:
                raise InputError(
                    f"the betting has more than {MOST_BETTING:,} positions: use fewer sizes or a raise cap"
                )
        return root

    def _menu(self, street: int, side: int) -> tuple[list[Size], list[Size]]:
        chosen = self.sizes.get(STREETS[street], {}).get(SIDES[side], {})
        bets, lifts = chosen.get("bet", ()), chosen.get("raise", ())
        return [Size.parse(size) for size in bets], [Size.parse(size) for size in lifts]

    def _choices(
        self, node: Node, raises: int, checked: int, bets: list[Size], lifts: list[Size]
    ) -> Iterator[tuple[str, Node, int, int]]:
        """Each action of the side to act, where it leads, the raises made then, and whether it was a check."""
        me, street, before = node.actor, node.street, node.before
        mine, theirs = node.paid[me], node.paid[1 - me]
        ends = SHOWDOWN if street == 2 else DEAL

        def after(action: str, actor: int, paid: int) -> Node:
            both = (paid, theirs) if me == 0 else (theirs, paid)
            return Node(street, actor, both, before, (*node.line, action))

        if mine == theirs:
            yield "check", after("check", ends if checked else 1 - me, mine), 0, 1
            amounts = {self._amount(size, 0, before) for size in bets}
            word, raises = "bet", -1
        else:
            yield "fold", after("fold", FOLD, mine), 0, 0
            yield "call", after("call", ends, theirs), 0, 0
            if theirs == self.stack:
                return
            caps = [self.raise_cap, *(size.most_raises for size in lifts)]
            if any(cap is not None and raises >= cap for cap in caps):
                return
            faced, least = theirs - before, 2 * theirs - mine - before
            amounts = {max(self._amount(size, faced, before), least) for size in lifts}
            word = "raise"
        left = self.stack - before
        for amount in sorted({min(amount, left) for amount in amounts}):
            action = f"allin {left}" if amount == left else f"{word} {amount}"
            yield action, after(action, 1 - me, before + amount), raises + 1, 0

    def _amount(self, size: Size, faced: int, before: int) -> int:
        """What the side has bet on this street after betting, or raising `faced`, by this size."""
        if size.share is not None:
            amount = (size.share * (self.pot + 2 * before + 2 * faced) + WHOLE // 2) // WHOLE
        else:
            amount = size.chips if size.chips is not None else self.stack
        if amount < 1:
            share = 100 * (size.share or 0) / WHOLE
            raise InputError(
                f"a bet of {share:g}% into a pot of {self.pot + 2 * before + 2 * faced} is less than a chip"
            )
        return faced + amount


def nodes_of(root: Node) -> list[Node]:
    """All nodes, parents first, in the order of the lines."""
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += reversed(node.children)
    return found


def lines_of(root: Node) -> list[str]:
    """Every path from the root to an end, "/" where a card is dealt before somebody acts again."""
    return [" ".join(node.line) for node in nodes_of(root) if not node.children]


def sizes_from(text: str, first: int = 0) -> dict[str, Any]:
    """Sizes of all streets from this one on from a line such as "50% 100% all-in" or "flop 33%; turn, river 75% / a".

    Parts are separated by ";". A part may begin with streets and a side (oop, ip), and concerns only these; sizes
    after "/" are for raises, which otherwise are the same as the bets.
    """
    found: dict[str, Any] = {street: {side: {"bet": [], "raise": []} for side in SIDES} for street in STREETS[first:]}
    for part in text.split(";"):
        words = part.replace(",", " ").replace("/", " / ").lower().split()
        streets = [word for word in words if word in STREETS] or list(STREETS[first:])
        sides = [word for word in words if word in SIDES] or list(SIDES)
        sizes = [word for word in words if word not in (*STREETS, *SIDES)]
        cut = sizes.index("/") if "/" in sizes else None
        bets = sizes if cut is None else sizes[:cut]
        lifts = sizes if cut is None else sizes[cut + 1 :]
        for size in (*bets, *lifts):
            Size.parse(size)
        for street in streets:
            if street in found:
                for side in sides:
                    found[street][side] = {"bet": list(bets), "raise": list(lifts)}
    return found
