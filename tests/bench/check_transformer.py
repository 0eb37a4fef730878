#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that examples/models/transformer.py writes a true training step: its text, compiled by XLA, against JAX.

    check_transformer.py        # exits 0 where every result agrees, 77 without jax

The model is examples/models/gpt_step.py, whose parameters have the same names. The new state, the new parameters and
the loss must agree within 1e-4 of each array's largest magnitude; so must the gradients, which are recovered from the
first moment: m' = b1 m + (1 - b1) g with m = 0. What the options change is checked with them: steps that make values again or
keep arrays of their own are the same step. One with dropout, a tied table and 16 bits has nothing to compare with: it learns.
"""

import sys
from pathlib import Path
from types import SimpleNamespace

import peer_xla_run  # Exits 77 without jax.

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "models"))
import gpt_step
import jax
import numpy as np
import transformer

jax.config.update("jax_enable_x64", True)  # seeds are 64 bits wide

TOLERANCE = 1e-4
SMALL = dict(layers=1, d=8, heads=2, ffn=12, vocab=11, seq=5, batch=3)
LARGER = dict(layers=3, d=24, heads=3, ffn=40, vocab=17, seq=7, batch=2)
STEPS = (
    SMALL,
    LARGER,
    LARGER | dict(recompute="cheap", weights="beside"),
    LARGER | dict(recompute="selective", weights="converted"),
    LARGER | dict(recompute="full", buffers=True),
)
LEARNS = dict(recompute="full", weights="beside", type="bf16", gradients="f32", dropout=True, tied=True, clip=True, buffers=True)


def options(**given):
    return SimpleNamespace(**(vars(transformer.parse_arguments([])) | given), lr=transformer.ADAM["rate"])


class Step:
    """A step as XLA runs it, and arguments to begin with."""

    def __init__(self, c):
        lines, self.ops = transformer.write_step(c)
        self.program = peer_xla_run.XlaProgram("\n".join(lines))
        rng = np.random.default_rng(1)

        def value(name, type_text):
            shape, dtype = peer_xla_run.shape_and_dtype(type_text)
            if name in ("tokens", "targets"):
                return rng.integers(0, c.vocab, shape).astype(dtype)
            if name.startswith("opt"):
                return np.full(shape, 3 if "count" in name else 0, dtype)
            return (rng.standard_normal(shape) * 0.2).astype(dtype) if name != "seed" else np.array([1, 2], dtype)

        self.inputs = {name: value(name, t) for name, t in zip(self.program.names, self.program.types)}
        for name in self.inputs:  # what Adam updates beside the parameters begins as these are
            if name.startswith("opt['w']"):
                self.inputs[name] = self.inputs["params" + name.removeprefix("opt['w']")].astype(np.float32)

    def run(self):
        outputs = self.program.run([peer_xla_run.on_device(a) for a in self.inputs.values()])
        donated = {self.program.names[a]: np.asarray(outputs[r]) for a, r in self.program.donated.items()}
        return donated | {"loss": np.asarray(outputs[-1])}


def compare(c):
    """Result name -> difference relative to the largest magnitude."""
    step = Step(c)
    inputs, ours = step.inputs, step.run()
    for name in [name for name in ours if name.startswith(("opt['w']", "opt['g']"))]:
        kept = ours.pop(name)
        assert (kept == (ours["params" + name.removeprefix("opt['w']")] if "opt['w']" in name else 0)).all(), name

    by_name = lambda root, tree: jax.tree_util.tree_map_with_path(
        lambda path, _: inputs[root + jax.tree_util.keystr(path)], tree
    )
    params, opt, _, _ = gpt_step.abstract_arguments(c)
    params, opt, loss = jax.jit(gpt_step.make_step(c))(by_name("params", params), by_name("opt", opt), inputs["tokens"], inputs["targets"])
    named = lambda root, tree: {
        root + jax.tree_util.keystr(path): np.asarray(a) for path, a in jax.tree_util.tree_leaves_with_path(tree)
    }
    theirs = named("params", params) | named("opt", opt) | {"loss": np.asarray(loss)}
    assert ours.keys() == theirs.keys(), sorted(ours.keys() ^ theirs.keys())
    return step.ops, {name: difference(ours[name], theirs[name]) for name in theirs}


def difference(a, b):
    if a.shape != b.shape or a.dtype != b.dtype or not np.isfinite(a).all():
        return np.inf
    return float(np.max(np.abs(a - b)) / max(float(np.max(np.abs(b))), 1e-6))


def learns(c, steps=100):
    """Whether the loss falls by a tenth."""
    step, losses = Step(c), []
    for _ in range(steps):
        results = step.run()
        losses.append(float(results["loss"]))
        step.inputs |= {name: results[name] for name in step.inputs if name in results}
    print(f"with {', '.join(LEARNS)}: the loss falls from {losses[0]:.3f} to {losses[-1]:.3f}")
    return losses[-1] < 0.9 * losses[0]


def main():
    worst = 0.0
    for sizes in STEPS:
        ops, differences = compare(options(**sizes))
        name = max(differences, key=differences.get)
        size = f"{sizes['layers']} layers, {ops} operations, {len(differences)} results"
        print(f"{size}: worst {differences[name]:.1e} at {name}")
        worst = max(worst, differences[name])
    sys.exit(0 if worst <= TOLERANCE and learns(options(**LARGER, **LEARNS)) else 1)


if __name__ == "__main__":
    main()
