"""Inputs that once broke a parser, as files: corpus/<parser>/<what it was>.txt."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from fuzzing.rule import Fault

PLACE = Path(__file__).parent / "corpus"


def kept() -> Iterator[tuple[str, str, bytes]]:
    """The parser, the name of the file, and what is in it."""
    for file in sorted(PLACE.glob("*/*.txt")):
        yield file.parent.name, file.name, file.read_bytes()


def keep(fault: Fault) -> Path:
    """Add the input of a fault."""
    folder = PLACE / folder_of(fault.parser)
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{hashlib.blake2b(fault.data, digest_size=4).hexdigest()}.txt"
    place.write_bytes(fault.data)
    return place


def folder_of(parser: str) -> str:
    """The name of a parser as that of a folder."""
    return "".join(c if c.isalnum() else "-" for c in parser.lower()).strip("-")
