"""A real server process, killed with SIGKILL in mid-hand and started again: every table goes on where it was."""

import signal
from pathlib import Path
from typing import Any

from support_web import process

KEPT = ("hand", "number", "phase", "board", "five_o", "squares", "deal", "choices", "log", "session", "pot")


def seen(picture: Any) -> Any:
    seats = [{key: seat.get(key) for key in ("stack", "bet", "cards", "folded", "dealer")} for seat in picture["seats"]]
    return {key: picture.get(key) for key in KEPT} | {"seats": seats}


def test_nothing_is_lost_by_a_kill_in_mid_hand(tmp_path: Path) -> None:
    place = tmp_path / "tables.sqlite"
    setups: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
        ("holdem", ("you", "tight-aggressive", "call-station"), {"stack": 500}),
        ("five-card-draw", ("you", "loose-aggressive", "tight-passive"), {}),
        ("five-o", ("you", "greedy-2"), {}),
        ("poker-squares", ("you", "greedy"), {}),
    ]
    tables, before, hands = [], [], []
    with process(place) as (server, run):
        for game, seats, options in setups:
            table = server.open(game, *seats, options=options)
            player = server.sit(table)
            player.play_hand()
            player.next_hand()
            player.turn()
            while player.last["over"]:  # everybody else folded
                player.next_hand()
                player.turn()
            tables.append(table)
            before.append(seen(player.last))
            hands.append([hand["id"] for hand in server.get(f"/api/tables/{table['table']}/hands")])
        thinking = server.open("five-o", "greedy-2", "monte-carlo:samples=2000")  # killed while agents play
        watcher = server.sit(thinking)
        watcher.until(lambda picture: picture["number"] >= 5)
        run.send_signal(signal.SIGKILL)
        run.wait()
    with process(place) as (server, _):
        for table, was, finished in zip(tables, before, hands, strict=True):
            player = server.sit(table)
            assert seen(player.turn()) == was
            assert [hand["id"] for hand in server.get(f"/api/tables/{table['table']}/hands")] == finished
            end = player.play_hand()
            assert end["deal"]["hash"] == was["deal"]["hash"]
            listed = server.get(f"/api/tables/{table['table']}/hands")
            assert len(listed) == len(finished) + 1 and listed[-1]["number"] == was["hand"]
            player.next_hand()
        watcher = server.sit(thinking)
        assert watcher.last["number"] >= 5 or watcher.last["hand"] > 1
        watcher.until(lambda picture: picture["over"])
