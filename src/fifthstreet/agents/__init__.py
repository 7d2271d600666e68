"""The agents, one line for each, and how an agent is named.

`name:parameter=value,…`, a class of one's own as `./mine.py:Class:…`, or a kept strategy as `./leduc.npz`.
"""

from fifthstreet.agents.agent import Agent, Decision, Turn
from fifthstreet.agents.draw.adaptive import Adaptive
from fifthstreet.agents.draw.champion import DrawChampion
from fifthstreet.agents.draw.evolved import Evolved
from fifthstreet.agents.draw.styles import DrawTightAggressive, LooseAggressive, LoosePassive, TightPassive
from fifthstreet.agents.five_o.champion import FiveOChampion
from fifthstreet.agents.five_o.expectiminimax import Expectiminimax
from fifthstreet.agents.five_o.greedy import FastGreedy2, Greedy1, Greedy2, Reflex1, Reflex2, Reflex3
from fifthstreet.agents.five_o.probable import Exact, MonteCarlo
from fifthstreet.agents.holdem.eva import Eva
from fifthstreet.agents.holdem.hand_strength import HandStrength, ImprovedHandStrength
from fifthstreet.agents.holdem.honest import Honest
from fifthstreet.agents.holdem.opponent_model import OpponentModel
from fifthstreet.agents.holdem.power_ranking import PowerRanking, RandomRaiser
from fifthstreet.agents.holdem.simple import AlwaysRaise, CallStation
from fifthstreet.agents.holdem.tight_aggressive import TightAggressive
from fifthstreet.agents.random_choice import RandomChoice
from fifthstreet.agents.solved import Equilibrium, KuhnEquilibrium, Solved
from fifthstreet.agents.squares.champion import SquaresChampion
from fifthstreet.agents.squares.greedy import GreedyScore, Narl
from fifthstreet.agents.squares.leaves import ExpectimaxMonteCarlo
from fifthstreet.agents.squares.searches import ActionSampled, ChanceSampled, Expectimax, GreedyMonteCarlo, Ucb
from fifthstreet.agents.squares.tree_search import TreeSearch
from fifthstreet.errors import InputError, quoted
from fifthstreet.naming import build, did_you_mean, from_file, is_path

__all__ = ["AGENTS", "Agent", "Decision", "Turn", "agent_named", "agents_for"]

KEPT = ".npz"  # how the name of a kept strategy ends

AGENTS: tuple[type[Agent], ...] = (
    RandomChoice,
    KuhnEquilibrium,
    Equilibrium,
    CallStation,
    AlwaysRaise,
    Honest,
    RandomRaiser,
    PowerRanking,
    HandStrength,
    ImprovedHandStrength,
    OpponentModel,
    Eva,
    TightAggressive,
    LooseAggressive,
    LoosePassive,
    DrawTightAggressive,
    TightPassive,
    Adaptive,
    Evolved,
    DrawChampion,
    Reflex1,
    Reflex2,
    Reflex3,
    Greedy1,
    Greedy2,
    FastGreedy2,
    Expectiminimax,
    MonteCarlo,
    Exact,
    FiveOChampion,
    GreedyScore,
    Narl,
    GreedyMonteCarlo,
    Ucb,
    Expectimax,
    ChanceSampled,
    ActionSampled,
    ExpectimaxMonteCarlo,
    TreeSearch,
    SquaresChampion,
)


def agents_for(game: str) -> list[type[Agent]]:
    """The agents that play this game; one made for it stands in for one of the same name that plays any game."""
    own = {kind.name for kind in AGENTS if game in kind.games}
    return [kind for kind in AGENTS if game in kind.games or (not kind.games and kind.name not in own)]


def agent_named(spec: str, game: str) -> Agent:
    """The agent that the text names, by name or by path, for the game of this name.

    >>> agent_named("equilibrium:bluff=0.2", "kuhn")
    KuhnEquilibrium(bluff=0.2)
    """
    if spec.endswith(KEPT):
        return Solved(spec)
    if is_path(spec):
        kind, given = from_file(spec, Agent, "agent")
    else:
        name, _, given = spec.partition(":")
        kind = _by_name(name, game)
    if kind.games and game not in kind.games:
        raise InputError(f"{quoted(spec, 100)} does not play {game}: it plays {', '.join(kind.games)}")
    return build(kind, given, spec)


def _by_name(name: str, game: str) -> type[Agent]:
    playing = agents_for(game)
    for kind in playing:
        if kind.name == name:
            return kind
    if any(kind.name == name for kind in AGENTS):
        raise InputError(f"{name!r} does not play {game}: there are {', '.join(kind.name for kind in playing)}")
    raise InputError(
        f"{quoted(name)} is not an agent for {game}{did_you_mean(name, (kind.name for kind in playing))}: "
        f"there are {', '.join(kind.name for kind in playing)}, "
        "or a path like ./mine.py:Mine"
    )
