# SPDX-License-Identifier: Apache-2.0
"""Estimates: that walks add up to what the JSON says, and systems that are none."""

import json
import math
import os
import unittest

import support
import tilewright as tw
from support import planned

SPECS = os.path.join(support.ROOT, "examples", "specs")
MODELS = os.path.join(support.ROOT, "examples", "models")


def transformer(levels=None):
    graph = tw.load(os.path.join(MODELS, "gpt_step.mlir"))
    return graph.plan("data=2,model=4").apply_file(os.path.join(SPECS, "gpt_megatron.txt")).lower(levels=levels)


class Estimates(unittest.TestCase):
    def near(self, a, b):
        self.assertTrue(math.isclose(a, b, rel_tol=1e-9), f"{a} is not {b}")

    def adds_up(self, program, system, **options):
        estimate = program.estimate(system, **options)
        info = estimate.info()
        steps, collectives, places, held = (list(walk) for walk in (estimate.steps, estimate.collectives, estimate.places, estimate.held))
        self.near(estimate.serial_s * 1e3, info["time_ms"]["serial"])
        self.near(estimate.overlapped_s * 1e3, info["time_ms"]["overlapped"])
        self.assertEqual((estimate.peak_bytes, estimate.cap_bytes, estimate.fits), (info["peak_bytes"], info["cap_bytes"], info["fits"]))
        for bound, name in (("compute", "compute_ms"), ("memory", "memory_bound_ms"), ("link", "communication_ms")):
            self.near(sum(step.seconds * step.times for step in steps if step.bound == bound) * 1e3, info[name])
        self.near(sum(one.seconds * one.times for one in collectives) * 1e3, info["communication_ms"])
        self.assertEqual({axis: seconds * 1e3 for axis, seconds in estimate.by_axis_s.items()}, info["by_axis_ms"])
        dearest = info["steps"][0]
        alike = [s for s in steps if (s.what, s.seconds * 1e3, s.bytes) == (dearest["what"], dearest["ms"], dearest["bytes"])]
        self.assertEqual(sum(step.times for step in alike), dearest["times"])
        self.assertEqual((alike[0].value, alike[0].location, alike[0].bound), (dearest["value"], dearest["location"], dearest["bound"]))
        most = places[estimate.peak_place].bytes
        self.assertEqual((max(place.bytes for place in places), sum(one.bytes for one in held)), (most, most))
        self.assertLessEqual(most, estimate.peak_bytes)
        self.assertEqual([place.step for place in places if place.step is not None], [step.number for step in steps])
        self.assertEqual([{"value": h.value, "bytes": h.bytes, "what": h.role} for h in held[:10]], info["peak"]["top"])
        return estimate

    def test_walks_add_up(self):
        for program in (planned().lower(), transformer(), transformer("node=2")):
            for system in ("a100-80g", "cpu-local"):
                self.adds_up(program, system)
                self.adds_up(program, system, cap_bytes=10**6, donate=True)

    def test_numbers_are_those_of_the_program(self):
        program = transformer()
        estimate = self.adds_up(program, "a100-80g")
        steps, instructions = list(estimate.steps), list(program.instructions)
        for one in estimate.collectives:
            of = program.collective(one.number)
            self.assertEqual((one.kind, one.axes), (of.kind, of.axes))
            self.assertEqual((steps[one.step].collective, steps[one.step].instruction), (one.number, of.instruction))
        self.assertTrue(all(instructions[step.instruction].kind != "argument" for step in steps if step.instruction is not None))
        self.assertLessEqual({"parameter", "state", "activation"}, {one.role for one in estimate.held})
        self.assertEqual(program.local_sharding(estimate.held[0].local).mesh.axes, program.mesh.axes)
        program.close()
        self.assertEqual(list(estimate.by_axis_s), ["data", "model"])

    def test_reports(self):
        estimate = planned().lower().estimate(tw.System("a100-80g"), cap_bytes=1)
        self.assertFalse(estimate.fits)
        self.assertIn("DOES NOT FIT", str(estimate))
        self.assertIn("does not fit", repr(estimate))
        self.assertTrue(json.loads(estimate.trace())["otherData"]["simulated"])

    def test_systems(self):
        text = "[device] flops.f32=1e9 hbm_bytes=1e6 hbm_bw=1e8\n[axis *] bw=1e5\n"
        system = tw.System.parse(text, "small.conf")
        self.assertEqual((system.name, repr(system)), ("small.conf", "<System small.conf>"))
        program = planned().lower()
        self.assertEqual(program.estimate(system).info()["system"], "small.conf")
        self.assertIn(planned().search(system, episodes=10).report["status"], ("budget", "exhausted"))
        with self.assertRaisesRegex(tw.NotFound, "nearest: 'a100-80g'"):
            program.estimate("a100-81g")
        with self.assertRaises(tw.InvalidArgument) as wrong:
            tw.System.parse("[device]\nflops.f33=1\n", "a.conf")
        self.assertEqual((wrong.exception.file, wrong.exception.line), ("a.conf", 2))
        self.assertRaises(tw.InvalidArgument, program.estimate, system, cap_bytes=-1)
        self.assertRaises(TypeError, program.estimate, 7)


if __name__ == "__main__":
    unittest.main()
