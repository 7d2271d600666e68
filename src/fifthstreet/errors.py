"""InputError, the error for wrong input, and helpers to check input and report errors."""

from typing import Any


class InputError(ValueError):
    """The input is wrong. The message is one sentence that quotes it."""


def whole(value: Any, what: str, least: int | None = None, most: int | None = None) -> int:
    """The value as an int; InputError unless it is a whole number from `least` to `most`.

    `what` follows the value in the message: "0 deals: it must be …".

    >>> whole(3, "deals", least=1)
    3
    """
    try:
        number = int(value)
        fits = number == value and not isinstance(value, bool | str)
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits or (least is not None and number < least) or (most is not None and number > most):
        ends = [f"at least {least:,}" if least is not None else "", f"at most {most:,}" if most is not None else ""]
        limits = " and ".join(end for end in ends if end)
        raise InputError(f"{value!r} {what}: it must be a whole number{', ' + limits if limits else ''}")
    return number


def sentence(error: BaseException) -> str:
    """An error raised by a user's agent or another library, as one line: its type and its message."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__
