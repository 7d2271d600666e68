"""Where computed things are kept between runs: compiled kernels, tables, learned values.

Nothing in the cache is precious. A missing, damaged or foreign file is computed again, and a folder that cannot be
written costs time, never correctness.
"""

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def folder() -> Path:
    """The user's cache folder of this project: $FIFTHSTREET_CACHE, or what the system calls the cache."""
    chosen = os.environ.get("FIFTHSTREET_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "fifthstreet"


@functools.cache
def source_hash(kernels_only: bool = False) -> str:
    """A fingerprint of the package's code, all of it or the part that may hold kernels."""
    package = Path(__file__).parent
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if path.is_file() and not (kernels_only and name.startswith(NO_KERNELS)):
            digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


NO_KERNELS = ("cli/", "terminal.py", "web/", "papers/", "histories/", "interop/", "benchmarks/")
"""Parts of the package that hold no kernel, so that editing them costs no compilation."""


def version_of(*files: str) -> str:
    """A short version for what is computed by NumPy and the code in these files alone."""
    import numpy as np

    parts = [np.__version__.encode(), *(Path(file).read_bytes() for file in files)]
    return hashlib.blake2b(b"\0".join(parts), digest_size=8).hexdigest()


def announce(text: str) -> None:
    """One line for the person who waits, beside the results."""
    if not os.environ.get("FIFTHSTREET_QUIET"):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def arrays(name: str, version: str, compute: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """The named arrays, read from the cache if they are there, whole and of this version; else computed and kept."""
    import numpy as np

    path = folder() / f"{name}-{version}.npz"
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            found = {key: stored[key] for key in stored.files if key != "checksum"}
            if str(stored["checksum"]) == _checksum(found):
                return found
        announce(f"{path.name} in the cache is not what was stored, and is made again")
    except FileNotFoundError:
        pass
    except Exception as error:  # NumPy, zipfile and zlib each have many ways to say that a file is damaged
        announce(f"{path.name} in the cache cannot be read ({type(error).__name__}), and is made again")
    fresh = dict(compute())
    _store(path, fresh | {"checksum": np.array(_checksum(fresh))})
    return fresh


def _checksum(found: Mapping[str, Any]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for key in sorted(found):
        value = found[key]
        digest.update(f"{key} {value.dtype} {value.shape}".encode() + value.tobytes())
    return digest.hexdigest()


def _store(path: Path, content: Mapping[str, Any]) -> None:
    """Write whole or not at all: a full disk or a read-only folder leaves no damaged file behind."""
    import numpy as np

    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            temporary = Path(file.name)
            np.savez_compressed(file, **content)
        temporary.replace(path)
    except OSError:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
