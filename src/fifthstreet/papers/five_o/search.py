"""The search of the Five-O paper: how deep, how it counts decks, and what a time limit does (§II.B.3, Figure 2).

Figure 2 is played as in the authors' program, which printed it. A time limit is a number of positions valued per move,
the same on every machine. The paper gives neither its speed nor how many decks a minute allowed; it supposes that depth
ten left too few. `LIMIT` allows about ten decks there.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import agent_named
from fifthstreet.agents.five_o.expectiminimax import search_decks
from fifthstreet.arena.match import MatchResult, match
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.five_o import COLUMNS, FiveO, at_random
from fifthstreet.papers.five_o.players import by_program
from fifthstreet.papers.paper import Axes, Between, Claim, Experiment, Figure, FigureResult, Item, Run, TableResult
from fifthstreet.rng import stream

LESSONS = {"quick": 20_000, "paper": 200_000}  # of the value function that takes card luck out of matches
LUCK = "card luck after the first row removed by control variates, which leaves the mean unchanged"


def without_luck(run: Run, game: str, agents: list[str], deals: int) -> MatchResult:
    """A match with less noise; its value function is learned once and kept."""
    lessons = LESSONS[run.scale]
    return match(game, agents, deals, run.seed, unit=10, reduce_variance=True, value_lessons=lessons)


def half_up(payoff: Estimate) -> Estimate:
    """A payoff from −1 to 1 as a score from 0 to 1."""
    return Estimate(0.5 + payoff.value / 2, 0.5 + payoff.low / 2, 0.5 + payoff.high / 2, payoff.count)


def percent(score: Estimate) -> str:
    return f"{100 * score.value:.1f} ± {100 * score.half_width:.1f} %"


Depths = dict[int, NDArray[np.float64]]
"""By depth, the search's score against greedy 2 in every deal."""


def _at_depths(run: Run, deals: int, depths: tuple[int, ...], given: str) -> Depths:
    interpretation, found = by_program(run), Depths()
    for depth in depths:
        search = f"expectiminimax:values=program,reply=no,depth={depth},{given}"
        played = without_luck(run, interpretation.game, [search, interpretation.agent("greedy 2")], deals)
        found[depth] = 0.5 + played.by_deal[:, 0] / 2
        if run.report:
            run.report(len(found), len(depths))
    return found


def _equal_decks(run: Run, deals: int) -> Depths:
    depths, decks = ((1, 2, 4, 6), 5) if run.scale == "quick" else ((1, 2, 3, 4, 5, 6, 8, 10), 30)
    return _at_depths(run, deals, depths, f"decks={decks}")


def _equal_time(run: Run, deals: int, limit: int | None = None) -> Depths:
    return _at_depths(run, deals, (5, 10), f"leaves={limit or LIMIT[run.scale]}")


LIMIT = {"quick": 2_000, "paper": 20_000}  # positions a move; at the scale "quick" there is time for one deck only
DEPTHS = Experiment("Figure 2", "deals at each depth", _equal_decks, quick=(16, 512), paper=(64, 128))
LIMITED = Experiment("Figure 2 in equal time", "deals at each depth", _equal_time, quick=(16, 512), paper=(64, 1_024))
ONE_DECK = Experiment(
    "Figure 2 in very little time", "deals at each depth", partial(_equal_time, limit=2_000), (16, 16), (256, 2_048)
)


def _figure_2(run: Run) -> FigureResult:
    found, limited = run.play(DEPTHS), run.play(LIMITED)
    lines = {"equal numbers of decks": found, "equal time": limited}

    def draw(axes: Axes) -> None:
        for label, some in lines.items():
            scores = [mean(deals) for deals in some.values()]
            values, errors = [100 * score.value for score in scores], [100 * score.half_width for score in scores]
            axes.errorbar(list(some), values, errors, fmt="o-", capsize=3, label=label)
        axes.axhline(50, color="grey", linewidth=0.8)
        axes.set_xlabel("plies")
        axes.set_ylabel("score against greedy 2, %")
        axes.legend(fontsize="small")

    rows = tuple(
        (f"{depth}", label, percent(mean(deals)), f"{2 * len(deals):,}")
        for label, some in lines.items()
        for depth, deals in some.items()
    )
    deepest = max(found)
    return FigureResult(
        draw,
        f"The search's score against greedy 2 by depth, from {100 * found[1].mean():.0f} % at one ply to "
        f"{100 * found[deepest].mean():.0f} % at {deepest}.",
        TableResult(("plies", "", "score", "games"), rows),
        f"As in the authors' program, whose depth is one less. In equal time a move values {LIMIT[run.scale]:,} "
        f"positions. The printed figure has ten games per depth. Intervals are 95 %; {LUCK}.",
    )


def _depth_helps(run: Run) -> Estimate:
    found = run.play(DEPTHS)
    return mean(found[max(found)] - found[1])


def _ten_in_time(run: Run, experiment: Experiment[Depths] = LIMITED) -> Estimate:
    found = run.play(experiment)
    return mean(found[10] - found[5])


# Voting and averaging.


def _vote_against_average(run: Run, deals: int, given: str = "", game: str = "five-o") -> Estimate:
    decks = 10 if run.scale == "quick" else 30
    agents = [f"expectiminimax:choose={how},decks={decks}{given}" for how in ("vote", "average")]
    return half_up(without_luck(run, game, agents, deals).standings[0].payoff)


def _in_equal_time(run: Run, deals: int) -> Estimate:
    agents = [f"expectiminimax:choose={how},leaves=2000" for how in ("vote", "average")]
    return half_up(without_luck(run, "five-o", agents, deals).standings[0].payoff)


VOTING = Experiment("voting", "deals", _vote_against_average, quick=(64, 2_048), paper=(512, 4_096))
_AS_IN_PROGRAM = partial(_vote_against_average, given=",values=program,reply=no,depth=4", game="five-o:draws=second")
VOTING_THERE = Experiment("voting as in the program", "deals", _AS_IN_PROGRAM, quick=(16, 16), paper=(512, 2_048))
VOTING_IN_TIME = Experiment("voting in equal time", "deals", _in_equal_time, quick=(16, 16), paper=(512, 2_048))


def _leaves(run: Run, positions: int) -> NDArray[np.float64]:
    """Positions valued per move by averaging and by voting, for the same decks."""
    game, found = FiveO(), np.empty((positions, 2))
    votes, values, leaves = np.empty(COLUMNS, np.int64), np.empty(COLUMNS), np.zeros(1, np.int64)
    for number in range(positions):
        view = at_random(2 * (number % 15), stream(run.seed, "leaves", number))
        for place, how in enumerate(("average", "vote")):
            mind = agent_named(f"expectiminimax:decks=10,choose={how}", "five-o").mind(game)
            search_decks(view, mind, stream(number, "decks").state, how == "average", votes, values, leaves)
            found[number, place] = leaves[0]
    return found


LEAVES = Experiment("searches", "positions", _leaves, quick=(60, 960), paper=(600, 4_800))


def _voting_saves(run: Run) -> Estimate:
    found = run.play(LEAVES)
    return mean(found[:, 0] / found[:, 1])


ITEMS: tuple[Item, ...] = (
    Figure("figure-2", "Figure 2: Expectiminimax performance at different depths", _figure_2),
    Claim(
        "deeper-is-better",
        "The deeper the search, the better the results (§II.B.3)",
        "Figure 2; read as: with equal numbers of decks, the deepest search scores more than one ply",
        Between(low=0),
        _depth_helps,
        "Against greedy 2, in shares of the games.",
    ),
    Claim(
        "depth-ten-in-limited-time",
        "The fall at depth ten may be due to the time limit, which leaves too few decks (§III, Figure 2)",
        "Figure 2; read as: in equal time that leaves about ten decks at depth ten, it scores less than depth five",
        Between(high=0),
        _ten_in_time,
        "Against greedy 2, in shares of the games. At the scale quick there is time for one deck only.",
        readings={"one deck at depth ten": partial(_ten_in_time, experiment=ONE_DECK)},
    ),
    Claim(
        "voting-is-better",
        "A vote of the decks provides better results than the average over them (§II.B.3)",
        "better; read as: the one that votes scores more than half against the one that averages",
        Between(low=0.5),
        lambda run: run.play(VOTING),
        readings={
            "as in the program": lambda run: run.play(VOTING_THERE),
            "in equal time": lambda run: run.play(VOTING_IN_TIME),
        },
    ),
    Claim(
        "voting-is-faster",
        "… and is more time-efficient (§II.B.3)",
        "faster; read as: averaging values more positions for the same decks",
        Between(low=1),
        _voting_saves,
        "As a multiple: true values of all columns can be pruned less. 10 decks, three plies.",
    ),
)
