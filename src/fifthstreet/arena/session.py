"""A session: the same players at one table, hand after hand, the button moving on.

A match plays every deal from every seating, to compare agents with as few deals as possible. A session is like a real
table: each hand is played once, agents remember earlier hands, and stacks are reset after each hand or carry over.
"""

import json
import math
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import Agent
from fifthstreet.agents.agent import AgentFailure
from fifthstreet.arena.failure import blamed
from fifthstreet.arena.laboratory import current
from fifthstreet.arena.limits import Limit
from fifthstreet.arena.party import MOST_PAYOFFS, Party, invited, limits_in_words
from fifthstreet.arena.payoff_unit import PayoffUnit
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.store import Unit
from fifthstreet.arena.units import Players
from fifthstreet.errors import InputError, quoted, whole
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import spec_of
from fifthstreet.shown import Shown, TableOfText, aligned

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Stacks = Literal["reset", "carry"]
_LONGEST = 200  # characters of an attribute that is shown
BATCH = 100  # hands that count as one observation where a hand can depend on earlier ones


@runtime_checkable
class Seated(Protocol):
    """A game with a dealer and stacks."""

    stack: int  # of each player at the start

    def seated(self, players: Sequence[int], stacks: Sequence[int]) -> AnyGame:
        """The game of one hand: the number of the player in each seat, from the left of the dealer, and the stacks."""


@dataclass(frozen=True)
class SessionResult(Shown):
    """The payoffs of every hand of every run, and the memories of the players after each run."""

    game: str
    names: tuple[str, ...]
    seed: int
    stacks: Stacks
    by_hand: NDArray[np.float64]  # (runs, hands, players): payoffs, 0 for a player who has no chips left
    independent: bool  # whether hands are independent of each other
    hands_played: tuple[int, ...]  # in each run
    remembered: tuple[tuple[list[dict[str, Any]], ...], ...]  # by run and player: what it remembers, as rows of a table
    payoff_unit: PayoffUnit
    efforts: tuple[str, ...] = ()  # for each agent, what its time limit amounts to on this computer, or ""

    @property
    def memories(self) -> tuple[list[dict[str, Any]], ...]:
        """For each player, what it remembers after the last run."""
        return self.remembered[-1]

    @property
    def totals(self) -> NDArray[np.float64]:
        """What each player won in each run: (runs, players)."""
        total: NDArray[np.float64] = self.by_hand.sum(axis=1)
        return total

    def per_hand(self, values: NDArray[np.float64]) -> Estimate:
        """The mean of `values`, one for each hand of each run: (runs, hands)."""
        size = 1 if self.independent else min(BATCH, values.shape[1])
        batches = values.shape[1] // size
        found = mean(values[:, : batches * size].reshape(-1, size).mean(axis=1))
        value, half = float(values.mean()), found.half_width
        return Estimate(value, value - half, value + half, found.count)

    def won(self, player: int) -> Estimate:
        """What a player won per hand; per run if stacks carry over, because a run can then end at any hand."""
        if self.stacks == "carry":
            return mean(self.totals[:, player])
        return self.per_hand(self.by_hand[..., player])

    def plotted(self) -> list[tuple[str, Estimate]]:
        found = [(name, self.won(i)) for i, name in enumerate(self.names)]
        return sorted(found, key=lambda entry: -entry[1].value)

    def measured_in(self) -> str:
        return str(self.payoff_unit)

    def table(self) -> TableOfText:
        columns = ["agent", f"total {self.payoff_unit.name}", str(self.payoff_unit), "95 % interval"]
        rows = []
        for i, name in enumerate(self.names):
            won = self.won(i)
            interval = f"[{won.low:+.3f}, {won.high:+.3f}]" if math.isfinite(won.low) else "one run: none"
            row = [name, f"{self.totals[:, i].mean():+,.0f}", f"{won.value:+.3f}", interval]
            if (blinds := self.payoff_unit.bb_per_100(won)) is not None:
                row.append(f"{blinds.value:+.1f} ± {blinds.half_width:.1f}")
            rows.append(row)
        if len(rows[0]) > len(columns):
            columns.append("bb/100")
        runs, hands, _ = self.by_hand.shape
        times = f"{runs} × {hands:,} hands"
        if self.stacks == "carry":
            times = f"{runs} × up to {hands:,} hands, {sum(self.hands_played):,} played"
        limits = limits_in_words(self.names, self.efforts)
        return columns, rows, f"{self.game}, {times}, stacks {self.stacks}, seed {self.seed}{limits}"

    def _draw(self, axes: "Axes") -> None:
        """Draw what each player has won up to each hand, averaged over the runs."""
        for name, curve in zip(self.names, self.by_hand.mean(axis=0).cumsum(axis=0).T, strict=True):
            axes.plot(curve, label=name)
        axes.set_xlabel("hands")
        axes.set_ylabel(f"{self.payoff_unit.name} won so far")
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
            "payoff_unit": str(self.payoff_unit),
            "agents": [
                {
                    "name": name,
                    "totals": self.totals[:, i].tolist(),
                    per: self.won(i).to_dict(),
                    **self.payoff_unit.in_json(self.won(i)),
                    **({"time_limit": self.efforts[i]} if self.efforts and self.efforts[i] else {}),
                }
                for i, name in enumerate(self.names)
            ],
        }

    def __str__(self) -> str:
        columns, rows, caption = self.table()
        return "\n".join([*aligned(columns, rows), caption])


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
    time_limit: float | None = None,
    report: Callable[[int, int], None] | None = None,
) -> SessionResult:
    """Let agents play hand after hand at one table, the button moving on after each hand.

    game, agents  names as on the command line, or objects
    hands         the number of hands in a run
    runs          the number of runs; each starts with fresh agents and has its own deals
    stacks        "reset" gives everyone the same stack before each hand; with "carry" everyone plays on with the chips
                  they have, players without chips leave, and a run ends when one player has all the chips
    workers       threads to use; None is all cores
    compiled      False plays in Python, True refuses agents that are not compiled; None compiles where it can
    time_limit    seconds of processor time for each decision, where agents are played in Python
    report        called with the numbers of hands done and in all
    """
    party = invited(game, agents, compiled, workers, time_limit)
    rules, players = party.game, party.players
    if not isinstance(rules, Seated):
        raise InputError(f"{rules.name} has no sessions: it has no dealer and no stacks")
    if stacks not in get_args(Stacks):
        raise InputError(f"stacks {stacks!r}: it must be {' or '.join(get_args(Stacks))}")
    hands, runs, seed = whole(hands, "hands", least=1), whole(runs, "runs", least=1), whole(seed, "as a seed")
    if hands * runs > MOST_PAYOFFS // len(players):
        most = f"{MOST_PAYOFFS // len(players):,} hands in all"
        raise InputError(f"{runs:,} × {hands:,} hands of {len(players)} players are too many: at most {most}")
    done = [0] * runs

    def tell(run: int, hand: int) -> None:
        done[run] = hand
        if report:
            report(sum(done), runs * hands)

    play_runs = Runs(game, tuple(agents), hands, seed, stacks, party.compiled, party.limit, party, tell)
    series = party.series("session", play_runs, 1, seed=seed, hands=hands, stacks=stacks)
    by_hand, notes = np.zeros((runs, hands, len(players))), [""] * runs
    try:
        for unit in current().units(series, runs, party.workers):
            by_hand[unit.first] = unit.rows[0]
            notes[unit.first] = unit.notes
            tell(unit.first, hands)
    finally:
        play_runs.stopped.set()  # after an interruption, runs that are being played end at their next hand
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
        tuple(tuple(end["memories"]) for end in ended),
        PayoffUnit.of(rules, "run" if stacks == "carry" else "hand"),
        party.efforts,
    )


@dataclass(frozen=True)
class Runs:
    """The runs of a session, for any worker, one at a time: other processes are sent names, and look them up."""

    game: str | AnyGame
    agents: tuple[str | Agent, ...]
    hands: int
    seed: int
    stacks: Stacks
    compiled: bool
    limit: Limit | None
    party: Party | None = None
    tell: Callable[[int, int], None] | None = None  # called with the number of a run and of the hand it has reached
    stopped: threading.Event = field(default_factory=threading.Event)

    def __reduce__(self) -> tuple[type["Runs"], tuple[object, ...]]:
        return Runs, (self.game, self.agents, self.hands, self.seed, self.stacks, self.compiled, self.limit)

    def __call__(self, run: int, count: int) -> Unit:
        """Play this run; `count` is 1."""
        party = self.party or invited(self.game, self.agents, self.compiled)
        rules, players, hands, stacks = party.game, party.players, self.hands, self.stacks
        assert isinstance(rules, Seated) and count == 1
        seeds = Seeds.of(self.seed, len(players))
        seated = Players(party.game, players, self.compiled, limit=self.limit)
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
                order = order[1:] + order[:1]  # the button moves to the left; the dealer has the last seat
            hand += together
            if self.tell and hand % 100 < together:
                self.tell(run, min(hand, hands))
        memories = [_remembered(*each) for each in zip(seated.agents, players, seated.minds, strict=True)]
        notes = {"played": min(hand, hands), "memories": memories}
        return Unit(run, won[np.newaxis], json.dumps(notes))


def _for_json(value: object) -> object:
    """A value that JSON does not know, as one that it does: NumPy's numbers as Python's, anything else as text."""
    return value.item() if isinstance(value, np.generic) else str(value)


def _remembered(agent: Agent, before: Agent, mind: NDArray[np.float64]) -> list[dict[str, Any]]:
    """What an agent remembers, as rows of a table; `before` is the same agent before it played.

    For an agent without a `memory` method, these are the attributes that have changed.
    """
    with blamed(agent, "to say what it remembers"):
        if type(agent).memory is Agent.memory:
            then, now = _attributes(before), _attributes(agent)
            return [{"attribute": name, "value": now[name]} for name in now if now[name] != then.get(name)]
        rows = agent.memory(mind)
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            return list(json.loads(json.dumps(rows, default=_for_json)))
    raise AgentFailure(f"{agent.name} remembers {quoted(rows)}, which is not a list of rows (dicts)")


def _attributes(agent: Agent) -> dict[str, str]:
    """The attributes of an agent as text, cut where it is long, without addresses in memory."""
    texts = {name: re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value)) for name, value in vars(agent).items()}
    return {name: text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for name, text in texts.items()}
