# SPDX-License-Identifier: Apache-2.0
"""Placements for DTensor, without torch."""

import itertools
import sys
import unittest

import tilewright as tw
import tilewright.torch
from support import mlp, planned
from tilewright.torch import Placement, placements, placements_of


def as_dtensor(size, placed, sizes, place):
    """The elements of one dimension that DTensor gives a device: each placement cuts what those before it left."""
    mine = list(range(size))
    for placement, count, at in zip(placed, sizes, place):
        if placement.dim is None:
            continue
        pieces = count * placement.split_factor
        length = -(-len(mine) // pieces)
        chunks = [mine[i * length : (i + 1) * length] for i in range(pieces)]
        mine = [element for i in range(placement.split_factor) for element in chunks[at + i * count]]
    return mine


class Torch(unittest.TestCase):
    def test_by_parameter_name(self):
        self.assertEqual(
            {name: repr(where) for name, where in placements(planned()).items()},
            {"x": "(Shard(0), Replicate())", "w1": "(Replicate(), Shard(1))", "w2": "(Replicate(), Shard(0))"},
        )
        self.assertNotIn("torch", sys.modules)

    def test_texts(self):
        sizes = {"a": 2, "b": 4, "c": 3, "d": 1}
        self.assertEqual(placements_of("[{a, b}, {}, {c}:ceil]", list(sizes)), (Placement(0), Placement(0), Placement(2), Placement()))
        self.assertEqual(repr(placements_of("[{b, a}]", tw.Mesh(a=2, b=4))), "(_StridedShard(0, split_factor=4), Shard(0))")
        self.assertEqual(placements_of("[{d, a}]", sizes)[0], Placement(0))  # an axis of one place cuts nothing
        self.assertEqual(placements_of("[]", ["a"]), (Placement(),))
        self.assertEqual(placements_of('[{"a, \\"b}", c}]', ['a, "b}', "c"]), (Placement(0), Placement(0)))
        for text in ("[{a}:cuts=[0,1,4]]", "[{a:(1)2}]", "[{z}]", "[{\"range<6,3>\"}]", "[{b, a}]"):
            self.assertRaises(tw.InvalidArgument, placements_of, text, ["a", "b"])
        for text in ("rubbish", "[{a}, {}", "[{a} {}]", "[{a}, {a}]", "[{}] +a"):
            self.assertRaises(tw.InvalidArgument, placements_of, text, ["a", "b"])
        self.assertEqual(placements_of(tw.Sharding(tw.Mesh(sizes), (8, 4), ["b", None]), sizes)[1], Placement(0))
        self.assertRaisesRegex(tw.InvalidArgument, "4 times 2 tiles do not divide 12", placements_of, "[{b, a}]", sizes, (12,))

    def test_every_order_of_axes(self):
        mesh, size = tw.Mesh(a=2, b=3, c=4), 48
        sizes = list(mesh.axes.values())
        for count in range(4):
            for names in itertools.permutations("abc", count):
                text = "[{%s}]" % ", ".join(names)
                placed = placements_of(text, mesh, (size,))
                tiles = tw.Sharding(mesh, (size,), text).tiles
                for position, place in enumerate(itertools.product(*map(range, sizes))):
                    (begin,), (length,) = tiles[position]
                    self.assertEqual(as_dtensor(size, placed, sizes, place), list(range(begin, begin + length)), (text, place))

    def test_order_of_a_plan(self):
        plan = mlp(8, 6, 12).plan(tw.Mesh(a=2, b=4)).tile("x", 0, "b").tile("x", 0, "a")
        self.assertEqual(placements(plan)["x"], (Placement(0, 4), Placement(0)))
        uneven = mlp(10, 6, 12).plan(tw.Mesh(a=2, b=4)).tile("x", 0, "b").tile("x", 0, "a")
        self.assertRaises(tw.InvalidArgument, placements, uneven)


if __name__ == "__main__":
    unittest.main()
