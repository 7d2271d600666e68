"""Spots of hold'em that a visitor wants solved: what was asked for is checked, and its size estimated beforehand."""

import contextlib
import functools
import hashlib
import json
import math
import re
from typing import Any

from fifthstreet.arena.spots import locks_of, play_of
from fifthstreet.cards import Card, parse_cards, show
from fifthstreet.errors import InputError
from fifthstreet.evaluation.ranges import CLASSES, Range, class_of, combos_of
from fifthstreet.solvers.betting_tree import nodes_of, sizes_from
from fifthstreet.solvers.spot import Spot
from fifthstreet.solvers.spot_solver import Lock, by_hand, fixed_nodes
from fifthstreet.web.drawing.face import Json, number, short
from fifthstreet.web.guests import Guests
from fifthstreet.web.refusals import TooLarge, refusal_of

MOST_CHIPS = 10**8
MOST_RAISES = 20  # that a cap may allow
MOST_IN_RANGE = 16_000  # characters
MOST_BROAD = 200  # parts of a range that are not a single hand
HAND = re.compile(r"([2-9TJQKA][shdc]){2}(:.*)?", re.IGNORECASE)
MOST_IN_LINE = 2_000  # characters
MOST_SIZES = 6  # that a player can choose from
MOST_IN_SIZES = 500  # characters
MOST_MEMORY_MB = 300.0
BYTES = 8  # for a regret and an average
BOARDS = {0: {0: 1, 1: 49, 2: 49 * 48}, 1: {1: 1, 2: 48}, 2: {2: 1}}  # by first street: how many there are by street
UNTIL = (0.01, 10.0)  # the exploitability, in per cent of the pot, that may be asked for
MOST_IN_LOCK = 2_000  # characters
MOST_ASKED = 20_000  # hands at decisions on all boards that an agent may be asked about
USUAL = {"sizes": "50% 100% all-in / 100% all-in", "raise_cap": 2, "until": 0.5, "lock": ""}
SIDES = ("oop", "ip")


def asked(given: object) -> Json:
    """The spot that a request describes, with nothing left out; InputError if it is none."""
    spot = _known(given)
    board = _board(spot["board"])
    for side in SIDES:
        _range(spot[side]).without(board)
    for name in ("pot", "stack"):
        if not 1 <= number(spot[name], name) <= MOST_CHIPS:
            raise InputError(f"a {name} of {spot[name]:,}: from 1 to {MOST_CHIPS:,} chips are allowed")
    cap, until = spot["raise_cap"], spot["until"]
    if cap is not None and not 0 <= number(cap, "a raise cap of") <= MOST_RAISES:
        raise InputError(f"a raise cap of {cap}: from 0 to {MOST_RAISES} raises are allowed, or null for no cap")
    if not isinstance(until, int | float) or isinstance(until, bool) or not UNTIL[0] <= until <= UNTIL[1]:
        raise InputError(f"until {short(until)}: it is a percentage of the pot, from {UNTIL[0]:g} to {UNTIL[1]:g}")
    _check_sizes(spot["sizes"])
    _check_locks(spot["lock"], _spot(spot))
    return spot | {"board": show(board), "until": float(until)}


def fitting(given: object) -> Json:
    """The spot that a request describes, if it is small enough to be solved here."""
    spot = asked(given)
    size_of(spot)
    return spot


def size_of(spot: Json) -> Json:
    """How large the spot is; TooLarge if it is not solved here.

    Boards are counted without regard to suits that are alike, so it may turn out to be smaller.
    """
    checked = _spot(spot)
    boards, hands = BOARDS[checked.street], (len(checked.oop), len(checked.ip))
    decisions, numbers = 0, 0
    for node in nodes_of(checked.tree()):
        if node.actor in (0, 1):
            decisions += boards[node.street]
            numbers += boards[node.street] * len(node.children) * hands[node.actor]
    memory_mb = BYTES * numbers / 1e6
    if memory_mb > MOST_MEMORY_MB:
        raise TooLarge(
            f"this spot needs about {memory_mb:,.0f} MB, and {MOST_MEMORY_MB:,.0f} are allowed here: "
            "use fewer sizes, a raise cap or narrower ranges"
        )
    return {"decisions": decisions, "memory_mb": _short(memory_mb)}


def line(text: str) -> list[str]:
    """The actions and cards that lead to a place in the tree, separated by commas."""
    if len(text) > MOST_IN_LINE:
        raise TooLarge(f"a line of {len(text):,} characters: at most {MOST_IN_LINE:,} are read")
    return [part.strip() for part in text.split(",")] if text.strip() else []


def key(spot: Json) -> str:
    """A name for the spot, the same for the same spot."""
    return hashlib.blake2b(json.dumps(spot, sort_keys=True).encode(), digest_size=12).hexdigest()


def _spot(spot: Json) -> Spot:
    return Spot.from_dict(spot | {side: _range(spot[side]) for side in SIDES})


def _known(given: object) -> Json:
    if not isinstance(given, dict):
        raise InputError(f"{short(given)} is not a spot: it must be an object")
    names = ("board", *SIDES, "pot", "stack", *USUAL)
    if unknown := sorted(map(str, set(given) - set(names))):
        raise InputError(f"{short(unknown)} is not known: a spot has {', '.join(names)}")
    spot = USUAL | given
    if missing := [name for name in names if name not in spot]:
        raise InputError(f"the spot has no {' and no '.join(missing)}")
    return {name: spot[name] for name in names}


def _board(given: object) -> list[Card]:
    if not isinstance(given, str) or len(given) > 40:
        raise InputError(f"{short(given)} is not a board: it is text like QsJh2h")
    board = parse_cards(given)
    if not 3 <= len(board) <= 5:
        raise InputError(f"{short(given)}: a board has 3, 4 or 5 cards")
    return board


def _range(given: object) -> Range:
    if not isinstance(given, str):
        raise InputError(f"{short(given)} is not a range: it is text like AKs, 77+")
    if len(given) > MOST_IN_RANGE:
        raise TooLarge(f"a range of {len(given):,} characters: at most {MOST_IN_RANGE:,} are read")
    return _parsed(given)


@functools.lru_cache(maxsize=64)
def _parsed(text: str) -> Range:
    parts = re.split(r"[,\s]+", text.strip())
    broad = sum(HAND.fullmatch(part) is None for part in parts)
    if broad > MOST_BROAD:
        raise TooLarge(f"a range of {broad:,} parts, single hands not counted: at most {MOST_BROAD} are read")
    return Range.parse(text)


def _check_sizes(given: object) -> None:
    if not isinstance(given, str) or len(given) > MOST_IN_SIZES:
        raise InputError(f"{short(given)} are not sizes: they are text like 50% 100% all-in")
    for street in sizes_from(given).values():
        most = max(len(menu) for side in street.values() for menu in side.values())
        if most > MOST_SIZES:
            raise InputError(f"{most} sizes to choose from: at most {MOST_SIZES} are allowed here")


def locks_from(text: str, spot: Spot) -> dict[str, Lock]:
    """Play that is fixed, from parts like "ip=eva" and "check=any check 1" with "|" between them."""
    return locks_of(_parts(text), lambda name: play_of(Guests().agent(name, "holdem"), spot))


def _parts(text: str) -> list[str]:
    return [part for part in text.split("|") if part.strip()]


def _listed(name: str) -> Lock:
    """Stands for an agent's play, of which only the name is looked at."""
    Guests().agent(name, "holdem")
    return lambda line, board, combo, actions: []


def _check_locks(text: object, spot: Spot) -> None:
    if not isinstance(text, str):
        raise InputError(f"{short(text)} fixes no play: it is text like ip=eva")
    if len(text) > MOST_IN_LOCK:
        raise TooLarge(f"fixed play of {len(text):,} characters: at most {MOST_IN_LOCK:,} are read")
    locks = locks_of(_parts(text), _listed)
    if not locks:
        return
    asked = 0
    for node, lock in fixed_nodes(spot.tree(), locks).items():
        hands = (spot.oop, spot.ip)[node.actor].weights
        if callable(lock):
            asked += BOARDS[spot.street][node.street] * len(hands)
        elif rest := hands.keys() - by_hand(lock, node.actions).keys():
            raise InputError(f"the fixed play says nothing about {show(min(rest))}: add 'any' for all other hands")
    if asked > MOST_ASKED:
        raise TooLarge(
            f"an agent would be asked about {asked:,} hands on all boards, and {MOST_ASKED:,} are allowed here: "
            "take a later street, fewer sizes or narrower ranges"
        )


def looked_at(given: object) -> Json:
    """What is to be said about a spot while it is being put together, part by part.

    The page draws a range as a grid: `grid` is the weight of each class, and `single` tells hand by hand those classes
    of which not all hands weigh the same. A part that is wrong has an `error` and its `code` instead.
    """
    spot = given if isinstance(given, dict) else {}
    board: list[Card] = []
    with contextlib.suppress(InputError):  # said below, with the spot
        board = _board(spot.get("board"))
    return {
        **{side: _told(lambda side=side: grid(_range(spot.get(side)), board)) for side in SIDES},
        "spot": _told(lambda: size_of(asked(given))),
    }


def _told(find: Any) -> Json:
    try:
        found: Json = find()
        return found
    except Exception as error:
        code, text, *_ = refusal_of(error)
        return {"error": text, "code": code}


def grid(found: Range, board: list[Card]) -> Json:
    """A range as the page draws it, and how many of its hands the board leaves."""
    most = max(1.0, *found.weights.values())
    weights, single = [], {}
    by_class: dict[str, list[tuple[str, float]]] = {}
    for combo, weight in found.weights.items():
        by_class.setdefault(class_of(combo), []).append((show(combo), weight / most))
    for name in CLASSES:
        here, count = by_class.get(name, []), len(combos_of(name))
        weights.append(_short(sum(weight for _, weight in here) / count))
        if here and (len(here) < count or len({weight for _, weight in here}) > 1):
            single[name] = ",".join(hand if weight == 1 else f"{hand}:{_short(weight)}" for hand, weight in here)
    left = found.without(board) if board else found
    return {
        "grid": weights,
        "single": single,
        "hands": len(left),
        "weight": _short(math.fsum(left.weights.values()) / most),
    }


def _short(value: float) -> float:
    return float(f"{value:.4g}")
