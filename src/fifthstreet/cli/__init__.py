"""The command line: words → arena → text or JSON. What is heavy is imported where it is used."""

import io
import os
import sys
from contextlib import suppress

import click

from fifthstreet import __version__
from fifthstreet.cli import bench, hands, histories, lists, papers, people, playing, runs
from fifthstreet.cli.working import Stopped
from fifthstreet.errors import InputError

COMMANDS: tuple[click.Command, ...] = (
    hands.evaluate,
    hands.equity,
    hands.preflop,
    hands.discards,
    lists.games,
    lists.agents,
    playing.match,
    playing.session,
    playing.tournament,
    playing.contest,
    papers.reproduce,
    runs.runs,
    histories.replay,
    people.play,
    people.serve,
    bench.bench,
)


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}, invoke_without_command=True
)
@click.version_option(__version__)
@click.pass_context
def cli(context: click.Context) -> None:
    """A laboratory for poker agents."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in COMMANDS:
    cli.add_command(command)


def main() -> None:
    """Run the command line; a wrong input is one sentence and exit code 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ± is no reason to fail
    try:
        code = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except (InputError, click.ClickException) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        sys.stderr.write(f"fifthstreet: {' '.join(text.split())}\n")
        code = 2
    except (click.Abort, KeyboardInterrupt) as stop:
        cause = stop.__cause__  # click wraps what stopped it
        sys.stderr.write(f"fifthstreet: stopped{f'; {cause}' if str(cause or '') else ''}\n")
        sys.stderr.flush()
        if isinstance(cause, Stopped):
            os._exit(130)  # nobody waits for what workers are in the middle of
        code = 130
    except BrokenPipeError:
        _discard_output()
        code = 0
    except OSError as error:
        _discard_output()
        sys.stderr.write(f"fifthstreet: the output cannot be written: {error.strerror or error}\n")
        code = 2
    sys.exit(code or 0)


def _discard_output() -> None:
    """What is still unwritten goes nowhere, so that closing it fails no more."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
