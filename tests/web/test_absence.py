"""Seats whose people are not there: an agent plays for them, they come back, and others watch or sit down."""

import json
from pathlib import Path
from typing import Any

import pytest

from support_web import Player, Served, serving

pytestmark = pytest.mark.usefixtures("fixed_deals")


def friends(server: Served, **more: Any) -> Any:
    """A table of two people and an agent at hold'em."""
    return server.open("holdem", "you", "you", "call-station", **more)


def play(player: Player, hands: int) -> None:
    while not (player.turn()["over"] and player.last["hand"] == hands):
        if player.last["over"]:
            player.next_hand()
        else:
            player.act({"move": "call"})


def call_in_turn(*players: Player) -> None:
    """Play a hand to its end, with the players in the first chairs."""

    def theirs(picture: Any) -> bool:
        return picture["over"] or any(seat["to_act"] for seat in picture["seats"][: len(players)])

    first = players[0]
    while not first.until(theirs)["over"]:
        now = moment(first.last)
        acting = next(players[seat["seat"]] for seat in first.last["seats"] if seat["to_act"])
        while moment(acting.last) != now:
            acting.next_picture()
        acting.act({"move": "call"})
        while moment(first.last) == now:
            first.next_picture()


def moment(picture: Any) -> tuple[int, int]:
    return picture["hand"], picture["number"]


def test_an_agent_plays_for_a_friend_who_never_comes(server: Served) -> None:
    owner = server.sit(friends(server, absent_s=0, stand_in="call-station"))
    play(owner, 2)
    seat = owner.last["seats"][1]
    assert (seat["person"], seat["stand_in"], seat["absent"]) == (True, "call-station", True)
    listed = server.get(f"/api/tables/{owner.last['id']}/hands")
    assert [hand["chairs"] for hand in listed] == [["you", "call-station", "call-station"]] * 2  # no person's


def test_the_owner_need_not_wait_and_nobody_else_may_ask(server: Served) -> None:
    table = friends(server, absent_s=None)
    friend = server.sit(table, 1)
    assert "only if the one who opened the table" in friend.refused(type="stand_in", seat=0)
    friend.socket.close()
    owner = server.sit(table)
    owner.turn()
    owner.act({"move": "call"})
    waits = owner.until(lambda picture: picture["seats"][1]["to_act"] and picture["seats"][1]["absent"])
    assert waits["may"]["stand_in"] == [1] and waits["stand_in"] == "tight-aggressive"
    for wrong in (0, 2, 7, "1", True, None):
        assert "no agent may take over" in owner.refused(type="stand_in", seat=wrong)
    owner.send(type="stand_in", seat=1)
    taken = owner.until(lambda picture: picture["seats"][1]["stand_in"])
    assert taken["may"]["stand_in"] == []
    play(owner, 1)


def test_who_leaves_in_turn_is_replaced_too(server: Served) -> None:
    table = friends(server, absent_s=0, stand_in="call-station")
    owner, friend = server.sit(table), server.sit(table, 1)
    owner.turn()
    owner.act({"move": "call"})
    friend.turn()
    friend.socket.close()
    assert owner.until(lambda picture: picture["seats"][1]["stand_in"])["seats"][1]["absent"]
    play(owner, 1)


def test_whoever_comes_back_has_the_seat_again_also_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.sqlite") as server:
        table = friends(server, absent_s=0, stand_in="call-station")
        owner = server.sit(table)
        play(owner, 1)
    with serving(tmp_path / "tables.sqlite") as server:
        owner = server.sit(table)
        assert owner.last["seats"][1]["stand_in"] == "call-station" and owner.last["hand"] == 1
        friend = server.sit(table, 1)
        assert friend.last["seats"][1]["stand_in"] is None
        owner.until(lambda picture: not picture["seats"][1]["absent"])
        owner.next_hand()
        call_in_turn(owner, friend)
        assert owner.last["seats"][1]["stand_in"] is None
    with serving(tmp_path / "tables.sqlite") as server:
        assert server.sit(table).last["seats"][1]["stand_in"] is None


def test_seats_are_known_after_a_long_evening_too(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.sqlite") as server:
        table = server.open("holdem", "you", "you", stacks="reset", absent_s=0, stand_in="call-station")
        taken = server.post(f"/api/tables/{table['table']}/seat", {})
        owner = server.sit(table)
        for _ in range(53):
            while owner.turn()["choices"]:
                owner.act({"move": "fold" if owner.last["choices"]["fold"] else "call"})
            owner.next_hand()
    with serving(tmp_path / "tables.sqlite") as server:
        assert server.sit(table).last["seats"][1]["stand_in"] == "call-station"
        assert refused_seat(server, table["table"], table["seats"][1]["token"]) == "no_seat"
        assert server.sit({"table": table["table"], "seats": [taken]}, 1).last["seats"][1]["stand_in"] is None


def test_the_seat_of_a_friend_is_taken_once_also_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.sqlite") as server:
        table, taken = seat_taken(server)
    with serving(tmp_path / "tables.sqlite") as server:
        assert server.sit({"table": table["table"], "seats": [taken]}, 1).last["you"] == 1
        assert refused_seat(server, table["table"], table["seats"][1]["token"]) == "no_seat"


def refused_seat(server: Served, table: str, token: str) -> str:
    socket = server.connect()
    socket.send(json.dumps({"type": "sit", "table": table, "token": token}))
    return str(json.loads(socket.recv())["code"])


def seat_taken(server: Served) -> tuple[Any, Any]:
    """A table and a seat at it that somebody took who was not invited."""
    table = friends(server, absent_s=None)
    passerby = Player(server.connect(), table["table"])
    assert passerby.last["spectator"] and passerby.last["may"]["sit"]
    taken = server.post(f"/api/tables/{table['table']}/seat", {})
    assert taken["seat"] == 1 and taken["token"] != table["seats"][1]["token"]
    assert server.sit({"table": table["table"], "seats": [taken]}, 1).last["you"] == 1
    assert not passerby.until(lambda picture: not picture["may"]["sit"])["may"]["sit"]
    assert "no seat is free" in server.refused(f"/api/tables/{table['table']}/seat", {})
    # The link that was sent before gives no second seat.
    assert refused_seat(server, table["table"], table["seats"][1]["token"]) == "no_seat"
    return table, taken


def test_a_spectator_changes_nothing(server: Served) -> None:
    table = server.open("five-o", "you", "greedy-2")
    passerby = Player(server.connect(), table["table"])
    assert passerby.last["may"] == {"next": False, "rebuy": False, "undo": False, "stand_in": [], "sit": False}
    for kind in ("act", "next", "undo", "rebuy", "coach", "speed", "auto", "stand_in"):
        assert "you watch this table" in passerby.refused(type=kind)
    assert "no seat is free" in server.refused(f"/api/tables/{table['table']}/seat", {})
    assert "there is no table" in server.refused("/api/tables/nowhere/seat", {})
    crowd = [Player(server.connect(), table["table"]) for _ in range(7)]
    assert crowd
    socket = server.connect()
    socket.send(json.dumps({"type": "watch", "table": table["table"]}))
    assert "watch this table already" in json.loads(socket.recv())["text"]
    assert server.sit(table).last["you"] == 0


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"absent_s": -1}, "from 0 to"),
        ({"absent_s": "soon"}, "from 0 to"),
        ({"absent_s": True}, "from 0 to"),
        ({"stand_in": "./mine.py:Mine"}, "is not an agent"),
        ({"stand_in": 3}, "is not the name of an agent"),
    ],
)
def test_wrong_wishes_are_refused(server: Served, wrong: Any, why: str) -> None:
    assert why in server.refused("/api/tables", {"game": "holdem", "seats": ["you", "you"], **wrong})
