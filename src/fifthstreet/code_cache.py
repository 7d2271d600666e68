"""Where the machine code of kernels is kept: in the user's cache, in a folder named by everything that can change it.

Numba notices a change in a function's own file, but not in a function that it calls, hence the hash of all sources.
"""

import contextlib
import functools
import hashlib
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fifthstreet import cache, compiler

sources: set[str] = set()  # files that hold a kernel


def keep(entry: Any, files: Iterable[str]) -> None:
    """Let Numba keep the machine code of a function, given the files of its source and of what it closes over."""
    place = _folder_for(frozenset(map(Path, files)))
    if place is None:
        return
    config = compiler.numba().config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(place)  # read while caching is switched on, so other packages keep theirs
    try:
        entry.enable_caching()
    finally:
        config.CACHE_DIR = before
    _guard(entry._cache, place)


def _folder_for(files: frozenset[Path]) -> Path | None:
    package = Path(__file__).parent
    if not all(file.is_file() for file in files):
        return None
    place = _package_folder()
    if place is None or all(package in file.parents for file in files):
        return place
    checks = b"" if compiler.trusts({*map(str, files)}) else b"checked"
    outside = hashlib.blake2b(checks, digest_size=8)  # an agent's kernel may call another in any file of its author's
    for path in sorted(map(Path, sources)):
        if path.is_file() and package not in path.parents:
            outside.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return _fresh_folder(place, "outside-", outside.hexdigest(), keep=4)


@functools.cache
def _package_folder() -> Path | None:
    import llvmlite
    import llvmlite.binding as llvm

    config = compiler.numba().config
    machine = [llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), sys.platform]
    options = [config.BOUNDSCHECK, config.OPT, config.CPU_NAME, config.CPU_FEATURES, config.DEBUGINFO_DEFAULT]
    versions = [sys.version, compiler.numba().__version__, llvmlite.__version__, cache.source_hash(kernels_only=True)]
    # Installations, machines and settings live side by side; of each, only the newest code is kept.
    side = _short_hash(str(Path(__file__).parent), machine, options)
    return _fresh_folder(cache.folder(), f"kernels-{side}-", _short_hash(versions, compiler.OPTIONS), keep=1)


def _short_hash(*parts: Any) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def _fresh_folder(parent: Path, prefix: str, name: str, keep: int) -> Path | None:
    """The folder of this name; when it is made, the oldest with the same prefix go. None if it cannot be written."""
    place = parent / f"{prefix}{name}"
    try:
        if not place.is_dir():
            place.mkdir(parents=True, exist_ok=True)
            others = [other for other in parent.glob(f"{prefix}*") if other != place]
            for old in sorted(others, key=lambda other: other.stat().st_mtime, reverse=True)[keep - 1 :]:
                shutil.rmtree(old, ignore_errors=True)
        (place / "lock").touch()
    except OSError as error:
        _say_once(f"compiled code is not kept: {error.strerror or error}")
        return None
    return place


def _guard(numba_cache: Any, place: Path) -> None:
    """Let one process at a time add to the cache, and let a full disk or a damaged file cost only time.

    Numba writes each file whole, but two processes that add two signatures of one function at the same moment can
    give both the same file name, and one would then run the other's code.
    """
    from numba.core.runtime.nrt import rtsys

    # Loading as Numba does it would first import all that a compiler needs, half of the time of a short command. What
    # is needed to run is only Numba's runtime, also by a kernel that allocates nothing: it may call one that does.
    save, load = numba_cache.save_overload, numba_cache._load_overload

    def save_guarded(signature: Any, data: Any) -> None:
        try:
            with cache.lock(place / "lock"):
                save(signature, data)
        except OSError as error:
            _say_once(f"compiled code is not kept: {error.strerror or error}")

    def load_guarded(signature: Any, target: Any) -> Any:
        try:
            rtsys.initialize(target)
            return load(signature, target)
        except Exception:  # a damaged file, in one of pickle's many ways: forget it and compile again
            with contextlib.suppress(OSError):
                numba_cache.flush()
            return None

    numba_cache.save_overload, numba_cache.load_overload = save_guarded, load_guarded


@functools.cache
def _say_once(text: str) -> None:
    sys.stderr.write(text + "\n")
