"""The command line: it parses arguments, calls the library, prints text or JSON. Heavy modules are imported on use."""

import io
import json
import os
import sys
import traceback
from contextlib import suppress

import click

from fifthstreet import __version__
from fifthstreet.cli import bench, hands, histories, learning, lists, papers, people, playing, runs, solving, spots
from fifthstreet.cli.options import example
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
    solving.solve,
    solving.exploit,
    learning.learn,
    spots.push_fold,
    papers.reproduce,
    papers.scorecard,
    runs.runs,
    histories.replay,
    people.play,
    people.serve,
    people.tables,
    bench.bench,
)


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    invoke_without_command=True,
    epilog=example("match kuhn equilibrium random", "match --help"),
)
@click.version_option(__version__)
@click.option("--traceback", is_flag=True, help="Show the whole traceback of an error; may follow any command.")
@click.pass_context
def cli(context: click.Context, traceback: bool) -> None:
    """A laboratory for poker agents."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in COMMANDS:
    cli.add_command(command)


def main() -> None:
    """Run the command line; exit code 2 and one sentence for wrong input, as JSON with --json."""
    if sys.stderr is None:  # closed; whatever opens next must not take its place and get the messages
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot print ± is no reason to fail
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    failure = _Failure("--json" in words[:end], "--traceback" in words[:end])
    words[:end] = [word for word in words[:end] if word != "--traceback"]  # it may stand anywhere
    try:
        if sys.stdout is None:
            raise InputError("the output cannot be written: it is closed")
        code = cli.main(words, prog_name="fifthstreet", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        code = failure.report(error, error.format_message())
    except InputError as error:
        code = failure.report(error, str(error))
        if error.leaves_threads:
            os._exit(code)
    except (click.Abort, KeyboardInterrupt) as stop:
        cause = stop.__cause__ or stop  # click wraps what stopped it
        code = failure.report(cause, f"stopped; {cause}" if str(cause) else "stopped", code=130)
        if isinstance(cause, Stopped):
            os._exit(code)  # do not wait for workers that are busy
    except BrokenPipeError:
        _discard_output()
        code = 0
    except OSError as error:
        _discard_output()
        code = failure.report(error, f"the output cannot be written: {error.strerror or error}")
    sys.exit(code or 0)


class _Failure:
    """How errors are shown: a sentence or JSON, with or without the traceback."""

    def __init__(self, as_json: bool, everything: bool) -> None:
        self.as_json, self.everything = as_json, everything

    def report(self, error: BaseException, text: str, code: int = 2) -> int:
        """Print the error to stderr; returns the exit code."""
        text = " ".join(text.split())
        trace = "".join(traceback.format_exception(_with_causes(error))) if self.everything else ""
        if self.as_json:
            found = {"kind": type(error).__name__, "message": text, **({"traceback": trace} if trace else {})}
            sys.stderr.write(json.dumps({"error": found}, ensure_ascii=False) + "\n")
        else:
            sys.stderr.write(f"{trace}fifthstreet: {text}\n")
        sys.stderr.flush()
        return code


def _with_causes(error: BaseException) -> BaseException:
    """The error, with the errors that led to it no longer hidden by `raise … from None`."""
    each: BaseException | None = error
    while each is not None:
        each.__suppress_context__ = each.__cause__ is not None
        each = each.__cause__ or each.__context__
    return error


def _discard_output() -> None:
    """Send what is still unwritten nowhere, so that closing the output does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
