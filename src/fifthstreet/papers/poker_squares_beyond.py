"""Beyond the paper on Poker Squares: a champion in the contest and by its time, and how high the ceiling is."""

from dataclasses import dataclass

from fifthstreet.agents.squares.clairvoyant import ceilings
from fifthstreet.arena.contest import ContestResult, contest
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.point_systems import CATEGORIES, contest_deal, points
from fifthstreet.papers.paper import Run, TableResult

NAMED = ("american", "english")


@dataclass(frozen=True)
class Size:
    """How much of everything is played."""

    champion: str
    plies: int  # that a simulating player places in a game
    lessons: int  # of the paper's players
    systems: tuple[str, ...]
    games: int
    by_time: dict[str, tuple[str, int]]  # for each time a game, what the champion is given and the games
    known: tuple[int, int]  # deals with all cards known, and changes of a grid


def _size(run: Run) -> Size:
    if run.scale == "paper":
        drawn = tuple(
            f"{kind}:{seed}" for kind in ("ameritish", "random", "hypercorner") for seed in (1, 10**6, 10**12)
        )
        single = tuple(f"single:{number}" for number in range(len(CATEGORIES)))
        times = {"at once": ("plies=0", 2_000), "0.1 s": ("time=0.1", 1_000), "1 s": ("time=1", 2_000)}
        times |= {"5 s": ("time=5", 100), "30 s": ("time=29", 20)}  # less than the limit of the contest
        return Size(
            "champion:time=0.3,lessons=200000", 100_000, 300_000, NAMED + drawn + single, 100, times, (200, 300_000)
        )
    few = {f"{plies} placements a card": (f"plies={plies},lessons=2000", 8) for plies in (0, 500)}
    return Size("champion:plies=500,lessons=2000", 2_000, 4_000, ("american", "single:3"), 8, few, (4, 20_000))


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
        note=f"Of each system 0 for the lowest mean, 1 for the highest; {result.games:,} games of each of "
        f"{len(result.systems)} systems: {', '.join(result.systems)}. Intervals of 95 % over deals.",
    )


def champion_ahead(run: Run) -> Estimate:
    """The champion's tournament score less that of whoever comes nearest."""
    result, champion = run.once(_contest), _size(run).champion
    leads = (result.lead(champion, agent) for agent in result.agents if agent != champion)
    return min(leads, key=lambda lead: lead.low)


def by_time(run: Run) -> TableResult:
    rows, times = [], _size(run).by_time
    for number, (name, (given, games)) in enumerate(times.items(), 1):
        result = contest(NAMED, [f"champion:{given}"], games, run.seed)
        scores = [str(entry.score) for entry in result.entries.values()]
        rows.append((name, *scores, f"{games:,}"))
        if run.report:
            run.report(number, len(times))
    return TableResult(
        ("time a game", *NAMED, "games of each"),
        tuple(rows),
        note="Mean scores with 95 % intervals, on the contest's deals from the run's seed on.",
    )


def ceiling(run: Run) -> TableResult:
    deals, steps = _size(run).known
    cards = [contest_deal(run.seed + number) for number in range(deals)]
    rows = tuple((system, str(mean(ceilings(points(system), cards, steps))), f"{deals:,}") for system in NAMED)
    return TableResult(
        ("system", "with all cards known", "deals"),
        rows,
        note=f"The best grid found in eight times {steps:,} changes: the true ceiling may be a little higher. "
        "Mean scores with 95 % intervals, on the contest's deals.",
    )
