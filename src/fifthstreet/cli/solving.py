"""Optimal play, and how far agents are from it."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fifthstreet import cache
from fifthstreet.cli.options import example, json_option, seed_option, unchecked_option
from fifthstreet.cli.spots import SpotOptions, solve_spot, spot_options
from fifthstreet.terminal import print_table, progress, show_json

if TYPE_CHECKING:
    from fifthstreet.solvers.solution import Look

quiet_option = click.option("--quiet", is_flag=True, help="Hide progress and what is compiled.")


@click.command(
    epilog=example(
        "solve leduc --until 0.0001",
        "solve leduc --keep leduc.npz",
        'solve holdem --board "Qs Jh 2h 8d" --range "QQ+,AQs,KJs" --against "JJ-99,QTs+" --pot 180 --stack 910',
    )
)
@click.argument("game")
@click.option("--method", default="discounted", show_default=True, help="cfr, cfr+, linear, discounted, predictive, or "
              "external or outcome sampling for games too large to enumerate.")  # fmt: skip
@click.option("--until", type=float, help="Stop below this exploitability: in chips per deal (default: 0.001), for a "
              "hold'em spot in per cent of the pot (default: 0.5).")  # fmt: skip
@click.option("--iterations", type=click.IntRange(1, 10**9), help="Stop after this many iterations.")
@click.option("--simultaneous", is_flag=True, help="Update both players at once, not one after the other.")
@click.option("--keep", type=click.Path(path_type=Path), metavar="FILE", help="Write the strategy to this .npz file.")
@spot_options
@seed_option
@quiet_option
@json_option
def solve(
    game: str,
    method: str,
    until: float | None,
    iterations: int | None,
    simultaneous: bool,
    keep: Path | None,
    seed: int,
    quiet: bool,
    as_json: bool,
    **spot: Any,
) -> None:
    """Find optimal play in GAME, a zero-sum game for two players, or in a spot of heads-up hold'em after the flop.

    Shows the value of the game, how much a perfect opponent would still win, and the strategy. A kept strategy plays as
    an agent wherever agents are named.

    With a board or a spot, GAME is holdem. --range is the side that acts first, --against the other.
    """
    from fifthstreet.errors import InputError

    if asked := SpotOptions.of(spot):
        if game != "holdem":
            raise InputError(f"{game!r} has no spots: a board and ranges are for holdem")
        cache.announcing = not quiet
        solve_spot(asked, until, iterations, keep, quiet, as_json)
        return
    from fifthstreet.solvers.solution import UNTIL
    from fifthstreet.solvers.solution import solve as find

    if keep and keep.suffix != ".npz":
        raise InputError(f"--keep {str(keep)!r}: the name of a kept strategy ends in .npz")
    cache.announcing = not quiet
    with progress("solving", quiet, as_json) as display:
        first: list[float] = []

        def report(look: "Look") -> None:
            text = f"solving, {look.iterations:,} iterations"
            if look.exploitability is None:
                display.about(text, look.iterations, iterations or look.iterations)
                return
            first.append(max(look.exploitability, 1e-12))  # exploitability falls by the same factor in the same time
            to_go = math.log(max(first[0], 1e-9) / (until or UNTIL))
            done = math.log(first[0] / first[-1]) / to_go if to_go > 0 else 1.0
            display.about(f"{text}, exploitability {look.exploitability:.2g}", int(1000 * min(done, 0.999)), 1000)

        found = find(game, method, until, iterations, alternating=not simultaneous, seed=seed, report=report)
    if keep:
        found.strategy.save(keep)
    if as_json:
        show_json(found.to_dict())
        return
    columns, rows, caption = found.table()
    print_table("", columns, rows)
    click.echo(caption)
    if keep:
        click.echo(f"kept in {keep}")


@click.command(epilog=example("exploit leduc equilibrium random", "exploit kuhn ./mine.py:Careful --samples 10000"))
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option("--samples", type=click.IntRange(10, 10**6), default=1000, show_default=True,
              help="Decisions of an agent that does not state its probabilities, in each information set.")  # fmt: skip
@unchecked_option
@seed_option
@quiet_option
@json_option
def exploit(game: str, agents: tuple[str, ...], samples: int, seed: int, quiet: bool, as_json: bool) -> None:
    """Show how much a perfect opponent wins against AGENTS in GAME, and how.

    The opponent knows how the agent plays, but not its cards. The game must be small enough to be enumerated.
    """
    from fifthstreet.arena.exploit import compared, exploitability

    cache.announcing = not quiet
    found = []
    for agent in agents:
        with progress(f"asking {agent}", quiet, as_json) as display:
            found.append(exploitability(game, agent, samples=samples, seed=seed, report=display))
    if as_json:
        show_json({"game": found[0].game, "agents": [each.to_dict() for each in found]})
        return
    for each in found:
        columns, rows, caption = each.table()
        if rows:
            print_table("", columns, rows, right=2)
        click.echo(caption + "\n")
    if len(found) > 1:
        columns, rows, caption = compared(found)
        print_table("", columns, rows, right=None)
        click.echo(caption)
