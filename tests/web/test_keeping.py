"""Tables as events: the same events make the same table, and what cannot be kept does not happen."""

import asyncio
import functools
import itertools
import json
import subprocess
import sys
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from websockets.exceptions import ConnectionClosed

from fifthstreet.arena.play import Record, Step, replay
from fifthstreet.errors import InputError
from fifthstreet.games.game import CHANCE
from fifthstreet.naming import spec_of
from fifthstreet.rng import stream
from fifthstreet.web import checking
from fifthstreet.web import host as host_module
from fifthstreet.web import room as room_module
from fifthstreet.web import store as store_module
from fifthstreet.web.hand_in_play import Deal, Hand
from fifthstreet.web.host import Host
from fifthstreet.web.room import Room
from fifthstreet.web.store import IMPORTED, Store
from fifthstreet.web.table import Plan, Table
from support_web import Served, serving

from support import Failing

pytestmark = pytest.mark.usefixtures("fixed_deals")


@pytest.mark.parametrize(
    ("name", "seats", "stacks"),
    [
        ("holdem:seats=3", 3, (200,) * 3),
        ("five-card-draw", 5, (10_000,) * 5),
        ("five-o", 2, ()),
        ("poker-squares", 1, ()),
    ],
)
def test_a_hand_at_the_table_is_a_record_of_the_arena(name: str, seats: int, stacks: tuple[int, ...]) -> None:
    """Its cards, seats and actions are accepted by the arena's own replay, with the same payoffs."""
    for seed in range(5):
        hand, rng = Hand(Deal(name, tuple(range(seats)), stacks, f"{seed:032x}")), stream(seed, "choices")
        steps: list[Step] = []
        state, dealt = hand.game.start(), 0
        while not hand.over:
            choices = hand.game.choices(hand.state)
            hand.act(choices[rng.below(min(3, len(choices)))])
        for done in [*hand.steps, None]:
            while hand.game.to_act(state) == CHANCE:
                steps.append(Step(CHANCE, hand.deck[dealt]))
                state, dealt = hand.game.after(state, hand.deck[dealt]), dealt + 1
            if done is not None:
                steps.append(Step(done.chair, done.action))
                state = hand.game.after(state, done.action)
        payoffs = tuple(won for _, won in sorted(hand.payoffs().items()))
        *_, end = replay(Record(spec_of(hand.game), tuple(steps), payoffs))
        assert end == hand.state


def test_the_same_events_make_the_same_table() -> None:
    plan = Plan("poker-squares", ("you", "greedy"), practice=True)
    events: list[Any] = []
    table, rng = Table(plan), stream(1, "x")
    store = Store(":memory:")
    store.add_table("t", plan.to_json(), {"token": 0})

    def happen(event: Any) -> None:
        store.add_event("t", len(events), event)
        events.append(event)
        table.apply(event)

    for _ in range(2):
        happen(table.next_hand())
        assert table.hand is not None
        while not table.hand.over:
            free = table.hand.face.choices(table.hand.game, table.hand.view(0))["cells"]
            happen({"kind": "act", "action": free[rng.below(len(free))]})
            if rng.random() < 0.3 and not table.hand.over:
                happen(table.undo(0))
        happen({"kind": "rival", "chair": 1, "score": 40})
    again = Table(Plan.from_json(store.table("t")[0]))  # type: ignore[index]
    for event in store.events("t"):
        again.apply(event)
    assert again.hand is not None and table.hand is not None
    assert again.results == table.results and again.hand.state == table.hand.state and again.rivals == table.rivals
    assert again.hand.changes == table.hand.changes > 25
    with pytest.raises(InputError, match="UNIQUE"):
        store.add_event("t", 0, events[0])  # no event is there twice


def test_what_cannot_be_kept_does_not_happen(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as server:
        player = server.sit(server.open("five-o", "you", "greedy-2"))
        player.turn()

        def full(*_: Any) -> None:
            raise InputError("nothing was changed, because it cannot be stored: the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(Store, "add_event", full)
            sentence = player.refused(type="act", hand=1, number=0, action={"column": 0})
            assert "the disk is full" in sentence
            assert player.last["number"] == 0
        player.act({"column": 0})
        assert player.until(lambda picture: picture["number"] == 2)["choices"]  # and it goes on


def test_nothing_is_shown_before_the_disk_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready, waiting = threading.Event(), threading.Event()
    saving = store_module._to_disk

    def slow(log: BinaryIO) -> None:
        waiting.set()
        assert ready.wait(30)
        saving(log)

    ready.set()
    with serving(tmp_path / "tables.sqlite") as server:
        player = server.sit(server.open("five-o", "you", "you"))
        player.turn()
        monkeypatch.setattr(store_module, "_to_disk", slow)
        ready.clear()
        waiting.clear()
        player.send(type="act", hand=1, number=0, action={"column": 0})
        assert waiting.wait(30)
        with suppress(TimeoutError):
            while True:  # what was saved earlier
                assert json.loads(player.socket.recv(timeout=0.3))["number"] == 0
        ready.set()
        assert player.until(lambda picture: picture["number"] == 1)


def test_an_agent_whose_action_cannot_be_kept_acts_when_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, full = Store.add_event, [True]

    def sometimes(self: Store, table: str, number: int, event: Any) -> None:
        if full and event["kind"] == "act" and "thought" in event:
            full.clear()
            raise InputError("nothing was changed, because it cannot be stored: the disk is full")
        kept(self, table, number, event)

    monkeypatch.setattr(Store, "add_event", sometimes)
    with serving() as server:
        table = server.open("five-o", "you", "greedy-2")
        player = server.sit(table)
        player.turn()
        player.act({"column": 0})
        assert "the disk is full" in player.until(lambda picture: picture["trouble"])["trouble"]
        again = server.sit(table)  # whoever comes next lets it go on
        assert again.until(lambda picture: picture["number"] == 2)["trouble"] is None


def everything(store: Store, room: Room) -> Any:
    """All that is stored of a table, and the table as it is in memory."""
    hand, table = room.table.hand, room.table
    assert hand is not None
    listed = {one["number"]: one["payoffs"] for one in store.summaries(room.id)}
    memory = (table.hands, hand.changes, hand.over, list(table.stacks), dict(room.hand_ids))
    return store.events(room.id), listed, store.hand_ids(room.id), memory


@pytest.mark.parametrize("lasting", [False, True])
def test_any_write_may_fail(tmp_path: Path, lasting: bool) -> None:
    """The n-th statement fails, once or until somebody makes room, for every n: what is refused leaves no trace."""

    async def play(store: Store, disk: Failing) -> int:
        host, refusals = Host(store), 0

        def insist(step: Any) -> Any:
            """Try until it works; a refusal must have changed nothing."""
            nonlocal refusals
            before = everything(store, room) if room else store._rows("SELECT * FROM tables")
            for _ in range(2):
                disk.full = True
                try:
                    return step()
                except InputError as error:
                    assert "nothing was changed" in str(error) or "cannot be read" in str(error)
                    refusals += 1
                    disk.lasting = False  # somebody made room
                finally:
                    disk.full = False
                assert before == (everything(store, room) if room else store._rows("SELECT * FROM tables"))
            raise AssertionError("it is refused again, though nothing fails any more")

        room: Room | None = None
        room = host.rooms[insist(lambda: host.seat(Plan("holdem:seats=2,stack=20", ("you", "you"))))["table"]]
        fold, bet = {"move": "fold"}, {"move": "raise", "to": 4}
        for moves in ([fold], [bet, fold], [fold]):
            if room.table.hands != 1 or room.table.hand.over:  # type: ignore[union-attr]
                insist(room.begin)
            for move in moves:
                hand = room.table.hand
                assert hand is not None and hand.to_act is not None
                insist(functools.partial(room.act, hand.to_act, room.table.hands, hand.changes, move))
        events, listed, ids, memory = everything(store, room)
        assert [event["kind"] for event in events] == ["hand", "act", "hand", "act", "act", "hand", "act"]
        assert sorted(listed) == [1, 2, 3] and ids == memory[-1]
        again = Host(store)
        found = await again.find(room.id)
        assert everything(store, found) == (events, listed, ids, memory)
        return refusals

    async def fails_within(store: Store, disk: Failing) -> int:
        try:
            return await play(store, disk)
        finally:
            store.close()

    for n in itertools.count(1):
        store = Store(tmp_path / f"{n}.sqlite")
        store._database = disk = Failing(store._database, n, lasting)
        if asyncio.run(fails_within(store, disk)) == 0:
            break
    assert n > 20  # seven events and three hands, each with its statements


def test_hands_that_are_missing_from_the_list_are_rebuilt_from_the_events(tmp_path: Path) -> None:
    place = tmp_path / "tables.sqlite"
    with serving(place) as server:
        table = server.open("holdem", "you", "call-station", "random", options={"stack": 500})
        player = server.sit(table)
        for _ in range(4):
            player.play_hand()
            player.next_hand()
        address = f"/api/tables/{table['table']}/hands"
        listed = server.get(address)
        shown = [server.get(f"/api/hands/{hand['id']}") for hand in listed]
    store = Store(place)
    store._database.execute("DELETE FROM hands WHERE number IN (1, 3)")
    store.close()
    with serving(place) as server:
        server.sit(table)
        again = server.get(address)
        assert [hand["number"] for hand in again] == [hand["number"] for hand in listed]
        for old, new, was in zip(listed, again, shown, strict=True):
            assert {**old, "id": 0, "finished": 0} == {**new, "id": 0, "finished": 0}
            now = server.get(f"/api/hands/{new['id']}")
            assert json.dumps({**now, "id": 0}) == json.dumps({**was, "id": 0})


def test_damaged_hands_are_written_again_from_the_events(tmp_path: Path) -> None:
    place = tmp_path / "tables.sqlite"
    with serving(place) as server:
        player = server.sit(server.open("five-o", "you", "greedy-2"))
        for _ in range(3):
            player.play_hand()
            player.next_hand()
        server.open("five-o", "you", "greedy-2")
    store = Store(place)
    first, second = store.places()
    assert checking.check(store) == checking.Health(2, 0, 3, 0, "")
    before = [hand["payoffs"] for hand in store.bodies(first)]
    store._database.execute('UPDATE hands SET body = replace(body, \'"seed":"\', \'"seed":"f\') WHERE number = 1')
    store._database.execute("UPDATE hands SET body = x'7bff00' WHERE number = 2")
    store._database.execute("DELETE FROM hands WHERE number = 3")
    store._database.execute('UPDATE events SET body = \'{"kind": "hand"}\' WHERE "table" = ?', (second,))
    assert checking.check(store, repair=True) == checking.Health(1, 1, 0, 3, "")
    assert checking.check(store) == checking.Health(1, 1, 3, 0, "")
    assert [hand["payoffs"] for hand in store.bodies(first)] == before
    store.close()
    command = [sys.executable, "-m", "fifthstreet", "tables", "check", "--store", str(place)]
    told = subprocess.run(command, capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (1, "")
    assert told.stdout == "1 good tables, 1 damaged\n3 good hands, 0 damaged or missing\n"


def test_a_table_is_deleted_by_whoever_opened_it(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.sqlite") as server:
        table, other = server.open("five-o", "you", "you"), server.open("five-o", "you", "random")
        address = f"/api/tables/{table['table']}"
        player, friend = server.sit(table), server.sit(table, 1)
        staying = server.sit(other)
        hand = staying.play_hand()["hand_id"]
        for wrong in (None, {}, {"token": "x" * 32}, {"token": friend.token}):
            assert server.ask(address, wrong, method="DELETE")[0] in (400, 403)
        assert "no table" in server.refused("/api/tables/nothing", {"token": player.token}, method="DELETE")
        player.turn()
        assert server.ask(address, {"token": player.token}, method="DELETE") == (200, '{"deleted":true}')
        for someone in (player, friend):
            with pytest.raises(ConnectionClosed, match="this table was deleted"):
                while True:
                    someone.receive()
        assert "no table" in server.refused(f"{address}/hands")
        assert "no table" in server.refused(address, {"token": player.token}, method="DELETE")
        finished = f"/api/tables/{other['table']}"
        assert server.ask(finished, {"token": staying.token}, method="DELETE")[0] == 200
        assert "there is no hand" in server.refused(f"/api/hands/{hand}")
    with closing(Store(tmp_path / "tables.sqlite")) as store:
        assert store.places() == {}


def test_tables_where_nobody_was_for_long_expire() -> None:
    store = Store(":memory:")
    for name in ("played", "unplayed", "visited", "old"):
        store.add_table(name, Plan("five-o", ("you", "you")).to_json(), {"token": 0})
        if name != "unplayed":
            store.add_hand(f"hand at {name}", name, 1, {}, {})

    def back(days: float, *names: str) -> None:
        for name in names:
            store._database.execute("UPDATE tables SET visited = visited - ? WHERE id = ?", (days * 86_400, name))

    assert store.expired(365) == []
    for name, days in (("recent", 300), ("ancient", 400)):
        store.add_hand(name, IMPORTED, 0, {}, {})
        store._database.execute("UPDATE hands SET finished = finished - ? WHERE id = ?", (days * 86_400, name))
    back(8, "played", "unplayed", "visited")
    assert store.expired(365) == ["unplayed"] and store.expired(8.5) == ["unplayed"]
    back(400, "visited", "old")
    store.visit("visited")  # somebody came by
    host = Host(store)
    asyncio.run(host.expire(365))
    assert list(store.places()) == ["played", "visited"]
    assert [row[0] for row in store._rows('SELECT id FROM hands WHERE "table" = ?', IMPORTED)] == ["recent"]
    assert store.hand("hand at old") is None and store.hand("hand at played") == {}


def test_only_so_many_tables_and_listeners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_module, "MOST_ROOMS", 3)
    monkeypatch.setattr(room_module, "MOST_LISTENERS", 2)
    with serving() as server:
        tables = [server.open("five-o", "you", "greedy-2") for _ in range(5)]  # empty ones are put away
        players = [server.sit(table) for table in tables[2:]]
        asked = {"game": "five-o", "seats": ["you", "greedy-2"]}
        assert "no room for another" in server.refused("/api/tables", asked)
        second = server.sit(tables[2])
        third = server.connect()
        third.send(f'{{"type": "sit", "table": "{tables[2]["table"]}", "token": "{tables[2]["token"]}"}}')
        assert "2 are connected to this table already" in str(third.recv(timeout=30))
        for player in (*players, second):
            player.socket.close()
        wait_until_empty(server, asked)
        assert server.sit(tables[0]).turn()["number"] in (0, 1)  # what was put away is found again


def wait_until_empty(server: Served, asked: Any) -> None:
    """The server notices that somebody has left a moment later."""
    for _ in range(100):
        if server.ask("/api/tables", asked)[0] == 201:
            return
    raise AssertionError("nobody left")


def test_the_store_has_room_for_so_many_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fifthstreet.web.store.MOST_TABLES", 2)
    with serving() as server:
        server.open("five-o", "you", "greedy-2")
        server.open("five-o", "you", "greedy-2")
        assert "no room for more" in server.refused("/api/tables", {"game": "five-o", "seats": ["you", "random"]})
