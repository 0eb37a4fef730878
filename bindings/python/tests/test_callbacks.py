# SPDX-License-Identifier: Apache-2.0
"""Python that the library calls: kernels, rules, checks, actions and progress, what they raise, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import unittest

import support
import tilewright as tw
from support import mlp, numpy, planned

TEXT = """func.func @main(%x: tensor<10x6xf32>, %scale: tensor<6xf32>) -> tensor<10x6xf32> {
  %y = stablehlo.custom_call @my.scale(%x, %scale) {power = 2.0e+00 : f64} : (tensor<10x6xf32>, tensor<6xf32>) -> tensor<10x6xf32>
  return %y : tensor<10x6xf32>
}"""


def scale(call):
    x, by, y = [tile.memory.cast("B").cast("f") for tile in (*call.operands, *call.results)]
    columns = call.operands[1].extent[0]
    for i, value in enumerate(x):
        y[i] = value * by[i % columns] * call.attributes["power"]


def run(kernel=scale, rule="... *, * -> ... *", check=None):
    calls = tw.CustomCalls().add("my.scale", rule, kernel, check)
    graph = tw.loads(TEXT, file="scale.mlir", custom_calls=calls)
    plan = graph.plan("data=3").tile("x", 0, "data").infer_propagate()
    return plan.run(tw.filled((10, 6), pattern="ones"), tw.filled((6,), pattern="iota"))


class CustomCalls(unittest.TestCase):
    def test_kernel(self):
        self.assertEqual(run()[0].tolist(), [[0, 2, 4, 6, 8, 10]] * 10)
        self.assertEqual(run(rule=lambda call: "... *, * -> ... *")[0].tolist(), [[0, 2, 4, 6, 8, 10]] * 10)

    @support.needs_numpy
    def test_kernel_with_numpy(self):
        seen = []

        def kernel(call):
            x, by = [numpy.asarray(tile) for tile in call.operands]
            numpy.asarray(call.results[0])[...] = x * by * call.attributes["power"]
            seen.append((call.operands[0].offset[0], call.operands[0].extent[0], call.operands[0].whole))

        self.assertEqual(run(kernel)[0].tolist(), [[0, 2, 4, 6, 8, 10]] * 10)
        self.assertEqual(sorted(seen), [(0, 3, (10, 6)), (3, 3, (10, 6)), (6, 4, (10, 6))])

    def test_exceptions(self):
        def fails(call):
            raise ValueError("the table has 7 rows")

        for arguments in ({"kernel": fails}, {"rule": fails}, {"check": fails}):
            with self.assertRaises(tw.InvalidArgument) as caught:
                run(**arguments)
            self.assertIsInstance(caught.exception.__cause__, ValueError)
            self.assertIn("the table has 7 rows", str(caught.exception))
        self.assertRaises(tw.Error, run, rule=lambda call: 7)
        self.assertRaises(tw.Error, run, rule=lambda call: None)

    def test_interrupt_in_a_kernel(self):
        def interrupted(call):
            raise KeyboardInterrupt

        self.assertRaises(KeyboardInterrupt, run, interrupted)

    def test_a_kernel_that_keeps_memory(self):
        """What it keeps shows what it saw, when the executable is gone and its memory is somebody else's."""
        kept, tiles = [], []

        def keeps(call):
            scale(call)
            tiles.extend((*call.operands, *call.results))
            kept.append([memoryview(tile.memory).cast("B").cast("f") for tile in (*call.operands, *call.results)])

        self.assertEqual(run(keeps)[0].tolist(), [[0, 2, 4, 6, 8, 10]] * 10)
        others = [run() for _ in range(10)]
        self.assertEqual(sorted(len(x) for x, _, _ in kept), [18, 18, 24])
        for x, by, y in kept:
            self.assertEqual((x.tolist(), by.tolist()), ([1] * len(x), [0, 1, 2, 3, 4, 5]))
            self.assertEqual(y.tolist(), [0, 2, 4, 6, 8, 10] * (len(y) // 6))
            y[0] = 7  # goes nowhere
        self.assertTrue(all(tile.memory.nbytes for tile in tiles))
        self.assertEqual(others[0][0].tolist(), [[0, 2, 4, 6, 8, 10]] * 10)

    @support.needs_numpy
    def test_a_kernel_that_keeps_arrays(self):
        kept = []

        def keeps(call):  # of several devices at once
            arrays = [numpy.asarray(tile) for tile in call.operands]
            kept.append((*arrays, numpy.from_dlpack(tw.tensor(call.results[0].memory))))
            scale(call)
            raise ValueError("and fails")

        with self.assertRaises(tw.InvalidArgument) as caught:
            run(keeps)
        self.assertIn("and fails", str(caught.exception))
        for _, by, y in kept:
            self.assertEqual(by.tolist(), [0, 1, 2, 3, 4, 5])
            self.assertEqual(y[1].tolist(), [0, 2, 4, 6, 8, 10])

    def test_memory_that_is_refused(self):
        def writes(call):
            call.operands[0].memory.cast("B")[0] = 1

        def releases(call):
            with call.results[0].memory as memory:
                memory.cast("B").cast("f")[0] = 1

        self.assertRaises(tw.InvalidArgument, run, writes)
        self.assertEqual(run(releases)[0].tolist()[0], [1, 0, 0, 0, 0, 0])  # results begin as zeros

        def looks(call):
            self.assertIsNone(call.operands[0].memory)
            call.operands[0].__array__()

        with self.assertRaises(tw.InvalidArgument) as caught:
            run(check=looks)
        self.assertTrue("no elements" in str(caught.exception) or "numpy" in str(caught.exception))

    def test_no_functions(self):
        calls = tw.CustomCalls()
        self.assertRaises(TypeError, calls.add, "a", kernel=7)
        self.assertRaises(tw.InvalidArgument, calls.add, "", "i -> i")
        self.assertRaises(tw.InvalidArgument, calls.add("b", "i -> i").add, "b", "i -> i")


class Actions(unittest.TestCase):
    def test_told(self):
        told = []
        plan = mlp().plan("data=2").on_action(lambda *action: told.append((*action, plan.sharding("x"))))
        plan.apply("tile(arg=x, dim=0, axis=data)\npropagate\n", "spec.txt")
        self.assertEqual([(a[1:]) for a in told], [("spec.txt", 1, "[{data}, {}]"), ("spec.txt", 2, "[{data}, {}]")])
        plan.on_action(None).apply("propagate")
        self.assertEqual(len(told), 2)

    def test_exceptions(self):
        def fails(action, file, line):
            raise ZeroDivisionError(action)

        plan = mlp().plan("data=2").on_action(fails)
        self.assertRaises(ZeroDivisionError, plan.apply, "propagate")
        self.assertEqual(plan.on_action(None).apply("propagate").num_conflicts, 0)

    def test_changes_are_refused(self):
        plan = mlp().plan("data=2")
        plan.on_action(lambda *action: plan.tile("x", 0, "data"))
        self.assertRaises(tw.FailedPrecondition, plan.apply, "propagate")


class Progress(unittest.TestCase):
    def test_exceptions(self):
        graph = mlp(256, 256, 512)
        program = planned(graph).lower()
        arrays = support.inputs(graph)
        results = program.executable().run(*arrays)
        wrong = [tw.Tensor((256, 256))]

        def fails(seconds):
            raise ZeroDivisionError(seconds)

        try:
            comparisons, _ = program.compare(results, wrong, arrays, progress=fails)
            self.assertFalse(comparisons[0])  # over before anybody asked
        except ZeroDivisionError:
            pass


LONG = """
import sys, threading, _thread
import tilewright as tw
b = tw.Builder()
x = y = b.argument("x", "f32", (1500, 1500))
for _ in range(400):
    y = b.unary("tanh", x @ y)
b.result("y", y)
executable = b.finish().plan("data=2").tile("x", 0, "data").infer_propagate().lower().executable()
array = tw.filled((1500, 1500))
print("ready", flush=True)
try:
    executable.run(array)
    print("not interrupted")
except KeyboardInterrupt:
    executable.close()
    print("interrupted")
"""


class CtrlC(unittest.TestCase):
    def test_ends_a_run(self):
        environment = {k: v for k, v in os.environ.items()}
        with subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True, env=environment) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            timer = threading.Timer(0.3, process.send_signal, [signal.SIGINT])
            timer.start()
            rest = process.stdout.read()
            timer.join()
        self.assertEqual((rest, process.returncode), ("interrupted\n", 0))


if __name__ == "__main__":
    unittest.main()
