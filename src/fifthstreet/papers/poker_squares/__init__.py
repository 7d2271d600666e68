"""Hand abstraction values for Parameterized Poker Squares, by Neller, Messinger and Yang.

The paper shows its results as bars without numbers, so the claims come from its text, and a player counts as better if
it is by a fiftieth of a tournament point, about what can be seen in a bar. How players are compared is in
`columns.py`, what is not about scores in `habits.py`.

How long the paper's players learn and search follows from its one figure for time. Expectimax of depth 2 evaluates
204,700 grids in a game and takes 2.8 seconds for it, so its program evaluates 73,000 a second: enough for 67,500 games
of greedy learning in the five minutes of the contest, and for 215,000 simulated placements in its 30 seconds.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fifthstreet import cache
from fifthstreet.agents.squares.narl import ALWAYS, lessons_for
from fifthstreet.arena.contest import ContestResult, contest
from fifthstreet.estimate import Estimate, average, mean
from fifthstreet.papers.paper import (
    Axes,
    Between,
    Claim,
    Experiment,
    Figure,
    FigureResult,
    Paper,
    Run,
    Table,
    TableResult,
)
from fifthstreet.papers.poker_squares import beyond, habits
from fifthstreet.papers.poker_squares.columns import (
    COLUMNS,
    HOW,
    SINGLE,
    SYSTEMS,
    VISIBLE,
    Counted,
    Played,
    figure,
    play,
    share_ahead,
    smallest,
)
from fifthstreet.papers.poker_squares.habits import LEARNED, SECONDS, USED

EXPLORED = {"ε₀ = 0.1": ("narl-0.1", 0.1), "ε₀ = 0.5": ("narl", 0.5), "ε₀ = 0.5, sizes": ("narl-sizes", 0.5)}
TENTH, HALF, WITH_SIZES = EXPLORED
RANDOM_ONLY, SCORE = "random play only", "score so far"
SEARCHES = {
    "greedy Monte Carlo": "greedy-monte-carlo",
    "UCB1": "ucb",
    "expectimax": "expectimax",
    "chance-sampled": "chance-sampled",
    "action-sampled": "action-sampled",
}
CURVES = ((8, 5), (8, 10), (13, 5), (13, 10), (18, 5), (18, 10))  # b and c of Gaussian time management

SYSTEMS["Ameritish 21347"] = "ameritish:21347"
ONE_OF_EACH = tuple("Ameritish 21347" if column == "Ameritish" else column for column in COLUMNS)
# The paper names its eight only in a figure; these are the first five and three hands.
EIGHT = (*ONE_OF_EACH[:5], "three of a kind", "flush", "full house")


class Size(NamedTuple):
    """How much is played at a scale."""

    learned: float  # games of greedy play that take as long as learning does
    plies: int  # simulated placements per game
    columns: tuple[str, ...]  # of Figure 1
    managed: tuple[str, ...]  # of Figure 2
    searched: tuple[str, ...]  # of Figure 3
    parts: tuple[str, ...]  # of Figure 4
    future: tuple[str, ...]
    greedy_deals: int  # of an observation, for players who do not search
    deals: int  # for the others


QUICK = Size(
    4_000,
    20_000,
    ("American", "three of a kind"),
    ("American", "three of a kind", "flush"),
    ("American", "three of a kind"),
    ("American", "three of a kind"),
    ("American",),
    400,
    4,
)
FULL = Size(
    LEARNED,
    50_000,
    COLUMNS,
    ONE_OF_EACH,
    EIGHT,
    ONE_OF_EACH,
    ("American", "English", "Random", "Hypercorner"),
    2_000,
    25,
)


def size_of(run: Run) -> Size:
    return FULL if run.scale == "paper" else QUICK


def learned(size: Size, name: str, equal: str = "time", unseen: str = "score") -> str:
    """Return how an evaluation is given to an agent, with learning of equal time or of equally many games."""
    evaluation, explored = EXPLORED.get(name, ("narl-random", ALWAYS))
    if equal == "time":
        lessons = lessons_for(size.learned, explored, name == WITH_SIZES)
    else:
        lessons = int(size.learned)
    return f"evaluation={evaluation},lessons={lessons},unseen={unseen}," + "learning_seed={seed}"


def searching(size: Size, search: str, name: str) -> str:
    given = "evaluation=score" if name == SCORE else learned(size, name)
    simulates = search in ("greedy-monte-carlo", "ucb", "expectimax-monte-carlo", "mcts")
    return f"{search}:{given}" + (f",plies={size.plies}" if simulates else "")


def _placements(run: Run) -> str:
    return f"Simulating players make {size_of(run).plies:,} placements per game, by count instead of time."


# Figure 1: greedy play with learned evaluations.


def _evaluated(equal: str, unseen: str, columns: Sequence[str] = ()) -> Experiment[Played]:
    def played(run: Run, count: int) -> Played:
        size = size_of(run)
        players = {name: f"narl:{learned(size, name, equal, unseen)}" for name in EXPLORED}
        return play(run, columns or size.columns, players | {SCORE: "greedy"}, count, size.greedy_deals)

    name = "Figure 1" + (f", equal {equal}, unseen lines worth the {unseen}" if columns else "")
    return Experiment(name, "runs of learning", played, quick=(4, 64), paper=(4, 8) if columns else (4, 32))


FEW = ("American", "English", "Random", "Hypercorner", "flush")
PLAY_1 = _evaluated("time", "score")
EQUAL_GAMES, BEST_UNSEEN = _evaluated("games", "score", FEW), _evaluated("time", "best", FEW)


def _figure_1(run: Run) -> FigureResult:
    size, played = size_of(run), run.play(PLAY_1)
    games = [f"{lessons_for(size.learned, explored, name == WITH_SIZES):,}" for name, (_, explored) in EXPLORED.items()]
    return figure(
        played.among(EXPLORED),
        f"{HOW}. All learn for the same time, that of {size.learned:,.0f} games of greedy play: {', '.join(games)} "
        "games. If all players are nearly equal, the scaling magnifies chance; the claims are therefore measured on a "
        "scale that begins at greedy play by the score so far. Random kinds have another system in each run; the paper "
        "has 500 of each kind, which would take hours of learning.",
    )


def _more_exploration(experiment: Experiment[Played], run: Run) -> Estimate:
    return run.play(experiment).ahead(HALF, TENTH)


def _half_best(experiment: Experiment[Played], run: Run) -> Estimate:
    return run.play(experiment).ahead_in(HALF, (TENTH, WITH_SIZES))


def _sizes_best(experiment: Experiment[Played], run: Run) -> Estimate:
    return run.play(experiment).ahead_in(WITH_SIZES, (HALF,))


def _sizes_for_simple(run: Run) -> Estimate:
    """Return how many of the single-hand systems hand sizes improve."""
    played = run.play(PLAY_1)
    single = [column for column in played.scores if column in SINGLE]
    found = played.ahead_in(WITH_SIZES, (HALF,), single)
    value, low, high = (round(len(single) * part) for part in (found.value, found.low, found.high))
    return Counted(value, low, high, found.count)


def _differences(run: Run) -> TableResult:
    """Return the leads between evaluations by column, and under other interpretations."""
    rows = []
    for name, experiment in (("", PLAY_1), ("equal games: ", EQUAL_GAMES), ("unseen best: ", BEST_UNSEEN)):
        if experiment is PLAY_1 or run.scale == "paper":
            played = run.play(experiment)
            for column in played.scores:
                over = [played.lead(column, *pair) for pair in ((HALF, TENTH), (WITH_SIZES, HALF), (HALF, SCORE))]
                scores = played.scores[column]
                rows.append((name + column, *(str(mean(scores[player])) for player in EXPLORED), *map(str, over[:2])))
    return TableResult(
        ("system", *(f"score, {name}" for name in EXPLORED), "ε₀ = 0.5 over 0.1", "sizes over none"),
        tuple(rows),
        note="Mean scores, and leads as shares of what learning adds to play by the score so far. 95 % intervals over "
        "runs of learning.",
    )


def _straights(run: Run, count: int) -> Played:
    size = size_of(run)
    players = {name: f"narl:{learned(size, name)}" for name in (HALF, RANDOM_ONLY)} | {SCORE: "greedy"}
    return play(run, ("straight",), players, count, size.greedy_deals)


STRAIGHTS = Experiment("straights", "runs of learning", _straights, quick=(4, 32), paper=(4, 32))


# Figure 2: time management.


def _curve(b: int, c: int) -> str:
    return f"b = {b}, c = {c}"


def _managed(run: Run, count: int) -> Played:
    """Return the games of the paper's "simple player", which simulates "greedy score-maximizing play".

    The paper combines searches and learned evaluations only later, so here both the simulated placements and the grid
    at depth 5 are evaluated by the score so far.
    """
    size = size_of(run)
    simple = searching(size, "greedy-monte-carlo", SCORE)
    players = {"uniform": simple}
    players |= {_curve(b, c): f"{simple},management=gaussian,b={b},c={c}" for b, c in CURVES}
    return play(run, size.managed, players, count, size.deals)


PLAY_2 = Experiment("Figure 2", "batches of deals", _managed, quick=(4, 256), paper=(4, 64))
EXCEPT = ("three of a kind", "flush")


def _uniform_ahead(run: Run) -> Estimate:
    """Return in how large a share of comparisons with another policy, one for each column, it is ahead."""
    played = run.play(PLAY_2)
    others = [other for other in played.players if other != "uniform"]
    return share_ahead(
        [played.lead(column, "uniform", other)] for column in played.scores if column not in EXCEPT for other in others
    )


def _uniform_for_flushes(run: Run) -> Estimate:
    played = run.play(PLAY_2)
    return share_ahead([played.lead("flush", "uniform", _curve(b, c))] for b, c in CURVES)


# Figure 3: searches and evaluations.


def _combined(search: str, name: str) -> str:
    return f"{search}, {name}"


BEST = _combined("expectimax", HALF)


def _searched(run: Run, count: int) -> Played:
    size = size_of(run)
    players = {
        _combined(search, name): searching(size, agent, name) for search, agent in SEARCHES.items() for name in EXPLORED
    }
    return play(run, size.searched, players, count, size.deals)


PLAY_3 = Experiment("Figure 3", "runs of learning", _searched, quick=(4, 128), paper=(4, 16))


def _figure_3(run: Run) -> FigureResult:
    played = run.play(PLAY_3)
    columns, best = list(played.scores), max(played.players, key=played.points)

    def draw(axes: Axes) -> None:
        places = np.arange(len(SEARCHES))
        for number, name in enumerate(EXPLORED):
            points = [len(columns) * played.points(_combined(search, name)) for search in SEARCHES]
            axes.bar(places + (number - 1) * 0.28, points, 0.28, label=name)
        axes.set_xticks(places, list(SEARCHES))
        axes.set_ylabel("tournament points")
        axes.legend()

    rows = tuple(
        (player, *(played.cell(column, player) for column in columns), played.points_cell(player))
        for player in sorted(played.players, key=played.points, reverse=True)
    )
    return FigureResult(
        draw,
        f"Bars of total tournament points for five searches with three evaluations each. {best} has the most.",
        TableResult(("player", *columns, "mean"), rows),
        f"{HOW.replace('row', 'column')}. {played.observations} runs of learning in each system, of {played.deals} "
        f"deals each (100 deals in the paper). {_placements(run)}",
    )


def _best_search(run: Run) -> Estimate:
    """Return by how much expectimax leads the next best search, all with the three evaluations."""
    played = run.play(PLAY_3)

    def ahead(other: str) -> Estimate:
        leads = []
        for scaled in played.scaled.values():
            own, theirs = (
                np.mean([scaled[_combined(search, name)] for name in EXPLORED], axis=0)
                for search in ("expectimax", other)
            )
            leads.append(mean(own - theirs))
        return average(leads)

    return smallest(ahead(other) for other in SEARCHES if other != "expectimax")


def _timed(run: Run, games: int) -> ContestResult:
    size = size_of(run)
    return contest(["american"], [searching(size, agent, HALF).format(seed=0) for agent in SEARCHES.values()], games)


TIMED = Experiment("time", "games", _timed, quick=(4, 64), paper=(40, 160))


def _time(run: Run) -> TableResult:
    found, rows = run.play(TIMED), []
    for search, agent in zip(SEARCHES, found.agents, strict=True):
        seconds = found.entries["american", agent].seconds
        spent = mean(seconds)
        ratio = f"{USED / spent.value:,.0f}" if search == "expectimax" else ""
        took = f"{1000 * spent.value:.2f} ± {1000 * spent.half_width:.2f} ms"
        longest, share = f"{1000 * seconds.max():.1f} ms", f"{100 * spent.value / SECONDS:.3f} %"
        rows.append((search, took, longest, share, ratio, f"{spent.count:,}"))
    return TableResult(
        ("search", "per game", "longest", "of 30 s", "speedup over 2.8 s", "games"),
        tuple(rows),
        note="Processor time of all decisions in a game in the American system, with the evaluation learned with ε₀ = "
        "0.5. Simulating players use whatever they are given.",
    )


def _time_used(run: Run) -> Estimate:
    found = run.play(TIMED)
    return mean(found.entries["american", found.agents[list(SEARCHES).index("expectimax")]].seconds / SECONDS)


# Figure 4: the importance of each component.

WITHOUT_LEARNING, WITHOUT_SEARCH = f"expectimax, {SCORE}", _combined("greedy Monte Carlo", HALF)


def _parts(run: Run, count: int) -> Played:
    size = size_of(run)
    players = {
        BEST: searching(size, "expectimax", HALF),
        WITHOUT_LEARNING: searching(size, "expectimax", SCORE),
        WITHOUT_SEARCH: searching(size, "greedy-monte-carlo", HALF),
    }
    return play(run, size.parts, players, count, size.deals)


PLAY_4 = Experiment("Figure 4", "runs of learning", _parts, quick=(4, 256), paper=(4, 32))
THREES = "three of a kind"


def _score_worst(run: Run) -> Estimate:
    """Return the share of columns, without three of a kind, in which both others are visibly ahead of it."""
    played = run.play(PLAY_4)
    return share_ahead(
        [played.lead(column, other, WITHOUT_LEARNING) for other in (BEST, WITHOUT_SEARCH)]
        for column in played.scores
        if column != THREES
    )


# What the paper leaves to future work.

HYBRID, TREE = "expectimax and Monte Carlo", "MCTS"
NO_SEARCH, BETTER_VALUES = "no search, ε₀ = 0.5", "no search, better evaluation"


def _future(run: Run, count: int) -> Played:
    size = size_of(run)
    players = {
        BEST: searching(size, "expectimax", HALF),
        HYBRID: searching(size, "expectimax-monte-carlo", HALF),
        TREE: searching(size, "mcts", HALF),
        NO_SEARCH: f"narl:{learned(size, HALF)}",
        BETTER_VALUES: f"champion:plies=0,lessons={2_000 if run.scale == 'paper' else 1_000}",
        SCORE: "greedy",
    }
    return play(run, size.future, players, count, size.deals)


FUTURE = Experiment("future work", "runs of learning", _future, quick=(4, 128), paper=(4, 64))


def _search_or_values(search: str, run: Run) -> Estimate:
    """Return how much more a better search adds to expectimax than a better evaluation adds to play without search."""
    leads = [
        mean(scaled[search] - scaled[BEST] - scaled[BETTER_VALUES] + scaled[NO_SEARCH])
        for scaled in run.play(FUTURE).scaled.values()
    ]
    return average(leads)


# Winning, hard hands, and how cards are placed.


def _habits(run: Run, count: int) -> habits.HabitsPlayed:
    size = size_of(run)
    return habits.habits(f"narl:{learned(size, HALF)}", 100 if run.scale == "paper" else 8)(run, count)


HABITS = Experiment("habits", "runs of learning", _habits, quick=(4, 256), paper=(4, 64))


def _disagreements(run: Run, count: int) -> tuple[habits.Floats, habits.Floats]:
    size = size_of(run)
    return habits.disagreements(f"narl:{learned(size, HALF)}", 40 if run.scale == "paper" else 4)(run, count)


DIFFERENT = Experiment("different systems", "runs of learning", _disagreements, quick=(4, 128), paper=(4, 64))


def _systems_differ(run: Run) -> Estimate:
    english, american = run.play(DIFFERENT)
    return mean(english - american)


def _hard(run: Run, count: int) -> Played:
    size = size_of(run)
    players = {HALF: f"narl:{learned(size, HALF)}"}
    return play(run, habits.HARD, players, count, size.greedy_deals)


def _hands_table(run: Run) -> TableResult:
    return habits.hands_table(run.play(HARD))


def _habits_table(run: Run) -> TableResult:
    return habits.habits_table(run.play(HABITS))


HARD = Experiment("hard hands", "runs of learning", _hard, quick=(4, 32), paper=(4, 32))


def _won(run: Run, games: int) -> dict[str, habits.Floats]:
    """Return which games were won; at the scale "paper" also those of expectimax, which take long."""
    size = size_of(run)
    agents = ["greedy", f"narl:{learned(size._replace(learned=max(size.learned, 10_000)), HALF)}"]
    agents += [searching(size, "expectimax", HALF)] if run.scale == "paper" else []
    return habits.won([agent.format(seed=0) for agent in agents])(run, games)


WON = Experiment("wins", "games", _won, quick=(400, 102_400), paper=(1_000, 4_000))


def _wins(system: str, run: Run) -> Estimate:
    return habits.win_share(run.play(WON)[system][:, 1])


def _wins_table(run: Run) -> TableResult:
    found = run.play(WON)
    players = (SCORE, NO_SEARCH, BEST)[: found["american"].shape[1]]
    rows = [
        (f"{system.capitalize()}, {total}", *(str(habits.win_share(column)) for column in found[system].T))
        for system, total in habits.WINNING.items()
    ]
    return TableResult(
        ("share of games with at least", *players),
        tuple(rows),
        note=f"{len(found['american']):,} games in each system, without variance reduction; 95 % intervals.",
    )


def _findings(run: Run) -> str:
    first, parts, future = run.play(PLAY_1), run.play(PLAY_4), run.play(FUTURE)
    return (
        f"The learned evaluation is what counts: over {len(parts.scores)} point systems expectimax without it has "
        f"{parts.points(WITHOUT_LEARNING):.2f} of a tournament point per system, greedy Monte Carlo with it "
        f"{parts.points(WITHOUT_SEARCH):.2f}. With equal time to learn, starting with ε₀ = 0.5 instead of 0.1 gains "
        f"{first.ahead(HALF, TENTH)} of what learning brings, and hand sizes another "
        f"{first.ahead(WITH_SIZES, HALF)}. Uniform time management leads the best Gaussian curve by "
        f"{run.play(PLAY_2).ahead_of_all('uniform')} points per system, and expectimax with ε₀ = 0.5 the next best of "
        f"15 players by {run.play(PLAY_3).ahead_of_all(BEST)}. Of the paper's ideas for future work, Monte Carlo at "
        f"the leaves of expectimax gains {future.ahead(HYBRID, BEST)} and Monte Carlo tree search "
        f"{future.ahead(TREE, BEST)}, while a better evaluation gains {future.ahead(BETTER_VALUES, NO_SEARCH)} without "
        "any search."
    )


BETTER = f"no number; read as: visibly more, by {VISIBLE} tournament points per system"
SHARE = "A share of columns; its interval allows for looking at many columns."
OF_LEARNING = "In shares of what learning adds to play by the score so far."


PAPER = Paper(
    "poker-squares",
    "Learning and Using Hand Abstraction Values for Parameterized Poker Squares",
    "Todd W. Neller, Colin M. Messinger, Zuozhi Yang",
    (
        Claim(
            "win-american",
            "With 200 points in the American system you may consider that you have won",
            "200; read as: greedy play by learned values does in some games, 0.1 % at least, but in less than half",
            Between(0.001, 0.5),
            lambda run: _wins("american", run),
        ),
        Claim(
            "win-english",
            "With 70 points in the English system you may consider that you have won",
            "70; read as: greedy play by learned values does in some games, 0.1 % at least, but in less than half",
            Between(0.001, 0.5),
            lambda run: _wins("english", run),
        ),
        Table("wins", "Games won, with 200 points or 70", _wins_table),
        Claim(
            "english-by-difficulty",
            "English points follow how difficult hands are to form in this game: straight, full house, flush",
            "12, 10 and 5 points; read as: aiming for one of them, fewer straights are made than full houses, and "
            "fewer full houses than flushes",
            Between(low=0),
            lambda run: habits.hands_in_order(run.play(HARD)),
            "The smaller of the two differences, in hands per game.",
        ),
        Table("hands", "How many straights, flushes and full houses a player makes", _hands_table),
        Claim(
            "systems-differ",
            "Different point systems give rise to different placement strategies",
            "no number; read as: American and English players differ in at least 5 % more of their placements than two "
            "American players",
            Between(low=0.05),
            _systems_differ,
        ),
        Claim(
            "dump-american",
            "In the American system one often has a row and a column for unwanted cards",
            "no number; read as: a third of all games end with a row and a column without even a pair",
            Between(low=1 / 3),
            lambda run: habits.dumps(run.play(HABITS), "american"),
        ),
        Claim(
            "dump-english",
            "In the English system one often has a row and a column for unwanted cards",
            "no number; read as: a third of all games end with a row and a column without even a pair",
            Between(low=1 / 3),
            lambda run: habits.dumps(run.play(HABITS), "english"),
        ),
        Claim(
            "penalty-discourages",
            "A large penalty for a high card would discourage leaving such a row or column",
            "no number; read as: with −100 for it, at least half a line per game fewer is left without a hand",
            Between(low=0.5),
            lambda run: habits.fewer_nothings(run.play(HABITS)),
            "The American system with and without the penalty.",
        ),
        Claim(
            "random-is-cheaper",
            "The time cost for random play is much less than for greedy play",
            "no number; read as: a game of greedy play takes at least one and a half times as long",
            Between(low=1.5),
            habits.random_is_cheaper,
            "Processor time of one core; random play therefore gives more learning games per second.",
        ),
        Table("learning-speed", "The time of a learning game", habits.pace_table),
        Claim(
            "exploitation-needed",
            "Sufficient exploitation is necessary for long-term planning, such as for straights",
            f"no number; read as: with equal time, ε₀ = 0.5 makes more single straights than learning from random play "
            f"alone, by {VISIBLE} of what learning brings",
            Between(low=VISIBLE),
            lambda run: run.play(STRAIGHTS).lead("straight", HALF, RANDOM_ONLY),
        ),
        Claim(
            "even-spread",
            "It tended to spread cards evenly among rows and columns in the early and middle stages",
            "no number; read as: lengths of lines vary less than if cards were placed at random",
            Between(high=1),
            lambda run: habits.spread(run.play(HABITS)),
            "The variance after 5, 10 and 15 cards, where random placement has 1; American system.",
        ),
        Table("habits", "How cards are spread, and lines that are given up", _habits_table),
        Figure("figure-1", "Figure 1: comparison of learning evaluation performance", _figure_1),
        Table("evaluations", "Figure 1 in points, and under other interpretations", _differences),
        Claim(
            "more-exploration",
            "Raising the initial ε from 0.1 to 0.5 improves the player",
            BETTER,
            Between(low=VISIBLE),
            lambda run: _more_exploration(PLAY_1, run),
            OF_LEARNING,
            readings={
                "equally many games instead of equal time, 5 systems": lambda run: _more_exploration(EQUAL_GAMES, run),
                "unseen lines are worth the most any hand scores, 5 systems": lambda run: _more_exploration(
                    BEST_UNSEEN, run
                ),
            },
        ),
        Claim(
            "half-best",
            "NARL with ε₀ = 0.5 dominated all but three point systems (Figure 1)",
            f"11 of 14; read as: it visibly leads both others, by {VISIBLE}, in that share of systems",
            Between(low=11 / 14),
            lambda run: _half_best(PLAY_1, run),
            f"{SHARE} {OF_LEARNING}",
            readings={
                "equally many games instead of equal time, 5 systems": lambda run: _half_best(EQUAL_GAMES, run),
                "unseen lines are worth the most any hand scores, 5 systems": lambda run: _half_best(BEST_UNSEEN, run),
            },
        ),
        Claim(
            "sizes-best",
            "… where the addition of the hand size abstraction proved best",
            "3 of 14; read as: hand sizes visibly improve some systems, at least one in 14, but less than half",
            Between(1 / 14, 6 / 14),
            lambda run: _sizes_best(PLAY_1, run),
            f"{SHARE} {OF_LEARNING}",
            readings={"equally many games instead of equal time, 5 systems": lambda run: _sizes_best(EQUAL_GAMES, run)},
        ),
        Claim(
            "sizes-for-simple",
            "Hand sizes improve performance for some simpler point systems",
            "no number; read as: visibly for at least one of the nine single hands",
            Between(low=1),
            _sizes_for_simple,
            "How many of the single hands in Figure 1.",
        ),
        Claim(
            "first-card",
            "The first play is inconsequential",
            "read as: all cells are alike, so there is one choice",
            Between(1, 1),
            habits.first_cells,
        ),
        Figure(
            "figure-2",
            "Figure 2: comparison of time management policies",
            lambda run: figure(run.play(PLAY_2), f"{HOW}. {_placements(run)}"),
        ),
        Claim(
            "uniform-best",
            "Uniform was the best time management policy overall (Figure 2)",
            BETTER + ", than each of the six others",
            Between(low=VISIBLE),
            lambda run: run.play(PLAY_2).ahead_of_all("uniform"),
            "Its lead over the best other; the interval allows for picking the best.",
        ),
        Claim(
            "uniform-beats-every-other",
            "Except for single three of a kind and single flush, uniform always outperformed every other policy",
            "always; read as: visibly in at least 90 % of the comparisons, one for each system and other policy",
            Between(low=0.9),
            _uniform_ahead,
            "A share of comparisons; its interval allows for their number.",
        ),
        Claim(
            "early-for-threes",
            "For three of a kind, uniform was outperformed by the Gaussian policy with b = 8, c = 10",
            BETTER,
            Between(low=VISIBLE),
            lambda run: run.play(PLAY_2).lead(THREES, _curve(8, 10), "uniform"),
        ),
        Claim(
            "uniform-for-flushes",
            "For the single flush, uniform almost always outperformed the others",
            "no number; read as: visibly at least five of the six others",
            Between(low=5 / 6),
            _uniform_for_flushes,
            "A share of the six; its interval allows for their number.",
        ),
        Claim(
            "depth-limit",
            "Given the time constraints, expectimax could only be performed to depth 2",
            "30 s; read as: at the paper's speed, depth 3 takes longer",
            Between(low=SECONDS),
            habits.depth_3,
            "Seconds a game, from the number of grids and the 2.8 seconds that depth 2 takes.",
        ),
        Figure("figure-3", "Figure 3: comparison of combinations of search algorithms and evaluators", _figure_3),
        Claim(
            "expectimax-best",
            "Expectimax (depth 2) with the NARL evaluator (ε₀ = 0.5) performed best (Figure 3)",
            BETTER + ", than each of the 14 others",
            Between(low=VISIBLE),
            lambda run: run.play(PLAY_3).ahead_of_all(BEST),
            "Its lead over the best other; the interval allows for picking the best.",
        ),
        Claim(
            "expectimax-best-search",
            "Expectimax is the best of the five searches",
            BETTER + ", than each of the four others, over the three evaluations",
            Between(low=VISIBLE),
            _best_search,
            "Its lead over the best other; the interval allows for picking the best.",
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
        Figure(
            "figure-4",
            "Figure 4: comparison of individual component significance",
            lambda run: figure(run.play(PLAY_4), f"{HOW}. {_placements(run)}"),
        ),
        Claim(
            "learning-matters-most",
            "The learned static evaluation was the most significant component (Figure 4)",
            f"no number; read as: leaving it out costs {VISIBLE} tournament points more than leaving out expectimax",
            Between(low=VISIBLE),
            lambda run: run.play(PLAY_4).ahead(WITHOUT_SEARCH, WITHOUT_LEARNING),
            "Tournament points per system of greedy Monte Carlo with it minus those of expectimax without it.",
        ),
        Claim(
            "score-worst",
            "With the score so far instead of what is learned, expectimax is worst in all systems but three of a kind",
            "13 of 13; read as: visibly in all but one",
            Between(low=12 / 13),
            _score_worst,
            SHARE,
        ),
        Claim(
            "score-not-worst-for-threes",
            "… and it has a fraction of a point for three of a kind, so that greedy Monte Carlo is worst there",
            BETTER,
            Between(low=VISIBLE),
            lambda run: run.play(PLAY_4).lead(THREES, WITHOUT_LEARNING, WITHOUT_SEARCH),
        ),
        Claim(
            "depth-2-better",
            "Expectimax to depth 2 outperformed greedy Monte Carlo to depth 5 for most point systems",
            "no number; read as: visibly in more than half",
            Between(low=0.5),
            lambda run: run.play(PLAY_4).ahead_in(BEST, (WITHOUT_SEARCH,)),
            SHARE,
        ),
        Claim(
            "depth-2-only-slightly",
            "… but only slightly",
            "no number; read as: by at most 0.25 tournament points per system",
            Between(high=0.25),
            lambda run: run.play(PLAY_4).ahead(BEST, WITHOUT_SEARCH),
            "With few simulated placements Monte Carlo is far behind: the quick scale has too few to judge this.",
        ),
        Figure(
            "future",
            "What the paper leaves to future work: better searches, or a better evaluation",
            lambda run: figure(run.play(FUTURE), f"{HOW}. {_placements(run)}"),
        ),
        Claim(
            "hybrid-improves",
            "Time is likely better used by a hybrid: greedy Monte Carlo estimation at expectimax depth 2",
            BETTER + ", than expectimax",
            Between(low=VISIBLE),
            lambda run: run.play(FUTURE).ahead(HYBRID, BEST),
        ),
        Claim(
            "mcts-improves",
            "… or by a Monte Carlo tree search",
            BETTER + ", than expectimax",
            Between(low=VISIBLE),
            lambda run: run.play(FUTURE).ahead(TREE, BEST),
            "How much its tree search explores was chosen on some of these deals, so the lead is a little flattered.",
        ),
        Claim(
            "search-has-most-to-gain",
            "The greatest improvements to be realised will be in search, not in the evaluation",
            "a conjecture; read as: the hybrid adds more to expectimax than a better evaluation adds to play without "
            "search",
            Between(low=0),
            lambda run: _search_or_values(HYBRID, run),
            "The better evaluation is that of the champion, which learns for less time here; at the quick scale from "
            "so few games that it is hardly better.",
            readings={"Monte Carlo tree search in place of the hybrid": lambda run: _search_or_values(TREE, run)},
        ),
        *beyond.ITEMS,
    ),
    readings=(
        "All evaluations learn for equal time, as in the contest, counted by what a game of each kind costs "
        "(`learning-speed`), so that results do not depend on the machine. Equally many games are the other reading. "
        "A random game counts 1/2.1 of a greedy one; later measurements found ratios down to 1/1.6, with which random "
        "play would learn from a fifth fewer games.",
        "The five minutes of the contest are 67,500 games of greedy play, and its 30 seconds 215,000 simulated "
        "placements, if the paper's program evaluates a grid as fast as its expectimax does. Simulating players make "
        "50,000 here, since more make these experiments too long.",
        "A line that was never met while learning is worth what it scores so far. The other reading is optimistic: the "
        "most that any hand scores.",
        "An observation is a run of learning: intervals include what differs between runs. Luck is taken out of all "
        "scores.",
        "The player of Figure 2 simulates and evaluates by the score so far; the searches of Figures 3 and 4 simulate "
        "with the evaluation they search with.",
        "The text names American, English, Ameritish from seed 21347, random, hypercorner and single hands. Figures 2 "
        "and 4 have one system of each kind, Figure 3 American to hypercorner, three of a kind, flush and full house. "
        "Other seeds are not printed, so every observation has systems of its own.",
        "Of the Gaussian policies only b = 8, c = 10 is printed; six are compared.",
        "Samples of expectimax are the paper's: 38 cards, or 40 cards and 20 cells. Figure 3 has 100 deals and more "
        "per player and system, as in the paper; Figure 1 has up to 32 runs of learning, each of 2,000 deals as in the "
        "paper, and in random kinds as many systems in place of 500, since learning is what takes the time.",
    ),
    findings=_findings,
    unmeasured=(
        (
            "American points follow how likely hands are in poker",
            "They do by definition: the hands are listed in the order in which they beat each other.",
        ),
        (
            "Another player did better under two pair by developing a row with a pair and two single cards early",
            "That player is not described.",
        ),
        ("The hash map gives a very fast estimate", "There is no number, and nothing that it is compared with."),
        (
            "The state space is too large to evaluate beforehand, and the game tree too large for expectimax",
            "Nobody doubts it: the cards can come in 10⁴⁰ orders.",
        ),
        ("The final play is forced", "It is by the rules: one cell is free."),
        ("UCB1's term is multiplied by 20 to promote early exploration", "A choice, of which no effect is claimed."),
    ),
    key=lambda: cache.key(__file__),
)
