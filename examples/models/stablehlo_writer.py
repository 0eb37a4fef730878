# SPDX-License-Identifier: Apache-2.0
"""Writes StableHLO as text, op by op, in plain Python: what transformer.py needs."""

import math

LOWEST = {"f32": "0xFF800000", "bf16": "0xFF80", "f16": "0xFC00"}


class Value:
    """An SSA value: its name, shape and element type."""

    __slots__ = ("name", "shape", "element", "type")

    def __init__(self, name, shape, element):
        self.name = name
        self.shape = tuple(shape)
        self.element = element
        self.type = "tensor<" + "".join(f"{n}x" for n in self.shape) + element + ">"


class Writer:
    """Writes one function's operations, one line each. What an op does not say of its result's element type is that of its first operand."""

    def __init__(self, real="f32"):
        self.real = real  # element type of numbers that stand alone
        self.lines = []
        self.ops = 0
        self.next_name = 0

    def emit(self, text, shape, element):
        """Appends `%n = text`, where `{type}` in the text stands for the result's type."""
        result = Value(f"%{self.next_name}", shape, element)
        self.next_name += 1
        self.ops += 1
        self.lines.append(f"    {result.name} = stablehlo.{text.replace('{type}', result.type)}")
        return result

    def unary(self, op, x):
        return self.emit(f"{op} {x.name} : {{type}}", x.shape, x.element)

    def binary(self, op, a, b):
        assert a.type == b.type, (op, a.type, b.type)
        return self.emit(f"{op} {a.name}, {b.name} : {{type}}", a.shape, a.element)

    def add(self, a, b):
        return self.binary("add", a, b)

    def sub(self, a, b):
        return self.binary("subtract", a, b)

    def mul(self, a, b):
        return self.binary("multiply", a, b)

    def div(self, a, b):
        return self.binary("divide", a, b)

    def constant(self, number, element=None):
        element = element or self.real
        text = f"{number:.9e}" if element in LOWEST and math.isfinite(number) else str(number)
        text = LOWEST[element] if number == -math.inf else text
        return self.emit(f"constant dense<{text}> : {{type}}", (), element)

    def broadcast(self, x, shape, dims):
        return self.emit(f"broadcast_in_dim {x.name}, dims = {list(dims)} : ({x.type}) -> {{type}}", shape, x.element)

    def fill(self, number, shape, element=None):
        return self.broadcast(self.constant(number, element), shape, ())

    def fill_like(self, number, x):
        return self.fill(number, x.shape, x.element)

    def scale(self, x, number):
        """x times a number; a scalar needs no broadcast."""
        factor = self.fill_like(number, x) if x.shape else self.constant(number, x.element)
        return self.mul(x, factor)

    def convert(self, x, element):
        return x if x.element == element else self.emit(f"convert {x.name} : ({x.type}) -> {{type}}", x.shape, element)

    def along_last(self, x, shape):
        """A vector over the last dimension, repeated over the others."""
        return self.broadcast(x, shape, (len(shape) - 1,))

    def over_last(self, x, shape):
        """Whatever was reduced over the last dimension, repeated along it."""
        return self.broadcast(x, shape, range(len(shape) - 1))

    def reduce(self, x, dims, op="add", init=0.0):
        start = self.constant(init, x.element)
        kept = [n for i, n in enumerate(x.shape) if i not in dims]
        head = f"reduce({x.name} init: {start.name}) applies stablehlo.{op} across dimensions = {list(dims)}"
        return self.emit(f"{head} : ({x.type}, {start.type}) -> {{type}}", kept, x.element)

    def mean_last(self, x):
        total = self.reduce(x, [len(x.shape) - 1])
        return self.div(total, self.fill_like(x.shape[-1], total))

    def reshape(self, x, shape):
        return self.emit(f"reshape {x.name} : ({x.type}) -> {{type}}", shape, x.element)

    def transpose(self, x, dims):
        text = f"transpose {x.name}, dims = {list(dims)} : ({x.type}) -> {{type}}"
        return self.emit(text, [x.shape[i] for i in dims], x.element)

    def dot(self, a, b, contract, batch=((), ()), element=None):
        (ca, cb), (ba, bb) = contract, batch
        free = lambda x, used: [n for i, n in enumerate(x.shape) if i not in used]
        shape = [a.shape[i] for i in ba] + free(a, [*ba, *ca]) + free(b, [*bb, *cb])
        batching = f"batching_dims = {list(ba)} x {list(bb)}, " if ba else ""
        contracting = f"contracting_dims = {list(ca)} x {list(cb)}"
        text = f"dot_general {a.name}, {b.name}, {batching}{contracting} : ({a.type}, {b.type}) -> {{type}}"
        return self.emit(text, shape, element or a.element)

    def iota(self, dim, shape):
        return self.emit(f"iota dim = {dim} : {{type}}", shape, "i32")

    def compare(self, direction, a, b, kind="SIGNED"):
        text = f"compare {direction}, {a.name}, {b.name}, {kind} : ({a.type}, {b.type}) -> {{type}}"
        return self.emit(text, a.shape, "i1")

    def select(self, mask, a, b):
        return self.emit(f"select {mask.name}, {a.name}, {b.name} : {mask.type}, {{type}}", a.shape, a.element)

    def together(self, *values):
        """The values behind a barrier: what is made of them there is made again, and none before all are computed."""
        results = [Value(f"%{self.next_name}#{i}", v.shape, v.element) for i, v in enumerate(values)]
        names, types = ", ".join(v.name for v in values), ", ".join(v.type for v in values)
        self.lines.append(f"    %{self.next_name}:{len(values)} = stablehlo.optimization_barrier {names} : {types}")
        self.next_name += 1
        self.ops += 1
        return results

    def random_bytes(self, state, shape):
        result = Value(f"%{self.next_name}#1", shape, "ui8")
        self.lines.append(
            f"    %{self.next_name}:2 = stablehlo.rng_bit_generator {state.name}, algorithm = PHILOX : "
            f"({state.type}) -> ({state.type}, {result.type})"
        )
        self.next_name += 1
        self.ops += 1
        return result

    def lookup(self, table, ids):
        """Rows of table [V,D] for ids [B,T,1]."""
        width = table.shape[1]
        numbers = "offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2"
        attributes = f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = array<i64: 1, {width}>"
        result = Value(f"%{self.next_name}", (*ids.shape[:2], width), table.element)
        self.next_name += 1
        self.ops += 1
        signature = f"({table.type}, {ids.type}) -> {result.type}"
        self.lines.append(
            f'    {result.name} = "stablehlo.gather"({table.name}, {ids.name}) <{{{attributes}}}> : {signature}'
        )
        return result

    def lookup_gradient(self, shape, ids, updates):
        """Sum of the rows of updates [B,T,D] into zeros [V,D] at ids [B,T,1]."""
        zeros = self.fill(0.0, shape, updates.element)
        real = f"tensor<{updates.element}>"
        numbers = "update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]"
        result = Value(f"%{self.next_name}", shape, updates.element)
        self.next_name += 1
        self.ops += 1
        self.lines += [
            f'    {result.name} = "stablehlo.scatter"({zeros.name}, {ids.name}, {updates.name}) '
            f"<{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}, index_vector_dim = 2>}}> ({{",
            f"    ^bb0(%old: {real}, %new: {real}):",
            f"      %sum = stablehlo.add %old, %new : {real}",
            f"      stablehlo.return %sum : {real}",
            f"    }}) : ({zeros.type}, {ids.type}, {updates.type}) -> {result.type}",
        ]
        return result
