"""Matches: duplicate deals, the same result for any number of workers, known values, and refusals."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from matplotlib.figure import Figure

from fifthstreet.agents import Agent, Decision, Turn
from fifthstreet.agents.agent import AgentFailure, read_only
from fifthstreet.agents.random_choice import RandomChoice
from fifthstreet.agents.solved import KuhnEquilibrium
from fifthstreet.arena.match import UNIT, Match, match
from fifthstreet.arena.party import invited
from fifthstreet.arena.play import Record, play, replay
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.statistics import SequentialTest
from fifthstreet.arena.tournament import tournament
from fifthstreet.arena.units import Players, play_unit, seatings
from fifthstreet.errors import InputError
from fifthstreet.estimate import mean
from fifthstreet.games.kuhn import Kuhn
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order


@dataclass
class Python(Agent):
    """Plays as the random agent does, and remembers what it saw."""

    name: ClassVar[str] = "python"
    seen: list[Any] = field(default_factory=list)

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(turn.choices[turn.rng.below(len(turn.choices))])

    def learn(self, view: Any, payoff: float) -> None:
        self.seen.append((view, payoff))


def test_the_result_does_not_depend_on_the_workers() -> None:
    results = [match("leduc", ["random", "random"], 3 * UNIT + 17, 5, workers=w).by_deal for w in (1, 2, 5)]
    assert all(np.array_equal(results[0], other) for other in results)


def test_more_deals_begin_with_the_same_deals() -> None:
    few = match("leduc", ["random", "random"], 300, 5).by_deal
    many = match("leduc", ["random", "random"], 2 * UNIT, 5).by_deal
    assert np.array_equal(few, many[:300])


def test_one_agent_in_python_changes_nothing_but_the_speed() -> None:
    fast = match("leduc", ["random", "random"], 500, 2)
    slow = match("leduc", ["random", Python()], 500, 2)
    assert (fast.compiled, slow.compiled) == (True, False)
    assert np.array_equal(fast.by_deal, slow.by_deal)


def test_luck_cancels_between_the_seatings_of_a_deal() -> None:
    """An agent against itself draws the same numbers in either seat, so every deal comes out even."""
    agents = [KuhnEquilibrium(), KuhnEquilibrium()]
    seeds = Seeds.of(1, 2)
    alike = Seeds(seeds.dealer, np.array([seeds.agents[0], seeds.agents[0]]))
    assert (play_unit(Kuhn(), agents, seatings(2, 2), alike, 0, 500, True) == 0).all()


def test_best_play_loses_an_eighteenth_in_the_first_seat() -> None:
    for bluff in (0.0, 0.2, 1 / 3):
        agents = [KuhnEquilibrium(bluff), KuhnEquilibrium()]
        first_seat_only = np.array([[0, 1]])
        payoffs = play_unit(Kuhn(), agents, first_seat_only, Seeds.of(4, 2), 0, 400_000, True)[:, 0]
        spread = payoffs.std() / np.sqrt(len(payoffs))
        assert abs(payoffs.mean() + 1 / 18) < 5 * spread


def test_nobody_beats_best_play() -> None:
    result = match("kuhn", ["equilibrium", "random"], 50_000, 1)
    assert result.difference().low > 0


def test_means_of_a_tournament_cover_the_truth() -> None:
    """Random play against three that are equally good: what it loses is known from a long match."""
    rivals = ["equilibrium", "equilibrium:bluff=0.3", "equilibrium:bluff=0.25"]
    truth = np.mean([match("kuhn", ["random", rival], 400_000, 77).standings[0].payoff.value for rival in rivals])
    inside = 0
    for seed in range(150):
        found = tournament("kuhn", ["random", *rivals], 400, seed, workers=1).mean(0)
        inside += bool(found.low <= truth <= found.high)
    assert inside >= 130  # 142.5 expected; 130 is 4.7 deviations below


@dataclass
class Counting(Agent):
    """Writes to its mind: bets on every other decision of its life."""

    @property
    def learns(self) -> bool:
        return True

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(counting(turn.view, turn.mind, turn.rng.state))

    def policy(self, game: Any) -> Any:
        return counting

    def mind(self, game: Any) -> Any:
        return np.zeros(1)


@kernel
def counting(view: Any, mind: Any, words: Any) -> int:
    mind[0] += 1
    return int(mind[0]) % 2


@kernel
def constant(view: Any, mind: Any, words: Any) -> int:
    return 1


@kernel
def fractional(view: Any, mind: Any, words: Any) -> float:
    return 0.5


def test_memory_lasts_through_a_unit_either_way() -> None:
    fast = match("kuhn", [Counting(), "random"], 700, 3, unit=300)
    slow = match("kuhn", [Counting(), "random"], 700, 3, unit=300, compiled=False)
    assert fast.compiled
    assert np.array_equal(fast.by_deal, slow.by_deal)
    assert not np.array_equal(fast.by_deal, match("kuhn", [Counting(), "random"], 700, 3, unit=350).by_deal)


@dataclass
class Secretive(Counting):
    """Writes to its mind, and says that it does not learn."""

    @property
    def learns(self) -> bool:
        return False


class InPython(Secretive):
    def decide(self, turn: Turn[Any]) -> Decision:
        turn.mind[0] += 1
        return Decision(0)

    def policy(self, game: Any) -> Any:
        return None


@pytest.mark.parametrize(("agent", "compiled"), [(Secretive(), True), (Secretive(), False), (InPython(), None)])
def test_a_memory_that_is_not_declared_is_refused(agent: Agent, compiled: bool | None) -> None:
    with pytest.raises(AgentFailure, match=f"^{agent.name} writes to its mind, but says that it does not learn"):
        match("kuhn", [agent, "random"], 10, compiled=compiled)


SHARED = np.ones(1_000)


@dataclass
class WithTable(Agent):
    """Plays by a table that all players of its kind share."""

    plays = constant
    may_learn: bool = False

    @property
    def learns(self) -> bool:
        return self.may_learn

    def mind(self, game: Any) -> Any:
        return read_only(SHARED)


def test_what_nobody_writes_to_is_shared_and_who_learns_has_a_mind_of_its_own() -> None:
    table = [WithTable(), WithTable()]
    shared = Players(Kuhn(), table, compiled=True).minds
    assert all(np.shares_memory(mind, SHARED) and not mind.flags.writeable for mind in shared)
    own = Players(Kuhn(), [WithTable(True), WithTable(True)], compiled=True).minds
    assert all(mind.flags.writeable and not np.shares_memory(mind, SHARED) for mind in own)
    assert not np.shares_memory(own[0], own[1])
    assert match("kuhn", [WithTable(), Counting()], 10).compiled  # some may write to their minds, and some may not


def test_a_time_limit_is_told_as_what_it_was_on_this_computer() -> None:
    @dataclass
    class Limited(WithTable):
        def effort(self, game: Any) -> str:
            return "1,234 placements a card"

    found = match("kuhn", [Limited(), "random"], 10)
    assert str(found).endswith("seed 0; Limited had 1,234 placements a card")
    assert [agent.get("time_limit") for agent in found.to_dict()["agents"]] == ["1,234 placements a card", None]


def test_a_policy_that_does_not_give_whole_numbers_is_refused() -> None:
    @dataclass
    class Always(Counting):
        def policy(self, game: Any) -> Any:
            return constant

    @dataclass
    class Wrong(Counting):
        def policy(self, game: Any) -> Any:
            return fractional

    assert match("kuhn", [Always(), "random"], 10).compiled
    with pytest.raises(InputError, match="'fractional' returns float64"):
        match("kuhn", [Wrong(), "random"], 10)
    with pytest.raises(InputError, match="does not play leduc"):
        match("leduc", [KuhnEquilibrium(), "random"], 10)


def test_work_within_work_does_not_wait_for_itself() -> None:
    def outer(number: int) -> int:
        return sum(in_order(lambda x: x * number, range(10), workers=2))

    assert list(in_order(outer, range(8), workers=2)) == [45 * number for number in range(8)]


def test_a_solitary_seat_is_taken_by_everyone_in_turn() -> None:
    assert seatings(1, 3).tolist() == [[0], [1], [2]]
    assert seatings(3, 3).tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert len(seatings(3, 3, every_order=True)) == 6


def test_agents_hear_the_end_of_every_game_and_forget_after_a_unit() -> None:
    told = []

    @dataclass
    class Listener(Python):
        def learn(self, view: Any, payoff: float) -> None:
            super().learn(view, payoff)
            told.append(len(self.seen))

    match("kuhn", [Listener(), "random"], UNIT + 10, 1, workers=1)
    once, rest = [*range(1, UNIT + 1)], [*range(1, 11)]
    assert told == once + once + rest + rest  # from either seat, by a fresh agent


def test_records_replay() -> None:
    for number in range(50):
        dealer, streams = Seeds.of(number, 2).for_deal(0)
        record = play(Kuhn(), [RandomChoice(), KuhnEquilibrium()], dealer, streams)
        again = Record.from_dict(record.to_dict())
        states = list(replay(again))
        assert len(states) == len(record.steps) + 1
        assert tuple(Kuhn().payoffs(states[-1])) == record.payoffs


@pytest.mark.parametrize(
    ("change", "quoted"),
    [
        ({"steps": []}, "before the game is over"),
        ({"payoffs": [9, -9]}, "the record says payoffs"),
        ({"game": "chess"}, "'chess' is not a game"),
        ({"steps": [{"seat": 0, "action": 0}]}, "action 1 of the record is seat 0's, but seat -1 is to act"),
        ({"steps": [{"seat": -1, "action": 9}]}, "action 1 of the record: '9'"),
        ({"steps": [{"seat": -1}]}, "not the record of a game"),
        ({"steps": 3}, "not the record of a game"),
        ({"steps": [{"seat": -1, "action": float("1e999")}]}, "not the record of a game"),
        ({"steps": [{"seat": float("nan"), "action": 0}]}, "not the record of a game"),
        ({"payoffs": [10**400, 0]}, "not the record of a game"),
        ({"payoffs": ["x" * 5000, 0]}, "not the record of a game"),
    ],
)
def test_wrong_records_are_quoted(change: dict[str, Any], quoted: str) -> None:
    dealer, streams = Seeds.of(0, 2).for_deal(0)
    given = play(Kuhn(), [RandomChoice(), RandomChoice()], dealer, streams).to_dict() | change
    with pytest.raises(InputError) as error:
        list(replay(Record.from_dict(given)))
    assert quoted in str(error.value)
    assert len(str(error.value)) <= 300


def test_what_the_result_says() -> None:
    result = match("kuhn", ["equilibrium:bluff=0.1", "random"], 1000, 1)
    found = result.to_dict()
    assert (found["game"], found["deals"], found["seed"]) == ("kuhn", 1000, 1)
    first, second = found["agents"]
    assert first["name"] == "equilibrium:bluff=0.1"
    assert first["ci95"][0] < first["mean"] < first["ci95"][1]
    assert first["mean"] == -second["mean"] == pytest.approx(mean(result.by_deal[:, 0]).value)
    assert first["wins"] + first["draws"] + first["losses"] == 1000
    assert (first["wins"], first["losses"]) == (second["losses"], second["wins"])
    assert "equilibrium:bluff=0.1" in str(result)
    assert match("kuhn", ["random", "random"], 1, 1).to_dict()["agents"][0]["ci95"] == [None, None]


def test_a_sequential_test_stops_early_and_for_any_number_of_workers() -> None:
    found = [match("kuhn", ["equilibrium", "random"], 100_000, 1, until=0.1, workers=w) for w in (1, 3)]
    assert [result.answer for result in found] == ["yes", "yes"]
    assert found[0].deals == found[1].deals < 100_000
    assert match("kuhn", ["random", "equilibrium"], 100_000, 1, until=SequentialTest(0.1)).answer == "no"
    assert match("kuhn", ["random", "random"], 200, 1, until=SequentialTest(0.001)).answer == "open"


def test_the_interval_of_a_learner_is_by_unit() -> None:
    """An agent that takes to one way of playing for a whole unit: its deals tell less than their number says."""

    @dataclass
    class Moody(Python):
        mood: int = -1

        def decide(self, turn: Turn[Any]) -> Decision:
            if self.mood < 0:
                self.mood = turn.rng.below(2)
            return Decision(turn.choices[self.mood])

    results = [match("kuhn", [Moody(), "equilibrium"], 400, seed, unit=20) for seed in range(40)]
    assert all(result.learning and result.standings[0].payoff.count == 20 for result in results)
    long = np.mean([result.standings[0].payoff.value for result in results])
    covered = sum(r.standings[0].payoff.low <= long <= r.standings[0].payoff.high for r in results)
    assert covered >= 31  # 38 expected; 31 is five deviations below
    assert not match("kuhn", ["random", "equilibrium"], 50, 1).learning


def test_payoffs_have_units() -> None:
    result = match("holdem:seats=2,small_blind=5,big_blind=10,stack=1000", ["random", "call-station"], 50, 1)
    columns, rows, _ = result.table()
    assert columns[1:4] == ["chips per deal", "95 % interval", "bb/100"]
    found = result.to_dict()
    assert found["payoff_unit"] == "chips per deal"
    first = found["agents"][0]
    assert first["bb_per_100"]["value"] == pytest.approx(10 * first["mean"])
    assert first["bb_per_100"]["ci95"] == pytest.approx([10 * end for end in first["ci95"]])
    assert rows[0][3].startswith(f"{10 * first['mean']:+.1f} ± ")
    assert result.plot(Figure().subplots()).get_xlabel() == "chips per deal"
    assert "bb_per_100" not in match("kuhn", ["random", "random"], 10).to_dict()["agents"][0]
    between = tournament("holdem", ["random", "call-station"], 10, 1)
    assert between.to_dict()["payoff_unit"] == "chips per deal"
    assert "chips per deal" in str(between)
    assert between.to_dict()["agents"][0]["bb_per_100"]["value"] == pytest.approx(
        50 * between.mean(between.order()[0]).value
    )


def test_nobody_wins_or_loses_a_game_for_one_player() -> None:
    result = match("poker-squares", ["greedy", "random"], 20, 1)
    assert result.table()[0] == ["agent", "points per game", "95 % interval"]
    found = result.to_dict()
    assert found["payoff_unit"] == "points per game"
    assert set(found["agents"][0]) == {"name", "mean", "ci95"}
    assert "+" not in str(result)


def test_a_match_can_be_followed_round_by_round() -> None:
    playing = Match(invited("leduc", ["random", "random"]), 500, 5)
    seen = []
    for part in playing.rounds():
        seen.append(playing.played)
        assert len(part.rows) <= playing.result().deals == playing.played
    assert seen == sorted(seen) and len(seen) > 1 and seen[-1] == 500
    assert np.array_equal(playing.result().by_deal, match("leduc", ["random", "random"], 500, 5).by_deal)


def test_a_tournament_of_objects_is_that_of_names() -> None:
    given = tournament(Kuhn(), [RandomChoice(), KuhnEquilibrium()], 200, 1)
    assert given.to_dict() == tournament("kuhn", ["random", "equilibrium"], 200, 1).to_dict()


def test_a_tournament_ranks_the_better_first() -> None:
    result = tournament("kuhn", ["random", "equilibrium", "equilibrium:bluff=0"], 20_000, 1)
    assert result.names[result.order()[-1]] == "random"
    found = result.to_dict()
    assert sum(entry["mean"] for entry in found["agents"]) == pytest.approx(0)
    assert sum(entry["rating"]["value"] for entry in found["agents"]) == pytest.approx(0, abs=1e-6)
    assert len(found["matches"]) == 3
    assert result.cell(0, 1).value == -result.cell(1, 0).value
    assert "rating" in str(result)
    given = tournament("kuhn", [RandomChoice(), KuhnEquilibrium(0.1)], 1, 1).to_dict()
    assert [agent["ci95"] for agent in given["agents"]] == [[None, None]] * 2
    assert {agent["name"] for agent in given["agents"]} == {"random", "equilibrium:bluff=0.1"}


@pytest.mark.parametrize(
    ("arguments", "quoted"),
    [
        (("chess", ["random", "random"]), "'chess'"),
        (("kuhn", ["random"]), "kuhn has 2 seats: 2 agents are wanted, not 1"),
        (("kuhn", ["random"] * 3), "kuhn has 2 seats: 2 agents are wanted, not 3"),
        (("kuhn", ["random", "nobody"]), "'nobody'"),
        (("kuhn", ["random", "random"], 0), "0 deals"),
        (("kuhn", ["random", "random"], "100"), "'100' deals"),
        (("kuhn", ["random", "random"], 1.5), "1.5 deals"),
        (("kuhn", ["random", "random"], 10, 1.9), "1.9 as a seed"),
        (("kuhn", ["random", "random"], -5), "-5 deals"),
        (
            ("kuhn", ["random", "random"], 2_000_000_000),
            "2000000000 deals: it must be a whole number, at least 1 and at",
        ),
        (("kuhn", "random"), "a list of agents is expected, like ['random', 'equilibrium'], not 'random' alone"),
        (("kuhn", RandomChoice()), "a list of agents is expected"),
        (("kuhn", None), "None is not a list of agents"),
        (("kuhn", ["random", RandomChoice]), "RandomChoice is a class, not an agent: write RandomChoice()"),
        (("kuhn", ["random", 7]), "7 is not an agent"),
        ((Kuhn, ["random", "random"]), "Kuhn is a class, not a game: write Kuhn()"),
        ((7, ["random", "random"]), "7 is not a game"),
    ],
)
def test_wrong_matches_are_quoted(arguments: tuple[Any, ...], quoted: str) -> None:
    with pytest.raises(InputError) as error:
        match(*arguments)
    assert quoted in str(error.value)


BROKEN = """
from dataclasses import dataclass
from fifthstreet import Agent, Decision
import beside

@dataclass(frozen=True)
class Broken(Agent):
    seen: int = 0

    def decide(self, turn):
        if turn.view.card == 2:
            return beside.choose(turn)
        if turn.view.card == 1:
            self.seen = 1
        return Decision(self.missing)
"""


def test_an_error_of_an_agent_names_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)
    (tmp_path / "beside.py").write_text("def choose(turn):\n    return [][0]\n")
    found = set()
    for seed in range(20):
        with pytest.raises(AgentFailure) as error:
            match("kuhn", [f"{tmp_path / 'broken.py'}:Broken", "random"], 1, seed)
        assert isinstance(error.value.__cause__, AttributeError | IndexError)  # with the whole traceback
        found.add(str(error.value).partition("failed to decide: ")[2])
    assert found == {
        "AttributeError: 'Broken' object has no attribute 'missing' (broken.py, line 15)",
        "FrozenInstanceError: cannot assign to field 'seen' (broken.py, line 14)",
        "IndexError: list index out of range (beside.py, line 2)",
    }


def test_wrong_settings_are_quoted() -> None:
    with pytest.raises(InputError, match="0 workers"):
        match("kuhn", ["random", "random"], workers=0)
    with pytest.raises(InputError, match="cannot be compiled"):
        match("kuhn", [Python(), "random"], compiled=True)
    with pytest.raises(InputError, match="up to 7 agents"):
        seatings(8, 8, every_order=True)
    with pytest.raises(InputError, match="0 deals in a unit"):
        match("kuhn", ["random", "random"], unit=0)
    with pytest.raises(InputError, match="at least 2"):
        tournament("kuhn", ["random"])
    with pytest.raises(InputError, match=r"2000000000 deals: .* at most"):
        tournament("kuhn", ["random", "equilibrium"], 2_000_000_000)
    with pytest.raises(InputError, match="'x' as a seed"):
        tournament("kuhn", ["random", "equilibrium"], 10, "x")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'random' is named twice"):
        tournament("kuhn", ["random", "random"])
