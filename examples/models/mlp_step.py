#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One gradient step of a two-layer network in plain JAX, exported as StableHLO text: the program of docs/tutorial.md.

    mlp_step.py > mlp_step.mlir

Needs jax (written with 0.10.2). Nothing that builds, tests or runs the library needs this script.
"""

import jax
import jax.numpy as jnp

from gpt_step import keep_argument_locations

def loss(params, x, y):
    hidden = jnp.tanh(x @ params["up"])
    return jnp.mean((hidden @ params["down"] - y) ** 2)


def step(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


array = lambda *shape: jax.ShapeDtypeStruct(shape, jnp.float32)
params = {"up": array(256, 1024), "down": array(1024, 256)}
lowered = jax.jit(step).lower(params, array(64, 256), array(64, 256))
print("// Made by mlp_step.py.")
print(keep_argument_locations(lowered.as_text(debug_info=True)))
