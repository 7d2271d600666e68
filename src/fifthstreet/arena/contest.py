"""The Poker Squares contest: everyone plays the same deals of every point system, with limits on time.

A player prepares for a system, then plays its games; a play that is illegal or comes too late ends the game with ten
times the lowest points of the system, as does every game of a player who prepared too long. For each system the totals
are scaled from 0, the lowest, to 1, the highest, and the sum over the systems is the tournament score.

Decisions are timed by what the processor spent on them, so that a busy machine takes nothing from anyone, and kernels
are compiled before the clock starts. Learned values that are kept from before were prepared before.
"""

import json
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import Agent, agent_named
from fifthstreet.agents.agent import AgentFailure, Turn
from fifthstreet.arena.laboratory import Series, current, described, identity
from fifthstreet.arena.play import blamed
from fifthstreet.arena.recorded import Beside, Recorded, beside
from fifthstreet.arena.shown import Shown
from fifthstreet.arena.store import Unit
from fifthstreet.cards import Card
from fifthstreet.errors import InputError, whole
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.game import is_whole
from fifthstreet.games.point_systems import contest_deal
from fifthstreet.games.poker_squares import CELLS, PokerSquares, SquaresState
from fifthstreet.rng import Stream, seeded

Report = Callable[[int, int], None]


@dataclass(frozen=True)
class Entry:
    """One player's games of one point system."""

    system: str
    agent: str
    scores: NDArray[np.float64]
    seconds: NDArray[np.float64]  # of decisions, by game
    prepared: float  # seconds
    faults: tuple[str, ...]  # why games ended early

    @property
    def score(self) -> Estimate:
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
    """Everyone's games of every system."""

    systems: tuple[str, ...]
    agents: tuple[str, ...]
    games: int
    seed: int
    entries: dict[tuple[str, str], Entry]
    beside: tuple[Beside, ...] = ()

    def scaled(self, system: str, agent: str) -> NDArray[np.float64]:
        """The scores of a player by game, from 0 for the lowest mean in this system to 1 for the highest."""
        means = [self.entries[system, other].scores.mean() for other in self.agents]
        low, high = min(means), max(means)
        scores = self.entries[system, agent].scores
        return (scores - low) / (high - low) if high > low else np.ones_like(scores)

    def share(self, system: str, agent: str) -> float:
        """The points of a system, from 0 for the lowest total to 1 for the highest."""
        return max(0.0, float(self.scaled(system, agent).mean()))

    def total(self, agent: str) -> float:
        """The tournament score."""
        return sum(self.share(system, agent) for system in self.systems)

    def lead(self, first: str, second: str) -> Estimate:
        """By how much one tournament score is above another; the interval is over deals, the scale taken as given."""
        # All systems are played with the same deals, so a deal counts as one observation.
        gaps = [self.scaled(system, first) - self.scaled(system, second) for system in self.systems]
        return mean(np.sum(gaps, axis=0))

    @property
    def ranking(self) -> list[str]:
        return sorted(self.agents, key=self.total, reverse=True)

    def plotted(self) -> list[tuple[str, Estimate]]:
        """Mean scores by system."""
        found = [(f"{entry.system} {entry.agent}", entry.score) for entry in self.entries.values()]
        return sorted(found, key=lambda entry: -entry[1].value)

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], str]:
        rows = [
            (entry.system, entry.agent, str(entry.score), f"{self.share(entry.system, entry.agent):.3f}")
            for entry in self.entries.values()
        ]
        caption = f"{self.games:,} games of each system, deals from seed {self.seed}, 95 % intervals over deals"
        return ("system", "agent", "score", "share"), rows, caption

    def to_dict(self) -> dict[str, Any]:
        ranking = self.ranking
        return {
            "systems": list(self.systems),
            "games": self.games,
            "seed": self.seed,
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
                line += f"  {entry.seconds.mean():.3g} s a game"
                lines.append(line + (f", {len(entry.faults)} games lost: {entry.faults[0]}" if entry.faults else ""))
        lines += map(str, self.beside)
        lines.append("tournament score")
        ranking = self.ranking
        for agent in ranking:
            behind = "" if agent == ranking[0] else f"   behind by {self.lead(ranking[0], agent)}"
            lines.append(f"  {agent:<{width}}  {self.total(agent):>9.3f}{behind}")
        lines.append(self.table()[2])
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
    """Let agents play so many games of each point system, from the contest's deal of this seed on.

    With scores that others `recorded`, it also tells what everyone is ahead of them on the same deals.
    """
    games, seed = whole(games, "games", least=1), whole(seed, "as a seed")
    for limit, name in ((time, "time"), (prepare, "prepare")):
        if not 0 < limit < float("inf"):
            raise InputError(f"{name} {limit!r}: a limit is a number of seconds above 0")
    if not systems or not agents:
        raise InputError("a contest needs a point system and an agent")
    for names, what in ((systems, "point system"), (agents, "agent")):
        twice = [name for name in names if list(names).count(name) > 1]
        if twice:
            raise InputError(f"the {what} {twice[0]!r} is named twice")
    rules = {system: PokerSquares(system=system) for system in systems}
    players = {spec: agent_named(spec, PokerSquares.name) for spec in agents}
    deals = [np.array(contest_deal(seed + number)[:CELLS], np.int64) for number in range(games)]
    entries: dict[tuple[str, str], Entry] = {}
    for system, game in rules.items():
        for spec, player in players.items():
            entries[system, spec] = _enter(system, game, spec, player, deals, seed, time, prepare, workers)
            if report:
                report(len(entries), len(rules) * len(players))
    played = ((system, spec, entry.scores) for (system, spec), entry in entries.items())
    leads = tuple(beside(recorded or {}, played, seed))
    return ContestResult(tuple(systems), tuple(agents), games, seed, entries, leads)


def _enter(
    system: str,
    game: PokerSquares,
    spec: str,
    player: Agent,
    deals: list[NDArray[np.int64]],
    seed: int,
    time: float,
    prepare: float,
    workers: int | None,
) -> Entry:
    entrant = _Entrant(game, spec, player, deals, seed, time, prepare)
    who = identity(player, fresh=True)
    about = described("contest", identity(game), [who], seed=seed, time=time, prepare=prepare)
    free = player.policy(game) is not None
    # Played here, where the clock is; and not by a worker is it prepared for, since a worker has one core.
    series = Series(about, entrant.play, agents=[who] if who else [], free=free, here=True, begin=entrant.get_ready)
    rows, prepared, faults = np.zeros((len(deals), 2)), 0.0, dict[int, str]()
    for unit in current().units(series, len(deals), workers):
        rows[unit.first : unit.end] = unit.rows
        notes = json.loads(unit.notes)
        prepared = max(prepared, notes["prepared"])
        faults |= {number: fault for number, fault in notes["faults"] if number < len(deals)}
    return Entry(system, spec, rows[:, 0], rows[:, 1], prepared, tuple(faults[number] for number in sorted(faults)))


@dataclass
class _Entrant:
    """A player of one system, who prepares before the first game that is to be played."""

    game: PokerSquares
    spec: str
    player: Agent
    deals: list[NDArray[np.int64]]
    seed: int
    time: float
    prepare: float
    _mind: NDArray[np.float64] | None = None
    _prepared: float = 0.0

    def play(self, first: int, count: int) -> Unit:
        found = [self._game(number) for number in range(first, first + count)]
        faults = [(number, fault) for number, (*_, fault) in enumerate(found, first) if fault]
        notes = json.dumps({"prepared": self._prepared, "faults": faults})
        return Unit(first, np.array([row[:2] for row in found]), notes)

    def get_ready(self) -> None:
        begin = clock.perf_counter()
        with blamed(self.player, "to say what is in its mind"):
            self._mind = self.player.mind(self.game)
        self._prepared = clock.perf_counter() - begin
        first = self.game.after(self.game.start(), Card(self.deals[0][0]))
        self._decide(first, Stream(seeded(0, "warm")))

    def _decide(self, state: SquaresState, rng: Stream) -> Any:
        assert self._mind is not None
        view, policy = self.game.view(state, 0), self.player.policy(self.game)
        with blamed(self.player, "to decide"):
            if policy is not None:
                return policy(view, self._mind, rng.state)
            return self.player.decide(Turn(self.game, view, self.game.choices(state), rng, self._mind)).action

    def _game(self, number: int) -> tuple[float, float, str]:
        """The score of a game, the time it took, and why it ended early."""
        penalty = 10.0 * min(self.game.points)
        if self._prepared > self.prepare:
            return penalty, 0.0, f"it prepared for {self._prepared:.1f} s"
        state, rng, used = self.game.start(), Stream(seeded(self.seed + number, "contest", self.spec)), 0.0
        for card in self.deals[number]:
            state = self.game.after(state, Card(card))
            begin = clock.thread_time()
            try:
                action = self._decide(state, rng)
            except AgentFailure as failure:
                return penalty, used, str(failure)
            used += clock.thread_time() - begin
            if used > self.time:
                return penalty, used, f"card {state.placed + 1} came after {used:.2f} s"
            if not is_whole(action) or action not in self.game.choices(state):
                return penalty, used, f"{action!r} is no free cell"
            state = self.game.after(state, int(action))
        return self.game.payoffs(state)[0], used, ""
