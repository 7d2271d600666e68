"""Stores of tables whose file was changed by something else, or was written by an earlier version."""

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fifthstreet.arena.salvage import mend
from fifthstreet.errors import InputError
from fifthstreet.web import checking, memory
from fifthstreet.web.drawing import FACES
from fifthstreet.web.host import Host
from fifthstreet.web.memory import open_table
from fifthstreet.web.store import MIGRATIONS, Store
from fifthstreet.web.table import Plan, Table

pytestmark = pytest.mark.usefixtures("fixed_deals")

PLANS = {
    "holdem": Plan("holdem:seats=3,stack=40", ("you",) * 3),
    "five-card-draw": Plan("five-card-draw:seats=3", ("you",) * 3, carry=False),
    "five-o": Plan("five-o", ("you", "you")),
    "poker-squares": Plan("poker-squares", ("you", "greedy"), practice=True),
}


def play(store: Store, name: str, plan: Plan, hands: int, seed: int = 1) -> None:
    """Play so many hands and a part of another, with everything else that happens at a table."""
    rng, table = random.Random(seed), Table(plan)
    store.add_table(name, plan.to_json(), {"token": 0})
    room = Host(store)._room(name, table, 0)
    if table.free:
        room.commit({"kind": "joined", "chair": 1, "token": "new"})
        room.commit({"kind": "stand_in", "chair": 0, "agent": "random"})
    while True:
        if table.has_chips and plan.carry and min(table.stacks) <= 0:
            room.commit(table.rebuy())
        room.commit(table.next_hand())
        while table.hand is not None and not table.hand.over:
            choices = table.hand.game.choices(table.hand.state)
            room.commit({"kind": "act", "action": int(choices[rng.randrange(min(3, len(choices)))]), "thought": None})
            if plan.practice and rng.random() < 0.2 and not table.hand.over:
                room.commit(table.undo(0))
            if table.hands > hands and len(table.hand.steps) > 1:
                return
        if table.alone:
            room.commit({"kind": "rival", "chair": 1, "score": 12.0})
        verdict = {"hand": table.hands, "step": 0, "chair": 0, "agent": "eva", "phase": "preflop", "yours": "call"}
        room.commit({"kind": "judged", **verdict, "cost": 0.5, "theirs": "fold", "unit": "chips"})


def state(table: Table) -> Any:
    """All that a table is."""
    hand = table.hand
    assert hand is not None
    now = (hand.state, hand.changes, hand.deal, [step.to_json() for step in hand.steps])
    people = (table.stand_ins, table.joined)
    return table.hands, table.stacks, table.results, table.judged, table.opening, table.rivals, people, now


def opened(store: Store, name: str) -> Table:
    found = store.table(name)
    assert found is not None
    return open_table(store, name, Plan.from_json(found[0])).table


def test_all_games_are_tried() -> None:
    assert PLANS.keys() == FACES.keys()


@pytest.mark.parametrize("game", PLANS)
def test_a_memory_changes_nothing(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it and the events after it make is what all events make; without a good one, these are played."""
    monkeypatch.setattr(memory, "EVERY", 2)
    store, applied = Store(":memory:"), [0]
    play(store, "t", PLANS[game], 5)
    applying = Table.apply

    def apply(self: Table, *given: Any) -> None:
        applied[0] += 1
        applying(self, *given)

    monkeypatch.setattr(Table, "apply", apply)

    def cost() -> tuple[Any, int]:
        applied[0] = 0
        return state(opened(store, "t")), applied[0]

    quick, few = cost()
    database = store._database
    content = database.execute("SELECT * FROM memories").fetchall()
    for spoil in (
        "UPDATE memories SET body = replace(body, '0', '1')",
        "UPDATE memories SET key = 'another'",
        "UPDATE memories SET number = number + 1",
        "UPDATE memories SET checksum = NULL",
        "DELETE FROM memories",
    ):
        database.execute(spoil)
        slow, all_of_them = cost()
        assert slow == quick and all_of_them == len(store.events("t")) > few
        database.execute("DELETE FROM memories")
        database.executemany("INSERT INTO memories VALUES (?, ?, ?, ?, ?)", content)
    assert cost() == (quick, few)
    database.execute("DELETE FROM hands WHERE number = 2")
    assert cost() == (quick, len(store.events("t")))  # it is found again among all events


def test_a_table_opens_as_quickly_after_many_hands() -> None:
    store, plan = Store(":memory:"), Plan("holdem:seats=2", ("you", "you"), carry=False)
    table = Table(plan)
    store.add_table("t", plan.to_json(), {"token": 0})
    room = Host(store)._room("t", table, 0)
    for _ in range(260):
        room.commit(table.next_hand())
        assert table.hand is not None
        room.commit({"kind": "act", "action": table.face.action(table.game, table.hand.view(0), {"move": "fold"})})
    found = store.memory("t", memory.code())
    assert found is not None and found[1]["hands"] == 250
    assert len(store.events("t", found[0])) == 20
    assert state(opened(store, "t")) == state(table)


def earlier(place: Path, source: Store) -> None:
    """Write the tables of a store as the first version did."""
    database = sqlite3.connect(place)
    database.executescript(MIGRATIONS[0])
    for name, count in (("tables", 4), ("events", 3), ("hands", 6)):
        marks = ", ".join("?" * count)
        rows = [row[:count] for row in source._database.execute(f"SELECT * FROM {name}")]
        database.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
    database.execute("PRAGMA user_version = 1")
    database.commit()
    database.close()


def test_a_store_of_an_earlier_version_opens_and_goes_on(tmp_path: Path) -> None:
    source = Store(":memory:")
    for game, plan in PLANS.items():
        play(source, game, plan, 2)
    earlier(tmp_path / "old.sqlite", source)
    for _ in range(2):  # once it is brought up to date
        store = Store(tmp_path / "old.sqlite")
        assert checking.check(store) == checking.check(source) == checking.Health(4, 0, 8, 0, "")
        for game in PLANS:
            assert state(opened(store, game)) == state(opened(source, game))
            assert store.summaries(game) == source.summaries(game)
        assert not store.expired(1)
        store.close()
    store = Store(tmp_path / "old.sqlite")
    table = opened(store, "five-o")
    assert table.hand is not None
    event = {"kind": "act", "action": int(table.hand.game.choices(table.hand.state)[0])}
    store.add_event("five-o", len(store.events("five-o")), event)
    assert len(store.events("five-o")) == len(source.events("five-o")) + 1
    last = len(store.events("five-o")) - 1
    store._database.execute("DELETE FROM events WHERE \"table\" = 'five-o' AND number = ?", (last,))
    store._database.execute("UPDATE events SET body = '{' WHERE \"table\" = 'holdem' AND number = 3")
    for game in ("five-o", "holdem"):
        with pytest.raises(InputError, match="is damaged"):
            opened(store, game)
    assert state(opened(store, "poker-squares")) == state(opened(source, "poker-squares"))
    store.close()


SPOILS = {
    "changed": "UPDATE events SET body = replace(body, '\"kind\":', '\"kind\": ') WHERE number = 12",
    "missing": "DELETE FROM events WHERE number = 12",
    "moved": "UPDATE events SET number = 1000 WHERE number = 12",
    "end": "DELETE FROM events WHERE number >= 12",
}


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("game", ["five-card-draw", "five-o"])
def test_a_changed_row_is_reported_and_the_rest_is_kept(spoil: str, game: str) -> None:
    store = Store(":memory:")
    play(store, "t", PLANS[game], 3)
    was, count = state(opened(store, "t")), len(store.events("t"))
    payoffs = [one["payoffs"] for one in store.summaries("t")]
    store._database.execute("DELETE FROM memories")
    store._database.execute(SPOILS[spoil])
    with pytest.raises(InputError, match=f"12 of its {count} events are as they were written"):
        opened(store, "t")
    assert checking.check(store, repair=True) == checking.Health(0, 1, 3, 0, "")
    assert checking.check(store) == checking.Health(1, 0, 3, 0, "")
    assert opened(store, "t").results == was[2]  # every finished hand; what was played of the fourth is lost
    assert [one["payoffs"] for one in store.summaries("t")] == payoffs


def test_flipped_bits_never_make_another_table(tmp_path: Path) -> None:
    """Whatever bit is changed in the file, everything is as before, or refused in a sentence."""
    whole, place = tmp_path / "whole.sqlite", tmp_path / "damaged.sqlite"
    source = Store(whole)
    for game in ("holdem", "five-card-draw"):
        play(source, game, PLANS[game], 2)
    states = {game: state(opened(source, game)) for game in source.places()}
    bodies = {one["id"]: source.hand(one["id"]) for game in states for one in source.summaries(game)}
    lines = {one["id"]: one for game in states for one in source.summaries(game)}
    source.close()
    content, rng, told = whole.read_bytes(), random.Random(1), 0

    def sentence(error: InputError) -> int:
        assert len(str(error)) <= 300 and "\n" not in str(error), error
        return 1

    def as_before(store: Store) -> int:
        """How much is refused; everything else is as it was."""
        refused = 0
        for game, was in states.items():
            try:
                found = store.table(game)
                if found is not None:
                    assert found[1] == {"token": 0}
                    assert state(open_table(store, game, Plan.from_json(found[0])).table) == was
                assert all(lines[one["id"]] == one for one in store.summaries(game))
            except InputError as error:
                refused += sentence(error)
        for id, body in bodies.items():
            try:
                assert store.hand(id) in (body, None)
            except InputError as error:
                refused += sentence(error)
        return refused

    for n in range(300):
        damaged = bytearray(content)
        for _ in range(rng.choice((1, 1, 8))):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        for other in tmp_path.glob("damaged.sqlite*"):
            other.unlink()
        try:
            if n % 8 == 0:
                place.write_bytes(damaged)
                store = Store(place)
            else:  # without waiting for the disk
                store = Store(":memory:")
                damaged[18:20] = b"\1\1"  # a database in memory has no log
                store._database.deserialize(bytes(damaged))
        except InputError as error:
            told += sentence(error)
            continue
        try:
            told += as_before(store)
            try:
                checking.check(store, repair=True)
            except InputError as error:
                told += sentence(error)
            for game in states:
                try:
                    again = opened(store, game) if store.table(game) else None
                    assert again is None or all(result in states[game][2] for result in again.results)
                except InputError as error:
                    sentence(error)
        finally:
            store.close()
    assert told > 50


def test_a_bad_page_costs_only_what_was_on_it(tmp_path: Path) -> None:
    """Pages are overwritten, the first ones too, without which SQLite reads nothing at all."""
    whole, place = tmp_path / "whole.sqlite", tmp_path / "damaged.sqlite"
    source = Store(whole)
    for name in ("a", "b", "c"):
        play(source, name, PLANS["five-card-draw"], 8)
    states = {name: state(opened(source, name)) for name in source.places()}
    hands = {one["id"]: one["payoffs"] for name in states for one in source.summaries(name)}
    source.close()
    content, rng = whole.read_bytes(), random.Random(1)
    kept = {"tables": 0, "hands": 0}
    last = len(content) // 4096
    assert last > 15
    pages = [0, 1, 2, 3, *rng.sample(range(4, last), 8)]
    for page in pages:
        for other in tmp_path.glob("damaged.sqlite*"):
            other.unlink()
        place.write_bytes(content[: 4096 * page] + rng.randbytes(4096) + content[4096 * (page + 1) :])
        aside = mend(place, Store)
        assert aside.stat().st_size == len(content)
        store = Store(place)
        checking.check(store, repair=True)
        assert checking.check(store).sound
        for name in store.places():
            table = opened(store, name)
            assert all(result in states[name][2] for result in table.results)
            kept["tables"] += state(table) == states[name]
        for id, payoffs in hands.items():
            body = store.hand(id)
            assert body is None or body["payoffs"] == payoffs
            kept["hands"] += body is not None
        store.close()
    assert kept["tables"] > 0.5 * 3 * len(pages) and kept["hands"] > 0.8 * 24 * len(pages)


def test_a_store_that_cannot_be_opened_is_repaired_by_the_command(tmp_path: Path) -> None:
    place = tmp_path / "tables.sqlite"
    store = Store(place)
    play(store, "a", PLANS["five-o"], 2)
    store.close()
    place.write_bytes(b"\0" * 4096 + place.read_bytes()[4096:])
    command = [sys.executable, "-m", "fifthstreet", "tables", "check", "--store", str(place)]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1 and "--repair" in refused.stderr
    told = subprocess.run([*command, "--repair"], capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    assert f"1 tables and 2 hands were copied to a new file; the damaged one is kept as '{place}" in told.stdout
    other = tmp_path / "other"
    other.write_bytes(b"something else" * 1000)
    with pytest.raises(InputError, match="there is no row in it"):
        mend(other, Store)
    assert other.read_bytes() == b"something else" * 1000


def test_a_description_of_the_rows_that_lost_a_column_is_reported(tmp_path: Path) -> None:
    place = tmp_path / "tables.sqlite"
    with closing(Store(place)) as store:
        store.add_hand("a hand", "a table", 1, {}, {})
    database = sqlite3.connect(place)
    database.execute("PRAGMA writable_schema = ON")
    database.execute("UPDATE sqlite_master SET sql = replace(sql, ', body_checksum TEXT', '') WHERE name = 'hands'")
    database.commit()
    database.close()
    with closing(Store(place)) as store, pytest.raises(InputError, match="no such column"):
        store.hand_texts("a table")


def test_an_error_that_quotes_damaged_text_is_reported(tmp_path: Path) -> None:
    """SQLite's own sentence then is not UTF-8, and Python raises an error of another kind."""
    place = tmp_path / "tables.sqlite"
    Store(place).close()
    with closing(sqlite3.connect(place)) as database:
        database.execute("CREATE TRIGGER no BEFORE INSERT ON hands BEGIN SELECT RAISE(FAIL, 'xx'); END")
        database.execute("PRAGMA writable_schema = ON")
        bad = b"CREATE TRIGGER no BEFORE INSERT ON hands BEGIN SELECT RAISE(FAIL, '\xcc\xff'); END"
        database.execute("UPDATE sqlite_master SET sql = CAST(? AS TEXT) WHERE name = 'no'", (bad,))
        database.commit()
    with closing(Store(place)) as store, pytest.raises(InputError, match="cannot be stored"):
        store.add_hand("a hand", "a table", 1, {}, {})
