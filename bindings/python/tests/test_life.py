# SPDX-License-Identifier: Apache-2.0
"""Objects come and go without growth, and threads that misuse one get exceptions."""

import gc
import mmap
import os
import resource
import threading
import unittest

import support
import tilewright as tw
from support import floats, inputs, mlp, planned


def resident():
    """Bytes of this process."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def one_of_each():
    with tw.Mesh(data=2) as mesh, tw.Builder() as b:
        x = b.argument("x", "f32", (4,))
        graph = b.result("y", x + x).finish()
        plan = graph.plan(mesh).tile("x", 0, "data").infer_propagate()
        plan.on_action(lambda *action: None).apply("propagate")
        plan.sharding("y")
        tw.Sharding(mesh, (4,), plan.argument_sharding(0).dims).tiles
        plan.conflicts
        tw.Tensor((4,), context=tw.Context(log=lambda *line: None, allocate=lambda size, alignment: mmap.mmap(-1, size)))
        memory = floats(1, 2, 3, 4)
        tensor = tw.tensor(memory)
        memoryview(tensor).release()
        tensor.__dlpack__()
        try:
            plan.tile("nobody", 0, "data")
        except tw.NotFound:
            pass


class Life(unittest.TestCase):
    def grows(self, work, times):
        if "ASAN_OPTIONS" in os.environ:  # the sanitizer keeps what was freed
            self.skipTest("memory grows under the sanitizer")
        for _ in range(times // 10):
            work()
        gc.collect()
        before = resident()
        for _ in range(times):
            work()
        gc.collect()
        return resident() - before

    def test_what_is_made_of_a_graph_outlives_it(self):
        with mlp() as graph:
            plan = planned(graph)
            whole = tw.Program.unpartitioned(graph)
            given = inputs(graph)
        program = plan.lower()
        self.assertEqual(repr(plan), "<Plan of 'mlp': 3 of 3 arguments tiled, 0 conflicts>")
        self.assertEqual(plan.shardings["x"], "[{data}, {}]")
        self.assertIn("w1", plan._repr_html_())
        self.assertTrue(plan.run(*given)[0].compare(whole.executable().run(*given)[0]))
        plan.close()
        self.assertTrue(program.executable().run(*given)[0].compare(whole.executable().run(*given)[0]))
        self.assertEqual(program.graph.name, "mlp")
        self.assertRaises(tw.FailedPrecondition, graph.plan, "data=2")

    def test_ten_thousand_cycles(self):
        self.assertLess(self.grows(one_of_each, 10_000), 4 << 20)

    def test_executables(self):
        def work():
            executable = program.executable(workers=1)
            executable.run(*arrays)
            executable.start(*arrays).wait()

        program, arrays = planned().lower(), inputs(mlp())
        self.assertLess(self.grows(work, 500), 4 << 20)

    def test_any_order(self):
        graph = mlp()
        plan = planned(graph)
        program = plan.lower()
        executable = program.executable()
        for thing in (graph, plan, program):
            thing.close()
        self.assertEqual(executable.run(*inputs(mlp()))[0].shape, (8, 6))


class Threads(unittest.TestCase):
    def together(self, *works):
        """What each raised, when all ran at the same time."""
        start, raised = threading.Barrier(len(works)), [None] * len(works)

        def run(i):
            start.wait()
            try:
                for _ in range(200):
                    works[i]()
            except tw.FailedPrecondition as error:
                raised[i] = error

        threads = [threading.Thread(target=run, args=[i]) for i in range(len(works))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return raised

    def test_a_plan_of_two_threads(self):
        plan = planned()
        for error in self.together(lambda: plan.apply("propagate"), lambda: plan.infer_propagate(), lambda: plan.sharding("y")):
            if error is not None:
                self.assertIn("thread", str(error))
        self.assertEqual(plan.infer_propagate().sharding("x"), "[{data}, {}]")

    def test_an_executable_of_two_threads(self):
        executable, arrays = planned().lower().executable(workers=1), inputs(mlp())
        expected = executable.run(*arrays)[0]
        results = [[], []]

        def work(i):
            results[i][:] = executable.run(*arrays)

        self.assertEqual(self.together(lambda: work(0), lambda: work(1)), [None, None])
        for result in results:
            self.assertTrue(result[0].compare(expected, exact=True))

    def test_close_while_in_use(self):
        plan, told = mlp().plan("data=2"), []

        def close(*action):
            try:
                plan.close()
            except tw.FailedPrecondition as error:
                told.append(str(error))

        plan.on_action(close).apply("propagate")
        self.assertIn("in use", told[0])
        self.assertFalse(plan.closed)

    def test_the_interpreter_goes_on(self):
        """Other threads run while the library works."""
        graph = mlp(512, 512, 2048)
        executable, arrays = planned(graph).lower().executable(workers=1), inputs(graph)
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1

        thread = threading.Thread(target=count)
        executable.run(*arrays)
        thread.start()
        before = counted[0]
        for _ in range(10):
            executable.run(*arrays)
        grown = counted[0] - before
        stop.set()
        thread.join()
        self.assertGreater(grown, 100)


if __name__ == "__main__":
    unittest.main()
