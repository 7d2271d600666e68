"""A match: the same deals from every seating, so that luck cancels, with intervals by deal."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import Agent
from fifthstreet.arena.laboratory import current
from fifthstreet.arena.party import Party, invited
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.shown import Shown
from fifthstreet.arena.statistics import SequentialTest, score
from fifthstreet.arena.store import Unit
from fifthstreet.arena.units import play_unit, seatings
from fifthstreet.errors import InputError, whole
from fifthstreet.estimate import Estimate, finite, mean
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import spec_of

Report = Callable[[int, int], None]
Ranking = list[tuple[str, Estimate]]
Follow = Callable[[Callable[[], Ranking]], None]
"""Is given a way to ask for the standings so far, which costs something only if it is used."""

UNIT = 1_000


@dataclass(frozen=True)
class Standing:
    """One agent's result. Its payoff is per deal played from one seat; a deal is won by whoever did best in it."""

    name: str
    payoff: Estimate
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> Estimate:
        return score(self.wins, self.draws, self.losses)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "mean": self.payoff.value,
            "ci95": [finite(self.payoff.low), finite(self.payoff.high)],
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score.to_dict(),
        }


@dataclass(frozen=True)
class MatchResult(Shown):
    """What a match showed."""

    game: str
    names: tuple[str, ...]
    seed: int
    by_deal: NDArray[np.float64]  # (deals, agents): mean payoff over the seatings of a deal
    seatings: int
    unit: int
    compiled: bool
    alone: bool = False  # a game for one, which each agent played by itself
    learning: bool = False  # some agent's deals depend on those before, so the interval is by unit
    answer: str | None = None  # of the sequential test, where one was asked for

    @property
    def deals(self) -> int:
        return len(self.by_deal)

    @property
    def standings(self) -> list[Standing]:
        best = self.by_deal.max(axis=1, keepdims=True)
        at_top = np.isclose(self.by_deal, best, rtol=0, atol=1e-9)
        alone = at_top.sum(axis=1) == 1
        found = []
        for i, name in enumerate(self.names):
            wins = int((at_top[:, i] & alone).sum())
            draws = int((at_top[:, i] & ~alone).sum())
            found.append(Standing(name, self._payoff(self.by_deal[:, i]), wins, draws, self.deals - wins - draws))
        return found

    @property
    def ranking(self) -> Ranking:
        """What everyone won a deal, the best first."""
        return sorted(((s.name, s.payoff) for s in self.standings), key=lambda entry: -entry[1].value)

    def difference(self, first: int = 0, second: int = 1) -> Estimate:
        """How much more the first agent won a deal than the second."""
        return self._payoff(self.by_deal[:, first] - self.by_deal[:, second])

    def _payoff(self, values: NDArray[np.float64]) -> Estimate:
        """The mean, its interval by deal, or by unit where somebody learns and the deals of a unit hang together."""
        if not self.learning:
            return mean(values)
        whole_units = len(values) // self.unit
        by_unit = values[: whole_units * self.unit].reshape(-1, self.unit).mean(axis=1)
        value = float(values.mean())
        half = mean(by_unit).half_width if whole_units else math.inf
        return Estimate(value, value - half, value + half, whole_units)

    def plotted(self) -> Ranking:
        return self.ranking

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], str]:
        rows = [
            [
                s.name,
                f"{s.payoff.value:+.4f}",
                f"[{s.payoff.low:+.4f}, {s.payoff.high:+.4f}]",
                *map(str, (s.wins, s.draws, s.losses)),
            ]
            for s in self.standings
        ]
        times = f", each from {self.seatings} seatings" if self.seatings > 1 and not self.alone else ""
        caption = f"{self.game}, {self.deals:,} deals{times}, seed {self.seed}"
        return ("agent", "mean", "95 % interval", "won", "drawn", "lost"), rows, caption

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "game": self.game,
            "deals": self.deals,
            "seed": self.seed,
            "seatings": self.seatings,
            "unit": self.unit,
            "agents": [standing.to_dict() for standing in self.standings],
        }
        if self.answer is not None:
            found["answer"] = self.answer
        return found

    def __str__(self) -> str:
        columns, rows, caption = self.table()
        width = max(5, *(len(name) for name in self.names))
        lines = [f"{r[0]:<{width}}  {r[1]:>9}  {r[2]:>21}  {r[3]:>6} {r[4]:>6} {r[5]:>6}" for r in (columns, *rows)]
        if self.answer is not None:
            lines.append(f"is {self.names[0]} better than {self.names[1]}? {self.answer}")
        return "\n".join([*lines, caption])


def match(
    game: str | AnyGame,
    agents: Sequence[str | Agent],
    deals: int = 10_000,
    seed: int = 0,
    *,
    workers: int | None = None,
    unit: int = UNIT,
    every_order: bool = False,
    until: SequentialTest | float | None = None,
    compiled: bool | None = None,
    records: bool = False,
    report: Report | None = None,
    follow: Follow | None = None,
) -> MatchResult:
    """Play the same deals from every seating.

    Agents are named as on the command line, or given. With `until`, the match ends as soon as the test knows whether
    the first agent wins by so much a deal, or nothing; the deals are then the most that may be played. The result is
    the same for any engine and number of workers; `compiled=False` insists on the loop in Python. An agent's memory
    lasts for `unit` deals, which are played in a row by fresh agents. `report` hears how many deals are done, `follow`
    a way to ask for the standings so far. With `records`, every game is played in Python, and its record is kept in the
    store.

    >>> print(match("kuhn", ["equilibrium", "random"], deals=2000, seed=1))
    agent             mean          95 % interval     won  drawn   lost
    equilibrium    +0.1645     [+0.1426, +0.1864]     863    912    225
    random         -0.1645     [-0.1864, -0.1426]     225    912    863
    kuhn, 2,000 deals, each from 2 seatings, seed 1
    """
    party = invited(game, agents, compiled, workers)
    rules, players = party.game, party.players
    deals, unit = whole(deals, "deals", least=1), whole(unit, "deals in a unit", least=1)
    seed = whole(seed, "as a seed")
    if until is not None and not isinstance(until, SequentialTest):
        until = SequentialTest(until)
    if until is not None and len(players) != 2:
        raise InputError(f"a sequential test compares 2 agents, and {len(players)} were named")
    orders = seatings(rules.seats, len(players), every_order)
    step = unit if party.learns else 0
    play_deals = Deals(game, tuple(agents), seed, every_order, party.compiled and not records, records, party)
    series = party.series("match", play_deals, step, seed=seed, every_order=every_order, unit=step, records=records)
    by_deal, known = np.zeros((deals, len(players))), np.zeros(deals, bool)

    def result(rows: NDArray[np.float64], answer: str | None) -> MatchResult:
        return MatchResult(
            spec_of(rules),
            party.names,
            seed,
            rows,
            len(orders),
            unit,
            party.compiled,
            rules.seats == 1,
            party.learns,
            answer,
        )

    answer, looked, total, squares = "open" if until else None, 0, 0.0, 0.0
    for part in current().units(series, deals, party.workers):
        by_deal[part.first : part.end], known[part.first : part.end] = part.rows, True
        played = int(known.sum())
        if report:
            report(played, deals)
        if follow:
            follow(lambda: result(by_deal[known], None).ranking)
        while until and looked < deals and known[looked : looked + unit].all():
            rows = by_deal[looked : looked + unit]
            # Between two at a table one wins what the other loses; who plays alone is compared with the other.
            margin = rows[:, 0] - rows[:, 1] if rules.seats == 1 else rows[:, 0]
            looked, total, squares = looked + len(rows), total + float(margin.sum()), squares + float((margin**2).sum())
            answer = until.verdict(looked, total, squares) or "open"
            if answer != "open":
                return result(by_deal[:looked], answer)
    return result(by_deal, answer)


@dataclass(frozen=True)
class Deals:
    """The deals of a match, to be played anywhere: names travel, and are looked up where the deals are played."""

    game: str | AnyGame
    agents: tuple[str | Agent, ...]
    seed: int
    every_order: bool
    compiled: bool
    records: bool
    party: Party | None = None

    def __call__(self, first: int, count: int) -> Unit:
        party = self.party or invited(self.game, self.agents, self.compiled)
        orders = seatings(party.game.seats, len(party.players), self.every_order)
        seeds = Seeds.of(self.seed, len(party.players))
        kept: list[tuple[int, int, str]] | None = [] if self.records else None
        rows = play_unit(party.game, party.players, orders, seeds, first, count, self.compiled, kept)
        return Unit(first, rows, records=kept or ())

    def __reduce__(self) -> Any:
        return Deals, (self.game, self.agents, self.seed, self.every_order, self.compiled, self.records)
