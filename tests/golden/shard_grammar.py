# SPDX-License-Identifier: Apache-2.0
"""A second reader of MLIR's shard dialect, made from the dialect's documentation alone: each of its ops by
its assembly format, with grids, axes and shapes checked."""

from mlir_grammar import SHARDING, ModuleReader, Wrong

__all__ = ["Wrong", "read"]
KINDS = {"sum", "max", "min", "product", "average", "bitwise_and", "bitwise_or", "bitwise_xor", "generic"}


class ShardReader(ModuleReader):
    """The ops of the dialect that are written."""

    # --- the dialect: clauses ---
    def clause(self, name, value):
        self.expect(name)
        self.expect("=")
        return value()

    def on_grid(self):
        self.expect("on")
        return self.symbol()

    def axes(self, name="grid_axes"):
        return self.clause(name, lambda: self.items(self.number)) if self.peek(name) else []

    def axes_array(self):
        return self.clause("split_axes", lambda: self.items(lambda: self.items(self.number)))

    def index_list(self):
        def item():
            if self.peek("%"):
                self.use()
                return None
            return self.number()

        return self.items(item)

    def named(self, grid, axes):
        self.pending.append((grid, axes, self.at))

    def group(self, grid, axes):
        self.named(grid, axes)
        size = 1
        for axis in axes:
            size *= self.grids[grid][axis]
        return size

    def reduction(self):
        if not self.peek("reduction"):
            return
        kind = self.clause("reduction", lambda: self.balanced("<", ">"))
        if kind not in KINDS:
            self.fail(f"no reduction {kind}")

    # `:` type($input) `->` type($result), or functional-type(operands, results)
    def to(self, operand):
        self.attributes()
        self.expect(":")
        if self.type() != operand:
            self.fail("the operand has another type")
        self.expect("->")
        return self.type()

    def check_dims(self, operand, result, change):
        dims, element = self.shape(operand)
        made, of = self.shape(result)
        if not dims and change:
            self.fail("an array of at least one dimension")
        for dim, times, parts in change:
            if not 0 <= dim < len(dims) or dims[dim] % parts:
                self.fail(f"dimension {dim} of {operand} in {parts} parts")
            dims[dim] = dims[dim] * times // parts
        if dims != made:
            self.fail(f"{operand} to {result}")
        return element == of

    # --- the dialect: ops ---
    def op_all_gather(self):
        operand, grid, axes = self.use(), self.on_grid(), self.axes()
        dim, result = self.clause("gather_axis", self.number), self.to(operand)
        if not self.check_dims(operand, result, [(dim, self.group(grid, axes), 1)]):
            self.fail("the element types differ")
        return [result]

    def op_all_slice(self):
        operand, grid, axes = self.use(), self.on_grid(), self.axes()
        dim, result = self.clause("slice_axis", self.number), self.to(operand)
        if not self.check_dims(operand, result, [(dim, 1, self.group(grid, axes))]):
            self.fail("the element types differ")
        return [result]

    def op_all_to_all(self):
        operand, grid, axes = self.use(), self.on_grid(), self.axes()
        split, concat = self.clause("split_axis", self.number), self.clause("concat_axis", self.number)
        result, size = self.to(operand), self.group(grid, axes)
        if not self.check_dims(operand, result, [(split, 1, size), (concat, size, 1)]):
            self.fail("the element types differ")
        return [result]

    def op_all_reduce(self):
        operand, grid = self.use(), self.on_grid()
        self.named(grid, self.axes())
        self.reduction()
        result = self.to(operand)
        self.check_dims(operand, result, [])
        return [result]

    def op_reduce_scatter(self):
        operand, grid, axes = self.use(), self.on_grid(), self.axes()
        self.reduction()
        dim, result = self.clause("scatter_axis", self.number), self.to(operand)
        self.check_dims(operand, result, [(dim, 1, self.group(grid, axes))])
        return [result]

    def op_shift(self):
        operand, grid, axes = self.use(), self.on_grid(), self.axes()
        self.named(grid, axes)
        axis = self.clause("shift_axis", self.number)
        self.clause("offset", self.number)
        self.accept("rotate")
        result = self.to(operand)
        if axis not in axes:
            self.fail(f"shift_axis {axis} is none of {axes}")
        if not self.shape(operand)[0] or result != operand:
            self.fail(f"{operand} to {result}")
        return [result]

    # A send or a recv: `:` functional-type(operands, results), where coordinates that are values are operands.
    def message(self, end):
        operand, grid, axes = self.use(), self.on_grid(), self.axes()
        self.named(grid, axes)
        coordinates = self.clause(end, self.index_list)
        if len(coordinates) != len(axes):
            self.fail(f"{len(coordinates)} coordinates along {axes}")
        self.attributes()
        self.expect(":")
        return self.function_type([operand] + ["index"] * coordinates.count(None))

    def op_send(self):
        return self.message("destination")

    def op_recv(self):
        return self.message("source")

    def op_update_halo(self):
        operand, grid, split = self.use(), self.on_grid(), self.axes_array()
        self.named(grid, [axis for dim in split for axis in dim])
        dims, sizes = self.shape(operand)[0], []
        if self.peek("halo_sizes"):
            sizes = self.clause("halo_sizes", self.index_list)
        if len(split) > len(dims) or len(sizes) != 2 * len([dim for dim in split if dim]):
            self.fail(f"halos {sizes} of {split}")
        for dim, before, after in zip([d for d, axes in enumerate(split) if axes], sizes[::2], sizes[1::2]):
            if before < 0 or after < 0 or before + after >= dims[dim]:
                self.fail(f"halos of {before} and {after} in {operand}")
        self.attributes()
        self.expect(":")
        if self.type() != operand:
            self.fail("the operand has another type")
        return [operand]

    def op_process_linear_index(self):
        self.named(self.on_grid(), [])
        self.attributes()
        self.expect(":")
        self.expect("index")
        return ["index"]

    def op_sharding(self):
        grid, split = self.symbol(), self.axes_array()
        self.named(grid, [axis for dim in split for axis in dim])
        if not split:
            self.fail("at least one list of axes")
        tiles = [self.group(grid, dim) for dim in split if dim]
        halos = self.peek("halo_sizes")
        if halos and len(self.clause("halo_sizes", self.index_list)) > 2 * len(tiles):
            self.fail("two halo sizes a sharded dimension")
        if self.peek("sharded_dims_offsets"):
            if halos:
                self.fail("halo sizes and offsets exclude each other")
            offsets = self.clause("sharded_dims_offsets", self.index_list)
            if len(offsets) != sum(tiles) + len(tiles):
                self.fail(f"{len(offsets)} offsets")
            for n in tiles:
                of_dim, offsets = offsets[:n + 1], offsets[n + 1:]
                if of_dim[0] != 0 or of_dim != sorted(of_dim):
                    self.fail(f"offsets {of_dim}")
        self.attributes()
        self.expect(":")
        if self.type() is not SHARDING:
            self.fail("expected !shard.sharding")
        return [SHARDING]

    def op_shard(self):
        operand = self.use()
        self.expect("to")
        if self.use() is not SHARDING:
            self.fail("expected a sharding")
        self.accept("annotate_for_users")
        self.attributes()
        self.expect(":")
        if self.type() != operand:
            self.fail("the operand has another type")
        self.shape(operand)
        return [operand]


def read(text):
    """Counts the ops of the dialect in a module; raises Wrong."""
    parser = ShardReader(text)
    parser.module()
    return parser.ops
