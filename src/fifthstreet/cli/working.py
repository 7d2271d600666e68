"""Commands that play: in a laboratory, with progress, and with a hint how to resume when they are stopped."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from fifthstreet.cli.options import Options
from fifthstreet.errors import InputError
from fifthstreet.terminal import Display, progress


class Result(Protocol):
    """What a command shows and keeps at the end."""

    def to_dict(self) -> dict[str, object]: ...


@contextmanager
def working(
    what: str, options: Options, unit: str = "", steady: bool = True
) -> Iterator[tuple[Display, Callable[[Result], None]]]:
    """Play in a laboratory made from the options and show progress under the heading `what`, in this unit.

    Yields the display and a function that keeps the result. When the work is stopped, the error says how to resume.
    """
    from fifthstreet.arena.laboratory import laboratory
    from fifthstreet.arena.store import StoreError

    engine = (options.store, options.engine, options.workers, options.cluster)
    hint = ""
    try:
        with (
            progress(what, options.quiet, options.as_json, unit, steady) as display,
            laboratory(*engine, command=options.command, given=options.given) as lab,
        ):

            def keep(result: Result) -> None:
                if lab.store and lab.run is not None:
                    lab.store.end(lab.run, {"text": str(result), "data": result.to_dict()})

            try:
                yield display, keep
            except (KeyboardInterrupt, InputError):
                if lab.store is not None and lab.run is not None and lab.store.run(lab.run).done:
                    place = f" --store {shlex.quote(options.store)}" if options.store else ""
                    hint = f"to go on: fifthstreet runs resume {lab.run}{place}"
                raise
    except KeyboardInterrupt as stop:
        raise Stopped("; ".join(filter(None, (str(stop), hint)))) from None
    except InputError as error:
        store = "; --store FILE keeps results in another file, --store none keeps nothing"
        more = f"{store if isinstance(error, StoreError) else ''}{f' ({hint})' if hint else ''}"
        if not more:
            raise
        raise type(error)(f"{error}{more}") from error


class Stopped(KeyboardInterrupt):
    """Ctrl-C while workers were busy; the message says how to resume, if that is possible."""
