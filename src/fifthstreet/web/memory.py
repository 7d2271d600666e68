"""What is remembered of a table between two hands, so that it opens quickly.

It only saves time: without it, or after a change of the code, the events alone make the same table.
"""

import contextlib
import functools
from collections.abc import Container
from dataclasses import dataclass

from fifthstreet import cache
from fifthstreet.errors import InputError
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand_in_play import Hand
from fifthstreet.web.refusals import Damaged
from fifthstreet.web.store import REPAIR, Store
from fifthstreet.web.table import Plan, Table

EVERY = 50  # hands


@functools.cache
def code() -> str:
    """A hash of the code that a memory depends on."""
    return cache.key(__file__)


def keep_memory(store: Store, place: str, table: Table, number: int, event: Json) -> None:
    """Remember the table before this event, with this number, if it starts a hand and it is time for that."""
    if event["kind"] == "hand" and table.hands and table.hands % EVERY == 0:
        with contextlib.suppress(InputError):  # there is no room for it: the next will do
            store.add_memory(place, number, code(), table.memory())


@dataclass
class Opened:
    """A table as it was left."""

    table: Table
    events: int  # so far
    missing: list[tuple[int, Hand]]  # finished hands that are not in the list, by number


def open_table(store: Store, place: str, plan: Plan) -> Opened:
    """The table that the memory and the events after it make, or all events; Damaged if that is impossible."""
    try:
        return _opened(store, place, plan)
    except Damaged:
        raise
    except Exception as error:  # events without checksums, of an earlier version, can lead to any error
        raise Damaged(f"table {place!r} is damaged: its events cannot be played again; {REPAIR}") from error


def _opened(store: Store, place: str, plan: Plan) -> Opened:
    listed, found = store.hand_ids(place), store.memory(place, code())
    if found is not None and all(number in listed for number in range(1, found[1]["hands"] + 1)):
        first, memory = found
        events = store.events(place, first)
        if events:  # the first one starts a hand
            return _played(Table.from_memory(plan, memory), first, events, listed)
    return _played(Table(plan), 0, store.events(place), listed)


def _played(table: Table, first: int, events: list[Json], listed: Container[int]) -> Opened:
    missing = []
    for event in events:
        hand = table.hand_after(event)
        table.apply(event, hand)
        if hand is not None and hand.over and table.hands not in listed:
            missing.append((table.hands, hand))
    return Opened(table, first + len(events), missing)
