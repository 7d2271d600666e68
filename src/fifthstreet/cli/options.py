"""Options that several commands have."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

as_json = click.option("--json", "json_", is_flag=True, help="Print JSON for programs.")
workers_option = click.option("--workers", type=click.IntRange(1, 64), help="Workers (default: all cores).")
seed_option = click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same result.")
store_option = click.option("--store", metavar="FILE", help="Keep what is played there; none keeps nothing.")

F = TypeVar("F", bound=Callable[..., Any])
HOW = ("workers", "engine", "cluster", "store", "quiet", "json_", "out", "keep", "memory")
"""Parameters that say how a result is reached or shown, not which."""


def played_by(command: F) -> F:
    """The options of a command that plays: by whom, and where it is kept."""
    for option in (
        click.option("--quiet", is_flag=True, help="No word of progress."),
        store_option,
        click.option("--cluster", metavar="ADDRESS", help="A Dask cluster, like tcp://host:8786."),
        click.option("--engine", type=click.Choice(["threads", "processes"]), default="threads", show_default=True),
        workers_option,
    ):
        command = option(command)
    return command
