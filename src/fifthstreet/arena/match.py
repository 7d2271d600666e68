"""A match: the same deals from every seating, so that the luck of the cards cancels; intervals are over deals."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import Agent
from fifthstreet.arena.cuts import setting_up
from fifthstreet.arena.laboratory import current
from fifthstreet.arena.limits import Limit
from fifthstreet.arena.party import MOST_PAYOFFS, Party, invited, limits_in_words
from fifthstreet.arena.payoff_unit import PayoffUnit
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.statistics import SequentialTest, score
from fifthstreet.arena.store import Unit
from fifthstreet.arena.units import play_unit, seatings
from fifthstreet.arena.variance import Reduction, reduction
from fifthstreet.errors import InputError, whole
from fifthstreet.estimate import Estimate, finite, mean
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import spec_of
from fifthstreet.shown import Shown, TableOfText, aligned

Report = Callable[[int, int], None]
"""Is called with the number of deals done and the number of deals in all."""
Ranking = list[tuple[str, Estimate]]
"""Names with mean payoffs, best first."""
Follow = Callable[[Callable[[], Ranking]], None]
"""Is called with a function that returns the ranking so far; the ranking is only computed if that is called."""

UNIT = 1_000


@dataclass(frozen=True)
class Standing:
    """One agent's result: its mean payoff per deal, and in how many deals it did best, tied for best, or neither."""

    name: str
    payoff: Estimate
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> Estimate:
        """The share of deals won, a draw counting half."""
        return score(self.wins, self.draws, self.losses)


@dataclass(frozen=True)
class MatchResult(Shown):
    """The result of a match."""

    game: str
    names: tuple[str, ...]
    seed: int
    by_deal: NDArray[np.float64]  # (deals, agents): mean payoff over the seatings of a deal
    seatings: int
    unit: int  # deals for which an agent keeps its memory
    compiled: bool
    payoff_unit: PayoffUnit
    alone: bool = False  # a one-player game: each agent played every deal by itself
    learning: bool = False  # an agent learns from deal to deal, so the interval is over units
    answer: str | None = None  # of the sequential test, if there was one
    reduced: bool = False  # payoffs are without the luck of the cards, so no deal can be called won or lost
    efforts: tuple[str, ...] = ()  # for each agent, what its time limit amounts to on this computer, or ""

    @property
    def deals(self) -> int:
        return len(self.by_deal)

    @property
    def standings(self) -> list[Standing]:
        """The result of each agent, in the order in which they were named."""
        best = self.by_deal.max(axis=1, keepdims=True)
        at_top = np.isclose(self.by_deal, best, rtol=0, atol=1e-9)
        single = at_top.sum(axis=1) == 1
        found = []
        for i, name in enumerate(self.names):
            wins = int((at_top[:, i] & single).sum())
            draws = int((at_top[:, i] & ~single).sum())
            found.append(Standing(name, self._payoff(self.by_deal[:, i]), wins, draws, self.deals - wins - draws))
        return found

    @property
    def ranking(self) -> Ranking:
        """The mean payoff of every agent, best first."""
        return sorted(((s.name, s.payoff) for s in self.standings), key=lambda entry: -entry[1].value)

    def difference(self, first: int = 0, second: int = 1) -> Estimate:
        """How much more agent number `first` won per deal than agent number `second`."""
        return self._payoff(self.by_deal[:, first] - self.by_deal[:, second], most=2)

    def _payoff(self, values: NDArray[np.float64], most: float = 1) -> Estimate:
        """The mean of one value per deal. Where an agent learns, deals depend on each other, so units are counted.

        Where games are counted, no value is above `most` or below −`most`; payoffs without luck can be any numbers.
        """

        def estimate(values: NDArray[np.float64]) -> Estimate:
            return mean(values) if self.reduced else self.payoff_unit.mean(values, most)

        if not self.learning:
            return estimate(values)
        whole_units = len(values) // self.unit
        by_unit = values[: whole_units * self.unit].reshape(-1, self.unit).mean(axis=1)
        value = float(values.mean())
        half = estimate(by_unit).half_width if whole_units else math.inf
        return Estimate(value, value - half, value + half, whole_units)

    def plotted(self) -> Ranking:
        return self.ranking

    def measured_in(self) -> str:
        return str(self.payoff_unit)

    def table(self) -> TableOfText:
        """Mean payoffs; bb/100 in games with blinds; deals won, drawn and lost unless each agent played alone."""
        sign = "" if self.alone else "+"
        standings = self.standings
        blinds = [self.payoff_unit.bb_per_100(s.payoff) for s in standings]
        columns = ["agent", str(self.payoff_unit), "95 % interval"]
        rows = [
            [s.name, f"{s.payoff.value:{sign}.4f}", f"[{s.payoff.low:{sign}.4f}, {s.payoff.high:{sign}.4f}]"]
            for s in standings
        ]
        if blinds[0] is not None:
            columns.append("bb/100")
            rows = [
                [*row, f"{bb.value:+.1f} ± {bb.half_width:.1f}"] for row, bb in zip(rows, blinds, strict=True) if bb
            ]
        if not self.alone and not self.reduced:
            columns += ["won", "drawn", "lost"]
            rows = [[*row, *map(str, (s.wins, s.draws, s.losses))] for row, s in zip(rows, standings, strict=True)]
        times = f", each from {self.seatings} seatings" if self.seatings > 1 and not self.alone else ""
        luck = ", the luck of the cards taken out" if self.reduced else ""
        luck += limits_in_words(self.names, self.efforts)
        return columns, rows, f"{self.game}, {self.deals:,} deals{times}, seed {self.seed}{luck}"

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "game": self.game,
            "deals": self.deals,
            "seed": self.seed,
            "seatings": self.seatings,
            "unit": self.unit,
            "payoff_unit": str(self.payoff_unit),
            "reduce_variance": self.reduced,
            "agents": [self._to_dict(standing) for standing in self.standings],
        }
        for agent, had in zip(found["agents"], self.efforts, strict=False):
            agent |= {"time_limit": had} if had else {}
        if self.answer is not None:
            found["answer"] = self.answer
        return found

    def _to_dict(self, standing: Standing) -> dict[str, Any]:
        payoff = standing.payoff
        found = {"name": standing.name, "mean": payoff.value, "ci95": [finite(payoff.low), finite(payoff.high)]}
        found |= self.payoff_unit.in_json(payoff)
        if not self.alone and not self.reduced:
            found |= {"wins": standing.wins, "draws": standing.draws, "losses": standing.losses}
            found["score"] = standing.score.to_dict()
        return found

    def __str__(self) -> str:
        columns, rows, caption = self.table()
        lines = aligned(columns, rows)
        if self.answer is not None:
            lines.append(f"is {self.names[0]} better than {self.names[1]}? {self.answer}")
        return "\n".join([*lines, caption])


@dataclass
class Match:
    """A match while it is played: iterate over `rounds()` to play it, and ask for `result()` at any time.

    party        the game and its agents
    deals        the number of deals; with `until`, the most that are played
    unit         the number of deals for which an agent keeps its memory
    every_order  whether agents sit in every order, not only each of them in every seat
    until        a test of whether the first agent is better, which ends the match as soon as it knows
    records      whether the store also keeps the record of every game
    reduction    how the luck of the cards is taken out of the payoffs
    """

    party: Party
    deals: int
    seed: int
    unit: int = UNIT
    every_order: bool = False
    until: SequentialTest | None = None
    records: bool = False
    reduction: Reduction | None = None
    answer: str | None = field(init=False)
    _by_deal: NDArray[np.float64] = field(init=False, repr=False)
    _known: NDArray[np.bool_] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        players = len(self.party.players)
        self.deals = whole(self.deals, "deals", least=1, most=MOST_PAYOFFS // players)
        self.unit = whole(self.unit, "deals in a unit", least=1)
        self.seed = whole(self.seed, "as a seed")
        if self.until is not None and players != 2:
            raise InputError(f"a sequential test compares 2 agents, and {players} were named")
        self._seatings = len(seatings(self.party.game.seats, players, self.every_order))
        self._by_deal, self._known = np.zeros((self.deals, players)), np.zeros(self.deals, bool)
        self.answer = "open" if self.until else None
        self._tested, self._sum, self._squares = 0, 0.0, 0.0  # what the test has seen: deals, and their margins

    def rounds(self) -> Iterator[Unit]:
        """Play the match in the current laboratory; yields after every round of deals, with their payoffs."""
        party, step = self.party, self.unit if self.party.learns else 0
        play = Deals(
            party.given_game,
            party.given,
            self.seed,
            self.every_order,
            party.compiled and not self.records,
            self.records,
            self.reduction and self.reduction.lessons,
            party,
            self.reduction,
            party.limit,
        )
        settings = {"seed": self.seed, "every_order": self.every_order, "unit": step, "records": self.records}
        settings["reduce_variance"] = self.reduction.lessons if self.reduction else False
        for part in current().units(party.series("match", play, step, **settings), self.deals, party.workers):
            self._by_deal[part.first : part.end], self._known[part.first : part.end] = part.rows, True
            self._test()
            yield part
            if self.answer in ("yes", "no"):
                return

    @property
    def played(self) -> int:
        """The number of deals played so far."""
        return int(self._known.sum())

    def result(self) -> MatchResult:
        """The result of the deals played so far."""
        party, rules = self.party, self.party.game
        alone = rules.seats == 1
        rows = self._by_deal[: self._tested] if self.answer in ("yes", "no") else self._by_deal[self._known]
        return MatchResult(
            spec_of(rules),
            party.names,
            self.seed,
            rows,
            self._seatings,
            self.unit,
            party.compiled,
            PayoffUnit.of(rules, "game" if alone else "deal"),
            alone,
            party.learns,
            self.answer,
            self.reduction is not None,
            party.efforts,
        )

    def _test(self) -> None:
        """Apply the sequential test to whole units in their order, so that it ends at the same deal for any engine."""
        while self.until and self.answer == "open" and self._tested < self.deals:
            rows = self._by_deal[self._tested : self._tested + self.unit]
            if not self._known[self._tested : self._tested + self.unit].all():
                return
            # At a table for two one wins what the other loses; scores of a one-player game are compared.
            margin = rows[:, 0] - rows[:, 1] if self.party.game.seats == 1 else rows[:, 0]
            self._tested += len(rows)
            self._sum, self._squares = self._sum + float(margin.sum()), self._squares + float((margin**2).sum())
            self.answer = self.until.verdict(self._tested, self._sum, self._squares) or "open"


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
    reduce_variance: bool = False,
    value_lessons: int | None = None,
    time_limit: float | None = None,
    report: Report | None = None,
    follow: Follow | None = None,
) -> MatchResult:
    """Play the same deals from every seating. The result is the same for any engine and number of workers.

    game, agents  names as on the command line, or objects
    deals         the number of deals; with `until`, the most that are played
    workers       threads to use; None is all cores
    unit          the number of deals for which an agent keeps its memory; every unit is played by fresh agents
    every_order   play every order of the agents around the table, not only every seat
    until         stop as soon as it is known whether the first agent wins this much per deal, or nothing
    compiled      False plays in Python, True refuses agents that are not compiled; None compiles where it can
    records       play in Python, and keep the record of every game in the store
    reduce_variance  take the luck of the cards out of the payoffs, in games with a value function (`arena.variance`)
    value_lessons    games that the value function learns from; None is the usual number
    time_limit    seconds of processor time for each decision, where agents are played in Python
    report        called with the numbers of deals done and in all
    follow        called with a function that returns the ranking so far

    >>> print(match("kuhn", ["equilibrium", "random"], deals=2000, seed=1))
    agent        chips per deal       95 % interval  won  drawn  lost
    equilibrium         +0.1645  [+0.1426, +0.1864]  863    912   225
    random              -0.1645  [-0.1864, -0.1426]  225    912   863
    kuhn, 2,000 deals, each from 2 seatings, seed 1
    """
    if until is not None and not isinstance(until, SequentialTest):
        until = SequentialTest(until)
    party = invited(game, agents, compiled, workers, time_limit)
    without_luck = reduction(party.game, value_lessons) if reduce_variance else None
    playing = Match(party, deals, seed, unit, every_order, until, records, without_luck)
    for _ in playing.rounds():
        if report:
            report(playing.played, playing.deals)
        if follow:
            follow(lambda: playing.result().ranking)
    return playing.result()


@dataclass(frozen=True)
class Deals:
    """The deals of a match, for any worker: what is sent to another process are names, which are looked up there."""

    game: str | AnyGame
    agents: tuple[str | Agent, ...]
    seed: int
    every_order: bool
    compiled: bool
    records: bool
    value_lessons: int | None = None  # None if luck stays in the payoffs
    party: Party | None = None
    reduction: Reduction | None = None
    limit: Limit | None = None

    def __call__(self, first: int, count: int) -> Unit:
        """Play `count` deals from deal number `first` on."""
        with setting_up():
            party = self.party or invited(self.game, self.agents, self.compiled)
        orders = seatings(party.game.seats, len(party.players), self.every_order)
        seeds = Seeds.of(self.seed, len(party.players))
        kept: list[tuple[int, int, str]] | None = [] if self.records else None
        luck = self.reduction
        if luck is None and self.value_lessons is not None:
            luck = reduction(party.game, self.value_lessons)
        rows = play_unit(party.game, party.players, orders, seeds, first, count, self.compiled, kept, luck, self.limit)
        return Unit(first, rows, records=kept or ())

    def __reduce__(self) -> tuple[type["Deals"], tuple[object, ...]]:
        sent = self.game, self.agents, self.seed, self.every_order, self.compiled, self.records, self.value_lessons
        return Deals, (*sent, None, None, self.limit)
