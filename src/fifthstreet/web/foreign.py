"""Objects on their way to another process, with the files of the classes that people have added themselves."""

import importlib
import importlib.util
import io
import pickle
import sys
import types
from typing import Any

import numpy as np

from fifthstreet.errors import InputError
from fifthstreet.record import Record

MAIN = ("__main__", "__mp_main__")  # a program's own file, here and where it is loaded but not run
OURS = __name__.partition(".")[0]


def packed(thing: object) -> bytes:
    """The object as bytes that `loaded` understands in another process."""
    if isinstance(thing, Record) and type(thing).__module__.startswith(OURS):
        return pickle.dumps((type(thing), bytes(thing.data)), pickle.HIGHEST_PROTOCOL)
    text = io.BytesIO()
    pickler = _Pickler(text, pickle.HIGHEST_PROTOCOL)
    pickler.dump(thing)
    return pickle.dumps((pickler.files, text.getvalue()), pickle.HIGHEST_PROTOCOL)


def loaded(given: bytes) -> Any:
    """The object that was packed: by this program itself, so that a record need not be checked again."""
    first, second = pickle.loads(given)
    if isinstance(first, type) and issubclass(first, Record):
        record = first.blank()
        np.frombuffer(record.data, np.uint8)[:] = np.frombuffer(second, np.uint8)
        return record.freeze()
    for module, file in first.items():
        _load(module, file)
    return pickle.loads(second)


def refuse_unloadable(kind: type) -> None:
    """InputError if another process could not find the class."""
    module = sys.modules.get(kind.__module__)
    if getattr(module, "__file__", None) is None or "<locals>" in kind.__qualname__:
        raise InputError(
            f"the agent {kind.__qualname__} cannot sit at a table, where it thinks in a process of its own: "
            "define it in a file, and not within a function"
        )


class _Pickler(pickle.Pickler):
    """Notes the file of every class and function that is not part of this package."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.files: dict[str, str] = {}

    def reducer_override(self, thing: Any) -> Any:
        for name in (type(thing).__module__, getattr(thing, "__module__", None)):
            if isinstance(name, str) and not name.startswith((OURS, "numpy")) and name not in sys.stdlib_module_names:
                file = getattr(sys.modules.get(name), "__file__", None)
                if file is not None:
                    self.files[name] = file
        return NotImplemented


def _load(name: str, file: str) -> None:
    """Import the module, from its file if it is not found by its name."""
    if name in sys.modules and name not in MAIN:
        return
    if name in MAIN and "__mp_main__" in sys.modules:
        return
    if name not in MAIN:
        try:
            importlib.import_module(name)
            return
        except ImportError:
            pass
    found = importlib.util.spec_from_file_location("__mp_main__" if name in MAIN else name, file)
    if found is None or found.loader is None:
        raise ImportError(f"{file!r} is not Python")
    module = importlib.util.module_from_spec(found)
    for known in MAIN if name in MAIN else (name,):
        sys.modules[known] = module
    for dot in (place for place, sign in enumerate(name) if sign == "."):  # pickle looks for the folders' modules too
        sys.modules.setdefault(name[:dot], types.ModuleType(name[:dot]))
    found.loader.exec_module(module)
