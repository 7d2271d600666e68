"""No card is ever sent to a seat that may not see it: whole games of each kind, and every frame searched.

What a seat may see is worked out here from the deck, which is told at the end, and from the rules in words, apart from
the code that draws the table.
"""

import json
import re
import threading
from typing import Any

import pytest

from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing.face import Face, Picture
from fifthstreet.web.hand_in_play import Deal, Hand
from fifthstreet.web.snapshot import EVERYTHING, SPECTATOR, scene
from support_web import Player, Served

pytestmark = pytest.mark.usefixtures("fixed_deals")

CARDS = re.compile(r"(?<![A-Za-z0-9_-])((?:[2-9TJQKA][cdhs])+)(?![A-Za-z0-9_-])")

CLOSED = {4: ("last row",), 3: ("fourth row", "last row")}  # in Five-O, from the hidden row on


def cards_in(text: str) -> set[str]:
    return {run[i : i + 2] for run in CARDS.findall(text) for i in range(0, len(run), 2)}


def split(deck: str) -> list[str]:
    return [deck[i : i + 2] for i in range(0, len(deck), 2)]


def may_see(game: str, deck: list[str], replay: Any, chair: int, number: int) -> set[str]:
    """The cards that this chair may know after so many actions."""
    order = [seat["seat"] for seat in replay["frames"][0]["seats"]]
    dealer = next((seat["seat"] for seat in replay["frames"][0]["seats"] if seat["dealer"]), order[-1])
    first = (order.index(dealer) + 1) % len(order)
    order = order[first:] + order[:first]
    done = [frame["then"] for frame in replay["frames"][:number]]
    if chair == SPECTATOR and game in ("holdem", "five-card-draw"):
        return set(replay["frames"][number]["board"])
    if game == "holdem":
        place = 2 * order.index(chair)
        board = replay["frames"][number]["board"]
        return {*deck[place : place + 2], *board}
    if game == "five-card-draw":
        place, dealt = 5 * order.index(chair), 5 * len(order)
        seen = set(deck[place : place + 5])
        for step in done:
            if step["kind"] == "exchange":
                count = step["count"]
                seen |= set(deck[dealt : dealt + count]) if step["seat"] == chair else set()
                dealt += count
        return seen
    if game == "five-o":
        starter = replay["frames"][0]["seats"]
        players = [frame["then"]["seat"] for frame in replay["frames"][:-1]]
        assert len(starter) == 2
        seen = set(deck[:10])
        hidden = range(10 * (replay["frames"][0]["five_o"]["hidden_row"] - 1), 40)[:10]
        for i in range(min(number + 1, 40)):
            if i not in hidden or players[i] == chair:  # these ten lie face down for the other
                seen.add(deck[10 + i])
        return seen
    return set(deck[: number + 1])


def without_earlier_hands(frame: Any) -> Any:
    """The coach may speak of one's own cards in hands that are over."""
    coach = frame["coach"]
    if coach:
        coach["worst"] = [each for each in coach["worst"] if each["hand"] == frame["hand"]]
        if coach["last"] and coach["last"]["hand"] < frame["hand"]:
            coach["last"] = None
    return frame


def search(server: Served, game: str, player: Player, chair: int) -> tuple[int, set[str]]:
    """Check every frame of a player's; how many there were before the end, and all cards seen after it."""
    searched, after, hand, number = 0, set[str](), 1, 0
    listed = server.get(f"/api/tables/{player.last['id']}/hands")
    replays = {each["number"]: server.get(f"/api/hands/{each['id']}") for each in listed}
    for text in player.frames:
        frame = json.loads(text)
        if frame["type"] == "table":
            hand, number = frame["hand"], frame["number"]
            if frame["over"]:
                after |= cards_in(text)
                continue
            assert frame["deal"]["seed"] is None and frame["deal"]["deck"] is None
            for thought in frame["thoughts"]:
                if game != "five-o" or thought["phase"] in CLOSED[frame["five_o"]["hidden_row"]]:
                    assert set(thought) == {"seat", "name", "phase", "hidden"}, thought
            text = json.dumps(without_earlier_hands(frame))
        deal = replays[hand]["deal"]
        allowed = may_see(game, split(deal["deck"]), replays[hand], chair, number)
        if frame["type"] == "refused":  # it quotes what was asked for
            allowed |= {"2c"}
        assert cards_in(text) <= allowed, (cards_in(text) - allowed, text)
        assert deal["seed"] not in text
        searched += 1
    return searched, after


def provoke(player: Player) -> None:
    """Wrong messages, whose refusals are searched too."""
    player.refused(type="act", hand=player.last["hand"], number=player.last["number"] + 1, action={"move": "call"})
    if player.last["choices"]:
        wrong = {"move": "raise", "to": 0} if "call" in player.last["choices"] else {"discard": ["2c"] * 6}
        player.refused(type="act", hand=player.last["hand"], number=player.last["number"], action=wrong)
    player.refused(type="undo")


def play(player: Player, hands: int, provoked: bool) -> None:
    while not (player.turn()["over"] and player.last["hand"] == hands):
        if player.last["over"]:
            if provoked:
                player.next_hand()
            else:
                player.next_picture()
        else:
            if provoked and player.rng.random() < 0.2:
                provoke(player)
            player.act(player.choose())


@pytest.mark.parametrize(
    ("game", "seats", "options", "coach", "hands"),
    [
        ("holdem", ("you", "eva:samples=20", "you", "hand-strength"), {"stack": 60}, "eva:samples=20", 6),
        ("five-card-draw", ("you", "loose-aggressive", "you"), {"trade": 3}, "tight-passive", 6),
        ("five-o", ("you", "you"), {}, "greedy-2", 2),
        ("five-o", ("you", "greedy-2"), {}, "greedy-2", 2),
        ("five-o", ("you", "greedy-2"), {"hidden": 4}, "greedy-2", 2),
    ],
)
def test_no_seat_is_sent_a_card_that_it_may_not_see(
    server: Served, game: str, seats: tuple[str, ...], options: dict[str, int], coach: str, hands: int
) -> None:
    table = server.open(game, *seats, options=options, stacks="reset")
    people = [each["seat"] for each in table["seats"]]
    players = [server.sit(table, seat) for seat in people]
    for player in players:
        player.send(type="coach", agent=coach)
    threads = [threading.Thread(target=play, args=(player, hands, player is players[0])) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for player, seat in zip(players, people, strict=True):
        searched, after = search(server, game, player, seat)
        assert searched > 5 * hands
        assert len(after) == 52  # the search does find cards, once a deck is told


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("holdem", ("you", "call-station", "hand-strength"), {}),
        ("five-card-draw", ("you", "loose-aggressive", "you"), {}),
        ("five-o", ("you", "greedy-2"), {}),
        ("five-o", ("you", "greedy-2"), {"hidden": 4}),
        ("poker-squares", ("you", "greedy"), {}),
    ],
)
def test_a_spectator_is_sent_the_open_cards_only(
    server: Served, game: str, seats: tuple[str, ...], options: dict[str, int]
) -> None:
    table = server.open(game, *seats, options=options, stacks="reset")
    players = [server.sit(table, each["seat"]) for each in table["seats"]]
    spectator = Player(server.connect(), table["table"])
    threads = [threading.Thread(target=play, args=(player, 2, player is players[0])) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spectator.until(lambda picture: picture["over"] and picture["hand"] == 2)
    searched, after = search(server, game, spectator, SPECTATOR)
    assert searched > 10 and len(after) == 52


def test_cards_to_come_are_not_sent_in_squares(server: Served) -> None:
    table = server.open("poker-squares", "you", "greedy")
    player = server.sit(table)
    player.send(type="coach", agent="greedy")
    play(player, 1, provoked=False)
    searched, after = search(server, "poker-squares", player, 0)
    assert searched >= 25 and len(after) == 52


def test_a_table_of_agents_is_seen_with_all_cards(server: Served) -> None:
    table = server.open("holdem", "call-station", "random")
    watcher = server.sit(table)
    assert watcher.last["you"] is None
    assert all(len(seat["cards"]) == 2 and None not in seat["cards"] for seat in watcher.last["seats"])
    assert watcher.until(lambda picture: picture["hand"] > 2)["auto"]
    assert "you watch this table" in watcher.refused(type="act", hand=1, number=0, action={"move": "call"})


@pytest.mark.parametrize("game", ["holdem", "five-card-draw"])
def test_a_player_who_sits_out_sees_nobodys_cards(game: str) -> None:
    hand = Hand(Deal(game, (1, 2), (200, 200), f"{7:032x}"))  # the player in chair 0 has no chips
    names = ["You", "first", "second"]
    assert cards_in(json.dumps(scene(hand, names, 0))) == set()
    assert all(seat["hand_kind"] is None for seat in scene(hand, names, 0)["seats"])
    assert cards_in(json.dumps(scene(hand, names, EVERYTHING)))


def test_no_face_can_forget_to_cover_cards() -> None:
    def picture(self: Face, game: AnyGame, view: object) -> Picture:
        return Picture({"cards": str(view)}, [])

    with pytest.raises(TypeError, match="also needs `cover`"):
        type("Careless", (Face,), {"picture": picture})
    type("Careful", (Face,), {"picture": picture, "cover": lambda self, picture, seat: None})
