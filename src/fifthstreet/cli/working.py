"""Commands that play: in a laboratory, with progress, and told how to go on when they are stopped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from fifthstreet.cli.options import HOW
from fifthstreet.errors import InputError
from fifthstreet.terminal import Display, progress


@contextmanager
def working(what: str) -> Iterator[tuple[Display, Callable[[Any], None]]]:
    """Do what the present command asks for in a laboratory, with progress; whoever stops is told how to go on.

    Gives the display, and a way to keep the result.
    """
    from fifthstreet.arena.laboratory import laboratory

    context = click.get_current_context()
    how = {name: context.params[name] for name in HOW if name in context.params}
    given = {name: value for name, value in context.params.items() if name not in how}
    engine = (how["store"], how["engine"], how["workers"], how["cluster"])
    with (
        progress(what, how["quiet"], how["json_"]) as display,
        laboratory(*engine, command=context.info_name or "", given=given) as lab,
    ):

        def keep(result: Any) -> None:
            if lab.store and lab.run is not None:
                lab.store.end(lab.run, {"text": str(result), "data": result.to_dict()})

        try:
            yield display, keep
        except (KeyboardInterrupt, InputError) as error:
            hint = ""
            if lab.store is not None and lab.run is not None and lab.store.run(lab.run).done:
                place = f" --store {how['store']}" if how["store"] else ""
                hint = f"to go on: fifthstreet runs resume {lab.run}{place}"
            if isinstance(error, KeyboardInterrupt):
                raise Stopped(hint) from None
            raise InputError(f"{error} ({hint})" if hint else str(error)) from None


class Stopped(KeyboardInterrupt):
    """Somebody stopped a command while workers were busy; the words say how it can be taken up again, if it can."""
