"""Agents, matches and files of others cannot hold up the server: each is limited, killed when late, and waits its turn.

Agents that never return do so within C code, where no thread can be interrupted.
"""

import asyncio
import itertools
import json
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.errors import InputError
from fifthstreet.web import processes
from fifthstreet.web.foreign import refuse_unloadable
from fifthstreet.web.processes import Ended
from fifthstreet.web.rates import RATES, Rate, Rates
from fifthstreet.web.refusals import Busy
from fifthstreet.web.workers import Unwanted, Workers
from support_web import PATIENCE, Player, Served, is_alive, serving

pytestmark = pytest.mark.usefixtures("fixed_deals")

LIMIT = 1.0  # seconds for an agent's decision


@dataclass
class Endless(Agent):
    """Never decides."""

    name: ClassVar[str] = "endless"

    def decide(self, turn: Turn[Any]) -> Decision:
        all(itertools.repeat(True))
        raise AssertionError


@dataclass
class Greedy(Agent):
    """Takes all the memory there is."""

    name: ClassVar[str] = "memory-eater"

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(len(bytearray(10**11)))


@dataclass
class Compiling(Agent):
    """Compiles for longer than it may think."""

    name: ClassVar[str] = "compiling"

    def decide(self, turn: Turn[Any]) -> Decision:
        import numba

        began = time.monotonic()
        while time.monotonic() - began < 1.5 * LIMIT:
            numba.njit(lambda number: number + 1)(1)
        return Decision(turn.choices[0])


@dataclass
class Killed(Agent):
    """Is killed in its second hand; counts the hands that it has learned from."""

    name: ClassVar[str] = "killed"

    seen: int = 0

    def decide(self, turn: Turn[Any]) -> Decision:
        if self.seen == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return Decision(0, reason=f"after {self.seen} hands")

    def learn(self, view: Any, payoff: float) -> None:
        self.seen += 1


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    with serving(agents=(Endless, Greedy, Compiling, Killed), seconds=LIMIT) as served:
        yield served


def failures(player: Player) -> set[str]:
    return {line["failed"] for part in player.last["log"] for line in part["lines"] if line["failed"]}


def test_an_agent_that_never_returns_is_killed_while_others_play(house: Served) -> None:
    stuck = [house.sit(house.open("five-o", "you", "endless")) for _ in range(3)]
    for player in stuck:
        player.turn()
        player.act({"column": 0})
    quick = house.sit(house.open("five-o", "you", "reflex-1"))
    assert quick.play_hand()["over"]
    for player in stuck:
        player.until(lambda picture: picture["choices"])
        assert failures(player) == {"endless took more than 1 seconds"}


def test_what_an_agent_compiles_does_not_count(house: Served) -> None:
    player = house.sit(house.open("five-o", "you", "compiling"))
    player.turn()
    player.act({"column": 0})
    player.until(lambda picture: picture["choices"])
    assert failures(player) == set()


def test_an_agent_that_takes_all_memory_fails_alone(house: Served) -> None:
    player = house.sit(house.open("holdem", "you", "memory-eater"))
    player.play_hand()
    assert failures(player) == {"memory-eater needed more memory than is allowed"}


def test_a_kill_costs_one_decision_and_nothing_that_was_learned(house: Served) -> None:
    player = house.sit(house.open("holdem", "you", "killed", stacks="reset"))
    reasons = []
    for _ in range(3):
        player.play_hand()
        thoughts = [each["reason"] for each in player.last["thoughts"] if each["seat"] == 1]
        reasons.append(thoughts[0] if thoughts else failures(player))
        player.next_hand()
    crashed = {"killed crashed, or needed more memory than is allowed"}
    assert reasons == ["after 0 hands", crashed, "after 2 hands"]


def test_many_coaches_asked_for_at_one_seat_delay_nobody_else(house: Served) -> None:
    hostile = house.sit(house.open("holdem", "you", "call-station"))
    hostile.turn()
    for _ in range(300):
        hostile.send(type="coach", agent="endless")
    quick = house.sit(house.open("five-o", "you", "reflex-1"))
    assert quick.play_hand()["over"]
    assert "ask again in" in hostile.refusal() and hostile.code == "busy"
    refused = next(json.loads(text) for text in hostile.frames if '"refused"' in text)
    assert 1 <= refused["retry_s"] <= 2


def test_a_match_of_endless_agents_is_stopped_at_once_and_holds_up_no_other(house: Served) -> None:
    asked = {"kind": "match", "game": "five-o", "agents": ["endless", "random"], "deals": 50}
    stuck = [house.post("/api/watch", asked)["id"] for _ in range(3)]
    other = house.post("/api/watch", asked | {"agents": ["reflex-1", "random"]})["id"]
    assert "event: done" in house.ask(f"/api/watch/{other}/events")[1]
    stuck.append(house.post("/api/watch", asked)["id"])
    assert "4 of yours are running already" in house.refused("/api/watch", asked)
    for show in stuck:
        assert house.ask(f"/api/watch/{show}", method="DELETE")[0] == 200
        assert house.ask(f"/api/watch/{show}/events")[1].startswith("event: stopped")


def test_what_was_read_of_a_file_is_kept_when_the_rest_takes_too_long(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fifthstreet.web.importing.ENTRY", "fake_worker:endless_reader")
    monkeypatch.setattr("fifthstreet.web.importing.HAND_S", 0.5)
    found = house.post("/api/hands", b"x" * 5_000_000)
    assert [hand["title"] for hand in found["hands"]] == ["Ann +1"]
    assert "the rest is not read" in found["refused"][0]["error"]


def test_more_than_is_allowed_is_refused_with_when_to_ask_again(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("table", "watch", "import"):
        monkeypatch.setitem(RATES, kind, Rate(0, 6, "of these"))
    for path in ("/api/tables", "/api/watch", "/api/hands"):
        status, text = house.ask(path, {"game": "five-o", "seats": ["you", "random"]})
        assert (status, json.loads(text)["code"]) == (429, "busy") and json.loads(text)["retry_s"] == 10


def test_rates_come_back_as_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    rates = Rates({"table": Rate(2, 60, "tables were opened")})
    for _ in range(2):
        rates.take("table", "a")
    with pytest.raises(Busy, match=r"too many tables were opened: ask again in 1 second$"):
        rates.take("table", "a")
    rates.take("table", "b")
    now += 1
    rates.take("table", "a")
    with pytest.raises(Busy):
        rates.take("table", "a")
    for number in range(20_000):  # what is known of others does not grow for ever
        rates.take("table", str(number))
    assert len(rates._left) <= 10_000


def test_agents_that_another_process_cannot_load_are_refused() -> None:
    class Local(Endless):
        """Cannot be found by its name."""

    with pytest.raises(InputError, match="define it in a file, and not within a function"):
        refuse_unloadable(Local)
    refuse_unloadable(Endless)


# Turns


def with_workers(play: Callable[[Workers], Awaitable[None]], monkeypatch: pytest.MonkeyPatch, quick: int = 1) -> None:
    """Let this play with processes that do what they are told."""
    monkeypatch.setattr("fifthstreet.web.workers.ENTRY", "fake_worker:main")

    async def run() -> None:
        workers = Workers(quick, 2)
        try:
            async with asyncio.timeout(PATIENCE):
                await play(workers)
        finally:
            workers.close()

    asyncio.run(run())


def test_waiting_for_a_turn_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(workers: Workers) -> None:
        works = [workers.do(f"seat {i}", 1.0, name="x", think_s=0.2) for i in range(10)]
        await asyncio.gather(*works)  # two seconds in all

    with_workers(play, monkeypatch)


def test_what_is_compiled_first_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(workers: Workers) -> None:
        await workers.do("seat", 0.5, name="x", compile_s=1.0)
        with pytest.raises(TimeoutError):
            await workers.do("seat", 0.5, name="x", think_s=5.0)

    with_workers(play, monkeypatch)


def test_everybody_gets_a_turn_before_anybody_gets_two(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(workers: Workers) -> None:
        await workers.do("first", 5.0, name="x")
        hostile = [asyncio.create_task(workers.do("hostile", 5.0, name="x", think_s=0.02)) for _ in range(300)]
        await asyncio.sleep(0)
        for i in range(10):
            await workers.do(f"other {i}", 5.0, name="x")
        assert sum(task.done() for task in hostile) < 30
        for task in hostile:
            task.cancel()

    with_workers(play, monkeypatch)


def test_work_that_nobody_wants_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(workers: Workers) -> None:
        running = asyncio.create_task(workers.do("a", 5.0, name="running", think_s=0.1))
        await asyncio.sleep(0)
        cancelled = asyncio.create_task(workers.do("a", 5.0, name="cancelled"))
        unwanted = asyncio.create_task(workers.do("a", 5.0, wanted=lambda: False, name="unwanted"))
        await asyncio.sleep(0)
        cancelled.cancel()
        await running
        with pytest.raises(Unwanted):
            await unwanted
        last = await workers.do("a", 5.0, name="last")
        assert last.found["done"]["before"] == ["running", "last"]

    with_workers(play, monkeypatch)


def test_who_is_late_is_killed_and_nobody_behind_it_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(workers: Workers) -> None:
        pid = (await workers.do("first", 5.0, name="x")).found["done"]["pid"]
        late = asyncio.create_task(workers.do("late", 0.6, name="x", think_s=60.0))
        crashing = asyncio.create_task(workers.do("crashing", 5.0, name="x", crash=True))
        babbling = asyncio.create_task(workers.do("babbling", 5.0, name="x", nonsense=True))
        others = [asyncio.create_task(workers.do(f"other {i}", 5.0, name="x")) for i in range(5)]
        await asyncio.gather(*others)
        assert not late.done()  # it gave way
        with pytest.raises(TimeoutError):
            await late
        for broken in (crashing, babbling):
            with pytest.raises(Ended):
                await broken
        while is_alive(pid):
            await asyncio.sleep(0.01)

    with_workers(play, monkeypatch)


def test_a_process_that_is_worn_out_hands_over(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(workers: Workers) -> None:
        works = [workers.do(f"{i}", 5.0, name="x", last=i == 2, think_s=0.02) for i in range(8)]
        pids = [done.found["done"]["pid"] for done in await asyncio.gather(*works)]
        assert len({*pids[:3]}) == 1 and {*pids[3:]}.isdisjoint(pids[:3])

    with_workers(play, monkeypatch)


def test_work_that_is_cancelled_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(workers: Workers) -> None:
        pid = (await workers.do("a", 5.0, name="x")).found["done"]["pid"]
        task = asyncio.create_task(workers.do("a", 60.0, name="x", think_s=60.0))
        await asyncio.sleep(0.1)
        task.cancel()
        while is_alive(pid):
            await asyncio.sleep(0.01)

    with_workers(play, monkeypatch)


def test_a_process_that_waits_and_is_killed_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(workers: Workers) -> None:
        pid = (await workers.do("a", 5.0, name="x")).found["done"]["pid"]
        os.kill(pid, signal.SIGKILL)
        while is_alive(pid):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        assert (await workers.do("a", 5.0, name="x")).found["done"]["pid"] != pid

    with_workers(play, monkeypatch)


def test_who_learns_for_long_delays_neither_the_quick_nor_the_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fifthstreet.web.workers.LONG_MOMENT", 0.1)
    monkeypatch.setattr("fifthstreet.web.workers.MOMENT", 0.1)

    async def play(workers: Workers) -> None:
        learning = [asyncio.create_task(workers.do(f"{i}", 5.0, name="x", compile_s=60.0)) for i in range(6)]
        slow = [asyncio.create_task(workers.do(f"slow {i}", 5.0, name="x", think_s=0.3)) for i in range(3)]
        assert not (await workers.do("quick", 5.0, name="x")).slow
        assert all([(await each).slow for each in slow])
        assert not any(each.done() for each in learning)
        for each in learning:
            each.cancel()

    with_workers(play, monkeypatch)


def test_when_the_process_that_forks_is_gone_another_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(workers: Workers) -> None:
        pid = (await workers.do("a", 5.0, name="x")).found["done"]["pid"]
        forking = processes._template._process
        assert forking is not None
        forking.kill()
        while is_alive(pid):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        assert (await workers.do("a", 5.0, name="x")).found["done"]["before"] == ["x"]

    with_workers(play, monkeypatch)


def test_processes_start_by_themselves_where_they_cannot_be_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "FORKS", False)

    async def play(workers: Workers) -> None:
        done = await workers.do("a", 5.0, name="x")
        with pytest.raises(TimeoutError):
            await workers.do("a", 0.1, name="x", think_s=60.0)
        assert not is_alive(done.found["done"]["pid"])

    with_workers(play, monkeypatch)
