"""Small vectors of numbers: one instruction works on all their lanes.

A kernel that is given EIGHT as `lanes` works on eight numbers at once, with ONE on single numbers. It is the same
text: `load` and `store` move as many neighbours as there are lanes, and +, −, × and / work on what `load` returns. In
plain Python that is a NumPy array; compiled, it is a number or a vector register.

Numba has no such vectors, and LLVM, which would have to find out that arrays do not overlap, finds few of them itself.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from fifthstreet.compiler import extends_numba, processor_has
from fifthstreet.record import PLAIN_PYTHON

Lanes = tuple[int, ...]
Generate = Callable[[Any, Any, Any, Any], Any]  # code for LLVM, as Numba asks for it
ONE: Lanes = (0,)
EIGHT: Lanes = (0,) * 8
_LINE = 64  # bytes


@functools.cache
def best_lanes() -> Lanes:
    """Eight lanes where the processor has registers for them, else one."""
    return ONE if PLAIN_PYTHON or not processor_has("avx2") else EIGHT


def zeros(*counts: int) -> Any:
    """Rows of so many zeros, each of which begins where a line of the processor's cache does: lanes lie in one line."""
    line = _LINE // 4
    wholes = [-(-count // line) * line for count in counts]
    block = np.zeros(sum(wholes) + line, np.float32)
    begin, found = -block.__array_interface__["data"][0] % _LINE // 4, []
    for count, whole in zip(counts, wholes, strict=True):
        found.append(block[begin : begin + count])
        begin += whole
    return found


def load(array: Any, place: int, lanes: Lanes) -> Any:
    """The numbers from this place on."""
    return array[place] if len(lanes) == 1 else array[place : place + len(lanes)].copy()


def at(array: Any, place: int) -> Any:
    """The number at this place, without Numba's look whether places are counted from the end."""
    return array[place]


def store(array: Any, place: int, values: Any, lanes: Lanes) -> None:
    """Write numbers from this place on."""
    array[place : place + len(lanes)] = values


def splat(value: Any, lanes: Lanes) -> Any:
    """The same number in every lane."""
    return value if len(lanes) == 1 else np.full(len(lanes), value)


def above_zero(values: Any) -> Any:
    """The numbers above 0, and 0 for others."""
    return np.maximum(values, type(values)(0) if np.ndim(values) == 0 else 0)


def larger(values: Any, others: Any) -> Any:
    """The larger of two numbers, in each lane."""
    return np.maximum(values, others)


def if_above(values: Any, then: Any, otherwise: Any) -> Any:
    """`then` where values are above 0, in each lane, `otherwise` elsewhere."""
    return np.where(values > 0, then, otherwise)[()]


def turn(rows: Any, place: int, width: int, columns: Any, to: int, stride: int, lanes: Lanes) -> None:
    """Copy a square block of rows, `width` apart, to columns, `stride` apart: as many as there are lanes."""
    for i in range(len(lanes)):
        for j in range(len(lanes)):
            columns[to + j * stride + i] = rows[place + i * width + j]


@extends_numba
def _register(numba: Any) -> None:
    """Tell Numba the types of the functions above, and their code in LLVM's vectors."""
    import operator

    from llvmlite import ir
    from numba.extending import lower_builtin, models, register_model, type_callable

    types: Any = numba.types

    class Vector(types.Type):  # type: ignore[misc]
        def __init__(self, dtype: Any, count: int) -> None:
            super().__init__(f"Vector({dtype}, {count})")
            self.dtype, self.count = dtype, count

    @register_model(Vector)
    class _VectorModel(models.PrimitiveModel):
        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, ir.VectorType(manager[kind.dtype].get_value_type(), kind.count))  # type: ignore[no-untyped-call]

    def several(dtype: Any, lanes: Any) -> Any:
        return dtype if lanes.count == 1 else Vector(dtype, lanes.count)

    def define(function: Any, result: Any, *kinds: Any) -> Callable[[Generate], Generate]:
        """Register the code of a function for these kinds of arguments; `result` says of which type it is."""
        type_callable(function)(lambda _context: result)
        register: Callable[[Generate], Generate] = lower_builtin(function, *kinds)
        return register

    class Memory:
        """Arrays as a generated function reads and writes them."""

        def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
            self.context, self.builder, self.types, self.args = context, builder, signature.args, args

        def whole(self, i: int) -> Any:
            return self.context.cast(self.builder, self.args[i], self.types[i], types.intp)

        def pointer(self, i: int, place: Any, kind: Any) -> tuple[Any, int]:
            """Where the argument i, an array, has numbers of this kind from a place on, and how they are aligned."""
            array = self.context.make_array(self.types[i])(self.context, self.builder, self.args[i])
            number = self.context.get_value_type(self.types[i].dtype)
            found = self.builder.bitcast(self.builder.gep(array.data, [place]), kind.as_pointer())
            return found, number.get_abi_size(self.context.target_data)

        def read(self, i: int, place: Any, kind: Any) -> Any:
            pointer, align = self.pointer(i, place, kind)
            return self.builder.load(pointer, align=align)

        def write(self, i: int, place: Any, values: Any) -> None:
            pointer, align = self.pointer(i, place, values.type)
            self.builder.store(values, pointer, align=align)

    def zero(kind: Any) -> Any:
        return ir.Constant(kind, [0.0] * kind.count if isinstance(kind, ir.VectorType) else 0.0)

    @define(load, lambda array, place, lanes: several(array.dtype, lanes), types.Array, types.Any, types.Any)
    def _load(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memory = Memory(context, builder, signature, args)
        return memory.read(0, memory.whole(1), context.get_value_type(signature.return_type))

    @define(at, lambda array, place: array.dtype, types.Array, types.Any)
    def _at(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memory = Memory(context, builder, signature, args)
        return memory.read(0, memory.whole(1), context.get_value_type(signature.return_type))

    @define(store, lambda array, place, values, lanes: types.none, types.Array, types.Any, types.Any, types.Any)
    def _store(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memory = Memory(context, builder, signature, args)
        kind = several(signature.args[0].dtype, signature.args[3])
        memory.write(0, memory.whole(1), context.cast(builder, args[2], signature.args[2], kind))
        return context.get_dummy_value()

    @define(splat, several, types.Any, types.Any)
    def _splat(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = context.get_value_type(signature.return_type)
        if not isinstance(kind, ir.VectorType):
            return args[0]
        places = ir.VectorType(ir.IntType(32), kind.count)
        first = builder.insert_element(ir.Constant(kind, ir.Undefined), args[0], ir.IntType(32)(0))
        return builder.shuffle_vector(first, first, ir.Constant(places, [0] * kind.count))

    @define(above_zero, lambda values: values, types.Any)
    def _above_zero(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        nothing = zero(args[0].type)
        return builder.select(builder.fcmp_ordered(">", args[0], nothing), args[0], nothing)

    @define(larger, lambda values, others: values, types.Any, types.Any)
    def _larger(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    @define(if_above, lambda values, then, otherwise: then, types.Any, types.Any, types.Any)
    def _if_above(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", args[0], zero(args[0].type)), args[1], args[2])

    def calculation(name: str) -> Any:
        return lambda _context, builder, _signature, args: getattr(builder, name)(*args)

    def same_vectors(values: Any, others: Any) -> Any:
        return values if isinstance(values, Vector) and values == others else None

    for sign, name in (("add", "fadd"), ("sub", "fsub"), ("mul", "fmul"), ("truediv", "fdiv")):
        define(getattr(operator, sign), same_vectors, Vector, Vector)(calculation(name))

    def transposed(builder: Any, rows: list[Any]) -> list[Any]:
        """The columns of a square block: halves of pairs of rows change places, then quarters, and so on."""
        count = half = len(rows)
        places = ir.VectorType(ir.IntType(32), count)
        while half := half // 2:
            first = [j if not j & half else count + j - half for j in range(count)]
            second = [j + half if not j & half else count + j for j in range(count)]
            for i in (i for i in range(count) if not i & half):
                pair = rows[i], rows[i + half]
                rows[i], rows[i + half] = (
                    builder.shuffle_vector(*pair, ir.Constant(places, mask)) for mask in (first, second)
                )
        return rows

    def nothing(rows: Any, place: Any, width: Any, columns: Any, to: Any, stride: Any, lanes: Any) -> Any:
        return types.none

    @define(turn, nothing, types.Array, types.Any, types.Any, types.Array, types.Any, types.Any, types.Any)
    def _turn(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memory = Memory(context, builder, signature, args)
        kind, rows = context.get_value_type(several(signature.args[0].dtype, signature.args[6])), []
        place, width, to, stride = memory.whole(1), memory.whole(2), memory.whole(4), memory.whole(5)
        for _ in range(signature.args[6].count):
            rows.append(memory.read(0, place, kind))
            place = builder.add(place, width)
        for column in transposed(builder, rows):
            memory.write(3, to, column)
            to = builder.add(to, stride)
        return context.get_dummy_value()
