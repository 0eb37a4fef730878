# SPDX-License-Identifier: Apache-2.0
"""Graphs with regions, names and shardings, built call by call and run."""

import unittest

import support
import tilewright as tw
from support import floats


def count_to(n):
    """x doubled until i is n."""
    b = tw.Builder("loop")
    x, zero = b.argument("x", "f32", (4,)), b.splat(0, "i32")
    types = [("i32", ()), ("f32", (4,))]
    less = b.region(types, lambda i, x: b.compare("LT", i, b.splat(n, "i32")))
    body = b.region(types, lambda i, x: (i + b.splat(1, "i32"), x + x))
    last, doubled = b.op("while", zero, x, regions=[less, body], location="model.py:12")
    return b.result("i", last).result("x", doubled).finish()


class Regions(unittest.TestCase):
    def test_while(self):
        graph = count_to(5)
        op = next(op for op in graph.ops if op.name == "stablehlo.while")
        self.assertEqual((len(op.regions), graph.location(op.number)), (2, "model.py:12"))
        plan = graph.plan("data=2").tile("x", 0, "data").infer_propagate()
        i, x = plan.run(floats(1, 2, 3, 4))
        self.assertEqual((i.tolist(), x.tolist()), (5, [32, 64, 96, 128]))
        self.assertEqual(plan.sharding("x"), "[{data}]")

    def test_reduce(self):
        b = tw.Builder()
        x = b.argument("x", "f32", (2, 3))
        most = b.op("reduce", x, b.splat(-9, "f32"), regions=[b.combiner("maximum", "f32")], dimensions=[1])
        b.result("most", most[0])
        values = tw.Tensor((2, 3)).fill("iota")
        self.assertEqual(b.finish().evaluate(values)[0].tolist(), [2, 5])

    def test_conveniences(self):
        b = tw.Builder()
        x = b.argument("x", "f32", (4,))
        tail = b.slice(x, [1], [4])
        every_second = b.slice(x, [0], [4], [2])
        both = b.concatenate([tail, every_second], 0)
        b.result("both", b.name(both, "both"))
        b.result("whole", b.convert(x, "i32"))
        b.result("seven", b.fill(floats(7), "f32", (2,)))
        graph = b.check().finish()
        both_, whole, seven = graph.evaluate(floats(1.5, 2, 3, 4))
        self.assertEqual(both_.tolist(), [2, 3, 4, 1.5, 3])
        self.assertEqual((whole.tolist(), seven.tolist()), ([1, 2, 3, 4], [7, 7]))
        self.assertEqual(graph.value("%both").type.shape, (5,))

    def test_shardings(self):
        b = tw.Builder()
        mesh = tw.Mesh(data=2)
        x = b.shard(b.argument("x", "f32", (4, 6)), tw.Sharding(mesh, (4, 6), ["data", None]))
        b.result("y", b.unary("tanh", x)).shard_result(0, tw.Sharding(mesh, (4, 6), [None, "data"]))
        graph = b.finish()
        plan = graph.plan()
        self.assertEqual(graph.mesh, mesh)
        self.assertEqual((plan.sharding("x"), plan.sharding("y")), ("[{data}, {}]", "[{}, {data}]"))
        y, = plan.run(tw.filled((4, 6)))
        self.assertTrue(y.compare(graph.evaluate(tw.filled((4, 6)))[0]))

    def test_errors(self):
        b = tw.Builder()
        x = b.argument("x", "f32", (4,))

        def fails(i):
            raise ZeroDivisionError

        self.assertRaises(ZeroDivisionError, b.region, [("i32", ())], fails)
        self.assertRaises(TypeError, b.region, [("i32", ())], lambda i: None)
        self.assertRaises(TypeError, b.region, [("i32", ())], lambda i: [7])
        self.assertRaises(TypeError, b.op, "while", x, regions=[x])
        self.assertRaises(tw.InvalidArgument, b.fill, floats(1, 2), "f32", (2,))
        self.assertRaises(tw.InvalidArgument, b.slice, x, [0], [1, 2])
        other = tw.Builder()
        self.assertRaises(tw.InvalidArgument, b.op, "while", x, regions=[other.combiner("add", "f32")])
        b = tw.Builder()
        inside = []
        b.region([("f32", ())], lambda i: inside.append(i) or i)
        self.assertRaises(tw.InvalidArgument, b.result("y", inside[0]).check)
        b = tw.Builder()
        x = b.argument("x", "f32", (4,))
        b.shard(x, tw.Sharding("data=2", (5,), [None]))
        with self.assertRaises(tw.InvalidArgument) as caught:
            b.result("y", x).finish()
        self.assertIn("[4]", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
