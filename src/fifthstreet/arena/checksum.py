"""Checksums of the rows of a store, by which damage to its file is found."""

import hashlib
from collections.abc import Sequence


def with_checksum(*values: object) -> tuple[object, ...]:
    """The values of a row, and after them their checksum."""
    digest = hashlib.blake2b(digest_size=8)
    for value in values:
        digest.update(value if isinstance(value, bytes) else repr(value).encode(errors="replace"))
        digest.update(b"|")
    return (*values, digest.hexdigest())


def intact(values: Sequence[object], checksum: object) -> bool:
    """Whether these values are as they were written; those of an older store, without a checksum, may be."""
    return checksum is None or with_checksum(*values)[-1] == checksum
