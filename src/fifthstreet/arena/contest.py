"""The Poker Squares contest: every player gets the same deals of every point system, and limited time.

A player prepares for a point system, then plays its games. A decision that is illegal or late ends the game, which then
scores ten times the lowest points of the system; so does every game of a player who prepared too long. In each system,
mean scores are scaled from 0 for the lowest to 1 for the highest; the sum over the systems is the tournament score.

Preparation and decisions are timed in processor time, so that a busy machine costs nobody anything, and kernels are
compiled before the clock of the decisions starts. What is shipped, or was learned earlier, counts as prepared.
"""

import json
import time as clock
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import Agent, agent_named
from fifthstreet.agents.agent import AgentFailure, Decision, Turn, acted, mind_of
from fifthstreet.arena.failure import blamed
from fifthstreet.arena.identity import described, identity
from fifthstreet.arena.laboratory import Series, current
from fifthstreet.arena.party import MOST_PAYOFFS
from fifthstreet.arena.payoff_unit import PayoffUnit
from fifthstreet.arena.play import FixedDeck, play
from fifthstreet.arena.recorded import Beside, Recorded, beside
from fifthstreet.arena.store import Unit
from fifthstreet.errors import InputError, whole
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.game import Policy
from fifthstreet.games.point_systems import contest_deal
from fifthstreet.games.poker_squares import CELLS, PokerSquares, SquaresView
from fifthstreet.rng import Stream, seeded
from fifthstreet.shown import Shown, TableOfText

T = TypeVar("T")

UNIT = PayoffUnit(PokerSquares.payoff_unit, "game")

Report = Callable[[int, int], None]
"""Is called with the number of entries played and the number of all; an entry is one player in one system."""


@dataclass(frozen=True)
class Entry:
    """One player's games in one point system."""

    system: str
    agent: str
    scores: NDArray[np.float64]
    seconds: NDArray[np.float64]  # that the decisions of each game took
    prepared: float  # seconds of preparation
    faults: tuple[str, ...]  # why games were lost, one reason each

    @property
    def score(self) -> Estimate:
        """The mean score."""
        return mean(self.scores)

    def to_dict(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "agent": self.agent,
            "mean": self.score.to_dict(),
            "scores": self.scores.tolist(),
            "seconds_a_game": float(self.seconds.mean()),
            "longest_game": float(self.seconds.max()),
            "prepared": self.prepared,
            "faults": list(self.faults),
        }


@dataclass(frozen=True)
class ContestResult(Shown):
    """The games of every player in every point system."""

    systems: tuple[str, ...]
    agents: tuple[str, ...]
    games: int
    seed: int
    entries: dict[tuple[str, str], Entry]
    beside: tuple[Beside, ...] = ()

    def scaled(self, system: str, agent: str) -> NDArray[np.float64]:
        """A player's score in each game, on a scale where the lowest mean of the system is 0 and the highest is 1."""
        means = [self.entries[system, other].scores.mean() for other in self.agents]
        low, high = min(means), max(means)
        scores = self.entries[system, agent].scores
        return (scores - low) / (high - low) if high > low else np.ones_like(scores)

    def share(self, system: str, agent: str) -> float:
        """What a player gets for a system: 0 with the lowest mean score, 1 with the highest."""
        return max(0.0, float(self.scaled(system, agent).mean()))

    def total(self, agent: str) -> float:
        """A player's tournament score."""
        return sum(self.share(system, agent) for system in self.systems)

    def lead(self, first: str, second: str) -> Estimate:
        """How far one tournament score is above another. The interval is over deals; the scale is taken as exact."""
        # All systems are played with the same deals, so the games of one deal are one observation.
        gaps = [self.scaled(system, first) - self.scaled(system, second) for system in self.systems]
        return mean(np.sum(gaps, axis=0))

    @property
    def ranking(self) -> list[str]:
        """The players by tournament score, best first."""
        return sorted(self.agents, key=self.total, reverse=True)

    def plotted(self) -> list[tuple[str, Estimate]]:
        found = [(f"{entry.system} {entry.agent}", entry.score) for entry in self.entries.values()]
        return sorted(found, key=lambda entry: -entry[1].value)

    def measured_in(self) -> str:
        return str(UNIT)

    def table(self) -> TableOfText:
        rows = [
            (entry.system, entry.agent, str(entry.score), f"{self.share(entry.system, entry.agent):.3f}")
            for entry in self.entries.values()
        ]
        caption = f"{self.games:,} games of each system, deals from seed {self.seed}, 95 % intervals over deals"
        return ("system", "agent", str(UNIT), "share"), rows, caption

    def to_dict(self) -> dict[str, Any]:
        ranking = self.ranking
        return {
            "systems": list(self.systems),
            "games": self.games,
            "seed": self.seed,
            "payoff_unit": str(UNIT),
            "standings": [
                {
                    "agent": agent,
                    "total": self.total(agent),
                    "behind_first": None if agent == ranking[0] else self.lead(ranking[0], agent).to_dict(),
                }
                for agent in ranking
            ],
            "entries": [self.entries[system, agent].to_dict() for system in self.systems for agent in self.agents],
            "beside": [each.to_dict() for each in self.beside],
        }

    def __str__(self) -> str:
        width = max(5, *(len(agent) for agent in self.agents))
        lines = []
        for system in self.systems:
            lines.append(system)
            for agent in sorted(self.agents, key=lambda name: -self.entries[system, name].scores.mean()):
                entry = self.entries[system, agent]
                score = entry.score
                share = self.share(system, agent)
                line = f"  {agent:<{width}}  {score.value:>9.2f}  [{score.low:.2f}, {score.high:.2f}]  {share:.3f}"
                line += f"  {entry.seconds.mean():.3g} s per game"
                lines.append(line + (f", {len(entry.faults)} games lost: {entry.faults[0]}" if entry.faults else ""))
        lines += map(str, self.beside)
        lines.append("tournament score")
        ranking = self.ranking
        for agent in ranking:
            behind = "" if agent == ranking[0] else f"   behind by {self.lead(ranking[0], agent)}"
            lines.append(f"  {agent:<{width}}  {self.total(agent):>9.3f}{behind}")
        lines.append(f"{UNIT}, {self.table()[2]}")
        return "\n".join(lines)


def contest(
    systems: Sequence[str],
    agents: Sequence[str],
    games: int = 100,
    seed: int = 0,
    *,
    time: float = 30.0,
    prepare: float = 300.0,
    workers: int | None = None,
    report: Report | None = None,
    recorded: Recorded | None = None,
) -> ContestResult:
    """Let agents play games of each point system.

    games     the number of games of each system
    seed      the number of the first deal of the contest; the following games have the following deals
    time      seconds for all decisions of a game
    prepare   seconds to prepare for a system
    workers   threads to use; None is all cores
    report    called with the numbers of entries done and in all
    recorded  scores that other players reached on the same deals, to compare with
    """
    seed = whole(seed, "as a seed")
    for limit, name in ((time, "time"), (prepare, "prepare")):
        if not 0 < limit < float("inf"):
            raise InputError(f"{name} {limit!r}: a limit is a number of seconds above 0")
    if not systems or not agents:
        raise InputError("a contest needs a point system and an agent")
    games = whole(games, "games", least=1, most=MOST_PAYOFFS // (len(systems) * len(agents)))
    for names, what in ((systems, "point system"), (agents, "agent")):
        twice = [name for name in names if list(names).count(name) > 1]
        if twice:
            raise InputError(f"the {what} {twice[0]!r} is named twice")
    rules = {system: PokerSquares(system=system) for system in systems}
    players = {spec: agent_named(spec, PokerSquares.name) for spec in agents}
    entries: dict[tuple[str, str], Entry] = {}
    for system, game in rules.items():
        for spec, player in players.items():
            entries[system, spec] = _enter(_Entrant(game, spec, player, seed, time, prepare), games, workers)
            if report:
                report(len(entries), len(rules) * len(players))
    played = ((system, spec, entry.scores) for (system, spec), entry in entries.items())
    leads = tuple(beside(recorded or {}, played, seed))
    return ContestResult(tuple(systems), tuple(agents), games, seed, entries, leads)


def _enter(entrant: "_Entrant", games: int, workers: int | None) -> Entry:
    """Play all games of one player in one system."""
    game, who = entrant.game, identity(entrant.player, fresh=True)
    settings = {"seed": entrant.seed, "time": entrant.time, "prepare": entrant.prepare}
    # Threads of this process play, because the clock is here; and it prepares here, because a worker has only one core.
    series = Series(
        described("contest", identity(game), [who], **settings),
        entrant.play,
        agents=[who] if who else [],
        free=entrant.policy is not None,
        here=True,
        begin=entrant.get_ready,
    )
    rows, prepared, faults = np.zeros((games, 2)), 0.0, dict[int, str]()
    for unit in current().units(series, games, workers):
        rows[unit.first : unit.end] = unit.rows
        notes = json.loads(unit.notes)
        prepared = max(prepared, notes["prepared"])
        faults |= {number: fault for number, fault in notes["faults"] if number < games}
    reasons = tuple(faults[number] for number in sorted(faults))
    return Entry(game.system, entrant.spec, rows[:, 0], rows[:, 1], prepared, reasons)


@dataclass
class _Entrant:
    """A player in one system. It prepares before its first game, unless all its games are in the store."""

    game: PokerSquares
    spec: str
    player: Agent
    seed: int
    time: float  # seconds for the decisions of a game
    prepare: float  # seconds to prepare
    _mind: NDArray[np.float64] | None = None
    _prepared: float = 0.0  # seconds that it took

    @property
    def policy(self) -> Policy | None:
        with blamed(self.player, "to give its policy"):
            return self.player.policy(self.game)

    def play(self, first: int, count: int) -> Unit:
        """Play games from number `first` on: a row of score and seconds for each, and why games were lost."""
        found = [self._game(number) for number in range(first, first + count)]
        faults = [(number, fault) for number, (*_, fault) in enumerate(found, first) if fault]
        notes = json.dumps({"prepared": self._prepared, "faults": faults})
        return Unit(first, np.array([row[:2] for row in found]), notes)

    def get_ready(self) -> None:
        """Prepare, with the clock running, then decide once without it, so that everything is compiled."""
        begin = clock.process_time()
        with blamed(self.player, "to set up its mind"):
            self._mind = mind_of(self.player, self.game)
        self._prepared = clock.process_time() - begin
        state = self.game.after(self.game.start(), contest_deal(self.seed)[0])
        choices, rng = self.game.choices(state), Stream(seeded(0, "warm"))
        with suppress(AgentFailure):  # its games will show
            self._timed().decide(Turn(self.game, self.game.view(state, 0), choices, rng, self._mind))

    def _timed(self) -> "_Timed":
        return _Timed(self.player, self.policy, self.time)

    def _game(self, number: int) -> tuple[float, float, str]:
        """The score of a game, the seconds its decisions took, and why it was lost, or ""."""
        penalty = 10.0 * min(self.game.points)
        if self._prepared > self.prepare:
            return penalty, 0.0, f"it prepared for {self._prepared:.1f} s"
        assert self._mind is not None
        player, deck = self._timed(), FixedDeck(contest_deal(self.seed + number)[:CELLS])
        rng = Stream(seeded(self.seed + number, "contest", self.spec))
        try:
            record = play(self.game, [player], deck, [rng], [self._mind])
        except AgentFailure as failure:
            return penalty, player.seconds, str(failure)
        return record.payoffs[0], player.seconds, ""


class _Timed(Agent):
    """A player whose decisions are timed and checked; AgentFailure as soon as one is late or illegal."""

    def __init__(self, player: Agent, policy: Policy | None, limit: float) -> None:
        self.name = player.name  # type: ignore[misc]  # under which its failures are reported
        self.player, self.compiled, self.limit = player, policy, limit
        self.cards, self.seconds = 0, 0.0  # placed so far, and the time that took

    def decide(self, turn: Turn[SquaresView]) -> Decision:
        begin = clock.thread_time()
        with blamed(self.player, "to decide"):
            if self.compiled is not None:
                decision = Decision(acted(self.compiled, turn.view, turn.mind, turn.rng.state))
            else:
                decision = self.player.decide(turn)
        self.seconds += clock.thread_time() - begin
        self.cards += 1
        if self.seconds > self.limit:
            raise AgentFailure(f"card {self.cards} came after {self.seconds:.2f} s")
        if isinstance(decision, Decision) and decision.action not in turn.choices:
            raise AgentFailure(f"{decision.action!r} is not a free cell")
        return decision
