# SPDX-License-Identifier: Apache-2.0
"""Shardings and meshes as objects: made, looked at, compared, and the tile of each position."""

import array
import unittest

import tilewright as tw


class Shardings(unittest.TestCase):
    def test_text_and_structs_agree(self):
        cases = [
            ("[{data}, {}]", ["data", None], {}),
            ("[{data,model}, {}]", [("data", "model"), None], {}),
            ("[{}, {model:(1)2}]", [None, tw.AxisPart("model", 1, 2)], {}),
            ("[{data}:ceil, {}]", [tw.DimSharding((tw.AxisPart("data"),), split="ceil"), None], {}),
            ("[{data}:cuts=[0,3,8], {}]", [tw.DimSharding(("data",), split="cuts", cuts=(0, 3, 8)), None], {}),
            ("[{data}:halo=[1,2]:wrap, {}]", [tw.DimSharding(("data",), halo=(1, 2), border="wrap"), None], {}),
            ("[{data}:spans=[0,6,3,8], {}]", [tw.DimSharding(("data",), halo=(1, 2), border="none"), None], {}),
            ("[{data}, {}] +model", ["data", None], {"model": "sum"}),
            ("[{}, {}]", [None, None], {}),
        ]
        for text, dims, partial in cases:
            made = tw.Sharding("data=2,model=4", (8, 6), dims, partial)
            self.assertEqual(str(made), text)
            self.assertEqual(made, tw.Sharding("data=2,model=4", (8, 6), text))
            self.assertEqual(made, tw.Sharding(tw.Mesh(data=2, model=4), (8, 6), made.dims, {p.axis: p.reduction for p in made.partials}))
            self.assertEqual(hash(made), hash(tw.Sharding("data=2,model=4", (8, 6), text)))

    def test_dims(self):
        sharding = tw.Sharding("data=2,model=4", (8, 6), "[{data}, {model:(1)2}:ceil] +max:model:(2)2")
        self.assertEqual(sharding.shape, (8, 6))
        self.assertEqual(sharding.dims[0], tw.DimSharding((tw.AxisPart("data", 1, 2),)))
        self.assertEqual((sharding.dims[1].axes, sharding.dims[1].split), ((tw.AxisPart("model", 1, 2),), "ceil"))
        self.assertEqual(sharding.partials, (tw.Partial(tw.AxisPart("model", 2, 2), "max"),))
        self.assertEqual(str(sharding.dims[1].axes[0]), "model:(1)2")
        self.assertEqual([sharding.num_tiles(d) for d in (0, 1)], [2, 2])
        self.assertFalse(sharding.is_whole)
        self.assertTrue(tw.Sharding("x=4", (3,), [None]).is_whole)

    def test_tiles(self):
        sharding = tw.Sharding("data=2,model=2", (5, 6), ["model", "data"])
        self.assertEqual(sharding.tile(1), tw.Tile((2, 0), (3, 3)))
        self.assertEqual(sharding.tiles, (((0, 0), (2, 3)), ((2, 0), (3, 3)), ((0, 3), (2, 3)), ((2, 3), (3, 3))))
        self.assertEqual(sharding.local_shape, (3, 3))
        halo = tw.Sharding("x=2", (8,), "[{x}:halo=[1,1]]")
        self.assertEqual(halo.tiles, (((-1,), (6,)), ((3,), (6,))))
        self.assertEqual(tw.Sharding("x=2", (), []).tiles, (((), ()),) * 2)

    def test_not_equal(self):
        one = tw.Sharding("x=2", (8,), "[{x}]")
        for other in (tw.Sharding("x=4", (8,), "[{x}]"), tw.Sharding("x=2", (4,), "[{x}]"), tw.Sharding("x=2", (8,), "[{}]"), "[{x}]"):
            self.assertNotEqual(one, other)
        one.close()
        self.assertEqual(repr(one), "<Sharding closed>")
        self.assertNotEqual(one, tw.Sharding("x=2", (8,), "[{x}]"))

    def test_repr(self):
        sharding = tw.Sharding("data=2,model=2", (4, 6), ["data", None])
        self.assertIn("[{data}, {}] of [4, 6]", repr(sharding))

    def test_kept_halos(self):
        b = tw.Builder("stencil")
        x = b.argument("x", "f32", (13,))
        n = b.unary("negate", b.keep_halo(x, tw.Sharding("a=3", (13,), "[{a}:halo=[2,2]]")))
        inside = tw.Sharding("a=3", (11,), "[{a}:cuts=[0,4,7,11]]")
        left, right = (b.shard(b.slice(n, [i], [i + 11]), inside) for i in (0, 2))
        program = b.result("y", left + right).finish().plan().lower()
        self.assertEqual((program.num_collectives, program.bytes_received), (1, 16))  # two elements from each side
        given = array.array("f", [i * i for i in range(13)])
        (made,) = program.executable().run(given)
        self.assertEqual(memoryview(made).tolist(), [-given[i] - given[i + 2] for i in range(11)])
        for error, text in ((tw.InvalidArgument, "[{a}]"), (tw.Unimplemented, "[{a}:halo=[1,1]:wrap]")):
            wrong = tw.Builder("wrong")
            wrong.keep_halo(wrong.argument("x", "f32", (13,)), tw.Sharding("a=3", (13,), text))
            self.assertRaises(error, wrong.finish)

    def test_errors(self):
        for error, make in (
            (tw.InvalidArgument, lambda: tw.Sharding("x=2", (8,), [])),
            (tw.InvalidArgument, lambda: tw.Sharding("x=2", (8,), "[{x}]", {"x": "sum"})),
            (tw.InvalidArgument, lambda: tw.Sharding("x=2", (8,), [tw.DimSharding(("x",), split="slanted")])),
            (tw.InvalidArgument, lambda: tw.Sharding("x=2", (8, 8), ["x", "x"])),
            (tw.InvalidArgument, lambda: tw.Sharding("x=2", (8,), ["x"], {"x": "average"})),
            (tw.NotFound, lambda: tw.Sharding("x=2", (8,), ["y"])),
            (tw.OutOfRange, lambda: tw.Sharding("x=2", (8,), ["x"]).tile(2)),
            (tw.OutOfRange, lambda: tw.Sharding("x=2", (8,), ["x"]).num_tiles(1)),
            (TypeError, lambda: tw.Sharding("x=2", (8,), [7])),
            (tw.InvalidArgument, lambda: tw.Sharding(None, (8,), ["x"])),
        ):
            self.assertRaises(error, make)


class Meshes(unittest.TestCase):
    def test_equal_meshes_have_order_and_devices(self):
        mesh = tw.Mesh(data=2, model=4)
        self.assertEqual(mesh, tw.Mesh("data=2,model=4"))
        self.assertEqual(mesh, mesh.with_devices(range(8)))
        self.assertNotEqual(mesh, tw.Mesh(model=4, data=2))
        self.assertNotEqual(mesh, mesh.with_devices(range(8)[::-1]))
        self.assertEqual(repr(mesh), "<Mesh data=2,model=4>")
        self.assertEqual(repr(tw.Mesh(a=2).with_devices([1, 0])), "<Mesh a=2 on devices 1, 0>")
        self.assertTrue(repr(mesh.with_devices(range(1, 9))).endswith("7, 8>"))

    def test_positions(self):
        mesh = tw.Mesh(data=2, model=2).with_devices([3, 1, 0, 2])
        self.assertEqual((mesh.num_positions, mesh.device_ids), (4, (3, 1, 0, 2)))
        self.assertEqual(mesh.kinds, {"data": "devices", "model": "devices"})
        self.assertEqual(mesh.parts, (tw.AxisPart("data", 1, 2), tw.AxisPart("model", 1, 2)))

    def test_parts(self):
        mesh = tw.Sharding("model=8", (8,), "[{model:(2)2}]").mesh
        self.assertEqual([str(part) for part in mesh.parts], ["model:(1)2", "model:(2)2", "model:(4)2"])


if __name__ == "__main__":
    unittest.main()
