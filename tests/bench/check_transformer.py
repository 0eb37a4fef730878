#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that make_transformer.py writes a true training step: its text, compiled by XLA, against JAX.

    check_transformer.py        # exits 0 where every result agrees, 77 without jax

The model is examples/models/gpt_step.py, whose parameters have the same names. The new state, the new parameters and
the loss must agree within 1e-4 of each array's largest magnitude; so must the gradients, which are recovered from the
first moment: m' = b1 m + (1 - b1) g with m = 0.
"""

import sys
from pathlib import Path
from types import SimpleNamespace

import make_transformer
import peer_xla_run  # Exits 77 without jax.

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "models"))
import gpt_step
import jax
import numpy as np

TOLERANCE = 1e-4
SIZES = (
    dict(layers=1, d=8, heads=2, ffn=12, vocab=11, seq=5, batch=3),
    dict(layers=3, d=24, heads=3, ffn=40, vocab=17, seq=7, batch=2),
)


def compare(c):
    """Result name -> difference relative to the largest magnitude."""
    lines, ops = make_transformer.write_step(c)
    program = peer_xla_run.XlaProgram("\n".join(lines))
    rng = np.random.default_rng(1)

    def value(name, type_text):
        shape, dtype = peer_xla_run.shape_and_dtype(type_text)
        if name in ("tokens", "targets"):
            return rng.integers(0, c.vocab, shape).astype(dtype)
        if name.startswith("opt"):
            return np.full(shape, 3 if "count" in name else 0, dtype)
        return (rng.standard_normal(shape) * 0.2).astype(dtype)

    inputs = {name: value(name, t) for name, t in zip(program.names, program.types)}
    outputs = program.run([peer_xla_run.on_device(a) for a in inputs.values()])
    donated = {program.names[a]: outputs[r] for a, r in program.donated.items()}
    ours = {name: np.asarray(a) for name, a in donated.items()} | {"loss": np.asarray(outputs[-1])}

    by_name = lambda root, tree: jax.tree_util.tree_map_with_path(
        lambda path, _: inputs[root + jax.tree_util.keystr(path)], tree
    )
    params, opt, _, _ = gpt_step.abstract_arguments(c)
    step = jax.jit(gpt_step.make_step(c))
    params, opt, loss = step(by_name("params", params), by_name("opt", opt), inputs["tokens"], inputs["targets"])
    named = lambda root, tree: {
        root + jax.tree_util.keystr(path): np.asarray(a) for path, a in jax.tree_util.tree_leaves_with_path(tree)
    }
    theirs = named("params", params) | named("opt", opt) | {"loss": np.asarray(loss)}
    assert ours.keys() == theirs.keys(), sorted(ours.keys() ^ theirs.keys())
    return ops, {name: difference(ours[name], theirs[name]) for name in theirs}


def difference(a, b):
    if a.shape != b.shape or a.dtype != b.dtype or not np.isfinite(a).all():
        return np.inf
    return float(np.max(np.abs(a - b)) / max(float(np.max(np.abs(b))), 1e-6))


def main():
    worst = 0.0
    for sizes in SIZES:
        ops, differences = compare(SimpleNamespace(**sizes, lr=make_transformer.ADAM["rate"]))
        name = max(differences, key=differences.get)
        size = f"{sizes['layers']} layers, {ops} operations, {len(differences)} results"
        print(f"{size}: worst {differences[name]:.1e} at {name}")
        worst = max(worst, differences[name])
    sys.exit(0 if worst <= TOLERANCE else 1)


if __name__ == "__main__":
    main()
