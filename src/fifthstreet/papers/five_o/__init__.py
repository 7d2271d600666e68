"""Five-O Poker, by Shai Aharon and Moshe Mandel.

Verdicts on what was printed from games (Table III, Figures 2 and 3) rest on the interpretation "as in their program",
because the authors' program played those games; the text is the other interpretation. Verdicts on what only the text
describes (voting or averaging) rest on the text.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.agents.five_o.partly_random import PartlyRandom
from fifthstreet.arena.match import match
from fifthstreet.estimate import Estimate, mean
from fifthstreet.papers.five_o import boards, champion, chances, search
from fifthstreet.papers.five_o.players import NAMES, Interpretation, by_program, by_text
from fifthstreet.papers.five_o.search import LUCK, percent, without_luck
from fifthstreet.papers.paper import (
    Axes,
    Between,
    Claim,
    Experiment,
    Figure,
    FigureResult,
    Measure,
    Paper,
    Run,
    Table,
    TableResult,
    exactly,
)

# Table III as printed: games won of ten by the row against the column.
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
GAMES = 10  # of a pair
PAIRS = tuple(combinations(NAMES, 2))
BEST, RIVAL = "MinMax fastGreedy", "MonteCarlo"

Scores = NDArray[np.float64]
"""A player's score in every deal, the mean over both seats."""

Cross = dict[tuple[str, str], Scores]
"""All against all on the same deals: the scores of the first of every pair."""


def _play_pair(run: Run, interpretation: Interpretation, pair: tuple[str, str], deals: int) -> Scores:
    if pair not in PAIRS:
        return 1 - _play_pair(run, interpretation, pair[::-1], deals)
    agents = [interpretation.agent(name) for name in pair]
    scores: Scores = 0.5 + without_luck(run, interpretation.game, agents, deals).by_deal[:, 0] / 2
    return scores


def _play_cross(run: Run, deals: int, of: Callable[[Run], Interpretation]) -> Cross:
    found = Cross()
    for pair in PAIRS:
        found[pair] = _play_pair(run, of(run), pair, deals)
        if run.report:
            run.report(len(found), len(PAIRS))
    return found


TABLE_3 = Experiment("Table III", "deals by every pair", partial(_play_cross, of=by_program), (8, 512), (128, 256))
BY_TEXT = Experiment("Table III by the text", "deals by every pair", partial(_play_cross, of=by_text), (4, 4), (64, 64))


def _score(cross: Cross, first: str, second: str) -> Scores:
    """The first's scores against the second."""
    return cross[first, second] if (first, second) in cross else 1 - cross[second, first]


def _overall(cross: Cross, name: str) -> Scores:
    """A player's scores against all others; every opponent counts equally."""
    return np.asarray(np.mean([_score(cross, name, other) for other in NAMES if other != name], axis=0))


# How well ten games fit.


def _chances_of(games: int, chance: float) -> NDArray[np.float64]:
    """The chance of each number of wins."""
    won = np.arange(games + 1)
    ways = np.array([math.comb(games, wins) for wins in won], float)
    chances: NDArray[np.float64] = ways * chance**won * (1 - chance) ** (games - won)
    return chances


def p_value(wins: int, games: int, *chances: float) -> float:
    """Return the two-sided p-value of winning so often, with this many games at each of these chances.

    >>> round(p_value(9, 10, 0.5), 4)
    0.0215
    """
    likely = reduce(np.convolve, [_chances_of(games, chance) for chance in np.clip(chances, 0, 1)])
    return float(min(1.0, likely[likely <= likely[wins] * (1 + 1e-9)].sum()))


def _printed(first: str, second: str) -> int:
    """Return how many of ten games the first won, according to its row of Table III."""
    won = WON[NAMES.index(first)][NAMES.index(second)]
    assert won is not None
    return won


def _fit(cross: Cross, first: str, second: str) -> float:
    """Return the p-value of the printed result, given the measured score; of two printed results the one that fits."""
    chance = float(_score(cross, first, second).mean())
    return max(p_value(won, GAMES, chance) for won in {_printed(first, second), GAMES - _printed(second, first)})


def _fit_of_total(cross: Cross, name: str) -> float:
    """Return the p-value of a player's printed total, given the measured scores."""
    chances = [float(_score(cross, name, other).mean()) for other in NAMES if other != name]
    return p_value(TOTALS[NAMES.index(name)][0], GAMES, *chances)


_SIMULATED = 1_000  # tables


def _fit_of_table(cross: Cross) -> float:
    """Return the p-value of all 28 results together: how many tables of such games have a larger chi-square."""
    chances = np.clip([cross[pair].mean() for pair in PAIRS], 0.01, 0.99)
    spread = GAMES * chances * (1 - chances)
    printed = np.array([[_printed(*pair), GAMES - _printed(*pair[::-1])] for pair in PAIRS])
    square = ((printed - GAMES * chances[:, None]) ** 2).min(axis=1) / spread
    simulated = np.random.default_rng(0).binomial(GAMES, chances, (_SIMULATED, len(PAIRS)))
    return float(((((simulated - GAMES * chances) ** 2) / spread).sum(axis=1) >= square.sum()).mean())


_RESAMPLED = 100


def _with_interval(cross: Cross, of: Callable[[Cross], float]) -> Estimate:
    """A number that depends on all scores, with the interval of the bootstrap over deals."""
    deals, rng = len(next(iter(cross.values()))), np.random.default_rng(0)
    found = []
    for _ in range(_RESAMPLED):
        some = rng.integers(deals, size=deals)
        found.append(of({pair: scores[some] for pair, scores in cross.items()}))
    value, (low, high) = of(cross), np.quantile(found, [0.025, 0.975])
    return Estimate(value, min(value, float(low)), max(value, float(high)), deals)


def _least(estimates: Sequence[Estimate]) -> Estimate:
    """The least of several numbers.

    That it is above something takes every interval; that it is below takes one, which is therefore wider.
    """
    high = min(each.with_error(0.05 / len(estimates)).high for each in estimates)
    return Estimate(
        min(each.value for each in estimates), min(each.low for each in estimates), high, estimates[0].count
    )


# Table III.


def _table_3(run: Run) -> TableResult:
    program, text = run.play(TABLE_3), run.play(BY_TEXT)
    rows, wrong = [], set()
    for number, pair in enumerate(PAIRS):
        won, cells, fits = _printed(*pair), [], []
        for cross in (program, text):
            cells.append(percent(mean(cross[pair])))
            fits.append(_fit(cross, *pair))
        rows.append((*pair, f"{won}–{GAMES - won}", *cells, f"{fits[0]:.2f}", f"{fits[1]:.2f}"))
        if fits[0] < 0.05:
            wrong.add(number)
    return TableResult(
        ("first", "second", "printed", "as in their program", "as in the text", "fit, program", "fit, text"),
        tuple(rows),
        frozenset(wrong),
        f"Score of the first player with its 95 % interval: {len(program[PAIRS[0]]):,} deals by every pair as in the "
        f"program, {len(text[PAIRS[0]]):,} as in the text, each from both seats; {LUCK}. Fit: the p-value of the "
        "printed ten games given the measured score; rows where it is below 0.05 as in the program are marked, "
        f"of which one or two are expected. Slow players as in the program: {by_program(run).agent(RIVAL)}, "
        f"{by_program(run).agent(BEST)}; as in the text: {by_text(run).agent(RIVAL)}, {by_text(run).agent(BEST)}. "
        "As printed, reflex 2 and greedy 2 each beat the other 6–4.",
    )


def _totals(run: Run) -> TableResult:
    rows, wrong = [], set()
    crosses = run.play(TABLE_3), run.play(BY_TEXT)
    for number, name in enumerate(NAMES):
        row = [won for won in WON[number] if won is not None]
        column = sum(GAMES - won for won in (line[number] for line in WON) if won is not None)
        cells = [f"{TOTALS[number][0]}–{TOTALS[number][1]}", f"{sum(row)}", f"{column}"]
        for cross in crosses:
            score, fit = mean(_overall(cross, name)), _fit_of_total(cross, name)
            cells += [f"{70 * score.value:.1f} ± {70 * score.half_width:.1f}", f"{fit:.3f}"]
            if cross is crosses[0] and fit < 0.05 / len(NAMES):
                wrong.add(number)
        rows.append((name, *cells))
    return TableResult(
        ("player", "printed", "its row", "its column", "as in their program", "fit", "as in the text", "fit "),
        tuple(rows),
        frozenset(wrong),
        "Games won of 70: as printed below the table, as its row and its column of the table add up, and as many "
        "as the measured scores make of 70. Fit: the p-value of the printed total; marked where it is below 0.05/8 as "
        "in the program, since there are eight.",
    )


def _contradictions(run: Run) -> Estimate:
    """How many printed totals differ from the sum of their row."""
    sums = [sum(won for won in row if won is not None) for row in WON]
    return Estimate.exact(sum(total != won for total, (won, _) in zip(sums, TOTALS, strict=True)), len(NAMES))


def _figure_4(run: Run) -> FigureResult:
    cross = run.play(TABLE_3)
    scores = [mean(_overall(cross, name)) for name in NAMES]

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
        (name, f"{won}–{lost}", f"{100 * won / (won + lost):.0f} %", percent(score), f"{14 * score.count:,}")
        for name, (won, lost), score in zip(NAMES, TOTALS, scores, strict=True)
    )
    best = max(zip(NAMES, scores, strict=True), key=lambda entry: entry[1].value)[0]
    return FigureResult(
        draw,
        f"Bars for eight players: their score against all others, printed and measured. The best measured is {best}.",
        TableResult(("player", "printed", "printed share", "measured", "games"), rows),
        "As in the authors' program. Every opponent counts equally.",
    )


# Claims about totals: on the same deals, so differences are taken deal by deal.

OfCross = Callable[[Cross], Estimate]


def _on_table(of: OfCross, experiment: Experiment[Cross] = TABLE_3) -> Measure:
    return lambda run: of(run.play(experiment))


def _total_claim(id: str, words: str, printed: str, where: Between, of: OfCross, note: str = "") -> Claim:
    return Claim(id, words, printed, where, _on_table(of), note, readings={"as in the text": _on_table(of, BY_TEXT)})


def _best_overall(cross: Cross) -> Estimate:
    best = _overall(cross, BEST)
    return _least([mean(best - _overall(cross, name)) for name in NAMES if name != BEST])


def _top_three(cross: Cross) -> Estimate:
    top = (BEST, RIVAL, "reflex 3")
    return _least(
        [mean(_overall(cross, name) - _overall(cross, other)) for name in top for other in NAMES if other not in top]
    )


def _better_overall(cross: Cross) -> Estimate:
    return mean(_overall(cross, "reflex 3") - _overall(cross, "greedy 2"))


# Claims about pairs, which may need more deals than the whole table.


def _duel(
    id: str, words: str, printed: str, first: str, second: str, note: str = "", others: Mapping[str, Measure] = {}
) -> Claim:
    pair = first, second
    slow = any(name.startswith("M") for name in pair)
    quick, paper = ((16, 2_048), (128, 2_048)) if slow else ((64, 4_096), (512, 16_384))

    def experiment(of: Callable[[Run], Interpretation], name: str, paper: tuple[int, int]) -> Experiment[Scores]:
        return Experiment(name, "deals", lambda run, deals: _play_pair(run, of(run), pair, deals), quick, paper)

    program = experiment(by_program, f"{first} against {second}", paper)
    text = experiment(by_text, f"{first} against {second} by the text", (2 * paper[0], 2 * paper[0]))
    return Claim(
        id,
        words,
        printed,
        Between(low=0.5),
        lambda run: mean(run.play(program)),
        note,
        readings={"as in the text": lambda run: mean(run.play(text)), **others},
    )


# Claims of the conclusions: evaluation, hidden information, and the two stages.


def _greedy_2_against(run: Run, deals: int, opponent: str) -> Scores:
    played = match("five-o:draws=second", ["greedy-2:values=program", opponent], deals, run.seed)
    scores: Scores = 0.5 + played.by_deal[:, 0] / 2
    return scores


def _changed(run: Run, deals: int) -> Scores:
    """In every deal, the share of the two games whose winner changes when the last row lies open."""
    agents = [by_program(run).agent(name) for name in ("greedy 2", "reflex 3")]
    closed, opened = (
        match(f"five-o:draws=second,hidden={hidden}", agents, deals, run.seed).by_deal[:, 0] for hidden in (5, "off")
    )
    share: Scores = np.abs(closed - opened) / 2
    return share


def _two_stages(run: Run, deals: int) -> Scores:
    """In every deal, how much more greedy 2 scores against random play before the last row than in it."""
    before, last = (
        match("five-o", ["greedy-2", PartlyRandom(in_last_row)], deals, run.seed).by_deal[:, 0]
        for in_last_row in (False, True)
    )
    more: Scores = (before - last) / 2
    return more


LINEAR = Experiment(
    "greedy 2 against its linear version",
    "deals",
    partial(_greedy_2_against, opponent="greedy-2:values=program,differences=linear"),
    quick=(500, 16_000),
    paper=(4_000, 64_000),
)
MENDED = Experiment(
    "greedy 2 against greedy 1 without the slip",
    "deals",
    partial(_greedy_2_against, opponent="greedy-1:values=mended"),
    quick=(500, 8_000),
    paper=(4_000, 16_000),
)
HIDDEN = Experiment("open and hidden last rows", "deals", _changed, (500, 16_000), (4_000, 64_000))
STAGES = Experiment("random play in one stage", "deals", _two_stages, (250, 64_000), (2_000, 64_000))


def _findings(run: Run) -> str:
    cross, text = run.play(TABLE_3), run.play(BY_TEXT)
    duels = [mean(_score(each, BEST, RIVAL)) for each in (cross, text)]
    if all(duel.high < 0.5 for duel in duels):
        ahead = "loses to Monte Carlo"
    elif all(duel.low > 0.5 for duel in duels):
        ahead = "beats Monte Carlo"
    else:
        ahead = "is not shown to beat Monte Carlo"
    totals = {name: mean(_overall(cross, name)) for name in NAMES}
    best = max(totals, key=lambda name: totals[name].value)
    odd = [
        f"{name} ({won} printed, {70 * totals[name].value:.0f} measured)"
        for name, (won, _) in zip(NAMES, TOTALS, strict=True)
        if _fit_of_total(cross, name) < 0.05 / len(NAMES)
    ]
    fits = f"all but {' and '.join(odd)} are" if odd else "all eight are"
    slip = mean(_score(cross, "greedy 2", "greedy 1")), mean(run.play(MENDED))
    return (
        f"The search {ahead}, whichever way the paper is read: it scores {percent(duels[0])} against it as in the "
        f"authors' program and {percent(duels[1])} by the text, where 8–2 is printed. As in the program {best} is "
        f"first overall with {percent(totals[best])}; the paper's first, Expectiminimax with fastGreedyEval2, has "
        f"{percent(totals[BEST])}. Of the eight totals of Table III, {fits} within what 70 games allow. Greedy 2 "
        f"scores {percent(slip[0])} against greedy 1, printed 9–1: the program's greedy 1 compares cards where it "
        f"means ranks and never sees a pair. Without that slip it is {percent(slip[1])}."
    )


PAPER = Paper(
    "five-o",
    "Five-O Poker",
    "Shai Aharon, Moshe Mandel",
    (
        *chances.ITEMS,
        *search.ITEMS,
        *boards.ITEMS,
        Claim(
            "non-linear-plays-better",
            "Non-linear instead of linear combinations greatly improve the state evaluation (§IV)",
            "greatly; read as: greedy 2 scores more than half against itself with plain differences",
            Between(low=0.5),
            lambda run: mean(run.play(LINEAR)),
        ),
        Claim(
            "hidden-matters-less",
            "The hidden information in the last stage has a less significant impact (§III.A)",
            "less; read as: were the last row open, at most one game in ten would have another winner",
            Between(high=0.1),
            lambda run: mean(run.play(HIDDEN)),
            "Greedy 2 against reflex 3, both by exact chances in the last row.",
        ),
        Claim(
            "first-stage-matters-more",
            "A major part of obtaining good results is optimal play in the first stage (§III.A)",
            "major; read as: random play costs more before the last row than in it",
            Between(low=0),
            lambda run: mean(run.play(STAGES)),
            "In shares of the games against greedy 2, otherwise playing like it.",
        ),
        Table("table-3", "Table III: wins and losses between all agents", _table_3),
        Table("table-3-totals", "Table III: games won by every player", _totals),
        Figure("figure-4", "Figure 4: wins-losses ratios", _figure_4),
        Claim(
            "table-3-adds-up",
            "Table III: the games won below the table are those in its rows",
            "eight totals; read as: no total differs from the sum of its row",
            exactly(0),
            _contradictions,
            "Reflex 2 has 41 in its row and 39 below, greedy 2 has 38 and 36.",
        ),
        _total_claim(
            "table-3-fits",
            "Table III: 28 results of ten games each",
            "28 results; read as: by chi-square, not among the 5 % of such tables that fit worst",
            Between(low=0.05),
            lambda cross: _with_interval(cross, _fit_of_table),
            "The p-value of all results together, given the measured scores.",
        ),
        _total_claim(
            "totals-fit",
            "Table III: the games that each player won of 70",
            "eight totals; read as: none has a p-value below 0.05/8",
            Between(low=0.05 / len(NAMES)),
            lambda cross: _with_interval(cross, lambda some: min(_fit_of_total(some, name) for name in NAMES)),
            "The least p-value of a printed total, given the measured scores.",
        ),
        _total_claim(
            "expectiminimax-best",
            "Expectiminimax with fastGreedyEval2 plays better than all other agents",
            "43–27, the next 42–28",
            Between(low=0),
            _best_overall,
            "Its score against all opponents minus that of the best other player, on the same deals.",
        ),
        _total_claim(
            "top-three",
            "The top three are Expectiminimax with fastGreedyEval2, Monte Carlo and reflex 3",
            "43, 42 and 40 games, the next 39 (or 41, as its row adds up)",
            Between(low=0),
            _top_three,
            "The worst of the three minus the best of the others, on the same deals.",
        ),
        _duel(
            "expectiminimax-beats-monte-carlo",
            "Expectiminimax with fastGreedyEval2 beats Monte Carlo (Table III)",
            "8–2",
            BEST,
            RIVAL,
        ),
        _duel(
            "greedy-2-beats-greedy-1",
            "Greedy 2 by far outperforms greedy 1",
            "9–1",
            "greedy 2",
            "greedy 1",
            "The program's greedy 1 compares cards where it means ranks and never sees a pair.",
            {"as in the program without that slip": lambda run: mean(run.play(MENDED))},
        ),
        _total_claim(
            "reflex-3-better-than-greedy-2",
            "Surprisingly, reflex 3 performed better than greedy 2",
            "40–30 and 36–34",
            Between(low=0),
            _better_overall,
            "Its score against all opponents minus greedy 2's, on the same deals.",
        ),
        _duel(
            "reflex-3-beats-expectiminimax",
            "Not transitive: reflex 3 outperforms expectiminimax with fastGreedyEval2 …",
            "8–2",
            "reflex 3",
            BEST,
        ),
        _duel("expectiminimax-beats-greedy-2", "… which outperforms greedy 2 …", "8–2", BEST, "greedy 2"),
        _duel(
            "greedy-2-beats-reflex-3",
            "… which in turn outperforms reflex 3",
            "the text; but Table III has 4–6",
            "greedy 2",
            "reflex 3",
            "The paper's own table says the opposite of its text.",
        ),
        *champion.ITEMS,
    ),
    readings=(
        "The authors' program played the printed games, so what they show is judged as in the program: hands valued as "
        "there, a search that places two cards before the opponent replies and then looks two plies further, 1,000 "
        "samples, and a game in which nobody has three columns goes to the second player. The same claims by the text: "
        "three plies with a reply to each card, 10,000 samples (they differ from 100,000 by less than one part in a "
        "hundred), equal columns a draw.",
        "By the text a tied column counts for neither player. If neither has three columns, the one with more wins.",
        "In the last row all players place by the exact chances of the columns, as §II says.",
        "fastEval takes ranks next to the hand's as useful for a straight, as the text says; the program multiplies "
        "the shares of the missing ranks. A flush counts as the weakest with the hand's highest card, in the program "
        "as the middle of those. Draws are all cards still to be placed, in the program those of whole later rounds.",
        "MinMax Greedy searches with greedyEval2, the slower version of the fast one. Searches take 100 sampled decks: "
        "the paper gives no number, only a time limit of about a minute per move. Equal time in Figure 2 is an equal "
        "number of positions valued; that it is 20,000 a move is our choice.",
    ),
    findings=_findings,
    unmeasured=(
        (
            "Table IV: Expectiminimax (9–1), greedy 2 (8–2), Monte Carlo (7–3) and reflex 3 (6–4) beat a good human.",
            "It takes that human. Ten games show little: with 9–1 the chance to win is between 0.55 and 0.998, with "
            "8–2 between 0.44 and 0.975, so only the first shows the better player, and the four do not differ. The "
            "browser table tallies games against any agent.",
        ),
        ("Expectiminimax plays better than the average human player.", "No average human player is described."),
        (
            "Even running for merely a minute per turn produces good results.",
            "The speed of the program is not given. Strength by equal time is in Figure 2.",
        ),
        (
            "Exact probabilities of the first round are out of reach for lack of memory.",
            "About a machine of 2014. Counted without a table they take a sixth of a second.",
        ),
        (
            "A state that barely wins must always have a higher value than one that just loses.",
            "A wish for evaluations, which any sum that grows with each hand fulfils for these two states.",
        ),
        (
            "Minimax returns the optimal play in a finite zero-sum game.",
            "A theorem; a search of three plies in sampled decks does not meet its conditions.",
        ),
    ),
    key=lambda: cache.key(__file__),
)
