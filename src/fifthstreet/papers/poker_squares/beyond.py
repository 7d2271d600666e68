"""Beyond the paper on Poker Squares: the champion, its score by time, its distance from perfect play."""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import Agent, agent_named
from fifthstreet.agents.squares.champion import COUNTED, counted_further, new_scratch
from fifthstreet.agents.squares.clairvoyant import ceilings
from fifthstreet.arena.match import match
from fifthstreet.estimate import mean
from fifthstreet.games.point_systems import contest_deal, points
from fifthstreet.games.poker_squares import CELLS, PokerSquares
from fifthstreet.papers.paper import Between, Claim, Experiment, Item, Run, Table, TableResult
from fifthstreet.papers.poker_squares.columns import Played, play
from fifthstreet.parallel import in_order
from fifthstreet.rng import seeded

NAMED = ("american", "english")


class Size(NamedTuple):
    """How much is played at a scale."""

    champion: str
    plies: int  # simulated placements per game
    lessons: int  # of the paper's players
    columns: tuple[str, ...]
    deals: int  # of an observation in the contest
    by_time: dict[str, tuple[str, int]]  # by time per game: the champion's setting and the number of games
    lessons_by_time: int  # of the champion in these games
    known: tuple[int, int]  # deals with all cards known, and annealing steps
    counted: tuple[dict[str, str], int]  # players compared with perfect play, and deals


FULL = Size(
    champion="champion:plies=4000,lessons=2000",
    plies=50_000,
    lessons=67_500,
    columns=("American", "English", "Random", "Hypercorner", "three of a kind"),
    deals=25,
    by_time={
        "no placements": ("plies=0", 1_000),
        "600 a card": ("plies=600", 500),
        "6,000 a card": ("plies=6000", 200),
    },
    lessons_by_time=10_000,
    known=(60, 100_000),
    counted=(
        {
            "narl": "narl:lessons=67500",
            "expectimax": "expectimax:lessons=67500",
            "champion at once": "champion:plies=0,lessons=10000",
            "champion": "champion:plies=60000,lessons=10000",
        },
        50,
    ),
)
QUICK = Size(
    champion="champion:plies=300,lessons=1000",
    plies=2_000,
    lessons=2_000,
    columns=("American",),
    deals=4,
    by_time={"no placements": ("plies=0", 8), "300 a card": ("plies=300", 8)},
    lessons_by_time=100,
    known=(2, 10_000),
    counted=({"champion": "champion:plies=300,lessons=100"}, 2),
)


def _size(run: Run) -> Size:
    return FULL if run.scale == "paper" else QUICK


def _contest(run: Run, count: int) -> Played:
    size = _size(run)
    given = f"lessons={size.lessons}," + "learning_seed={seed}"
    averaging = {name: f"{name}:{given}" for name in ("expectimax", "chance-sampled", "action-sampled", "narl")}
    simulating = ("greedy-monte-carlo", "ucb", "expectimax-monte-carlo", "mcts")
    players = {"champion": size.champion} | averaging
    players |= {name: f"{name}:{given},plies={size.plies}" for name in simulating}
    return play(run, size.columns, players | {"greedy": "greedy", "random": "random"}, count, size.deals)


CONTEST = Experiment("contest", "runs of learning", _contest, quick=(3, 24), paper=(4, 16))


def contest_table(run: Run) -> TableResult:
    played, size = run.play(CONTEST), _size(run)
    ranking = sorted(played.players, key=played.points, reverse=True)
    rows = tuple(
        (agent, f"{played.points(agent):.3f}", "" if agent == ranking[0] else str(played.ahead(ranking[0], agent)))
        for agent in ranking
    )
    return TableResult(
        ("player", "tournament points per system", "behind the first by"),
        rows,
        note=f"In each system 0 for the lowest mean score, 1 for the highest: {', '.join(played.scores)}. The champion "
        f"is {size.champion}, the others learned from {size.lessons:,} games, and simulating players make "
        f"{size.plies:,} placements a game. {played.observations} runs of learning, {played.deals} deals each; luck is "
        "taken out, and intervals are over runs.",
    )


def by_time(run: Run) -> TableResult:
    rows, size = [], _size(run)
    for number, (name, (given, games)) in enumerate(size.by_time.items(), 1):
        scores = []
        for system in NAMED:
            game, lessons = f"poker-squares:system={system}", size.lessons_by_time
            agents = [f"champion:{given},lessons={lessons}"]
            found = match(game, agents, games, run.seed, reduce_variance=True, value_lessons=lessons)
            scores.append(str(found.standings[0].payoff))
        rows.append((name, *scores, f"{games:,}"))
        if run.report:
            run.report(number, len(size.by_time))
    return TableResult(
        ("simulated placements", *NAMED, "games in each"),
        tuple(rows),
        note=f"The champion after {size.lessons_by_time:,} lessons: mean scores with 95 % intervals, card luck removed "
        "by control variates. All rows use the same deals; rows with fewer games use the first of them.",
    )


def ceiling(run: Run) -> TableResult:
    deals, steps = _size(run).known
    cards = [contest_deal(run.seed + number) for number in range(deals)]
    rows = tuple((system, str(mean(ceilings(points(system), cards, steps))), f"{deals:,}") for system in NAMED)
    return TableResult(
        ("system", "with all cards known", "deals"),
        rows,
        note=f"The best grid found in eight runs of {steps:,} annealing steps: the true ceiling may be a little "
        "higher. Mean scores with 95 % intervals, on the contest's deals.",
    )


def _lost(system: str, agents: list[str], seed: int) -> NDArray[np.float64]:
    """Return the points each agent loses by its choice with COUNTED + 1 free cells; the last agent placed the rest."""
    game, players = PokerSquares(system), [agent_named(agent, PokerSquares.name) for agent in agents]
    state, cards, means = game.start(), contest_deal(seed), np.empty(CELLS)

    def chosen(player: Agent) -> int:
        policy = player.policy(game)
        assert policy is not None  # they are all compiled
        return int(policy(game.view(state, 0), player.mind(game), seeded(seed, "lost", state.placed)))

    for card in cards[: CELLS - COUNTED - 1]:
        state = game.after(state, card)
        state = game.after(state, chosen(players[-1]))
    state = game.after(state, cards[CELLS - COUNTED - 1])
    best = counted_further(game.view(state, 0).thaw(), new_scratch(), means)
    return np.array([means[best] - means[chosen(player)] for player in players])


def lost(run: Run) -> TableResult:
    agents, deals = _size(run).counted
    rows = []
    for system in NAMED:
        for agent in agents.values():  # learn now, once, rather than in every worker
            agent_named(agent, PokerSquares.name).mind(PokerSquares(system))
        work = in_order(partial(_lost, system, list(agents.values())), range(run.seed, run.seed + deals))
        found = []
        for number, each in enumerate(work, 1):
            found.append(each)
            if run.report:
                run.report(number + deals * NAMED.index(system), deals * len(NAMED))
        for name, losses in zip(agents, np.array(found).T, strict=True):
            rows.append((system, name, str(mean(losses)), f"{100 * (losses < 1e-9).mean():.1f} %", f"{deals:,}"))
    return TableResult(
        ("system", "player", "points lost", "perfect choices", "deals"),
        tuple(rows),
        note="With five free cells and a card to place, every order of the remaining cards was enumerated under "
        "perfect play. The last player in the list placed the earlier cards, on the contest's deals. 95 % intervals.",
    )


ITEMS: tuple[Item, ...] = (
    Table("champion", "Beyond the paper: the champion and all players of the paper", contest_table),
    Claim(
        "champion-best",
        "Beyond the paper: over all kinds of point systems the champion has the most tournament points",
        "no number; read as: more than each other player",
        Between(low=0),
        lambda run: run.play(CONTEST).ahead_of_all("champion"),
        "Its lead over the best other; the interval allows for picking the best. At the quick scale it learns from too "
        "few games for this.",
        beyond=True,
    ),
    Table("champion-time", "Beyond the paper: the champion's score by simulated placements", by_time),
    Table("lost", "Beyond the paper: points lost against perfect play near the end", lost),
    Table("ceiling", "Beyond the paper: the score of a player who knows all cards", ceiling),
)
