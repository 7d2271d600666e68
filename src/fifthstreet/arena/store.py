"""The store: results in one SQLite file, which survives kills, full disks and two programs writing at once.

A *series* has a row of numbers for each deal (or run). Its key is made of everything the numbers depend on: game,
agents, parameters, seed, code. Its *units* are stretches of rows, each committed once and whole. A *run* is a command
that was given, with the series that it needs; several runs can share a series. Units, records and runs have checksums,
so that damage to the file is reported and never becomes a different result.
"""

import hashlib
import json
import os
import sqlite3
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.arena.checksum import intact, with_checksum
from fifthstreet.arena.salvage import salvage
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
    """
    ALTER TABLE units ADD COLUMN checksum TEXT;
    ALTER TABLE records ADD COLUMN checksum TEXT;
    ALTER TABLE runs ADD COLUMN checksum TEXT;
    """,
)
"""Script n turns version n of the schema into version n + 1; a store is brought up to date when it is opened.

Rows from before version 3 have no checksum: they are accepted if they can be read.
"""

SHAPES = {
    "agents": "it",
    "series": "itt",
    "players": "iii",
    "units": "iiitbtnT",
    "runs": "ittttTTT",
    "asked": "iii",
    "records": "iiitT",
}
"""The columns of the tables, for `salvage`."""

MEMORY = Path(":memory:")  # a store that exists only while it is open
_PATIENCE = 60  # seconds to wait for another program's commit


class StoreError(InputError):
    """The store cannot be opened, read or written."""


class DamagedStore(StoreError):
    """The file of the store is not a database, or parts of it are not what they should be."""


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


@dataclass(frozen=True)
class Health:
    """What a check of a store found."""

    good: int  # units that are as they were committed
    damaged: int  # units that are not
    others: int  # runs, series and records that are damaged
    structure: str  # what SQLite finds wrong with the file itself; empty if nothing

    @property
    def sound(self) -> bool:
        return not (self.damaged or self.others or self.structure)

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "sound": self.sound}


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
        self._failed = False  # whether a transaction has failed that could not be rolled back
        if read_only and not path.exists():
            raise InputError(f"there is no store {str(path)!r}: nothing has been kept there yet")
        with self._careful("nothing was changed"):
            if not read_only:
                path.parent.mkdir(parents=True, exist_ok=True)
            # Without isolation_level, SQLite starts no transactions of its own; see _transaction.
            self._db = sqlite3.connect(
                _address(path, read_only), timeout=_PATIENCE, isolation_level=None, uri=path != MEMORY
            )
            # Damaged text is read all the same, so that one bad row does not hide the rows after it.
            self._db.text_factory = lambda raw: raw.decode(errors="surrogateescape")
        try:
            with self._careful("nothing was changed"):
                self._refuse_strangers(read_only)
                if not read_only:
                    self._db.execute("PRAGMA journal_mode = WAL")
                    self._db.execute("PRAGMA synchronous = FULL")
                    self._migrate()
                # A store of an older version that is only read has no column of checksums.
                self._checksum = "checksum" if self._version > 2 else "NULL"
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
    def _careful(self, comfort: str = "") -> Iterator[None]:
        """Report errors of SQLite and the disk as a StoreError, which ends with these words."""
        try:
            if self._failed:
                self._roll_back()
            yield
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:  # the last, where SQLite quotes damaged text
            text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            text = "malformed text" if isinstance(error, UnicodeDecodeError) else " ".join(text.split())
            what, usual = "cannot be used", "all that was committed is kept"
            if "not a database" in text:
                what = "is not a store"
            elif "malformed" in text:
                what, usual = "is damaged", "`fifthstreet runs check` counts what is still good"
            kind = StoreError if what == "cannot be used" else DamagedStore
            raise kind(f"the store {str(self.path)!r} {what}: {text}; {comfort or usual}") from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit everything written inside the `with` at its end, or nothing if it fails."""
        with self._careful():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                self._failed = True
                with suppress(sqlite3.Error):  # then the next use of the store tries again
                    self._roll_back()
                raise

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        self._failed = False

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
        key = _key(text)
        found = self._all("SELECT id, about FROM series WHERE key = ?", key)
        if found and found[0][1] != text:
            raise self._damage(f"the description of series {found[0][0]}")
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
        what = f"an agent of series {series}"
        agents = [self._read(identity, what) for (identity,) in found]
        for (about,) in self._all("SELECT about FROM series WHERE id = ?", series):
            if self._read(about, what).get("agents", agents) != agents:
                raise self._damage(what)
        return agents

    def units(self, series: int, end: int | None = None) -> Iterator[Unit]:
        """The units of a series that begin before row `end`, in order."""
        with self._careful():
            cursor = self._db.execute(
                f"SELECT first, count, shape, numbers, notes, seconds, {self._checksum} FROM units"
                " WHERE series = ? AND first < ? ORDER BY first",
                (series, 2**62 if end is None else end),
            )
            for row in cursor:
                unit = _unit(series, *row)
                if unit is None:
                    raise self._damage(f"the unit at row {row[0]!r:.30} of series {series}")
                yield unit

    def _read(self, text: Any, what: str) -> Any:
        """The value of this JSON, or a StoreError that says what is damaged."""
        try:
            text.encode()
            return json.loads(text)
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise self._damage(what) from None

    def _damage(self, what: str) -> StoreError:
        """The error that this is damaged, which says what is still good."""
        found = self.check()
        return StoreError(
            f"the store {str(self.path)!r} is damaged: {what} is not as it was written; {found.good:,} of "
            f"{found.good + found.damaged:,} units are good, and `fifthstreet runs check --repair` drops the rest, "
            "so that it is played again"
        )

    def check(self, repair: bool = False) -> Health:
        """Read everything and count what is damaged; `repair` drops that, so that it is played again."""
        column = self._checksum
        units: dict[int, bool] = {}
        for order in ("NOT INDEXED", "INDEXED BY sqlite_autoindex_units_1"):  # what one way misses, the other may find
            for (row,) in self._as_far_as_possible(f"SELECT rowid FROM units {order}"):
                units[row] = False
        fields = f"series, first, count, shape, numbers, notes, seconds, {column}"
        for row in units:
            for found in self._as_far_as_possible(f"SELECT {fields} FROM units NOT INDEXED WHERE rowid = {row}"):
                units[row] = _unit(*found) is not None
        series = [
            number
            for number, key, about in self._as_far_as_possible("SELECT id, key, about FROM series NOT INDEXED")
            if not _described(about, key)
        ]
        runs = [
            row[0]
            for row in self._as_far_as_possible(f"SELECT {_RUN}, {column} FROM runs NOT INDEXED")
            if not intact(row[:-1], row[-1])
        ]
        records = [
            row[:3]
            for row in self._as_far_as_possible(f"SELECT series, deal, seating, record, {column} FROM records")
            if not intact(row[:-1], row[-1])
        ]
        damaged = [row for row, good in units.items() if not good]
        wrong = [str(found) for (found,) in self._as_far_as_possible("PRAGMA integrity_check(1)")] or ["unreadable"]
        structure = "" if wrong == ["ok"] else " ".join(wrong[0].split())[:200]
        if repair:
            with self._transaction():
                if structure:
                    self._db.execute("REINDEX")
                self._db.executemany("DELETE FROM units WHERE rowid = ?", [(row,) for row in damaged])
                self._db.executemany("DELETE FROM records WHERE (series, deal, seating) = (?, ?, ?)", records)
                for table, column, those in (("runs", "run", runs), ("series", "series", series)):
                    for number in those:
                        self._db.execute(f"DELETE FROM asked WHERE {column} = ?", (number,))
                        self._db.execute(f"DELETE FROM {table} WHERE id = ?", (number,))
                for number in series:
                    for table in ("units", "records", "players"):
                        self._db.execute(f"DELETE FROM {table} WHERE series = ?", (number,))
        return Health(len(units) - len(damaged), len(damaged), len(series) + len(runs) + len(records), structure)

    def _as_far_as_possible(self, statement: str) -> Iterator[Any]:
        """The rows that a query finds before it meets damage."""
        with suppress(sqlite3.Error, UnicodeDecodeError):
            yield from self._db.execute(statement)

    def take_in(self, damaged: Path) -> int:
        """Take in all rows that can be read from the file of a damaged store; returns how many."""
        with self._transaction():
            return salvage(damaged, self._db, SHAPES)

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
                    "INSERT INTO units VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    with_checksum(
                        series,
                        first,
                        len(rows),
                        json.dumps(rows.shape[1:]),
                        _packed(rows),
                        unit.notes,
                        float(unit.seconds),
                    ),
                )
            for record in unit.records:
                self._db.execute("INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?, ?)", with_checksum(series, *record))

    def records(self, series: int) -> Iterator[tuple[int, int, Any]]:
        """The recorded games of a series: deal, seating, record."""
        with self._careful():
            if self._db.execute("PRAGMA integrity_check(records)").fetchone() != ("ok",):
                raise self._damage("the list of records")  # in which some could be missing
            cursor = self._db.execute(
                f"SELECT deal, seating, record, {self._checksum} FROM records WHERE series = ?", (series,)
            )
            for deal, seating, record, checksum in cursor:
                what = f"the record of deal {deal!r:.30} of series {series}"
                if not intact((series, deal, seating, record), checksum):
                    raise self._damage(what)
                yield deal, seating, self._read(record, what)

    # Runs.

    def begin(self, command: str, given: Mapping[str, object], code: str) -> int:
        """The number of the run of this command with these parameters by this code, which is added if it is new."""
        text = json.dumps(given, ensure_ascii=False, default=str)  # in the order in which they were typed
        with self._transaction():
            added = self._db.execute(
                "INSERT OR IGNORE INTO runs (command, given, code, started) VALUES (?, ?, ?, ?)",
                (command, text, code, _now()),
            )
            found = self._db.execute(
                "SELECT id FROM runs WHERE command = ? AND given = ? AND code = ?", (command, text, code)
            )
            number = int(found.fetchone()[0])
            if added.rowcount == 1:
                self._sign(number)
            return number

    def _sign(self, run: int) -> None:
        """Give a run the checksum of what it contains now; a damaged run must not get one."""
        row = self._db.execute(f"SELECT {_RUN} FROM runs WHERE id = ?", (run,)).fetchone()
        self._db.execute("UPDATE runs SET checksum = ? WHERE id = ?", (with_checksum(*row)[-1], run))

    def ask(self, run: int, series: int, count: int) -> None:
        """Note that a run needs the first `count` rows of a series."""
        self._intact_run(run)
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO asked VALUES (?, ?, ?)", (run, series, count))
            self._sign(run)

    def end(self, run: int, result: object) -> None:
        """Note that a run has ended, with this result (values that JSON can hold)."""
        self._intact_run(run)
        with self._transaction():
            self._db.execute("UPDATE runs SET ended = ?, result = ? WHERE id = ?", (_now(), _json(result), run))
            self._sign(run)

    def runs(self) -> list[KeptRun]:
        """All runs, oldest first."""
        return [self.run(number) for (number,) in self._all("SELECT id FROM runs ORDER BY id")]

    def _intact_run(self, number: int) -> tuple[Any, ...]:
        """The columns of a run; an error if there is none with this number, or it is damaged."""
        found = self._all(f"SELECT {_RUN}, {self._checksum} FROM runs WHERE id = ?", number)
        if not found:
            latest = ", ".join(str(known) for (known,) in self._all("SELECT id FROM runs ORDER BY id")[-10:])
            known = f"the latest runs are {latest}" if latest else "it has no runs yet"
            raise InputError(f"there is no run {number} in {str(self.path)!r}: {known}")
        *row, checksum = found[0]
        if not intact(row, checksum):
            raise self._damage(f"run {number}")
        return tuple(row)

    def run(self, number: int) -> KeptRun:
        """The run with this number."""
        _, command, given, code, started, ended, result, needed = self._intact_run(number)
        what = f"run {number}"
        asked = self._all(
            "SELECT series, key, about, asked.count, coalesce((SELECT sum(units.count) FROM units"
            " WHERE units.series = asked.series AND units.first < asked.count), 0)"
            " FROM asked JOIN series ON series.id = series WHERE run = ? ORDER BY series",
            number,
        )
        if len(asked) != len(needed.split(",") if needed else ()):
            raise self._damage(f"a series of {what}")
        for one, key, about, *_ in asked:
            if not _described(about, key):
                raise self._damage(f"the description of series {one}")
        series = tuple(KeptSeries(one, self._read(about, what), wanted, done) for one, _, about, wanted, done in asked)
        if ended and any(one.done < one.wanted for one in series):
            raise self._damage(f"a unit of {what}")
        ending = self._read(result, what) if result else None
        return KeptRun(number, command, self._read(given, what), code, started, ended, ending, series)


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


_RUN = (
    "id, command, given, code, started, ended, result, (SELECT group_concat(series || ':' || count) FROM"
    " (SELECT series, count FROM asked WHERE run = runs.id ORDER BY series))"
)
"""The columns of a run that its checksum is made of, and what it asked for."""


def _key(about: str) -> str:
    return hashlib.blake2b(about.encode(errors="surrogateescape"), digest_size=16).hexdigest()


def _described(about: object, key: object) -> bool:
    """Whether the description of a series is the one that its key was made of."""
    return isinstance(about, str) and _key(about) == key


def _unit(series: object, first: Any, count: Any, *more: Any) -> Unit | None:
    """The unit in a row of the store; None if it is damaged."""
    shape, numbers, notes, seconds, checksum = more
    if not intact((series, first, count, *more[:-1]), checksum):
        return None
    try:
        if checksum is None and notes:
            json.loads(notes.encode())
        rows = np.frombuffer(zlib.decompress(numbers)).reshape(count, *json.loads(shape))
        return Unit(int(first), rows, notes, float(seconds))
    except (zlib.error, ValueError, TypeError, AttributeError, OverflowError, RecursionError, MemoryError):
        return None


def _packed(rows: NDArray[np.float64]) -> bytes:
    return zlib.compress(np.ascontiguousarray(rows, np.float64).tobytes(), 1)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
