"""What players have learned, as part of the package: data files, what is known of them, and how they are made again.

`name.npz` holds arrays; `name.json` beside it says which command made them from which code, what it cost, and their
checksum. They are read as they are, also when the code behind them has changed since (`fifthstreet learn --check` tells
which those are). What is missing or damaged is learned when it is needed, and kept in the user's cache.
"""

import contextlib
import functools
import hashlib
import io
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.errors import InputError

Arrays = dict[str, NDArray[Any]]
State = Literal["current", "older", "missing", "damaged"]

HERE = Path(__file__).parent


def folder() -> Path:
    """Where files are written, and looked for first: $FIFTHSTREET_LEARNED, or the package itself."""
    return Path(os.environ.get("FIFTHSTREET_LEARNED") or HERE)


def fingerprint() -> str:
    """A hash of everything that is shipped, on which results depend as they do on the code."""
    files = {path.name: path for place in (HERE, folder()) for path in sorted(place.glob("*.json"))}
    return hashlib.blake2b(b"\0".join(path.read_bytes() for path in files.values()), digest_size=8).hexdigest()


class Damaged(Exception):
    """A file is not what was written, or not what this code expects; the message says which."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """How something is learned, and under which name it is kept."""

    made_by: str  # the `__file__` of the module that learns it
    name: str
    learn: Callable[[], Mapping[str, NDArray[Any]]]  # learns it anew, from nothing but the code
    game: str
    agent: str  # that plays by it
    cost: float  # seconds of processor time, roughly
    games: int  # that it is learned from
    shapes: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)  # kernels trust them; None is any number
    shipped: bool = True  # whether it is part of the package
    seed: int = 0

    @property
    def command(self) -> str:
        return f"fifthstreet learn {self.game} {self.agent}"

    def arrays(self) -> Arrays:
        """What was learned, which nobody can change: shipped, found in the cache, or learned now."""
        if self.shipped:
            try:
                return self.read()
            except FileNotFoundError:
                self._announce("is missing")
            except Damaged as damage:
                self._announce(str(damage))
        return frozen(cache.arrays(self.made_by, self.name, self.learn))

    def _announce(self, what: str) -> None:
        cache.say_once(f"{self.name}.npz {what}, so it is learned for now; `{self.command}` makes the file again")

    def read(self) -> Arrays:
        """The arrays in the file; FileNotFoundError or Damaged if there is none that can be used."""
        place = self._place()
        content = (place / f"{self.name}.npz").read_bytes()
        if hashlib.blake2b(content, digest_size=16).hexdigest() != self.about(place).get("checksum"):
            raise Damaged("is damaged")
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            found = {name: stored[name] for name in stored.files}
        if not self._fits(found):
            raise Damaged("is of another version")
        return frozen(found)

    def _place(self) -> Path:
        own = folder()
        return own if (own / f"{self.name}.npz").exists() else HERE

    def _fits(self, found: Arrays) -> bool:
        def fits(array: NDArray[Any], shape: tuple[int | None, ...]) -> bool:
            return len(array.shape) == len(shape) and all(
                n in (None, m) for n, m in zip(shape, array.shape, strict=True)
            )

        return all(name in found and fits(found[name], shape) for name, shape in self.shapes.items())

    def about(self, place: Path | None = None) -> dict[str, Any]:
        """What is known of the file; nothing if that is damaged."""
        try:
            found: dict[str, Any] = json.loads(((place or self._place()) / f"{self.name}.json").read_text())
            return found if isinstance(found, dict) else {}
        except (OSError, ValueError):
            return {}

    def state(self) -> State:
        """Whether there is a file, and whether the code that made it is the code of today."""
        try:
            self.read()
        except FileNotFoundError:
            return "missing"
        except Damaged:
            return "damaged"
        return "current" if self.about().get("key") == cache.code_key(self.made_by) else "older"

    def seconds(self) -> float:
        """The processor time that learning takes: what it took last time, or else a rough guess."""
        return float(self.about().get("cpu_hours", self.cost / 3600)) * 3600

    def ship(self) -> None:
        """Learn it anew and write the files. What an interrupted call had learned is taken up."""
        place, key = folder(), cache.code_key(self.made_by)
        _refuse_unless_writable(place)
        begin, processor = time.time(), _processor_time()
        with cache.one_at_a_time(cache.folder() / f"{self.name}-{cache.key(self.made_by)}"):
            found = dict(self.learn())
            assert self._fits(found), {name: array.shape for name, array in found.items()}
            content = packed(found)
        about = {
            "name": self.name,
            "command": self.command,
            "commit": commit(),
            "key": key,
            "seed": self.seed,
            "games": self.games,
            "hours": round((time.time() - begin) / 3600, 4),
            "cpu_hours": round((_processor_time() - processor) / 3600, 4),
            "numpy": np.__version__,
            "bytes": len(content),
            "checksum": hashlib.blake2b(content, digest_size=16).hexdigest(),
        }
        for name, text in ((f"{self.name}.npz", content), (f"{self.name}.json", json.dumps(about, indent=1).encode())):
            with cache.replacing(place / name) as file:
                file.write(text)


def frozen(arrays: Arrays) -> Arrays:
    """The same arrays, read-only."""
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """An npz file with these arrays: the same bytes for the same arrays, at any time."""
    import zipfile

    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name in sorted(arrays):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(arrays[name]), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, content.getvalue(), compresslevel=9)
    return target.getvalue()


def _refuse_unless_writable(place: Path) -> None:
    """Find out before hours are spent, not after."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        with cache.replacing(place / ".writable") as file:
            file.write(b"")
        (place / ".writable").unlink()
    except OSError as error:
        why = error.strerror or error
        raise InputError(f"{place} cannot be written ({why}); FIFTHSTREET_LEARNED=FOLDER names another place") from None


def _processor_time() -> float:
    """The processor time of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


@functools.cache
def commit() -> str | None:
    """The commit of the code, if it is a clone; with a + if files were changed since."""

    import subprocess

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(HERE), *words], capture_output=True, text=True, check=True, timeout=10)
        return done.stdout.strip()

    with contextlib.suppress(OSError, subprocess.SubprocessError):
        changed = git("status", "--porcelain", "--untracked-files=no", "--", str(HERE.parent), f":!{HERE}")
        return git("rev-parse", "HEAD")[:12] + ("+" if changed else "")
    return None
