"""The game and the agents of a match or session, looked up by name where they are names, and checked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fifthstreet.agents import Agent, agent_named
from fifthstreet.agents.agent import mind_of
from fifthstreet.arena.failure import blamed
from fifthstreet.arena.identity import described, identity
from fifthstreet.arena.laboratory import Series
from fifthstreet.arena.limits import Limit
from fifthstreet.arena.store import Unit
from fifthstreet.arena.units import is_compiled
from fifthstreet.errors import InputError, whole
from fifthstreet.games import game_named
from fifthstreet.games.game import AnyGame

MOST_PAYOFFS = 200_000_000  # a result keeps every payoff in memory, and this many take 1.6 GB


@dataclass(frozen=True)
class Party:
    """A game and the agents that play it."""

    game: AnyGame
    players: list[Agent]
    given_game: str | AnyGame  # the game as the caller gave it, by name or as an object
    given: tuple[str | Agent, ...]  # the agents as the caller gave them
    names: tuple[str, ...]  # of the agents, all different
    compiled: bool  # whether compiled code plays the deals, not the loop in Python
    workers: int | None  # threads to use; None leaves it to the engine
    limit: Limit | None = None  # for each decision of an agent in Python

    @property
    def efforts(self) -> tuple[str, ...]:
        """For each agent, what its time limit amounts to on this computer; "" where it has none."""
        return tuple(player.effort(self.game) for player in self.players)

    @property
    def learns(self) -> bool:
        """Whether an agent learns from one deal for the next."""
        return any(player.learns for player in self.players)

    def series(self, kind: str, play: Callable[[int, int], Unit], step: int, **more: object) -> Series:
        """What `play` plays, as a series that the store can keep; `more` are settings that change the results.

        The rows of a unit depend on each other where `step` is given: then a unit is exactly `step` rows.
        """
        agents = [
            identity(player, fresh=isinstance(given, str))
            for player, given in zip(self.players, self.given, strict=True)
        ]
        known = [agent for agent in agents if agent is not None]
        return Series(described(kind, identity(self.game), agents, **more), play, step, known, free=self.compiled)


def invited(
    game: str | AnyGame,
    agents: Sequence[str | Agent],
    compiled: bool | None = None,
    workers: int | None = None,
    time_limit: float | None = None,
) -> Party:
    """Look up and check the game and its agents.

    With `compiled` None, compiled code plays if every agent has a compiled policy for the game; True insists on that,
    False plays in Python. `workers` is the number of threads, `time_limit` the seconds that a decision may take where
    Python plays.
    """
    specs = agents_given(agents)
    rules = game_given(game, len(specs))
    players = [agent_named(spec, rules.name) if isinstance(spec, str) else spec for spec in specs]
    for player in players:
        if player.games and rules.name not in player.games:
            raise InputError(f"{player.name!r} does not play {rules.name}: it plays {', '.join(player.games)}")
    if rules.seats > 1 and len(players) != rules.seats:
        raise InputError(f"{rules.name} has {rules.seats} seats: {rules.seats} agents are wanted, not {len(players)}")
    if not players:
        raise InputError("a game needs an agent")
    able = is_compiled(rules, players)
    if compiled and not able:
        raise InputError("this cannot be compiled: not every agent has a compiled policy for this game")
    if workers is not None:
        workers = whole(workers, "workers", least=1)
    for player in players:  # tables that are computed once are computed now, not by every worker
        with blamed(player, "to set up its mind"):
            mind_of(player, rules)
        with blamed(player, "to say whether it learns"):
            bool(player.learns), whole(player.warm_up, "practice hands", least=0)
    limit = None if time_limit is None else Limit(time_limit)
    names = _distinct([spec if isinstance(spec, str) else spec.name for spec in specs])
    return Party(rules, players, game, specs, names, able if compiled is None else compiled, workers, limit)


def limits_in_words(names: Sequence[str], efforts: Sequence[str]) -> str:
    """What agents with a time limit had, to be added to the description of a result."""
    return "".join(f"; {name} had {had}" for name, had in zip(names, efforts, strict=False) if had)


def game_given(game: object, seats: int | None = None) -> AnyGame:
    """The game that a caller gave, as an object or by name; `seats` is used if the name leaves their number open."""
    if isinstance(game, str):
        return game_named(game, seats)
    if isinstance(game, type):
        raise InputError(f"{game.__name__} is a class, not a game: write {game.__name__}() to make a game of it")
    if not hasattr(game, "to_act"):
        raise InputError(f"{game!r} is not a game: give its name, or an object like Holdem(seats=2)")
    found: AnyGame = game  # type: ignore[assignment]  # a protocol with properties: what is missing shows when it plays
    return found


def agents_given(agents: object) -> tuple[str | Agent, ...]:
    """The agents that a caller gave, each as an object or by name."""
    if isinstance(agents, str | Agent):
        given = repr(agents) if isinstance(agents, str) else f"the agent {agents.name!r}"
        raise InputError(f"a list of agents is expected, like ['random', 'equilibrium'], not {given} alone")
    if not isinstance(agents, Sequence):
        raise InputError(f"{agents!r} is not a list of agents")
    for agent in agents:
        if isinstance(agent, type):
            raise InputError(
                f"{agent.__name__} is a class, not an agent: write {agent.__name__}() to make an agent of it"
            )
        if not isinstance(agent, str | Agent):
            raise InputError(f"{agent!r} is not an agent: give its name, or an object of a class derived from Agent")
    return tuple(agents)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """The names, with numbers added where several are the same."""
    return tuple(
        f"{name} ({names[: i + 1].count(name)})" if names.count(name) > 1 else name for i, name in enumerate(names)
    )
