"""Recorded hands."""

from pathlib import Path
from typing import Literal

import click

from fifthstreet.cli.options import example, json_option
from fifthstreet.errors import InputError, quoted
from fifthstreet.terminal import progress, show, show_json


@click.command(epilog=example("replay hand.phh", "replay hands.phhs match.log --verify"))
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--verify", is_flag=True, help="Check recorded results; exit code 1 if one disagrees with the rules.")
@click.option(
    "--posts",
    type=click.Choice(["live", "dead"]),
    default="live",
    show_default=True,
    help="What newcomers post: a bet, or money that counts towards no bet.",
)
@json_option
def replay(files: tuple[Path, ...], verify: bool, posts: Literal["live", "dead"], as_json: bool) -> int:
    """Replay recorded hands of hold'em.

    FILES are PHH (.phh or .phhs), ACPC logs (.log) or PokerStars text.
    """
    from fifthstreet.histories.files import read_file, verify_files

    if verify:
        with progress("replaying", unit="files") as report:
            found = verify_files(files, report, posts)
        show(found, as_json)
        return 0 if found.passed else 1
    shown, code = [], 0
    for path in files:
        try:
            for hand in read_file(path, posts=posts):
                if hand.trouble is not None and len(files) == 1 and path.suffix == ".phh":
                    raise InputError(f"{quoted(str(path), 120)}: {hand.trouble}")
                if hand.score is not None:
                    continue
                if as_json:
                    shown.append(hand.to_dict())
                else:
                    click.echo(f"{hand}\n")
        except InputError as error:
            if len(files) == 1:
                raise
            click.echo(f"fifthstreet: {error}", err=True)
            code = 2
    if as_json:
        show_json(shown)
    return code
