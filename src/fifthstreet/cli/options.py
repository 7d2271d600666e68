"""Options that several commands share."""

import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields

import click

from fifthstreet import cache

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON; errors are JSON too, on stderr.")
workers_option = click.option("--workers", type=click.IntRange(1, 64), help="Number of workers (default: all cores).")
seed_option = click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same result.")
store_option = click.option("--store", metavar="FILE", help="Keep results in this file; none keeps nothing.")
time_limit_option = click.option(
    "--time-limit",
    type=float,
    metavar="SECONDS",
    help="Processor time for each decision of agents in Python; the match ends where one takes longer.",
)


def _leave_unchecked(_context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        os.environ["FIFTHSTREET_UNCHECKED"] = "1"  # also for worker processes; see compiler.UNCHECKED


unchecked_option = click.option(
    "--unchecked",
    is_flag=True,
    expose_value=False,
    callback=_leave_unchecked,
    help="Compile kernels in files of your own without checking every index.",
)


@dataclass(frozen=True)
class Options:
    """What every command that plays is given: how to play, where to keep results, how to show them."""

    workers: int | None = None  # None: all cores
    engine: str = "threads"
    cluster: str | None = None  # the address of a Dask cluster
    store: str | None = None  # a file; "none" keeps nothing, None is the user's own store
    quiet: bool = False
    as_json: bool = False
    command: str = field(default="", kw_only=True)
    given: Mapping[str, object] = field(default_factory=dict, kw_only=True)  # its own parameters, which name a run

    def parameters(self) -> dict[str, object]:
        """These options as click names them."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self) if not entry.kw_only}


def plays(*display: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options of a command that plays; the decorated function is given them as one `Options`.

    Parameters named in `display` change only how a result is shown, so they are not part of `Options.given`.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def called(
            workers: int | None,
            engine: str,
            cluster: str | None,
            store: str | None,
            quiet: bool,
            as_json: bool,
            **own: object,
        ) -> None:
            given = {name: value for name, value in own.items() if name not in display}
            name = command.__name__
            cache.announcing = not quiet
            command(Options(workers, engine, cluster, store, quiet, as_json, command=name, given=given), **own)

        for option in (
            json_option,
            unchecked_option,
            click.option("--quiet", is_flag=True, help="Hide progress and what is compiled."),
            store_option,
            click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster, like tcp://host:8786."),
            click.option(
                "--engine",
                type=click.Choice(["threads", "processes"]),
                default="threads",
                show_default=True,
                help="Play in threads or processes.",
            ),
            workers_option,
        ):
            called = option(called)
        return called

    return decorate


def example(*commands: str) -> str:
    """The end of a command's help: examples to copy."""
    return "\b\nExample:\n" + "\n".join(f"  fifthstreet {command}" for command in commands)
