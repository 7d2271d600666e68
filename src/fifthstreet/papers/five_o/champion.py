"""Beyond the Five-O paper: the champion against its players."""

from fifthstreet.agents.five_o import pairs
from fifthstreet.arena.match import MatchResult, match
from fifthstreet.estimate import Estimate
from fifthstreet.papers.five_o.players import NAMES, by_text
from fifthstreet.papers.five_o.search import LUCK, half_up, percent
from fifthstreet.papers.paper import Between, Claim, Experiment, Item, Run, Table, TableResult

LESSONS = {"quick": 20_000, "paper": pairs.GAMES}


def _against(run: Run, champion: str, opponent: str, deals: int) -> MatchResult:
    lessons = LESSONS[run.scale]
    agents = [f"champion:{champion},lessons={lessons}", opponent]
    return match("five-o", agents, deals, run.seed, unit=5, reduce_variance=True, value_lessons=lessons)


def _plies(run: Run) -> int:
    """Simulated placements for a choice: at the scale "paper" about 5 ms a move."""
    return 500 if run.scale == "quick" else 8_000


def _against_the_best(run: Run, deals: int) -> Estimate:
    """The score against the best player of the paper, Monte Carlo."""
    found = _against(run, f"plies={_plies(run)}", by_text(run).agent("MonteCarlo"), deals)
    return half_up(found.standings[0].payoff)


BEST = Experiment("the champion against Monte Carlo", "deals", _against_the_best, quick=(8, 512), paper=(64, 512))


def _champion(run: Run) -> TableResult:
    """The champion's score against every player of the paper."""
    deals, rows = 32, []
    agents = {name: by_text(run).agent(name) for name in NAMES} | {"fast greedy 2": "fast-greedy-2", "exact": "exact"}
    if run.scale == "quick":
        deals, agents = 6, {name: agents[name] for name in ("reflex 3", "MonteCarlo", "MinMax fastGreedy")}
    for name, agent in agents.items():
        score = half_up(_against(run, f"plies={_plies(run)}", agent, deals).standings[0].payoff)
        rows.append((name, percent(score), f"{2 * deals:,}"))
        if run.report:
            run.report(len(rows), len(agents))
    return TableResult(
        ("against", f"{_plies(run):,} placements", "games"),
        tuple(rows),
        note="Scores with 95 % intervals by the number of placements that the champion simulates for a choice; draws "
        f"count half, every deal is played from both seats, {LUCK}. docs/results/five-o.md has longer matches.",
    )


def _champion_by_time(run: Run) -> TableResult:
    """The champion's score by simulated placements."""
    some = {0: 6, 500: 6} if run.scale == "quick" else {0: 256, 1_000: 128, 8_000: 64}
    rows, opponent = [], by_text(run).agent("MinMax fastGreedy")
    for plies, deals in some.items():
        score = half_up(_against(run, f"plies={plies}", opponent, deals).standings[0].payoff)
        rows.append((f"{plies:,}", percent(score), f"{2 * deals:,}"))
        if run.report:
            run.report(len(rows), len(some))
    return TableResult(
        ("placements", "against MinMax fastGreedy", "games"),
        tuple(rows),
        note=f"Scores with 95 % intervals, {LUCK}.",
    )


ITEMS: tuple[Item, ...] = (
    Claim(
        "champion-beats-the-best",
        "Beyond the paper: the champion beats the paper's best player, Monte Carlo",
        "ours",
        Between(low=0.5),
        lambda run: run.play(BEST),
        beyond=True,
    ),
    Table("champion", "Beyond the paper: the champion against every player", _champion),
    Table("champion-time", "Beyond the paper: the champion's strength by simulated placements", _champion_by_time),
)
