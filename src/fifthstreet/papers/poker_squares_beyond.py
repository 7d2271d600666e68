"""Beyond the paper on Poker Squares: a champion in the contest, its score by time, its distance from perfect play."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import Agent, agent_named
from fifthstreet.agents.squares.champion import COUNTED, LESSONS, counted_further, new_scratch
from fifthstreet.agents.squares.clairvoyant import ceilings
from fifthstreet.arena.contest import ContestResult, contest
from fifthstreet.arena.match import match
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.point_systems import CATEGORIES, contest_deal, points
from fifthstreet.games.poker_squares import CELLS, PokerSquares
from fifthstreet.papers.paper import Run, TableResult
from fifthstreet.parallel import in_order
from fifthstreet.rng import seeded

NAMED = ("american", "english")


@dataclass(frozen=True)
class Size:
    """How much is played at a scale."""

    champion: str
    plies: int  # simulated placements per game
    lessons: int  # of the paper's players
    systems: tuple[str, ...]
    games: int
    by_time: dict[str, tuple[str, int]]  # by time per game: the champion's setting and the number of games
    lessons_by_time: int  # of the champion in these games
    known: tuple[int, int]  # deals with all cards known, and annealing steps
    counted: tuple[dict[str, str], int]  # players compared with perfect play, and deals


def _size(run: Run) -> Size:
    if run.scale == "paper":
        drawn = tuple(
            f"{kind}:{seed}" for kind in ("ameritish", "random", "hypercorner") for seed in (1, 10**6, 10**12)
        )
        single = tuple(f"single:{number}" for number in range(len(CATEGORIES)))
        times = {"at once": ("plies=0", 2_000), "0.1 s": ("time=0.1", 1_000), "1 s": ("time=1", 300)}
        times |= {"5 s": ("time=5", 40), "30 s": ("time=29", 8)}  # just below the contest's limit
        everyone = {"narl": "narl", "expectimax": "expectimax", "champion at once": "champion:plies=0"}
        return Size(
            champion="champion:time=0.3,lessons=50000",
            plies=100_000,
            lessons=300_000,
            systems=NAMED + drawn + single,
            games=100,
            by_time=times,
            lessons_by_time=LESSONS,
            known=(200, 300_000),
            counted=(everyone | {"champion": "champion:plies=60000"}, 250),
        )
    lessons = 2_000
    return Size(
        champion=f"champion:plies=500,lessons={lessons}",
        plies=2_000,
        lessons=4_000,
        systems=("american", "single:3"),
        games=8,
        by_time={f"{plies} placements per card": (f"plies={plies}", 8) for plies in (0, 500)},
        lessons_by_time=lessons,
        known=(4, 20_000),
        counted=({"champion": f"champion:plies=500,lessons={lessons}"}, 2),
    )


def _contest(run: Run) -> ContestResult:
    size = _size(run)
    learned = [f"{name}:lessons={size.lessons}" for name in ("expectimax", "chance-sampled", "action-sampled")]
    narl = [f"narl:evaluation={name},lessons={size.lessons}" for name in ("narl", "narl-0.1", "narl-sizes")]
    simulating = [f"{name}:lessons={size.lessons},plies={size.plies}" for name in ("greedy-monte-carlo", "ucb")]
    agents = [size.champion, *learned, *simulating, *narl, "greedy", "random"]
    return contest(size.systems, agents, size.games, run.seed, report=run.report)


def contest_table(run: Run) -> TableResult:
    result = run.once(_contest)
    first = result.ranking[0]
    rows = tuple(
        (agent, f"{result.total(agent):.2f}", "" if agent == first else f"{result.lead(first, agent)}")
        for agent in result.ranking
    )
    return TableResult(
        ("player", "tournament score", "behind the first by"),
        rows,
        note=f"In each system 0 for the lowest mean score, 1 for the highest; {result.games:,} games in each of "
        f"{len(result.systems)} systems: {', '.join(result.systems)}. 95 % intervals over deals.",
    )


def champion_ahead(run: Run) -> Estimate:
    """Return the champion's tournament score minus that of the next best player."""
    result, champion = run.once(_contest), _size(run).champion
    leads = (result.lead(champion, agent) for agent in result.agents if agent != champion)
    return min(leads, key=lambda lead: lead.low)


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
        ("time per game", *NAMED, "games in each"),
        tuple(rows),
        note="Mean scores with 95 % intervals, card luck removed by control variates. All rows use the same deals; "
        "rows with fewer games use the first of them.",
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
