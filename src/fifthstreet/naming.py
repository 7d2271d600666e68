"""How things with parameters are named: `name:parameter=value,…`, for games and for agents alike.

A class that can be named so is a dataclass; its fields are the parameters, those given by keyword only excepted.
"""

import dataclasses
import functools
import types
import typing
from typing import Any, TypeVar

from fifthstreet.errors import InputError, sentence

T = TypeVar("T")


def parameters(kind: type) -> dict[str, tuple[Any, Any]]:
    """The type and default of each parameter."""
    return _parameters(kind)


@functools.cache
def _parameters(kind: Any) -> dict[str, tuple[Any, Any]]:
    if not dataclasses.is_dataclass(kind):
        return {}
    hints = typing.get_type_hints(kind)
    return {f.name: (hints[f.name], _default(f)) for f in dataclasses.fields(kind) if f.init and not f.kw_only}


def _default(field: "dataclasses.Field[Any]") -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()


def spec_of(thing: Any) -> str:
    """What it is named by, with the parameters that are not as they come; reads again as the same."""
    known = parameters(type(thing)).items()
    given = [f"{name}={getattr(thing, name)}" for name, (_, default) in known if getattr(thing, name) != default]
    return f"{thing.name}:{','.join(given)}" if given else str(thing.name)


def build(kind: type[T], given: str, spec: str, **implied: Any) -> T:
    """An instance with the parameters given as text, and those implied where the class has them."""
    try:
        known = parameters(kind)
    except Exception as error:
        raise InputError(f"the parameters of {spec!r} cannot be read: {sentence(error)}") from error
    named: set[str] = set()
    values: dict[str, Any] = {name: value for name, value in implied.items() if name in known}
    for part in filter(None, (part.strip() for part in given.split(","))):
        key, equals, text = part.partition("=")
        if not equals or key not in known:
            listed = ", ".join(f"{name}={default!r}" for name, (_, default) in known.items()) or "none"
            raise InputError(f"{part!r} is not a parameter in {spec!r} (it has: {listed})")
        if key in named:
            raise InputError(f"{key!r} is given twice in {spec!r}")
        named.add(key)
        values[key] = _convert(text, known[key][0], part)
    try:
        return kind(**values)
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{spec!r} cannot be made: {sentence(error)}") from error


def _convert(text: str, wanted: Any, part: str) -> Any:
    """The text as a value of the parameter's type."""
    origin = typing.get_origin(wanted)
    if origin is typing.Literal:
        options = typing.get_args(wanted)
        for option in options:
            if str(option) == text:
                return option
        raise InputError(f"{part!r}: {text!r} is not one of {', '.join(map(str, options))}")
    if origin in (typing.Union, types.UnionType):
        if text.lower() == "none" and type(None) in typing.get_args(wanted):
            return None
        wanted = next(option for option in typing.get_args(wanted) if option is not type(None))
    try:
        if wanted is bool:
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
        return wanted(text)
    except (ValueError, KeyError, OverflowError, TypeError):
        raise InputError(f"{part!r}: {text!r} is not {_kind_name(wanted)}") from None


def _kind_name(kind: type) -> str:
    name = getattr(kind, "__name__", str(kind))
    return {int: "a whole number", float: "a number", bool: "true or false"}.get(kind, f"a {name}")
