"""What is asked over HTTP, and what is refused there."""

import json
from pathlib import Path
from typing import Any

import pytest

from fifthstreet.errors import InputError
from fifthstreet.web.guard import Door
from fifthstreet.web.guests import game_of
from fifthstreet.web.phh import imported
from support_web import Served

pytestmark = pytest.mark.usefixtures("fixed_deals")

HAND = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 50]
players = ["Ann", "Bob", "Cem"]
actions = ["d dh p1 AhKh", "d dh p2 ????", "d dh p3 2c7d", "p3 cbr 6", "p1 cc", "p2 f", "d db 2h7c5s", "p1 cc",
 "p3 cbr 44", "p1 f"]
finishing_stacks = [94, 98, 58]
"""


@pytest.mark.parametrize("option", ["stack", "straddle", "cap"])
@pytest.mark.parametrize("number", [-(10**10), 500, 2 * 10**9, 10**12, 10**30])
def test_a_number_obeys_the_same_limits_as_text(option: str, number: int) -> None:
    def outcome(value: object) -> str:
        try:
            return game_of("holdem", {option: value}, 3)[0]
        except InputError as error:
            return str(error)

    assert outcome(number) == outcome(str(number)) == outcome(f" {number}")
    assert outcome(number).startswith("holdem") == (number == 500)


def test_games_list_who_plays_them(server: Served) -> None:
    games = {game["name"]: game for game in server.get("/api/games")}
    assert list(games) == ["holdem", "five-card-draw", "five-o", "poker-squares"]
    eva = next(agent for agent in games["holdem"]["agents"] if agent["name"] == "eva")
    assert eva["parameters"]["samples"] == {"default": 1000, "from": 1, "to": 100_000}
    assert eva["parameters"]["ranking"]["options"] == ["strength", "expectation", "score"]
    adaptive = next(agent for agent in games["five-card-draw"]["agents"] if agent["name"] == "adaptive")
    assert "values" not in adaptive["parameters"]  # it names a file


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ([], "is not a table"),
        ({}, "are not seats"),
        ({"game": "holdem", "seats": "you"}, "are not seats"),
        ({"game": "holdem", "seats": ["you"]}, "1 at a table"),
        ({"game": "holdem", "seats": ["you"] * 11}, "are not seats"),
        ({"game": "chess", "seats": ["you", "random"]}, "'chess' is not a game here"),
        ({"game": "holdem:stack=5", "seats": ["you", "random"]}, "is not a game here"),
        ({"game": "kuhn", "seats": ["you", "random"]}, "'kuhn' is not a game here"),
        ({"game": "holdem", "seats": ["you", "nobody"]}, "'nobody' is not an agent"),
        ({"game": "holdem", "seats": ["you", "./mine.py:Mine"]}, "is not an agent"),
        ({"game": "holdem", "seats": ["you", "./mine.py:Mine"]}, "is not an agent"),
        ({"game": "holdem", "seats": ["you", "tests/support.py:Rows:x=1"]}, "is not an agent"),
        ({"game": "holdem", "seats": ["you", "greedy-2"]}, "'greedy-2' is not an agent for holdem"),
        ({"game": "holdem", "seats": ["you", "\ud800"]}, "is not an agent"),
        ({"game": "\ud800", "seats": ["you", "random"]}, "is not a game here"),
        ({"game": "holdem", "seats": ["you", 7]}, "7 is not the name of an agent"),
        ({"game": "holdem", "seats": ["you", None]}, "None is not the name of an agent"),
        ({"game": "holdem", "seats": ["you", "eva:samples=1000000"]}, "from 1 to 100000 is allowed"),
        ({"game": "holdem", "seats": ["you", "eva:samples=nan"]}, "from 1 to 100000 is allowed"),
        ({"game": "holdem", "seats": ["you", "eva:colour=red"]}, "is not a parameter"),
        ({"game": "holdem", "seats": ["you", "e" * 1000]}, "is not the name of an agent"),
        ({"game": "five-o", "seats": ["you", "champion:time=3600"]}, "from 0 to 5 is allowed"),
        ({"game": "five-o", "seats": ["you", "champion:lessons=5"]}, "cannot be chosen here"),
        ({"game": "five-o", "seats": ["you", "champion:plies=1000000000"]}, "cannot be chosen here"),
        ({"game": "five-card-draw", "seats": ["you", "adaptive:values=/etc/passwd"]}, "cannot be chosen here"),
        ({"game": "five-card-draw", "seats": ["you", "adaptive:train=100000"]}, "cannot be chosen here"),
        ({"game": "holdem", "seats": ["you", "random"], "options": {"stack": 10**30}}, "at most 1,000,000,000"),
        ({"game": "holdem", "seats": ["you", "random"], "options": {"stack": "1e99"}}, "is not a whole number"),
        ({"game": "holdem", "seats": ["you", "random"], "options": {"stack": -5}}, "-5 as a stack"),
        ({"game": "holdem", "seats": ["you", "random"], "options": {"seats": 9}}, "'seats' is not an option"),
        ({"game": "holdem", "seats": ["you", "random"], "options": {"stack": [1]}}, "this is not a value"),
        ({"game": "holdem", "seats": ["you", "random"], "options": {"ante_by": "all,stack=1"}}, "this is not a value"),
        ({"game": "holdem", "seats": ["you", "random"], "options": 5}, "are not options"),
        ({"game": "poker-squares", "seats": ["you"], "options": {"system": "x" * 99}}, "is not a point system"),
        ({"game": "poker-squares", "seats": ["greedy", "you"]}, "one person, in the first seat"),
        ({"game": "five-o", "seats": ["you", "random"], "practice": "yes"}, "true or false"),
        ({"game": "five-o", "seats": ["you", "random"], "stacks": "grow"}, "carry or reset"),
        ({"game": "five-o", "seats": ["you", "random"], "admin": True}, "is not known"),
    ],
)
def test_tables_that_are_refused(server: Served, asked: Any, why: str) -> None:
    assert why in server.refused("/api/tables", asked)


def test_bodies_that_are_refused(server: Served) -> None:
    assert "is not JSON" in server.refused("/api/tables", b"{nonsense")
    assert "is not JSON" in server.refused("/api/tables", b"[" * 30_000)
    assert "is not JSON" in server.refused("/api/tables", b"\xff\xfe\x00")
    status, text = server.ask("/api/tables", b"x" * 3_000_000)
    assert status == 413 and "more than 65,536 bytes" in text


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/api/tables/nothing/hands",
            "/api/tables/nothing/statistics",
            "/api/hands/nothing",
            "/api/hands/nothing.phh",
        ),
        *("/api/hands/%ff%fe", "/api/tables/%ed%a0%80/hands", "/api/hands/%00"),
        *("/api/watch/nothing/events", f"/api/hands/{'x' * 5000}", "/api/hands/..%2f..%2fetc%2fpasswd"),
        *(
            "/page/../server.py",
            "/page/..%2fserver.py",
            "/page/%2e%2e/server.py",
            "/page//etc/passwd",
            "/page/..\\server.py",
        ),
        "/no/such/page",
    ],
)
def test_what_does_not_exist(server: Served, path: str) -> None:
    status, text = server.ask(path)
    assert status == 404 and "Traceback" not in text and "import" not in text


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/api/tables/nothing/hands", None, 404, "no_table"),
        ("/api/hands/nothing", None, 404, "not_found"),
        ("/api/watch/nothing/events", None, 404, "not_found"),
        ("/api/tables", b"x" * 70_000, 413, "too_large"),
        ("/api/tables", b"{}", 400, "invalid"),
    ],
)
def test_refusals_have_codes(server: Served, path: str, body: bytes | None, status: int, code: str) -> None:
    found, text = server.ask(path, body)
    assert found == status and json.loads(text)["code"] == code


def test_the_page_may_fetch_nothing_from_elsewhere(server: Served) -> None:
    import urllib.request

    with urllib.request.urlopen(server.address + "/api/games") as answer:
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_with_another_host_its_own_pages_are_let_in_and_no_others() -> None:
    async def nothing(*_: Any) -> None: ...

    door = Door(nothing, "192.168.1.5", ["table.example"])
    assert door.trouble("192.168.1.5:8000", None) == ""
    assert door.trouble("Table.example.:8000", "http://table.example.:8000") == ""
    assert "is not for pages of" in door.trouble("table.example:8000", "http://other.example:8000")
    assert Door(nothing, "127.0.0.1").trouble("[::1]:8000", None) == ""
    assert Door(nothing, "127.0.0.1").trouble("[::1", None) != ""


@pytest.mark.parametrize("listening", ["0.0.0.0", "::", "192.168.1.5", "127.0.0.1"])
def test_only_names_that_are_allowed_lead_here(listening: str) -> None:
    """A page elsewhere can let a name of its own lead to this machine, and then is of the same origin."""

    async def nothing(*_: Any) -> None: ...

    door = Door(nothing, listening, ["poker.example", "Table.example"])
    others = [] if listening == "127.0.0.1" else ["192.168.1.5", "[fe80::1]"]
    for name in ("localhost", "127.0.0.1", "[::1]", "poker.example", "table.example", *others):
        assert door.trouble(f"{name}:8000", f"http://{name}:8000") == "", name
    for name in ("evil.example", "poker.example.evil.example", "", "1.2.3.4.evil.example"):
        assert "poker.example, Table.example" in door.trouble(f"{name}:8000", f"http://{name}:8000")
    assert "answers to" in Door(nothing, listening).trouble("poker.example", None)


def test_a_hand_from_elsewhere_is_kept_replayed_and_written_again(server: Served) -> None:
    found = server.post("/api/hands", HAND.encode())
    assert found["refused"] == []
    hand = server.get(f"/api/hands/{found['hands'][0]['id']}")
    assert hand["names"] == ["Ann", "Bob", "Cem"]
    assert hand["payoffs"] == {"0": -6.0, "1": -2.0, "2": 8.0}
    assert [frame["then"]["text"] for frame in hand["frames"][:-1]] == [
        *("raises to 6", "calls 5", "folds", "checks", "bets 44 and is all-in", "folds")
    ]
    first = hand["frames"][0]["seats"]
    assert first[0]["cards"] == ["Ah", "Kh"] and first[1]["cards"] == [None, None]  # nobody knows Bob's
    assert hand["frames"][-1]["board"] == ["2h", "7c", "5s"]
    status, text = server.ask(f"/api/hands/{found['hands'][0]['id']}.phh")
    assert status == 200 and '"p3 cbr 6", "p1 cc", "p2 f", "d db 2h7c5s"' in text and "d dh p2 ????" in text
    again = server.post("/api/hands", text.encode())
    assert server.get(f"/api/hands/{again['hands'][0]['id']}")["payoffs"] == hand["payoffs"]


def test_a_hand_that_was_played_is_written_and_read_again(server: Served) -> None:
    player = server.sit(server.open("holdem", "you", "call-station", "tight-aggressive"))
    end = player.play_hand()
    status, text = server.ask(f"/api/hands/{end['hand_id']}.phh")
    assert status == 200
    copied = server.post("/api/hands", text.encode())["hands"][0]["id"]
    here, there = server.get(f"/api/hands/{end['hand_id']}"), server.get(f"/api/hands/{copied}")
    texts = [[frame["then"]["text"] for frame in hand["frames"][:-1]] for hand in (here, there)]
    assert texts[0] == texts[1]
    assert sorted(here["payoffs"].values()) == sorted(there["payoffs"].values())
    assert "is not written as PHH" in server.refused(f"/api/hands/{_squares(server)}.phh")


def _squares(server: Served) -> str:
    return str(server.sit(server.open("poker-squares", "you")).play_hand()["hand_id"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no hand in it"),
        ("nonsense", "not TOML"),
        ("x = " + "[" * 5000, "not TOML"),
        ('variant = "PO"', "Omaha is not supported"),
        (HAND.replace("[100, 100, 50]", "[100]"), "seats"),
        (HAND.replace("p1 cc", "p1 cbr 7000"), "action"),
        (HAND.replace("AhKh", "AhAh"), "there twice"),
        (HAND.replace("2h7c5s", "Ah7c5s"), "twice"),
        (HAND.replace('"p2 f", ', ""), "action"),
        (HAND.replace('"p1 f"', '"p1 f", "p9 f"'), "no player"),
        (HAND.replace('"p1 f"', ", ".join(['"p1 cc"'] * 20_000)), "a hand has at most 500"),
        ("a" + ".a" * 100_000 + " = 1", "more than 8 dots"),
    ],
)
def test_hand_files_that_are_refused(server: Served, text: str, why: str) -> None:
    assert why in server.refused("/api/hands", text.encode())


def test_of_a_long_file_the_first_hands_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fifthstreet.web.phh.MOST_HANDS", 3)
    found = list(imported("\n".join(f"[{i}]\n{HAND}" for i in range(5))))
    assert ["hand" in each for each in found] == [True] * 3 + [False]
    assert found[3]["refused"] == {"hand": "3", "error": "only the first 3 hands of a file are read at once"}


def test_stacks_that_nobody_recorded(server: Served) -> None:
    """PHH writes them as infinite."""
    text = HAND.replace("[100, 100, 50]", "[inf, 100, inf]").replace("finishing_stacks = [94, 98, 58]", "")
    hand = server.get(f"/api/hands/{server.post('/api/hands', text.encode())['hands'][0]['id']}")
    assert hand["payoffs"] == {"0": -6.0, "1": -2.0, "2": 8.0}


def test_a_hand_file_with_a_million_actions_is_not_even_read(server: Served) -> None:
    text = HAND.replace('"p1 f"', ", ".join(['"p1 cc"'] * 1_000_000))
    status, answer = server.ask("/api/hands", text.encode())
    assert status == 413 and "more than 5,242,880 bytes" in answer
    assert "is not text" in server.refused("/api/hands", b"\xff\xfe\xff")


def test_a_branch_goes_on_from_a_step(server: Served) -> None:
    player = server.sit(server.open("five-o", "you", "greedy-2"))
    end = player.play_hand()
    hand = server.get(f"/api/hands/{end['hand_id']}")
    step = next(i for i, frame in enumerate(hand["frames"]) if i >= 20 and frame["then"]["seat"] == 0)
    table = server.post(f"/api/hands/{end['hand_id']}/branch", {"step": step})
    other = server.sit(table)
    picture = other.turn()
    assert picture["number"] == step and picture["five_o"]["next"] == hand["frames"][step]["five_o"]["next"]
    assert picture["deal"]["branch"] == {"hand": end["hand_id"], "step": step}
    other.play_hand()
    assert other.last["session"]["hands"] == 0  # it does not count
    other.next_hand()
    assert other.turn()["number"] == step  # once more from there
    wrongs: list[Any] = [{"step": 40}, {"step": -1}, {"step": "1"}, {}, [], {"step": 1, "seats": ["you"]}]
    for wrong in wrongs:
        server.refused(f"/api/hands/{end['hand_id']}/branch", wrong)
    assert "is not an agent" in server.refused(
        f"/api/hands/{end['hand_id']}/branch", {"step": 1, "seats": ["you", "./mine.py:Mine"]}
    )


def test_a_branch_of_an_imported_hand(server: Served) -> None:
    hand = server.post("/api/hands", HAND.encode())["hands"][0]["id"]
    table = server.post(f"/api/hands/{hand}/branch", {"step": 1, "seats": ["you", "call-station", "call-station"]})
    picture = server.sit(table).turn()
    assert picture["seats"][0]["cards"] == ["Ah", "Kh"] and picture["choices"]["call"] == 5


def test_statistics_have_denominators_and_intervals(server: Served) -> None:
    player = server.sit(server.open("holdem", "you", "call-station", stacks="reset"))
    for hand in range(4):
        while player.turn()["choices"]:
            choices = player.last["choices"]
            fold = hand == 0 and choices["fold"]
            first = hand == 1 and player.last["phase"] == "preflop" and choices["raise"]
            bet = {"move": "raise", "to": choices["raise"]["low"]} if first else {"move": "call"}
            player.act({"move": "fold"} if fold else bet)
        if hand < 3:
            player.next_hand()
    table = player.last["id"]
    found = {each["name"]: each for each in server.get(f"/api/tables/{table}/statistics")["players"]}
    you, station = found["You"], found["call-station"]
    assert you["hands"] == station["hands"] == 4 and you["won"] == -station["won"]
    assert you["pfr"]["count"] == 1 and you["pfr"]["of"] == 4
    assert station["pfr"]["count"] == 0 and station["aggression"]["bets"] == 0
    low, high = you["mean"]["ci95"]
    assert low <= you["mean"]["value"] <= high
    assert 0 <= you["vpip"]["ci95"][0] <= you["vpip"]["value"] <= you["vpip"]["ci95"][1] <= 1
    both = server.ask("/api/statistics", [table, "nothing", table, table])[1]  # it counts once
    assert json.loads(both) == server.get(f"/api/tables/{table}/statistics")
    assert server.ask("/api/statistics", ["\ud800", "ä", 7])[1] == '{"players":[]}'
    assert "a list of at most" in server.refused("/api/statistics", {"all": True})
    listed = server.get(f"/api/tables/{table}/hands")
    assert [hand["number"] for hand in listed] == [1, 2, 3, 4]


def test_the_scorecard_reads_what_was_reproduced(tmp_path: Path) -> None:
    from fifthstreet.papers import PAPERS
    from fifthstreet.papers.paper import Claim
    from support_web import serving

    claim = next(item for item in PAPERS[0].items if isinstance(item, Claim))
    found = {"paper": PAPERS[0].name, "id": claim.id, "verdict": "reproduced", "measured": {"value": 7462}, "note": ""}
    place = tmp_path / "results.json"
    place.write_text(json.dumps({"method": {"seed": "0"}, "items": [found]}))
    with serving(report=place) as server:
        papers = server.get("/api/papers")["papers"]
        assert [paper["name"] for paper in papers] == [paper.name for paper in PAPERS]
        shown = {each["id"]: each for each in papers[0]["claims"]}
        assert shown[claim.id]["verdict"] == "reproduced" and shown[claim.id]["printed"] == claim.printed
        assert sum(each["verdict"] is not None for each in papers[0]["claims"]) == 1
        place.write_text("nonsense")
        assert all(each["verdict"] is None for each in server.get("/api/papers")["papers"][0]["claims"])
