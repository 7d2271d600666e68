"""Is everything in a store of tables as it was written? Each table is played again and compared with its hands."""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fifthstreet.web.drawing.face import Json
from fifthstreet.web.finished_hands import hand_from, keep
from fifthstreet.web.hand_in_play import Hand
from fifthstreet.web.store import IMPORTED, Store
from fifthstreet.web.table import Plan, Table


@dataclass(frozen=True)
class Health:
    """What a check of a store of tables found."""

    tables: int  # that can be played on
    damaged_tables: int  # whose events do not follow the rules of the game, or cannot be read
    hands: int  # that can be read, and are what the events of their table say
    damaged_hands: int  # that are not, or are missing from the list
    structure: str  # what SQLite finds wrong with the file itself; empty if nothing

    @property
    def sound(self) -> bool:
        return not (self.damaged_tables or self.damaged_hands or self.structure)

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "sound": self.sound}


def check(store: Store, repair: bool = False) -> Health:
    """Count what is good and what is damaged.

    `repair` writes damaged hands again from the events of their table, and drops damaged imported hands.
    """
    tables = damaged_tables = hands = damaged_hands = 0
    for place in store.places():
        found = _played(store, place)
        if found is None:
            damaged_tables += 1
            continue
        tables += 1
        table, finished = found
        listed = dict(store.hand_texts(place))
        for number, hand in finished.items():
            good = [id for id, (of, text) in listed.items() if of == number and _same(text, hand)]
            hands, damaged_hands = hands + bool(good), damaged_hands + (not good)
            if repair and not good:
                with store.transaction():
                    store.drop_hands([id for id, (of, _) in listed.items() if of == number])
                    keep(store, place, number, table, hand)
    imported = {id: _same(text) for id, (_, text) in store.hand_texts(IMPORTED)}
    if repair:
        store.drop_hands([id for id, good in imported.items() if not good])
    good_ones = sum(imported.values())
    hands, damaged_hands = hands + good_ones, damaged_hands + len(imported) - good_ones
    return Health(tables, damaged_tables, hands, damaged_hands, store.structure())


def _played(store: Store, place: str) -> tuple[Table, dict[int, Hand]] | None:
    """A table as its events make it, with its finished hands by number; None if they are damaged."""
    with suppress(Exception):  # damaged JSON can lead to any error, in any part of the rules
        found = store.table(place)
        assert found is not None
        table, finished = Table(Plan.from_json(found[0])), {}
        for event in store.events(place):
            hand = table.hand_after(event)
            table.apply(event, hand)
            if hand is not None and hand.over:
                finished[table.hands] = hand
        return table, finished
    return None


def _same(text: str, hand: Hand | None = None) -> bool:
    """Whether a stored hand can be played again, with its payoffs or those of this hand."""
    with suppress(Exception):
        body: Json = json.loads(text)
        again = hand_from(body)
        if hand is None:
            return again.over
        actions = [[step.action for step in one.steps] for one in (again, hand)]
        payoffs = {int(chair): won for chair, won in body["payoffs"].items()}
        return again.deal == hand.deal and actions[0] == actions[1] and payoffs == hand.payoffs()
    return False
