"""Hand abstraction values for Parameterized Poker Squares, by Neller, Messinger and Yang.

The paper shows its results as bars without numbers, so the claims come from its text. Every point system has its own
deals, the same for all players, so that players are compared deal by deal and systems are independent.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.arena.contest import contest
from fifthstreet.estimate import Z95, Estimate, average, mean
from fifthstreet.games.point_systems import CATEGORIES
from fifthstreet.papers import poker_squares_beyond
from fifthstreet.papers.paper import Axes, Between, Claim, Figure, FigureResult, Paper, Run, Table, TableResult
from fifthstreet.rng import seeded

EVALUATIONS = {"ε₀ = 0.1": "narl-0.1", "ε₀ = 0.5": "narl", "ε₀ = 0.5, sizes": "narl-sizes"}
SEARCHES = {
    "greedy Monte Carlo": "greedy-monte-carlo",
    "UCB1": "ucb",
    "expectimax": "expectimax",
    "chance-sampled": "chance-sampled",
    "action-sampled": "action-sampled",
}
CURVES = ((8, 5), (8, 10), (13, 5), (13, 10), (18, 5), (18, 10))  # b and c of Gaussian time management
BEST = "expectimax, ε₀ = 0.5"
SECONDS, USED = 30.0, 2.8  # time per game in the contest, and how much of it the paper's expectimax used

Systems = dict[str, tuple[str, ...]]
"""The columns of a figure: one point system each, or several of a kind."""


@dataclass(frozen=True)
class Size:
    """How much is played at a scale."""

    lessons: int
    drawn: int  # systems of each kind in Figure 1
    greedy: int  # games per system in Figure 1
    managed: int  # in Figure 2
    searched: int  # in Figure 3
    parts: int  # in Figure 4
    plies: int  # simulated placements per game

    def agent(self, search: str, evaluation: str, more: str = "") -> str:
        given = f"{search}:evaluation={evaluation}"
        given += f",lessons={self.lessons}" if evaluation != "score" else ""
        return given + (f",plies={self.plies}{more}" if search in ("greedy-monte-carlo", "ucb") else "")


def _size(run: Run) -> Size:
    if run.scale == "paper":
        return Size(300_000, 20, 2_000, 150, 100, 150, 100_000)
    return Size(4_000, 2, 100, 16, 10, 16, 5_000)


def drawn(kind: str, number: int) -> str:
    """Return a random point system. Java's random numbers start alike for close seeds, so these seeds are far apart."""
    return f"{kind}:{int(seeded(number, kind)[0] >> np.uint64(32))}"


def _systems(number: int = 1) -> Systems:
    """Return all columns, with this many systems of each random kind."""
    found: Systems = {"American": ("american",), "English": ("english",)}
    for kind in ("ameritish", "random", "hypercorner"):
        found[kind.capitalize()] = tuple(drawn(kind, i) for i in range(number))
    return found | {CATEGORIES[i]: (f"single:{i}",) for i in range(1, 10)}


def _one_of_each(run: Run) -> Systems:
    """Return all columns, with the paper's seed for the Ameritish one."""
    found = _systems() | {"Ameritish": ("ameritish:21347",)}
    few = ("American", "three of a kind", "flush", "Hypercorner")
    return found if run.scale == "paper" else {name: found[name] for name in few}


def _eight(run: Run) -> Systems:
    """Return eight systems. The paper names its eight only in a figure; these are the first five and three hands."""
    every = _systems() | {"Ameritish": ("ameritish:21347",)}
    names = ["American", "three of a kind", "Hypercorner"]
    if run.scale == "paper":
        names = [*list(every)[:5], "three of a kind", "flush", "full house"]
    return {name: every[name] for name in names}


@dataclass(frozen=True)
class Played:
    """Scaled scores by column and player: per deal, or per system if a column has several."""

    scaled: dict[str, dict[str, NDArray[np.float64]]]
    seconds: dict[str, NDArray[np.float64]]  # per game, by player
    systems: Systems
    games: int  # per system

    @property
    def players(self) -> list[str]:
        return list(self.seconds)

    def lead(self, column: str, first: str, second: str) -> Estimate:
        return mean(self.scaled[column][first] - self.scaled[column][second])

    def total(self, player: str) -> float:
        return float(sum(scores[player].mean() for scores in self.scaled.values()))

    def ahead(self, first: str, second: str) -> Estimate:
        """Return the first's total over all columns minus the second's."""
        found, count = average([self.lead(column, first, second) for column in self.scaled]), len(self.scaled)
        return Estimate(count * found.value, count * found.low, count * found.high, found.count)

    def ahead_of_all(self, player: str) -> Estimate:
        """Return the smallest lead of its total over any other player's."""
        leads = together([self.ahead(player, other) for other in self.players if other != player])
        value, low, high = (min(getattr(lead, part) for lead in leads) for part in ("value", "low", "high"))
        return Estimate(value, low, high, leads[0].count)

    def doubt(self, column: str, player: str) -> float:
        """Return half the width of the interval of the distance from the best player."""
        scores = self.scaled[column]
        best = max(scores, key=lambda name: float(scores[name].mean()))
        return 0.0 if player == best else self.lead(column, best, player).half_width

    def total_doubt(self, player: str) -> float:
        best = max(self.players, key=self.total)
        return 0.0 if player == best else self.ahead(best, player).half_width

    def cell(self, column: str, player: str) -> str:
        return _cell(float(self.scaled[column][player].mean()), self.doubt(column, player))

    def total_cell(self, player: str) -> str:
        return _cell(self.total(player), self.total_doubt(player))


def _cell(value: float, doubt: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}" + (f" ± {doubt:.2f}" if doubt else "")  # + 0.0 turns -0.0 into 0.0


def _play(run: Run, systems: Systems, players: dict[str, str], games: int) -> Played:
    scaled: dict[str, dict[str, NDArray[np.float64]]] = {}
    seconds: dict[str, list[NDArray[np.float64]]] = {name: [] for name in players}
    done, count = 0, sum(map(len, systems.values()))
    for column, several in systems.items():
        parts: dict[str, list[NDArray[np.float64]]] = {name: [] for name in players}
        for system in several:
            seed = int(seeded(run.seed, system)[0] >> np.uint64(16))
            found = contest([system], list(players.values()), games, seed)
            for name, agent in players.items():
                parts[name].append(found.scaled(system, agent))
                seconds[name].append(found.entries[system, agent].seconds)
            done += 1
            if run.report:
                run.report(done, count)
        one = len(several) == 1
        scaled[column] = {
            name: scores[0] if one else np.array([score.mean() for score in scores]) for name, scores in parts.items()
        }
    return Played(scaled, {name: np.concatenate(every) for name, every in seconds.items()}, systems, games)


def together(leads: list[Estimate]) -> list[Estimate]:
    """Widen the intervals so that all hold at once with 95 % (Bonferroni), which allows picking out one of them."""
    wider = NormalDist().inv_cdf(1 - 0.025 / len(leads)) / Z95
    return [
        Estimate(lead.value, lead.value - wider * lead.half_width, lead.value + wider * lead.half_width, lead.count)
        for lead in leads
    ]


def exceptions(columns: Iterable[list[Estimate]]) -> Estimate:
    """Return in how many columns some lead is negative: the count, and its bounds over the joint intervals.

    >>> exceptions([[Estimate(2, 1, 3, 9)], [Estimate(1, -1, 3, 9)], [Estimate(-2, -3, -1, 9)]])
    Estimate(value=1, low=1, high=2, count=3)
    """
    every = list(columns)
    wide = iter(together([lead for leads in every for lead in leads]))
    found = [[next(wide) for _ in leads] for leads in every]
    value = sum(any(lead.value < 0 for lead in leads) for leads in found)
    low = sum(any(lead.high < 0 for lead in leads) for leads in found)
    high = sum(any(lead.low <= 0 for lead in leads) for leads in found)
    return Estimate(value, low, high, len(found))


def _not_best(played: Played, player: str, columns: Iterable[str] | None = None) -> Estimate:
    """Return in how many columns another player is better."""
    others = [other for other in played.players if other != player]
    chosen = played.scaled if columns is None else columns
    return exceptions([played.lead(column, player, other) for other in others] for column in chosen)


_HOW = (
    "Tournament points: in each system 0 for the lowest mean score, 1 for the highest. ± is the 95 % interval of the "
    "distance from the best player in the row, over deals"
)


def _figure(played: Played, note: str) -> FigureResult:
    """Return a figure with a bar for every player in every column, and the numbers."""
    players, columns = played.players, list(played.scaled)

    def draw(axes: Axes) -> None:
        places, width = np.arange(len(columns)), 0.85 / len(players)
        for number, player in enumerate(players):
            heights = [played.scaled[column][player].mean() for column in columns]
            halves = [played.doubt(column, player) for column in columns]
            shifted = places + (number - (len(players) - 1) / 2) * width
            axes.bar(shifted, heights, width, yerr=halves, error_kw={"elinewidth": 0.6}, label=player)
        axes.set_ylim(-0.05, 1.3)
        axes.set_xticks(places, columns, rotation=40, ha="right")
        axes.set_ylabel("tournament points")
        axes.legend(fontsize="small", ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))

    rows = [
        (
            column,
            *(played.cell(column, player) for player in players),
            f"{len(played.systems[column])}",
            f"{played.games * len(played.systems[column]):,}",
        )
        for column in columns
    ]
    count = sum(map(len, played.systems.values()))
    rows.append(("total", *map(played.total_cell, players), f"{count}", f"{played.games * count:,}"))
    best = max(players, key=played.total)
    return FigureResult(
        draw,
        f"Bars of tournament points for {len(players)} players in {len(columns)} columns. {best} has the best total.",
        TableResult(("points for", *players, "systems", "games per player"), tuple(rows)),
        note,
    )


# Figure 1: greedy play with learned evaluations.


def _greedy(run: Run) -> Played:
    size = _size(run)
    players = {name: size.agent("narl", found) for name, found in EVALUATIONS.items()}
    return _play(run, _systems(size.drawn), players, size.greedy)


def _figure_1(run: Run) -> FigureResult:
    size = _size(run)
    return _figure(
        run.once(_greedy),
        f"{_HOW}, or over systems if there are several. Learned from {size.lessons:,} games; {size.drawn} systems of "
        "each random kind (the paper has 500). Everything was learned once, so the intervals over deals do not include "
        "the variation between runs of learning. If all players are nearly equal, the scaling magnifies chance.",
    )


def _half_not_best(run: Run) -> Estimate:
    return _not_best(run.once(_greedy), "ε₀ = 0.5")


def _sizes_best(run: Run) -> Estimate:
    played = run.once(_greedy)
    beaten, count = _not_best(played, "ε₀ = 0.5, sizes"), len(played.scaled)
    return Estimate(count - beaten.value, count - beaten.high, count - beaten.low, count)


def _little_better(run: Run) -> Estimate:
    """Return a count of columns, since the sum of points means little if all players are nearly equal in a column."""
    played = run.once(_greedy)
    return exceptions([played.lead(column, "ε₀ = 0.5", "ε₀ = 0.1")] for column in played.scaled)


# Figure 2: time management.


def _curve(b: int, c: int) -> str:
    return f"b = {b}, c = {c}"


def _managed(run: Run) -> Played:
    """Return the games of the paper's "simple player", which simulates "greedy score-maximizing play".

    The paper combines searches and learned evaluations only later, so here both the simulated placements and the grid
    at depth 5 are evaluated by the score so far.
    """
    size = _size(run)
    players = {"uniform": size.agent("greedy-monte-carlo", "score")}
    for b, c in CURVES:
        players[_curve(b, c)] = size.agent("greedy-monte-carlo", "score", f",management=gaussian,b={b},c={c}")
    return _play(run, _one_of_each(run), players, size.managed)


def _placements(run: Run) -> str:
    return f"Simulating players make {_size(run).plies:,} placements per game, by count instead of time."


def _figure_2(run: Run) -> FigureResult:
    return _figure(run.once(_managed), f"{_HOW}. {_placements(run)}")


def _uniform_best(run: Run) -> Estimate:
    return run.once(_managed).ahead_of_all("uniform")


def _uniform_beaten(run: Run) -> Estimate:
    played = run.once(_managed)
    others = [column for column in played.scaled if column not in ("three of a kind", "flush")]
    return _not_best(played, "uniform", others)


def _early_for_threes(run: Run) -> Estimate:
    return run.once(_managed).lead("three of a kind", _curve(8, 10), "uniform")


def _curves_for_flushes(run: Run) -> Estimate:
    played = run.once(_managed)
    return exceptions([played.lead("flush", "uniform", _curve(b, c))] for b, c in CURVES)


# Figure 3: searches and evaluations.


def _searched(run: Run) -> Played:
    size = _size(run)
    players = {
        f"{search}, {name}": size.agent(agent, found)
        for search, agent in SEARCHES.items()
        for name, found in EVALUATIONS.items()
    }
    return _play(run, _eight(run), players, size.searched)


def _figure_3(run: Run) -> FigureResult:
    played = run.once(_searched)
    best = max(played.players, key=played.total)

    def draw(axes: Axes) -> None:
        places = np.arange(len(SEARCHES))
        for number, name in enumerate(EVALUATIONS):
            players = [f"{search}, {name}" for search in SEARCHES]
            halves = [played.total_doubt(player) for player in players]
            totals = [played.total(player) for player in players]
            axes.bar(places + (number - 1) * 0.28, totals, 0.28, yerr=halves, capsize=3, label=name)
        axes.set_xticks(places, list(SEARCHES))
        axes.set_ylabel("tournament points")
        axes.legend()

    columns = list(played.scaled)
    rows = tuple(
        (player, *(played.cell(column, player) for column in columns), played.total_cell(player))
        for player in sorted(played.players, key=played.total, reverse=True)
    )
    return FigureResult(
        draw,
        f"Bars of total tournament points for five searches with three evaluations each. {best} has the most.",
        TableResult(("player", *columns, "total"), rows),
        f"Tournament points: in each system 0 for the lowest mean score, 1 for the highest. ± is the 95 % interval of "
        f"the distance from the best player in the column, over {played.games:,} deals per system. Systems: "
        f"{', '.join(system for several in played.systems.values() for system in several)}. {_placements(run)}",
    )


def _expectimax_best(run: Run) -> Estimate:
    return run.once(_searched).ahead_of_all(BEST)


def _time(run: Run) -> TableResult:
    played = run.once(_searched)
    rows = []
    for search in SEARCHES:
        spent = mean(played.seconds[f"{search}, ε₀ = 0.5"])
        share, longest = spent.value / SECONDS, played.seconds[f"{search}, ε₀ = 0.5"].max()
        ratio = f"{USED / spent.value:,.0f}" if search == "expectimax" else ""
        took = f"{1000 * spent.value:.2f} ± {1000 * spent.half_width:.2f} ms"
        rows.append((search, took, f"{1000 * longest:.1f} ms", f"{100 * share:.3f} %", ratio, f"{spent.count:,}"))
    return TableResult(
        ("search", "per game", "longest", "of 30 s", "speedup over 2.8 s", "games"),
        tuple(rows),
        note="Processor time of all decisions in a game, with the evaluation learned with ε₀ = 0.5. Simulating players "
        "use whatever they are given.",
    )


def _time_used(run: Run) -> Estimate:
    return mean(run.once(_searched).seconds[BEST] / SECONDS)


# Figure 4: the importance of each component.

WITHOUT_LEARNING, WITHOUT_SEARCH = "expectimax, score", "greedy Monte Carlo, ε₀ = 0.5"


def _parts(run: Run) -> Played:
    size = _size(run)
    players = {
        BEST: size.agent("expectimax", "narl"),
        WITHOUT_LEARNING: size.agent("expectimax", "score"),
        WITHOUT_SEARCH: size.agent("greedy-monte-carlo", "narl"),
    }
    return _play(run, _one_of_each(run), players, size.parts)


def _figure_4(run: Run) -> FigureResult:
    return _figure(run.once(_parts), f"{_HOW}. {_placements(run)}")


def _learning_matters_more(run: Run) -> Estimate:
    return run.once(_parts).ahead(WITHOUT_SEARCH, WITHOUT_LEARNING)


def _score_not_worst(run: Run) -> Estimate:
    played = run.once(_parts)
    return exceptions(
        [played.lead(column, other, WITHOUT_LEARNING) for other in (BEST, WITHOUT_SEARCH)] for column in played.scaled
    )


def _deep_or_wide(run: Run) -> Estimate:
    """Return the mean lead per column, since the number of columns depends on the scale."""
    played = run.once(_parts)
    return average([played.lead(column, BEST, WITHOUT_SEARCH) for column in played.scaled])


COUNTED = "A count of columns; its interval runs from the clear cases to all possible ones."


PAPER = Paper(
    "poker-squares",
    "Learning and Using Hand Abstraction Values for Parameterized Poker Squares",
    "Todd W. Neller, Colin M. Messinger, Zuozhi Yang",
    (
        Figure("figure-1", "Figure 1: comparison of learning evaluation performance", _figure_1),
        Claim(
            "half-best",
            "NARL with ε₀ = 0.5 dominated all but three point systems (Figure 1)",
            "3 columns; read as: another evaluation is better in at most three of the 14",
            Between(high=3),
            _half_not_best,
            COUNTED,
        ),
        Claim(
            "sizes-best",
            "… where the addition of the hand size abstraction proved best",
            "3 columns",
            Between(3, 3),
            _sizes_best,
            COUNTED,
        ),
        Claim(
            "more-exploration",
            "Raising the initial ε from 0.1 to 0.5 improves the player",
            "no number; read as: 0.1 is better in at most half of the 14 columns of Figure 1",
            Between(high=7),
            _little_better,
            COUNTED,
        ),
        Figure("figure-2", "Figure 2: comparison of time management policies", _figure_2),
        Claim(
            "uniform-best",
            "Uniform was the best time management policy overall (Figure 2)",
            "no number; read as: more tournament points in total than the best other",
            Between(low=0),
            _uniform_best,
            "Its tournament points minus those of the best other; the interval allows for picking the best.",
        ),
        Claim(
            "uniform-beats-every-other",
            "Except for single three of a kind and single flush, uniform always outperformed every other policy",
            "no exceptions",
            Between(high=0),
            _uniform_beaten,
            COUNTED,
        ),
        Claim(
            "early-for-threes",
            "For three of a kind, uniform was outperformed by the Gaussian policy with b = 8, c = 10",
            "no number; read as: more tournament points",
            Between(low=0),
            _early_for_threes,
        ),
        Claim(
            "uniform-for-flushes",
            "For the single flush, uniform almost always outperformed the others",
            "no number; read as: at most one of the six others is better",
            Between(high=1),
            _curves_for_flushes,
            "How many of the six are better; the interval runs from the clear cases to all possible ones.",
        ),
        Figure("figure-3", "Figure 3: comparison of combinations of search algorithms and evaluators", _figure_3),
        Claim(
            "expectimax-best",
            "Expectimax (depth 2) with the NARL evaluator (ε₀ = 0.5) performed best (Figure 3)",
            "no number; read as: more tournament points in total than the best other of 15",
            Between(low=0),
            _expectimax_best,
            "Its tournament points minus those of the best other; the interval allows for picking the best.",
        ),
        Table("time", "Time used by the searches", _time),
        Claim(
            "time-used",
            "Expectimax of depth 2 used only about 2.8 of its 30 seconds per game",
            "9.4 %; read as: at most that share",
            Between(high=0.094),
            _time_used,
            "As a share of 30 s; the searches here are compiled.",
        ),
        Figure("figure-4", "Figure 4: comparison of individual component significance", _figure_4),
        Claim(
            "learning-matters-most",
            "The learned static evaluation was the most significant component (Figure 4)",
            "no number; read as: leaving it out costs more tournament points than leaving out expectimax",
            Between(low=0),
            _learning_matters_more,
            "Tournament points of greedy Monte Carlo with it minus those of expectimax without it.",
        ),
        Claim(
            "score-worst",
            "With the score so far instead, it got a fraction under three of a kind and was worst in all others",
            "at most one exception",
            Between(high=1),
            _score_not_worst,
            COUNTED,
        ),
        Claim(
            "depth-2-slightly-better",
            "Expectimax to depth 2 only slightly outperformed greedy Monte Carlo to depth 5 for most point systems",
            "no number; read as: by 0 to 0.25 tournament points per system",
            Between(0, 0.25),
            _deep_or_wide,
            "With few simulated placements Monte Carlo is far behind: the quick scale has too few to judge this.",
        ),
        Table("champion", "Beyond the paper: the champion in the contest", poker_squares_beyond.contest_table),
        Claim(
            "champion-best",
            "Beyond the paper: over all kinds of point systems the champion has the best total",
            "no number; read as: a higher tournament score than the next best player",
            Between(low=0),
            poker_squares_beyond.champion_ahead,
            "At the quick scale it learns from too few games for this.",
        ),
        Table("champion-time", "Beyond the paper: the champion's score by time per game", poker_squares_beyond.by_time),
        Table("lost", "Beyond the paper: points lost against perfect play near the end", poker_squares_beyond.lost),
        Table("ceiling", "Beyond the paper: the score of a player who knows all cards", poker_squares_beyond.ceiling),
    ),
    readings=(
        "The player of Figure 2 simulates and evaluates by the score so far; the searches of Figures 3 and 4 simulate "
        "with the evaluation they search with.",
        "Simulating players have a number of placements per game instead of 30 seconds, so that runs are repeatable.",
        "The text names American, English, Ameritish from seed 21347, random, hypercorner and single hands. Figures 2 "
        "and 4 have one system of each kind, Figure 3 American to hypercorner, three of a kind, flush and full house.",
        "Of the Gaussian policies only b = 8, c = 10 is printed; six are compared.",
        "The paper learns for five minutes; here learning uses a given number of games.",
    ),
    key=lambda: cache.key(__file__),
)
