"""A session: the same players at one table, hand after hand, the button moving on.

A match plays every deal from every seating, to compare agents with as few deals as possible. A session is what happens
at a real table: each hand once, memories that last, and stacks that start anew with every hand or carry over.
"""

import json
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import Agent
from fifthstreet.agents.agent import AgentFailure
from fifthstreet.arena.laboratory import current
from fifthstreet.arena.party import Party, invited
from fifthstreet.arena.play import blamed
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.shown import Shown
from fifthstreet.arena.store import Unit
from fifthstreet.arena.units import Players
from fifthstreet.errors import InputError, whole
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import spec_of

Stacks = Literal["reset", "carry"]
MOST_RESULTS = 200_000_000
BATCH = 100  # hands that are taken together where one hand can hang on those before it


@runtime_checkable
class Seated(Protocol):
    """A game with a dealer and stacks."""

    stack: int

    def seated(self, players: Sequence[int], stacks: Sequence[int]) -> AnyGame:
        """The next hand: who sits where, from the left of the dealer, and with what."""


@dataclass(frozen=True)
class SessionResult(Shown):
    """What everyone won in each hand of each run, and what the players remember after the last."""

    game: str
    names: tuple[str, ...]
    seed: int
    stacks: Stacks
    by_hand: NDArray[np.float64]  # (runs, hands, players); a player who is broke wins nothing
    independent: bool  # whether no hand hangs on those before it
    hands_played: tuple[int, ...]  # in each run
    memories: tuple[list[dict[str, Any]], ...]

    @property
    def totals(self) -> NDArray[np.float64]:
        """What everyone won in each run."""
        total: NDArray[np.float64] = self.by_hand.sum(axis=1)
        return total

    def per_hand(self, values: NDArray[np.float64]) -> Estimate:
        """The mean of some figure that every hand has, (runs, hands), with its interval."""
        size = 1 if self.independent else min(BATCH, values.shape[1])
        batches = values.shape[1] // size
        found = mean(values[:, : batches * size].reshape(-1, size).mean(axis=1))
        value, half = float(values.mean()), found.half_width
        return Estimate(value, value - half, value + half, found.count)

    def won(self, player: int) -> Estimate:
        """What a player won a hand; a run, where stacks carry over and it may end at any hand."""
        if self.stacks == "carry":
            return mean(self.totals[:, player])
        return self.per_hand(self.by_hand[..., player])

    def plotted(self) -> list[tuple[str, Estimate]]:
        found = [(name, self.won(i)) for i, name in enumerate(self.names)]
        return sorted(found, key=lambda entry: -entry[1].value)

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], str]:
        rows = []
        for i, name in enumerate(self.names):
            won = self.won(i)
            interval = f"[{won.low:+.3f}, {won.high:+.3f}]" if math.isfinite(won.low) else "one run: none"
            rows.append((name, f"{self.totals[:, i].mean():+,.0f}", f"{won.value:+.3f}", interval))
        runs, hands, _ = self.by_hand.shape
        times = f"{runs} × {hands:,} hands"
        if self.stacks == "carry":
            times = f"{runs} × up to {hands:,} hands, {sum(self.hands_played):,} played"
        each = "a run" if self.stacks == "carry" else "a hand"
        caption = f"{self.game}, {times}, stacks {self.stacks}, seed {self.seed}"
        return ("agent", "total", each, "95 % interval"), rows, caption

    def _draw(self, axes: Any) -> None:
        """What everyone has won by every hand, the mean over the runs."""
        for name, curve in zip(self.names, self.by_hand.mean(axis=0).cumsum(axis=0).T, strict=True):
            axes.plot(curve, label=name)
        axes.set_xlabel("hands")
        axes.set_ylabel("won so far")
        axes.legend()
        axes.set_title(self.table()[2], fontsize="small")

    def to_dict(self) -> dict[str, Any]:
        runs, hands, _ = self.by_hand.shape
        per = "per_run" if self.stacks == "carry" else "per_hand"
        return {
            "game": self.game,
            "hands": hands,
            "runs": runs,
            "seed": self.seed,
            "stacks": self.stacks,
            "hands_played": list(self.hands_played),
            "agents": [
                {"name": name, "totals": self.totals[:, i].tolist(), per: self.won(i).to_dict()}
                for i, name in enumerate(self.names)
            ],
        }

    def __str__(self) -> str:
        columns, rows, caption = self.table()
        width = max(5, *(len(name) for name in self.names))
        lines = [f"{r[0]:<{width}}  {r[1]:>12}  {r[2]:>10}  {r[3]:>23}" for r in (columns, *rows)]
        return "\n".join([*lines, caption])


def session(
    game: str | AnyGame,
    agents: Sequence[str | Agent],
    hands: int = 10_000,
    seed: int = 0,
    *,
    runs: int = 1,
    stacks: Stacks = "reset",
    workers: int | None = None,
    compiled: bool | None = None,
    report: Callable[[int, int], None] | None = None,
) -> SessionResult:
    """Let agents sit down at a table and play; every run begins anew, with other deals.

    With `stacks="carry"` everyone plays with what was won before. Who has nothing left leaves the table, and the run is
    over when one player has everything.
    """
    party = invited(game, agents, compiled, workers)
    rules, players = party.game, party.players
    if not isinstance(rules, Seated):
        raise InputError(f"{rules.name} has no sessions: nobody deals, and there are no stacks")
    if stacks not in get_args(Stacks):
        raise InputError(f"stacks {stacks!r}: they {' or '.join(get_args(Stacks))}")
    hands, runs, seed = whole(hands, "hands", least=1), whole(runs, "runs", least=1), whole(seed, "as a seed")
    if hands * runs * len(players) > MOST_RESULTS:
        raise InputError(f"{runs:,} × {hands:,} hands of {len(players)} players are more than can be kept")
    done = [0] * runs

    def tell(run: int, hand: int) -> None:
        done[run] = hand
        if report:
            report(sum(done), runs * hands)

    play_runs = Runs(game, tuple(agents), hands, seed, stacks, party.compiled, party, tell)
    series = party.series("session", play_runs, 1, seed=seed, hands=hands, stacks=stacks)
    by_hand, notes = np.zeros((runs, hands, len(players))), [""] * runs
    try:
        for unit in current().units(series, runs, party.workers):
            by_hand[unit.first] = unit.rows[0]
            notes[unit.first] = unit.notes
            tell(unit.first, hands)
    finally:
        play_runs.stopped.set()  # who is interrupted does not wait for the other runs
    ended = [json.loads(note) for note in notes]
    independent = stacks == "reset" and not party.learns
    return SessionResult(
        spec_of(rules),
        party.names,
        seed,
        stacks,
        by_hand,
        independent,
        tuple(end["played"] for end in ended),
        tuple(ended[-1]["memories"]),
    )


@dataclass(frozen=True)
class Runs:
    """The runs of a session, to be played anywhere, one at a time."""

    game: str | AnyGame
    agents: tuple[str | Agent, ...]
    hands: int
    seed: int
    stacks: Stacks
    compiled: bool
    party: Party | None = None
    tell: Callable[[int, int], None] | None = None  # hears which run is at which hand
    stopped: threading.Event = field(default_factory=threading.Event)

    def __reduce__(self) -> Any:
        return Runs, (self.game, self.agents, self.hands, self.seed, self.stacks, self.compiled)

    def __call__(self, run: int, count: int) -> Unit:
        party = self.party or invited(self.game, self.agents, self.compiled)
        rules, players, hands, stacks = party.game, party.players, self.hands, self.stacks
        assert isinstance(rules, Seated) and count == 1
        seeds = Seeds.of(self.seed, len(players))
        seated = Players(party.game, players, self.compiled)
        won = np.zeros((hands, len(players)))
        owned, order = [rules.stack] * len(players), list(range(len(players)))
        hand, together = 0, 1 if stacks == "carry" else 20 * len(players)
        turns = [order[turn:] + order[:turn] for turn in order]
        seated.warm_up([(rules.seated(turn, owned), np.array(turn)) for turn in turns], seeds, run)
        while hand < hands and len(order) > 1 and not self.stopped.is_set():
            round_ = [order[turn:] + order[:turn] for turn in range(min(together, len(order)))]
            tables = [(rules.seated(turn, [owned[player] for player in turn]), np.array(turn)) for turn in round_]
            seated.play(tables, seeds, run * hands + hand, won[hand : hand + together])
            if stacks == "carry":
                owned = [had + int(more) for had, more in zip(owned, won[hand], strict=True)]
                order = [player for player in order if owned[player] > 0]
                order = order[1:] + order[:1]  # the button goes to the next on the left; the dealer is the last seat
            hand += together
            if self.tell and hand % 100 < together:
                self.tell(run, min(hand, hands))
        memories = [_remembered(agent, mind) for agent, mind in zip(seated.agents, seated.minds, strict=True)]
        notes = {"played": min(hand, hands), "memories": memories}
        return Unit(run, won[np.newaxis], json.dumps(notes, default=_number))


def _number(value: Any) -> Any:
    """NumPy's numbers as Python's, for JSON."""
    return value.item() if isinstance(value, np.generic) else str(value)


def _remembered(agent: Agent, mind: NDArray[np.float64]) -> list[dict[str, Any]]:
    with blamed(agent, "to say what it remembers"):
        rows = agent.memory(mind)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise AgentFailure(f"{agent.name} remembers {str(rows)[:60]!r}, which are no rows of a table")
    return rows
