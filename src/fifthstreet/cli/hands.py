"""Single hands: their strength, their equity, what to discard."""

from pathlib import Path

import click

from fifthstreet.cli.options import example, json_option, seed_option, workers_option
from fifthstreet.errors import InputError
from fifthstreet.terminal import print_table, progress, show, show_json


@click.command(epilog=example("evaluate AhKhQhJhTh", "evaluate Ah Ad 7c 7d 2s 9h 3c --json"))
@click.argument("cards", nargs=-1, required=True)
@json_option
def evaluate(cards: tuple[str, ...], as_json: bool) -> None:
    """Show the strength of five to seven CARDS and its name.

    Strength goes from 1 (seven high) to 7462 (a royal flush).
    """
    # The readable rules are fast enough for one hand, and start without a compiler.
    from fifthstreet.cards import parse_cards
    from fifthstreet.evaluation.hand import describe, strength

    found = parse_cards(" ".join(cards))
    value = strength(found)
    if as_json:
        show_json({"cards": [str(card) for card in found], "strength": value, "name": describe(value)})
    else:
        click.echo(f"{' '.join(map(str, found))}: {describe(value)} (strength {value:,} of 7,462)")


@click.command(epilog=example("equity AhKh QdQc --board 2c3d4h", 'equity "AKs, 77+" random --samples 1000000'))
@click.argument("hands", nargs=-1, required=True)
@click.option("--board", default="", help="The board so far, like 2c3d4h.")
@click.option("--dead", default="", help="Cards that cannot come, because they were seen elsewhere.")
@click.option("--samples", type=int, help="Sample this many deals, up to 1,000,000,000, instead of enumerating.")
@click.option("--exact", is_flag=True, help="Enumerate all deals, however long it takes.")
@seed_option
@workers_option
@json_option
def equity(
    hands: tuple[str, ...],
    board: str,
    dead: str,
    samples: int | None,
    exact: bool,
    seed: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Show the equity of 2 to 10 HANDS or ranges.

    Equity is the share of the pot that a hand wins on average.
    """
    from fifthstreet.evaluation.equity import equity as compute

    if exact and samples is not None:
        raise InputError("--exact and --samples exclude each other")
    with progress("dealing", unit="boards") as report:
        result = compute(
            hands,
            board,
            dead,
            exact=exact or None,
            samples=samples,
            seed=seed,
            workers=workers,
            report=report,
        )
    show(result, as_json)


@click.command(epilog=example("preflop --players 6", "preflop --csv 2_unsuited.csv"))
@click.option("--players", type=click.IntRange(2, 10), default=2, show_default=True, help="Players at the table.")
@click.option(
    "--csv",
    "file",
    type=click.Path(path_type=Path),
    help="Write the pairs and offsuit hands to this file, a row for each lower card from the deuce up.",
)
@click.option("--suited", is_flag=True, help="Write the suited hands to the file instead.")
@json_option
def preflop(players: int, file: Path | None, suited: bool, as_json: bool) -> None:
    """Show the equity of the 169 starting hands.

    Every opponent has a random hand.
    """
    from fifthstreet import cache
    from fifthstreet.evaluation.preflop import preflop_table, triangle
    from fifthstreet.evaluation.ranges import CLASSES

    if suited and file is None:
        raise InputError("--suited says which hands --csv writes, and there is no --csv")
    table = preflop_table(players)
    if file is not None:
        text = "".join(f"{','.join(row)}\n" for row in triangle(table, suited))
        try:
            with cache.replacing(file) as written:
                written.write(text.encode())
        except OSError as error:
            raise InputError(f"cannot write {str(file)!r}: {error.strerror or error}") from None
    if as_json:
        show_json([vars(entry) for entry in table.values()])
        return
    rows = []
    for row in range(13):
        names = CLASSES[13 * row : 13 * row + 13]
        rows.append([f"{name}\n{100 * table[name].share:.2f}" for name in names])
    print_table(f"Share of the pot in %, {players} players", [""] * 13, rows, right=0)
    widest = max(entry.half_width for entry in table.values())
    click.echo("exact" if players == 2 else f"sampled, 95 % intervals of at most ± {100 * widest:.3f}")


@click.command(epilog=example("discards AhKhQhJh2c", "discards AhAd7c6d2s --most 3"))
@click.argument("hand", nargs=-1, required=True)
@click.option("--most", type=click.IntRange(0, 5), default=5, show_default=True, help="Most cards to discard.")
@json_option
def discards(hand: tuple[str, ...], most: int, as_json: bool) -> None:
    """Show what every discard of a five-card HAND leads to.

    The exact mean strength after the draw, over all cards that can come.
    """
    from fifthstreet.cards import show as show_cards
    from fifthstreet.evaluation.discards import discards as count

    found = count(" ".join(hand), most)
    if as_json:
        show_json([each.to_dict() for each in found])
        return
    rows = [[show_cards(each.cards) or "nothing", f"{each.worth:,.1f}", f"{each.hands:,}"] for each in found]
    print_table("", ["discard", "mean strength", "hands"], rows)
    click.echo("exact; strength goes from 1 (seven high) to 7,462 (a royal flush)")
