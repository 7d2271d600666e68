"""Five-O Poker, by Shai Aharon and Moshe Mandel."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.agents.five_o import pairs
from fifthstreet.arena.match import MatchResult, match
from fifthstreet.estimate import Estimate, average, difference, mean
from fifthstreet.papers import five_o_chances
from fifthstreet.papers.paper import Axes, Between, Claim, Figure, FigureResult, Paper, Run, Table, TableResult
from fifthstreet.rng import seeded

# Table III as printed: games won of ten by the row against the column.
PLAYERS = {
    "reflex 1": "reflex-1",
    "reflex 2": "reflex-2",
    "reflex 3": "reflex-3",
    "greedy 1": "greedy-1",
    "greedy 2": "greedy-2",
    "MonteCarlo": "monte-carlo",
    "MinMax Greedy": "expectiminimax:evaluation=greedy-2",
    "MinMax fastGreedy": "expectiminimax",
}
WON = (
    (None, 3, 5, 5, 5, 4, 6, 4),
    (7, None, 7, 8, 6, 3, 6, 4),
    (5, 3, None, 7, 6, 3, 8, 8),
    (5, 2, 3, None, 1, 2, 5, 3),
    (5, 6, 4, 9, None, 5, 7, 2),
    (6, 7, 7, 8, 5, None, 7, 2),
    (4, 4, 2, 5, 3, 3, None, 4),
    (6, 6, 2, 7, 8, 8, 6, None),
)
TOTALS = ((32, 38), (39, 31), (40, 30), (21, 49), (36, 34), (42, 28), (25, 45), (43, 27))
NAMES = tuple(PLAYERS)
REFLEX, WHOLE_STATE = NAMES[:3], NAMES[3:]


@dataclass(frozen=True)
class Reading:
    """How Table III is played: the game, and the settings of the slow players."""

    game: str
    monte_carlo: str
    search: str

    def agent(self, name: str) -> str:
        spec = PLAYERS[name]
        if spec == "monte-carlo":
            return f"monte-carlo:{self.monte_carlo}"
        if spec.startswith("expectiminimax"):
            return spec + ("," if ":" in spec else ":") + self.search
        return spec


def _text(run: Run) -> Reading:
    if run.scale == "paper":
        return Reading("five-o", "samples=100000", "decks=100")
    return Reading("five-o", "samples=300", "decks=10")


def _program(run: Run) -> Reading:
    """The authors' program: no reply at the root, 1,000 samples, and the second player wins draws."""
    samples, decks = (1000, 100) if run.scale == "paper" else (300, 10)
    return Reading("five-o:draws=second", f"samples={samples}", f"reply=no,decks={decks}")


Cross = dict[tuple[str, str], MatchResult]


def _deals(run: Run, pair: tuple[str, str], reading: Reading) -> int:
    """Return how many deals a pair plays: fewer, the slower its slower player."""
    if run.scale == "quick":
        return 12 if any(name.startswith("M") for name in pair) else 150
    if "MonteCarlo" in pair and "100000" in reading.monte_carlo:
        return 250
    if "MinMax Greedy" in pair:
        return 1_000
    return 2_000 if any(name.startswith("M") for name in pair) else 5_000


def _cross(of: Callable[[Run], Reading]) -> Callable[[Run], Cross]:
    def measure(run: Run) -> Cross:
        reading, found = of(run), Cross()
        every = list(combinations(NAMES, 2))
        for pair in every:
            agents = [reading.agent(name) for name in pair]
            seed = seeded(run.seed, "table-3", *pair)[0]
            found[pair] = match(reading.game, agents, _deals(run, pair, reading), int(seed >> np.uint64(1)), unit=10)
            if run.report:
                run.report(len(found), len(every))
        return found

    return measure


_by_text, _by_program = _cross(_text), _cross(_program)


def _score(cross: Cross, first: str, second: str) -> Estimate:
    """Return the share of games that the first wins against the second; draws count half."""
    if (first, second) in cross:
        return _half_up(cross[first, second].standings[0].payoff)
    return _half_up(cross[second, first].standings[1].payoff)


def _half_up(payoff: Estimate) -> Estimate:
    return Estimate(0.5 + payoff.value / 2, 0.5 + payoff.low / 2, 0.5 + payoff.high / 2, payoff.count)


def _overall(cross: Cross, name: str) -> Estimate:
    return average([_score(cross, name, other) for other in NAMES if other != name])


def p_value(wins: int, games: int, chance: float) -> float:
    """Return the two-sided p-value of winning this many games if each is won with this chance.

    >>> round(p_value(9, 10, 0.5), 4)
    0.0215
    """
    likely = [math.comb(games, won) * chance**won * (1 - chance) ** (games - won) for won in range(games + 1)]
    return sum(p for p in likely if p <= likely[wins] * (1 + 1e-9))


def _printed(first: str, second: str) -> int:
    """Return how many of ten games the first won, according to its row of Table III."""
    won = WON[NAMES.index(first)][NAMES.index(second)]
    assert won is not None
    return won


def _fit(cross: Cross, first: str, second: str) -> float:
    """Return the p-value of the printed result, for the score in the interval and the row of the two that fit best."""
    score, fits = _score(cross, first, second), []
    for won in (_printed(first, second), 10 - _printed(second, first)):
        nearest = min(max(won / 10, score.low, 0.0), score.high, 1.0)
        fits.append(p_value(won, 10, nearest))
    return max(fits)


def _table_3(run: Run) -> TableResult:
    text, program = run.once(_by_text), run.once(_by_program)
    rows, wrong = [], set()
    for number, pair in enumerate(combinations(NAMES, 2)):
        won, cells = _printed(*pair), []
        for cross in (text, program):
            cells += [_percent(_score(cross, *pair)), f"{2 * cross[pair].deals:,}"]
        fits = [_fit(cross, *pair) for cross in (text, program)]
        rows.append((*pair, f"{won}–{10 - won}", *cells, f"{fits[0]:.2f}", f"{fits[1]:.2f}"))
        if max(fits) < 0.05:
            wrong.add(number)
    return TableResult(
        ("first", "second", "printed", "as in the text", "games", "as in their program", "games", "fit", "fit"),
        tuple(rows),
        frozenset(wrong),
        "Score of the first player with its 95 % interval; draws count half, every deal is played from both seats. "
        "Fit: the p-value of the printed ten games given the measured score; rows where it is below 0.05 in both "
        f"readings are marked. Of 28, one or two are expected. Slow players here: {_text(run).agent('MonteCarlo')}, "
        f"{_text(run).agent('MinMax fastGreedy')}; as in their program {_program(run).agent('MinMax fastGreedy')}. "
        "As printed, reflex 2 and greedy 2 each beat the other 6–4, and neither reading gives both printed totals.",
    )


def _percent(score: Estimate) -> str:
    return f"{100 * score.value:.1f} ± {100 * score.half_width:.1f} %"


def _inconsistent(run: Run) -> Estimate:
    """Return how many printed results do not fit the text's reading."""
    fits = [_fit(run.once(_by_text), *pair) for pair in combinations(NAMES, 2)]
    return Estimate.exact(sum(fit < 0.05 for fit in fits), len(fits))


def _figure_4(run: Run) -> FigureResult:
    cross = run.once(_by_text)
    scores = [_overall(cross, name) for name in NAMES]

    def draw(axes: Axes) -> None:
        places = np.arange(len(NAMES))
        printed = [100 * won / (won + lost) for won, lost in TOTALS]
        halves = [100 * score.half_width for score in scores]
        axes.bar(places - 0.2, printed, 0.4, label="printed, 70 games")
        axes.bar(places + 0.2, [100 * score.value for score in scores], 0.4, yerr=halves, label="measured")
        axes.axhline(50, color="grey", linewidth=0.8)
        axes.set_xticks(places, NAMES, rotation=20)
        axes.set_ylabel("score against all others, %")
        axes.legend()

    rows = tuple(
        (name, f"{won}–{lost}", f"{100 * won / (won + lost):.0f} %", _percent(score), f"{2 * score.count:,}")
        for name, (won, lost), score in zip(NAMES, TOTALS, scores, strict=True)
    )
    best = max(zip(NAMES, scores, strict=True), key=lambda entry: entry[1].value)[0]
    return FigureResult(
        draw,
        f"Bars for eight players: their score against all others, printed and measured. The best measured is {best}.",
        TableResult(("player", "printed", "printed share", "measured", "games"), rows),
        "Every opponent counts equally.",
    )


def _best_overall(run: Run) -> Estimate:
    """Return the search's score against all opponents minus that of the best other player."""
    cross = run.once(_by_text)
    others = [_overall(cross, name) for name in NAMES if name != "MinMax fastGreedy"]
    return difference(_overall(cross, "MinMax fastGreedy"), max(others, key=lambda score: score.value))


def _beats(first: str, second: str) -> Callable[[Run], Estimate]:
    def measure(run: Run) -> Estimate:
        return _score(run.once(_by_text), first, second)

    return measure


def _better_overall(run: Run) -> Estimate:
    cross = run.once(_by_text)
    return difference(_overall(cross, "reflex 3"), _overall(cross, "greedy 2"))


# Beyond the paper: the champion.

LESSONS = {"quick": 20_000, "paper": pairs.GAMES}
LUCK = "card luck after the first row removed by control variates, which leaves the mean unchanged"


def _without_luck(run: Run, agents: list[str], deals: int) -> MatchResult:
    lessons = LESSONS[run.scale]
    return match("five-o", agents, deals, run.seed, unit=5, reduce_variance=True, value_lessons=lessons)


def _champion(run: Run) -> TableResult:
    """Return the champion's score against every player of the paper, at its usual time and at a tenth of it."""
    if run.scale == "paper":
        settings = {"50 ms per move": ("time=0.05", 500), "5 ms per move": ("time=0.005", 250)}
    else:
        settings = {f"{plies} placements": (f"plies={plies},lessons=20000", 10) for plies in (500, 50)}
    agents = {name: _text(run).agent(name) for name in NAMES} | {"fast greedy 2": "fast-greedy-2", "exact": "exact"}
    rows = []
    for number, (name, agent) in enumerate(agents.items(), 1):
        row = [name]
        for given, usual in settings.values():
            deals = 4 * usual if name == "exact" and run.scale == "paper" else usual  # the toughest opponent
            found = _without_luck(run, [f"champion:{given}", agent], deals)
            row += [_percent(_half_up(found.standings[0].payoff)), f"{2 * deals:,}"]
        rows.append(tuple(row))
        if run.report:
            run.report(number, len(agents))
    return TableResult(
        ("against", *(heading for name in settings for heading in (name, "games"))),
        tuple(rows),
        note=f"Scores with 95 % intervals; draws count half, every deal is played from both seats, {LUCK}.",
    )


def _champion_by_time(run: Run) -> TableResult:
    """Return the champion's score by time per move."""
    if run.scale == "paper":
        settings = {"1 ms": ("time=0.001", 1_000), "5 ms": ("time=0.005", 250), "20 ms": ("time=0.02", 200)}
        settings |= {"50 ms": ("time=0.05", 500), "200 ms": ("time=0.2", 60), "1 s": ("time=1", 25)}
    else:
        settings = {f"{plies} placements": (f"plies={plies},lessons=20000", 10) for plies in (0, 500, 2_000)}
    rows, opponent = [], _text(run).agent("MinMax fastGreedy")
    for number, (name, (given, deals)) in enumerate(settings.items(), 1):
        found = _without_luck(run, [f"champion:{given}", opponent], deals)
        rows.append((name, _percent(_half_up(found.standings[0].payoff)), f"{2 * deals:,}"))
        if run.report:
            run.report(number, len(settings))
    return TableResult(
        ("time per move", "against MinMax fastGreedy", "games"),
        tuple(rows),
        note=f"Scores with 95 % intervals, {LUCK}. The hidden row takes 8 ms at most, whatever the setting.",
    )


# Figure 2: the search by depth.


def _depths(run: Run) -> dict[int, Estimate]:
    depths, decks, deals = ((1, 2, 3, 5), 5, 20) if run.scale == "quick" else ((1, 2, 3, 4, 5, 6, 8, 10), 100, 300)
    found = {}
    for depth in depths:
        played = match("five-o", [f"expectiminimax:depth={depth},decks={decks}", "greedy-2"], deals, run.seed, unit=5)
        found[depth] = _half_up(played.standings[0].payoff)
        if run.report:
            run.report(len(found), len(depths))
    return found


def _figure_2(run: Run) -> FigureResult:
    found = run.once(_depths)

    def draw(axes: Axes) -> None:
        values = [100 * score.value for score in found.values()]
        axes.errorbar(list(found), values, [100 * score.half_width for score in found.values()], fmt="o-", capsize=3)
        axes.axhline(50, color="grey", linewidth=0.8)
        axes.set_xlabel("plies")
        axes.set_ylabel("score against greedy 2, %")

    rows = tuple((f"{depth}", _percent(score), f"{2 * score.count:,}") for depth, score in found.items())
    return FigureResult(
        draw,
        f"The search's score against greedy 2 by depth, from {100 * found[1].value:.0f} % at one ply to "
        f"{100 * list(found.values())[-1].value:.0f} % at {list(found)[-1]}.",
        TableResult(("plies", "score", "games"), rows),
        "All depths sample the same number of decks, without a time limit. The printed figure has ten games per depth.",
    )


def _depth_helps(run: Run) -> Estimate:
    found = run.once(_depths)
    return difference(list(found.values())[-1], found[1])


# Figure 3: strengths by sorted column.

Strengths = dict[str, NDArray[np.float64]]


def _strengths(run: Run) -> Strengths:
    """Return each player's sorted column strengths, one row per game, over games against all others."""
    from fifthstreet.agents import agent_named
    from fifthstreet.arena.play import play, replay
    from fifthstreet.arena.seeds import Seeds
    from fifthstreet.games import game_named
    from fifthstreet.games.five_o import column_strength

    reading = Reading("five-o", "samples=1000", "decks=30") if run.scale == "paper" else _text(run)
    game, games = game_named("five-o"), 60 if run.scale == "paper" else 3
    agents = {name: agent_named(reading.agent(name), "five-o") for name in NAMES}
    found: dict[str, list[list[int]]] = {name: [] for name in NAMES}
    every = list(permutations(NAMES, 2))
    for number, pair in enumerate(every):
        seeds = Seeds.of(run.seed + number, 2)
        for deal in range(games):
            dealer, streams = seeds.for_deal(deal)
            *_, end = replay(play(game, [agents[name] for name in pair], dealer, streams))
            for seat, name in enumerate(pair):
                columns = [int(column_strength(end, seat, column)) for column in range(5)]
                found[name].append(sorted(columns, reverse=True))
        if run.report:
            run.report(number + 1, len(every))
    return {name: np.array(rows, float) for name, rows in found.items()}


def _figure_3(run: Run) -> FigureResult:
    found = run.once(_strengths)

    def draw(axes: Axes) -> None:
        for name, rows in found.items():
            axes.plot(range(1, 6), rows.mean(axis=0), "o--" if name in REFLEX else "o-", label=name)
        axes.set_xticks(range(1, 6))
        axes.set_xlabel("column, from strongest to weakest")
        axes.set_ylabel("mean strength, 1 to 7,462")
        axes.legend(fontsize="small")

    rows = tuple(
        (
            name,
            *(f"{mean(column).value:,.0f} ± {mean(column).half_width:,.0f}" for column in games.T),
            f"{len(games):,}",
        )
        for name, games in found.items()
    )
    return FigureResult(
        draw,
        "Mean column strength from strongest to weakest, for eight players; reflex players dashed.",
        TableResult(("player", "1st", "2nd", "3rd", "4th", "5th", "games"), rows),
        "Each against all others, from both seats.",
    )


def _concentration(run: Run) -> Estimate:
    """Return how much further apart the best three columns and the other two are for whole-state players."""
    found = run.once(_strengths)

    def spread(names: Sequence[str]) -> Estimate:
        games = np.concatenate([found[name] for name in names])
        return mean(games[:, :3].mean(axis=1) - games[:, 3:].mean(axis=1))

    return difference(spread(WHOLE_STATE), spread(REFLEX))


PAPER = Paper(
    "five-o",
    "Five-O Poker",
    "Shai Aharon, Moshe Mandel",
    (
        *five_o_chances.ITEMS,
        Figure("figure-2", "Figure 2: Expectiminimax performance at different depths", _figure_2),
        Claim(
            "deeper-is-better",
            "The deeper the search, the better the results (§II.B.3); Figure 2 falls at depth ten for lack of time",
            "Figure 2; read as: the deepest search scores more against greedy 2 than a one-ply search",
            Between(low=0),
            _depth_helps,
        ),
        Figure("figure-3", "Figure 3: average scores by column, sorted from highest to lowest", _figure_3),
        Claim(
            "concentration",
            "Players that evaluate the whole state concentrate on three columns, reflex players spread",
            "Figure 3; read as: the best three columns are further above the other two",
            Between(low=0),
            _concentration,
            "In hand strength, 1 to 7,462.",
        ),
        Table("table-3", "Table III: wins and losses between all agents", _table_3),
        Figure("figure-4", "Figure 4: wins-losses ratios", _figure_4),
        Claim(
            "table-3-fits",
            "Table III: 28 results of ten games each",
            "28 results; read as: at most four of them have a p-value below 5 %",
            Between(high=4),
            _inconsistent,
        ),
        Claim(
            "expectiminimax-best",
            "Expectiminimax with fastGreedyEval2 is the best player overall",
            "43–27, the next 42–28",
            Between(low=0),
            _best_overall,
            "Its score against all opponents minus that of the best other player.",
        ),
        Claim(
            "greedy-2-beats-greedy-1",
            "Greedy 2 by far outperforms greedy 1",
            "9–1",
            Between(low=0.5),
            _beats("greedy 2", "greedy 1"),
        ),
        Claim(
            "reflex-3-better-than-greedy-2",
            "Surprisingly, reflex 3 performed better than greedy 2",
            "40–30 and 36–34",
            Between(low=0),
            _better_overall,
            "Its score against all opponents minus greedy 2's.",
        ),
        Claim(
            "reflex-3-beats-expectiminimax",
            "Not transitive: reflex 3 outperforms expectiminimax with fastGreedyEval2 …",
            "8–2",
            Between(low=0.5),
            _beats("reflex 3", "MinMax fastGreedy"),
        ),
        Claim(
            "expectiminimax-beats-greedy-2",
            "… which outperforms greedy 2 …",
            "8–2",
            Between(low=0.5),
            _beats("MinMax fastGreedy", "greedy 2"),
        ),
        Claim(
            "greedy-2-beats-reflex-3",
            "… which in turn outperforms reflex 3",
            "the text; but Table III has 4–6",
            Between(low=0.5),
            _beats("greedy 2", "reflex 3"),
            "The paper's own table says the opposite of its text.",
        ),
        Table("champion", "Beyond the paper: the champion against every player", _champion),
        Table("champion-time", "Beyond the paper: the champion's strength by time", _champion_by_time),
    ),
    readings=(
        "A tied column counts for neither player. If neither has three columns, the one with more wins; equal columns "
        "are a draw, worth half.",
        "In the last row all players place by the exact chances of the columns, as §II says.",
        "The authors' program differs from the text: its search skips the opponent's reply at the root, its Monte "
        "Carlo player takes 1,000 samples, and the second player wins draws. Table III shows both readings.",
        "MinMax Greedy searches with greedyEval2, the slower version of the fast one. Searches look three plies deep "
        "in 100 sampled decks: the paper gives no number, only a time limit.",
    ),
    key=lambda: cache.key(__file__),
)
