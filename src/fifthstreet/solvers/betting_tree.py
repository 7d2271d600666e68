"""The betting of a heads-up spot after the flop as a tree, built from the sizes that each side may bet and raise.

    50%           half the pot; as a raise, to the bet faced plus half the pot after calling it
    90c           90 chips; as a raise, 90 more than the bet faced
    20c3r         the same, at most three raises after the bet on a street
    a, all-in     everything

Out of position acts first on every street. An amount that reaches the stack is the all-in, equal amounts are one
action, others are rounded to whole chips; a raise is at least as large as the last one.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

from fifthstreet.errors import InputError, quoted
from fifthstreet.kernel import kernel
from fifthstreet.record import rows_of

STREETS = ("flop", "turn", "river")
SIDES = ("oop", "ip")
DEAL, SHOWDOWN, FOLD = 2, 3, 4  # besides the two sides, who or what comes next
CHECK, CALL, GIVE_UP, BET, RAISE, ALL_IN, CARD = range(7)  # what leads to a node
WORDS = ("check", "call", "fold", "bet", "raise", "allin", "/")
WHOLE = 10**8
MOST_BETTING = 20_000  # nodes of the betting tree, before any card is dealt
FEW = 250  # nodes: most trees have fewer
TOO_MANY, NO_CHIP = -1, -2  # why there is no tree

Sizes = Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]
"""By street, side, and "bet" or "raise": the sizes as text."""


@dataclass(frozen=True)
class Size:
    """How much to bet: a share of the pot, chips, or everything if neither is given."""

    share: int | None = None  # of the pot, in parts of WHOLE
    chips: int | None = None
    most_raises: int | None = None

    @staticmethod
    @functools.lru_cache(maxsize=1000)
    def parse(text: str) -> "Size":
        word = text.strip().lower() if isinstance(text, str) else ""
        if word in ("a", "all-in", "allin"):
            return Size()
        if match := re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)%", word, re.ASCII):
            found = Size(share=int(Decimal(match[1]) * WHOLE) // 100)
        elif match := re.fullmatch(r"([0-9]{1,9})c(?:([0-9]{1,3})r)?", word, re.ASCII):
            found = Size(chips=int(match[1]), most_raises=int(match[2]) if match[2] else None)
        else:
            raise InputError(f"{quoted(text)} is not a size: sizes are like 50%, 90c (chips), 20c3r or all-in")
        if not found.share and not found.chips:
            raise InputError(f"{quoted(text)} is not a size: a bet is more than nothing")
        return found

    @functools.cached_property
    def row(self) -> tuple[int, int, int]:
        """The same as numbers, −1 where there is none."""
        return tuple(-1 if each is None else each for each in (self.share, self.chips, self.most_raises))  # type: ignore[return-value]


NODE = np.dtype(
    [
        ("street", np.int64),  # 0 to 2, as in STREETS
        ("actor", np.int64),  # 0 out of position, 1 in position, DEAL, SHOWDOWN or FOLD
        ("paid", np.int64, 2),  # by each side since the root
        ("before", np.int64),  # by each before this street
        ("raises", np.int64),  # on this street so far, −1 before a bet
        ("checked", np.int64),  # whether the last action was a check
        ("parent", np.int64),
        ("place", np.int64),  # among its parent's children
        ("action", np.int64),  # what leads here: CHECK to CARD
        ("amount", np.int64),  # of a bet or raise
        ("children", np.int64),
        ("first_child", np.int64),  # where the numbers of its children begin in the list of all children
    ],
    align=True,
)


@dataclass(eq=False)
class Node:
    """A point in the betting: who acts, with the actions and where they lead."""

    number: int  # in the order of the lines, parents first
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

    def grown(self) -> tuple[Any, Any]:
        """All nodes as records, parents first, and the list of children; an InputError if there is no such tree."""
        sizes: list[tuple[int, int, int]] = []
        starts = []
        for street in STREETS:
            for side in SIDES:
                chosen = self.sizes.get(street, {}).get(side, {})
                for word in ("bet", "raise"):
                    starts.append(len(sizes))
                    sizes += [Size.parse(size).row for size in chosen.get(word, ())]
        menus = np.array([*sizes, (-1, -1, -1)], np.int64)
        start, wrong = np.array([*starts, len(sizes)], np.int64), np.zeros(2, np.int64)
        cap = -1 if self.raise_cap is None else self.raise_cap
        for room in (FEW, MOST_BETTING):
            nodes, waiting = rows_of(room, NODE), rows_of(room, NODE)
            children, amounts = np.zeros(room, np.int64), np.zeros(len(menus), np.int64)
            count = grow(self.street, self.pot, self.stack, cap, menus, start, nodes, children, waiting, amounts, wrong)
            if count >= 0:
                return nodes[:count], children[:count]
            if count == NO_CHIP:
                share, pot = 100 * sizes[int(wrong[0])][0] / WHOLE, int(wrong[1])
                raise InputError(f"a bet of {share:g}% into a pot of {pot} is less than a chip")
        raise InputError(f"the betting has more than {MOST_BETTING:,} positions: use fewer sizes or a raise cap")

    def tree(self) -> Node:
        """The root; an InputError if the tree is too large or a size is none."""
        found: list[Node] = []
        for number, each in enumerate(self.grown()[0]):
            street, actor, paid = int(each["street"]), int(each["actor"]), tuple(each["paid"].tolist())
            if number == 0:
                found.append(Node(number, street, actor, paid, int(each["before"]), ()))
                continue
            parent, action = found[int(each["parent"])], WORDS[int(each["action"])]
            if each["amount"]:
                action = f"{action} {each['amount']}"
            told = (action,) if action != "/" or actor == 0 else ()
            node = Node(number, street, actor, paid, int(each["before"]), (*parent.line, *told))
            parent.actions.append(action)
            parent.children.append(node)
            found.append(node)
        return found[0]


@kernel(allocates=False)
def grow(
    street: int,
    pot: int,
    stack: int,
    cap: int,
    menus: Any,
    start: Any,
    nodes: Any,
    children: Any,
    waiting: Any,
    amounts: Any,
    wrong: Any,
) -> int:
    """Fill in the nodes; how many there are, TOO_MANY or NO_CHIP.

    menus   share, chips and most raises of each size, −1 for none
    start   where the bets, then the raises of each street and side begin in it
    wrong   becomes the size that is less than a chip, and the pot
    """
    root = waiting[0]
    root.street, root.actor, root.before, root.raises, root.checked, root.parent = street, 0, 0, 0, 0, -1
    root.paid[0], root.paid[1], root.place, root.action, root.amount = 0, 0, 0, -1, 0
    left, count, made = 1, 0, 1
    while left:
        left -= 1
        here = nodes[count]
        copy_node(waiting[left], here)
        number, me = count, here.actor
        count += 1
        if here.parent >= 0:
            children[nodes[here.parent].first_child + here.place] = number
        here.first_child, here.children = made - 1, 0
        begin = left
        if me == DEAL:
            if left == waiting.size:
                return TOO_MANY
            child = waiting[left]
            left += 1
            child.street, child.before, child.raises, child.checked = here.street + 1, here.paid[0], 0, 0
            child.actor = 0 if here.paid[0] < stack else SHOWDOWN if here.street == 1 else DEAL
            child.paid[0], child.paid[1], child.action, child.amount = here.paid[0], here.paid[0], CARD, 0
        elif me < 2:
            mine, theirs, before = here.paid[me], here.paid[1 - me], here.before
            ends = SHOWDOWN if here.street == 2 else DEAL
            facing, raises, found = mine != theirs, here.raises, 0
            menu = 4 * here.street + 2 * me + facing
            if left + 2 + start[menu + 1] - start[menu] > waiting.size:
                return TOO_MANY
            if facing:
                left = push(waiting, left, here, FOLD, mine, GIVE_UP, 0, 0)
                left = push(waiting, left, here, ends, theirs, CALL, 0, 0)
            else:
                left = push(waiting, left, here, ends if here.checked else 1 - me, mine, CHECK, 0, 0)
                raises = -1
            allowed = not facing or (theirs < stack and (cap < 0 or raises < cap))
            for size in range(start[menu], start[menu + 1]):
                if facing and menus[size, 2] >= 0 and raises >= menus[size, 2]:
                    allowed = False
            if allowed:
                faced = theirs - before
                least = 2 * theirs - mine - before if facing else 1
                for size in range(start[menu], start[menu + 1]):
                    amount = amount_of(menus[size, 0], menus[size, 1], pot + 2 * before + 2 * faced, stack)
                    if amount < 1:
                        wrong[0], wrong[1] = size, pot + 2 * before + 2 * faced
                        return NO_CHIP
                    found = insert(min(max(faced + amount, least), stack - before), amounts, found)
                for k in range(found):
                    amount = amounts[k]
                    action = ALL_IN if amount == stack - before else RAISE if facing else BET
                    left = push(waiting, left, here, 1 - me, before + amount, action, amount, raises + 1)
        for k in range(begin, left):
            waiting[k].parent, waiting[k].place = number, k - begin
        here.children = left - begin
        made += left - begin
        if made > nodes.size:
            return TOO_MANY
        for k in range((left - begin) // 2):  # the first child is to be looked at first
            copy_node(waiting[begin + k], nodes[count])
            copy_node(waiting[left - 1 - k], waiting[begin + k])
            copy_node(nodes[count], waiting[left - 1 - k])
    return count


@kernel(allocates=False)
def push(waiting: Any, left: int, here: Any, actor: int, paid: int, action: int, amount: int, raises: int) -> int:
    """Add what follows an action of the side to act; how many nodes wait then."""
    child, me = waiting[left], here.actor
    child.street, child.actor, child.before, child.raises = here.street, actor, here.before, raises
    child.paid[me], child.paid[1 - me] = paid, here.paid[1 - me]
    child.action, child.amount, child.checked = action, amount, action == CHECK
    return left + 1


@kernel(allocates=False)
def amount_of(share: int, chips: int, pot: int, stack: int) -> int:
    """How much a size is, in chips."""
    if share < 0:
        return chips if chips >= 0 else stack
    if share > 9 * 10**18 // pot:  # much more than there is
        return stack
    return (share * pot + WHOLE // 2) // WHOLE


@kernel(allocates=False)
def insert(amount: int, amounts: Any, count: int) -> int:
    """Add an amount to a sorted list, if it is not in it; how many there are then."""
    place = 0
    while place < count and amounts[place] < amount:
        place += 1
    if place < count and amounts[place] == amount:
        return count
    for k in range(count, place, -1):
        amounts[k] = amounts[k - 1]
    amounts[place] = amount
    return count + 1


@kernel(allocates=False)
def copy_node(source: Any, target: Any) -> None:
    target.street, target.actor, target.before = source.street, source.actor, source.before
    target.paid[0], target.paid[1] = source.paid[0], source.paid[1]
    target.raises, target.checked, target.parent = source.raises, source.checked, source.parent
    target.place, target.action, target.amount = source.place, source.action, source.amount


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
