"""The store: results in one SQLite file, which survives kills, full disks and two programs writing at once.

A *series* has a row of numbers for each deal (or run). Its key is made of everything the numbers depend on: game,
agents, parameters, seed, code. Its *units* are stretches of rows, each committed once and whole. A *run* is a command
that was given, with the series that it needs; several runs can share a series.
"""

import hashlib
import json
import os
import sqlite3
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError

MIGRATIONS = (
    """
    CREATE TABLE agents (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE);
    CREATE TABLE series (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, about TEXT NOT NULL);
    CREATE TABLE players (
        series INTEGER NOT NULL REFERENCES series, place INTEGER NOT NULL, agent INTEGER NOT NULL REFERENCES agents,
        PRIMARY KEY (series, place)
    ) WITHOUT ROWID;
    CREATE TABLE units (
        series INTEGER NOT NULL REFERENCES series, first INTEGER NOT NULL, count INTEGER NOT NULL,
        shape TEXT NOT NULL, numbers BLOB NOT NULL, notes TEXT NOT NULL, seconds REAL NOT NULL,
        PRIMARY KEY (series, first)
    );
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY, command TEXT NOT NULL, given TEXT NOT NULL, code TEXT NOT NULL,
        started TEXT NOT NULL, ended TEXT, result TEXT, UNIQUE (command, given, code)
    );
    CREATE TABLE asked (
        run INTEGER NOT NULL REFERENCES runs, series INTEGER NOT NULL REFERENCES series, count INTEGER NOT NULL,
        PRIMARY KEY (run, series)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE records (
        series INTEGER NOT NULL REFERENCES series, deal INTEGER NOT NULL, seating INTEGER NOT NULL,
        record TEXT NOT NULL,
        PRIMARY KEY (series, deal, seating)
    ) WITHOUT ROWID;
    """,
)
"""Script n turns version n of the schema into version n + 1; a store is brought up to date when it is opened."""

MEMORY = Path(":memory:")  # a store that exists only while it is open
_PATIENCE = 60  # seconds to wait for another program's commit


class StoreError(InputError):
    """The store cannot be opened, read or written."""


class Unit(NamedTuple):
    """Consecutive rows of a series, and what is kept with them."""

    first: int  # the number of the first row
    rows: NDArray[np.float64]
    notes: str = ""  # JSON
    seconds: float = 0.0  # that it took to play
    records: Sequence[tuple[int, int, str]] = ()  # deal, seating, the record of the game as JSON

    @property
    def end(self) -> int:
        """The number of the row after the last."""
        return self.first + len(self.rows)


@dataclass(frozen=True)
class KeptSeries:
    """A series that a run needs."""

    id: int
    about: Mapping[str, Any]  # everything its rows depend on
    wanted: int  # rows that the run needs
    done: int  # rows in the store


@dataclass(frozen=True)
class KeptRun:
    """A run in the store: a command that was given, and how far it came."""

    id: int
    command: str
    given: Mapping[str, Any]  # the parameters of the command
    code: str  # a hash of the code that ran it
    started: str
    ended: str | None
    result: Any  # as JSON values, when it has ended
    series: tuple[KeptSeries, ...]

    @property
    def state(self) -> str:
        return "finished" if self.ended else "unfinished"

    @property
    def done(self) -> int:
        return sum(min(one.done, one.wanted) for one in self.series)

    @property
    def wanted(self) -> int:
        return sum(one.wanted for one in self.series)

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "command": self.command,
            "given": self.given,
            "code": self.code,
            "started": self.started,
            "ended": self.ended,
            "state": self.state,
            "done": self.done,
            "wanted": self.wanted,
        }


def data_folder() -> Path:
    """The folder for this user's data, by the custom of the operating system."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "fifthstreet"


def usual_place() -> Path:
    """Where the user's store is: $FIFTHSTREET_STORE, or a file in the data folder."""
    return Path(os.environ.get("FIFTHSTREET_STORE") or data_folder() / "runs.sqlite")


class Store:
    """An open store, for use by the thread that opened it."""

    def __init__(self, path: Path, read_only: bool = False) -> None:
        """Open this file, and make it first if it does not exist, unless it is only to be read."""
        self.path = path
        if read_only and not path.exists():
            raise InputError(f"there is no store {str(path)!r}: nothing has been kept there yet")
        with self._careful("nothing was changed"):
            if not read_only:
                path.parent.mkdir(parents=True, exist_ok=True)
            # Without isolation_level, SQLite starts no transactions of its own; see _transaction.
            self._db = sqlite3.connect(
                _address(path, read_only), timeout=_PATIENCE, isolation_level=None, uri=path != MEMORY
            )
        try:
            with self._careful("nothing was changed"):
                self._refuse_strangers(read_only)
                if not read_only:
                    self._db.execute("PRAGMA journal_mode = WAL")
                    self._db.execute("PRAGMA synchronous = FULL")
                    self._migrate()
        except InputError:
            self.close()
            raise

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _version(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    def _refuse_strangers(self, read_only: bool) -> None:
        """Refuse a store of a newer program, and a database that is not a store."""
        if self._version > len(MIGRATIONS):
            raise InputError(
                f"the store {str(self.path)!r} has version {self._version}, "
                f"and this program can read versions up to {len(MIGRATIONS)}"
            )
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if self._version == 0 and (tables or read_only):
            raise InputError(f"{str(self.path)!r} is not a store: it is a database for something else")

    def _migrate(self) -> None:
        if self._version == len(MIGRATIONS):
            return
        with self._transaction():
            for script in MIGRATIONS[self._version :]:  # read again, because another program may have done it meanwhile
                for statement in script.split(";"):
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    @contextmanager
    def _careful(self, comfort: str = "all that was committed is kept") -> Iterator[None]:
        """Report errors of SQLite and the disk as an InputError, which ends with these words."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            what = "is not a store" if "not a database" in text else "cannot be used"
            raise StoreError(f"the store {str(self.path)!r} {what}: {text}; {comfort}") from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit everything written inside the `with` at its end, or nothing if it fails."""
        with self._careful():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _all(self, statement: str, *given: object) -> list[Any]:
        """All rows that a query finds."""
        with self._careful():
            return self._db.execute(statement, given).fetchall()

    # Series and their units.

    def series(self, about: Mapping[str, object], agents: Sequence[Mapping[str, object]]) -> int:
        """The number of the series with this description, which is added if it is new.

        about   everything its rows depend on
        agents  the identities of the agents, by their place in the rows
        """
        text = _json(about)
        key = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        found = self._all("SELECT id FROM series WHERE key = ?", key)
        if found:
            return int(found[0][0])
        with self._transaction():
            self._db.execute("INSERT OR IGNORE INTO series (key, about) VALUES (?, ?)", (key, text))
            number = self._db.execute("SELECT id FROM series WHERE key = ?", (key,)).fetchone()[0]
            for place, agent in enumerate(agents):
                self._db.execute("INSERT OR IGNORE INTO agents (identity) VALUES (?)", (_json(agent),))
                self._db.execute(
                    "INSERT OR IGNORE INTO players SELECT ?, ?, id FROM agents WHERE identity = ?",
                    (number, place, _json(agent)),
                )
        return int(number)

    def agents(self, series: int) -> list[dict[str, Any]]:
        """The identities of the agents of a series."""
        found = self._all(
            "SELECT identity FROM players JOIN agents ON agent = agents.id WHERE series = ? ORDER BY place", series
        )
        return [json.loads(identity) for (identity,) in found]

    def units(self, series: int, end: int | None = None) -> Iterator[Unit]:
        """The units of a series that begin before row `end`, in order."""
        with self._careful():
            cursor = self._db.execute(
                "SELECT first, count, shape, numbers, notes, seconds FROM units"
                " WHERE series = ? AND first < ? ORDER BY first",
                (series, 2**62 if end is None else end),
            )
            for first, count, shape, numbers, notes, seconds in cursor:
                rows = np.frombuffer(zlib.decompress(numbers)).reshape(count, *json.loads(shape))
                yield Unit(first, rows, notes, seconds)

    def stretches(self, series: int) -> list[tuple[int, int]]:
        """The first row of each unit of a series and the row after its last, in order."""
        found = self._all("SELECT first, first + count FROM units WHERE series = ? ORDER BY first", series)
        return [(int(first), int(end)) for first, end in found]

    def commit(self, series: int, unit: Unit, whole: bool = False) -> None:
        """Keep the rows of a unit that are not in the store yet.

        The rows of a `whole` unit belong together: they replace a shorter unit that begins at the same row.
        """
        with self._transaction():
            if whole:
                self._db.execute("DELETE FROM units WHERE series = ? AND first = ?", (series, unit.first))
            for first, end in gaps(self.stretches(series), unit.first, unit.end):
                rows = unit.rows[first - unit.first : end - unit.first]
                self._db.execute(
                    "INSERT INTO units VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (series, first, len(rows), json.dumps(rows.shape[1:]), _packed(rows), unit.notes, unit.seconds),
                )
            for deal, seating, record in unit.records:
                self._db.execute("INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?)", (series, deal, seating, record))

    def records(self, series: int) -> Iterator[tuple[int, int, Any]]:
        """The recorded games of a series: deal, seating, record."""
        with self._careful():
            cursor = self._db.execute("SELECT deal, seating, record FROM records WHERE series = ?", (series,))
            for deal, seating, record in cursor:
                yield deal, seating, json.loads(record)

    # Runs.

    def begin(self, command: str, given: Mapping[str, object], code: str) -> int:
        """The number of the run of this command with these parameters by this code, which is added if it is new."""
        text = json.dumps(given, ensure_ascii=False, default=str)  # in the order in which they were typed
        with self._transaction():
            self._db.execute(
                "INSERT OR IGNORE INTO runs (command, given, code, started) VALUES (?, ?, ?, ?)",
                (command, text, code, _now()),
            )
            found = self._db.execute(
                "SELECT id FROM runs WHERE command = ? AND given = ? AND code = ?", (command, text, code)
            )
            return int(found.fetchone()[0])

    def ask(self, run: int, series: int, count: int) -> None:
        """Note that a run needs the first `count` rows of a series."""
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO asked VALUES (?, ?, ?)", (run, series, count))

    def end(self, run: int, result: object) -> None:
        """Note that a run has ended, with this result (values that JSON can hold)."""
        with self._transaction():
            self._db.execute("UPDATE runs SET ended = ?, result = ? WHERE id = ?", (_now(), _json(result), run))

    def runs(self) -> list[KeptRun]:
        """All runs, oldest first."""
        return [self.run(number) for (number,) in self._all("SELECT id FROM runs ORDER BY id")]

    def run(self, number: int) -> KeptRun:
        """The run with this number."""
        found = self._all("SELECT command, given, code, started, ended, result FROM runs WHERE id = ?", number)
        if not found:
            latest = ", ".join(str(known) for (known,) in self._all("SELECT id FROM runs ORDER BY id")[-10:])
            known = f"the latest runs are {latest}" if latest else "it has no runs yet"
            raise InputError(f"there is no run {number} in {str(self.path)!r}: {known}")
        command, given, code, started, ended, result = found[0]
        asked = self._all(
            "SELECT series, about, asked.count, coalesce((SELECT sum(units.count) FROM units"
            " WHERE units.series = asked.series AND units.first < asked.count), 0)"
            " FROM asked JOIN series ON series.id = series WHERE run = ? ORDER BY series",
            number,
        )
        series = tuple(KeptSeries(one, json.loads(about), wanted, done) for one, about, wanted, done in asked)
        return KeptRun(
            number, command, json.loads(given), code, started, ended, json.loads(result) if result else None, series
        )


def gaps(taken: Sequence[tuple[int, int]], first: int, end: int) -> list[tuple[int, int]]:
    """The parts of the stretch from `first` to before `end` that are not taken; `taken` is in order.

    >>> gaps([(2, 4), (6, 9)], 0, 8)
    [(0, 2), (4, 6)]
    """
    found = []
    for start, stop in taken:
        if start >= end:
            break
        if start > first:
            found.append((first, start))
        first = max(first, stop)
    if first < end:
        found.append((first, end))
    return found


def _address(path: Path, read_only: bool) -> str:
    """The URI that SQLite opens; on a read-only disk it must be told that the file cannot change."""
    if path == MEMORY:
        return str(path)
    fixed = read_only and not os.access(path.parent, os.W_OK)
    return f"{path.absolute().as_uri()}?{'immutable=1' if fixed else 'mode=ro' if read_only else 'mode=rwc'}"


def _packed(rows: NDArray[np.float64]) -> bytes:
    return zlib.compress(np.ascontiguousarray(rows, np.float64).tobytes(), 1)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
