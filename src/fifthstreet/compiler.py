"""Numba, imported when it is first needed, and how kernels are compiled with it."""

import contextlib
import functools
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fifthstreet import cache, record
from fifthstreet.errors import InputError, sentence

OPTIONS = {"nogil": True, "error_model": "numpy"}

CHECKED = {"boundscheck": True}  # also: an index outside its array is an IndexError

UNCHECKED = "FIFTHSTREET_UNCHECKED"  # if this variable is set, kernels in users' files are compiled without that

NAMED = "FIFTHSTREET_COMPILING"  # in the environment: name every kernel that is compiled

_extensions: list[Callable[[Any], None]] = [record.register]
_loaded: list[Any] = []  # Numba, once it is imported


def extends_numba(register: Callable[[Any], None]) -> Callable[[Any], None]:
    """Mark a function that teaches Numba something; it is called with Numba before a kernel is compiled."""
    _extensions.append(register)
    if _loaded:
        register(_loaded[0])
    return register


@functools.cache
def numba() -> Any:
    """Numba, imported and extended."""
    import numba
    from numba.core.errors import NumbaExperimentalFeatureWarning

    # First-class functions, on which mixed compiled tables stand, are marked experimental.
    warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)
    for register in _extensions:
        register(numba)
    _loaded.append(numba)
    _watch()
    return numba


def processor_has(feature: str) -> bool:
    """Whether the processor that kernels are compiled for has these instructions, by LLVM's name for them."""
    import llvmlite.binding as llvm

    config = numba().config
    features = llvm.get_host_cpu_features().flatten() if config.CPU_FEATURES is None else config.CPU_FEATURES
    return f"+{feature}" in features.split(",")


def trusts(files: set[str]) -> bool:
    """Whether kernels in these files do without checks: they are all part of the package, or that is what is wanted."""
    package = str(Path(__file__).parent) + os.sep
    return bool(os.environ.get(UNCHECKED)) or all(file.startswith(package) for file in files)


def compiled(function: Callable[..., Any], allocates: bool, checked: bool) -> Any:
    """The function as Python calls it, compiled for each combination of argument types that it meets.

    Its `part` is what other compiled functions call.
    """
    from fifthstreet.linking import Entry

    numba()
    return Entry(function, targetoptions=_options(allocates, checked))


def checked_part(function: Callable[..., Any], allocates: bool) -> Any:
    """The function as other compiled functions call it, with every index checked."""
    from fifthstreet.linking import Part

    return Part(function, targetoptions=_options(allocates, checked=True))


def _options(allocates: bool, checked: bool) -> dict[str, Any]:
    return {"nopython": True, **OPTIONS} | ({} if allocates else {"_nrt": False}) | (CHECKED if checked else {})


@contextlib.contextmanager
def refusing(function: Callable[..., Any]) -> Iterator[None]:
    """Say in one sentence where Numba refuses to compile a function, or one that it calls."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        code = (_failed[0] if _failed else function).__code__
        why = f"there is no field {error}" if isinstance(error, KeyError) else sentence(error)
        place = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
        raise InputError(f"{code.co_name!r} ({place}) cannot be compiled: {why}") from error


_failed: list[Callable[..., Any]] = []  # the innermost function that Numba could not compile just now


def _watch() -> None:
    """Say what is compiled, and remember what could not be."""
    from numba.core import event

    from fifthstreet.linking import Entry

    class Watch(event.Listener):
        """Counts the kernels that are asked for and have to be compiled; those they call go unmentioned."""

        depth = 0
        count = 0
        began = 0.0

        def on_start(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            if self.depth == 0:
                _failed.clear()
                self.began = time.thread_time()
                _compiling[threading.get_ident()] = self.began
                if isinstance(event.data["dispatcher"], Entry):
                    self.count += 1
                    name = f"{function.__module__.removeprefix('fifthstreet.')}.{function.__name__}"
                    if os.environ.get(NAMED):
                        cache.announce(f"compiling {name}")
                    else:
                        cache.announce(f"compiling for this computer, first use only: {self.count}", "compiling")
            self.depth += 1

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            if self.depth == 0:
                thread = threading.get_ident()
                _compiling.pop(thread, None)
                _compiled[thread] = _compiled.get(thread, 0.0) + time.thread_time() - self.began
            failed = sys.exc_info()[1] is not None
            _failed[:] = _failed or [event.data["dispatcher"].py_func] if failed else []

    event.register("numba:compile", Watch())


_compiled: dict[int, float] = {}  # the seconds for which each thread has compiled
_compiling: dict[int, float] = {}  # the processor time of a thread that compiles, when it began


def time_compiling(thread: int, now: float) -> float:
    """The seconds for which a thread has compiled kernels until `now`, in its processor time."""
    began = _compiling.get(thread)
    return _compiled.get(thread, 0.0) + (now - began if began is not None else 0.0)


def pointer(entry: Any, signature: Any, shown: Any) -> Any:
    """A function, compiled for one signature, as a value that compiled code takes for one with the signature `shown`.

    Both must mean the same to the machine.
    """
    return _pointer_class()(entry, signature, shown)


@functools.cache
def _pointer_class() -> Any:
    import numba.experimental.function_type  # what Numba needs to pass them to compiled code

    types: Any = numba.types

    class Pointer(types.WrapperAddressProtocol):
        """What Numba asks of a first-class function: its signature and the address of its machine code."""

        def __init__(self, entry: Any, signature: Any, shown: Any) -> None:
            name = entry.py_func.__name__
            entry.compile(tuple(signature.args))
            self._signature = shown
            self._keep = entry.overloads[tuple(signature.args)]
            found, wanted = types.unliteral(self._keep.signature.return_type), signature.return_type
            if found != wanted:
                raise InputError(f"{name!r} returns {found}, and {wanted} is needed: convert it")
            self._address = self._keep.library.get_pointer_to_function(self._keep.fndesc.llvm_cfunc_wrapper_name)

        def __wrapper_address__(self) -> int:
            return self._address

        def signature(self) -> Any:
            return self._signature

    return Pointer
