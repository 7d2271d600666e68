"""Any input gives a value or one of our own short errors, in time linear in the input."""

import pytest

from fifthstreet.errors import InputError

from fuzzing.corpus import folder_of, kept
from fuzzing.endpoints import Broken, endpoints
from fuzzing.parsers import Parser, parsers
from fuzzing.rule import Tried, attempt, superlinear, tried

INPUTS = 60  # changed examples for each parser; `make fuzz` tries as many as you like


@pytest.fixture(scope="module")
def everything() -> dict[str, Parser]:
    return parsers() | endpoints()


def test_changed_examples_give_values_or_short_errors(everything: dict[str, Parser]) -> None:
    for parser in everything.values():
        found = tried(parser, INPUTS, seed=1)
        assert not found.faults, (parser.name, found.faults[0].data[:300], found.faults[0].why)


def test_examples_are_understood(everything: dict[str, Parser]) -> None:
    """So that what is changed is nearly right; the others stop short of starting work, or stand for a whole class."""
    for parser in everything.values():
        if not parser.name.startswith(("game ", "record ", "message ", "POST ", "DELETE ", "GET ", "words ")):
            once = Tried(parser.name)
            for example in parser.examples:
                attempt(parser, example, once)
            assert once.outcomes["read"], parser.name


def test_what_once_failed_fails_no_more(everything: dict[str, Parser]) -> None:
    by_folder: dict[str, list[Parser]] = {}
    for parser in everything.values():
        by_folder.setdefault(folder_of(parser.name), []).append(parser)
    count = 0
    for folder, name, data in kept():
        for parser in by_folder[folder]:
            once = Tried(parser.name)
            attempt(parser, data, once)
            assert not once.faults, (folder, name, once.faults[0].why)
            count += 1
    assert count > 15


def test_a_damaged_table_store_is_refused_and_not_left_locked(everything: dict[str, Parser]) -> None:
    """SQLite quotes the damaged statement, which may be no text."""
    store = everything["table store"]
    damaged = store.examples[0].replace(b"CREATE TABLE hands", b"CREATE T\xecBLE hands")
    assert damaged != store.examples[0]
    for _ in range(2):
        with pytest.raises(InputError, match="tables cannot be stored"):
            store.read(damaged)
    store.read(store.examples[0])


def test_time_grows_no_faster_than_the_input(everything: dict[str, Parser]) -> None:
    for parser in everything.values():
        if not parser.name.startswith(("GET ", "DELETE ", "record ")):  # nothing in these is read piece by piece
            for fault in superlinear(parser):
                raise AssertionError((parser.name, fault.data[:100], fault.why))


def test_the_rule_is_broken_by_foreign_errors_long_messages_and_slow_readers() -> None:
    def foreign(data: bytes) -> None:
        raise KeyError(data)

    def long(data: bytes) -> None:
        error = InputError("short")
        error.args = ("x" * 301,)
        raise error

    def quadratic(data: bytes) -> int:
        return sum(byte for byte in data for _ in range(len(data) // 50))

    def broken(data: bytes) -> None:
        raise Broken

    for read in (foreign, long, broken):
        assert len(tried(Parser("bad", read, (b"a",)), 5, 1).faults) == 5
    assert next(superlinear(Parser("slow", quadratic, (b"a",))))
