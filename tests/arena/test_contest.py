"""The Poker Squares contest: the same deals for all, limits, and how scores become a standing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from fifthstreet.agents import Agent, Decision, Turn
from fifthstreet.agents import agent_named as named
from fifthstreet.agents.squares.greedy import Narl
from fifthstreet.arena import contest as contest_module
from fifthstreet.arena.contest import ContestResult, Entry, contest
from fifthstreet.arena.laboratory import laboratory
from fifthstreet.errors import InputError
from fifthstreet.estimate import mean
from fifthstreet.games.game import AnyGame
from fifthstreet.games.point_systems import contest_deal, points
from fifthstreet.games.poker_squares import CELLS, scored
from fifthstreet.parallel import threads
from fifthstreet.rng import stream

NARL = "narl:lessons=2000"


class Clock:
    """A clock that stands still unless it is told."""

    now = 0.0

    def thread_time(self) -> float:
        return self.now

    process_time = thread_time


CLOCK = Clock()


@dataclass
class Watcher(Agent):
    """Fills the grid from the top left, and remembers the cards that it saw."""

    name: ClassVar[str] = "watcher"
    seen: list[int] = field(default_factory=list)

    def decide(self, turn: Turn[Any]) -> Decision:
        self.seen.append(int(turn.view.next_card))
        return Decision(turn.choices[0])


@dataclass
class Slow(Watcher):
    """Takes a second for each card."""

    def decide(self, turn: Turn[Any]) -> Decision:
        CLOCK.now += 1
        return super().decide(turn)


@dataclass
class Thorough(Watcher):
    """Takes a hundred seconds to prepare."""

    def mind(self, game: AnyGame) -> NDArray[np.float64]:
        CLOCK.now += 100
        return super().mind(game)


@dataclass
class Stubborn(Watcher):
    """Puts every card in one cell."""

    def decide(self, turn: Turn[Any]) -> Decision:
        return Decision(7)


@dataclass
class Wordy(Watcher):
    """Names no cell from the third card on."""

    def decide(self, turn: Turn[Any]) -> Decision:
        action: Any = turn.choices[0] if turn.view.placed < 2 else "top left"
        return Decision(action)


@dataclass
class Silent(Watcher):
    """Answers no card with a decision, not even the one before the clock starts."""

    def decide(self, turn: Turn[Any]) -> Any:
        return None


@dataclass
class Clumsy(Watcher):
    """Fails at every card."""

    def decide(self, turn: Turn[Any]) -> Decision:
        raise ZeroDivisionError("ah")


@dataclass
class Weak(Watcher):
    """Fails at the last card."""

    def decide(self, turn: Turn[Any]) -> Decision:
        if turn.view.placed == CELLS - 1:
            raise ZeroDivisionError("oh")
        return super().decide(turn)


RULE_BREAKERS = {
    "good": Watcher(),  # the one who breaks none
    "stubborn": Stubborn(),
    "wordy": Wordy(),
    "silent": Silent(),
    "clumsy": Clumsy(),
    "weak": Weak(),
    "slow": Slow(),
    "thorough": Thorough(),
}

Invite = Callable[..., None]


@pytest.fixture
def invite(monkeypatch: pytest.MonkeyPatch) -> Invite:
    """Lets these agents be named in a contest, by a clock that stands still."""
    monkeypatch.setattr(contest_module, "clock", CLOCK)
    CLOCK.now = 0.0

    def let(**agents: Agent) -> None:
        def find(spec: str, game: str) -> Agent:
            return agents[spec] if spec in agents else named(spec, game)

        monkeypatch.setattr(contest_module, "agent_named", find)

    return let


def test_everyone_plays_the_deals_of_the_contest(invite: Invite) -> None:
    first, second = Watcher(), Watcher()
    invite(first=first, second=second)
    result = contest(["american", "english"], ["first", "second"], 3, 40)
    deals = [contest_deal(seed)[:CELLS] for seed in (40, 41, 42)]
    once = [deals[0][0], *(card for deal in deals for card in deal)]  # one turn before the clock starts
    assert first.seen == second.seen == once * 2
    for system in ("american", "english"):
        for agent in ("first", "second"):
            entry = result.entries[system, agent]
            assert list(entry.scores) == [scored(system, deal) for deal in deals]
            assert entry.faults == ()
            assert entry.seconds.tolist() == [0, 0, 0]
    assert result.total("first") == result.total("second") == 2  # all alike are all the best


def test_who_prepares_has_all_cores_and_prepares_only_if_something_is_to_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cores, mind = [], Narl.mind

    def noted(narl: Narl, game: AnyGame) -> NDArray[np.float64]:
        cores.append(threads(2))
        return mind(narl, game)

    monkeypatch.setattr(Narl, "mind", noted)
    with laboratory(store=tmp_path / "kept.sqlite"):
        for games in (3, 3, 4):
            contest(["american"], [NARL], games, 0)
    assert cores == [2, 2]


@pytest.mark.parametrize("system", ["hypercorner:1", "random:1", "american", "single:3"])
def test_a_game_that_breaks_the_rules_has_ten_times_the_lowest_points(invite: Invite, system: str) -> None:
    invite(**RULE_BREAKERS)
    agents = list(RULE_BREAKERS)
    result = contest([system], agents, 4, 5, time=24.5, prepare=99)
    penalty = 10 * min(points(system))
    for agent in agents[1:]:
        entry = result.entries[system, agent]
        assert entry.scores.tolist() == [penalty] * 4
        assert len(entry.faults) == 4
    faults = {agent: result.entries[system, agent].faults for agent in agents}
    assert faults["good"] == ()
    assert faults["stubborn"][0] == "7 is not a free cell"
    assert faults["wordy"][0] == "'top left' is not a free cell"
    assert "decided None, which is not a Decision" in faults["silent"][0]
    assert "failed to decide: ZeroDivisionError: ah" in faults["clumsy"][0]
    assert "failed to decide: ZeroDivisionError: oh" in faults["weak"][0]
    assert faults["slow"][0] == "card 25 came after 25.00 s"
    assert faults["thorough"][0] == "it prepared for 100.0 s"
    assert result.entries[system, "thorough"].prepared == 100
    assert result.entries[system, "slow"].seconds.tolist() == [25] * 4
    assert "4 games lost: 7 is not a free cell" in str(result)


def test_time_that_is_just_enough(invite: Invite) -> None:
    invite(slow=Slow(), thorough=Thorough(), good=Watcher())
    result = contest(["english"], ["slow", "thorough", "good"], 2, time=25, prepare=100)
    scores = [result.entries["english", agent].scores.tolist() for agent in ("slow", "thorough", "good")]
    assert scores[0] == scores[1] == scores[2]
    assert all(entry.faults == () for entry in result.entries.values())


def by_means(**means: list[list[float]]) -> ContestResult:
    """A result with these scores of each agent, system by system."""
    systems = tuple(f"single:{number}" for number in range(len(next(iter(means.values())))))
    entries = {
        (system, agent): Entry(system, agent, np.array(scores[i]), np.zeros(len(scores[i])), 0.0, ())
        for agent, scores in means.items()
        for i, system in enumerate(systems)
    }
    return ContestResult(systems, tuple(means), len(next(iter(means.values()))[0]), 0, entries)


def test_scores_are_scaled_between_the_lowest_and_the_highest_mean() -> None:
    result = by_means(a=[[10, 20], [-6, -2]], b=[[40, 50], [0, 0]], c=[[20, 30], [-7, -9]])
    assert result.scaled("single:0", "a").tolist() == pytest.approx([-1 / 6, 1 / 6])
    assert result.scaled("single:0", "c").mean() == pytest.approx(1 / 3)
    assert result.scaled("single:1", "a").mean() == pytest.approx(1 / 2)
    totals = {agent: result.total(agent) for agent in "abc"}
    assert totals == pytest.approx({"a": 1 / 2, "b": 2, "c": 1 / 3})
    assert result.ranking == ["b", "a", "c"]
    lead = result.lead("b", "a")
    assert lead.value == pytest.approx(3 / 2)
    # The gaps are 1 and 1 in the first system, 3/4 and 1/4 in the second: 7/4 and 5/4 by deal.
    expected = mean([7 / 4, 5 / 4])
    assert (lead.low, lead.high) == pytest.approx((expected.low, expected.high))


def test_where_all_are_equal_all_are_the_best() -> None:
    result = by_means(a=[[3, 5], [1, 1]], b=[[4, 4], [0, 0]])
    assert (result.total("a"), result.total("b")) == (2, 1)


def test_a_contest_of_three() -> None:
    systems, agents = ["american", "single:4"], ["random", "greedy", NARL]
    reports: list[tuple[int, int]] = []
    result = contest(systems, agents, 30, 7, workers=1, report=lambda done, of: reports.append((done, of)))
    assert reports == [(number, 6) for number in range(1, 7)]
    again = contest(systems, agents, 30, 7, workers=2)
    for key, entry in result.entries.items():
        assert entry.faults == ()
        assert len(entry.scores) == 30
        assert np.array_equal(entry.scores, again.entries[key].scores)
    for system in systems:
        shares = [result.scaled(system, agent).mean() for agent in agents]
        assert min(shares) == pytest.approx(0)
        assert max(shares) == pytest.approx(1)
        means = {agent: result.entries[system, agent].score.value for agent in agents}
        assert means[NARL] == max(means.values())
    assert result.ranking[0] == NARL
    assert result.total(NARL) == pytest.approx(2)
    told = result.to_dict()
    assert (told["games"], told["seed"], told["systems"]) == (30, 7, systems)
    assert [row["agent"] for row in told["standings"]] == result.ranking
    assert told["standings"][0]["behind_first"] is None
    assert told["standings"][1]["behind_first"]["value"] == pytest.approx(2 - told["standings"][1]["total"])
    assert len(told["entries"]) == 6
    text = str(result)
    assert "30 games of each system, deals from seed 7" in text
    assert f"  {NARL}      2.000" in text


def test_a_later_contest_goes_on_with_the_same_deals() -> None:
    many = contest(["english"], ["random", "greedy"], 12, 3)
    later = contest(["english"], ["random", "greedy"], 4, 11)
    for agent in ("random", "greedy"):
        first, second = (result.entries["english", agent].scores for result in (many, later))
        assert np.array_equal(first[8:], second)


def test_an_agent_of_a_file_takes_part(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from fifthstreet.agents import Agent, Decision\n\n\n"
        "class Last(Agent):\n    def decide(self, turn):\n        return Decision(turn.choices[-1])\n\n\n"
        "class Outside(Agent):\n    def decide(self, turn):\n        return Decision(25)\n"
    )
    last, outside = (f"{tmp_path / 'mine.py'}:{name}" for name in ("Last", "Outside"))
    result = contest(["random:2"], [last, outside], 5, 1)
    deals = [contest_deal(seed)[:CELLS] for seed in range(1, 6)]
    assert list(result.entries["random:2", last].scores) == [scored("random:2", deal[::-1]) for deal in deals]
    assert set(result.entries["random:2", outside].scores) == {10 * min(points("random:2"))}
    assert result.entries["random:2", outside].faults == ("25 is not a free cell",) * 5


def test_random_players_score_what_random_grids_do() -> None:
    """Cards that go anywhere score as a random grid does, on average."""
    result = contest(["american"], ["random"], 2_000, 0)
    rng = stream(0, "grids")
    grids = [scored("american", rng.sample(range(52), CELLS)) for _ in range(4_000)]
    score = result.entries["american", "random"].score
    assert abs(score.value - float(np.mean(grids))) < 3 * score.half_width


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"systems": []}, "needs a point system"),
        ({"agents": []}, "and an agent"),
        ({"systems": ["english", "american", "english"]}, "'english' is named twice"),
        ({"agents": ["greedy", "random", "greedy"]}, "'greedy' is named twice"),
        ({"systems": ["american", "french"]}, "'french' is not a point system"),
        ({"agents": ["nobody"]}, "'nobody' is not an agent"),
        ({"agents": ["equilibrium"]}, "'equilibrium' does not play poker-squares"),
        ({"games": 0}, "0 games"),
        ({"games": 1.5}, "1.5 games"),
        ({"games": 2_000_000_000}, "2000000000 games"),
        ({"seed": "x"}, "'x' as a seed"),
        ({"time": 0}, "time 0"),
        ({"time": -1.0}, "time -1.0"),
        ({"time": float("nan")}, "time nan"),
        ({"prepare": 0.0}, "prepare 0.0"),
        ({"prepare": float("inf")}, "prepare inf"),
    ],
)
def test_what_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        contest(**{"systems": ["american"], "agents": ["greedy"], "games": 1, **changed})
