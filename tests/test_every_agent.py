"""The promises of every agent, kept for each one listed in AGENTS in each game that it plays."""

from typing import Any

import numpy as np
import pytest

from fifthstreet.agents import AGENTS, Agent, agent_named, agents_for
from fifthstreet.arena.match import match
from fifthstreet.arena.play import play, replay
from fifthstreet.arena.seeds import Seeds
from fifthstreet.games import GAMES
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import parameters

everywhere = pytest.mark.parametrize(
    ("kind", "rules"),
    [(kind, played()) for played in GAMES for kind in agents_for(played.name)],
    ids=lambda value: value.name,
)


# Agents that think long, with less to think about; and how many games they play here.
BRIEF: dict[str, dict[str, Any]] = {
    "monte-carlo": {"samples": 20},
    "expectiminimax": {"decks": 2},
    "eva": {"samples": 50},
    "champion": {"plies": 400, "lessons": 2_000, "generations": 0, "iterations": 2_000},
    "evolved": {"generations": 1},
    "narl": {"lessons": 2_000},
    "greedy-monte-carlo": {"lessons": 2_000, "plies": 2_000},
    "ucb": {"lessons": 2_000, "plies": 2_000},
    "expectimax": {"lessons": 2_000},
    "chance-sampled": {"lessons": 2_000},
    "action-sampled": {"lessons": 2_000},
    "expectimax-monte-carlo": {"lessons": 2_000, "plies": 2_000},
    "mcts": {"lessons": 2_000, "plies": 2_000},
}
FEW = {"exact": 2}
LONG = ("five-card-draw", "five-o", "poker-squares")  # games with many decisions or dealt cards


def games(kind: type[Agent], rules: AnyGame, usual: int) -> int:
    return FEW.get(kind.name, max(5, usual // 10) if rules.name in LONG else usual)


def brief(kind: type[Agent]) -> Agent:
    return kind(**{name: value for name, value in BRIEF.get(kind.name, {}).items() if name in parameters(kind)})


@everywhere
def test_it_is_found_by_its_name_and_says_what_it_is(kind: type[Agent], rules: AnyGame) -> None:
    assert type(agent_named(kind.name, rules.name)) is kind
    assert kind.__doc__
    assert kind.name == kind.name.lower()
    assert all(name in {g.name for g in GAMES} for name in kind.games)
    assert kind() == kind(**{name: default for name, (_, default) in parameters(kind).items()})


@everywhere
def test_it_plays_whole_games_and_gives_reasons(kind: type[Agent], rules: AnyGame) -> None:
    for number in range(games(kind, rules, 30)):
        dealer, streams = Seeds.of(number, rules.seats).for_deal(0)
        record = play(rules, [brief(kind) for _ in range(rules.seats)], dealer, streams)
        assert list(replay(record))
        for step in record.steps:
            if step.seat >= 0:
                assert step.decision is not None
                assert step.decision.reason


@everywhere
def test_the_same_seed_gives_the_same_decisions(kind: type[Agent], rules: AnyGame) -> None:
    def game_of(seed: int) -> Any:
        dealer, streams = Seeds.of(seed, rules.seats).for_deal(0)
        return play(rules, [brief(kind) for _ in range(rules.seats)], dealer, streams)

    assert all(game_of(seed) == game_of(seed) for seed in range(games(kind, rules, 10)))


@everywhere
def test_compiled_and_in_python_it_wins_the_same_to_the_last_chip(kind: type[Agent], rules: AnyGame) -> None:
    if kind().policy(rules) is None:
        pytest.skip(f"{kind.name} is plain Python")
    players = [brief(kind), *(agent_named("random", rules.name) for _ in range(max(1, rules.seats) - 1))]
    deals = games(kind, rules, 400)
    fast = match(rules, players, deals=deals, seed=3)
    slow = match(rules, players, deals=deals, seed=3, compiled=False)
    assert (fast.compiled, slow.compiled) == (True, False)
    assert np.array_equal(fast.by_deal, slow.by_deal)


def test_names_are_distinct_in_each_game() -> None:
    for played in GAMES:
        names = [kind.name for kind in agents_for(played.name)]
        assert len(set(names)) == len(names)
        assert names
    assert all(any(kind in agents_for(played.name) for played in GAMES) for kind in AGENTS)
