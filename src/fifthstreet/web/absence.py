"""People who are not at the table: after a while, or when the table's owner says so, an agent plays for them.

Whoever comes, or comes back, takes the seat back at once. Both are events of the table, so that it is the same after a
restart of the server.
"""

import asyncio
import contextlib
from collections.abc import Callable

from fifthstreet.errors import InputError
from fifthstreet.web.drawing.face import Json, short
from fifthstreet.web.table import Table


class Absence:
    def __init__(
        self,
        table: Table,
        agent: str,
        present: Callable[[], set[int]],
        commit: Callable[[Json], None],
        wake: Callable[[], None],
    ) -> None:
        self.agent = agent  # who plays for those who are not there
        self._table, self._present, self._commit, self._wake = table, present, commit, wake
        self._expected: tuple[int, int, int] | None = None  # whom, and at which moment of the table
        self._timer: asyncio.TimerHandle | None = None

    @property
    def absent(self) -> set[int]:
        return set(self._table.plan.people) - self._present()

    def replaceable(self, viewer: int) -> list[int]:
        """The chairs for which this viewer may let an agent play now: the owner, for those who are not there."""
        people = self._table.plan.people
        return sorted(self.absent - set(self._table.stand_ins)) if people and viewer == people[0] else []

    def replace(self, viewer: int, chair: object) -> None:
        """Let an agent play in this chair, as the owner asks."""
        if type(chair) is not int or chair not in self.replaceable(viewer):
            raise InputError(
                f"no agent may take over seat {short(chair)}: only for people who are not there, and only if the one "
                "who opened the table asks for it"
            )
        self._replace(chair)

    def _replace(self, chair: int) -> None:
        self._commit({"kind": "stand_in", "chair": chair, "agent": self.agent})
        self._wake()

    def expect(self, chair: int) -> None:
        """It is this person's turn: if they stay away while others wait, an agent will play for them."""
        seconds, moment = self._table.plan.absent_s, self._moment(chair)
        if seconds is None or chair not in self.absent or not self._present() or moment == self._expected:
            return
        self.close()
        self._expected = moment
        self._timer = asyncio.get_running_loop().call_later(seconds, self._too_late, chair)

    def _moment(self, chair: int) -> tuple[int, int, int]:
        hand = self._table.hand
        return chair, self._table.hands, hand.changes if hand is not None else 0

    def _too_late(self, chair: int) -> None:
        same, self._expected = self._expected == self._moment(chair), None
        if same and chair in self.absent and self._present():
            with contextlib.suppress(InputError):  # if it cannot be stored, the next one who comes waits again
                self._replace(chair)

    def ends(self, chair: int, token: str | None = None) -> None:
        """Somebody sits down in this chair, perhaps with a new token: it is theirs from now on."""
        if chair in self._table.stand_ins or chair in self._table.free:
            self._commit({"kind": "joined", "chair": chair, "token": token})

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
