"""Where computed things are kept between runs: compiled kernels, tables, learned values.

Nothing in the cache is precious. A missing, damaged or foreign file is computed again, and a folder that cannot be
written costs time, never correctness. What takes long to compute is computed by one process at a time.
"""

import ast
import contextlib
import contextvars
import errno
import functools
import hashlib
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

PACKAGE = Path(__file__).parent


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
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if path.is_file() and not (kernels_only and name.startswith(NO_KERNELS)):
            digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


NO_KERNELS = ("cli/", "terminal.py", "web/", "papers/", "histories/", "interop/", "benchmarks/")
"""Parts of the package that hold no kernel, so that editing them costs no compilation."""


def key(file: str) -> str:
    """A hash of everything that the results of a module depend on, given its `__file__`.

    That is the code behind it, and the version of NumPy.
    """
    import numpy as np

    return hashlib.blake2b(f"{np.__version__} {code_key(file)}".encode(), digest_size=8).hexdigest()


def code_key(file: str) -> str:
    """A hash of the source of a module and of every module of this package that it imports, directly or through others.

    It is the same on every machine.
    """
    sources: dict[Path, bytes] = {}
    waiting = [Path(file)]
    while waiting:
        path = waiting.pop()
        if path not in sources:
            sources[path] = path.read_bytes()
            waiting += filter(None, map(_module_file, _imported_names(sources[path])))
    return hashlib.blake2b(b"\0".join(sources[path] for path in sorted(sources)), digest_size=8).hexdigest()


@functools.cache
def _imported_names(source: bytes) -> tuple[str, ...]:
    """The dotted names in all imports of this source, at the top and inside functions."""
    found: list[str] = []
    for statement in _statements(ast.parse(source)):
        if isinstance(statement, ast.Import):
            found += [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            if statement.level:
                raise ImportError(f"line {statement.lineno}: a relative import is not followed; name the package")
            found += [f"{statement.module}.{alias.name}" for alias in statement.names]
    return tuple(found)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements below this node. Expressions are skipped: they contain no imports, and most of the nodes."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child
            yield from _statements(child)


def _module_file(name: str) -> Path | None:
    """The file of a module of this package, or of the module that this name is imported from; None for other packages.

    The `__init__` of a package counts only where a name is imported from it. Python also runs it when a module inside
    the package is imported, but such a module takes nothing from it, and that of `agents` imports every agent.
    """
    package, *inner = name.split(".")
    if package != PACKAGE.name:
        return None
    while inner:
        path = PACKAGE.joinpath(*inner)
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file.is_file():
                return file
        inner.pop()  # the last part is a name within the module
    return PACKAGE / "__init__.py"


announcing = True  # a quiet command switches this off
showing: Callable[[str], None] | None = None  # a live display that shows the latest news in one line, if there is one
AGAIN = 10.0  # seconds between two lines of news about the same thing
_told: dict[str, float] = {}  # when there was a line about it last


def announce(text: str, about: str = "") -> None:
    """One line for the person who waits, beside the results.

    What changes all the time is `about` something: of that, a live display shows the latest, and elsewhere there is a
    line from time to time.
    """
    if not announcing or os.environ.get("FIFTHSTREET_QUIET"):
        return
    if about:
        if showing is not None:
            showing(text)
            return
        if time.monotonic() - _told.get(about, -AGAIN) < AGAIN:
            return
        _told[about] = time.monotonic()
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


making: contextvars.ContextVar[Path | None] = contextvars.ContextVar("making", default=None)
"""The file, without its ending, that is being computed: beside it lies what an interrupted computation left."""


def arrays(made_by: str, name: str, compute: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """The arrays of this name, read from the cache if they are there and undamaged, else computed and kept.

    `made_by` is the `__file__` of the module that computes them. When it changes, or anything that it imports, they are
    computed again.
    """
    stem = folder() / f"{name}-{key(made_by)}"
    path = stem.with_name(f"{stem.name}.npz")
    found = _read(path)
    if found is None:
        with one_at_a_time(stem):
            found = _read(path) if path.exists() else None  # another process may have been quicker
            if found is None:
                found = dict(compute())
                _store(path, found)
    return found


@contextlib.contextmanager
def one_at_a_time(stem: Path) -> Iterator[None]:
    """Compute the file of this name inside the `with`, and remember how far it came; other processes wait meanwhile."""
    token = making.set(stem)
    try:
        with lock(stem.with_name(f"{stem.name}.lock"), f"another process computes {stem.name} already: waiting for it"):
            yield
        for left in stem.parent.glob(f"{stem.name}.*.part"):
            left.unlink(missing_ok=True)
    finally:
        making.reset(token)


def _read(path: Path) -> dict[str, Any] | None:
    """The arrays in this file; None if it is not there, or damaged."""
    import numpy as np

    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            found = {key: stored[key] for key in stored.files if key != "checksum"}
            if str(stored["checksum"]) == _checksum(found):
                return found
        announce(f"{path.name} in the cache is not what was stored, and is made again")
    except (FileNotFoundError, NotADirectoryError):
        pass
    except Exception as error:  # NumPy, zipfile and zlib each have many ways to say that a file is damaged
        announce(f"{path.name} in the cache cannot be read ({type(error).__name__}), and is made again")
    return None


def _checksum(found: Mapping[str, Any]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for key in sorted(found):
        value = found[key]
        digest.update(f"{key} {value.dtype} {value.shape}".encode() + value.tobytes())
    return digest.hexdigest()


def _store(path: Path, content: Mapping[str, Any]) -> None:
    """Keep the arrays, or do without when the folder is read-only or the disk is full."""
    import numpy as np

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            np.savez_compressed(file, **content, checksum=np.array(_checksum(content)))
    except OSError as error:
        say_once(f"nothing can be kept in {path.parent} ({error.strerror or error}), so it is computed each time")


@functools.cache
def say_once(text: str) -> None:
    announce(text)


@contextlib.contextmanager
def lock(path: Path, waiting: str = "") -> Iterator[None]:
    """Let one process at a time into the `with`; the others wait, which `waiting` announces.

    Where no file can be written nobody waits. A process that ends, however it ends, leaves the lock open.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
    except OSError:
        yield
        return
    with file:
        if not _taken(file):
            if waiting:
                announce(waiting)
            while not _taken(file):
                time.sleep(0.01)
        yield
        if waiting:  # the lock of one computation, which nobody will ask for again
            with contextlib.suppress(OSError):
                path.unlink()


def _taken(file: BinaryIO) -> bool:
    """Whether this process now holds the lock."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:  # on a drive without locks nobody waits
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write, which takes the place of `path` when the block ends without an error.

    Until then, and after an error, `path` is what it was: nobody ever reads or is left with half a file.
    """
    if path.exists() and not path.is_file():  # a pipe or a terminal is written to, not replaced
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()  # of a link, the file that it leads to
    temporary = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with temporary.open("xb") as file:
            if path.exists():
                temporary.chmod(stat.S_IMODE(path.stat().st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
