"""A tournament: everybody against everybody, a cross table, and ratings with intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from fifthstreet.agents import Agent, agent_named
from fifthstreet.arena.match import Follow, MatchResult, Ranking, Report, match
from fifthstreet.arena.shown import Shown
from fifthstreet.arena.statistics import ratings
from fifthstreet.errors import InputError
from fifthstreet.estimate import Estimate, average, finite
from fifthstreet.games import game_named
from fifthstreet.naming import spec_of
from fifthstreet.rng import seeded


@dataclass(frozen=True)
class TournamentResult(Shown):
    """The matches between all pairs. `cell(i, j)` is what i won a deal against j."""

    game: str
    names: tuple[str, ...]
    deals: int
    seed: int
    matches: dict[tuple[int, int], MatchResult]

    def cell(self, i: int, j: int) -> Estimate:
        if i < j:
            return self.matches[i, j].standings[0].payoff
        return self.matches[j, i].standings[1].payoff

    def mean(self, i: int) -> Estimate:
        """What an agent won a deal, over all its opponents; every pair had deals of its own."""
        return average([self.cell(i, j) for j in range(len(self.names)) if j != i])

    def ratings(self) -> list[Estimate]:
        size = len(self.names)
        wins, draws = np.zeros((size, size)), np.zeros((size, size))
        for (i, j), result in self.matches.items():
            first = result.standings[0]
            wins[i, j], wins[j, i], draws[i, j], draws[j, i] = first.wins, first.losses, first.draws, first.draws
        return ratings(wins, draws)

    def order(self) -> list[int]:
        """The agents by mean payoff, the best first."""
        return sorted(range(len(self.names)), key=lambda i: -self.mean(i).value)

    def plotted(self) -> Ranking:
        return [(self.names[i], self.mean(i)) for i in self.order()]

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[str]], str]:
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
        caption = f"{self.game}, {self.deals:,} deals a pair, each from both seats, seed {self.seed}"
        return ("agent", *(self.names[i] for i in order), "mean", "rating"), rows, caption

    def to_dict(self) -> dict[str, Any]:
        rated = self.ratings()
        return {
            "game": self.game,
            "deals": self.deals,
            "seed": self.seed,
            "agents": [
                {
                    "name": self.names[i],
                    "mean": m.value,
                    "ci95": [finite(m.low), finite(m.high)],
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


def tournament(
    game: str,
    agents: Sequence[str | Agent],
    deals: int = 10_000,
    seed: int = 0,
    *,
    workers: int | None = None,
    report: Report | None = None,
    follow: Follow | None = None,
) -> TournamentResult:
    """Every agent against every other. Each pair has deals of its own, so that the results are independent."""
    rules = game_named(game, 2)
    if rules.seats != 2:
        raise InputError(f"a tournament is for two at a table, and {rules.name} has {rules.seats} seats")
    if len(agents) < 2:
        raise InputError(f"a tournament needs at least 2 agents, and {len(agents)} given")
    names = [spec if isinstance(spec, str) else spec_of(spec) for spec in agents]
    if len(set(names)) != len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"{twice!r} is named twice")
    for spec in agents:  # a wrong name is reported before anything is played
        if isinstance(spec, str):
            agent_named(spec, rules.name)
    pairs = list(combinations(range(len(agents)), 2))
    results: dict[tuple[int, int], MatchResult] = {}

    def so_far(latest: dict[str, Estimate]) -> Ranking:
        """What everyone won a deal on average over the opponents met, the present one included."""
        met: dict[str, list[Estimate]] = {}
        entries = [(s.name, s.payoff) for result in results.values() for s in result.standings]
        for name, payoff in [*entries, *latest.items()]:
            met.setdefault(name, []).append(payoff)
        return sorted(((name, average(parts)) for name, parts in met.items()), key=lambda entry: -entry[1].value)

    for number, (i, j) in enumerate(pairs):

        def tell(done: int, total: int, before: int = number * deals) -> None:
            if report:
                report(before + done, len(pairs) * deals)

        own_seed = int(seeded(seed, "pair", i, j)[0] >> np.uint64(1))

        def pass_on(latest: Callable[[], Ranking]) -> None:
            if follow:
                follow(lambda: so_far(dict(latest())))

        both = [agents[i], agents[j]]
        results[i, j] = match(game, both, deals, own_seed, workers=workers, report=tell, follow=follow and pass_on)
    return TournamentResult(game, tuple(names), deals, seed, results)
