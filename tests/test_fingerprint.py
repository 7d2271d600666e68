"""The payoffs of fixed deals, for every game and every agent with a compiled policy, to the last chip.

A refactoring leaves this table as it is. A commit that changes how a game deals or how an agent plays replaces it with
the one that the failing test prints, and says which lines changed and why.

Agents that learn or search do little of it here, so that differences in the last bit between processors have no time
to grow into different decisions.
"""

import functools
import hashlib
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from fifthstreet.agents import agent_named, agents_for
from fifthstreet.arena.match import match
from fifthstreet.arena.session import session
from fifthstreet.games import GAMES, game_named

Payoffs = NDArray[np.float64]

PARAMETERS = {
    "holdem eva": "samples=50",
    "holdem honest": "samples=50",
    "holdem improved-hand-strength": "samples=50",
    "holdem tight-aggressive": "samples=50",
    "five-card-draw evolved": "generations=1",
    "five-card-draw champion": "generations=0,iterations=2000",
    "five-o expectiminimax": "decks=2",
    "five-o monte-carlo": "samples=20",
    "five-o champion": "plies=400,lessons=200",
    "poker-squares narl": "lessons=2000",
    "poker-squares greedy-monte-carlo": "lessons=2000,plies=2000",
    "poker-squares ucb": "lessons=2000,plies=2000",
    "poker-squares expectimax": "lessons=2000",
    "poker-squares chance-sampled": "lessons=2000",
    "poker-squares action-sampled": "lessons=2000",
    "poker-squares expectimax-monte-carlo": "lessons=2000,plies=2000",
    "poker-squares mcts": "lessons=2000,plies=2000",
    "poker-squares champion": "plies=400,lessons=200",
}

# The number of agents at the table, of deals played compiled, and of those played again through the protocol.
MATCHES = {
    "holdem:seats=6": (6, 48, 4),
    "holdem:seats=2": (2, 96, 12),
    "holdem:seats=2,limit=true": (2, 96, 12),
    "holdem:seats=4,limit=true,ante=1,stack=60": (4, 48, 4),
    "five-card-draw:seats=5": (5, 48, 3),
    "five-card-draw:seats=2": (2, 96, 6),
    "five-o": (2, 24, 3),
    "poker-squares:system=american": (1, 12, 2),
    "poker-squares:system=english": (1, 12, 2),
    "kuhn": (2, 96, 24),
    "leduc": (2, 96, 24),
}
SLOW = {"exact": (2, 1)}

EXPECTED = """
holdem:seats=6 call-station                                                    +3.07292 c4271b64
holdem:seats=6 always-raise                                                   +33.79167 284dbdda
holdem:seats=6 honest:samples=50                                               +9.94444 78ebf143
holdem:seats=6 random                                                          -4.89583 2bac4793
holdem:seats=6 power-ranking                                                   -2.47569 22001c91
holdem:seats=6 hand-strength                                                  +33.87847 32c6eab5
holdem:seats=6 improved-hand-strength:samples=50                              +28.19792 eb0f5878
holdem:seats=6 opponent-model                                                 +40.28472 f370df5c
holdem:seats=6 eva:samples=50                                                  +2.17708 58696a48
holdem:seats=6 tight-aggressive:samples=50                                     +1.08681 380a15d9
holdem:seats=2 call-station                                                    +0.54688 1e86c910
holdem:seats=2 always-raise                                                   +11.21354 886a5f28
holdem:seats=2 honest:samples=50                                               +9.59375 189f2603
holdem:seats=2 random                                                          -0.42188 72cb271d
holdem:seats=2 power-ranking                                                   +5.91146 79bae486
holdem:seats=2 hand-strength                                                  +38.05208 7f84a9a8
holdem:seats=2 improved-hand-strength:samples=50                              +35.93750 99b8ce4e
holdem:seats=2 opponent-model                                                 +37.17188 265ee597
holdem:seats=2 eva:samples=50                                                  +8.66146 43ba7811
holdem:seats=2 tight-aggressive:samples=50                                     +0.89062 e958858f
holdem:seats=2,limit=true call-station                                         +0.35417 99977b73
holdem:seats=2,limit=true always-raise                                         +6.06250 2eb7d42c
holdem:seats=2,limit=true honest:samples=50                                    +2.31771 ec01d134
holdem:seats=2,limit=true random                                               -0.16667 99eda093
holdem:seats=2,limit=true power-ranking                                        +0.36458 17c7ea2d
holdem:seats=2,limit=true hand-strength                                        +5.50000 aca876ed
holdem:seats=2,limit=true improved-hand-strength:samples=50                    +5.54167 9f0cc629
holdem:seats=2,limit=true opponent-model                                       +5.50000 aca876ed
holdem:seats=2,limit=true eva:samples=50                                       +1.06771 d22422a0
holdem:seats=2,limit=true tight-aggressive:samples=50                          +0.39583 9df80168
holdem:seats=4,limit=true,ante=1,stack=60 call-station                         +0.90625 dba91b1b
holdem:seats=4,limit=true,ante=1,stack=60 always-raise                        +10.36979 58453290
holdem:seats=4,limit=true,ante=1,stack=60 honest:samples=50                    +2.71354 2c610533
holdem:seats=4,limit=true,ante=1,stack=60 random                               -1.13021 f131cfa6
holdem:seats=4,limit=true,ante=1,stack=60 power-ranking                        -2.24479 295fa9b1
holdem:seats=4,limit=true,ante=1,stack=60 hand-strength                        +9.08333 4c121a15
holdem:seats=4,limit=true,ante=1,stack=60 improved-hand-strength:samples=50     +9.58854 04a6dc6a
holdem:seats=4,limit=true,ante=1,stack=60 opponent-model                       +9.03125 84451591
holdem:seats=4,limit=true,ante=1,stack=60 eva:samples=50                       +1.86979 ce74a413
holdem:seats=4,limit=true,ante=1,stack=60 tight-aggressive:samples=50          -0.34896 263176d0
five-card-draw:seats=5 random                                               -1403.24167 c4ddc1f3
five-card-draw:seats=5 loose-aggressive                                     +3265.85833 950065f7
five-card-draw:seats=5 loose-passive                                        +3265.83750 f6cb77ae
five-card-draw:seats=5 tight-aggressive                                     +1191.67083 bd009fc1
five-card-draw:seats=5 tight-passive                                         +259.06250 7a5e3f59
five-card-draw:seats=5 adaptive                                             +3773.83750 7fbf26cf
five-card-draw:seats=5 evolved:generations=1                                +3773.55000 639421ff
five-card-draw:seats=5 champion:generations=0,iterations=2000                +342.83750 6c145d25
five-card-draw:seats=2 random                                                +649.56771 43e0df94
five-card-draw:seats=2 loose-aggressive                                     +1097.15625 240a25fa
five-card-draw:seats=2 loose-passive                                        +1096.96875 2d103ca0
five-card-draw:seats=2 tight-aggressive                                      +438.59896 414951c1
five-card-draw:seats=2 tight-passive                                         +320.17708 3a217c13
five-card-draw:seats=2 adaptive                                             +5347.14583 468fc9f9
five-card-draw:seats=2 evolved:generations=1                                +2264.91667 3366db9b
five-card-draw:seats=2 champion:generations=0,iterations=2000                +108.25000 b3c0e6cf
five-o random                                                                  -0.04167 07f317f2
five-o reflex-1                                                                +0.83333 8bec9133
five-o reflex-2                                                                +0.91667 bb736b7f
five-o reflex-3                                                                +0.91667 57da83ad
five-o greedy-1                                                                +0.95833 5b4b46d0
five-o greedy-2                                                                +0.91667 5b8a0ae7
five-o fast-greedy-2                                                           +0.91667 57da83ad
five-o expectiminimax:decks=2                                                  +0.87500 501e5913
five-o monte-carlo:samples=20                                                  +0.91667 a6c3a312
five-o exact                                                                   +1.00000 02a79d60
five-o champion:plies=400,lessons=200                                          +0.75000 819f4b29
poker-squares:system=american random                                          +13.00000 63d84f83
poker-squares:system=american greedy                                          +57.50000 09fb7f2f
poker-squares:system=american narl:lessons=2000                               +68.41667 8af79912
poker-squares:system=american greedy-monte-carlo:lessons=2000,plies=2000      +32.08333 ee3f0c8a
poker-squares:system=american ucb:lessons=2000,plies=2000                     +35.25000 dcf38a35
poker-squares:system=american expectimax:lessons=2000                         +68.66667 9751a77c
poker-squares:system=american chance-sampled:lessons=2000                     +73.91667 ed1e492b
poker-squares:system=american action-sampled:lessons=2000                     +70.33333 44dc671d
poker-squares:system=american expectimax-monte-carlo:lessons=2000,plies=2000    +65.83333 12480382
poker-squares:system=american mcts:lessons=2000,plies=2000                    +67.75000 7cb5f169
poker-squares:system=american champion:plies=400,lessons=200                  +68.41667 88b14ed5
poker-squares:system=english random                                            +6.83333 7948d209
poker-squares:system=english greedy                                           +27.25000 846d956b
poker-squares:system=english narl:lessons=2000                                +38.75000 f12007c9
poker-squares:system=english greedy-monte-carlo:lessons=2000,plies=2000       +25.16667 a55dfe16
poker-squares:system=english ucb:lessons=2000,plies=2000                      +25.41667 ba2c329d
poker-squares:system=english expectimax:lessons=2000                          +45.41667 ebf2459b
poker-squares:system=english chance-sampled:lessons=2000                      +46.33333 d16778e0
poker-squares:system=english action-sampled:lessons=2000                      +43.25000 c09edb39
poker-squares:system=english expectimax-monte-carlo:lessons=2000,plies=2000    +37.91667 85aea0d5
poker-squares:system=english mcts:lessons=2000,plies=2000                     +42.00000 eb93d8e6
poker-squares:system=english champion:plies=400,lessons=200                   +30.00000 edde08fa
kuhn random                                                                    -0.02083 484d467a
kuhn equilibrium                                                               +0.18229 ca0c4f7e
leduc random                                                                   -0.18750 5c35d58a
leduc equilibrium                                                              +0.80208 6465b5f3
holdem, every order                                                           +30.64236 745ea0fa
holdem, a session                                                             +39.80000 c907e0b3
holdem, a session with stacks carried over                                    -20.00000 05bb2e5e
five-card-draw, a session                                                   +2361.58750 3fa5e903
five-card-draw, a session with stacks carried over                            +69.02000 2e2f209b
"""


def fast_agents(game: str, seats: int) -> Iterator[str]:
    """The agents of this game that have a compiled policy, with few lessons and short searches."""
    rules = game_named(game, seats)
    for kind in agents_for(rules.name):
        given = PARAMETERS.get(f"{rules.name} {kind.name}")
        spec = f"{kind.name}:{given}" if given else kind.name
        if agent_named(spec, rules.name).policy(rules) is not None:
            yield spec


LINES = [(game, agent) for game, (seats, _, _) in MATCHES.items() for agent in fast_agents(game, seats)]


def size(game: str, agent: str) -> tuple[int, int, int]:
    """The number of agents, of compiled deals and of deals through the protocol."""
    seats, deals, again = MATCHES[game]
    return (seats, *SLOW.get(agent, (deals, again)))


def players(agent: str, seats: int) -> list[str]:
    """The agent and random players in turn, so that it meets both them and itself."""
    return [agent if seat % 2 == 0 else "random" for seat in range(seats)]


@functools.cache
def compiled_payoffs(game: str, agent: str) -> Payoffs:
    seats, deals, _ = size(game, agent)
    return match(game, players(agent, seats), deals=deals, seed=1).by_deal


def every_order(game: str, agents: list[str], deals: int, compiled: bool | None = None) -> Payoffs:
    return match(game, agents, deals=deals, seed=1, every_order=True, compiled=compiled).by_deal


def equal_stacks(game: str, agents: list[str], hands: int, compiled: bool | None = None) -> Payoffs:
    won: Payoffs = session(game, agents, hands=hands, seed=1, compiled=compiled).by_hand[0]
    return won


def carried_stacks(game: str, agents: list[str], hands: int, compiled: bool | None = None) -> Payoffs:
    won: Payoffs = session(game, agents, hands=hands, seed=1, stacks="carry", compiled=compiled).by_hand[0]
    return won


HOLDEM = ["opponent-model", "call-station", "hand-strength", "random"]
DRAW = ["adaptive:train=200", "loose-aggressive", "tight-passive", "random"]
# Tables where somebody learns: how they are played, the game, the agents, the deals played compiled and in Python.
LEARNERS = {
    "holdem, every order": (every_order, "holdem", HOLDEM, 24, 4),
    "holdem, a session": (equal_stacks, "holdem", HOLDEM, 400, 100),
    "holdem, a session with stacks carried over": (carried_stacks, "holdem:stack=2000", HOLDEM, 100, 100),
    "five-card-draw, a session": (equal_stacks, "five-card-draw", DRAW, 400, 50),
    "five-card-draw, a session with stacks carried over": (carried_stacks, "five-card-draw", DRAW, 50, 50),
}


def line(about: str, payoffs: Payoffs) -> str:
    """The first agent's payoff, and a hash of everybody's."""
    rounded = np.round(payoffs, 9) + 0.0  # no negative zero, which has other bytes than zero
    digest = hashlib.blake2b(rounded.tobytes(), digest_size=4).hexdigest()
    return f"{about:<74} {payoffs[:, 0].mean():+12.5f} {digest}"


def test_every_game_is_here() -> None:
    assert {game.partition(":")[0] for game in MATCHES} == {kind.name for kind in GAMES}


def test_every_payoff_is_the_same_as_before() -> None:
    found = [line(f"{game} {agent}", compiled_payoffs(game, agent)) for game, agent in LINES]
    found += [line(about, play(game, agents, deals)) for about, (play, game, agents, deals, _) in LEARNERS.items()]
    expected = EXPECTED.strip().splitlines()
    different = [f"  now {new}" for new in found if new not in expected]
    different += [f"  was {old}" for old in expected if old not in found]
    if found != expected:
        pytest.fail("\n".join(["these lines differ:", *different, "", "the whole table:", *found]), pytrace=False)


@pytest.mark.parametrize(("game", "agent"), LINES)
def test_the_protocol_gives_the_same_payoffs(game: str, agent: str) -> None:
    seats, _, deals = size(game, agent)
    slow = match(game, players(agent, seats), deals=deals, seed=1, compiled=False).by_deal
    assert np.array_equal(compiled_payoffs(game, agent)[:deals], slow)


@pytest.mark.parametrize("about", LEARNERS)
def test_the_protocol_gives_the_same_payoffs_where_somebody_learns(about: str) -> None:
    play, game, agents, deals, fewer = LEARNERS[about]
    assert np.array_equal(play(game, agents, deals)[:fewer], play(game, agents, fewer, compiled=False))
