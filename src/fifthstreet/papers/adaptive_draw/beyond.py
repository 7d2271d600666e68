"""Beyond the paper on the adaptive draw player: evolved values, co-evolution, bluffing, a champion and its rivals."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.draw import champion, equilibrium, evolution, evolved
from fifthstreet.agents.draw.genes import Tables
from fifthstreet.agents.draw.genes import tables as shared_tables
from fifthstreet.arena.match import MatchResult, match
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.five_card_draw import FiveCardDraw
from fifthstreet.papers.adaptive_draw.seasons import LOOSE, MIXED, OPPONENTS, STYLES, TRAINED, least
from fifthstreet.papers.paper import Axes, Experiment, FigureResult, Run, TableResult
from fifthstreet.parallel import in_order
from fifthstreet.rng import seeded

UNIT = 200  # deals after which a learner begins again, in comparisons with what it learns


@dataclass(frozen=True)
class Size:
    """How much is bred at a scale."""

    champion: tuple[int, int]  # generations, and hands per comparison of strategies
    iterations: int  # deals from which it learns heads-up play
    evolved: int  # generations
    rivals: int
    rival: tuple[int, int]  # generations and hands for rivals bred to beat one player

    @property
    def champion_spec(self) -> str:
        return "champion:generations={},hands={},iterations={}".format(*self.champion, self.iterations)


def size_of(run: Run) -> Size:
    if run.scale == "paper":
        bred = champion.GENERATIONS, champion.HANDS
        return Size(bred, equilibrium.ITERATIONS, evolved.GENERATIONS, 3, (50, 4_000))
    return Size((8, 400), 1_000_000, 10, 1, (10, 1_500))


@dataclass(frozen=True)
class Lead:
    """What the trained adaptive player and evolved values win per hand at a table, on the same deals."""

    learner: Estimate
    bred: Estimate
    lead: Estimate  # of the evolved values


def _evolved_lead(run: Run, table: str, deals: int) -> Lead:
    spec = f"evolved:table={'mixed' if table == MIXED else table},generations={size_of(run).evolved}"
    learner, bred = (
        match("five-card-draw", [player, *OPPONENTS[table]], deals, run.seed, unit=UNIT).by_deal[:, 0]
        for player in (f"adaptive:train={TRAINED}", spec)
    )
    units = [won.reshape(-1, UNIT).mean(axis=1) for won in (learner, bred)]
    return Lead(mean(units[0]), mean(units[1]), mean(units[1] - units[0]))


def _evolved_at(table: str, most: tuple[int, int]) -> Experiment[Lead]:
    return Experiment(
        f"evolved values and learned ones against {table}",
        "deals",
        lambda run, deals: _evolved_lead(run, table, deals),
        quick=(5 * UNIT, most[0]),
        paper=(20 * UNIT, most[1]),
    )


EVOLVED = {
    table: _evolved_at(table, (80 * UNIT, 320 * UNIT) if table == MIXED else (5 * UNIT, 20 * UNIT))
    for table in OPPONENTS
}


def evolution_table(run: Run) -> TableResult:
    tables = [MIXED] if run.scale == "quick" else list(OPPONENTS)
    found, wrong = [(table, run.play(EVOLVED[table])) for table in tables], set()
    for number, (_, one) in enumerate(found):
        if one.lead.low <= 0:
            wrong.add(number)
    return TableResult(
        ("table", "adaptive after 5,000 hands", "evolved", "lead on the same deals"),
        tuple((table, str(one.learner), str(one.bred), str(one.lead)) for table, one in found),
        frozenset(wrong),
        f"Units per hand with 95 % intervals, from every seat; {run.size(EVOLVED[MIXED]):,} deals at the mixed table. "
        f"The evolved values play the paper's rule, after {size_of(run).evolved} generations at the same table. Rows "
        "are marked where they are not clearly ahead. The adaptive player has its default interpretation; other "
        "parameters learn more (docs/draw-players.md).",
    )


def evolved_better(run: Run) -> Estimate:
    return run.play(EVOLVED[MIXED]).lead


TABLES = {
    **{f"four {style}": (style,) * 4 for style in STYLES},
    "one of each style": STYLES,
    **{f"adaptive, no {left}": ("adaptive", *(style for style in STYLES if style != left)) for left in STYLES},
    "four adaptive": ("adaptive",) * 4,
    "adaptive, evolved, two loose": ("adaptive", "evolved", *LOOSE),
    **{f"heads-up, {name}": (name,) for name in (*STYLES, "adaptive", "evolved")},
}


def _champion_matches(run: Run, deals: int) -> dict[str, MatchResult]:
    size, found = size_of(run), {}
    full = {"adaptive": f"adaptive:train={TRAINED}", "evolved": f"evolved:generations={size.evolved}"}
    chosen = list(TABLES)[:6] if run.scale == "quick" else list(TABLES)
    for number, table in enumerate(chosen):
        agents = [size.champion_spec, *(full.get(name, name) for name in TABLES[table])]
        found[table] = match("five-card-draw", agents, deals, run.seed + 1, unit=500)
        if run.report:
            run.report(number + 1, len(chosen))
    return found


CHAMPION = Experiment("the champion at every table", "deals", _champion_matches, (250, 16_000), (20_000, 160_000))


def _leads(result: MatchResult) -> list[Estimate]:
    """Return the champion's winnings, and its lead over each of the others."""
    return [result.standings[0].payoff, *(result.difference(0, other) for other in range(1, len(result.names)))]


def champion_table(run: Run) -> TableResult:
    size, rows, wrong = size_of(run), [], set()
    for number, (table, result) in enumerate(run.play(CHAMPION).items()):
        best = max(result.standings[1:], key=lambda each: each.payoff.value)
        lead = least(_leads(result))
        rows.append((table, str(result.standings[0].payoff), str(lead), f"{best.payoff.value:.3g}"))
        if lead.low <= 0:
            wrong.add(number)
    return TableResult(
        ("table", "champion", "least lead", "best other"),
        tuple(rows),
        frozenset(wrong),
        f"Units per hand with 95 % intervals, {run.size(CHAMPION):,} deals from every seat; the champion has "
        f"{size.champion[0]} generations, adaptive players were trained for 5,000 hands at the same table. Least lead: "
        "over the next best player, or over breaking even, with an interval that holds for all of them. Rows "
        "are marked if it reaches zero.",
    )


def champion_beats_all(run: Run) -> Estimate:
    return least([lead for result in run.play(CHAMPION).values() for lead in _leads(result)])


def _rivals(run: Run, batches: int) -> list[tuple[str, Estimate]]:
    """Return what the best of several rivals wins per hand from each player heads-up.

    The best is chosen on other hands than those that count.
    """
    size, game, found = size_of(run), FiveCardDraw(), []
    shared = shared_tables(game.trade)
    learned = evolution.trained_adaptives(game, shared)[0]
    victims = {"champion": evolution.heads_up(size.iterations), "adaptive (93 classes, trained)": learned}
    if run.scale == "paper":
        victims |= {name: evolution.STYLES[name] for name in STYLES}
    for name, victim in victims.items():
        bred = [evolution.rival(victim, game, shared, *size.rival, (name, i)) for i in range(size.rivals)]
        tried = [_duels(game, shared, each, victim, "choice", CHOOSING).value for each in bred]
        best = bred[int(np.argmax(tried))]
        found.append((name, _duels(game, shared, best, victim, "duel", batches)))
        if run.report:
            run.report(len(found), len(victims))
    return found


HANDS_IN_BATCH, CHOOSING = 2_000, 20  # hands in a batch; batches from which the best rival is chosen
RIVALS = Experiment("rivals heads-up", f"batches of {HANDS_IN_BATCH:,} hands", _rivals, (10, 80), (200, 200))


def _duels(
    game: FiveCardDraw,
    shared: Tables,
    rival: NDArray[np.float64],
    victim: evolution.Player,
    name: str,
    batches: int,
) -> Estimate:
    """Return what a rival wins per hand, with the interval over batches."""

    def batch(number: int) -> float:
        table = (evolution.player(rival), victim)
        return float(evolution.results(game, table, shared, seeded(1, name, number), HANDS_IN_BATCH)[0][0])

    return mean(list(in_order(batch, range(batches))))


def exploiters(run: Run) -> TableResult:
    size = size_of(run)
    return TableResult(
        ("player", "the rival wins per hand"),
        tuple((name, str(won)) for name, won in run.play(RIVALS)),
        note=f"Heads-up with antes of 1: the best of {size.rivals} rivals, bred for {size.rival[0]} "
        f"generations to beat this player alone, with raises of up to {evolution.OVERBETS:g} pots; "
        f"{HANDS_IN_BATCH * run.size(RIVALS):,} fresh hands, intervals over batches of {HANDS_IN_BATCH:,}. Folding "
        "every hand loses 1.",
    )


def run_over(run: Run) -> Estimate:
    return run.play(RIVALS)[0][1]


def _bluffing(run: Run, deals: int) -> list[tuple[str, list[Estimate]]]:
    """Return what the champion wins with bluffs and without, and the difference on the same deals."""
    spec, found = size_of(run).champion_spec, []
    for table in ("one of each style", "four tight-passive"):
        won = [
            match("five-card-draw", [player, *TABLES[table]], deals, run.seed + 2).by_deal[:, 0]
            for player in (spec, f"{spec},bluff=no")
        ]
        found.append((table, [mean(won[0]), mean(won[1]), mean(won[0] - won[1])]))
    return found


BLUFFING = Experiment("the champion with and without bluffs", "deals", _bluffing, (100, 100), (20_000, 20_000))


def bluffing(run: Run) -> TableResult:
    return TableResult(
        ("table", "champion", "without bluffs", "difference on the same deals"),
        tuple((table, *map(str, won)) for table, won in run.play(BLUFFING)),
        note=f"Units per hand with 95 % intervals, {run.size(BLUFFING):,} deals from every seat.",
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
