"""An adaptive player of five-card draw against four playing styles, by Kendall and Willdig.

One season of 6,000 hands at each table covers everything: the first 3,000 are Table 5, the first 5,000 the learning
curves, and the last 1,000 the hands that Table 6 counts after training. Stacks are reset before every hand: with only
10,000 units for the whole season, some learners would go broke before they have learned (Figures 4 and 5 say how many).
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.agents.draw import adaptive
from fifthstreet.agents.draw.hands import NAMES
from fifthstreet.agents.draw.reading import PLAYED, WON
from fifthstreet.arena.session import session
from fifthstreet.estimate import Estimate, difference, mean
from fifthstreet.papers import adaptive_draw_beyond
from fifthstreet.papers.adaptive_draw_seasons import (
    LOOSE,
    MIXED,
    OPPONENTS,
    SAMPLES,
    SEASONS,
    START,
    STYLES,
    TABLE_5_AT,
    TIGHT,
    TRAINED,
    Season,
    at,
    season,
    size_of,
)
from fifthstreet.papers.paper import Axes, Between, Claim, Figure, FigureResult, Paper, Run, Table, TableResult

# The worked examples: learning value, players, pot; ac, and the raise (0: a call).
EXAMPLES = {
    "Figure 1": ((8.0, 5, 50), (7.53, 0)),
    "Figure 2": ((8.0, 3, 50), (12.57, 11)),
    "Figure 3": ((9.0, 3, 50), (15.89, 16)),
}

# Table 5: hands dealt, hands played, hands won.
TABLE_5 = (
    (25, 25, 5),
    (50, 50, 12),
    (75, 75, 19),
    (100, 100, 28),
    (200, 195, 60),
    (300, 257, 81),
    (400, 324, 102),
    (500, 393, 123),
    (1000, 647, 216),
    (1500, 925, 312),
    (2000, 1187, 409),
    (2500, 1421, 484),
    (3000, 1664, 560),
)

# Table 6: units after 1,000 hands, hands played, hands won; the adaptive player first.
TABLE_6 = {
    "loose-aggressive": ((13342, 507, 153), (9696, 362, 196), (8602, 386, 198), (8879, 343, 160), (9496, 341, 169)),
    "tight-passive": ((11123, 355, 196), (9536, 122, 83), (9459, 119, 80), (9420, 98, 64), (9706, 108, 68)),
    "loose-passive": ((15632, 500, 157), (8520, 376, 200), (8724, 373, 194), (8189, 342, 161), (8935, 345, 135)),
    "tight-aggressive": ((10816, 446, 167), (9527, 212, 147), (9730, 216, 115), (9837, 184, 122), (10079, 197, 129)),
}


def _spread(measured: Estimate, digits: int = 0) -> str:
    return f"{measured.value:,.{digits}f} ± {measured.half_width:,.{digits}f}"


# The rule.


def _examples(run: Run) -> TableResult:
    rows, wrong = [], set()
    for number, (name, ((value, players, pot), (ac, raised))) in enumerate(EXAMPLES.items()):
        found, amount = adaptive.account(value, pot, players), adaptive.answer(value, pot, players)
        said = ["call" if by == 0 else f"raise {by}" for by in (raised, amount)]
        rows.append((name, f"{value:g}", str(players), str(pot), f"{ac} {said[0]}", f"{found:.4f} {said[1]}"))
        if round(found, 2) != ac or amount != raised:
            wrong.add(number)
    return TableResult(
        ("", "lv", "np", "pv", "printed", "computed"),
        tuple(rows),
        frozenset(wrong),
        "The second example is 12.5566, printed 12.57; the action is the same.",
    )


# Table 5 and the readings.


def _table_5(run: Run) -> TableResult:
    found, rows, wrong = run.once(SEASONS[TABLE_5_AT]), [], set()
    for number, (hands, played, won) in enumerate(TABLE_5):
        one, two = (mean(found.counted(0, what, 0, hands)) for what in (PLAYED, WON))
        spreads = [found.counted(0, what, 0, hands).std(ddof=1) for what in (PLAYED, WON)]
        rows.append(
            (
                f"{hands:,}",
                f"{played:,}",
                _spread(one),
                f"{won:,}",
                _spread(two),
                f"{100 * won / played:.1f} %",
                f"{100 * two.value / one.value:.1f} %",
            )
        )
        # The paper prints a single run, so compare with the spread of single runs.
        if abs(played - one.value) > 3 * spreads[0] + 1 or abs(won - two.value) > 3 * spreads[1] + 1:
            wrong.add(number)
    columns = ("hands", "played, printed", "played", "won, printed", "won", "share won, printed", "share won")
    return TableResult(
        columns,
        tuple(rows),
        frozenset(wrong),
        f"Means of {found.runs} runs against four loose-aggressive players, ± 95 %; the paper prints one run and does "
        "not say at which table. Marked rows differ by more than three standard deviations of a single run. The hands "
        "played fit until about 2,000; then the printed player stays near one half, and this one keeps learning to "
        "fold. It wins more hands than printed from the start, when it has learned nothing and raises with everything.",
    )


def _deviations(found: Season) -> tuple[float, float]:
    """Return the mean distance of hands played and share won from Table 5, in percentage points."""
    off = []
    for hands, played, won in TABLE_5:
        one, two = (found.counted(0, what, 0, hands).mean() for what in (PLAYED, WON))
        off.append((abs(one - played) / hands, abs(two / one - won / played)))
    return tuple(100 * np.mean(off, axis=0))


def _readings(run: Run) -> TableResult:
    runs, rows = max(6, size_of(run).seasons // 20), []
    tables = (TABLE_5_AT, MIXED) if run.scale == "quick" else (TABLE_5_AT, "loose-passive", "tight-aggressive", MIXED)
    for table in tables:
        for credit in ("final", "first", "both"):
            for wins in ("called", "any"):
                spec = f"adaptive:credit={credit},wins={wins}"
                found = season(spec, OPPONENTS[table], runs, run.seed, hands=3_000)
                played, won = _deviations(found)
                last = found.counted(0, PLAYED, 2_500, 3_000).mean() / 5
                end = mean(found.units[:, -1, 0] - START)
                rows.append((table, credit, wins, f"{played:.1f}", f"{won:.1f}", f"{last:.0f} %", _spread(end)))
                if run.report:
                    run.report(len(rows), 6 * len(tables))
    return TableResult(
        ("table", "hand", "wins that count", "error, hands played", "error, share won", "played at the end", "units"),
        tuple(rows),
        note=f"Mean distance from Table 5 in percentage points over its 13 columns, {runs} runs of 3,000 hands each; "
        "the share of hands played from 2,500 to 3,000 (printed: 49 %), and units won by then. The hand column says "
        "which hand's value is updated: the one before the draw, the final one, or both. The reading used is the final "
        "hand and only wins that were called, as the text says. Updating both hands after any win comes as close in "
        "hands played at one table, but keeps losing.",
    )


# Fairness.


def _fair_hands(run: Run) -> dict[str, tuple[list[Estimate], list[Estimate]]]:
    """Return the winnings per hand of each player and each position, at tables of one style."""
    found = {}
    for style in STYLES:
        hands = size_of(run).fair_hands
        by_hand = session("five-card-draw", [style] * 5, hands, run.seed).by_hand[0]
        by_seat = np.array([np.roll(row, -number % 5) for number, row in enumerate(by_hand)])
        players, positions = ([mean(won[:, place]) for place in range(5)] for won in (by_hand, by_seat))
        found[style] = players, positions
    return found


def _ahead(estimates: Iterable[Estimate]) -> Estimate:
    """Return how many are ahead or behind by more than four standard errors, which hardly ever happens by chance."""
    given = list(estimates)
    count = sum(abs(each.value) > 2 * each.half_width for each in given)
    return Estimate.exact(count, given[0].count)


def _fair(run: Run) -> TableResult:
    rows = []
    for style, (players, seats) in run.once(_fair_hands).items():
        rows.append((style, "player", *(_spread(each, 3) for each in players)))
        rows.append((style, "position", *(_spread(each, 3) for each in seats)))
    return TableResult(
        ("table", "", *(str(number) for number in range(1, 6))),
        tuple(rows),
        note=f"Units per hand, ± 95 %, over {size_of(run).fair_hands:,} hands of five players of one style. Position 1 "
        "is to the left of the dealer and acts first, 5 is the dealer.",
    )


def _fair_players(run: Run) -> Estimate:
    return _ahead(each for players, _ in run.once(_fair_hands).values() for each in players)


def _fair_seats(run: Run) -> Estimate:
    return _ahead(each for _, seats in run.once(_fair_hands).values() for each in seats)


# Figures 4 and 5: learning curves.


def _curve(table: str) -> Callable[[Run], FigureResult]:
    def measure(run: Run) -> FigureResult:
        found = run.once(SEASONS[table])
        end = at(TRAINED) + 1
        units, hands = found.units[:, :end, 0], SAMPLES[:end]
        centre = units.mean(axis=0)
        half = np.array([mean(column).half_width for column in units.T])
        lowest = int(centre.argmin())
        broke = 100 * (units.min(axis=1) <= 0).mean()

        def draw(axes: Axes) -> None:
            axes.fill_between(hands, centre - half, centre + half, alpha=0.3, label="95 % interval of the mean")
            axes.plot(hands, centre, label=f"mean of {found.runs} runs")
            for number in range(min(3, found.runs)):
                axes.plot(hands, units[number], linewidth=0.6, alpha=0.6, color="grey")
            axes.axhline(START, color="black", linewidth=0.5)
            axes.set_xlabel("hands")
            axes.set_ylabel("units")
            axes.legend()

        rows = tuple(
            (
                f"{hand:,}",
                _spread(mean(units[:, at(hand)])),
                *(f"{units[i, at(hand)]:,.0f}" for i in range(3)),
            )
            for hand in (100, 350, 650, 1000, 1300, 2000, 2650, 3600, 5000)
        )
        return FigureResult(
            draw,
            f"The adaptive player's units over 5,000 hands against four {table} players: on average they fall to "
            f"{centre[lowest]:,.0f} at hand {hands[lowest]:,}, and are {centre[-1]:,.0f} at the end.",
            TableResult(("hand", "units", "run 1", "run 2", "run 3"), rows),
            f"Means of {found.runs} runs. On average the lowest point is {centre[lowest]:,.0f} at hand "
            f"{hands[lowest]:,}. In {broke:.0f} % of the runs it lost all 10,000 units at some point.",
        )

    return measure


def _slope(table: str, first: int, last: int) -> Callable[[Run], Estimate]:
    """Return a measurement of the units won per hand between these hands."""
    return lambda run: mean(run.once(SEASONS[table]).won(0, first, last) / (last - first))


def _units(table: str, hand: int) -> Callable[[Run], Estimate]:
    return lambda run: mean(run.once(SEASONS[table]).units[:, at(hand), 0])


def _turning(run: Run, table: str) -> Estimate:
    """Return the hand among the first 5,000 at which a run's units are lowest."""
    units = run.once(SEASONS[table]).units[:, : at(TRAINED) + 1, 0]
    return mean(SAMPLES[units.argmin(axis=1)].astype(float))


def _faster(run: Run) -> Estimate:
    return difference(_turning(run, "tight-aggressive"), _turning(run, "loose-aggressive"))


# Table 6 and Figure 6.


def _table_6(run: Run) -> TableResult:
    rows, wrong = [], set()
    for table, printed in TABLE_6.items():
        found = run.once(SEASONS[table])
        for player, (units, played, won) in enumerate(printed):
            got = mean(START + found.won(player))
            counts = [found.counted(player, what) for what in (PLAYED, WON)]
            label = "adaptive" if player == 0 else f"{table} {player}"
            measured = f"{counts[0].mean():.0f}/{counts[1].mean():.0f}"
            rows.append((table, label, f"{units:,}", _spread(got), f"{played}/{won}", measured))
            # The paper prints means of five runs, which lie within this range with a probability above 99.9 %.
            if abs(units - got.value) > 4 * found.won(player).std(ddof=1) / 5**0.5 + got.half_width:
                wrong.add(len(rows) - 1)
    return TableResult(
        ("table", "player", "units, printed", "units", "played/won, printed", "played/won"),
        tuple(rows),
        frozenset(wrong),
        f"1,000 hands after 5,000 hands of training; means of {run.once(SEASONS[TABLE_5_AT]).runs} runs, ± 95 % (the "
        "paper has five). A hand is played if the player wanted to call or raise. The adaptive player keeps learning.",
    )


def _printed_sums(run: Run) -> TableResult:
    rows, wrong = [], set()
    for number, (table, printed) in enumerate(TABLE_6.items()):
        total, won = (sum(row[what] for row in printed) for what in (0, 2))
        found = run.once(SEASONS[table])
        measured = sum(found.counted(player, WON).mean() for player in range(5))
        rows.append((table, f"{total:,}", f"{total - 5 * START:+,}", f"{won:,}", f"{measured:,.0f}"))
        if abs(total - 5 * START) > 50:
            wrong.add(number)
    return TableResult(
        ("table", "units of all five", "difference", "hands won", "hands won, measured"),
        tuple(rows),
        frozenset(wrong),
        "Five players with 10,000 units each have 50,000 in total. Three tables are off by 0, 11 and 15, which "
        "rounding and split pots explain, but 756 units are missing at the tight-passive table. The hands won add up "
        "to less than 1,000: if everybody checks a hand they meant to fold, nobody is counted as the winner.",
    )


def _won_by(places: Iterable[tuple[str, int]], run: Run) -> Estimate:
    """Return the units won in 1,000 hands after training, averaged over these players and tables."""
    by_table: dict[str, list[NDArray[np.float64]]] = {}
    for table, player in places:
        by_table.setdefault(table, []).append(run.once(SEASONS[table]).won(player))
    parts = [mean(np.mean(rows, axis=0)) for rows in by_table.values()]
    value = sum(part.value for part in parts) / len(parts)
    half = sum(part.half_width**2 for part in parts) ** 0.5 / len(parts)
    return Estimate(value, value - half, value + half, parts[0].count)


def _beats(table: str) -> Callable[[Run], Estimate]:
    return lambda run: _won_by([(table, 0)], run)


def _loose_pays_more(run: Run) -> Estimate:
    loose, tight = (_won_by([(table, 0) for table in tables], run) for tables in (LOOSE, TIGHT))
    return difference(loose, tight)


def _loose_loses_more(run: Run) -> Estimate:
    others = range(1, 5)
    tight, loose = (_won_by([(table, i) for table in tables for i in others], run) for tables in (TIGHT, LOOSE))
    return difference(tight, loose)


def _plays_more(run: Run) -> Estimate:
    gaps = []
    for table in STYLES:
        found = run.once(SEASONS[table])
        gaps.append(found.counted(0, PLAYED) - np.mean([found.counted(i, PLAYED) for i in range(1, 5)], axis=0))
    return mean(np.mean(gaps, axis=0))


def _loose_plays_more(run: Run) -> Estimate:
    loose, tight = (
        np.mean([run.once(SEASONS[table]).counted(i, PLAYED) for table in tables for i in range(1, 5)], axis=0)
        for tables in (LOOSE, TIGHT)
    )
    return mean(loose - tight)


def _fewer_played(run: Run) -> Estimate:
    """Return how far the share of hands played falls from the first 500 hands to hands 2,500 to 3,000."""
    found = run.once(SEASONS[TABLE_5_AT])
    return mean((found.counted(0, PLAYED, 0, 500) - found.counted(0, PLAYED, 2_500, 3_000)) / 500)


def _larger_share(run: Run) -> Estimate:
    """Return how far the share of played hands that are won grows between the same hands."""
    found = run.once(SEASONS[TABLE_5_AT])
    shares = [
        found.counted(0, WON, first, last) / np.maximum(1, found.counted(0, PLAYED, first, last))
        for first, last in ((0, 500), (2_500, 3_000))
    ]
    return mean(shares[1] - shares[0])


def _played_at_end(run: Run) -> Estimate:
    return mean(run.once(SEASONS[TABLE_5_AT]).counted(0, PLAYED, 2_500, 3_000) / 500)


def _figure_6(run: Run) -> FigureResult:
    found = run.once(SEASONS[MIXED])
    names = ("adaptive", *STYLES)
    first = at(TRAINED)
    units = START + found.units[:, first:] - found.units[:, first : first + 1]
    hands = SAMPLES[first:] - TRAINED

    def draw(axes: Axes) -> None:
        for player, name in enumerate(names):
            axes.plot(hands, units[:, :, player].mean(axis=0), label=name)
        axes.set_xlabel("hands after training")
        axes.set_ylabel("units")
        axes.legend()

    won = [mean(START + found.won(player)) for player in range(5)]
    order = sorted(range(5), key=lambda player: -won[player].value)
    rows = tuple(
        (names[i], _spread(won[i]), *(f"{found.counted(i, what).mean():.0f}" for what in (PLAYED, WON))) for i in order
    )
    return FigureResult(
        draw,
        f"Units over 1,000 hands at a table with one player of each kind; {names[order[0]]} ends first, "
        f"{names[order[-1]]} last.",
        TableResult(("player", "units", "played", "won"), rows),
        f"Means of {found.runs} runs after 5,000 hands of training, ± 95 %: "
        + ", ".join(f"{names[i]} {won[i].value:,.0f}" for i in order),
    )


def _first_of_mixed(run: Run) -> Estimate:
    found = run.once(SEASONS[MIXED])
    others = [mean(found.won(0) - found.won(player)) for player in range(1, 5)]
    return min(others, key=lambda lead: lead.low)


def _loose_worse_in_mixed(run: Run) -> Estimate:
    found = run.once(SEASONS[MIXED])
    return mean((found.won(3) + found.won(4) - found.won(1) - found.won(2)) / 2)


# Values over time.


def _heat_map(run: Run) -> FigureResult:
    found = run.once(SEASONS[TABLE_5_AT])
    end = at(TRAINED) + 1
    values = found.values[:, :end].mean(axis=0)

    def draw(axes: Axes) -> None:
        shown = axes.imshow(
            values.T, aspect="auto", origin="lower", vmin=1, vmax=10, extent=(0, TRAINED, -0.5, len(NAMES) - 0.5)
        )
        marks = [i for i, name in enumerate(NAMES) if " 2" in name or name == "0" or " 5 High" in name]
        axes.set_yticks(marks, [NAMES[i] for i in marks], fontsize=6)
        axes.set_xlabel("hands")
        axes.figure.colorbar(shown, label="learning value")

    hands = (100, 500, 1_000, 2_000, 5_000)
    rows = tuple((name, *(f"{values[at(hand), i]:.1f}" for hand in hands)) for i, name in enumerate(NAMES))
    below = [name for i, name in enumerate(NAMES) if values[-1, i] < adaptive.CALLS_FROM]
    return FigureResult(
        draw,
        "A heat map of learning values by class of hand over 5,000 hands: weak hands fall first, strong ones stay.",
        TableResult(("hand", *(f"after {hand:,}" for hand in hands)), rows),
        f"Means of {found.runs} runs at the {TABLE_5_AT} table. After 5,000 hands it folds, on average: "
        f"{', '.join(below) or 'none'}.",
    )


AFTER = "Units won in 1,000 hands after 5,000 of training."

PAPER = Paper(
    "adaptive-draw",
    "An Investigation of an Adaptive Poker Player",
    "Graham Kendall, Mark Willdig",
    (
        Table("examples", "Figures 1 to 3: the rule, worked", _examples),
        Table("fairness", "Tables of one style", _fair),
        Claim(
            "fair-players",
            "At tables of similar players the game is fair: no single player dominates",
            "no number; read as: none of 20 players is ahead or behind beyond chance",
            Between(high=0),
            _fair_players,
        ),
        Claim(
            "fair-positions",
            "… and no position",
            "no number; read as: none of 20 positions is ahead or behind beyond chance",
            Between(high=0),
            _fair_seats,
        ),
        Table("table-5", "Table 5: hands played and won during training", _table_5),
        Table("readings", "Other readings compared with Table 5", _readings),
        Claim(
            "fewer-played",
            "The percentage of hands played gradually falls (Table 5)",
            "from 78.6 % of 500 hands to 48.6 % of the last 500",
            Between(low=0),
            _fewer_played,
        ),
        Claim(
            "larger-share-won",
            "… yet the share of played hands that are won increases",
            "from 31.3 % of 500 hands to 31.3 % of the last 500 (33.6 % of all)",
            Between(low=0),
            _larger_share,
            "From the printed counts: 76 of 243 hands from 2,500 to 3,000, the same share as of the first 500.",
        ),
        Claim(
            "less-than-half",
            "At the end of the training period less than half of the hands are being played",
            "48.6 % from 2,500 to 3,000",
            Between(high=0.5),
            _played_at_end,
        ),
        Figure("figure-4", "Figure 4: learning curve against loose-aggressive players", _curve("loose-aggressive")),
        Figure("figure-5", "Figure 5: learning curve against tight-aggressive players", _curve("tight-aggressive")),
        *(
            claim
            for table, start, late in (("loose-aggressive", 350, 1_300), ("tight-aggressive", 650, 2_650))
            for claim in (
                Claim(
                    f"loses-{table}",
                    f"Against {table} players it loses at first (until hand {start})",
                    f"falling until {start}",
                    Between(high=0),
                    _slope(table, 0, start),
                    "Units per hand.",
                ),
                Claim(
                    f"wins-later-{table}",
                    f"… and wins from about hand {late:,} on",
                    f"rising from {late:,}",
                    Between(low=0),
                    _slope(table, late, TRAINED),
                    "Units per hand until hand 5,000.",
                ),
            )
        ),
        Claim(
            "levels-off",
            "Against loose-aggressive players the losing streak levels off between hands 350 and 1,300",
            "no number; read as: it loses less per hand than before",
            Between(low=0),
            lambda run: difference(
                _slope("loose-aggressive", 350, 1_300)(run), _slope("loose-aggressive", 0, 350)(run)
            ),
        ),
        Claim(
            "back-loose",
            "Against loose-aggressive players it eventually has more than it started with (Figure 4)",
            "more than 10,000 by 5,000 hands",
            Between(low=START),
            _units("loose-aggressive", 5_000),
        ),
        Claim(
            "back-tight",
            "Against tight-aggressive players it is back in the black by hand 3,600 (Figure 5)",
            "10,000 at 3,600",
            Between(low=START),
            _units("tight-aggressive", 3_600),
        ),
        Claim(
            "faster-against-loose",
            "Learning against loose-aggressive players is quicker",
            "lowest before 1,300 against 2,650 hands; read as: the lowest point comes earlier",
            Between(low=0),
            _faster,
            "Hands between the two lowest points, in runs of 5,000.",
        ),
        Table("table-6", "Table 6: after training, against one style", _table_6),
        Table("printed-sums", "Totals of the printed table", _printed_sums),
        *(
            Claim(
                f"beats-{table}",
                f"The evolved player beats the table of {table} players (Table 6)",
                f"{TABLE_6[table][0][0] - START:+,} units",
                Between(low=0),
                _beats(table),
                AFTER,
            )
            for table in STYLES
        ),
        Claim(
            "more-from-loose",
            "It wins more against loose players than against tight ones",
            f"{sum(TABLE_6[t][0][0] for t in LOOSE) / 2 - sum(TABLE_6[t][0][0] for t in TIGHT) / 2:+,.0f} units",
            Between(low=0),
            _loose_pays_more,
        ),
        Claim(
            "loose-lose-more",
            "Loose players lose more than tight ones (Table 6)",
            "−1,120 against −338 units on average",
            Between(low=0),
            _loose_loses_more,
        ),
        Claim(
            "plays-more",
            "The evolving player takes part in more hands than the others",
            "452 of 1,000 against 258",
            Between(low=0),
            _plays_more,
        ),
        Claim(
            "loose-play-more",
            "Loose players play more hands than tight ones",
            "359 of 1,000 against 157",
            Between(low=0),
            _loose_plays_more,
        ),
        Figure("figure-6", "Figure 6: one player of each kind", _figure_6),
        Claim(
            "first-of-mixed",
            "With one of each style at the table it beats all the others (Figure 6)",
            "no number; read as: more units than the next best player",
            Between(low=0),
            _first_of_mixed,
        ),
        Claim(
            "loose-worse-in-mixed",
            "At the mixed table loose players do worse than tight ones",
            "no number; read as: fewer units on average",
            Between(low=0),
            _loose_worse_in_mixed,
        ),
        Figure("values", "Learning values by hand over time", _heat_map),
        Table(
            "evolution",
            "Beyond: an evolution strategy instead of steps of 0.1",
            adaptive_draw_beyond.evolution_table,
        ),
        Claim(
            "evolved-better",
            "Beyond: evolved values win more than learned ones at the mixed table",
            "planned in the paper, not carried out",
            Between(low=0),
            adaptive_draw_beyond.evolved_better,
            "Units per hand.",
        ),
        Figure("co-evolution", "Beyond: co-evolution of strategies", adaptive_draw_beyond.co_evolution),
        Table("champion", "Beyond: the champion at every table", adaptive_draw_beyond.champion_table),
        Claim(
            "champion-beats-all",
            "Beyond: the champion wins, and more than anybody else, at every table",
            "not in the paper",
            Between(low=0),
            adaptive_draw_beyond.champion_beats_all,
            "At the table with the least certain lead, in units per hand.",
        ),
        Table("bluffing", "Beyond: what bluffing is worth", adaptive_draw_beyond.bluffing),
        Table("exploiters", "Beyond: who can be exploited heads-up", adaptive_draw_beyond.exploiters),
        Claim(
            "not-run-over",
            "Beyond: a rival bred to beat the champion wins less per hand than the champion would lose by folding",
            "not in the paper; always folding costs 1",
            Between(high=1),
            adaptive_draw_beyond.run_over,
        ),
    ),
    readings=(
        "A player who wants to fold checks if that is free. Otherwise a loose style could play at most 27.1 % of its "
        "hands and a tight one 7.6 %, aggressive or passive alike. Table 6 prints 34 to 39 % and 10 to 22 %, which "
        "fits if such hands see the draw for free.",
        "A hand is played if the player wanted to call or raise in either round, even if that cost nothing: only then "
        "do the hands played come close to Table 6.",
        "A betting round goes around the table at most three times; in the last turn nobody may raise. A raise may be "
        "smaller than the one before it, as the tables' fixed raises require.",
        "A learning value falls after a fold that follows a call or raise, as printed, and after a lost showdown; "
        "otherwise it could never start to fall. Hands without a pair are one class, the 0 of the tables.",
        "Players draw sensibly: they stand pat on a straight or better, keep pairs and three of a kind, draw one card "
        "to a four-card flush or straight, and otherwise discard the two lowest unpaired cards. A hand between two "
        "rows of a style's table uses the upper row.",
        "Units are counted as if everyone had 10,000 at the start of every hand.",
    ),
    key=lambda: cache.key(__file__),
)
