"""Records: values of fixed size with named fields, written the same way in Python and inside kernels.

A record is declared once, as a class whose annotations name the fields. From them follow the NumPy dtype, the Numba
type, the Python attributes, and what mypy knows:

>>> from typing import Annotated
>>> class Seat(Record):
...     stack: Annotated[int, Field(np.int64)]
...     cards: Annotated[Row, Field(np.int8, shape=2, low=-1, high=51)]
>>> seat = Seat.of(stack=200, cards=[12, 25])
>>> seat.stack, seat.cards
(200, (12, 25))

A record made by `of`, `freeze` or a game holds one `bytes` object: it is a value, with equality, hash and pickle, and
nobody can change it. A record made by `blank` holds a `bytearray`, which kernels fill in place; its rows are arrays.
Bytes from outside are checked against the range of every field, so that no index in a kernel can leave its array.
"""

import inspect
import os
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Protocol, Self, get_args, get_origin, overload

import numpy as np

from fifthstreet.errors import InputError

if TYPE_CHECKING:

    class Row(Protocol):
        """Numbers in a row: a tuple of ints in a frozen record, an array in a kernel."""

        @overload
        def __getitem__(self, index: int) -> int: ...
        @overload
        def __getitem__(self, index: slice) -> Sequence[int]: ...
        def __setitem__(self, index: int | slice, value: int) -> None: ...
        def __iter__(self) -> Iterator[int]: ...
        def __len__(self) -> int: ...
        def __contains__(self, value: object) -> bool: ...

    class Grid(Protocol):
        """Numbers in rows and columns, read as `grid[row, column]` or `grid[row]`."""

        @overload
        def __getitem__(self, index: tuple[int, int]) -> int: ...
        @overload
        def __getitem__(self, index: int) -> Row: ...
        def __iter__(self) -> Iterator[Row]: ...
        def __setitem__(self, index: tuple[int, int] | slice, value: int) -> None: ...
        def __len__(self) -> int: ...

    class Cube(Protocol):
        """Numbers in three dimensions, read as `cube[i, j, k]`; `cube[i, j]` is a row."""

        @overload
        def __getitem__(self, index: tuple[int, int, int]) -> int: ...
        @overload
        def __getitem__(self, index: tuple[int, int]) -> Row: ...
        def __setitem__(self, index: tuple[int, int, int] | slice, value: int) -> None: ...

else:

    class Row(tuple):
        __slots__ = ()

    class Grid(tuple):
        __slots__ = ()

        def __getitem__(self, index):
            if type(index) is tuple:
                found = tuple.__getitem__(self, index[0])
                return found[index[1]] if len(index) == 2 else found[index[1:]]
            return tuple.__getitem__(self, index)

    Cube = Grid


class Field(NamedTuple):
    """How a field is stored, and which values it may have.

    Numbers that go to other kernels are best stored as int64, as Numba counts: each is compiled for each type it gets.
    """

    dtype: Any = np.int64  # a NumPy number type, or a Record class for a row of records
    shape: int | tuple[int, ...] = ()
    low: int | None = None
    high: int | None = None


_CLASSES: "dict[np.dtype[np.void], type[Record]]" = {}

PLAIN_PYTHON = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")  # kernels run as they are written

_new = object.__new__


class _Slotted(type):
    """Gives every class empty slots, so that a misspelt field is an error and not a new attribute."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> "_Slotted":
        return super().__new__(cls, name, bases, {"__slots__": (), **namespace})


class Record(metaclass=_Slotted):
    """A value with named fields; see the module."""

    __slots__ = ("data",)

    dtype: ClassVar[np.dtype[np.void]]
    fields: ClassVar[dict[str, Field]] = {}
    last: ClassVar[tuple[str, ...]] = ()  # fields stored behind all others, also behind those of subclasses
    size: ClassVar[int] = 0  # in bytes
    head: ClassVar[int] = 0  # how many bytes come before the last fields; classes with a common base share its head

    data: bytes | bytearray

    def __init_subclass__(cls) -> None:
        own = {name: found for name, hint in inspect.get_annotations(cls).items() if (found := _field(hint))}
        together: dict[str, Field] = {}
        for base in cls.__bases__:  # the first base comes first, so that classes made from it share its head
            for name, field in getattr(base, "fields", {}).items():
                if together.setdefault(name, field)[:2] != field[:2]:
                    raise TypeError(f"{name!r} of {cls.__name__} is stored in two ways by its bases")
        together |= own
        for name in own:
            if name == "view" or hasattr(Record, name):
                raise TypeError(
                    f"{name!r} cannot be a field of {cls.__name__}: the name has another meaning in records"
                )
        order = [name for name in together if name not in cls.last] + [name for name in cls.last if name in together]
        cls.fields = {name: together[name] for name in order}
        cls.dtype = np.dtype([(name, *_stored(field)) for name, field in cls.fields.items()])
        offsets = {name: found[1] for name, found in (cls.dtype.fields or {}).items()}
        cls.head = min((offsets[name] for name in cls.last if name in offsets), default=cls.dtype.itemsize)
        cls.size = cls.dtype.itemsize
        _CLASSES[cls.dtype] = cls
        for name, field in cls.fields.items():
            setattr(cls, name, _attribute(name, field, offsets[name]))

    def __init__(self, data: bytes) -> None:
        """From bytes that may come from anywhere, so they are checked."""
        if hasattr(self, "data"):
            raise AttributeError(f"this {type(self).__name__} has its values already")
        if not isinstance(data, bytes) or len(data) != self.dtype.itemsize:
            size = len(data) if isinstance(data, bytes) else type(data).__name__
            raise InputError(f"{size}: a {type(self).__name__} is {self.dtype.itemsize} bytes")
        row = np.frombuffer(data, self.dtype)[0]
        for name, field in self.fields.items():
            _refuse_outside(type(self).__name__, name, field, row[name])
        _fill(self, data)
        wrong = self.contradiction()
        if wrong:
            raise InputError(f"this is not a {type(self).__name__}: {wrong}")

    def contradiction(self) -> str:
        """What is wrong in a record from outside whose fields each have a value they may have; empty if nothing is."""
        return ""

    @classmethod
    def of(cls, **values: Any) -> Self:
        """A record with these values, 0 in the fields that are left out."""
        row = np.zeros(1, cls.dtype)[0]
        for name, value in values.items():
            if name not in cls.fields:
                raise InputError(f"{name!r} is not a field of {cls.__name__}: there are {', '.join(cls.fields)}")
            try:
                row[name] = value
            except (OverflowError, TypeError, ValueError) as error:
                raise InputError(f"{name}={_text(value)} does not fit into a {cls.__name__}: {error}") from None
        return cls(row.tobytes())

    def replace(self, **values: Any) -> Self:
        """The same record with other values in these fields."""
        return self.of(**{name: getattr(self, name) for name in self.fields} | values)

    @classmethod
    def blank(cls) -> Self:
        """A record of zeros that a kernel can fill."""
        made = _new(cls)  # and not cls(…), which checks; the same below
        _fill(made, bytearray(cls.size))
        return made

    @classmethod
    def unseen(cls) -> Self:
        """A record for machine code to fill once, before anybody else sees it; frozen from then on.

        It holds a `bytes` object from the start, which saves half the time of filling a `bytearray` and copying it.
        Nothing else has a reference to these bytes yet, and they have no hash, so writing to them is safe. Objects of a
        single byte are shared, and plain Python cannot write to any: these are blank records. `freeze` ends both.
        """
        if PLAIN_PYTHON or cls.size < 2:
            return cls.blank()
        made = _new(cls)
        _fill(made, bytes(cls.size))
        return made

    def freeze(self) -> Self:
        """The same values, never to change."""
        if type(self.data) is bytes:
            return self
        made = _new(type(self))
        _fill(made, bytes(self.data))
        return made

    def thaw(self) -> Self:
        """A copy that a kernel can change."""
        made = _new(type(self))
        _fill(made, bytearray(self.data))
        return made

    def __setattr__(self, name: str, value: object) -> None:
        if name == "data":
            raise AttributeError(f"the bytes of a {type(self).__name__} cannot be exchanged")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} keeps all its fields")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.data == other.data

    def __hash__(self) -> int:
        return hash(bytes(self.data))

    def __copy__(self) -> Self:
        return self if isinstance(self.data, bytes) else self.thaw()

    def __deepcopy__(self, _memo: object) -> Self:
        return self.__copy__()

    def __reduce__(self) -> tuple[type[Self], tuple[bytes]]:
        return type(self), (bytes(self.data),)

    def __repr__(self) -> str:
        shown = (f"{name}={_text(getattr(self, name))}" for name in self.fields)
        return f"{type(self).__name__}({', '.join(shown)})"


_fill: Callable[[Record, bytes | bytearray], None] = Record.__dict__["data"].__set__


def _text(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _field(hint: Any) -> Field | None:
    if get_origin(hint) is not Annotated:
        return None
    return next((found for found in get_args(hint)[1:] if isinstance(found, Field)), None)


def _stored(field: Field) -> tuple[Any, ...]:
    kind = field.dtype.dtype if isinstance(field.dtype, type) and issubclass(field.dtype, Record) else field.dtype
    return (kind, field.shape) if field.shape else (kind,)


def _refuse_outside(kind: str, name: str, field: Field, found: Any) -> None:
    if isinstance(field.dtype, type) and issubclass(field.dtype, Record):
        for inner, inside in field.dtype.fields.items():
            _refuse_outside(kind, f"{name}.{inner}", inside, found[inner])
        return
    low, high = np.min(found), np.max(found)
    if (field.low is not None and low < field.low) or (field.high is not None and high > field.high):
        wrong = low if field.low is not None and low < field.low else high
        raise InputError(f"{name}={wrong} in a {kind}: it is from {field.low} to {field.high}")


def _attribute(name: str, field: Field, offset: int) -> property:
    """How Python reads a field, and writes it while the record is not frozen."""
    if isinstance(field.dtype, type) and issubclass(field.dtype, Record):
        return _rows_of_records(field.dtype.dtype, field.shape, offset)
    code = np.dtype(field.dtype).char.replace("l", "q")
    return _row(name, field, code, offset) if field.shape else _scalar(name, code, offset)


def _scalar(name: str, code: str, offset: int) -> property:
    packed = struct.Struct("=" + code)
    unpack, pack = packed.unpack_from, packed.pack_into

    def read(record: Record) -> Any:
        return unpack(record.data, offset)[0]

    def write(record: Record, value: Any) -> None:
        _refuse_frozen(record, name)
        pack(record.data, offset, value)

    return property(read, write)


def _row(name: str, field: Field, code: str, offset: int) -> property:
    shape = (field.shape,) if isinstance(field.shape, int) else tuple(field.shape)
    count, dtype = int(np.prod(shape)), np.dtype(field.dtype)
    unpack = struct.Struct(f"={count}{code}").unpack_from
    make = _grid(shape)

    def read(record: Record) -> Any:
        if type(record.data) is bytes:
            return make(unpack(record.data, offset))
        return np.frombuffer(record.data, dtype, count, offset).reshape(shape).view(_Ints)

    def write(record: Record, value: Any) -> None:
        _refuse_frozen(record, name)
        read(record)[...] = value

    return property(read, write)


class _Ints(np.ndarray[Any, Any]):
    """An array whose elements are Python's ints: compiled kernels, too, calculate with more bits than are stored."""

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return found.item() if isinstance(found, np.generic) else found

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())


def _grid(shape: tuple[int, ...]) -> Callable[[Sequence[int]], Any]:
    """How numbers become a row, a grid or a cube of this shape."""
    row: Any = Row
    grid: Any = Grid
    if len(shape) == 1:
        return row  # type: ignore[no-any-return]
    inner, size = _grid(shape[1:]), int(np.prod(shape[1:]))

    def make(numbers: Sequence[int]) -> Any:
        return grid(inner(numbers[i * size : (i + 1) * size]) for i in range(shape[0]))

    return make


def _rows_of_records(dtype: Any, count: Any, offset: int) -> property:
    def read(record: Record) -> Any:
        return np.frombuffer(record.data, dtype, count, offset).view(np.recarray)

    return property(read)


def _refuse_frozen(record: Record, name: str) -> None:
    if type(record.data) is bytes:
        raise AttributeError(f"{name!r} of a {type(record).__name__} cannot be changed: games give values")


def copy_bytes(source: Record, out: Record, count: int) -> None:
    """Copy the first bytes of one record to another, e.g. the head that a state and a view have in common."""
    assert isinstance(out.data, bytearray)
    out.data[:count] = source.data[:count]


def byte_at(source: Record, place: int) -> int:
    """A byte of a record, so that a kernel can tell whether two are the same."""
    return source.data[place]


def one_record(dtype: np.dtype[np.void]) -> Sequence[Any]:
    """An array with one record of zeros, for a kernel to work in.

    A kernel has to pass on the array, not the record in it, which alone does not keep the memory alive.
    """
    return [_CLASSES[dtype].blank()]


def records(kind: type[Record], count: int, first: Record | None = None) -> Sequence[Any]:
    """Records for a kernel to work in, of zeros or with a copy of `first` at the beginning; in plain Python a list."""
    if PLAIN_PYTHON:
        made: Sequence[Any] = [kind.blank() for _ in range(count)]
        if first is not None:
            copy_bytes(first, made[0], kind.size)
        return made
    rows = np.zeros(count, kind.dtype)
    if first is not None:
        rows[0] = np.frombuffer(first.data, kind.dtype)[0]
    return rows  # type: ignore[return-value]


def bytes_of(rows: Sequence[Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The bytes of the first of some `records`, in place."""
    return np.frombuffer(rows[0].data, np.uint8) if PLAIN_PYTHON else rows[:1].view(np.uint8)  # type: ignore[attr-defined]


def register(numba: Any) -> None:
    """Teach Numba what a record is, and how to make and copy one."""
    from numba.core import cgutils
    from numba.extending import intrinsic, typeof_impl
    from numba.extending import overload as overloads

    @typeof_impl.register(Record)
    def _type_of(value: Record, _context: Any) -> Any:
        return numba_type(type(value))

    @intrinsic
    def copy(_typing: Any, source: Any, out: Any, count: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            cgutils.raw_memcpy(builder, args[1], args[0], args[2], 1)
            return _context.get_dummy_value()

        return numba.types.void(source, out, numba.types.int64), generate

    def compiled(source: Any, out: Any, count: Any) -> Any:
        copy(source, out, count)  # type: ignore[call-arg]

    @overloads(copy_bytes)
    def _copy_bytes(source: Any, out: Any, count: Any) -> Any:
        records = isinstance(source, numba.types.Record) and isinstance(out, numba.types.Record)
        return compiled if records else None

    @intrinsic
    def byte(_typing: Any, source: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            kind = context.get_value_type(numba.types.uint8)
            found = builder.load(builder.gep(builder.bitcast(args[0], kind.as_pointer()), [args[1]]))
            return builder.zext(found, context.get_value_type(numba.types.int64))

        return numba.types.int64(source, numba.types.int64), generate

    def compiled_byte(source: Any, place: Any) -> Any:
        return byte(source, place)  # type: ignore[call-arg]

    @overloads(byte_at)
    def _byte_at(source: Any, place: Any) -> Any:
        return compiled_byte if isinstance(source, numba.types.Record) else None

    @overloads(one_record)
    def _one_record(dtype: Any) -> Any:
        def zeros(dtype: Any) -> Any:
            return np.zeros(1, dtype)

        return zeros


_TYPES: dict[type[Record], Any] = {}


def numba_type(kind: type[Record]) -> Any:
    """The Numba type of a record class, made once."""
    if kind not in _TYPES:
        from numba import from_dtype

        _TYPES[kind] = from_dtype(kind.dtype)
    return _TYPES[kind]


def rows_of(count: int, kind: Any) -> Any:
    """Zeroed rows of a NumPy type with named fields; plain Python knows the names only of NumPy's record arrays."""
    found = np.zeros(count, kind)
    return found.view(np.recarray) if PLAIN_PYTHON else found
