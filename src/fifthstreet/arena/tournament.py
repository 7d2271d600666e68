"""A tournament: every agent plays every other. A table of who won how much from whom, and ratings with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from fifthstreet.agents import Agent
from fifthstreet.arena.match import UNIT, Follow, Match, MatchResult, Ranking, Report
from fifthstreet.arena.party import MOST_PAYOFFS, agents_given, game_given, invited, limits_in_words
from fifthstreet.arena.payoff_unit import PayoffUnit
from fifthstreet.arena.statistics import ratings
from fifthstreet.errors import InputError, whole
from fifthstreet.estimate import Estimate, average, finite
from fifthstreet.games.game import AnyGame
from fifthstreet.naming import spec_of
from fifthstreet.rng import seeded
from fifthstreet.shown import Shown, TableOfText

Pair = tuple[int, int]
"""The numbers of two agents, the lower first."""


@dataclass(frozen=True)
class TournamentResult(Shown):
    """The results of the matches between all pairs of agents."""

    game: str
    names: tuple[str, ...]
    deals: int  # of each pair
    seed: int
    matches: dict[Pair, MatchResult]

    @property
    def payoff_unit(self) -> PayoffUnit:
        return next(iter(self.matches.values())).payoff_unit

    def cell(self, i: int, j: int) -> Estimate:
        """What agent i won per deal against agent j."""
        if i < j:
            return self.matches[i, j].standings[0].payoff
        return self.matches[j, i].standings[1].payoff

    def mean(self, i: int) -> Estimate:
        """What agent i won per deal, averaged over its opponents, whose matches are independent."""
        return average([self.cell(i, j) for j in range(len(self.names)) if j != i])

    def ratings(self) -> list[Estimate]:
        """The Elo rating of each agent; the mean of all ratings is 0."""
        size = len(self.names)
        wins, draws = np.zeros((size, size)), np.zeros((size, size))
        for (i, j), result in self.matches.items():
            first = result.standings[0]
            wins[i, j], wins[j, i], draws[i, j], draws[j, i] = first.wins, first.losses, first.draws, first.draws
        return ratings(wins, draws)

    def order(self) -> list[int]:
        """The numbers of the agents by mean payoff, best first."""
        return sorted(range(len(self.names)), key=lambda i: -self.mean(i).value)

    def plotted(self) -> Ranking:
        return [(self.names[i], self.mean(i)) for i in self.order()]

    def measured_in(self) -> str:
        return str(self.payoff_unit)

    def table(self) -> TableOfText:
        order, rated = self.order(), self.ratings()
        rows = [
            [
                self.names[i],
                *("–" if i == j else f"{self.cell(i, j).value:+.4f}" for j in order),
                str(self.mean(i)),
                str(rated[i]),
            ]
            for i in order
        ]
        times = f"{self.deals:,} deals per pair, each from both seats"
        caption = f"{self.game}, {self.payoff_unit}, {times}, seed {self.seed}"
        limits: dict[str, str] = {}
        for each in self.matches.values():
            limits |= zip(each.names, each.efforts, strict=False)
        caption += limits_in_words([*limits], [*limits.values()])
        return ("agent", *(self.names[i] for i in order), "mean", "rating"), rows, caption

    def to_dict(self) -> dict[str, Any]:
        rated = self.ratings()
        return {
            "game": self.game,
            "deals": self.deals,
            "seed": self.seed,
            "payoff_unit": str(self.payoff_unit),
            "agents": [
                {
                    "name": self.names[i],
                    "mean": m.value,
                    "ci95": [finite(m.low), finite(m.high)],
                    **self.payoff_unit.in_json(m),
                    "rating": rated[i].to_dict(),
                }
                for i in self.order()
                for m in [self.mean(i)]
            ],
            "matches": [result.to_dict() for result in self.matches.values()],
        }

    def __str__(self) -> str:
        order, rated = self.order(), self.ratings()
        width = max(len(name) for name in self.names)
        head = "  ".join(f"{k + 1:>8}" for k in range(len(order)))
        lines = [f"{'':<{width}}     {head}  {'mean':>8} {'±':>7}  {'rating':>6} {'±':>4}"]
        for k, i in enumerate(order):
            cells = "  ".join(f"{'–':>8}" if i == j else f"{self.cell(i, j).value:>+8.4f}" for j in order)
            m, r = self.mean(i), rated[i]
            lines.append(
                f"{self.names[i]:<{width}} {k + 1:>2}  {cells}  {m.value:>+8.4f} {(m.high - m.low) / 2:>7.4f}"
                f"  {r.value:>+6.0f} {(r.high - r.low) / 2:>4.0f}"
            )
        lines.append(self.table()[2])
        return "\n".join(lines)


@dataclass(frozen=True)
class Tournament:
    """A tournament while it is played: play the matches, in any order, and ask for `result()` at any time."""

    game: str
    names: tuple[str, ...]
    deals: int
    seed: int
    matches: dict[Pair, Match]

    @classmethod
    def between(
        cls,
        game: str | AnyGame,
        agents: Sequence[str | Agent],
        deals: int,
        seed: int,
        workers: int | None = None,
        unit: int = UNIT,
        time_limit: float | None = None,
    ) -> "Tournament":
        """Set up a match for every pair of agents. Each has its own deals, so that the results are independent.

        The parameters are those of `match`; `deals` is the number of deals of each pair.
        """
        specs, rules = agents_given(agents), game_given(game, 2)
        if rules.seats != 2:
            raise InputError(f"a tournament is for games with 2 seats, and {rules.name} has {rules.seats}")
        if len(specs) < 2:
            raise InputError(f"a tournament needs at least 2 agents, and {len(specs)} given")
        names = [spec if isinstance(spec, str) else spec_of(spec) for spec in specs]
        if len(set(names)) != len(names):
            twice = next(name for i, name in enumerate(names) if name in names[:i])
            raise InputError(f"{twice!r} is named twice")
        pairs = list(combinations(range(len(specs)), 2))
        seed = whole(seed, "as a seed")
        deals = whole(deals, "deals", least=1, most=MOST_PAYOFFS // (2 * len(pairs)))
        seeds = {(i, j): int(seeded(seed, "pair", i, j)[0] >> np.uint64(1)) for i, j in pairs}
        matches = {
            (i, j): Match(invited(game, [specs[i], specs[j]], None, workers, time_limit), deals, seeds[i, j], unit)
            for i, j in pairs
        }
        return cls(spec_of(rules), tuple(names), deals, seed, matches)

    @property
    def played(self) -> int:
        """The number of deals that all pairs have played so far."""
        return sum(match.played for match in self.matches.values())

    def result(self) -> TournamentResult:
        """The result so far; every pair must have played a deal."""
        results = {pair: match.result() for pair, match in self.matches.items()}
        return TournamentResult(self.game, self.names, self.deals, self.seed, results)

    def ranking(self) -> Ranking:
        """Mean payoffs over the opponents met so far, best first."""
        met: dict[str, list[Estimate]] = {}
        for (i, j), match in self.matches.items():
            if match.played:
                first, second = match.result().standings
                met.setdefault(self.names[i], []).append(first.payoff)
                met.setdefault(self.names[j], []).append(second.payoff)
        return sorted(((name, average(parts)) for name, parts in met.items()), key=lambda entry: -entry[1].value)


def tournament(
    game: str | AnyGame,
    agents: Sequence[str | Agent],
    deals: int = 10_000,
    seed: int = 0,
    *,
    workers: int | None = None,
    time_limit: float | None = None,
    report: Report | None = None,
    follow: Follow | None = None,
) -> TournamentResult:
    """Let every agent play every other. Each pair has its own deals, so that the results are independent.

    game, agents  names as on the command line, or objects; all agents have different names
    deals         the number of deals of each pair
    workers       threads to use; None is all cores
    time_limit    seconds of processor time for each decision, where agents are played in Python
    report        called with the numbers of deals done and in all
    follow        called with a function that returns the ranking so far
    """
    playing = Tournament.between(game, agents, deals, seed, workers, time_limit=time_limit)
    before, total = 0, len(playing.matches) * playing.deals
    for match in playing.matches.values():  # one after the other, so that few units wait to be kept
        for _ in match.rounds():
            if report:
                report(before + match.played, total)
            if follow:
                follow(playing.ranking)
        before += match.played
    return playing.result()
