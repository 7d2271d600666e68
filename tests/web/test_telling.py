"""What the table says is so: about coaches that learn, matches that run, hidden cards at the end, and branches."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fifthstreet.web.watch import Show
from support_web import LEARNED, THREE_HANDED, Pupil, Served, serving

pytestmark = pytest.mark.usefixtures("fixed_deals")


@pytest.fixture
def learned(tmp_path: Path) -> Iterator[Path]:
    """The file that ends the learning of a pupil."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LEARNED, str(tmp_path / "learned"))
        yield tmp_path / "learned"


def test_a_coach_that_learns_says_so_in_every_turn_until_it_speaks(learned: Path) -> None:
    with serving(agents=[Pupil]) as server:
        player = server.sit(server.open("poker-squares", "you", "greedy"))
        player.send(type="coach", agent="pupil")
        for _ in range(3):
            player.turn()
            coach = player.until(lambda now: now["choices"] and now["coach"] and now["coach"]["thinking"])["coach"]
            assert coach["preparing"] and coach["advice"] is None
            player.act(player.choose())
        learned.touch()
        player.turn()
        coach = player.until(lambda picture: picture["choices"] and picture["coach"]["advice"])["coach"]
        assert not coach["preparing"] and not coach["thinking"] and coach["advice"]["reason"] == "the first one"


def test_an_agent_that_learns_for_the_same_deal_is_shown_to_learn(learned: Path) -> None:
    with serving(agents=[Pupil]) as server:
        player = server.sit(server.open("poker-squares", "you", "pupil"))
        player.play_hand()
        busy = player.until(lambda picture: picture["seats"][1]["preparing"] or picture["seats"][1]["thinking"])
        assert busy["seats"][1]["preparing"] and not busy["seats"][1]["thinking"]
        learned.touch()
        assert player.until(lambda picture: picture["seats"][1]["score"] is not None)


def test_a_match_that_is_alone_waits_for_nobody(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    told, tell = [], Show.tell

    def note(show: Show, news: Any) -> None:
        told.append(news)
        tell(show, news)

    monkeypatch.setattr(Show, "tell", note)
    asked = {"kind": "match", "game": "five-o", "agents": ["greedy-1", "random"], "deals": 20, "seed": 1}
    show = server.post("/api/watch", asked)["id"]
    server.ask(f"/api/watch/{show}/events")
    states = [(news["state"], news["done"]) for news in told]
    assert states[:2] == [("waiting", 0), ("playing", 0)] and states[-1] == ("done", 20)


def test_the_log_of_five_o_names_every_card_when_it_is_over(server: Served) -> None:
    player = server.sit(server.open("five-o", "you", "greedy-2"))

    def hidden(picture: Any) -> list[Any]:
        lines = [line for street in picture["log"] for line in street["lines"]]
        assert all(line["text"].startswith(f"puts {line['card'] or 'a card'} in column") for line in lines)
        return [line for line in lines if line["card"] is None]

    while player.turn()["choices"]:
        last_row = player.last["phase"] == "last row" and player.last["number"] > 30
        assert bool(hidden(player.last)) == last_row
        player.act(player.choose())
    end = player.last
    assert hidden(end) == []
    placed = {(line["seat"], line["column"], line["card"]) for line in end["log"][-1]["lines"]}
    shown = {(seat["seat"], i, column[4]) for seat in end["seats"] for i, column in enumerate(seat["columns"])}
    assert placed == shown
    frames = server.get(f"/api/hands/{end['hand_id']}")["frames"]
    assert all(frame["then"]["card"] for frame in frames[:-1])


def test_nobody_plays_on_where_nothing_is_left_to_decide(server: Served) -> None:
    hand = server.post("/api/hands", THREE_HANDED.encode())["hands"][0]["id"]
    frames = server.get(f"/api/hands/{hand}")["frames"]
    assert frames[0]["open_seats"] == [0, 2]  # nobody knows what the second player holds
    last = len(frames) - 2
    assert frames[last]["open_seats"] == [2] and frames[-1]["open_seats"] == []
    agents = ["call-station"] * 3
    for seat, why in ((0, "nothing left to decide"), (1, "these cards are not known")):
        wrong = {"step": last, "seats": [*agents[:seat], "you", *agents[seat + 1 :]]}
        assert why in server.refused(f"/api/hands/{hand}/branch", wrong)
    assert server.post(f"/api/hands/{hand}/branch", {"step": last, "seats": ["call-station", "call-station", "you"]})
