"""The store: tables as events in SQLite (WAL mode), so that a killed server loses nothing.

An event is written before it is applied; its number is its key, so that none can be stored twice. The hand that it
finishes is written in the same transaction.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fifthstreet.arena.store import data_folder
from fifthstreet.errors import InputError
from fifthstreet.web.drawing.face import Json

SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, created REAL, plan TEXT, tokens TEXT);
CREATE TABLE IF NOT EXISTS events (
    "table" TEXT, number INTEGER, body TEXT, PRIMARY KEY ("table", number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hands (
    id TEXT PRIMARY KEY, "table" TEXT, number INTEGER, finished REAL, summary TEXT, body TEXT);
CREATE INDEX IF NOT EXISTS hands_of_table ON hands ("table", number);
CREATE TABLE IF NOT EXISTS results (paper TEXT PRIMARY KEY, body TEXT);
"""
VERSION = 1
MOST_TABLES = 100_000
MOST_IMPORTED = 100_000
IMPORTED = ""  # the table of imported hands


def default_place() -> Path:
    """The file of the user's tables."""
    return data_folder() / "tables.sqlite"


class Store:
    """One connection, used by one thread at a time; a write takes some tens of microseconds."""

    def __init__(self, place: Path | str) -> None:
        self.place = str(place)
        self._database: Any = None
        self._lock = threading.RLock()
        self._joined = False  # whether a transaction is open
        try:
            if self.place != ":memory:":
                Path(place).parent.mkdir(parents=True, exist_ok=True)
                Path(place).touch(0o600)  # it holds tokens, and the seeds of hands that are being played
            self._database = sqlite3.connect(self.place, timeout=2, isolation_level=None, check_same_thread=False)
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")  # two servers would overwrite each other's tables
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            version = self._database.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise InputError(f"{self.place!r} was written by another version of this program ({version})")
            self._database.executescript(SCHEMA)
            self._database.execute(f"PRAGMA user_version = {VERSION}")
        except (sqlite3.Error, OSError, InputError, UnicodeError) as error:  # the last in what SQLite says of damage
            if self._database is not None:
                self._database.close()
            if isinstance(error, InputError):
                raise
            raise InputError(f"tables cannot be stored in {self.place!r}: {error}") from None

    def close(self) -> None:
        self._database.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Store everything written inside the `with`, or nothing if any of it fails; one inside another joins it."""
        with self._lock:
            if self._joined:
                yield
                return
            self._joined = True
            try:
                self._roll_back()  # what an earlier failure could not
                self._database.execute("BEGIN IMMEDIATE")
                yield
                self._database.execute("COMMIT")
            except sqlite3.Error as error:
                raise InputError(f"nothing was changed, because it cannot be stored: {error}") from None
            finally:
                self._joined = False
                with suppress(sqlite3.Error):
                    self._roll_back()

    def _roll_back(self) -> None:
        if self._database.in_transaction:
            self._database.execute("ROLLBACK")

    def _write(self, statement: str, *values: object) -> None:
        with self.transaction():
            self._database.execute(statement, values)

    def _rows(self, statement: str, *values: object) -> list[Any]:
        try:
            with self._lock:
                if not self._joined:
                    self._roll_back()
                found: list[Any] = self._database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise InputError(f"the tables in {self.place!r} cannot be read: {error}") from None
        return found

    def add_table(self, table: str, plan: Json, tokens: Json) -> None:
        count = self._rows("SELECT COUNT(*) FROM tables")[0][0]
        if count >= MOST_TABLES:
            raise InputError(f"there are {count:,} tables in {self.place!r}, and no room for more")
        row = (table, time.time(), json.dumps(plan), json.dumps(tokens))
        self._write("INSERT INTO tables VALUES (?, ?, ?, ?)", *row)

    def table(self, table: str) -> tuple[Json, Json] | None:
        """The plan of a table, and the chair of each token."""
        rows = self._rows("SELECT plan, tokens FROM tables WHERE id = ?", table) if table.isascii() else []
        return (json.loads(rows[0][0]), json.loads(rows[0][1])) if rows else None

    def add_event(self, table: str, number: int, event: Json) -> None:
        body = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        self._write("INSERT INTO events VALUES (?, ?, ?)", table, number, body)

    def events(self, table: str) -> list[Json]:
        rows = self._rows('SELECT body FROM events WHERE "table" = ? ORDER BY number', table)
        return [json.loads(body) for (body,) in rows]

    def add_hand(self, hand: str, table: str, number: int, summary: Json, body: Json) -> None:
        texts = [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in (summary, body)]
        self._write("INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?, ?, ?)", hand, table, number, time.time(), *texts)

    def hand(self, hand: str) -> Json | None:
        rows = self._rows("SELECT body FROM hands WHERE id = ?", hand) if hand.isascii() else []
        return json.loads(rows[0][0]) if rows else None

    def bodies(self, table: str) -> list[Json]:
        """Every hand of a table, complete, with its number."""
        rows = self._rows('SELECT number, body FROM hands WHERE "table" = ? ORDER BY number', table)
        return [{"number": number, **json.loads(body)} for number, body in rows]

    def summaries(self, table: str, most: int = 1000) -> list[Json]:
        """The summaries of the last hands of a table, in order."""
        statement = 'SELECT id, number, finished, summary FROM hands WHERE "table" = ? ORDER BY number DESC LIMIT ?'
        rows = self._rows(statement, table, most)
        return [{"id": row[0], "number": row[1], "finished": row[2], **json.loads(row[3])} for row in rows[::-1]]

    def hand_ids(self, table: str) -> dict[int, str]:
        return dict(self._rows('SELECT number, id FROM hands WHERE "table" = ?', table))

    def imported(self) -> int:
        """The number of imported hands."""
        return int(self._rows('SELECT COUNT(*) FROM hands WHERE "table" = ?', IMPORTED)[0][0])

    def places(self) -> list[str]:
        """The ids of all tables."""
        return [str(id) for (id,) in self._rows("SELECT id FROM tables ORDER BY created")]

    def hand_texts(self, table: str) -> list[tuple[str, tuple[int, str]]]:
        """The id of every hand of a table, with its number and its body as it is stored."""
        rows = self._rows('SELECT id, number, CAST(body AS BLOB) FROM hands WHERE "table" = ?', table)
        return [(id, (number, bytes(body or b"").decode(errors="replace"))) for id, number, body in rows]

    def drop_hands(self, ids: list[str]) -> None:
        with self.transaction():
            for id in ids:
                self._database.execute("DELETE FROM hands WHERE id = ?", (id,))

    def structure(self) -> str:
        """What SQLite finds wrong with the file; empty if nothing."""
        found = str(self._rows("PRAGMA integrity_check(1)")[0][0])
        return "" if found == "ok" else " ".join(found.split())[:200]

    def add_results(self, paper: str, body: Json) -> None:
        self._write("INSERT OR REPLACE INTO results VALUES (?, ?)", paper, json.dumps(body, default=str))

    def results(self) -> dict[str, Json]:
        return {paper: json.loads(body) for paper, body in self._rows("SELECT paper, body FROM results")}
