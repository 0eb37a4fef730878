# SPDX-License-Identifier: Apache-2.0
"""Graphs built call by call."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

from . import _core
from . import _dtypes as dtypes
from ._object import Object, registered
from .custom import CustomCalls
from .errors import invalid
from .graph import Graph, type_fields
from .sharding import Sharding
from .tensor import size_of, tensor

TypeLike = tuple[Any, Sequence[int]]


class BuiltValue:
    """A value of a builder. Arithmetic operators add ops to it: x + y, x @ y, -x."""

    __slots__ = ("builder", "number")

    def __init__(self, builder: "Builder", number: int) -> None:
        self.builder, self.number = builder, number

    def __index__(self) -> int:
        return self.number

    def __add__(self, other: "BuiltValue") -> "BuiltValue":
        return self.builder.binary("add", self, other)

    def __sub__(self, other: "BuiltValue") -> "BuiltValue":
        return self.builder.binary("subtract", self, other)

    def __mul__(self, other: "BuiltValue") -> "BuiltValue":
        return self.builder.binary("multiply", self, other)

    def __truediv__(self, other: "BuiltValue") -> "BuiltValue":
        return self.builder.binary("divide", self, other)

    def __neg__(self) -> "BuiltValue":
        return self.builder.unary("negate", self)

    def __matmul__(self, other: "BuiltValue") -> "BuiltValue":
        return self.builder.einsum("ij,jk->ik", self, other)

    def __repr__(self) -> str:
        return "<no value: check() says why>" if self.number == _core.TW_NO_VALUE else f"<value %{self.number}>"


class BuiltRegion:
    """A region of a builder, for the one op that takes it."""

    __slots__ = ("builder", "number")

    def __init__(self, builder: "Builder", number: int) -> None:
        self.builder, self.number = builder, number


_KINDS: dict[type, str] = {BuiltValue: "value", BuiltRegion: "region"}
_MOST_RESULTS = 64  # of an op that has not as many as operands


def _attribute(name: str, value: Any) -> dict[str, Any]:
    """A tw_attr_t."""
    if isinstance(value, bool):
        return {"name": name, "kind": _core.TW_ATTR_BOOLEAN, "integer": int(value)}
    if isinstance(value, float):
        return {"name": name, "kind": _core.TW_ATTR_REAL, "real": value}
    if isinstance(value, str):
        return {"name": name, "kind": _core.TW_ATTR_STRING, "string": value}
    if isinstance(value, (list, tuple)):
        return {"name": name, "kind": _core.TW_ATTR_INTS, "ints": list(value)}
    return {"name": name, "kind": _core.TW_ATTR_INTEGER, "integer": int(value)}


@registered("tw_builder_t")
class Builder(Object):
    """Builds a graph. Each call adds ops and returns a value; a mistake raises at finish(), which names the call."""

    _calls: Optional[CustomCalls] = None
    _name: str = ""

    def __new__(cls, name: str = "main") -> "Builder":
        builder = _core.tw_builder_create(name)
        builder._name = name
        return builder

    def _about(self) -> str:
        return f"of {self._name!r}"

    def argument(self, name: str, dtype: Any, shape: Sequence[int]) -> BuiltValue:
        return BuiltValue(self, _core.tw_builder_argument(self, name, dtypes.code_of(dtype), shape))

    def donated_argument(self, name: str, dtype: Any, shape: Sequence[int], result: Optional[int] = None) -> BuiltValue:
        """An argument whose memory a result may take: the one that is declared as number `result`, or any."""
        number = -1 if result is None else result
        return BuiltValue(self, _core.tw_builder_donated_argument(self, name, dtypes.code_of(dtype), shape, number))

    def constant(self, x: Any, dtype: Any = None) -> BuiltValue:
        """A literal array: anything that tensor() takes."""
        array = tensor(x, dtype)
        code, shape = dtypes.code_of(array.dtype), array.shape
        memory = array.bits()
        if memory.nbytes != size_of(shape, array.dtype):
            raise invalid(f"the literal has {memory.nbytes} bytes, its type {size_of(shape, array.dtype)}")
        return BuiltValue(self, _core.tw_builder_constant(self, code, shape, memory))

    def splat(self, value: float, dtype: Any, shape: Sequence[int] = ()) -> BuiltValue:
        """An array whose elements all equal `value`."""
        return BuiltValue(self, _core.tw_builder_splat(self, dtypes.code_of(dtype), shape, value))

    def fill(self, element: Any, dtype: Any, shape: Sequence[int]) -> BuiltValue:
        """An array whose elements are all copies of the bytes of `element`, bit for bit."""
        size = _core.tw_dtype_size(dtypes.code_of(dtype))
        if memoryview(element).nbytes != size:
            raise invalid(f"an element of {dtype} has {size} bytes, not {memoryview(element).nbytes}")
        return BuiltValue(self, _core.tw_builder_fill(self, dtypes.code_of(dtype), shape, element))

    # ---- ops ----

    def add(self, op: str, *operands: BuiltValue, results: int = 16, **attributes: Any) -> Union[BuiltValue, list[BuiltValue]]:
        """Any registered op by name, with attributes of its schema (`tw ops NAME`). One value, or a list where it has several."""
        fields = [_attribute(name, value) for name, value in attributes.items()]
        first, made = _core.tw_builder_add(self, op, self._numbers(operands), fields, results)
        values = [BuiltValue(self, number) for number in made if number != _core.TW_NO_VALUE]
        return values if len(values) > 1 else BuiltValue(self, first)

    def op(
        self, name: str, *operands: BuiltValue, regions: Sequence[BuiltRegion] = (), types: Optional[Sequence[TypeLike]] = None,
        location: Optional[str] = None, **attributes: Any,
    ) -> list[BuiltValue]:
        """An op with all that it can have: regions, stated (dtype, shape) of its results, and where it comes from ("model.py:12")."""
        spec: dict[str, Any] = {
            "name": name, "operands": self._numbers(operands), "regions": self._numbers(regions, BuiltRegion),
            "attrs": [_attribute(key, value) for key, value in attributes.items()], "location": location,
        }
        if types is not None:
            spec["result_types"] = [type_fields(dtype, shape) for dtype, shape in types]
        _, made = _core.tw_builder_op(self, spec, len(operands) + len(types or ()) + _MOST_RESULTS)
        return [BuiltValue(self, number) for number in made if number != _core.TW_NO_VALUE]

    def region(self, types: Sequence[TypeLike], body: Callable[..., Any]) -> BuiltRegion:
        """A region for op(): `body` is called with its arguments, values of these (dtype, shape), adds ops, and returns the value or
        the values that the region gives back. The values in it are not seen from outside."""
        fields = [type_fields(dtype, shape) for dtype, shape in types]
        arguments = _core.tw_builder_begin_region(self, fields, len(fields))
        try:
            yields = body(*[BuiltValue(self, number) for number in arguments])
            if yields is None:
                raise TypeError("the function of a region returns what the region gives back, not None")
            values = self._numbers([yields] if isinstance(yields, BuiltValue) else list(yields))
        except BaseException:
            _core.tw_builder_end_region(self, [])
            raise
        return BuiltRegion(self, _core.tw_builder_end_region(self, values))

    def combiner(self, op: str, dtype: Any) -> BuiltRegion:
        """A region that combines two scalars by one op: what reduce, reduce_window, scatter and select_and_scatter take."""
        return BuiltRegion(self, _core.tw_builder_combiner(self, op, dtypes.code_of(dtype)))

    def compare(self, direction: str, x: BuiltValue, y: BuiltValue) -> BuiltValue:
        """Booleans: x DIRECTION y, of "EQ", "NE", "GE", "GT", "LE" and "LT"."""
        return BuiltValue(self, _core.tw_builder_compare(self, direction, self._number(x), self._number(y)))

    def convert(self, x: BuiltValue, dtype: Any) -> BuiltValue:
        return BuiltValue(self, _core.tw_builder_convert(self, self._number(x), dtypes.code_of(dtype)))

    def slice(
        self, x: BuiltValue, starts: Sequence[int], limits: Sequence[int], steps: Optional[Sequence[int]] = None
    ) -> BuiltValue:
        """The elements from starts[i] to below limits[i] of every dimension, each steps[i]-th."""
        steps = [1] * len(starts) if steps is None else steps
        if not len(starts) == len(limits) == len(steps):
            raise invalid(f"{len(starts)} starts, {len(limits)} limits and {len(steps)} steps: give one for each dimension")
        return BuiltValue(self, _core.tw_builder_slice(self, self._number(x), starts, limits, steps))

    def concatenate(self, values: Sequence[BuiltValue], dim: int) -> BuiltValue:
        """Arrays one behind the other in a dimension."""
        return BuiltValue(self, _core.tw_builder_concatenate(self, self._numbers(values), dim))

    def unary(self, op: str, x: BuiltValue) -> BuiltValue:
        return BuiltValue(self, _core.tw_builder_unary(self, op, self._number(x)))

    def binary(self, op: str, x: BuiltValue, y: BuiltValue) -> BuiltValue:
        """Operands of equal shape, or one a scalar, which is then broadcast."""
        return BuiltValue(self, _core.tw_builder_binary(self, op, self._number(x), self._number(y)))

    def einsum(self, subscripts: str, x: BuiltValue, y: BuiltValue) -> BuiltValue:
        """A contraction of two operands, "bd,df->bf"."""
        return BuiltValue(self, _core.tw_builder_einsum(self, subscripts, self._number(x), self._number(y)))

    def transpose(self, x: BuiltValue, permutation: Sequence[int]) -> BuiltValue:
        return BuiltValue(self, _core.tw_builder_transpose(self, self._number(x), permutation))

    def reshape(self, x: BuiltValue, shape: Sequence[int]) -> BuiltValue:
        return BuiltValue(self, _core.tw_builder_reshape(self, self._number(x), shape))

    def broadcast(self, x: BuiltValue, shape: Sequence[int], dims: Sequence[int]) -> BuiltValue:
        """Dimension i of x becomes dimension dims[i] of the result; dimensions of size 1 expand."""
        return BuiltValue(self, _core.tw_builder_broadcast(self, self._number(x), shape, dims))

    def reduce(self, kind: str, x: BuiltValue, dims: Sequence[int]) -> BuiltValue:
        """Reduces dimensions away with "sum", "max", "min" or "prod", integers and booleans also with "and", "or", "xor"."""
        return BuiltValue(self, _core.tw_builder_reduce(self, kind, self._number(x), dims))

    def custom_calls(self, calls: CustomCalls) -> "Builder":
        """The custom_calls that the host knows, as they are now."""
        _core.tw_builder_custom_calls(self, calls)
        return self

    def custom_call(
        self, target: str, operands: Sequence[BuiltValue], results: Sequence[TypeLike], **attributes: Any
    ) -> list[BuiltValue]:
        """A call of code that the program does not hold, with results of these (dtype, shape)."""
        types = [type_fields(dtype, shape) for dtype, shape in results]
        fields = [_attribute(name, value) for name, value in attributes.items()]
        _, made = _core.tw_builder_custom_call(self, target, self._numbers(operands), types, fields, len(types))
        return [BuiltValue(self, number) for number in made]

    def result(self, name: str, value: BuiltValue) -> "Builder":
        """Declares a result of the program; in order."""
        _core.tw_builder_result(self, name, self._number(value))
        return self

    # ---- names and shardings ----

    def name(self, value: BuiltValue, name: str) -> BuiltValue:
        """Calls a value "%name" in texts, reports and Plan.tile()."""
        _core.tw_builder_name(self, self._number(value), name)
        return value

    def shard(self, value: BuiltValue, sharding: Sharding) -> BuiltValue:
        """Says how a value is to lie: plans of the graph apply it first, as they do with annotations of a text."""
        _core.tw_builder_shard(self, self._number(value), sharding)
        return value

    def shard_result(self, i: int, sharding: Sharding) -> "Builder":
        """The same of a result that was declared."""
        _core.tw_builder_shard_result(self, i, sharding)
        return self

    def keep_halo(self, value: BuiltValue, sharding: Sharding) -> BuiltValue:
        """The value again, laid out so, of which every device keeps the halos too. One exchange brings them, elementwise ops keep
        them, and what reads around a tile finds them there. Halos that wrap are refused."""
        return BuiltValue(self, _core.tw_builder_keep_halo(self, self._number(value), sharding))

    def check(self) -> "Builder":
        """Raises what finish() would, while the builder goes on."""
        _core.tw_builder_check(self)
        return self

    def finish(self) -> Graph:
        """The graph. The builder is empty afterwards, whatever the outcome."""
        return _core.tw_builder_finish(self)

    def _number(self, value: Union[BuiltValue, BuiltRegion], kind: type = BuiltValue) -> int:
        if not isinstance(value, kind):
            makes = ""
            if kind is BuiltValue and isinstance(value, (int, float)):
                makes = f": splat({value}, dtype) makes one of a number"
            elif kind is BuiltValue and hasattr(value, "__array__"):
                makes = ": constant() makes one of an array"
            raise TypeError(f"expected a {_KINDS[kind]} of this builder, not {type(value).__name__}{makes}")
        if value.builder is not self:
            raise invalid(f"the {_KINDS[kind]} is another builder's")
        return value.number

    def _numbers(self, values: Sequence[Union[BuiltValue, BuiltRegion]], kind: type = BuiltValue) -> list[int]:
        return [self._number(value, kind) for value in values]
