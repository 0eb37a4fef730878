# SPDX-License-Identifier: Apache-2.0
"""Long calls: progress, giving up, and Ctrl-C; and contexts whose log and memory are Python's."""

import mmap
import os
import signal
import subprocess
import sys
import threading
import unittest

import tilewright as tw
from support import inputs, mlp, planned


def layers(count):
    b = tw.Builder("layers")
    x = b.argument("x", "f32", (16, 16))
    for i in range(count):
        x = b.unary("tanh", x @ b.argument(f"w{i}", "f32", (16, 16)))
    return b.result("y", x).finish()


class Progress(unittest.TestCase):
    def test_told(self):
        told = []
        plan = layers(200).plan("a=2,b=2").tile("x", 0, "a").tile("w0", 1, "b")
        with tw.progress(told.append, interval=1e-6):
            plan.infer_propagate()
        self.assertTrue(told and told == sorted(told) and told[0] >= 0)
        count = len(told)
        plan.lower()  # nobody is told behind the block
        self.assertEqual(len(told), count)

    def test_given_up(self):
        plan = layers(200).plan("a=2,b=2").tile("x", 0, "a")
        before, program = plan.emit(), plan.lower()
        with tw.progress(lambda seconds: True, interval=1e-9):
            self.assertRaises(tw.Cancelled, plan.infer_propagate)
            self.assertRaises(tw.Cancelled, plan.apply, "tile(arg=w0, dim=1, axis=b)\npropagate")
            self.assertRaises(tw.Cancelled, plan.lower)
            self.assertRaises(tw.Cancelled, program.executable)
            self.assertRaises(tw.Cancelled, tw.redistribute, "f32[64,64] [{a},{b}]", "[{b},{a}]", "a=4,b=4", method="vector")
        self.assertEqual(plan.emit(), before)
        self.assertEqual(plan.infer_propagate().sharding("y"), "[{a}, {}]")

    def test_exceptions(self):
        def fails(seconds):
            raise ZeroDivisionError(seconds)

        plan = layers(50).plan("a=2").tile("x", 0, "a")
        with tw.progress(fails, interval=1e-9):
            self.assertRaises(ZeroDivisionError, plan.infer_propagate)
        self.assertEqual(plan.sharding("y"), "[{}, {}]")
        self.assertRaises(TypeError, tw.progress, 7)
        with tw.progress(print, interval=-1):
            self.assertRaises(tw.InvalidArgument, plan.infer_propagate)

    def test_blocks_and_threads(self):
        outer, inner, other = [], [], []
        plan = layers(100).plan("a=2").tile("x", 0, "a")
        begin = plan.stamp()
        with tw.progress(outer.append, interval=1e-9):
            with tw.progress(inner.append, interval=1e-9):
                plan.infer_propagate()
            self.assertTrue(inner and not outer)
            plan.undo(begin).infer_propagate()
            self.assertTrue(outer)
            told = len(outer)
            plan.undo(begin)
            thread = threading.Thread(target=plan.infer_propagate)
            thread.start()
            thread.join()
            self.assertEqual(len(outer), told)  # of this thread's calls only


LONG = """
import sys
import tilewright as tw
b = tw.Builder()
x = b.argument("x", "f32", (64, 64))
for i in range(6000):
    x = b.unary("tanh", x @ b.argument(f"w{i}", "f32", (64, 64)))
graph = b.result("y", x).finish()
plan = graph.plan("a=2,b=2,c=2", policy="cheapest").tile("x", 0, "a").tile("w0", 1, "b").tile("w900", 0, "c")
before = plan.stamp()
print("ready", flush=True)
try:
    while True:
        plan.undo(before).infer_propagate()
except KeyboardInterrupt:
    plan.undo(before)
    print("interrupted", plan.sharding("w0"))
"""


BINDING = """
import tilewright as tw
b = tw.Builder()
x = b.argument("x", "f32", (64, 64))
for i in range(3000):
    x = b.unary("tanh", x @ b.argument(f"w{i}", "f32", (64, 64)))
program = b.result("y", x).finish().plan("a=8").tile("x", 0, "a").infer_propagate().lower()
print("ready", flush=True)
try:
    while True:
        program.executable(workers=1)
except KeyboardInterrupt:
    print("interrupted", program.num_devices)
"""


class CtrlC(unittest.TestCase):
    def interrupted(self, script):
        """What a script prints after it was interrupted, a while after it said that it is ready."""
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            timer = threading.Timer(0.3, process.send_signal, [signal.SIGINT])
            timer.start()
            rest = process.stdout.read()
            timer.join()
        self.assertEqual(process.returncode, 0)
        return rest

    def test_ends_planning(self):
        self.assertEqual(self.interrupted(LONG), "interrupted [{}, {b}]\n")

    def test_ends_making_an_executable(self):
        self.assertEqual(self.interrupted(BINDING), "interrupted 8\n")


class Contexts(unittest.TestCase):
    def test_log(self):
        lines = []
        context = tw.Context(workers=1, log=lambda *line: lines.append(line))
        executable = planned().lower().executable(context=context)
        self.assertEqual(lines[0][:2], (2, "runtime"))
        self.assertIn("mlp: 4 devices of 4, 1 workers", lines[0][2])
        executable.run(*inputs(mlp()))
        self.assertEqual(len(lines), 1)

    def test_a_log_that_raises_changes_nothing(self):
        shown = []
        hook, sys.unraisablehook = sys.unraisablehook, shown.append
        try:
            executable = planned().lower().executable(context=tw.Context(log=lambda *line: 1 / 0))
        finally:
            sys.unraisablehook = hook
        self.assertEqual([one.exc_type for one in shown], [ZeroDivisionError])
        self.assertEqual(executable.run(*inputs(mlp()))[0].shape, (8, 6))

    def test_memory(self):
        given = []

        def allocate(size, alignment):
            given.append(mmap.mmap(-1, size))
            return given[-1]

        context = tw.Context(workers=1, allocate=allocate)
        executable = planned().lower().executable(context=context)
        tensor = tw.Tensor((64, 64), context=context).fill("ones")
        self.assertEqual(bytes(given[-1][:4]), bytes(memoryview(tensor).cast("B")[:4]))
        arrays = inputs(mlp())
        self.assertTrue(executable.run(*arrays)[0].compare(mlp().evaluate(*arrays)[0]))
        context.close()
        self.assertRaises(BufferError, given[-1].close)  # in use
        executable.close()
        tensor.close()
        for memory in given:
            memory.close()

    def test_memory_that_does_not_fit(self):
        def fails(size, alignment):
            raise ZeroDivisionError

        memory = mmap.mmap(-1, 1 << 20)
        for error, allocate in (
            (ZeroDivisionError, fails), (tw.InvalidArgument, lambda size, alignment: bytearray(size - 1)),
            (tw.InvalidArgument, lambda size, alignment: memoryview(mmap.mmap(-1, size + 4096))[1:]),
            (BufferError, lambda size, alignment: bytes(size)), (TypeError, lambda size, alignment: 7),
        ):
            self.assertRaises(error, tw.Tensor, (64, 64), context=tw.Context(allocate=allocate))
        context = tw.Context(allocate=lambda size, alignment: memory)
        tensor = tw.Tensor((64, 64), context=context)
        self.assertRaises(tw.InvalidArgument, tw.Tensor, (64, 64), context=context)  # the same buffer again
        tensor.close()
        self.assertEqual(tw.Tensor((64, 64), context=context).shape, (64, 64))
        self.assertRaises(TypeError, tw.Context, log=7)
        self.assertRaises(TypeError, tw.Context, allocate=7)


if __name__ == "__main__":
    unittest.main()
