"""Playing over real sockets: whole games, the deck that can be checked, resuming, undo, and what is refused."""

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fifthstreet.web.deck import deck_of
from support_web import Served, serving

pytestmark = pytest.mark.usefixtures("fixed_deals")


def test_the_deck_is_fixed_before_the_hand_and_can_be_checked(server: Served) -> None:
    player = server.sit(server.open("holdem", "you", "call-station", "tight-aggressive"))
    promised, own = player.last["deal"]["hash"], player.last["seats"][0]["cards"]
    end = player.play_hand()
    deal = end["deal"]
    assert deal["hash"] == promised
    assert hashlib.sha256(f"{deal['seed']} {deal['deck']}".encode()).hexdigest() == promised
    deck = [deal["deck"][i : i + 2] for i in range(0, 104, 2)]
    assert len(set(deck)) == 52
    assert deck[:2] == own  # in the first hand the first seat is to the left of the dealer
    assert end["board"] == deck[6 : 6 + len(end["board"])]
    assert "".join(deck) == "".join(map(str, _cards(deck_of(deal["seed"]))))
    player.next_hand()
    assert player.last["deal"]["hash"] != promised


def _cards(numbers: list[int]) -> list[str]:
    return ["23456789TJQKA"[number // 4] + "cdhs"[number % 4] for number in numbers]


@pytest.mark.parametrize("game", ["holdem", "five-card-draw"])
def test_chips_carry_over_and_none_are_lost(server: Served, game: str) -> None:
    player = server.sit(server.open(game, "you", "random", "random", options={"stack": 100}))
    dealers, bought = set(), 0
    for _ in range(8):
        player.play_hand()
        seats = player.last["seats"]
        dealers.add(next((seat["seat"] for seat in seats if seat["dealer"]), None))
        assert sum(seat["stack"] for seat in seats) == 100 * (3 + bought)
        assert sum(seat["won"] or 0 for seat in seats) == 0
        bought += 0 if player.last["may"]["next"] else sum(seat["stack"] == 0 for seat in seats)
        player.next_hand()
    assert len(dealers) > 1
    assert player.last["session"]["hands"] == 8


def test_who_is_broke_buys_in_again(server: Served) -> None:
    player = server.sit(server.open("holdem", "you", "call-station", options={"stack": 20}))
    while not player.last["may"]["rebuy"]:
        while player.turn()["choices"]:
            most = (player.last["choices"]["raise"] or {}).get("high")
            player.act({"move": "raise", "to": most} if most else {"move": "call"})
        if not player.last["may"]["rebuy"]:
            player.next_hand()
    assert not player.last["may"]["next"]
    assert "buy in again" in player.refused(type="next")
    player.send(type="rebuy")
    player.until(lambda picture: picture["may"]["next"])
    assert sorted(seat["stack"] for seat in player.last["seats"]) == [20, 40]
    assert player.refused(type="rebuy") == "everybody has chips"


def test_squares_in_practice_mode_take_placements_back(server: Served) -> None:
    player = server.sit(server.open("poker-squares", "you", "greedy", practice=True))
    first = player.last["squares"]["next"]
    player.act({"cell": 12})
    second = player.last["squares"]["next"]
    number = player.last["number"]
    player.send(type="undo")
    undone = player.until(lambda picture: picture["number"] != number)
    assert undone["squares"]["cells"][12] is None and undone["squares"]["next"] == first
    player.act({"cell": 0})
    assert player.last["squares"]["next"] == second  # the deck is fixed
    end = player.play_hand()
    assert end["seats"][0]["won"] == end["squares"]["total"]
    rival = player.until(lambda picture: picture["seats"][1]["score"] is not None)["seats"][1]["score"]
    assert isinstance(rival, int | float)
    assert "its cards are known" in player.refused(type="undo")
    strict = server.sit(server.open("poker-squares", "you"))
    strict.act({"cell": 3})
    assert "practice mode" in strict.refused(type="undo")


def test_any_point_system(server: Served) -> None:
    systems = {"english": [0, 1, 3, 6, 12, 5, 10, 16, 30, 30], "1 2 3 4 5 6 7 8 9 10": list(range(1, 11))}
    for system, points in systems.items():
        player = server.sit(server.open("poker-squares", "you", options={"system": system}))
        assert [each["points"] for each in player.last["squares"]["system"]] == points


def test_actions_that_are_refused_change_nothing(server: Served) -> None:
    player = server.sit(server.open("holdem", "you", "you", "call-station", options={"stack": 100}))
    picture = player.turn()
    hand, number = picture["hand"], picture["number"]

    def answer(action: Any, hand: Any = hand, number: Any = number) -> str:
        return player.refused(type="act", hand=hand, number=number, action=action)

    assert "from 4 to 100 is allowed" in answer({"move": "raise", "to": 3})
    assert "from 4 to 100" in answer({"move": "raise", "to": 10**14})
    assert "not a whole number" in answer({"move": "raise", "to": 10**400})
    assert "not a whole number" in answer({"move": "raise", "to": 4.5})
    assert "not a whole number" in answer({"move": "raise", "to": True})
    assert "not a whole number" in answer({"move": "raise", "to": None})
    assert "'jump' is not a move" in answer({"move": "jump"})
    assert "is not known here" in answer({"move": "call", "to": 5})
    assert "is not known here" in answer({"cell": 3})
    assert "there is a bet" in answer({"move": "check"})
    assert "an action is an object" in answer(["fold"])
    assert "an action is an object" in answer(None)
    for late in (
        (hand, number + 1),
        (hand + 1, number),
        (hand, -1),
        (None, None),
        ("1", "0"),
        (hand, [number]),
        (True, number),
        (1.0, number),
    ):
        assert "but the table is at" in answer({"move": "call"}, *late)
    assert "only one-player games" in player.refused(type="undo")
    assert "when this one is over" in player.refused(type="next")
    assert "between hands" in player.refused(type="rebuy")
    assert "seconds between actions" in player.refused(type="speed", seconds=-1)
    assert "seconds between actions" in player.refused(type="speed", seconds="fast")
    assert "true or false" in player.refused(type="auto", on=3)
    assert "is not a kind of message" in player.refused(type="cheat")
    assert "is not a kind of message" in player.refused(kind="act")
    assert "is not a kind of message" in player.refused(type="\ud800")
    assert "is not an agent" in player.refused(type="coach", agent="\ud800")
    assert player.last["number"] == number and player.last["choices"] == picture["choices"]


def test_out_of_turn_and_twice(server: Served) -> None:
    table = server.open("holdem", "you", "you", "call-station", options={"stack": 100})
    first, second = server.sit(table, 0), server.sit(table, 1)
    acting = first.turn()
    waiting = second.until(lambda picture: picture["number"] == acting["number"])
    assert waiting["choices"] is None
    sentence = second.refused(type="act", hand=1, number=acting["number"], action={"move": "call"})
    assert sentence == "it is not your turn: Player 1 is to act" and second.code == "not_your_turn"
    message = {"type": "act", "hand": 1, "number": acting["number"], "action": {"move": "raise", "to": 10}}
    first.send(**message)
    assert "but the table is at" in first.refused(**message) and first.code == "outdated"  # the same once more
    first.until(lambda picture: picture["number"] > acting["number"])
    bets = [line for part in first.last["log"] for line in part["lines"] if line["seat"] == 0]
    raised = {"kind": "raise", "amount": 10, "all_in": False, "text": "raises to 10"}
    assert bets == [{"seat": 0, **raised, "failed": None}]


def test_wrong_messages(server: Served) -> None:
    player = server.sit(server.open("five-o", "you", "greedy-2"))
    texts = ["", "{", "[1, 2", "nonsense", '"act"', "17", "null", "[]", '{"type": NaN}', "[" * 2000, "9" * 3000]
    for text in texts:
        player.socket.send(text)
        said = player.refusal()
        assert "is not JSON" in said or "is not a message" in said
    player.socket.send(b"\x00\xff")
    assert "is not JSON" in player.refusal()
    assert "at most 4,096 are read" in player.refused(type="act", action="x" * 10_000)
    player.act({"column": 0})
    assert player.last["number"] >= 1


def test_five_hundred_messages_at_random_change_nothing_and_break_nothing(server: Served) -> None:
    """Known words in wrong places; nothing but a legal choice with the right numbers does anything."""
    player, rng = server.sit(server.open("holdem", "you", "call-station", "random")), random.Random(4)
    words: list[Any] = [
        "act",
        "sit",
        "next",
        "undo",
        "coach",
        "speed",
        "auto",
        "rebuy",
        "fold",
        "raise",
        "Ah",
        "",
        "you",
    ]
    words += [None, True, -1, 0, 1, 10**9, 1.5, [], {}, "\u0000", "../x", "eva:samples=-1", ["2c"], {"move": "check"}]
    keys = ("type", "action", "hand", "number", "agent", "seconds", "on", "table", "token", "move", "to")
    before = player.turn()
    for count in range(500):
        message = {key: rng.choice(words) for key in rng.sample(keys, rng.randint(0, 6))}
        kinds = ("act", "next", "undo", "rebuy", "sit", rng.choice(words))
        message["type"] = rng.choice(kinds)
        if message["type"] in ("speed", "auto", "coach"):
            continue  # these may be right
        assert player.refused(**message)
        if count % 50 == 0:  # so that it is not sent away
            player.send(type="speed", seconds=0)
    player.socket.close()
    after = server.sit({"table": before["id"], "seats": [{"seat": 0, "token": player.token}]}).turn()
    same = ("hand", "number", "seats", "choices", "deal", "log")
    assert {key: after[key] for key in same} == {key: before[key] for key in same}


def test_messages_of_megabytes_close_the_connection_and_the_table_goes_on(server: Served) -> None:
    table = server.open("five-o", "you", "greedy-2")
    player = server.sit(table)
    player.socket.send("x" * 900_000)
    assert player.refusal() == "a message of 900,000 characters: at most 4,096 are read"
    with pytest.raises(ConnectionClosed):
        player.socket.send("x" * 5_000_000)
        while True:
            player.receive()
    again = server.sit(table)
    assert again.last["number"] == 0
    again.act({"column": 1})


def test_many_refusals_in_a_row_close_the_connection(server: Served) -> None:
    player = server.sit(server.open("five-o", "you", "greedy-2"))
    with pytest.raises(ConnectionClosed):
        for _ in range(300):
            player.refused(type="undo")


def test_seats_are_bound_to_their_tokens(server: Served) -> None:
    table = server.open("holdem", "you", "you")
    tokens = [each["token"] for each in table["seats"]]
    assert len(set(tokens)) == 2 and all(len(token) >= 32 for token in tokens)
    other = server.open("holdem", "you", "random")
    socket = server.connect()
    tries = [
        {"type": "sit", "table": table["table"], "token": other["token"]},
        {"type": "sit", "table": table["table"], "token": None},
        {"type": "sit", "table": table["table"], "token": "\ud800"},
        {"type": "sit", "table": "../../etc/passwd", "token": tokens[0]},
        {"type": "act", "hand": 1, "number": 0, "action": {"move": "call"}},
    ]
    said, codes = [], []
    for message in tries:
        socket.send(json.dumps(message))
        answer = json.loads(socket.recv(timeout=30))
        said.append(str(answer["text"]))
        codes.append(answer["code"])
    assert codes == ["no_seat"] * 3 + ["no_table", "invalid"]
    assert said[:3] == ["this token is for no seat at this table"] * 3
    assert said[3] == "there is no table '../../etc/passwd'"
    assert said[4].startswith("the first message sits down")
    with pytest.raises(ConnectionClosed):
        socket.recv(timeout=30)
    assert server.sit(table, 1).last["you"] == 1


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example", "http://[::1", "http://]"],
)
def test_foreign_pages_are_turned_away(server: Served, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        server.connect(origin=origin)
    assert refused.value.response.status_code == 403
    status, text = server.ask("/api/tables", {"game": "five-o", "seats": ["you", "random"]}, Origin=origin)
    assert status == 403 and "is not for pages of" in text
    status, text = server.ask("/api/games", Host="evil.example")
    assert status == 403 and "answers to localhost" in text
    own = server.connect(origin=server.address)
    own.close()


def test_a_lost_connection_resumes(tmp_path: Path) -> None:
    place = tmp_path / "tables.sqlite"
    with serving(place) as server:
        table = server.open("holdem", "you", "tight-aggressive", "call-station")
        player = server.sit(table)
        player.turn()
        before = player.last
        player.socket.close()
        again = server.sit(table).turn()
        assert {key: again[key] for key in ("hand", "number", "seats", "deal", "choices")} == {
            key: before[key] for key in ("hand", "number", "seats", "deal", "choices")
        }
    with serving(place) as server:  # and so does another server with the same store
        assert server.sit(table).turn()["deal"]["hash"] == before["deal"]["hash"]
