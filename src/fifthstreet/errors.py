"""InputError, the error for wrong input, and helpers to check input and report errors."""

import reprlib
import threading
from decimal import Decimal
from typing import Any

MOST = 300  # characters of a message
_TAIL = 100  # of them kept from its end, where it says what to do


class InputError(ValueError):
    """The input is wrong. The message is one line that quotes it; what is longer than `MOST` is cut in the middle."""

    leaves_threads = False  # whether a thread is still busy with what failed, and must not be waited for

    def __init__(self, message: object = "") -> None:
        super().__init__(one_line(str(message)))


def one_line(text: str, most: int = MOST) -> str:
    """The text on one line, cut in the middle if it is longer than this.

    >>> one_line("what went wrong,\\nat some length, and what to do", most=30)
    'what went wrong, at…what to do'
    """
    if len(text) > 4 * most:  # so that what follows takes no time
        text = f"{text[: 2 * most]}{text[-2 * most :]}"
    text = " ".join(filter(None, map(str.strip, text.splitlines())))
    if len(text) <= most:
        return text
    tail = min(_TAIL, most // 3)
    return f"{text[: most - tail - 1]}…{text[-tail:]}"


def quoted(value: object, most: int = 60) -> str:
    """The value as text for an error, about `most` characters long; what is cut off is never formatted.

    >>> quoted("abcdef", most=3), quoted(10**5000), quoted(Decimal("1e-100000000"))
    ("'abc…'", 'a number of about 5,000 digits', '1E-100000000')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= most else value[:most] + "…")
    if isinstance(value, int) and value.bit_length() > 300:
        return f"a number of about {value.bit_length() * 30_103 // 100_000:,} digits"
    if isinstance(value, Decimal):
        plain = value.is_finite() and abs(value.adjusted()) < 20
        text = f"{value:f}" if plain else str(value)
    else:
        try:
            text = _shortened.repr(value)
        except BaseException as error:  # a very large number inside, or an object's own __repr__
            if not is_theirs(error):
                raise
            text = f"a {type(value).__name__}"
    return text if len(text) <= most else text[: most - 1] + "…"


_shortened = reprlib.Repr()
_shortened.maxlist = _shortened.maxtuple = _shortened.maxdict = 20
_shortened.maxstring = _shortened.maxother = _shortened.maxlong = 200


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
        raise InputError(f"{quoted(value)} {what}: it must be a whole number{', ' + limits if limits else ''}")
    return number


def sentence(error: BaseException) -> str:
    """An error raised by a user's agent or another library, as one line: its type and its message."""
    try:
        text = one_line(str(error), 200)
    except BaseException as again:  # the error's own __str__
        if not is_theirs(again):
            raise
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def is_theirs(error: BaseException) -> bool:
    """Whether an error that came out of somebody else's code is that code's.

    Everything is, also SystemExit and GeneratorExit, except Ctrl-C, which only the main thread is told.
    """
    return not isinstance(error, KeyboardInterrupt) or threading.current_thread() is not threading.main_thread()
