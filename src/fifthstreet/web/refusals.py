"""Requests that are refused: one sentence for people, and a code for programs."""

from fifthstreet.errors import InputError


class Refused(InputError):
    """A refusal with a code of its own; every other InputError has the code `invalid`."""

    code = "invalid"
    status = 400  # of the answer over HTTP


class NotFound(Refused):
    code, status = "not_found", 404


class TooLarge(Refused):
    code, status = "too_large", 413


class NoTable(Refused):
    code, status = "no_table", 404


class NoSeat(Refused):
    """The token is for no seat at this table."""

    code, status = "no_seat", 403


class Watching(Refused):
    """A viewer without a seat tried to play."""

    code = "watching"


class Outdated(Refused):
    """The message answers another moment of the hand than the present one."""

    code = "outdated"


class NotYourTurn(Refused):
    code = "not_your_turn"


class NotAllowed(Refused):
    """The rules do not allow this action now."""

    code = "not_allowed"


UNEXPECTED = "something went wrong here, and nothing was changed"


def told(error: Exception) -> tuple[str, str]:
    """The code and the sentence for the client; an unexpected error tells it nothing about its cause."""
    if isinstance(error, InputError):
        return getattr(error, "code", Refused.code), " ".join(str(error).split())[:500]
    return "failed", UNEXPECTED
