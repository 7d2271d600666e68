"""The one decorator for everything hot: plain Python on arrays and records, compiled by Numba at the first call.

`@kernel` costs nothing at import. Numba itself is imported when a kernel is first called, compiled code is kept in the
user's cache in a folder named by everything that can change it, and NUMBA_DISABLE_JIT=1 runs the same functions as
plain Python, for a debugger or for coverage.

`@factory` marks a function that makes a kernel out of other kernels: what is the same for every game is written once
and closes over the rules of one. Its kernels are cached like any other.
"""

import contextlib
import functools
import hashlib
import inspect
import shutil
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np

from fifthstreet import cache, record
from fifthstreet.errors import InputError, sentence
from fifthstreet.record import PLAIN_PYTHON, Record

P = ParamSpec("P")
R = TypeVar("R")

_OPTIONS = {"nogil": True, "error_model": "numpy"}
_lock = threading.RLock()
_sources: set[str] = set()  # files that hold a kernel


class Kernel(Generic[P, R]):
    """A function that Numba compiles when it is first called, from Python or from another kernel."""

    def __init__(self, function: Callable[P, R], allocates: bool = True, changes: str | None = None) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.allocates = allocates
        self.origin: tuple[Callable[..., Any], tuple[Any, ...]] | None = None  # the factory that made it, and from what
        self._changes = function.__code__.co_varnames.index(changes) if changes else None
        _sources.add(function.__code__.co_filename)
        self._dispatcher: Callable[P, R] | None = None
        self._pointers: dict[Any, Any] = {}
        self._entries: dict[tuple[Any, ...], Callable[..., R]] = {}  # by the types of the arguments
        self._quick: dict[tuple[Any, ...], Callable[..., R]] = {}  # those of them that need no further checks

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if kwargs:
            args = inspect.signature(self.function).bind(*args, **kwargs).args  # type: ignore[assignment]
        if self._changes is not None or (args and isinstance(args[0], Record)):
            entry = self._quick.get(tuple(map(type, args)))
            return self._with_records(args) if entry is None else entry(*args)
        dispatcher = self._dispatcher
        return self.dispatcher(*args) if dispatcher is None else dispatcher(*args)  # type: ignore[call-arg]

    def _with_records(self, args: tuple[Any, ...]) -> R:
        """Call the machine code for arguments of these types directly: Numba itself takes 5 µs to look at a record.

        Machine code checks nothing, so the types are compared here; a record's class implies its size.
        """
        if self._changes is not None and type(args[self._changes].data) is bytes:
            raise TypeError(f"{self!r} changes a record, and this {type(args[self._changes]).__name__} is frozen")
        types = tuple([type(arg) if type(arg) in _SIMPLE or isinstance(arg, Record) else _kind(arg) for arg in args])
        entry = self._entries.get(types)
        if entry is None:
            entry = self._entries[types] = self.entry(*args)
            if self._changes is None and types == tuple(map(type, args)):  # then there is nothing else to check
                self._quick[types] = entry
        return entry(*args)

    @property
    def dispatcher(self) -> Callable[P, R]:
        """The compiled function itself, without this wrapper: for a caller that counts nanoseconds."""
        if self._dispatcher is None:  # else no lock: a thread that compiles asks for this, holding Numba's own lock
            with _lock:
                if self._dispatcher is None:
                    self._dispatcher = _plain(self.function) if PLAIN_PYTHON else _compiled(self)
        return self._dispatcher

    def pointer(self, signature: Any) -> Any:
        """This kernel as a value of one function type, so that one compiled loop can call any mix of them."""
        if PLAIN_PYTHON:
            return self.dispatcher
        if signature not in self._pointers:
            self._pointers.setdefault(signature, _pointer_type()(self, signature))
        return self._pointers[signature]

    def entry(self, *args: Any) -> Callable[..., R]:
        """The compiled code for arguments of these types, to be called again and again with no others.

        Numba looks at the type of every argument of every call, which for tuples of functions takes half a millisecond.
        """
        if PLAIN_PYTHON:
            return self.dispatcher
        dispatcher: Any = self.dispatcher
        types = tuple(dispatcher.typeof_pyval(arg) for arg in args)
        try:
            dispatcher.compile(types)
        except Exception as error:
            raise _cannot_compile(self, error) from error
        entry: Callable[..., R] = dispatcher.overloads[types].entry_point
        return entry

    def __repr__(self) -> str:
        return f"<kernel {self.function.__module__}.{self.function.__qualname__}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return self.origin or self.function.__qualname__


_SIMPLE = (int, float)


def _kind(arg: Any) -> Any:
    """What machine code depends on in an argument."""
    if isinstance(arg, np.ndarray):
        flags = arg.flags
        return arg.dtype, arg.ndim, flags.c_contiguous, flags.f_contiguous, flags.writeable, flags.aligned
    if isinstance(arg, tuple):
        return type(arg), *map(_kind, arg)
    return arg if isinstance(arg, Kernel) else type(arg)


@overload
def kernel(function: Callable[P, R]) -> Kernel[P, R]: ...
@overload
def kernel(*, allocates: bool = ..., changes: str | None = ...) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(function: Callable[..., Any] | None = None, *, allocates: bool = True, changes: str | None = None) -> Any:
    """Compile `function` with Numba, once, and keep the machine code: the one place that says how.

    A kernel that makes no array can say `allocates=False`. Numba then counts no references, which saves a tenth of the
    time at a draw table; if it makes one after all, it does not compile. `changes` names the record that the kernel
    writes to: called from Python with a frozen one, it refuses.
    """
    if function is None:
        return functools.partial(Kernel, allocates=allocates, changes=changes)
    return Kernel(function, allocates, changes)


def factory(make: Callable[P, Kernel[..., Any]]) -> Callable[P, Kernel[..., Any]]:
    """A function that makes a kernel from other kernels, which its inner function closes over.

    The same kernels make the same kernel. It pickles as its factory and what it was made from, and since that is what
    Numba's cache looks at in a closure, its machine code is found again in the next process.
    """

    @functools.cache
    def made(*args: Any) -> Kernel[..., Any]:
        found = make(*args)  # type: ignore[call-arg]
        found.origin = made, args
        return found

    functools.update_wrapper(made, make)
    return made  # type: ignore[return-value]


def _plain(function: Callable[P, R]) -> Callable[P, R]:
    """In plain Python the 64-bit arithmetic wraps as it does compiled, without NumPy's warnings.

    Kernels know the rows of a record as arrays, so a frozen record is copied into one that can be changed.
    """

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        given: Any = [arg.thaw() if isinstance(arg, Record) and type(arg.data) is bytes else arg for arg in args]
        with np.errstate(over="ignore"):
            return function(*given, **kwargs)

    return call


def _compiled(given: Kernel[P, R]) -> Callable[P, R]:
    numba = _numba()
    options = _OPTIONS if given.allocates else _OPTIONS | {"_nrt": False}
    compiled: Any = numba.njit(**options)(given.function)
    place = _cache_folder(given)
    if place is not None:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(place)  # read while caching is switched on, so other packages keep theirs
        try:
            compiled.enable_caching()
        finally:
            numba.config.CACHE_DIR = before
        _guard(compiled._cache, place)
    return compiled


@functools.cache
def _numba() -> Any:
    """Import Numba, teach it what a Kernel is, and say what it does when it compiles."""
    import numba
    from numba.core import event
    from numba.core.errors import NumbaExperimentalFeatureWarning
    from numba.extending import typeof_impl

    # First-class functions, on which mixed compiled tables stand, are marked experimental.
    warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

    record.register(numba)

    @typeof_impl.register(Kernel)
    def _type_of_kernel(value: Kernel[..., Any], _context: Any) -> Any:
        return numba.types.Dispatcher(value.dispatcher)

    class Announce(event.Listener):
        """One line for each kernel that is asked for and has to be compiled; those it calls go unmentioned."""

        depth = 0

        def on_start(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            ours = function.__code__.co_filename in _sources
            if ours and self.depth == 0:
                name = f"{function.__module__.removeprefix('fifthstreet.')}.{function.__name__}"
                cache.announce(f"compiling, once: {name}")
            if self.depth == 0:
                _failed.clear()
            self.depth += 1

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            failed = sys.exc_info()[1] is not None
            _failed[:] = _failed or [event.data["dispatcher"].py_func] if failed else []

    event.register("numba:compile", Announce())
    return numba


_failed: list[Callable[..., Any]] = []  # the innermost function that Numba could not compile just now


def _cannot_compile(given: Kernel[..., Any], error: Exception) -> InputError:
    code = (_failed[0] if _failed else given.function).__code__
    why = f"there is no field {error}" if isinstance(error, KeyError) else sentence(error)
    place = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
    return InputError(f"{code.co_name!r} ({place}) cannot be compiled: {why}")


@functools.cache
def _cache_folder(given: Kernel[..., Any]) -> Path | None:
    """The folder for this kernel's machine code, named by everything that can make it stale.

    Numba notices a change in a function's own file, not in a function that it calls, hence the hash of all sources.
    """
    sources, package = _sources_of(given), Path(__file__).parent
    if not all(source.is_file() for source in sources):
        return None
    place = _package_folder()
    if place is None or all(package in source.parents for source in sources):
        return place
    outside = hashlib.blake2b(digest_size=8)  # an agent's kernel may call another in any file of its author's
    for path in sorted(Path(name) for name in _sources):
        if path.is_file() and package not in path.parents:
            outside.update(str(path).encode() + b"\0" + path.read_bytes() + b"\0")
    return _fresh_folder(place, "outside-", outside.hexdigest(), keep=4)


def _sources_of(given: Kernel[..., Any]) -> set[Path]:
    """The file of a kernel, and those of the kernels that it closes over: a game from outside may be among them."""
    found = {Path(given.function.__code__.co_filename)}
    for cell in given.function.__closure__ or ():
        if isinstance(cell.cell_contents, Kernel):
            found |= _sources_of(cell.cell_contents)
    return found


@functools.cache
def _package_folder() -> Path | None:
    import llvmlite
    import llvmlite.binding as llvm

    config = _numba().config
    machine = [llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), sys.platform]
    options = [config.BOUNDSCHECK, config.OPT, config.CPU_NAME, config.CPU_FEATURES, config.DEBUGINFO_DEFAULT]
    versions = [sys.version, _numba().__version__, llvmlite.__version__, cache.source_hash(kernels_only=True)]
    # Installations, machines and settings live side by side; of each, only the newest code is kept.
    side = _short_hash(str(Path(__file__).parent), machine, options)
    return _fresh_folder(cache.folder(), f"kernels-{side}-", _short_hash(versions, _OPTIONS), keep=1)


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
    save, load = numba_cache.save_overload, numba_cache.load_overload

    def save_guarded(signature: Any, data: Any) -> None:
        try:
            with _file_lock(place / "lock"):
                save(signature, data)
        except OSError as error:
            _say_once(f"compiled code is not kept: {error.strerror or error}")

    def load_guarded(signature: Any, target: Any) -> Any:
        try:
            return load(signature, target)
        except Exception:  # a damaged file, in one of pickle's many ways: forget it and compile again
            with contextlib.suppress(OSError):
                numba_cache.flush()
            return None

    numba_cache.save_overload, numba_cache.load_overload = save_guarded, load_guarded


@functools.cache
def _say_once(text: str) -> None:
    sys.stderr.write(text + "\n")


@contextlib.contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@functools.cache
def _pointer_type() -> Any:
    from numba import types

    class Pointer(types.WrapperAddressProtocol):
        """What Numba asks of a first-class function: its signature and the address of its machine code."""

        def __init__(self, kernel: Kernel[..., Any], signature: Any) -> None:
            dispatcher: Any = kernel.dispatcher
            try:
                dispatcher.compile(tuple(signature.args))
            except Exception as error:
                raise _cannot_compile(kernel, error) from error
            self._signature = signature
            self._keep = dispatcher.overloads[tuple(signature.args)]
            found, wanted = types.unliteral(self._keep.signature.return_type), signature.return_type
            if found != wanted:
                raise InputError(f"{kernel.function.__name__!r} returns {found}, and {wanted} is needed: convert it")
            name = self._keep.fndesc.llvm_cfunc_wrapper_name
            self._address = self._keep.library.get_pointer_to_function(name)

        def __wrapper_address__(self) -> int:
            return self._address

        def signature(self) -> Any:
            return self._signature

    return Pointer
