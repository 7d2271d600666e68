"""How games and agents are named: `name:parameter=value,…`, or `./file.py:Class:parameter=value,…` for one's own.

A class that can be named is a dataclass. Its fields are the parameters, except keyword-only fields.
"""

import dataclasses
import difflib
import functools
import hashlib
import importlib.util
import sys
import types
import typing
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from fifthstreet.errors import InputError, is_theirs, quoted, sentence

T = TypeVar("T")


class Named(Protocol):
    """A game or an agent."""

    @property
    def name(self) -> str: ...


def parameters(kind: type) -> dict[str, tuple[Any, object]]:
    """The type, as annotated, and the default of each parameter of the class."""
    return _parameters(kind)


@functools.cache
def _parameters(kind: Any) -> dict[str, tuple[Any, object]]:
    if not dataclasses.is_dataclass(kind):
        return {}
    hints = typing.get_type_hints(kind)
    return {f.name: (hints[f.name], _default(f)) for f in dataclasses.fields(kind) if f.init and not f.kw_only}


def _default(field: "dataclasses.Field[object]") -> object:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def spec_of(thing: Named) -> str:
    """The text that names this game or agent, with the parameters that differ from their defaults."""
    kind = type(thing)
    known = parameters(kind).items()
    given = [f"{name}={getattr(thing, name)}" for name, (_, default) in known if getattr(thing, name) != default]
    file = _files.get(kind.__module__)
    name = f"{file}:{kind.__qualname__}" if file else thing.name
    return f"{name}:{','.join(given)}" if given else name


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question to add to an error when a known name is close to the one given; empty when none is.

    >>> did_you_mean("khun", ["holdem", "kuhn"]), did_you_mean("chess", ["holdem", "kuhn"])
    (" (did you mean 'kuhn'?)", '')
    """
    by_lower = {each.lower(): each for each in known}
    close = difflib.get_close_matches(name.lower(), by_lower, n=1)
    return f" (did you mean {by_lower[close[0]]!r}?)" if close else ""


def build(kind: type[T], given: str, spec: str, **implied: object) -> T:
    """An instance of the class: parameters from the text `given`, and those implied where the class has them.

    `spec` is the whole text, quoted in errors.
    """
    try:
        known = parameters(kind)
    except Exception as error:
        raise InputError(f"the parameters of {quoted(spec, 100)} cannot be read: {sentence(error)}") from error
    named: set[str] = set()
    values: dict[str, object] = {name: value for name, value in implied.items() if name in known}
    for part in filter(None, (part.strip() for part in given.split(","))):
        key, equals, text = part.partition("=")
        if not equals or key not in known:
            listed = ", ".join(f"{name}={default!r}" for name, (_, default) in known.items()) or "none"
            close = "" if key in known else did_you_mean(key, known)
            raise InputError(f"{quoted(part)} is not a parameter in {quoted(spec, 100)}{close} (it has: {listed})")
        if key in named:
            raise InputError(f"{quoted(key)} is given twice in {quoted(spec, 100)}")
        named.add(key)
        values[key] = _convert(text, known[key][0], part)
    try:
        return kind(**values)
    except InputError:
        raise
    except BaseException as error:
        if not is_theirs(error):
            raise
        raise InputError(f"{quoted(spec, 100)} cannot be made: {sentence(error)}") from error


def _convert(text: str, wanted: Any, part: str) -> object:
    """The text as a value of the parameter's type."""
    origin = typing.get_origin(wanted)
    if origin is typing.Literal:
        options = typing.get_args(wanted)
        for option in options:
            if str(option) == text:
                return option
        close = did_you_mean(text, map(str, options))
        raise InputError(f"{quoted(part)}: {quoted(text)} is not one of {', '.join(map(str, options))}{close}")
    if origin in (typing.Union, types.UnionType):
        if text.lower() == "none" and type(None) in typing.get_args(wanted):
            return None
        wanted = next(option for option in typing.get_args(wanted) if option is not type(None))
    try:
        if wanted is bool:
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
        return wanted(text)
    except (ValueError, KeyError, OverflowError, TypeError):
        raise InputError(f"{quoted(part)}: {quoted(text)} is not {_kind_name(wanted)}") from None


def _kind_name(kind: type) -> str:
    name = getattr(kind, "__name__", str(kind))
    return {int: "a whole number", float: "a number", bool: "true or false"}.get(kind, f"a {name}")


def is_path(spec: str) -> bool:
    """Whether the text names a class in a file of the user's, like `./mine.py:Mine`."""
    return ".py:" in spec


def from_file(spec: str, base: type[T], what: str) -> tuple[type[T], str]:
    """The class that a path like `./mine.py:Mine:bluff=0.1` names, and the text of its parameters.

    The class must be a subclass of `base`; `what` is the word for that in errors, "agent" or "game".
    """
    place, _, rest = spec.partition(".py:")
    name, _, given = rest.partition(":")
    path = Path(place + ".py")
    try:
        found = path.is_file()
    except (OSError, ValueError):  # a name too long for the system, or with a null byte
        found = False
    if not found:
        raise InputError(f"{quoted(spec, 100)} names no {what}: there is no file {quoted(str(path), 100)}")
    try:
        module = _module(path.resolve(), path.stat().st_mtime_ns)
    except BaseException as error:
        if not is_theirs(error):
            raise
        raise InputError(f"{quoted(spec, 100)} cannot be loaded: {sentence(error)}") from error
    kind = getattr(module, name, None)
    if not (isinstance(kind, type) and issubclass(kind, base)):
        classes = [key for key, each in vars(module).items() if isinstance(each, type) and issubclass(each, base)]
        close = did_you_mean(name, (key for key in classes if not key.startswith("_")))
        missing = f"{quoted(str(path), 100)} has no {base.__name__} {quoted(name)}"
        raise InputError(f"{quoted(spec, 100)} names no {what}: {missing}{close}")
    return kind, given


_files: dict[str, Path] = {}
"""Which file each module was loaded from, so that an object made from one can be named again."""


@functools.cache
def _module(path: Path, modified: int) -> types.ModuleType:
    """The file as a module, loaded once and again when it changes. It can import the files beside it."""
    # Kernels are cached under the module's name, so the name must be the same in every process.
    name = f"{path.stem}_{hashlib.blake2b(str(path).encode(), digest_size=4).hexdigest()}"
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise ImportError("it is not Python")
    module = importlib.util.module_from_spec(found)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    sys.modules[name] = module
    found.loader.exec_module(module)
    _files[name] = path
    return module
