"""The store: tables as events in SQLite (WAL mode), so that a killed server loses nothing.

An event is written before it is applied; its number is its key, so that none can be stored twice. The hand that it
finishes is written in the same transaction. Before anybody is told, `safe` waits until the disk has it: SQLite only
writes (`synchronous = NORMAL`), and a thread then brings to the disk what all tables wrote meanwhile.

Every row has a checksum, and a table knows how many events it has, so that damage to the file is reported and never
played.
"""

import asyncio
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from fifthstreet.arena.checksum import intact, with_checksum
from fifthstreet.arena.salvage import salvage
from fifthstreet.arena.store import data_folder
from fifthstreet.errors import InputError
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.refusals import Damaged, NoTable

MIGRATIONS = (
    """
    CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, created REAL, plan TEXT, tokens TEXT);
    CREATE TABLE IF NOT EXISTS events (
        "table" TEXT, number INTEGER, body TEXT, PRIMARY KEY ("table", number)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS hands (
        id TEXT PRIMARY KEY, "table" TEXT, number INTEGER, finished REAL, summary TEXT, body TEXT);
    CREATE INDEX IF NOT EXISTS hands_of_table ON hands ("table", number);
    CREATE TABLE IF NOT EXISTS results (paper TEXT PRIMARY KEY, body TEXT);
    """,
    """
    ALTER TABLE tables ADD COLUMN visited REAL;
    ALTER TABLE tables ADD COLUMN events INTEGER;
    ALTER TABLE tables ADD COLUMN checksum TEXT;
    ALTER TABLE events ADD COLUMN checksum TEXT;
    ALTER TABLE hands ADD COLUMN line_checksum TEXT;
    ALTER TABLE hands ADD COLUMN body_checksum TEXT;
    CREATE TABLE memories ("table" TEXT PRIMARY KEY, number INTEGER, key TEXT, body TEXT, checksum TEXT);
    UPDATE tables SET visited = strftime('%s');
    """,
)
"""Script n turns version n of the schema into version n + 1; a store is brought up to date when it is opened.

Rows from before version 2 have no checksum: they are accepted if they can be read.
"""
SHAPES = {"tables": "tNttNIT", "events": "titT", "hands": "ttINttTT", "results": "tt"}
"""The columns of what cannot be made again, for `salvage`."""

MOST_TABLES = 100_000
MOST_IMPORTED = 100_000
IMPORTED = ""  # the table of imported hands
DAY = 86_400.0  # seconds
UNPLAYED_DAYS = 7.0  # that a table without a finished hand is kept after the last visit
REPAIR = "`fifthstreet tables check --repair` keeps what is good"


def default_place() -> Path:
    """The file of the user's tables."""
    return data_folder() / "tables.sqlite"


Listed = dict[int, tuple[int, str | None]]
"""Hands by the number of their row: the number at the table, and the body if it is as it was written."""

DAMAGE = (sqlite3.Error, UnicodeError)  # the last where SQLite quotes damaged text


class Store:
    """One connection, used by one thread at a time; a write takes some tens of microseconds."""

    def __init__(self, place: Path | str) -> None:
        self.place = str(place)
        self._database: Any = None
        self._lock = threading.RLock()
        self._joined = False  # whether a transaction is open
        self._written = self._safe = 0  # transactions, and those that would survive a loss of power
        self._saving: asyncio.Task[None] | None = None
        self._saver = ThreadPoolExecutor(1, "saver")
        self._log: BinaryIO | None = None
        try:
            if self.place != ":memory:":
                Path(place).parent.mkdir(parents=True, exist_ok=True)
                Path(place).touch(0o600)  # it holds tokens, and the seeds of hands that are being played
            self._database = sqlite3.connect(self.place, timeout=2, isolation_level=None, check_same_thread=False)
            # Damaged text is read all the same, and then its checksum is wrong.
            self._database.text_factory = lambda raw: raw.decode(errors="replace")
            self._database.execute("PRAGMA secure_delete = ON")  # what is deleted is not to be found in the file
            self._database.execute("PRAGMA locking_mode = EXCLUSIVE")  # two servers would overwrite each other's tables
            mode = self._database.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            self._migrate()
            if mode == "wal":  # it is opened now, because later there may be no more files
                self._log = Path(f"{os.path.realpath(self.place)}-wal").open("rb+")  # noqa: SIM115
            # Where there is no log to be saved by `safe`, SQLite does it at every commit.
            self._database.execute(f"PRAGMA synchronous = {'NORMAL' if self._log else 'FULL'}")
        except (*DAMAGE, OSError, InputError) as error:
            if self._database is not None:
                self._database.close()
            if isinstance(error, InputError):
                raise
            raise _trouble(f"tables cannot be stored in {self.place!r}", error) from None

    def _migrate(self) -> None:
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version not in range(len(MIGRATIONS) + 1):
            raise InputError(f"{self.place!r} was written by another version of this program ({version})")
        self._database.execute("BEGIN IMMEDIATE")
        for script in MIGRATIONS[version:]:
            for statement in script.split(";"):
                self._database.execute(statement)
        self._database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        self._database.execute("COMMIT")

    def close(self) -> None:
        self._saver.shutdown()
        if self._log is not None:
            self._log.close()
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
                self._written += 1
            except DAMAGE as error:
                raise _trouble("nothing was changed, because it cannot be stored", error) from None
            finally:
                self._joined = False
                with suppress(*DAMAGE):
                    self._roll_back()

    async def safe(self) -> None:
        """Wait until everything written so far would survive a loss of power."""
        wanted = self._written
        while self._log is not None and self._safe < wanted:
            if self._saving is None or self._saving.done():
                self._saving = asyncio.create_task(self._save(self._log))
            await asyncio.shield(self._saving)

    async def _save(self, log: BinaryIO) -> None:
        written = self._written
        await asyncio.get_running_loop().run_in_executor(self._saver, _to_disk, log)
        self._safe = written

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
        except DAMAGE as error:
            raise _trouble(f"the tables in {self.place!r} cannot be read", error) from None
        return found

    # Tables

    def add_table(self, table: str, plan: Json, tokens: Json) -> None:
        count = self._rows("SELECT COUNT(*) FROM tables")[0][0]
        if count >= MOST_TABLES:
            raise InputError(f"there are {count:,} tables in {self.place!r}, and no room for more")
        *row, checksum = with_checksum(table, _json(plan), _json(tokens))
        columns = "id, plan, tokens, checksum, created, visited, events"
        values = (*row, checksum, time.time(), time.time(), 0)
        self._write(f"INSERT INTO tables ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", *values)

    def table(self, table: str) -> tuple[Json, Json] | None:
        """The plan of a table, and the chair of each token."""
        statement = "SELECT plan, tokens, checksum FROM tables WHERE id = ?"
        rows = self._rows(statement, table) if table.isascii() else []
        if not rows:
            return None
        plan, tokens, checksum = rows[0]
        if not intact((table, plan, tokens), checksum):
            raise Damaged(f"table {table!r} is damaged: who sits there is not as it was written")
        return json.loads(plan), json.loads(tokens)

    def drop_imported(self, days: float) -> None:
        """Remove hands that were imported so many days ago."""
        self._write('DELETE FROM hands WHERE "table" = ? AND finished < ?', IMPORTED, time.time() - DAY * days)

    def places(self) -> dict[str, int]:
        """The ids of all tables, with the numbers of their rows."""
        return {str(id): row for id, row in self._rows("SELECT id, rowid FROM tables ORDER BY created")}

    def visit(self, table: str) -> None:
        """Note that somebody is at this table; once a day is enough."""
        now = time.time()
        if self._rows("SELECT 1 FROM tables WHERE id = ? AND coalesce(visited, 0) < ?", table, now - DAY):
            self._write("UPDATE tables SET visited = ? WHERE id = ?", now, table)

    def expired(self, days: float) -> list[str]:
        """The tables where nobody was for so many days, and those without a finished hand after at most a week."""
        statement = """SELECT id FROM tables WHERE visited < ? OR (
            visited < ? AND NOT EXISTS (SELECT 1 FROM hands WHERE hands."table" = tables.id))"""
        now = time.time()
        return [str(id) for (id,) in self._rows(statement, now - DAY * days, now - DAY * min(days, UNPLAYED_DAYS))]

    def delete_table(self, table: str) -> None:
        """Remove a table with all its hands."""
        with self.transaction():
            for name in ("events", "hands", "memories"):
                self._database.execute(f'DELETE FROM {name} WHERE "table" = ?', (table,))
            self._database.execute("DELETE FROM tables WHERE id = ?", (table,))

    def forget_table(self, table: str, row: int) -> None:
        """Remove a table to which nobody has a token any more; its hands are kept."""
        with self.transaction():
            for name in ("events", "memories"):
                self._database.execute(f'DELETE FROM {name} WHERE "table" = ?', (table,))
            self._database.execute("DELETE FROM tables WHERE rowid = ?", (row,))

    # Events

    def add_event(self, table: str, number: int, event: Json) -> None:
        with self.transaction():
            row = with_checksum(table, number, _json(event))
            self._database.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
            changed = self._database.execute("UPDATE tables SET events = ? WHERE id = ?", (number + 1, table))
            if changed.rowcount == 0:
                raise NoTable(f"table {table!r} was deleted")

    def events(self, table: str, first: int = 0) -> list[Json]:
        """All events of a table from this number on; Damaged if they are not as they were written."""
        good, count = self.good_events(table, first)
        if count is not None:
            raise Damaged(
                f"table {table!r} is damaged: {first + len(good):,} of its {count:,} events are as they were written; "
                "`fifthstreet tables check --repair` keeps those, and all its finished hands"
            )
        return good

    def good_events(self, table: str, first: int = 0) -> tuple[list[Json], int | None]:
        """The events of a table up to the first damage, and how many there should be if there is any."""
        statement = 'SELECT number, body, checksum FROM events WHERE "table" = ? AND number >= ? ORDER BY number'
        rows = self._rows(statement, table, first)
        good: list[Json] = []
        known = self._rows("SELECT events FROM tables WHERE id = ?", table)
        for number, body, checksum in rows:
            if number != first + len(good) or not intact((table, number, body), checksum):
                break
            try:
                good.append(json.loads(body))
            except (ValueError, TypeError):  # without a checksum, from an earlier version
                break
        count = known[0][0] if known else None
        wanted = first + len(rows) if count is None else count
        return good, None if first + len(good) == wanted else wanted

    def replace_events(self, table: str, events: list[Json]) -> None:
        with self.transaction():
            for name in ("events", "memories"):
                self._database.execute(f'DELETE FROM {name} WHERE "table" = ?', (table,))
            for number, event in enumerate(events):
                self.add_event(table, number, event)

    # What is remembered of a table, so that it opens quickly

    def add_memory(self, table: str, number: int, key: str, body: Json) -> None:
        """Keep what the events before this number led to; `key` says by which code."""
        row = with_checksum(table, number, key, _json(body))
        self._write("INSERT OR REPLACE INTO memories VALUES (?, ?, ?, ?, ?)", *row)

    def memory(self, table: str, key: str) -> tuple[int, Json] | None:
        """The memory of a table and the number of the first event after it, if it was made by this code."""
        for number, body, checksum in self._rows(
            'SELECT number, body, checksum FROM memories WHERE "table" = ? AND key = ?', table, key
        ):
            if checksum is not None and intact((table, number, key, body), checksum):
                return number, json.loads(body)
        return None

    # Hands

    def add_hand(self, hand: str, table: str, number: int, summary: Json, body: Json) -> None:
        *line, line_checksum = with_checksum(hand, table, number, time.time(), _json(summary))
        *_, text, body_checksum = with_checksum(hand, table, number, _json(body))
        row = (*line, text, line_checksum, body_checksum)
        self._write("INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row)

    def hand(self, hand: str) -> Json | None:
        rows = self._bodies("WHERE id = ?", hand) if hand.isascii() else []
        return rows[0][1] if rows else None

    def _bodies(self, where: str, *values: object) -> list[tuple[int, Json]]:
        """The numbers and bodies of some hands; Damaged if any is not as it was written."""
        found = []
        for *about, body, checksum in self._rows(
            f'SELECT id, "table", number, body, body_checksum FROM hands {where}', *values
        ):
            if not intact((*about, body), checksum):
                raise Damaged(f"hand {about[0]!r:.40} is not as it was written; {REPAIR}")
            found.append((about[2], json.loads(body)))
        return found

    def bodies(self, table: str) -> Iterator[Json]:
        """Every hand of a table, complete, with its number."""
        last = -1
        while part := self._bodies('WHERE "table" = ? AND number > ? ORDER BY number LIMIT 50', table, last):
            yield from ({"number": number, **body} for number, body in part)
            last = part[-1][0]

    def summaries(self, table: str, most: int = 1000) -> list[Json]:
        """The summaries of the last hands of a table, in order."""
        statement = """SELECT id, "table", number, finished, summary, line_checksum FROM hands
            WHERE "table" = ? ORDER BY number DESC LIMIT ?"""
        rows = self._rows(statement, table, most)
        good = [row for row in rows if intact(row[:-1], row[-1])]
        if len(good) < len(rows):
            raise Damaged(f"{len(good):,} of {len(rows):,} hands of table {table!r} are as they were written; {REPAIR}")
        return [
            {"id": id, "number": number, "finished": finished, **json.loads(summary)}
            for id, _, number, finished, summary, _ in rows[::-1]
        ]

    def hand_ids(self, table: str) -> dict[int, str]:
        return dict(self._rows('SELECT number, id FROM hands WHERE "table" = ?', table))

    def imported(self) -> int:
        """The number of imported hands."""
        return int(self._rows('SELECT COUNT(*) FROM hands WHERE "table" = ?', IMPORTED)[0][0])

    def hand_texts(self, table: str) -> Listed:
        """The hands of a table by the number of their row."""
        found: Listed = {}
        columns = 'rowid, id, "table", number, finished, summary, body, line_checksum, body_checksum'
        for row, id, of, number, finished, summary, body, line_checksum, body_checksum in self._rows(
            f'SELECT {columns} FROM hands WHERE "table" = ?', table
        ):
            line, about = (id, of, number, finished, summary), (id, of, number, body)
            good = intact(line, line_checksum) and intact(about, body_checksum)
            found[row] = number, str(body) if good else None
        return found

    def renumber(self, row: int, number: int) -> None:
        """Give the hand in this row another number at its table."""
        for id, of, finished, summary, body in self._rows(
            'SELECT id, "table", finished, summary, body FROM hands WHERE rowid = ?', row
        ):
            *_, line_checksum = with_checksum(id, of, number, finished, summary)
            *_, body_checksum = with_checksum(id, of, number, body)
            statement = "UPDATE hands SET number = ?, line_checksum = ?, body_checksum = ? WHERE rowid = ?"
            self._write(statement, number, line_checksum, body_checksum, row)

    def drop_hands(self, rows: Iterable[int]) -> None:
        with self.transaction():
            for row in rows:
                self._database.execute("DELETE FROM hands WHERE rowid = ?", (row,))

    def take_in(self, damaged: Path) -> int:
        """Take in all rows that can be read from the file of a damaged store; returns how many."""
        with self.transaction():
            return salvage(damaged, self._database, SHAPES)

    def reindex(self) -> None:
        """Write all indexes again."""
        self._write("REINDEX")

    def structure(self) -> str:
        """What SQLite finds wrong with the file; empty if nothing."""
        found = str(self._rows("PRAGMA integrity_check(1)")[0][0])
        return "" if found == "ok" else " ".join(found.split())[:200]

    def add_results(self, paper: str, body: Json) -> None:
        self._write("INSERT OR REPLACE INTO results VALUES (?, ?)", paper, json.dumps(body, default=str))

    def results(self) -> dict[str, Json]:
        return {paper: json.loads(body) for paper, body in self._rows("SELECT paper, body FROM results")}


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _trouble(what: str, error: Exception) -> InputError:
    """The error that something failed; Damaged if that is because the file is not what SQLite has written."""
    if type(error) is sqlite3.DatabaseError:  # other failures have classes of their own
        return Damaged(f"{what}: {error}; `fifthstreet tables check --repair` copies what can be read")
    return InputError(f"{what}: {error}")


def _to_disk(file: BinaryIO) -> None:
    getattr(os, "fdatasync", os.fsync)(file.fileno())
