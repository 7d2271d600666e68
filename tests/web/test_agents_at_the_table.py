"""Agents that are slow, raise or cheat do not stop a table, nor any other; those who learn do; what they thought."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.web.coach import cost, summary
from fifthstreet.web.drawing import FACES
from support_web import Player, Served, serving

pytestmark = pytest.mark.usefixtures("fixed_deals")


@dataclass
class Stuck(Agent):
    """Thinks for a minute."""

    name: ClassVar[str] = "stuck"

    def decide(self, turn: Turn[Any]) -> Decision:
        time.sleep(60)
        return Decision(turn.choices[0])


@dataclass
class Raising(Agent):
    """Raises an error."""

    name: ClassVar[str] = "raising"

    def decide(self, turn: Turn[Any]) -> Decision:
        raise KeyError(f"a secret: {turn.view!r}")


@dataclass
class Cheat(Agent):
    """Chooses what is not allowed."""

    name: ClassVar[str] = "cheat"

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(10**9)


@dataclass
class Silent(Agent):
    """Gives nothing back."""

    name: ClassVar[str] = "silent"

    def decide(self, turn: Turn[Any]) -> Any:
        return None


@dataclass
class Unprepared(Agent):
    """Fails before it ever decides."""

    name: ClassVar[str] = "unprepared"

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(turn.choices[0])

    def mind(self, game: Any) -> Any:
        raise OSError("no disk")


@dataclass
class Counting(Agent):
    """Remembers how many hands it has seen."""

    name: ClassVar[str] = "counting"

    seen: int = 0

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(0, reason=f"after {self.seen} hands", figures={"hands": self.seen})

    def learn(self, view: Any, payoff: float) -> None:
        self.seen += 1


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    with serving(agents=(Stuck, Raising, Cheat, Silent, Unprepared, Counting), seconds=0.3) as served:
        yield served


def failures(player: Player) -> list[str]:
    return [line["failed"] for part in player.last["log"] for line in part["lines"] if line["failed"]]


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("raising", "raising failed: KeyError"),
        ("cheat", "cheat chose an action that is not allowed"),
        ("silent", "silent gave something that is not a Decision"),
        ("unprepared", "unprepared failed: OSError"),
    ],
)
@pytest.mark.parametrize("game", ["holdem", "five-o"])
def test_who_fails_is_shown_as_failed_and_the_table_goes_on(house: Served, game: str, agent: str, why: str) -> None:
    player = house.sit(house.open(game, "you", agent))
    for _ in range(2):
        player.play_hand()
        assert any(why in failure for failure in failures(player))
        assert why in player.last["seats"][1]["failed"] and player.last["seats"][0]["failed"] is None
        player.next_hand()
    assert not any("secret" in frame for frame in player.frames)  # an error's own words may hold cards


def test_who_fails_folds_against_a_bet_and_checks_otherwise(house: Served) -> None:
    player = house.sit(house.open("holdem", "you", "raising", "call-station", options={"stack": 100}))
    while player.turn()["choices"]:
        low = (player.last["choices"]["raise"] or {}).get("low")
        player.act({"move": "raise", "to": low} if low and player.last["phase"] == "turn" else {"move": "call"})
    kinds = [line["kind"] for part in player.last["log"] for line in part["lines"] if line["seat"] == 1]
    assert kinds[-1] == "fold" and set(kinds[:-1]) <= {"check"}


def test_a_slow_agent_is_late_and_stalls_no_other_table(house: Served) -> None:
    slow = [house.sit(house.open("five-o", "you", "stuck")) for _ in range(4)]
    quick = house.sit(house.open("five-o", "you", "greedy-2"))
    for player in slow:
        player.turn()
        player.act({"column": 0})
    assert quick.play_hand()["over"]  # while the others still think
    for player in slow:
        player.until(lambda picture: picture["choices"])
        assert failures(player) == ["stuck took more than 0.3 seconds"]
        assert any(json.loads(frame)["seats"][1]["thinking"] for frame in player.frames)
        player.act({"column": 1})
        player.until(lambda picture: picture["choices"])
        assert failures(player) == ["stuck took more than 0.3 seconds"] * 2


def test_who_learns_learns_from_every_hand(house: Served) -> None:
    player = house.sit(house.open("holdem", "you", "counting"))
    for hands in range(3):
        player.play_hand()
        thought = next(each for each in player.last["thoughts"] if each["seat"] == 1)
        assert thought["reason"] == f"after {hands} hands" and thought["hidden"] is False
        player.next_hand()


def test_what_was_learned_is_there_after_a_restart(tmp_path: Any) -> None:
    place = tmp_path / "tables.sqlite"
    with serving(place, (Counting,)) as first:
        table = first.open("holdem", "you", "counting")
        player = first.sit(table)
        for _ in range(3):
            player.play_hand()
            player.next_hand()
    with serving(place, (Counting,)) as second:
        player = second.sit(table)
        player.play_hand()
        assert player.last["thoughts"][0]["reason"] == "after 3 hands"


@pytest.mark.usefixtures("fixed_deals")
def test_reasons_are_hidden_then_shown(server: Served) -> None:
    player = server.sit(server.open("holdem", "you", "eva:samples=50"))
    hidden = False
    for _ in range(20):  # until it does not fold at once
        while player.turn()["choices"]:
            hidden = hidden or any(thought["hidden"] for thought in player.last["thoughts"])
            player.act({"move": "call"})
        if hidden:
            break
        player.next_hand()
    assert hidden
    thought = player.last["thoughts"][0]
    assert thought["hidden"] is False and 0 <= thought["win"] <= 1 and thought["unit"] == "chips"
    assert sum(bar["chosen"] for bar in thought["bars"]) == 1
    replayed = server.get(f"/api/hands/{player.last['hand_id']}")
    acted = [frame["then"] for frame in replayed["frames"] if frame["then"] and frame["then"]["seat"] == 1]
    assert acted and all(each["thought"]["bars"] and not each["thought"]["hidden"] for each in acted)


def test_reasons_of_five_o_and_squares_can_be_drawn(server: Served) -> None:
    player = server.sit(server.open("five-o", "you", "exact"))
    player.turn()
    player.act({"column": 0})
    thought = player.until(lambda picture: picture["thoughts"])["thoughts"][0]  # it lies open before the last row
    assert len(thought["columns"]) == 5 and 0 <= thought["columns"][0]["wait"] <= 1 and thought["unit"] == "chance"
    squares = server.sit(server.open("poker-squares", "you"))
    squares.act({"cell": 0})
    squares.send(type="coach", agent="greedy")
    advice = squares.until(lambda picture: picture["coach"] and picture["coach"]["advice"])["coach"]["advice"]
    assert advice["cells"][0] is None and all(value is not None for value in advice["cells"][1:])


def test_the_coach_says_what_it_would_do_and_what_a_choice_cost(server: Served) -> None:
    player = server.sit(server.open("poker-squares", "you", practice=True))
    player.send(type="coach", agent="greedy")
    costs = []
    for _ in range(25):
        coach = player.until(lambda picture: picture["coach"] and picture["coach"]["advice"])["coach"]
        values = coach["advice"]["cells"]
        worst = min(player.last["choices"]["cells"], key=lambda cell: values[cell])
        costs.append(max(value for value in values if value is not None) - values[worst])
        player.act({"cell": worst})
    end = player.until(lambda picture: picture["coach"]["decisions"] == 25)["coach"]
    assert end["cost_session"] == pytest.approx(sum(costs))
    assert [each["cost"] for each in end["worst"]] == pytest.approx(sorted(costs, reverse=True)[:3])
    assert end["worst"][0]["hand_id"] == player.last["hand_id"]
    player.send(type="coach", agent=None)
    player.until(lambda picture: picture["coach"] is None)
    assert "is not an agent" in player.refused(type="coach", agent="./mine.py:Mine")
    assert "is not the name" in player.refused(type="coach", agent=["eva"])


def test_costs() -> None:
    bets, others = FACES["holdem"], FACES["five-o"]
    values = {0: 5.0, 40: 10.0, 80: 30.0}
    assert bets.value_of(values, 60) == 20.0  # halfway between two raises that were looked at
    assert bets.value_of(values, 500) == 30.0 and bets.value_of(values, 4) == 10.0
    assert bets.value_of(values, -1) == 0.0  # a fold
    assert bets.value_of({}, -1) is None and others.value_of(values, 7) is None
    decision = Decision(80, values=values)
    assert cost(decision, 80, bets) == 0 and cost(decision, 0, bets) == 25.0 and cost(decision, -1, bets) == 30.0
    assert cost(Decision(80), 0, bets) is None


def test_costs_in_different_units_are_not_added_up() -> None:
    about = {"chair": 0, "agent": "greedy-2", "hand": 1, "step": 0, "yours": "a", "theirs": "b", "phase": "p"}
    units = [(3.0, "value"), (5.0, "value"), (0.4, "chance"), (None, "value")]
    judged = [{**about, "cost": lost, "unit": unit} for lost, unit in units]
    judged += [
        {**about, "chair": 1, "cost": 9.0, "unit": "value"},
        {**about, "agent": "exact", "cost": 9.0, "unit": "chance"},
    ]
    found = summary(judged, 0, "greedy-2", {1: "id"})
    assert found["cost_session"] == 8.0 and found["unit"] == "value" and found["counted"] == 2
    assert found["decisions"] == 4 and [each["cost"] for each in found["worst"]] == [5.0, 3.0]
    assert summary([], 0, "greedy-2", {})["cost_session"] is None


def test_the_coach_gets_what_the_person_sees_and_no_more(server: Served) -> None:
    """Its advice is that of the agent itself, asked with the person's view."""
    player = server.sit(server.open("five-o", "you", "greedy-2"))
    player.turn()
    player.send(type="coach", agent="greedy-2")
    picture = player.until(lambda picture: picture["coach"] and picture["coach"]["advice"])
    end = player.play_hand()
    hand = server.get(f"/api/hands/{end['hand_id']}")
    from fifthstreet.rng import stream
    from fifthstreet.web.hand_in_play import Deal, Hand

    again = Hand(Deal("five-o", (0, 1), seed=hand["deal"]["seed"])).at(0)
    agent = agent_named("greedy-2", "five-o")
    turn = Turn(again.game, again.view(0), again.game.choices(again.state), stream(1, "x"), agent.mind(again.game))
    assert picture["coach"]["advice"]["choice"] == {"column": agent.decide(turn).action}


def test_what_an_agent_believes_of_others_is_shown_by_chair(server: Served) -> None:
    """Seats of the rules move with the button; the page counts chairs."""
    player = server.sit(server.open("holdem", "you", "opponent-model", "call-station", stacks="reset"))
    for _ in range(12):  # until it has seen a showdown, and does not fold at once
        while player.turn()["choices"]:
            player.act({"move": "call"})
        thought = next((each for each in player.last["thoughts"] if each["seat"] == 1), None)
        believed = thought["opponents"] if thought else []
        if believed:
            break
        player.next_hand()
    assert {each["seat"] for each in believed} <= {0, 2} and all(each["observations"] > 0 for each in believed)
    assert believed
