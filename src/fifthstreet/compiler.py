"""Numba, imported when it is first needed, and how kernels are compiled with it."""

import contextlib
import functools
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fifthstreet import cache, record
from fifthstreet.errors import InputError, sentence

OPTIONS = {"nogil": True, "error_model": "numpy"}

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


def compiled(function: Callable[..., Any], allocates: bool) -> Any:
    """The function as Python calls it, compiled for each combination of argument types that it meets.

    Its `part` is what other compiled functions call.
    """
    options = {"nopython": True, **OPTIONS} if allocates else {"nopython": True, **OPTIONS, "_nrt": False}
    from fifthstreet.linking import Entry

    numba()
    return Entry(function, targetoptions=options)


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
        """One line for each kernel that is asked for and has to be compiled; those it calls go unmentioned."""

        depth = 0

        def on_start(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            if self.depth == 0:
                _failed.clear()
                if isinstance(event.data["dispatcher"], Entry):
                    name = f"{function.__module__.removeprefix('fifthstreet.')}.{function.__name__}"
                    cache.announce(f"compiling, once: {name}")
            self.depth += 1

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            failed = sys.exc_info()[1] is not None
            _failed[:] = _failed or [event.data["dispatcher"].py_func] if failed else []

    event.register("numba:compile", Watch())


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
