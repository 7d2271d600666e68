"""What tests share."""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from fifthstreet import tournament
from fifthstreet.arena.laboratory import laboratory

Rows = Callable[[str], list[dict[str, str]]]

RIVALS = ("equilibrium", "random")


def play_tournament(place: Path, agent: str) -> None:
    """What children play that may be killed: a tournament, kept in a store. It lies here, where they can import it."""
    with laboratory(place, workers=1, command="tournament", given={"agents": [agent, *RIVALS]}):
        tournament("kuhn", [agent, *RIVALS], 1_500, 5)


class Failing:
    """A connection to SQLite whose n-th statement fails while the disk is full, and from then on all, if it `lasts`."""

    def __init__(self, database: sqlite3.Connection, n: int, lasting: bool = False) -> None:
        self.database, self.n, self.lasting = database, n, lasting
        self.full = False  # statements count and fail only while this is set
        self.seen = 0

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        self.seen += self.full
        if self.full and (self.seen == self.n or (self.lasting and self.seen > self.n)):
            raise sqlite3.OperationalError("database or disk is full")
        return self.database.execute(statement, values)

    @property
    def in_transaction(self) -> bool:
        return self.database.in_transaction

    def close(self) -> None:
        self.database.close()
