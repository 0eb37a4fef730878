# SPDX-License-Identifier: Apache-2.0
"""Redistribution plans, and moving tiles."""

import array
import os
import tempfile
import unittest

import support
import tilewright as tw


def tiles_of(plan, side, columns, dtype="f32"):
    """Tiles of the matrix whose elements are their numbers."""
    made = []
    for device in range(len(plan.device_ids)):
        (row, column), (rows, width) = plan.tile(side, device)
        made.append(support.floats(*[(row + i) * columns + column + j for i in range(rows) for j in range(width)]))
    return made


class Redistribute(unittest.TestCase):
    def test_rows_to_columns(self):
        plan = tw.redistribute("f32[12,10] [{x},{}]", "[{},{x}]", "x=4")
        after = plan.run(tiles_of(plan, 0, 10))
        self.assertEqual([[v for row in t.tolist() for v in row] for t in after], [list(t) for t in tiles_of(plan, 1, 10)])
        self.assertEqual((plan.rank, plan.item_size, plan.device_ids, plan.combines, plan.exact), (2, 4, (0, 1, 2, 3), False, True))
        self.assertEqual(max(plan.bytes_received(d) for d in range(4)), plan.bound[0])
        self.assertEqual(plan.element(1, (0, 0)), (0, 0))
        self.assertGreaterEqual(plan.height_bytes, plan.scratch_bytes)
        self.assertEqual((plan.num_steps, plan.method), (1, plan.info()["method"]))
        self.assertTrue(plan.pareto() and plan.report(check=True))
        self.assertIn("1 step on 4 devices", repr(plan))

    def test_saved(self):
        plan = tw.redistribute("f32[8,8] [{x},{}]", "[{},{x}]", tw.Mesh(x=2), links=[{"alpha_us": 1.0, "message_us": 0.1, "gb_per_s": 10.0}])
        again = tw.Redistribution.load(plan.save()).check()
        self.assertEqual(plan, again)
        self.assertEqual(hash(plan), hash(again))
        self.assertRaises(tw.InvalidArgument, tw.Redistribution.load, plan.save()[:-3])

    def test_mover(self):
        plan = tw.redistribute("f32[8] [{x}]", "[{}]", "x=2")
        mover = plan.redistributor(workers=1)
        self.assertEqual(mover.home(0, 1), (False, 1))
        self.assertGreaterEqual(mover.scratch_bytes, 0)
        before, after = [support.floats(*range(4)), support.floats(*range(4, 8))], [support.floats(*[0] * 8) for _ in range(2)]
        mover.run(before, after)
        self.assertEqual([list(t) for t in after], [list(range(8))] * 2)
        plan.close()
        mover.run(before, [support.floats(*[0] * 8) for _ in range(2)])

    def test_wrong_tiles(self):
        plan = tw.redistribute("f32[8] [{x}]", "[{}]", "x=2")
        mover = plan.redistributor(workers=1)
        good = [support.floats(0, 0, 0, 0)] * 2
        for before, after in [
            (good[:1], plan.new_tiles("f32")), (good, plan.new_tiles("f32")[:1]), ([None, good[0]], plan.new_tiles("f32")),
            ([support.floats(1), good[0]], plan.new_tiles("f32")), (good, [good[0], good[0]]),
        ]:
            self.assertRaises(tw.InvalidArgument, mover.run, before, after)
        doubles = [array.array("d", [0, 0])] * 2  # as many bytes
        self.assertRaisesRegex(tw.InvalidArgument, "device 0 is f64, the plan moves f32", mover.run, doubles, plan.new_tiles("f32"))
        mover.run([bytearray(16)] * 2, plan.new_tiles("f32"))
        self.assertRaises(tw.InvalidArgument, plan.run, good, dtype="f64")
        self.assertRaises(tw.InvalidArgument, plan.element, 0, (0, 0))
        self.assertRaises(tw.InvalidArgument, plan.element, 7, (0,))

    def test_wrong_types(self):
        """Bits of floats are not added up as integers, and integers do not go where floats are meant."""
        sums = tw.redistribute("i32[4] [{}] +x", "[{x}]", "x=2")
        wrong = [tw.filled((4,), "f32", "ones")] * 2
        with self.assertRaisesRegex(tw.InvalidArgument, r"device 0 is f32, the plan combines i32 \[TW-715\]"):
            sums.run(wrong)
        self.assertEqual(["i32", [2, 2]], [sums.run([tw.filled((4,), "i32", "ones")] * 2)[1].dtype, sums.run([tw.filled((4,), "i32", "ones")] * 2)[1].tolist()])
        moves = tw.redistribute("f32[4] [{x}]", "[{}]", "x=2")
        whole = [tw.filled((2,), "i32", "ones")] * 2
        self.assertRaisesRegex(tw.InvalidArgument, "device 0 is i32, the plan moves f32", moves.run, whole)
        after = [tw.Tensor((4,), "i32")] * 2
        mover = moves.redistributor(workers=1)
        self.assertRaisesRegex(tw.InvalidArgument, "device 0 after the run is i32", mover.run, [support.floats(1, 2)] * 2, after)
        self.assertRaisesRegex(tw.InvalidArgument, "the plan is of f32, not of i32", moves.new_tiles, "i32")
        self.assertEqual([t.dtype for t in moves.run([bytes(8)] * 2)], ["f32"] * 2)
        self.assertRaisesRegex(tw.InvalidArgument, "has 12 bytes, not the 8", moves.run, [bytes(12), bytes(8)])
        self.assertEqual(("f32", "complex<f32>", "bf16"), (
            tw.Redistribution.load(moves.save()).dtype, tw.redistribute("complex<f32>[4] [{x}]", "[{}]", "x=2").dtype,
            tw.redistribute("[4] [{x}]", "[{}]", "x=2", dtype="bf16").dtype,
        ))

    def test_wrong_shapes(self):
        plan = tw.redistribute("f32[6,10] [{x},{y}]", "[{},{x,y}]", "x=2,y=2")
        turned = [tw.Tensor((5, 3))] * 4
        self.assertRaisesRegex(tw.InvalidArgument, r"device 0 is \[5,3\], the plan wants \[3,5\]", plan.run, turned)
        self.assertEqual(plan.run([tw.Tensor((15,))] * 4)[0].shape, (6, 2))
        with self.assertRaisesRegex(tw.InvalidArgument, "a list of one tile a device, not one array: 1 plan on 4 devices"):
            plan.run(tw.Tensor((3, 5)))

    def test_shardings(self):
        mesh = tw.Mesh(x=4, y=2)
        rows, columns = tw.Sharding(mesh, (8, 6), "[{x:(1)2}, {}]"), tw.Sharding(mesh, (8, 6), ["y", None], {"x": "sum"})
        plan = tw.redistribute(rows, tw.Sharding(mesh, (8, 6), "[{}, {y}]"), dtype="bf16")
        self.assertEqual((plan.dtype, plan.info()["mesh"], plan.tile(0, 0).extent, plan.tile(1, 0).extent), ("bf16", "x=4,y=2", (4, 6), (8, 3)))
        self.assertTrue(tw.redistribute(columns, "[{}, {y}]").combines)
        self.assertEqual(tw.redistribute("i32[8,6] [{x},{}]", rows, mesh).dtype, "i32")
        self.assertRaisesRegex(TypeError, "the source is text, which names axes alone", tw.redistribute, "f32[8] [{x}]", "[{}]")
        self.assertRaisesRegex(TypeError, "expected a type as text.*not list", tw.redistribute, "f32[8] [{x}]", ["x"], mesh)

    def test_lost(self):
        self.assertEqual(tw.redistribute("f32[8] [{x}]", "[{}]", "y=2,x=2", lost=[3]).missing, [])
        plan = tw.redistribute("f32[8,4] [{x},{}]", "[{},{x}]", "x=4", tw.Mesh(x=4).with_devices([0, 1, 3, 5]), lost=[2])
        self.assertEqual((plan.device_ids, len(plan.missing)), ((0, 1, 3, 5), 4))
        self.assertEqual(plan.missing[1], (1, tw.Tile((4, 1), (2, 1))))
        after = plan.run([tile or None for tile in tiles_of(plan, 0, 4)])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "w.npy")
            tw.save(path, {"w": memoryview(support.floats(*range(32))).cast("B").cast("f", (8, 4))})
            store = tw.Store(path)
            self.assertEqual([store.read_missing("w", plan, d, tile) for d, tile in enumerate(after)], [8] * 4)
            self.assertRaisesRegex(tw.InvalidArgument, "the tile is f32\\[2\\]", store.read_missing, "w", plan, 0, tw.Tensor((2,)))
        self.assertEqual([[v for row in t.tolist() for v in row] for t in after], [list(t) for t in tiles_of(plan, 1, 4)])
        self.assertRaisesRegex(tw.InvalidArgument, "device 7 cannot be lost", tw.redistribute, "f32[8] [{x}]", "[{}]", "x=4", lost=[7])

    def test_numbers(self):
        plan = tw.redistribute("f32[8] [{x}]", "[{}]", "x=2")
        for device in (77, -1):
            with self.assertRaisesRegex(tw.OutOfRange, f"there is no device {device}: there are 2, numbered 0 to 1"):
                plan.bytes_received(device)
            self.assertRaises(tw.OutOfRange, plan.tile, 0, device)
        self.assertRaisesRegex(tw.InvalidArgument, "scratch_bytes is -5", tw.redistribute, "f32[8] [{x}]", "[{}]", "x=2", scratch_bytes=-5)
        self.assertRaisesRegex(tw.InvalidArgument, "height_bytes is -1", tw.redistribute, "f32[8] [{x}]", "[{}]", "x=2", height_bytes=-1)


if __name__ == "__main__":
    unittest.main()
