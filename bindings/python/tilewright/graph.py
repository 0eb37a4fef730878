# SPDX-License-Identifier: Apache-2.0
"""Array programs: read from text or built call by call, and looked at."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Iterable, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from . import _dtypes as dtypes
from ._object import Items, Object, given, maybe, registered
from .errors import numbered
from .tensor import Tensor, tensors

if TYPE_CHECKING:
    from .custom import CustomCalls
    from .mesh import Mesh
    from .plan import Plan


class Type(NamedTuple):
    """The type of an array. str() writes it "f32[16,256]"."""

    dtype: str
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


class Argument(NamedTuple):
    """An argument or a result of a program."""

    name: str
    type: Type


class Value(NamedTuple):
    """A value of a graph: a result of an op, or an argument of a region. Numbers are None where there is none."""

    number: int
    type: Type
    op: Optional[int]
    index: int  # type: ignore[assignment]
    region: Optional[int]
    #: Where it is read: (op, operand).
    uses: tuple[tuple[int, int], ...]


class Op(NamedTuple):
    """An op of a graph."""

    number: int
    name: str
    operands: tuple[int, ...]
    results: tuple[int, ...]
    regions: tuple[int, ...]
    parent: int
    attributes: dict[str, Any]
    #: In the imported text, from 1; 0: not known.
    line: int
    column: int


class Region(NamedTuple):
    """A region: the body of the program (0), or of a while, a reduction, .."""

    number: int
    parent: Optional[int]
    arguments: tuple[int, ...]
    ops: tuple[int, ...]
    yields: tuple[int, ...]


def attribute_value(fields: Mapping[str, Any]) -> Any:
    """The field of a tw_attr_t that its kind says."""
    kind = fields["kind"]
    if kind == _core.TW_ATTR_REAL:
        return fields["real"]
    if kind == _core.TW_ATTR_STRING:
        return fields["string"]
    if kind == _core.TW_ATTR_INTS:
        return fields["ints"]
    return bool(fields["integer"]) if kind == _core.TW_ATTR_BOOLEAN else fields["integer"]


@registered("tw_graph_t")
class Graph(Object):
    """An SSA program of n-d array ops with static shapes. It never changes. load() and Builder make one."""

    #: The mesh that load() was given for plans.
    _planned_on: Optional[str] = None

    @property
    def name(self) -> str:
        return _core.tw_graph_name(self)

    @property
    def num_ops(self) -> int:
        """Arguments and results not counted."""
        return _core.tw_graph_num_ops(self)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return tuple(
            Argument(
                _core.tw_graph_argument_name(self, i),
                Type(dtypes.NAMES[_core.tw_graph_argument_dtype(self, i)], _core.tw_graph_argument_dims(self, i)),
            )
            for i in range(_core.tw_graph_num_arguments(self))
        )

    @property
    def results(self) -> tuple[Argument, ...]:
        return tuple(
            Argument(
                _core.tw_graph_result_name(self, i),
                Type(dtypes.NAMES[_core.tw_graph_result_dtype(self, i)], _core.tw_graph_result_dims(self, i)),
            )
            for i in range(_core.tw_graph_num_results(self))
        )

    @property
    def mesh(self) -> Optional["Mesh"]:
        """The mesh that the module declares."""
        from .mesh import Mesh

        text = _core.tw_graph_mesh(self)
        return Mesh(text) if text else None

    @property
    def grid_rank(self) -> int:
        """Of the code of one device (collectives of the shard dialect): how many dimensions in front of every argument and result
        count the devices of its grid. 0: a program over whole arrays."""
        return _core.tw_graph_grid_rank(self)

    def donated_to(self, argument: int) -> Optional[int]:
        """The result that an argument may be overwritten by; -2: it is donated without saying to which; None: it is only read."""
        return maybe(_core.tw_graph_donated_to(self, numbered("argument", argument, _core.tw_graph_num_arguments(self))), -1)

    def info(self, values: bool = False) -> dict[str, Any]:
        """Op census, FLOPs, bytes, annotations, what is opaque or ignored; with `values` also every value."""
        return json.loads(_core.tw_graph_info(self, int(values)))

    def plan(self, mesh: Union["Mesh", str, None] = None, policy: Optional[str] = None, ignore_annotations: bool = False) -> "Plan":
        """A plan to shard this program over a mesh; None: that which load() was given, else the one that the module declares. `policy` says what propagation does where it has a choice."""
        from .plan import Plan

        return Plan(self, mesh, policy=policy, ignore_annotations=ignore_annotations)

    def evaluate(self, *inputs: Any) -> list[Tensor]:
        """Results of the slow reference evaluator, op by op on whole arrays: the oracle of everything else."""
        outputs = [Tensor(result.type.shape, result.type.dtype) for result in self.results]
        _core.tw_graph_evaluate(self, self._tensors(inputs), outputs)
        return outputs

    def find_nonfinite(self, *inputs: Any) -> Optional[dict[str, Any]]:
        """The first op that makes a NaN (or, without those, an Inf) which comes to a result, and the numbers of the
        arguments that it is computed from; None where results are finite."""
        return json.loads(_core.tw_graph_find_nonfinite(self, self._tensors(inputs)))

    def _tensors(self, inputs: Sequence[Any]) -> list[Tensor]:
        return tensors(inputs, "input", [argument.name for argument in self.arguments])

    # ---- walking: ops, values and regions are numbers ----

    def _checked_op(self, number: int) -> int:
        return numbered("op", number, _core.tw_graph_op_end(self))

    def _checked_value(self, number: int) -> int:
        return numbered("value", number, _core.tw_graph_value_end(self))

    def op(self, number: int) -> Op:
        fields = _core.tw_graph_op(self, self._checked_op(number))
        attributes = [_core.tw_graph_attr(self, number, i) for i in range(fields["num_attrs"])]
        first, region = fields["first_result"], fields["first_region"]
        return Op(
            number, fields["name"], fields["operands"], tuple(range(first, first + fields["num_results"])),
            tuple(range(region, region + fields["num_regions"])), fields["parent"],
            {a["name"]: attribute_value(a) for a in attributes}, fields["line"], fields["column"],
        )

    @property
    def ops(self) -> Sequence[Op]:
        """All ops, those of regions too, behind those whose results they read."""
        return Items("op", _core.tw_graph_op_end(self), self.op)

    def value(self, value: Union[int, str]) -> Value:
        """A value by number or name."""
        number = _core.tw_graph_find_value(self, value) if isinstance(value, str) else value
        fields = _core.tw_graph_value(self, self._checked_value(number))
        return Value(
            number, Type(dtypes.NAMES[fields["dtype"]], fields["dims"]), maybe(fields["op"], _core.TW_NO_OP), fields["index"],
            maybe(fields["region"], _core.TW_NO_REGION), tuple((use["op"], use["operand"]) for use in fields["uses"]),
        )

    @property
    def values(self) -> Sequence[Value]:
        return Items("value", _core.tw_graph_value_end(self), self.value)

    def region(self, number: int) -> Region:
        fields = _core.tw_graph_region(self, numbered("region", number, _core.tw_graph_region_end(self)))
        parent = maybe(fields["parent"], _core.TW_NO_OP)
        return Region(number, parent, fields["arguments"], fields["ops"], fields["yields"])

    @property
    def regions(self) -> Sequence[Region]:
        return Items("region", _core.tw_graph_region_end(self), self.region)

    def value_name(self, value: int) -> str:
        """What plans and reports call a value: an argument's name, else "%12"."""
        return _core.tw_graph_value_name(self, self._checked_value(value))

    def symbol(self, value: int) -> str:
        """How texts spell a value, "%x" or "%12"."""
        return _core.tw_graph_symbol(self, self._checked_value(value))

    def argument_value(self, i: int) -> Optional[int]:
        """The value that argument i is."""
        return maybe(_core.tw_graph_argument(self, numbered("argument", i, _core.tw_graph_num_arguments(self))), _core.TW_NO_VALUE)

    def result_value(self, i: int) -> Optional[int]:
        """The value that result i is."""
        return maybe(_core.tw_graph_result(self, numbered("result", i, _core.tw_graph_num_results(self))), _core.TW_NO_VALUE)

    def constant(self, op: int) -> tuple[bytes, bool]:
        """The elements of a constant as bytes, and whether one stands for all."""
        return _core.graph_constant(self, self._checked_op(op))  # tw_graph_constant

    def location(self, op: int) -> str:
        """Where an op comes from: "model.py:12", "file.mlir:40:5" or ""."""
        return _core.tw_graph_op_location(self, self._checked_op(op))

    def _repr_html_(self) -> str:
        from .html import graph_html

        return graph_html(self)

    def _about(self) -> str:
        return f"{self.name!r}: {self.num_ops} ops, {len(self.arguments)} arguments"


def same_graph(graph: Graph) -> Graph:
    """A handle of its own, for what is made of a graph: closing the one does not end the other."""
    same: Graph = _core.graph_retain(graph)
    same._planned_on = graph._planned_on
    return same


def loads(
    text: Union[str, bytes], *, file: Optional[str] = None, entry: Optional[str] = None, names: Optional[Iterable[str]] = None,
    custom_calls: Optional["CustomCalls"] = None, allow_unknown: bool = False, mesh: Optional[str] = None,
) -> Graph:
    """Reads a program: StableHLO as JAX prints it, with sdy and GSPMD annotations, or PartIR loops. `names` are those of the
    arguments, "" to keep one; `file` stands in the positions of errors. `mesh`, "rows=2,columns=4", is what plan() takes where it is given
    none; a grid of the shard dialect with as many axes takes their names, and sizes that it leaves open."""
    if isinstance(names, str):
        raise TypeError("names: expected one str for each argument, not a single one")
    lines = None if names is None else "\n".join(names)
    options = given(
        file=file, entry=entry, names=lines, custom_calls=custom_calls, allow_unknown=allow_unknown, mesh=mesh
    )
    graph: Graph = _core.tw_graph_import(text, options)
    graph._planned_on = mesh
    return graph


def load(path: Union[str, "os.PathLike[str]"], **options: Any) -> Graph:
    """Reads a program from a file; the options are those of loads()."""
    with open(path, "rb") as file:
        options.setdefault("file", os.fspath(path))
        return loads(file.read(), **options)


def ops(name: Optional[str] = None) -> dict[str, Any]:
    """The registry of ops, or of it the op named: documentation, operands, results, attributes, rule, kernels."""
    return json.loads(_core.tw_ops_info(name))


def op_names() -> list[str]:
    return [_core.tw_op_name(i) for i in range(_core.tw_op_count())]


def type_fields(dtype: Any, shape: Sequence[int]) -> dict[str, Any]:
    """A tw_type_t."""
    return {"dtype": dtypes.code_of(dtype), "dims": list(shape)}
