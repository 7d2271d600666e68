"""Beyond the paper on the adaptive draw player: evolved values, co-evolution, bluffing, a champion and its rivals."""

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.draw import champion, evolution
from fifthstreet.agents.draw.genes import Tables
from fifthstreet.agents.draw.genes import tables as shared_tables
from fifthstreet.arena.match import MatchResult, match
from fifthstreet.estimate import Estimate, difference, mean
from fifthstreet.games.five_card_draw import FiveCardDraw
from fifthstreet.papers.adaptive_draw_seasons import LOOSE, MIXED, OPPONENTS, STYLES, TRAINED, size_of
from fifthstreet.papers.paper import Axes, FigureResult, Run, TableResult
from fifthstreet.parallel import in_order
from fifthstreet.rng import seeded


def _evolved_leads(run: Run) -> dict[str, tuple[Estimate, Estimate]]:
    """Return what the trained adaptive player and evolved values win per hand at each table, on the same deals."""
    size, found = size_of(run), {}
    for number, (table, others) in enumerate(OPPONENTS.items()):
        if run.scale == "quick" and table != MIXED:
            continue
        spec = f"evolved:table={'mixed' if table == MIXED else table},generations={size.evolved}"
        learner, bred = (
            match("five-card-draw", [player, *others], size.deals, run.seed, unit=200).standings[0].payoff
            for player in (f"adaptive:train={TRAINED}", spec)
        )
        found[table] = learner, bred
        if run.report:
            run.report(number + 1, len(OPPONENTS))
    return found


def evolution_table(run: Run) -> TableResult:
    size = size_of(run)
    return TableResult(
        ("table", "adaptive after 5,000 hands", "evolved"),
        tuple((table, str(one), str(two)) for table, (one, two) in run.once(_evolved_leads).items()),
        note=f"Units per hand with 95 % intervals, {size.deals:,} deals from every seat. The evolved values play the "
        f"paper's rule, after {size.evolved} generations at the same table.",
    )


def evolved_better(run: Run) -> Estimate:
    one, two = run.once(_evolved_leads)[MIXED]
    return difference(two, one)


TABLES = {
    **{f"four {style}": (style,) * 4 for style in STYLES},
    "one of each style": STYLES,
    **{f"adaptive, no {left}": ("adaptive", *(style for style in STYLES if style != left)) for left in STYLES},
    "four adaptive": ("adaptive",) * 4,
    "adaptive, evolved, two loose": ("adaptive", "evolved", *LOOSE),
    **{f"heads-up, {name}": (name,) for name in (*STYLES, "adaptive", "evolved")},
}


def _champion_matches(run: Run) -> dict[str, MatchResult]:
    size, found = size_of(run), {}
    full = {"adaptive": f"adaptive:train={TRAINED}", "evolved": f"evolved:generations={size.evolved}"}
    chosen = list(TABLES)[:7] if run.scale == "quick" else list(TABLES)
    for number, table in enumerate(chosen):
        agents = [size.champion_spec, *(full.get(name, name) for name in TABLES[table])]
        found[table] = match("five-card-draw", agents, size.deals, run.seed + 1, unit=500)
        if run.report:
            run.report(number + 1, len(chosen))
    return found


def _least_ahead(result: MatchResult) -> Estimate:
    """Return the champion's winnings or its lead over another player, whichever has the lowest interval."""
    leads = [result.difference(0, other) for other in range(1, len(result.names))]
    return min([result.standings[0].payoff, *leads], key=lambda each: each.low)


def champion_table(run: Run) -> TableResult:
    size, rows, wrong = size_of(run), [], set()
    for number, (table, result) in enumerate(run.once(_champion_matches).items()):
        best = max(result.standings[1:], key=lambda each: each.payoff.value)
        rows.append((table, str(result.standings[0].payoff), str(_least_ahead(result)), f"{best.payoff.value:.3g}"))
        if _least_ahead(result).low <= 0:
            wrong.add(number)
    return TableResult(
        ("table", "champion", "least lead", "best other"),
        tuple(rows),
        frozenset(wrong),
        f"Units per hand with 95 % intervals, {size.deals:,} deals from every seat; the champion has "
        f"{size.champion[0]} generations, adaptive players were trained for 5,000 hands at the same table. Least lead: "
        "over the next best player, or over breaking even. Rows are marked if that interval reaches zero.",
    )


def champion_beats_all(run: Run) -> Estimate:
    return min((_least_ahead(result) for result in run.once(_champion_matches).values()), key=lambda each: each.low)


def _rivals(run: Run) -> list[tuple[str, Estimate]]:
    """Return what the best of several rivals wins per hand from each player heads-up, on fresh deals."""
    size, game, found = size_of(run), FiveCardDraw(), []
    shared = shared_tables(game.trade)
    learned = evolution.trained_adaptives(game, shared)[0]
    styles = evolution.STYLES
    victims = {"champion": evolution.heads_up(size.iterations), "adaptive (trained)": learned}
    if run.scale == "paper":
        victims |= {name: styles[name] for name in STYLES}
    for name, victim in victims.items():
        bred = [evolution.rival(victim, game, shared, *size.rival, (name, i)) for i in range(size.rivals)]
        found.append((name, max((_duels(game, shared, each, victim, size.duels) for each in bred), key=_value)))
        if run.report:
            run.report(len(found), len(victims))
    return found


def _value(estimate: Estimate) -> float:
    return estimate.value


def _duels(
    game: FiveCardDraw, shared: Tables, rival: NDArray[np.float64], victim: evolution.Player, batches: int
) -> Estimate:
    """Return what a rival wins per hand, with the interval over batches of 2,000."""

    def batch(number: int) -> float:
        table = (evolution.player(rival), victim)
        return float(evolution.results(game, table, shared, seeded(1, "duel", number), 2_000)[0][0])

    return mean(list(in_order(batch, range(batches))))


def exploiters(run: Run) -> TableResult:
    size = size_of(run)
    return TableResult(
        ("player", "the rival wins per hand"),
        tuple((name, str(won)) for name, won in run.once(_rivals)),
        note=f"Heads-up with antes of 1: the best of {size.rivals} rivals, bred for {size.rival[0]} "
        f"generations to beat this player alone, with raises of up to {evolution.OVERBETS:g} pots; "
        f"{2_000 * size.duels:,} fresh hands, intervals over batches of 2,000. Folding every hand loses 1.",
    )


def run_over(run: Run) -> Estimate:
    return run.once(_rivals)[0][1]


def bluffing(run: Run) -> TableResult:
    size = size_of(run)
    spec, rows = size.champion_spec, []
    for table in ("one of each style", "four tight-passive"):
        won = [
            match("five-card-draw", [player, *TABLES[table]], size.deals, run.seed + 2).standings[0].payoff
            for player in (spec, f"{spec},bluff=no")
        ]
        rows.append((table, *map(str, won)))
    return TableResult(
        ("table", "champion", "without bluffs"),
        tuple(rows),
        note=f"Units per hand with 95 % intervals, {size.deals:,} deals from every seat.",
    )


def co_evolution(run: Run) -> FigureResult:
    won = champion.bred(*size_of(run).champion)[1]
    names = (*STYLES, "one of each", "with an adaptive", "two adaptive, loose", "two adaptive, tight", "four adaptive")

    def draw(axes: Axes) -> None:
        for place, name in enumerate(names):
            axes.plot(np.arange(1, len(won) + 1), won[:, place], label=name)
        axes.set_yscale("symlog")
        axes.set_xlabel("generation")
        axes.set_ylabel("units per hand")
        axes.legend(fontsize=6)

    some = sorted({0, len(won) // 4, len(won) // 2, 3 * len(won) // 4, len(won) - 1})
    rows = tuple((name, *(f"{won[number, place]:+.2f}" for number in some)) for place, name in enumerate(names))
    return FigureResult(
        draw,
        f"What the strategies of each of {len(won)} generations won per hand at tables of the paper's players.",
        TableResult(("table", *(f"generation {number + 1}" for number in some)), rows),
        "Means over a generation, single results capped near 150 units. The strategies also play earlier survivors.",
    )
