"""Is everything in a store of tables as it was written? Each table is played again and compared with its hands."""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fifthstreet.web.drawing.face import Json
from fifthstreet.web.finished_hands import hand_from, keep
from fifthstreet.web.hand_in_play import Hand
from fifthstreet.web.store import IMPORTED, Listed, Store
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

    `repair` writes damaged hands again from the events of their table, and damaged events from its hands. What both
    have lost, and damaged imported hands, it drops.
    """
    structure = store.structure()
    if repair and structure:
        store.reindex()
    tables = damaged_tables = hands = damaged_hands = 0
    for place, row in store.places().items():
        found, listed = _played(store, place), store.hand_texts(place)
        if found is None:
            damaged_tables += 1
            good_ones = sum(_same(text) for _, text in listed.values())
            hands, damaged_hands = hands + good_ones, damaged_hands + len(listed) - good_ones
            if repair:
                with store.transaction():
                    _mend(store, place, row, listed)
                found, listed = _played(store, place), store.hand_texts(place)
        else:
            tables += 1
            for number, hand in found[1].items():
                good = any(of == number and _same(text, hand) for of, text in listed.values())
                hands, damaged_hands = hands + good, damaged_hands + (not good)
        if repair and found is not None:
            _write_again(store, place, *found, listed)
    imported = {row: _same(text) for row, (_, text) in store.hand_texts(IMPORTED).items()}
    if repair:
        store.drop_hands(row for row, good in imported.items() if not good)
    good_ones = sum(imported.values())
    hands, damaged_hands = hands + good_ones, damaged_hands + len(imported) - good_ones
    return Health(tables, damaged_tables, hands, damaged_hands, structure)


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


def _write_again(store: Store, place: str, table: Table, finished: dict[int, Hand], listed: Listed) -> None:
    """Write those finished hands that are damaged or missing."""
    for number, hand in finished.items():
        if not any(of == number and _same(text, hand) for of, text in listed.values()):
            with store.transaction():
                store.drop_hands(row for row, (of, _) in listed.items() if of == number)
                keep(store, place, number, table, hand)


def _mend(store: Store, place: str, row: int, listed: Listed) -> None:
    """Make a table again from its events up to the first damage, and from the hands that were finished later."""
    try:
        found = store.table(place)
        assert found is not None
        table = Table(Plan.from_json(found[0]))
    except Exception:  # nobody could sit down there any more
        store.forget_table(place, row)
        return
    events: list[Json] = []
    start = before = 0
    with suppress(Exception):  # the rules may refuse damaged events of a store without checksums
        for event in store.good_events(place)[0]:
            hand = table.hand_after(event)
            if event["kind"] == "hand":
                start, before = len(events), table.hands
            table.apply(event, hand)
            events.append(event)
    if table.hand is not None and table.hand.over:
        start, before = len(events), table.hands
    after = {row: hand for row, hand in listed.items() if hand[0] > before}
    later = sorted((of, row) for row, (of, text) in after.items() if _same(text))
    if later:  # the hand in which the damage is was finished, or others after it
        events = events[:start]
    for number, (_, row) in enumerate(later, before + 1):
        events += _events_of(json.loads(after.pop(row)[1] or "{}"))
        store.renumber(row, number)
    store.drop_hands(after)
    store.replace_events(place, events)


def _events_of(body: Json) -> list[Json]:
    """The events that make this finished hand."""
    steps, deal = body["steps"], body["deal"]
    first = 0 if deal["branch"] is None else deal["branch"]["step"]
    begin = {"kind": "hand", "deal": deal, "before": [step["action"] for step in steps[:first]]}
    acts = [
        {"kind": "act", "action": step["action"], "thought": step["thought"]}
        | ({"failed": step["failed"]} if step["failed"] else {})
        for step in steps[first:]
    ]
    return [begin, *acts]


def _same(text: str | None, hand: Hand | None = None) -> bool:
    """Whether a stored hand can be played again, with its payoffs or those of this hand."""
    with suppress(Exception):
        assert text is not None
        body: Json = json.loads(text)
        again = hand_from(body)
        if hand is None:
            return again.over
        actions = [[step.action for step in one.steps] for one in (again, hand)]
        payoffs = {int(chair): won for chair, won in body["payoffs"].items()}
        return again.deal == hand.deal and actions[0] == actions[1] and payoffs == hand.payoffs()
    return False
