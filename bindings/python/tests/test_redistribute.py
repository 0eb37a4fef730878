# SPDX-License-Identifier: Apache-2.0
"""Redistribution plans, and moving tiles."""

import array
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
        self.assertRaisesRegex(tw.InvalidArgument, "device 0 has elements of 8 bytes, not the 4", mover.run, doubles, plan.new_tiles("f32"))
        mover.run([bytearray(16)] * 2, plan.new_tiles("f32"))
        self.assertRaises(tw.InvalidArgument, plan.run, good, dtype="f64")
        self.assertRaises(tw.InvalidArgument, plan.element, 0, (0, 0))
        self.assertRaises(tw.InvalidArgument, plan.element, 7, (0,))


if __name__ == "__main__":
    unittest.main()
