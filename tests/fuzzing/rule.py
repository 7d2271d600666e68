"""The rule that every parser obeys, and what is found out while many inputs are tried.

Any input gives a value or the project's own error, whose message is one line of at most 300 characters, in time that
grows no faster than the input.
"""

import random
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from fifthstreet.errors import MOST, InputError

from fuzzing.mutations import HOSTILE, mutated
from fuzzing.parsers import Parser

SLOW = 2.0  # seconds of processor time that no input of these sizes may take, however busy the machine is


@dataclass
class Fault:
    """An input that breaks the rule."""

    parser: str
    data: bytes
    why: str


@dataclass
class Tried:
    """What was tried on one parser, and how it went."""

    parser: str
    inputs: int = 0
    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, bytes] = (0.0, b"")
    faults: list[Fault] = field(default_factory=list)


def attempt(parser: Parser, data: bytes, tried: Tried) -> None:
    """Try one input, and note how it went."""
    begin = time.process_time()
    why = ""
    try:
        parser.read(data)
        outcome = "read"
    except InputError as error:
        outcome, text = type(error).__name__, str(error)
        if len(text) > MOST or "\n" in text or not text:
            why = f"{outcome} with a message of {len(text)} characters: {text[:80]!r}"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        outcome = type(error).__name__
        why = "".join(traceback.format_exception(error))[-1500:]
    took = time.process_time() - begin
    if took > SLOW and len(data) <= 20_000 and tried.inputs > 3:  # the first may compile or load
        why = why or f"it took {took:.1f} s"
    tried.inputs += 1
    tried.seconds += took
    tried.outcomes[outcome] += 1
    if tried.inputs > 3:
        tried.slowest = max(tried.slowest, (took, data[:2000]))
    if why:
        tried.faults.append(Fault(parser.name, data, why))


def tried(parser: Parser, inputs: int, seed: int) -> Tried:
    """Try this many inputs: the examples, then changes of them."""
    rng, found = random.Random(f"{parser.name} {seed}"), Tried(parser.name)
    for example in parser.examples:
        attempt(parser, example, found)
    for _ in range(inputs - found.inputs):
        attempt(parser, mutated(rng, parser.examples), found)
    return found


SMALL, LARGE = 1_000, 16_000  # characters of a hostile input
MARGIN = 4  # times the growth that is linear, because caches and a busy machine disturb it
LEAST = 0.0005  # seconds that any small input may take


def superlinear(parser: Parser) -> Iterator[Fault]:
    """Repeat each hostile piece, alone and in the middle of an example: does time grow faster than the input?"""
    for piece in HOSTILE:
        for example in (b"", *parser.examples[:1]):
            middle = len(example) // 2
            before, after = example[:middle], example[middle:]
            small, large = (_time(parser, before + piece * (size // len(piece)) + after) for size in (SMALL, LARGE))
            if large > MARGIN * LARGE / SMALL * max(small, LEAST):
                large = min(_time(parser, before + piece * (LARGE // len(piece)) + after) for _ in range(3))
            if large > MARGIN * LARGE / SMALL * max(small, LEAST):
                why = f"{SMALL:,} characters take {small:.4f} s, {LARGE:,} take {large:.4f} s"
                yield Fault(parser.name, before + piece * (LARGE // len(piece)) + after, why)


def _time(parser: Parser, data: bytes) -> float:
    """The seconds of processor time that an input takes."""
    once = Tried(parser.name)
    attempt(parser, data, once)
    return once.seconds
