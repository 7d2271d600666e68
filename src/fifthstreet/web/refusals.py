"""Requests that are refused: one sentence for people, and a code for programs."""

import logging
from typing import NamedTuple

from fifthstreet.errors import InputError

log = logging.getLogger("fifthstreet.web")


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


class Busy(Refused):
    """There is no free place now; after this many seconds at most there is one."""

    code, status = "busy", 429

    def __init__(self, text: str, retry_s: float) -> None:
        super().__init__(text)
        self.retry_s = max(1, round(retry_s))


class Damaged(Refused):
    """What is asked for is not as it was written to the disk."""

    code, status = "damaged", 500


class Late(Refused):
    """It took longer than is allowed, and was ended."""

    code, status = "late", 503


class Refusal(NamedTuple):
    """What the client is sent."""

    code: str
    text: str
    status: int
    retry_s: int | None = None  # when to ask again


def refusal_of(error: Exception) -> Refusal:
    """The refusal for an error; the cause of an unexpected one goes to the server's log only."""
    if not isinstance(error, InputError):
        log.error("an unexpected error", exc_info=error)
        return Refusal("failed", "something went wrong here, and nothing was changed", 500)
    kind = error if isinstance(error, Refused) else Refused
    text = " ".join(str(error).split())[:500]
    return Refusal(kind.code, text, kind.status, error.retry_s if isinstance(error, Busy) else None)
