"""Spots that visitors want solved: what is refused, what is limited, and what they are told."""

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fake_solver import BABBLING, BROKEN, ENDLESS, GONE, GREEDY, SLOW_ANSWER, WELL
from fifthstreet.web.refusals import Busy
from fifthstreet.web.solving import Limits, Solve, Solves, visitor
from fifthstreet.web.spot_solution import prepare
from support_web import PATIENCE, Served, serving

FAKE = (sys.executable, str(Path(__file__).parents[1] / "fake_solver.py"))
TOY = {"board": "As9c4d3h2c", "oop": "AA,QJs", "ip": "KK", "pot": 100, "stack": 100, "sizes": "all-in", "until": 0.1}
TURN = {"board": "Ks8d5c3h", "oop": "QQ+,AKs", "ip": "JJ,TT,KQs", "pot": 100, "stack": 100, "sizes": "50%", "until": 1}
UNTIL_STOPPED = 50  # a pot with which the fake solver goes on until it is stopped


def asked(pot: int, **more: Any) -> dict[str, Any]:
    return TOY | {"pot": pot} | more


@pytest.fixture(scope="module")
def real() -> Iterator[Served]:
    prepare()  # compiled here, and found in the cache by the solver's process
    with serving() as served:
        yield served


@pytest.fixture
def solves() -> Solves:
    limits = Limits(seconds=0.6, patience=0.4, memory_mb=200, kept=2, alone=0.5, answer=0.5)
    return Solves(limits, FAKE)


@pytest.fixture
def fake(solves: Solves) -> Iterator[Served]:
    with serving(solves=solves) as served:
        yield served


def told(server: Served, id: str) -> list[Any]:
    """All reports about a solve, until it is over."""
    status, text = server.ask(f"/api/spots/{id}/events")
    assert status == 200, text
    return [json.loads(part.split("\n")[1].removeprefix("data: ")) for part in text.strip().split("\n\n")]


def finished(server: Served, spot: Any) -> tuple[str, Any]:
    """The id of the spot's solve, and the last report about it."""
    begun = server.post("/api/spots", spot)
    return begun["id"], begun if begun["state"] == "done" else told(server, begun["id"])[-1]


def node(server: Served, id: str, *line: str) -> Any:
    return server.get(f"/api/spots/{id}/node?line={','.join(line).replace(' ', '%20')}")


def until_dead(solve: Solve) -> None:
    """Wait until its process has ended."""
    deadline = time.monotonic() + PATIENCE
    while solve.process is None or solve.process.returncode is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def only(solves: Solves) -> Solve:
    (found,) = solves._solves.values()
    return found


# What is found


def test_a_spot_that_is_solved_by_hand(real: Served) -> None:
    id, last = finished(real, TOY)
    assert last["state"] == "done" and last["exploitability"] <= 0.1 and last["iterations"] > 0
    root = node(real, id)
    assert root["actions"] == ["check", "allin 100"] and root["to_act"] == "oop" and root["ends"] is None
    assert root["sides"]["oop"]["ev"] == pytest.approx(450 / 7, abs=0.2)
    assert root["sides"]["oop"]["ev"] + root["sides"]["ip"]["ev"] == pytest.approx(100, abs=0.01)
    hands = {row["hand"]: row for row in root["hands"]["oop"]}
    assert len(hands) == 7 and len(root["hands"]["ip"]) == 6
    assert hands["AhAd"]["frequency"][1] > 0.95 and hands["AhAd"]["equity"] == 1  # three sets, always best
    assert sum(row["frequency"][1] for row in hands.values()) == pytest.approx(4.5, abs=0.1)  # and half as many bluffs
    bet = node(real, id, "allin 100")
    assert bet["pot"] == 200 and bet["stacks"] == {"oop": 0, "ip": 100} and bet["actions"] == ["fold", "call"]
    assert bet["path"] == [{"to_act": "oop", "actions": ["check", "allin 100"], "chosen": 1}]
    assert node(real, id, "allin 100", "fold")["ends"] == "fold"
    assert node(real, id, "check", "check")["ends"] == "showdown"


def test_play_is_fixed_by_hand_or_as_an_agents(real: Served) -> None:
    id, _ = finished(real, TOY | {"lock": "allin 100=any fold 1"})
    root = node(real, id)
    assert root["sides"]["oop"]["ev"] == pytest.approx(100, abs=0.5)  # every hand bets and takes the pot
    assert node(real, id, "allin 100")["frequency"] == [1, 0]
    id, _ = finished(real, TOY | {"lock": "ip=call-station"})
    assert node(real, id)["sides"]["oop"]["ev"] == pytest.approx(3 / 7 * 200, abs=0.5)
    id, _ = finished(real, TURN | {"lock": "check=any check 1 | check,check=any check 0.25 bet 50 0.75; QQ+ check 1"})
    assert node(real, id, "check", "check", "2h")["frequency"][0] > 0.25
    for lock, why in (
        (7, "it is text"),
        ("ip", "give a place and play"),
        ("ip=./mine.py:Mine", "is not an agent for hold"),
        ("ip=nobody", "is not an agent for hold"),
        ("bet 3=any fold 1", "is no action"),
        ("allin 100=any fold 0.5", "are no probabilities"),
        ("allin 100=KcKd fold 1", "says nothing about"),
        ("allin 100=any fold nan call 1", "are no probabilities"),
        ("allin 100=" + "any fold 1;" * 200, "at most 2,000 are read"),
    ):
        assert why in real.refused("/api/spots", TOY | {"lock": lock})
    wide = TURN | {"oop": "random", "ip": "random", "stack": 50, "lock": "ip=eva"}
    assert "an agent would be asked about" in real.refused("/api/spots", wide)


def test_the_same_spot_is_solved_once(real: Served) -> None:
    id, _ = finished(real, TOY)
    again = real.post("/api/spots", TOY | {"board": "as 9c 4d 3h 2c"})
    assert again["id"] == id and again["state"] == "done"


def test_cards_are_dealt_on_the_way(real: Served) -> None:
    id, _ = finished(real, TURN)
    deal = node(real, id, "check", "check")
    assert deal["ends"] == "deal" and len(deal["cards"]) == 48 and "Ks" not in deal["cards"]
    river = node(real, id, "check", "check", "Kd")
    assert river["street"] == "river" and river["board"] == "Ks8d5c3hKd" and river["path"][-1] == {"card": "Kd"}
    assert all("Kd" not in row["hand"] for side in ("oop", "ip") for row in river["hands"][side])
    for line, why in (
        (["chck"], "'chck' is no action"),
        (["check", "check", "Ks"], "already on the board"),
        (["check", "check", "Kx"], "has no suit"),
        (["check", "check", "Kd", "check", "check", "check"], "nobody acts"),
    ):
        said = real.refused(f"/api/spots/{id}/node?line={','.join(line)}")
        assert why in said
    assert "at most 2,000" in real.refused(f"/api/spots/{id}/node?line={'check,' * 1000}")


def test_what_the_solver_refuses_is_told(real: Served) -> None:
    _, last = finished(real, TOY | {"oop": "AhKd", "ip": "AhKd"})
    assert (last["state"], last["code"]) == ("failed", "invalid") and "can be dealt together" in last["error"]


# Limits


def test_a_late_solve_is_killed(fake: Served, solves: Solves) -> None:
    begun = fake.post("/api/spots", asked(ENDLESS))
    solve = only(solves)
    last = told(fake, begun["id"])[-1]
    assert (last["state"], last["code"]) == ("failed", "late") and "more than 0.6 seconds" in last["error"]
    until_dead(solve)


def test_at_the_limit_it_gives_what_it_has(fake: Served) -> None:
    id, last = finished(fake, asked(UNTIL_STOPPED))
    assert last["state"] == "done" and 0.5 < last["seconds"] < 5 and last["iterations"] > 10
    assert node(fake, id, "check")["line"] == ["check"]


def test_a_second_one_is_refused_with_when_to_retry(fake: Served) -> None:
    begun = fake.post("/api/spots", asked(ENDLESS))
    status, text = fake.ask("/api/spots", asked(WELL))
    said = json.loads(text)
    assert (status, said["code"]) == (429, "busy") and 1 <= said["retry_s"] <= 2
    assert "you are solving a spot already" in said["error"]
    told(fake, begun["id"])
    assert finished(fake, asked(WELL))[1]["state"] == "done"  # it is over


def test_few_are_solved_at_once() -> None:
    async def crowd() -> None:
        solves = Solves(Limits(at_once=2), FAKE)
        first = solves.begin(asked(ENDLESS), "192.0.2.1")
        assert solves.begin(asked(ENDLESS), "192.0.2.9") is first  # the same spot is not solved twice
        solves.begin(asked(ENDLESS, stack=7), "192.0.2.2")
        with pytest.raises(Busy, match="others are solving 2 spots"):
            solves.begin(asked(ENDLESS, stack=8), "192.0.2.3")
        await solves.close()
        assert first.news["state"] == "stopped"

    asyncio.run(crowd())


def test_who_a_visitor_is() -> None:
    assert visitor("192.0.2.1") == "192.0.2.1" and visitor(None) == "" and visitor("testclient") == "testclient"
    assert visitor("2001:db8::1") == visitor("2001:db8::ffff") != visitor("2001:db8:0:1::1")


def test_a_cancelled_solve_is_killed(fake: Served, solves: Solves) -> None:
    id = fake.post("/api/spots", asked(UNTIL_STOPPED, stack=99))["id"]
    solve = only(solves)
    assert fake.ask(f"/api/spots/{id}", method="DELETE")[0] == 200
    until_dead(solve)
    assert solve.news["state"] == "stopped"
    assert "there is no solution" in fake.refused(f"/api/spots/{id}/node")
    assert "there is no solution" in fake.refused(f"/api/spots/{id}", method="DELETE")


def test_a_solve_that_nobody_waits_for_is_killed(solves: Solves) -> None:
    solves.limits = solves.limits._replace(seconds=60)
    with serving(solves=solves) as server:
        server.post("/api/spots", asked(ENDLESS))
        until_dead(only(solves))  # half a second after its visitor has left


def test_what_there_is_can_be_taken(solves: Solves) -> None:
    solves.limits = solves.limits._replace(seconds=60, alone=30)
    with serving(solves=solves) as server:
        id = server.post("/api/spots", asked(UNTIL_STOPPED))["id"]
        while only(solves).news["state"] == "waiting":
            time.sleep(0.02)
        assert server.ask(f"/api/spots/{id}/stop", {})[0] == 200
        assert told(server, id)[-1]["state"] == "done"


@pytest.mark.parametrize(("pot", "code"), [(GREEDY, "too_large"), (GONE, "too_large"), (BROKEN, "failed")])
def test_what_goes_wrong_is_told_in_one_sentence(fake: Served, pot: int, code: str) -> None:
    _, last = finished(fake, asked(pot))
    assert last["state"] == "failed" and last["code"] == code
    assert not any(secret in json.dumps(last) for secret in ("secret", "ssh", "Traceback", "log"))


def test_what_else_a_process_says_is_not_heard(fake: Served) -> None:
    assert finished(fake, asked(BABBLING))[1]["state"] == "done"


def test_a_solution_that_does_not_answer_is_given_up(fake: Served, solves: Solves) -> None:
    id, _ = finished(fake, asked(SLOW_ANSWER))
    solve = only(solves)
    status, text = fake.ask(f"/api/spots/{id}/node")
    assert status == 503 and json.loads(text)["code"] == "late"
    until_dead(solve)


def test_few_solutions_are_kept(fake: Served, solves: Solves) -> None:
    ids = [finished(fake, asked(WELL, stack=stack))[0] for stack in (10, 20, 30)]
    deadline = time.monotonic() + PATIENCE
    while len(solves._solves) > 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert [id in solves._solves for id in ids] == [False, True, True]


def test_a_solution_that_nobody_asks_about_is_given_up(fake: Served, solves: Solves) -> None:
    solves.limits = solves.limits._replace(idle=0.3)
    id, _ = finished(fake, asked(WELL))
    solve = only(solves)
    assert node(fake, id)["line"] == []
    until_dead(solve)
    assert "any more" in fake.refused(f"/api/spots/{id}/node")


def test_tables_go_on_meanwhile(fake: Served) -> None:
    fake.post("/api/spots", asked(ENDLESS))
    began = time.monotonic()
    for _ in range(20):
        fake.get("/api/games")
    assert time.monotonic() - began < 10


# What is refused

WIDE = {"oop": "random", "ip": "random"}


@pytest.mark.parametrize(
    ("changed", "why", "code"),
    [
        ({"board": "AsAs9c4d3h"}, "there twice", "invalid"),
        ({"board": "As9c"}, "a board has 3, 4 or 5 cards", "invalid"),
        ({"board": "As9c4d3h2c5d"}, "a board has 3, 4 or 5 cards", "invalid"),
        ({"board": "Zz9c4d"}, "has no rank", "invalid"),
        ({"board": ["As", "9c", "4d"]}, "is not a board", "invalid"),
        ({"board": "As" * 100_0}, "is not a board", "invalid"),
        ({"oop": ""}, "names no hands", "invalid"),
        ({"oop": "AA:nan"}, "has no weight 'nan'", "invalid"),
        ({"oop": "AA:1e999"}, "has no weight", "invalid"),
        ({"oop": "AA:-1"}, "has no weight", "invalid"),
        ({"ip": "AsKs,As2s"}, "is impossible", "invalid"),
        ({"ip": 7}, "7 is not a range", "invalid"),
        ({"ip": "AK, " * 5_000}, "at most 16,000", "too_large"),
        ({"ip": "50% " * 300}, "a range of 300 parts", "too_large"),
        ({"pot": 0}, "a pot of 0", "invalid"),
        ({"pot": -5}, "a pot of -5", "invalid"),
        ({"pot": 1.5}, "pot 1.5 is not a whole number", "invalid"),
        ({"pot": "100"}, "is not a whole number", "invalid"),
        ({"stack": 10**30}, "is not a whole number", "invalid"),
        ({"stack": 10**9}, "a stack of 1,000,000,000", "invalid"),
        ({"stack": True}, "is not a whole number", "invalid"),
        ({"sizes": "lots"}, "is not a size", "invalid"),
        ({"sizes": "0.0001%"}, "less than a chip", "invalid"),
        ({"sizes": "9" * 400 + "%"}, "is not a size", "invalid"),
        ({"sizes": "1% " * 400}, "are not sizes", "invalid"),
        ({"sizes": {"river": {}}}, "are not sizes", "invalid"),
        ({"raise_cap": 10**6}, "from 0 to 20 raises", "invalid"),
        ({"raise_cap": "two"}, "is not a whole number", "invalid"),
        ({"until": 0}, "percentage of the pot", "invalid"),
        ({"until": "soon"}, "percentage of the pot", "invalid"),
        ({"until": 1e-9}, "percentage of the pot", "invalid"),
        ({"seconds": 10**9}, "is not known", "invalid"),
        ({"board": "As9c4d", "sizes": "50% all-in", "stack": 1_000, **WIDE}, "are allowed here", "too_large"),
        ({"sizes": " ".join(f"{n}c" for n in range(1, 60)), "raise_cap": None}, "59 sizes to choose", "invalid"),
    ],
)  # fmt: skip
def test_spots_that_are_refused(fake: Served, solves: Solves, changed: Any, why: str, code: str) -> None:
    status, text = fake.ask("/api/spots", TOY | changed)
    said = json.loads(text)
    assert 400 <= status < 500 and why in said["error"] and said["code"] == code, said
    assert len(said["error"]) <= 500 and "Traceback" not in text
    assert not solves._solves  # no process was started for it
    assert json.loads(fake.ask("/api/spots/look", TOY | changed)[1])["spot"]["code"] == code


def test_bodies_that_are_refused(fake: Served) -> None:
    assert "is not a spot" in fake.refused("/api/spots", [])
    assert "the spot has no board" in fake.refused("/api/spots", {})
    assert "is not JSON" in fake.refused("/api/spots", b'{"pot": NaN}')
    assert fake.ask("/api/spots", b" " * 3_000_000)[0] == 413
    assert fake.ask("/api/spots/look", b" " * 3_000_000)[0] == 413
    for path in ("nothing/events", "nothing/node", "..%2f..%2fetc/node", f"{'x' * 3000}/node"):
        status, text = fake.ask(f"/api/spots/{path}")
        assert (status == 404 and "error" in text) or status == 404


def test_a_spot_is_looked_at_part_by_part(fake: Served) -> None:
    def look(**changed: Any) -> Any:
        return json.loads(fake.ask("/api/spots/look", TOY | changed)[1])

    seen = look(oop="AA, KK:0.5, AhKh", board="As9c4d")
    assert seen["oop"]["grid"][:3] == [1, 0.25, 0] and seen["oop"]["grid"][14] == 0.5
    assert seen["oop"]["single"] == {"AKs": "AhKh"}
    assert seen["oop"]["hands"] == 3 + 6 + 1 and seen["oop"]["weight"] == 7
    assert seen["spot"]["decisions"] > 1000 and 0 < seen["spot"]["memory_mb"] < 10
    assert look(oop="5%")["oop"]["hands"] > 50
    for board, pot, stack, decisions in (("Td9d6hQc", 800, 2400, 870), ("Td9d6h", 1000, 1000, 52_436)):
        spot = look(board=board, pot=pot, stack=stack, sizes="50% / all-in", raise_cap=None)["spot"]
        assert spot["decisions"] == decisions  # as another solver counts them
    seen = look(board="", oop="nonsense")
    assert seen["oop"]["code"] == "invalid" and "is not a range" in seen["oop"]["error"]
    assert seen["ip"]["hands"] == 6 and "a board has" in seen["spot"]["error"]
    assert json.loads(fake.ask("/api/spots/look", "AA")[1])["spot"]["code"] == "invalid"
