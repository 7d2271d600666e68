"""The agents, one line for each, and how an agent is named: `name:parameter=value,…` or `./mine.py:Class:…`."""

import functools
import hashlib
import importlib.util
import sys
import types
from pathlib import Path

from fifthstreet.agents.agent import Agent, Decision, Turn
#from fifthstreet.agents.draw.adaptive import Adaptive
#from fifthstreet.agents.draw.champion import DrawChampion
#from fifthstreet.agents.draw.evolved import Evolved
#from fifthstreet.agents.draw.styles import DrawTightAggressive, LooseAggressive, LoosePassive, TightPassive
#from fifthstreet.agents.five_o.champion import Champion
#from fifthstreet.agents.five_o.expectiminimax import Expectiminimax
#from fifthstreet.agents.five_o.greedy import FastGreedy2, Greedy1, Greedy2, Reflex1, Reflex2, Reflex3
#from fifthstreet.agents.five_o.probable import Exact, MonteCarlo
from fifthstreet.agents.holdem.eva import Eva
from fifthstreet.agents.holdem.hand_strength import HandStrength, ImprovedHandStrength
from fifthstreet.agents.holdem.honest import Honest
from fifthstreet.agents.holdem.opponent_model import OpponentModel
from fifthstreet.agents.holdem.power_ranking import PowerRanking, Random
from fifthstreet.agents.holdem.simple import AlwaysRaise, CallStation
from fifthstreet.agents.holdem.tight_aggressive import TightAggressive
from fifthstreet.agents.kuhn_equilibrium import KuhnEquilibrium
from fifthstreet.agents.random_choice import RandomChoice
from fifthstreet.agents.squares.champion import SquaresChampion
from fifthstreet.agents.squares.greedy import GreedyScore, Narl
from fifthstreet.agents.squares.searches import ActionSampled, ChanceSampled, Expectimax, GreedyMonteCarlo, Ucb
from fifthstreet.errors import InputError, sentence
from fifthstreet.naming import build

__all__ = ["AGENTS", "Agent", "Decision", "Turn", "agent_named", "agents_for"]

AGENTS: tuple[type[Agent], ...] = (
    RandomChoice,
    KuhnEquilibrium,
    CallStation,
    AlwaysRaise,
    Honest,
    Random,
    PowerRanking,
    HandStrength,
    ImprovedHandStrength,
    OpponentModel,
    Eva,
    TightAggressive,
#    LooseAggressive,
#    LoosePassive,
#    DrawTightAggressive,
#    TightPassive,
#    Adaptive,
#    Evolved,
#    DrawChampion,
#    Reflex1,
#    Reflex2,
#    Reflex3,
#    Greedy1,
#    Greedy2,
#    FastGreedy2,
#    Expectiminimax,
#    MonteCarlo,
#    Exact,
#    Champion,
    GreedyScore,
    Narl,
    GreedyMonteCarlo,
    Ucb,
    Expectimax,
    ChanceSampled,
    ActionSampled,
    SquaresChampion,
)


def agents_for(game: str) -> list[type[Agent]]:
    """The agents that play this game; one made for it stands in for one of the same name that plays any game."""
    own = {kind.name for kind in AGENTS if game in kind.games}
    return [kind for kind in AGENTS if game in kind.games or (not kind.games and kind.name not in own)]


def agent_named(spec: str, game: str) -> Agent:
    """The agent that the text names, for this game.

    >>> agent_named("equilibrium:bluff=0.2", "kuhn")
    KuhnEquilibrium(bluff=0.2)
    """
    if ".py:" in spec:
        place, _, rest = spec.partition(".py:")
        name, _, given = rest.partition(":")
        kind = _from_file(Path(place + ".py"), name, spec)
    else:
        name, _, given = spec.partition(":")
        kind = _by_name(name, game)
    if kind.games and game not in kind.games:
        raise InputError(f"{spec!r} does not play {game}: it plays {', '.join(kind.games)}")
    return build(kind, given, spec)


def _by_name(name: str, game: str) -> type[Agent]:
    playing = agents_for(game)
    for kind in playing:
        if kind.name == name:
            return kind
    if any(kind.name == name for kind in AGENTS):
        raise InputError(f"{name!r} does not play {game}: there are {', '.join(kind.name for kind in playing)}")
    raise InputError(
        f"{name!r} is not an agent for {game}: there are {', '.join(kind.name for kind in playing)}, "
        "or a path like ./mine.py:Mine"
    )


def _from_file(path: Path, name: str, spec: str) -> type[Agent]:
    if not path.is_file():
        raise InputError(f"{spec!r} names no agent: there is no file {str(path)!r}")
    try:
        module = _module(path.resolve(), path.stat().st_mtime_ns)
    except (Exception, SystemExit) as error:
        raise InputError(f"{spec!r} cannot be loaded: {sentence(error)}") from error
    kind = getattr(module, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Agent)):
        raise InputError(f"{spec!r} names no agent: {str(path)!r} has no Agent {name!r}")
    return kind


@functools.cache
def _module(path: Path, modified: int) -> types.ModuleType:
    """The file as a module, loaded once and again when it changes; it may import its neighbours."""
    # Kernels are kept under the module's name, so the name is the same in every process.
    name = f"{path.stem}_{hashlib.blake2b(str(path).encode(), digest_size=4).hexdigest()}"
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise ImportError("it is not Python")
    module = importlib.util.module_from_spec(found)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    sys.modules[name] = module
    found.loader.exec_module(module)
    return module
