"""Who sits down to what: a game and its agents, named or given, found and checked before anything is played."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fifthstreet.agents import Agent, agent_named
from fifthstreet.arena.laboratory import Series, described, identity
from fifthstreet.arena.play import blamed
from fifthstreet.arena.store import Unit
from fifthstreet.arena.units import is_compiled
from fifthstreet.errors import InputError, whole
from fifthstreet.games import game_named
from fifthstreet.games.game import AnyGame


@dataclass(frozen=True)
class Party:
    game: AnyGame
    players: list[Agent]
    given: tuple[str | Agent, ...]
    names: tuple[str, ...]
    compiled: bool
    workers: int | None

    @property
    def learns(self) -> bool:
        return any(player.learns for player in self.players)

    def series(self, kind: str, play: Callable[[int, int], Unit], step: int, **more: Any) -> Series:
        """What these players do at this game, as something that can be kept."""
        agents = [
            identity(player, fresh=isinstance(given, str))
            for player, given in zip(self.players, self.given, strict=True)
        ]
        known = [agent for agent in agents if agent is not None]
        return Series(described(kind, identity(self.game), agents, **more), play, step, known, free=self.compiled)


def invited(
    game: str | AnyGame, agents: Sequence[str | Agent], compiled: bool | None = None, workers: int | None = None
) -> Party:
    """The game and the agents; compiled where all of them are, unless told otherwise."""
    rules = game_named(game, len(agents)) if isinstance(game, str) else game
    players = [agent_named(spec, rules.name) if isinstance(spec, str) else spec for spec in agents]
    for player in players:
        if player.games and rules.name not in player.games:
            raise InputError(f"{player.name!r} does not play {rules.name}: it plays {', '.join(player.games)}")
    if rules.seats > 1 and len(players) != rules.seats:
        raise InputError(f"{rules.name} has {rules.seats} seats, and {len(players)} agents were named")
    if not players:
        raise InputError("a game needs an agent")
    able = is_compiled(rules, players)
    if compiled and not able:
        raise InputError("this cannot be compiled: not every agent has a policy here")
    if workers is not None:
        workers = whole(workers, "workers", least=1)
    fast = able if compiled is None else compiled
    for player in players:  # tables that are computed once are computed now, not by every worker
        with blamed(player, "to say what is in its mind"):
            player.mind(rules)
    names = _distinct([spec if isinstance(spec, str) else spec.name for spec in agents])
    return Party(rules, players, tuple(agents), names, fast, workers)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """The names, numbered where two are the same."""
    return tuple(
        f"{name} ({names[: i + 1].count(name)})" if names.count(name) > 1 else name for i, name in enumerate(names)
    )
