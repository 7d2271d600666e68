"""Inputs that are nearly right: examples with a few pieces changed, in ways that have broken parsers before."""

import copy
import json
import random
from collections.abc import Sequence
from typing import Any

PIECES = (
    b"\0", b"\n", b"\r\n", b"\t", b" ", b"\xff\xfe", b"\xef\xbb\xbf", "\u2028é٣一".encode(), b"\xed\xa0\x80",
    b"'", b'"', b'"""', b"[", b"]", b"[[", b"{", b"}", b"(", b")", b":", b"::", b"=", b"=,", b",", b".", b"..", b"/",
    b"|", b"-", b"+", b"#", b"%", b"?", b"*", b"\\", b"\\u0000",
    b"0", b"-1", b"1e999", b"1e-999999999", b"1e9999999999999999999999", b"nan", b"inf", b"-inf", b"NaN", b"Infinity",
    b"9" * 23, b"9" * 400, b"9" * 5000, b"0x" + b"f" * 5000, b"999999999999999.999999", b"9223372036854775808",
    b"1_000", "½²".encode(), b"None", b"true", b"null", b"a" * 256, b"../" * 90, b"%s%n{0}", b"__class__",
)  # fmt: skip

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 3, 10**15, 2**31, 2**63, 10**23, 10**400, -(10**400), 0.5, -0.0, 1e308, 1e-320,
    "", "a", "0", "-1", "1e999", "9" * 400, "you", "random", "\0", "\ud800", "é", "x" * 300,
    [], [[]], {}, {"": None}, [None] * 12, ["you"] * 11, {"a": {"b": [1, {"c": None}]}},
)  # fmt: skip


def mutated(rng: random.Random, examples: Sequence[bytes]) -> bytes:
    """One of the examples, with a few changes; seldom anything else."""
    chosen = rng.choice(examples)
    if rng.random() < 0.02:
        return rng.randbytes(rng.randrange(200))
    if chosen[:1] in (b"{", b"[") and rng.random() < 0.7:
        try:
            return json.dumps(_changed(rng, json.loads(chosen), rng.randrange(1, 4))).encode()
        except (ValueError, RecursionError):
            pass
    data = bytearray(chosen)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 1, 2, 5, 20, 100)))
        kind = 3 if len(data) > 3_000 and rng.random() < 0.7 else rng.randrange(8)  # pages of a store keep their places
        if kind == 0:
            del data[at:end]
        elif kind == 1:
            data[at:at] = rng.choice(PIECES)
        elif kind == 2:
            data[at:end] = rng.choice(PIECES)
        elif kind == 3 and at < len(data):
            data[at] = rng.randrange(256)
        elif kind == 4:
            data[at:at] = bytes(data[at:end]) * rng.choice((1, 2, 30))
        elif kind == 5:
            other = rng.choice(examples)
            cut = rng.randrange(len(other) + 1)
            data[at:end] = other[cut : cut + rng.choice((3, 20, 100))]
        elif kind == 6:
            data[:] = _another_number(rng, data)
        else:
            del data[at:]
    return bytes(data[: len(chosen) + 20_000])


def _another_number(rng: random.Random, data: bytearray) -> bytes:
    """The data with one of its numbers exchanged."""
    digits = [i for i, byte in enumerate(data) if 48 <= byte < 58]
    if not digits:
        return bytes(data)
    start = end = rng.choice(digits)
    while end < len(data) and 48 <= data[end] < 58:
        end += 1
    return bytes(data[:start]) + rng.choice(PIECES[33:52]) + bytes(data[end:])


def _changed(rng: random.Random, value: Any, changes: int) -> Any:
    """A JSON value with some of its parts exchanged, taken out or doubled."""
    for _ in range(changes):
        value = _once(rng, value)
    return value


def _once(rng: random.Random, value: Any) -> Any:
    if not isinstance(value, dict | list) or not value or rng.random() < 0.1:
        return copy.deepcopy(rng.choice(VALUES))
    keys: Sequence[Any] = list(value) if isinstance(value, dict) else range(len(value))
    key, kind = rng.choice(keys), rng.randrange(5)
    if kind == 0:
        del value[key]
    elif kind == 1 and isinstance(value, list):
        value.append(copy.deepcopy(value[key]))
    elif kind == 1 and isinstance(value, dict):
        value[str(rng.choice(VALUES))[:40]] = copy.deepcopy(value[key])
    else:
        value[key] = _once(rng, value[key])
    return value


HOSTILE = (
    b"\n", b" ", b"\t\n", b"a", b"a.", b"9", b"9.", b"a=", b"a=1\n", b"a=1,", b"[", b"[[", b"{", b'{"a":', b"]", b"(",
    b"'", b'"', b'"""', b"\\", b"#", b"#\n", b":", b",", b", ", b"|", b"/", b"-", b"f", b"c/", b"r1", b"Ah", b"AA,",
    b"AKs:0.5,", b"22+,", b"[1]\n", b"STATE:", b"STATE:0:c:AhAd|KhKd:1|-1:a|b\n", b"PokerStars Hand #1: \n\n",
    b"Seat 1: a ($1 in chips)\n", b"d dh p1 AhAd", b'actions = ["', b"p1 cc", b"\0", b"\xff", "٣".encode(),
)  # fmt: skip
"""Pieces which, repeated, have taken parsers more than linear time, or could."""
