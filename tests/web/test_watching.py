"""Matches and tournaments, live over server-sent events, with the figures of the arena."""

import json
from typing import Any

import pytest

from fifthstreet import match
from fifthstreet.arena.tournament import tournament
from fifthstreet.estimate import Estimate
from fifthstreet.papers.paper import Claim, Paper, Run, exactly
from support_web import Served

pytestmark = pytest.mark.usefixtures("fixed_deals")


def events(server: Served, show: str) -> list[Any]:
    status, text = server.ask(f"/api/watch/{show}/events")
    assert status == 200
    found = []
    for part in text.strip().split("\n\n"):
        name, data = part.split("\n")
        found.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {found[-1]['state']}"
    return found


@pytest.mark.parametrize("first", ["tight-aggressive", "opponent-model"])  # one that does not learn, and one that does
def test_a_match_ends_with_what_the_arena_finds(server: Served, first: str) -> None:
    agents = [first, "call-station", "random"]
    asked = {"kind": "match", "game": "holdem", "agents": agents, "deals": 220, "seed": 3}
    told = events(server, server.post("/api/watch", asked)["id"])
    last = told[-1]
    assert last["state"] == "done" and last["done"] == last["total"] == 220 and last["about"] == asked
    assert last["standings"] == match("holdem", agents, deals=220, seed=3, unit=50).to_dict()["agents"]
    assert last["payoff_unit"] == "chips per deal"
    middle = [each for each in told if each["state"] == "playing" and each["done"]]
    assert middle
    for each in middle:
        low, high = each["standings"][0]["ci95"]  # unknown after a single unit of an agent that learns
        assert low is None or low <= each["standings"][0]["mean"] <= high


def test_a_tournament_ends_with_what_the_arena_finds(server: Served) -> None:
    agents = ["reflex-1", "greedy-1", "random"]
    asked = {"kind": "tournament", "game": "five-o", "agents": agents, "deals": 60, "seed": 2}
    last = events(server, server.post("/api/watch", asked)["id"])[-1]
    wanted = tournament("five-o", agents, deals=60, seed=2).to_dict()
    assert last["state"] == "done" and last["standings"] == wanted["agents"]
    assert last["order"] == [agent["name"] for agent in wanted["agents"]]
    assert last["cells"][0][1]["value"] == -last["cells"][1][0]["value"]


def test_a_long_one_is_stopped(server: Served) -> None:
    asked = {"kind": "match", "game": "poker-squares", "agents": ["greedy", "random"], "deals": 100_000}
    show = server.post("/api/watch", asked)["id"]
    assert server.ask(f"/api/watch/{show}", method="DELETE")[0] == 200
    last = events(server, show)[-1]
    assert last["state"] == "stopped" and last["done"] < 100_000


def test_a_paper_is_measured_and_its_scorecard_kept(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(run: Run) -> Estimate:
        return Estimate.exact(4)

    claim = Claim("four", "two and two", "4", exactly(4), measure)
    paper = Paper("sums", "On sums", "Somebody", (claim,))
    monkeypatch.setattr("fifthstreet.papers.PAPERS", (paper,))
    monkeypatch.setattr("fifthstreet.web.papers.PAPERS", (paper,))
    last = events(server, server.post("/api/watch", {"kind": "paper", "paper": "sums"})["id"])[-1]
    assert last["state"] == "done" and last["results"]["verdicts"]["reproduced"] == 1
    shown = server.get("/api/papers")["papers"][0]
    assert shown["claims"][0]["verdict"] == "reproduced" and shown["method"]["scale"] == "quick"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({}, "is nothing to watch"),
        ([], "is nothing to watch"),
        ({"kind": "film"}, "'film' is nothing to watch"),
        ({"kind": "paper", "paper": "../x"}, "is not a paper"),
        ({"kind": "match", "game": "holdem", "agents": []}, "are not agents"),
        ({"kind": "match", "game": "holdem", "agents": ["random"] * 11}, "are not agents"),
        ({"kind": "match", "game": "holdem", "agents": ["random", "./mine.py:Mine"]}, "is not an agent"),
        ({"kind": "match", "game": "holdem", "agents": ["random", "eva"], "deals": 10**9}, "from 1 to 100,000"),
        ({"kind": "match", "game": "holdem", "agents": ["random", "eva"], "deals": "many"}, "is not a whole number"),
        ({"kind": "tournament", "game": "five-o", "agents": ["random", "random"]}, "each named once"),
        ({"kind": "tournament", "game": "poker-squares", "agents": ["random", "greedy"]}, "games with 2 seats"),
    ],
)
def test_what_cannot_be_watched(server: Served, asked: Any, why: str) -> None:
    assert why in server.refused("/api/watch", asked)
