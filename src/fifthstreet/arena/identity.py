"""What a stored result depends on: the identity of a game or an agent, and the description of a series of results.

Results in the store are found again by their description, so it must change whenever the numbers could: with the
class, the parameters, the source code, and the files that a parameter names.
"""

import dataclasses
import hashlib
import inspect
from collections.abc import Mapping, Sequence
from modulefinder import ModuleFinder
from pathlib import Path

from fifthstreet import cache, learned
from fifthstreet.agents.agent import Agent
from fifthstreet.games.game import AnyGame

Identity = dict[str, object]


def identity(thing: AnyGame | Agent, fresh: bool = False) -> Identity | None:
    """Everything that determines how a game or an agent behaves, or None if that cannot be written down.

    `fresh` means that the object was just built from its name, so its parameters say it all. Any other object may have
    learned something since; it has an identity only if all its attributes are plain values.
    """
    kind: type = type(thing)
    values = _contents(thing, fresh)
    if not all(map(_is_plain, values.values())):
        return None
    found: Identity = {"name": str(thing.name), "class": f"{kind.__module__.split('.')[-1]}.{kind.__qualname__}"}
    found["parameters"] = {name: repr(value) for name, value in values.items()}
    files = {name: _digest(path) for name, value in values.items() if (path := _file_named_by(value))}
    if files:
        found["files"] = files
    if not kind.__module__.startswith("fifthstreet."):
        source = inspect.getsourcefile(kind)
        if source is None or "<locals>" in kind.__qualname__:
            return None
        found["code"] = _digest(*_with_imports(Path(source)))
    return found


def described(
    kind: str, game: Identity | None, agents: Sequence[Identity | None], **more: object
) -> Mapping[str, object] | None:
    """Everything that a series of results depends on, or None if the game or an agent has no identity.

    `kind` says what is played (a match, a session, …); `more` are its settings, such as the seed.
    """
    if game is None or None in agents:
        return None
    code = {"code": cache.source_hash(kernels_only=True), "learned": learned.fingerprint()}
    return {"kind": kind, "game": game, "agents": agents, **code, **more}


def _with_imports(source: Path) -> list[Path]:
    """This file, and the files in its folder that it imports, directly or through others."""
    finder = ModuleFinder(path=[str(source.parent)])
    finder.run_script(str(source))
    files = [getattr(module, "__file__", None) for module in finder.modules.values()]
    return sorted(Path(file) for file in files if file)


def _contents(thing: object, parameters_only: bool = False) -> dict[str, object]:
    """The attributes of an object by name; of a dataclass only its parameters, if that is wanted."""
    if parameters_only and dataclasses.is_dataclass(thing):
        return {entry.name: getattr(thing, entry.name) for entry in dataclasses.fields(thing) if entry.init}
    slots = {name: getattr(thing, name) for name in getattr(thing, "__slots__", ())}
    return slots | getattr(thing, "__dict__", {})


def _is_plain(value: object) -> bool:
    """Whether `repr` says everything about this value."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return all(map(_is_plain, _contents(value).values()))
    return value is None or isinstance(value, str | int | float | Path)


def _file_named_by(value: object) -> Path | None:
    if isinstance(value, str | Path) and str(value) and Path(value).is_file():
        return Path(value)
    return None


def _digest(*paths: Path) -> str:
    return hashlib.blake2b(b"\0".join(path.read_bytes() for path in paths), digest_size=8).hexdigest()
