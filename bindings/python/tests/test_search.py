# SPDX-License-Identifier: Apache-2.0
"""Searches: what they find, that it does not depend on threads, and every way to end one."""

import os
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

import tilewright as tw
from support import inputs, mlp

SYSTEM = "a100-40g"
FOREVER = {"episodes": 10**9, "threads": 1}


def plan():
    return mlp(64, 32, 128).plan("data=2,model=2")


def layers(count):
    """A program in which there is much to try."""
    b = tw.Builder("layers")
    x = b.argument("x", "f32", (64, 64))
    for i in range(count):
        x = b.unary("tanh", x @ b.argument(f"w{i}", "f32", (64, 64)))
        x = x + b.argument(f"b{i}", "f32", (64, 64))
    return b.result("y", x).finish().plan("a=2,b=2,c=2")


class Searches(unittest.TestCase):
    def test_found(self):
        begin = plan()
        search = begin.search(SYSTEM, episodes=100)
        report = search.report
        self.assertIn(report["status"], ("optimal", "exhausted", "budget"))
        self.assertLessEqual(report["bound_ms"], report["cost_ms"])
        self.assertEqual(search.progress().episodes, report["episodes"])
        self.assertGreater(search.progress().peak_bytes, 0)
        self.assertAlmostEqual(search.progress().bound_s * 1e3, report["bound_ms"])
        lines = [line for line in search.spec.splitlines() if line and not line.startswith("#")]
        self.assertEqual(lines, report["actions"])
        found = search.plan()
        self.assertEqual(found.shardings, plan().apply(search.spec).shardings)
        self.assertEqual(set(begin.shardings.values()), {"[{}, {}]"})  # it does not change
        self.assertIn("'mlp'", repr(search))
        arrays = inputs(found.graph)
        self.assertTrue(found.run(*arrays)[0].compare(found.graph.evaluate(*arrays)[0]))
        begin.close()
        search.close()
        self.assertEqual(found.mesh.axes["data"], 2)

    def test_none_fits(self):
        search = plan().search(SYSTEM, cap_bytes=100, episodes=20)
        self.assertIs(search.fits, False)
        self.assertRegex(repr(search), r"plans; NONE FITS 100 bytes \(least \d+ bytes\)>$")
        self.assertIn("NONE FITS", search._repr_html_())
        fitting = plan().search(SYSTEM, episodes=20)
        self.assertIs(fitting.fits, True)
        self.assertNotIn("FITS", repr(fitting))

    def test_nothing_was_found(self):
        """A kept spec says that there is nothing to do, and applies."""
        search = mlp(8, 6, 12).plan("data=2,model=2").search(SYSTEM, episodes=20)
        self.assertEqual(search.report["actions"], [])
        self.assertRegex(search.spec, "^# nothing was found that is better than the plan as it was: .* a run, .* a device\n$")
        self.assertEqual(set(plan().apply(search.spec).shardings.values()), {"[{}, {}]"})

    def test_what_was_decided_stays(self):
        search = plan().tile("x", 1, "data").search(SYSTEM, episodes=20)
        self.assertIn("data", search.plan().sharding("x").split(",")[1])

    def test_options(self):
        specs = {plan().search(SYSTEM, episodes=50, seed=7, threads=threads).spec for threads in (1, 2)}
        self.assertEqual(len(specs), 1)
        self.assertEqual(plan().search(SYSTEM, cap_bytes=1, episodes=20).report["status"], "infeasible")
        self.assertEqual(plan().search(SYSTEM, episodes=20, gather_per_use=True, without=["fuse_moves"]).report["gathers"], "per-use")
        self.assertGreater(plan().search(SYSTEM, seconds=0.05).report["episodes"], 0)
        bounds = [plan().search(SYSTEM, episodes=20, exact=exact).report["bound_ms"] for exact in (False, True)]
        self.assertLessEqual(bounds[0], bounds[1])
        near = plan().search(SYSTEM, episodes=50, gap=0.9).report
        self.assertEqual(near["status"], "gap")
        self.assertLessEqual(near["gap"], 0.9)
        with self.assertRaisesRegex(tw.InvalidArgument, "gap is 1"):
            plan().search(SYSTEM, gap=1)

    def test_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = [plan().search(SYSTEM, episodes=50, cache=Path(folder) / "kept") for _ in range(2)]
            self.assertEqual([search.report["cached"] for search in kept], [False, True])
            self.assertEqual(kept[0].spec, kept[1].spec)
            self.assertEqual(kept[0].progress(), kept[1].progress())
            self.assertFalse(plan().search(SYSTEM, episodes=51, cache=f"{folder}/kept").report["cached"])
            (Path(folder) / "file").touch()
            with self.assertRaisesRegex(tw.Unavailable, "cache"):
                plan().search(SYSTEM, cache=Path(folder) / "file")

    def test_wrong(self):
        with self.assertRaisesRegex(tw.NotFound, "a100-40g"):
            plan().search("a100-41g")
        for wrong in ({"cap_bytes": -1}, {"episodes": -1}, {"seconds": -1}, {"bucket_bytes": -1}):
            self.assertRaises(tw.InvalidArgument, plan().search, SYSTEM, **wrong)
        self.assertRaises(tw.InvalidArgument, plan().search, SYSTEM, threads=-1)
        self.assertRaises(tw.NotFound, plan().search, SYSTEM, without="nothing")
        self.assertRaises(TypeError, plan().search, SYSTEM, seed="7")
        self.assertRaises(OverflowError, plan().search, SYSTEM, seed=-1)
        search = tw.Search(plan(), SYSTEM, episodes=10)
        self.assertEqual(search.progress(), (0, 0, 0, 0))
        for early in (lambda: search.spec, search.plan, lambda: search.report):
            self.assertRaises(tw.FailedPrecondition, early)
        self.assertIs(search.run(), search)
        self.assertRaises(tw.FailedPrecondition, search.run)


class Ends(unittest.TestCase):
    def ended(self, search):
        self.assertEqual(search.report["status"], "cancelled")
        self.assertEqual(search.plan().shardings, layers(12).apply(search.spec).shardings)

    def test_cancelled_before(self):
        search = tw.Search(layers(12), SYSTEM, **FOREVER)
        search.cancel()
        self.ended(search.run())

    def test_cancelled_by_another_thread(self):
        search = tw.Search(layers(12), SYSTEM, **FOREVER)
        counts = []

        def watch():
            while search.progress().episodes < 20:  # the interpreter goes on meanwhile
                time.sleep(0.001)
            counts.append(search.progress().episodes)
            search.cancel()

        thread = threading.Thread(target=watch)
        thread.start()
        self.ended(search.run())
        thread.join()
        self.assertGreaterEqual(search.report["episodes"], counts[0])

    def test_told(self):
        def run(told):
            search = tw.Search(layers(12), SYSTEM, **FOREVER)
            with tw.progress(told, interval=1e-3):  # of the search alone: other calls are told of too
                return search.run()

        told = []
        self.ended(run(lambda seconds: told.append(seconds) or len(told) == 3))
        self.assertEqual(len(told), 3)
        self.assertRaises(ZeroDivisionError, run, lambda seconds: 1 / 0)
        self.ended(run(lambda seconds: signal.raise_signal(signal.SIGINT)))

    def interrupted(self, *numbers):
        """A search during which signals come, once it has priced something."""
        search = tw.Search(layers(12), SYSTEM, **FOREVER)

        def send():
            while search.progress().episodes == 0:
                time.sleep(0.001)
            for number in numbers:
                os.kill(os.getpid(), number)

        thread = threading.Thread(target=send)
        thread.start()
        try:
            return search.run()
        finally:
            thread.join()

    def test_ctrl_c(self):
        """The first one ends the search; the call returns what it has."""
        search = self.interrupted(signal.SIGINT)
        self.ended(search)
        self.assertGreater(search.report["episodes"], 0)

    def test_other_signals(self):
        """A second Ctrl-C is raised behind the search, and so is what else handlers raise."""

        def alarm(number, frame):
            raise TimeoutError

        before = signal.getsignal(signal.SIGALRM)
        try:
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            self.assertRaises(KeyboardInterrupt, self.interrupted, signal.SIGINT, signal.SIGALRM)
            signal.signal(signal.SIGALRM, alarm)
            self.assertRaises(TimeoutError, self.interrupted, signal.SIGALRM)
        finally:
            signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    unittest.main()
