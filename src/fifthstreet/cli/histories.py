"""Recorded hands."""

from pathlib import Path

import click

from fifthstreet.cli.options import as_json
from fifthstreet.errors import InputError
from fifthstreet.terminal import progress, show, show_json


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--verify", is_flag=True, help="Check recorded results instead of showing the hands.")
@as_json
def replay(files: tuple[Path, ...], verify: bool, json_: bool) -> None:
    """Play recorded hands of hold'em again, from .phh, .phhs, ACPC .log or PokerStars text FILES."""
    from fifthstreet.histories.files import read_file, verify_files

    if verify:
        with progress("replaying") as report:
            found = verify_files(files, report)
        show(found, json_)
        return
    shown = []
    for path in files:
        for hand in read_file(path):
            if hand.trouble is not None and len(files) == 1 and path.suffix == ".phh":
                raise InputError(f"{str(path)!r}: {hand.trouble}")
            if json_:
                shown.append(hand.to_dict())
            else:
                click.echo(f"{hand}\n")
    if json_:
        show_json(shown)
