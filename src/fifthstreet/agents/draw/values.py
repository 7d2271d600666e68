"""Files of learning values: JSON as `fifthstreet session --keep` writes it, with a row for each hand and its value."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fifthstreet.errors import InputError

LOWEST, HIGHEST = 1.0, 10.0


def read_values(path: str | Path, hands: Sequence[str], lowest: float = LOWEST) -> NDArray[np.float64]:
    """The values of these hands, in order; InputError unless the file has exactly one for each."""
    place = Path(path)
    try:
        rows = json.loads(place.read_text(encoding="utf-8"))["memory"]
        found = {str(row["hand"]): row["value"] for row in rows}
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{str(path)!r} is not a file of learning values: rows of a hand and its value") from None
    for name in hands:
        if name not in found:
            raise InputError(f"{str(path)!r} has no learning value for {name!r}")
    for name, value in found.items():
        number = not isinstance(value, bool) and isinstance(value, int | float) and lowest <= value <= HIGHEST
        if name not in hands or not number:
            raise InputError(
                f"{str(path)!r} has {value!r} for {name!r}: learning values are from {lowest:g} to 10, one a hand"
            )
    if len(rows) != len(hands):
        raise InputError(f"{str(path)!r} has {len(rows)} rows: there are {len(hands)} hands")
    return np.array([float(found[name]) for name in hands])
