"""Spots of heads-up hold'em: solved, shown as a chart, and jam or fold before the flop."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fifthstreet import cache
from fifthstreet.cli.options import example, json_option
from fifthstreet.terminal import print_table, progress, show_json

if TYPE_CHECKING:
    from fifthstreet.solvers.spot import Spot
    from fifthstreet.solvers.spot_solution import Position
    from fifthstreet.solvers.spot_solver import Look


@dataclass(frozen=True)
class SpotOptions:
    """What `solve holdem` is given besides the options of every solution."""

    board: str | None = None
    range: str | None = None
    against: str | None = None
    pot: int | None = None
    stack: int | None = None
    sizes: str | None = None
    raise_cap: int | None = None
    spot: Path | None = None
    hand: str | None = None
    at: str | None = None
    lock: tuple[str, ...] = ()
    workers: int | None = None
    again: bool = False

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "SpotOptions | None":
        """The options, or None if no board, range or spot is given."""
        found = cls(**given)
        return found if any(getattr(found, each.name) not in (None, (), False) for each in fields(cls)) else None

    def to_spot(self) -> "Spot":
        from fifthstreet.errors import InputError, quoted
        from fifthstreet.solvers.spot import Spot

        if self.spot is not None:
            try:
                given = json.loads(self.spot.read_text(encoding="utf-8"))
            except OSError as error:
                raise InputError(f"{str(self.spot)!r} cannot be read: {error.strerror}") from None
            except ValueError:
                raise InputError(f"{str(self.spot)!r} does not hold a spot as JSON") from None
            return Spot.from_dict(given)
        missing = [name for name in ("board", "range", "against", "pot", "stack") if getattr(self, name) is None]
        if missing:
            raise InputError(
                f"a spot needs --{missing[0]}: give --board, --range, --against, --pot and --stack, or --spot"
            )
        assert self.range is not None and self.against is not None and self.pot is not None and self.stack is not None
        sizes = self.sizes if self.sizes is not None else "50% 100% all-in"
        if not sizes.strip():
            raise InputError(f"--sizes {quoted(sizes)} names no size: give some, like '50% 100% all-in'")
        return Spot.of(self.board, self.range, self.against, self.pot, self.stack, sizes, self.raise_cap)


def spot_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a spot to a command."""
    for option in reversed(
        (
            click.option("--board", help="Solve a hold'em spot on this board of 3 to 5 cards, like 'Qs Jh 2h 8d'."),
            click.option("--range", "range", help="The hands of the side that acts first, like 'AKs, 77+'."),
            click.option("--against", help="The hands of the other side."),
            click.option("--pot", type=int, help="Chips in the pot."),
            click.option("--stack", type=int, help="Chips that each side has behind."),
            click.option(
                "--sizes",
                help="Bets and raises: '50% 100% all-in', or 'flop 33%; turn, river 75% / all-in' "
                "with raises after '/'.",
            ),
            click.option("--raise-cap", type=int, help="The most raises after a bet on a street."),
            click.option("--spot", type=click.Path(path_type=Path), metavar="FILE", help="Read the spot from JSON."),
            click.option("--hand", help="Show only this hand, like AsKs."),
            click.option("--at", help="Show the strategy after these actions and cards, like 'check, bet 90'."),
            click.option(
                "--lock",
                multiple=True,
                metavar="PLACE=PLAY",
                help="Fix play: 'ip=eva' is everything an agent "
                "does, 'check, bet 90=any fold 0.5 call 0.5' is one decision.",
            ),
            click.option("--workers", type=click.IntRange(1, 64), help="Threads for flops (default: all cores)."),
            click.option("--again", is_flag=True, help="Solve again what was solved before."),
        )
    ):
        command = option(command)
    return command


def solve_spot(
    options: SpotOptions, until: float | None, iterations: int | None, keep: Path | None, quiet: bool, as_json: bool
) -> None:
    """Solve a spot and show it."""
    from fifthstreet.errors import InputError
    from fifthstreet.solvers import solve_spot as solver

    if keep and keep.suffix != ".npz":
        raise InputError(f"--keep {str(keep)!r}: the name of a kept solution ends in .npz")
    asked = options.to_spot()
    wanted = until if until is not None else solver.UNTIL if iterations is None else 1e-9
    with progress("solving", quiet, as_json) as display:
        first: list[float] = []

        def report(look: "Look") -> None:
            first.append(max(look.exploitability, 1e-9))
            to_go = math.log(first[0] / wanted)
            done = math.log(first[0] / first[-1]) / to_go if to_go > 0 else 1.0
            text = f"solving, {look.iterations:,} iterations, exploitability {look.exploitability:.3g} % of the pot"
            display.about(text, int(1000 * max(0.0, min(done, 0.999))), 1000)

        found = solver.solve_spot(
            asked,
            until=wanted,
            iterations=iterations,
            locks=_locks(options.lock, asked),
            workers=options.workers,
            cached=not options.again,
            report=report,
        )
    if keep:
        found.save(keep)
    steps = [step.strip() for step in (options.at or "").split(",") if step.strip()]
    place = found.at(*steps)
    if options.hand is not None:
        _show_hand(place, options.hand, as_json)
        return
    if as_json:
        show_json(found.to_dict() | ({"at": place.to_dict()} if steps else {}))
        return
    click.echo(str(found))
    click.echo(str(place))
    _draw(place)
    if keep:
        click.echo(f"kept in {keep}")


def _locks(given: Sequence[str], spot: "Spot") -> dict[str, Any] | None:
    """Fixed play from the command line."""
    if not given:
        return None
    from fifthstreet.arena.spots import locks_of, play_of

    return locks_of(given, lambda agent: play_of(agent, spot))


def _show_hand(place: "Position", hand: str, as_json: bool) -> None:
    """What one hand does, and what it is worth."""
    from fifthstreet.cards import cards, show
    from fifthstreet.errors import InputError

    given = cards(hand)
    if len(given) != 2:
        raise InputError(f"--hand {hand!r} has {len(given)} cards: a hand has 2")
    name = show(sorted(given, reverse=True))
    rows = [row for row in place.hands() if row["hand"] == name]
    if not rows:
        raise InputError(f"--hand {hand!r}: {name} is not in the range of {place.side} on {show(place.board)}")
    if as_json:
        show_json(rows[0])
        return
    row = rows[0]
    cells = [[action, f"{row[action]:.1%}", f"{row[f'ev of {action}']:,.2f}"] for action in place.actions]
    print_table("", ["action", "how often", "EV"], cells)
    click.echo(f"{name}: EV {row['ev']:,.2f}, equity {row['equity']:.1%}")


def _draw(place: "Position") -> None:
    """The strategy as a coloured chart of 13 × 13; without colours, as the most frequent action of each class."""
    import io
    import sys

    from rich.console import Console
    from rich.text import Text

    from fifthstreet.evaluation.ranges import CLASSES
    from fifthstreet.solvers.spot_solution import colours

    palette = colours(place.actions)
    letters = _letters(place.actions)
    text = Text()
    for i, row in enumerate(place.grid()):
        for j, cell in enumerate(row):
            name = CLASSES[13 * i + j]
            if cell is None or not place.actions:
                text.append(f" {name if cell else '·':<3}   ", style="dim")
                continue
            shares = [cell[action] for action in place.actions]
            red, green, blue = (round(sum(share * colour[k] for share, colour in zip(shares, palette, strict=True)))
                                for k in range(3))  # fmt: skip
            most = max(range(len(shares)), key=shares.__getitem__)
            mixed = f"{letters[most]}{'' if shares[most] > 0.95 else '~'}"
            text.append(f" {name:<3}{mixed:<2} ", style=f"white on rgb({red},{green},{blue})")
        text.append("\n")
    keys = [f"{letter} {action}" for letter, action in zip(letters, place.actions, strict=True)]
    buffer, at_terminal = io.StringIO(), sys.stdout.isatty()
    Console(
        file=buffer, width=130, force_terminal=at_terminal, color_system="truecolor" if at_terminal else None
    ).print(text, end="")
    click.echo("\n".join(line.rstrip() for line in buffer.getvalue().rstrip().splitlines()))
    if keys:
        click.echo(f"{', '.join(keys)}; ~ sometimes something else")


def _letters(actions: Sequence[str]) -> list[str]:
    """A letter for each action: c for a check or call, f for a fold, A for the all-in, 1, 2, … for other sizes."""
    found, sizes = [], 0
    for action in actions:
        word = action.split()[0]
        if word in ("bet", "raise"):
            sizes += 1
        found.append({"fold": "f", "check": "c", "call": "c", "allin": "A"}.get(word, str(sizes)))
    return found


@click.command("push-fold", epilog=example("push-fold --stack 10", "push-fold --stack 15 --ante 0.125 --json"))
@click.option("--stack", type=float, required=True, help="Big blinds that each player had before posting: 1 to 25.")
@click.option("--ante", type=float, default=0.0, show_default=True, help="The ante of each player, in big blinds.")
@click.option("--players", type=click.IntRange(2, 3), default=2, show_default=True, help="Players at the table.")
@json_option
def push_fold(stack: float, ante: float, players: int, as_json: bool) -> None:
    """Show exact jam-or-fold play before the flop, for short stacks.

    Heads-up, the small blind jams or folds and the big blind calls or folds.
    """
    from fifthstreet.solvers import push_fold as solver

    cache.announcing = not as_json
    found = solver.push_fold(stack, ante) if players == 2 else solver.three_handed(stack, ante)
    if as_json:
        show_json(found.to_dict())
        return
    for title, chart in found.charts():
        click.echo(f"{title}\n{chart}\n")
    click.echo(str(found))
