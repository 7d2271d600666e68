"""The one decorator for everything hot: plain Python on arrays and records, compiled by Numba at the first call.

`@kernel` costs nothing at import. Numba itself is imported when a kernel is first called, compiled code is kept in the
user's cache in a folder named by everything that can change it, and NUMBA_DISABLE_JIT=1 runs the same functions as
plain Python, for a debugger or for coverage.

`@factory` marks a function that makes a kernel out of other kernels: what is the same for every game is written once
and closes over the rules of one. Its kernels are cached like any other.
"""

import functools
import inspect
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np

from fifthstreet import code_cache, compiler
from fifthstreet.compiler import extends_numba
from fifthstreet.record import PLAIN_PYTHON, Record

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.RLock()


class Kernel(Generic[P, R]):
    """A function that Numba compiles when it is first called, from Python or from another kernel."""

    def __init__(self, function: Callable[P, R], allocates: bool = True, changes: str | None = None) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.allocates = allocates
        self.origin: tuple[Callable[..., Any], tuple[Any, ...]] | None = None  # the factory that made it, and from what
        self._changes = function.__code__.co_varnames.index(changes) if changes else None
        code_cache.sources.add(function.__code__.co_filename)
        self._dispatcher: Callable[P, R] | None = None
        self._checked: Any = None
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
        kinds = tuple([type(arg) if type(arg) in _SIMPLE or isinstance(arg, Record) else _kind(arg) for arg in args])
        entry = self._entries.get(kinds)
        if entry is None:
            entry = self._entries[kinds] = self.entry(*args)
            if self._changes is None and kinds == tuple(map(type, args)):  # then there is nothing else to check
                self._quick[kinds] = entry
        return entry(*args)

    @property
    def dispatcher(self) -> Callable[P, R]:
        """The compiled function itself, without this wrapper: for a caller that counts nanoseconds."""
        if self._dispatcher is None:  # else no lock: a thread that compiles asks for this, holding Numba's own lock
            with _lock:
                if self._dispatcher is None:
                    self._dispatcher = _plain(self.function) if PLAIN_PYTHON else self._compiled()
        return self._dispatcher

    def _compiled(self) -> Callable[P, R]:
        files = set(self._files())
        entry: Callable[P, R] = compiler.compiled(self.function, self.allocates, checked=not compiler.trusts(files))
        code_cache.keep(entry, files)
        return entry

    def part(self, checked: bool) -> Any:
        """This kernel as compiled ones call it; `checked` if every index in it is to be checked, whoever wrote it."""
        dispatcher: Any = self.dispatcher
        if not checked or dispatcher.targetoptions.get("boundscheck"):
            return dispatcher.part
        if self._checked is None:
            self._checked = compiler.checked_part(self.function, self.allocates)
        return self._checked

    def _files(self) -> Iterator[str]:
        """The file of this kernel, and those of the kernels that it closes over: a game from outside may be there."""
        yield self.function.__code__.co_filename
        for cell in self.function.__closure__ or ():
            if isinstance(cell.cell_contents, Kernel):
                yield from cell.cell_contents._files()

    @functools.cached_property
    def in_python(self) -> Callable[P, R]:
        """The function as it is written, with all kernels that it calls by name: it says on which line it fails."""
        function, names = self.function, set(_names(self.function.__code__))
        known = {name: _in_python(value) if name in names else value for name, value in function.__globals__.items()}
        cells = [types.CellType(_in_python(cell.cell_contents)) for cell in function.__closure__ or ()]
        parts = function.__name__, function.__defaults__, tuple(cells)
        return _plain(types.FunctionType(function.__code__, known, *parts))

    def pointer(self, signature: Any, shown: Any = None) -> Any:
        """This kernel as a value of one function type, so that one compiled loop can call any mix of them.

        It is compiled for `signature`, and `shown` to callers with another that differs only in what may be written to.
        """
        if PLAIN_PYTHON:
            return self.dispatcher
        wanted = signature, shown or signature
        if wanted not in self._pointers:
            with compiler.refusing(self.function):
                self._pointers.setdefault(wanted, compiler.pointer(self.dispatcher, *wanted))
        return self._pointers[wanted]

    def entry(self, *args: Any) -> Callable[..., R]:
        """The compiled code for arguments of these types, to be called again and again with no others.

        Numba looks at the type of every argument of every call, which for tuples of functions takes half a millisecond.
        """
        if PLAIN_PYTHON:
            return self.dispatcher
        dispatcher: Any = self.dispatcher
        kinds = tuple(dispatcher.typeof_pyval(arg) for arg in args)
        with compiler.refusing(self.function):
            dispatcher.compile(kinds)
        entry: Callable[..., R] = dispatcher.overloads[kinds].entry_point
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


def _names(code: types.CodeType) -> Iterator[str]:
    """The names that a function uses, or one inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _in_python(value: Any) -> Any:
    """A kernel as plain Python, looked up when it is called, since kernels can call each other; others as they are."""
    return (lambda *args, **kwargs: value.in_python(*args, **kwargs)) if isinstance(value, Kernel) else value


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


@extends_numba
def _register(numba: Any) -> None:
    """Tell Numba what a kernel is."""
    from numba.extending import typeof_impl

    @typeof_impl.register(Kernel)
    def _type_of_kernel(value: Any, _context: Any) -> Any:
        from fifthstreet.linking import PartCompiler

        return numba.types.Dispatcher(value.part(PartCompiler.checks))
