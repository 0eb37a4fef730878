# SPDX-License-Identifier: Apache-2.0
"""Environments: episodes, masks, snapshots, clones, arrays of the caller, and what gymnasium wants of one."""

import array
import contextlib
import io
import math
import os
import re
import threading
import unittest
from pathlib import Path

import numpy as np
import tilewright as tw
from support import mlp
from tilewright.gym import PartitionEnv

try:
    import gymnasium
except ImportError:
    gymnasium = None

SYSTEM = "a100-40g"


def plan():
    return mlp(64, 32, 128).plan("data=2,model=2")


def legal(environment):
    """Those that decide something."""
    return np.flatnonzero(environment.mask()[:-1])


class Environments(unittest.TestCase):
    def test_episode(self):
        begin = plan()
        environment = tw.Environment(begin, SYSTEM)
        first = environment.price
        self.assertTrue(first.fits and first.moving_s == 0 and first.cost_s == first.computing_s > 0)
        rewards = [environment.step(int(legal(environment)[k])) for k in (3, 1)]
        self.assertEqual([done for _, done in rewards], [False, False])
        self.assertAlmostEqual(sum(r for r, _ in rewards), math.log(first.cost_s / environment.price.cost_s))
        self.assertEqual(environment.step(environment.num_actions - 1), (0, True))
        self.assertFalse(environment.mask().any())
        self.assertRaisesRegex(tw.FailedPrecondition, "over", environment.step, 0)
        self.assertEqual(environment.plan().shardings, plan().apply(environment.spec).shardings)
        self.assertEqual(set(begin.shardings.values()), {"[{}, {}]"})  # it does not change
        self.assertIn("after 3 steps", repr(environment))
        environment.undo(3)
        self.assertEqual(environment.price, first)
        self.assertEqual(environment.actions, [])
        begin.close()
        self.assertEqual(environment.plan().mesh.axes["data"], 2)

    def test_refused(self):
        environment = tw.Environment(plan(), SYSTEM)
        environment.step(0)
        before = environment.observe()
        self.assertRaisesRegex(tw.FailedPrecondition, "is decided", environment.step, 0)
        self.assertRaises(tw.OutOfRange, environment.step, environment.num_actions)
        self.assertRaises(OverflowError, environment.step, -1)
        self.assertRaises(tw.OutOfRange, environment.undo, 2)
        self.assertRaises(tw.FailedPrecondition, environment.restore, [0, 0])
        self.assertEqual(environment.actions, [0])
        np.testing.assert_array_equal(environment.observe(), before)

    def test_arrays_of_the_caller(self):
        environment = tw.Environment(plan(), SYSTEM)
        floats = np.zeros((2, environment.num_features), np.float32)
        self.assertTrue(np.shares_memory(environment.observe(floats[1]), floats))
        np.testing.assert_array_equal(floats[1], environment.observe())
        self.assertFalse(floats[0].any())
        mask = bytearray(environment.num_actions)
        environment.mask(mask)
        self.assertEqual(bytes(mask), environment.mask().tobytes())
        with self.assertRaisesRegex(tw.InvalidArgument, "room for"):
            environment.observe(floats[0, 1:])
        self.assertRaises(TypeError, environment.observe, np.zeros(environment.num_features))
        self.assertRaises(TypeError, environment.observe, [0.0])
        self.assertRaises((BufferError, ValueError), environment.observe, floats[:, 0])
        self.assertRaises(BufferError, environment.mask, bytes(environment.num_actions))
        self.assertRaises(TypeError, environment.mask, array.array("q", [0] * environment.num_actions))

    def test_snapshots_and_clones(self):
        environment = tw.Environment(plan(), SYSTEM)
        for k in (2, 0, 1):
            environment.step(int(legal(environment)[k]))
        snapshot, seen = environment.actions, environment.observe()
        clone = environment.clone()
        environment.restore()
        self.assertEqual(environment.actions, [])
        thread = threading.Thread(target=clone.undo)
        thread.start()
        environment.restore(np.array(snapshot))
        thread.join()
        np.testing.assert_array_equal(environment.observe(), seen)
        self.assertEqual(clone.actions, snapshot[:-1])
        clone.restore(snapshot)
        environment.close()
        np.testing.assert_array_equal(clone.observe(), seen)
        self.assertEqual(clone.plan().graph.name, "mlp")

    def test_report(self):
        environment = tw.Environment(plan(), SYSTEM, axes=["model"])
        report = environment.report
        names = report["features"]
        self.assertEqual(environment.num_features, len(names["plan"]) + len(report["subjects"]) * len(names["subject"]))
        self.assertEqual(len(report["actions"]), environment.num_actions)
        self.assertEqual(report["actions"][-1], {"kind": "stop"})
        self.assertEqual({a["axis"] for a in report["actions"][:-1]}, {"model"})
        tiled = next(i for i, action in enumerate(report["actions"]) if action["kind"] == "tile")
        action = report["actions"][tiled]
        environment.step(tiled)
        rows = environment.observe()[len(names["plan"]) :].reshape(len(report["subjects"]), -1)
        self.assertEqual(rows[action["subject"], names["subject"].index(f"{action['dim']} over model")], 1)
        offsets, actions = report["conflicts"]["offsets"], report["conflicts"]["actions"]
        self.assertEqual((len(offsets), offsets[-1]), (environment.num_actions + 1, len(actions)))
        for other in actions[offsets[tiled] : offsets[tiled + 1]]:
            environment.restore([tiled])
            behind = environment.mask()[other]
            environment.restore([other])
            self.assertFalse(behind and environment.mask()[tiled])

    def test_options(self):
        tight = tw.Environment(plan(), SYSTEM, cap_bytes=1000, gather_per_use=True, even_only=True)
        price = tight.price
        self.assertFalse(price.fits)
        self.assertGreater(price.cost_s, 2 * (price.computing_s + price.moving_s))
        self.assertRaises(tw.NotFound, tw.Environment, plan(), "a100-41g")
        self.assertRaises(tw.NotFound, tw.Environment, plan(), SYSTEM, axes="nothing")
        self.assertRaises(tw.InvalidArgument, tw.Environment, plan(), SYSTEM, cap_bytes=-1)


class Gym(unittest.TestCase):
    def test_episode(self):
        env = PartitionEnv(plan(), SYSTEM)
        observation, info = env.reset(seed=3)
        self.assertEqual((observation.dtype, info["fits"]), (np.float32, True))
        draw, total = np.random.default_rng(3), 0.0
        terminated = False
        while not terminated:
            observation, reward, terminated, truncated, info = env.step(draw.choice(np.flatnonzero(env.action_masks())))
            self.assertFalse(truncated or "refused" in info)
            total += reward
        self.assertAlmostEqual(total, float(observation[0]), places=5)
        self.assertRaises(tw.FailedPrecondition, env.step, 0)
        again, _ = env.reset(options={"actions": [0]})
        *_, info = env.step(0)
        self.assertIn("is decided", info["refused"])
        other = env.clone()
        np.testing.assert_array_equal(other.step(env.environment.num_actions - 1)[0][1:3], again[1:3])
        self.assertEqual(len(env.environment.actions), 1)
        env.close()

    def test_example(self):
        """That of docs/search.md."""
        root = Path(__file__).resolve().parents[3]
        code = re.search(r"^```python\n(.*?)^```$", (root / "docs/search.md").read_text(encoding="utf-8"), re.M | re.S)[1]
        before, printed = os.getcwd(), io.StringIO()
        try:
            os.chdir(root)
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "docs/search.md", "exec"), {})
        finally:
            os.chdir(before)
        self.assertRegex(printed.getvalue(), r"^1\.\d+ times as fast with\n# ")

    @unittest.skipIf(gymnasium is None, "gymnasium is not installed")
    def test_gymnasium(self):
        import warnings

        from gymnasium.utils.env_checker import check_env

        env = PartitionEnv(plan(), SYSTEM)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unbounded box
            check_env(env, skip_render_check=True)
        self.assertIn(env.action_space.sample(env.action_masks().astype(np.int8)), env.action_space)


if __name__ == "__main__":
    unittest.main()
