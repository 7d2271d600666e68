"""Rows of a damaged SQLite file, read page by page, so that one bad page costs only what was on it.

SQLite itself finds rows through trees of pages and gives up where one is damaged. Here every page is read for itself;
the rows have checksums, by which a store then tells what is good. See https://www.sqlite.org/fileformat2.html.
"""

import itertools
import sqlite3
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from fifthstreet.errors import InputError

LEAF, INDEX_LEAF, INDEX_NODE, NODE = 0x0D, 0x0A, 0x02, 0x05  # kinds of pages
USUAL_SIZE = 4096

Shapes = Mapping[str, str]
"""By table: the types of its columns, t for text, i for integers, n for numbers, b for bytes; a capital may be null."""
FITS = {"t": (str,), "i": (int,), "n": (int, float), "b": (bytes,)}


def salvage(damaged: Path, into: sqlite3.Connection, shapes: Shapes) -> int:
    """Copy every row that can still be read into a new database; returns how many."""
    file, copied = File(damaged), 0
    owners = file.owners()
    for number in file.pages:
        for rowid, values in file.rows(number):
            name = owners.get(number) or _owner(values, rowid, shapes)
            if name is None or name not in shapes:
                continue
            if rowid is not None and values and values[0] is None:  # the key of the row itself
                values = (rowid, *values[1:])
            marks = ", ".join("?" * len(shapes[name]))
            row = (*values, *[None] * len(shapes[name]))[: len(shapes[name])]
            with suppress(sqlite3.Error, OverflowError, UnicodeError):
                into.execute(f"INSERT OR REPLACE INTO {name} VALUES ({marks})", row)
                copied += 1
    return copied


class Taking(Protocol):
    """A store that takes in the rows of a damaged one."""

    def take_in(self, damaged: Path) -> int: ...

    def close(self) -> None: ...


def mend(damaged: Path, make: Callable[[Path], Taking]) -> Path:
    """Put a store with all that can be read of a damaged one in its place; returns where that is kept."""
    kept = next(path for n in itertools.count(1) if not (path := Path(f"{damaged}.damaged-{n}")).exists())
    copy = Path(f"{damaged}.copy")
    _move(copy, None)  # of an earlier attempt
    store = make(copy)
    try:
        count = store.take_in(damaged)
    finally:
        store.close()
    if not count:
        _move(copy, None)
        raise InputError(f"nothing can be read of {str(damaged)!r}: there is no row in it")
    _move(damaged, kept)
    _move(copy, damaged)
    return kept


def _move(path: Path, to: Path | None) -> None:
    """Move a database with its log, or remove it."""
    for end in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            if to is None:
                Path(f"{path}{end}").unlink()
            else:
                Path(f"{path}{end}").replace(f"{to}{end}")


def _owner(values: tuple[Any, ...], rowid: int | None, shapes: Shapes) -> str | None:
    """The only table that this row can be from."""
    found = [name for name, shape in shapes.items() if _fits(values, rowid, shape)]
    return found[0] if len(found) == 1 else None


def _fits(values: tuple[Any, ...], rowid: int | None, shape: str) -> bool:
    if len(values) > len(shape) or any(column.islower() for column in shape[len(values) :]):
        return False
    given = (rowid, *values[1:]) if rowid is not None and values and values[0] is None else values
    return all(
        (value is None and column.isupper()) or isinstance(value, FITS[column.lower()])
        for value, column in zip(given, shape, strict=False)
    )


class File:
    """The pages of an SQLite file, with those that its log has newer."""

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        size = int.from_bytes(content[16:18], "big")
        self.size = size if size in [2**power for power in range(9, 16)] else 65_536 if size == 1 else USUAL_SIZE
        self.usable = self.size - (content[20] if len(content) > 20 and content[20] <= 64 else 0)
        self.pages = {
            1 + at // self.size: content[at : at + self.size]
            for at in range(0, len(content) - self.size + 1, self.size)
        }
        with suppress(FileNotFoundError):
            self._read_log(Path(f"{path}-wal").read_bytes())

    def _read_log(self, log: bytes) -> None:
        newer: dict[int, bytes] = {}
        for at in range(32, len(log) - self.size - 23, self.size + 24):
            head = log[at : at + 24]
            if head[8:16] != log[16:24]:  # of an earlier log
                break
            newer[int.from_bytes(head[:4], "big")] = log[at + 24 : at + 24 + self.size]
            if any(head[4:8]):  # the end of a transaction
                self.pages |= newer

    def owners(self) -> dict[int, str]:
        """The table or index of each page, as far as the trees lead there."""
        found: dict[int, str] = {}
        for _, values in self.rows(1, schema=True):
            if len(values) == 5 and isinstance(values[3], int):
                self._own(values[3], str(values[1]), found)
        return found

    def _own(self, root: int, name: str, found: dict[int, str]) -> None:
        waiting = [root]
        while waiting:
            number = waiting.pop()
            if number in self.pages and number not in found and number != 1:
                found[number] = name
                waiting += self._children(self.pages[number])

    def _children(self, page: bytes) -> list[int]:
        if page[0] not in (NODE, INDEX_NODE):
            return []
        cells = [int.from_bytes(page[at : at + 4], "big") for at in self._cells(page, 0)]
        return [*cells, int.from_bytes(page[8:12], "big")]

    def _cells(self, page: bytes, begin: int) -> list[int]:
        first = begin + (12 if page[begin] in (NODE, INDEX_NODE) else 8)
        count = min(int.from_bytes(page[begin + 3 : begin + 5], "big"), (self.size - first) // 2)
        return [int.from_bytes(page[first + 2 * i : first + 2 * i + 2], "big") for i in range(count)]

    def rows(self, number: int, schema: bool = False) -> Iterator[tuple[int | None, tuple[Any, ...]]]:
        """The rows on a page: the rowid, None in an index, and the values; the schema is on the first one."""
        page = self.pages.get(number, b"")
        begin = 100 if number == 1 else 0
        if len(page) < self.size or page[begin] not in (LEAF, INDEX_LEAF, INDEX_NODE) or schema != (number == 1):
            return
        for at in self._cells(page, begin):
            with suppress(IndexError, ValueError, KeyError, OverflowError):
                yield self._row(page, page[begin], at)

    def _row(self, page: bytes, kind: int, at: int) -> tuple[int | None, tuple[Any, ...]]:
        length, at = _varint(page, at + (4 if kind == INDEX_NODE else 0))
        rowid = None
        if kind == LEAF:
            rowid, at = _varint(page, at)
        most = self.usable - 35 if kind == LEAF else (self.usable - 12) * 64 // 255 - 23
        least = (self.usable - 12) * 32 // 255 - 23
        local = length
        if length > most:
            local = least + (length - least) % (self.usable - 4)
            local = local if local <= most else least
        parts = [page[at : at + local]]
        if length > self.size * len(self.pages):
            raise ValueError
        left, following = length - local, int.from_bytes(page[at + local : at + local + 4], "big")
        while left > 0:
            more = self.pages[following]
            parts.append(more[4 : 4 + min(left, self.usable - 4)])
            left, following = left - len(parts[-1]), int.from_bytes(more[:4], "big")
        return rowid, _values(b"".join(parts))


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of 1 to 9 bytes, and where it ends."""
    value = 0
    for i in range(8):
        value = value << 7 | data[at + i] & 0x7F
        if data[at + i] < 0x80:
            return value, at + i + 1
    value = value << 8 | data[at + 8]
    return value - 2**64 if value >= 2**63 else value, at + 9


def _values(record: bytes) -> tuple[Any, ...]:
    """The columns of a record."""
    end, at = _varint(record, 0)
    kinds: list[int] = []
    found: list[Any] = []
    while at < end:
        kind, at = _varint(record, at)
        kinds.append(kind)
    at = end
    for kind in kinds:
        length = (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]
        part, at = record[at : at + length], at + length
        if len(part) < length:
            raise ValueError
        if kind >= 12:
            found.append(part.decode() if kind % 2 else part)
        elif kind == 7:
            found.append(struct.unpack(">d", part)[0])
        else:
            found.append(None if kind == 0 else kind - 8 if kind >= 8 else int.from_bytes(part, "big", signed=True))
    return tuple(found)
