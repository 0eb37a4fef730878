# SPDX-License-Identifier: Apache-2.0
"""Makes the artifacts of this folder: one program with shardings, a loop, branches, reductions and a call, as JAX lowers it, serialised for
several versions of StableHLO and as bytecode of its own dialects, each with the text that MLIR prints of it. exported_auto.* and
exported_explicit.* are programs of jax.export on 2x4 devices. many_attributes.mlirbc: 2,000 arguments of 700 attributes, the same ones.
Usage: python -c "exec(compile(open('make.py').read(), 'model.py', 'exec'))" FOLDER, with jax 0.10.2: so locations name no folder."""

import io
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax
import jax.numpy as jnp
import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import _jax
from jax._src.lib.mlir import ir
from jax.sharding import NamedSharding, PartitionSpec as P

folder = sys.argv[1]
mesh = jax.sharding.Mesh(np.array(jax.devices()).reshape(2, 4), ("x", "y"))


@jax.jit
def halve(x):
    return x / 2


def step(params, x):
    h = jax.lax.with_sharding_constraint(jnp.tanh(x @ params["w"]), NamedSharding(mesh, P("x", "y")))
    h = halve(h) + jnp.max(h, axis=1, keepdims=True)
    _, h = jax.lax.fori_loop(0, 3, lambda i, c: (c[0] + i, jnp.where(c[1] > 0, c[1] * 2, -c[1])), (0, h))
    h = jax.lax.cond(jnp.sum(h) > 0, lambda v: v + 1, lambda v: v - 1, h)
    rows = jnp.take(h, jnp.array([3, 1, 2], dtype=jnp.int32), axis=0)
    return jnp.argmax(rows, axis=1), jnp.sort(rows, axis=1), h[1:7:2]


given = ({"w": jax.ShapeDtypeStruct((8, 16), jnp.float32, sharding=NamedSharding(mesh, P(None, "y")))},
         jax.ShapeDtypeStruct((8, 8), jnp.float32, sharding=NamedSharding(mesh, P("x", None))))  # fmt: skip
module = jax.jit(step).lower(*given).compiler_ir()
held = io.BytesIO()
module.operation.write_bytecode(held)
pieces = {"plain": (held.getvalue(), module)}
with mlir.make_ir_context():
    for version in ("0.9.0", "1.0.0", "1.17.0"):
        artifact = _jax.mlir.serialize_portable_artifact(held.getvalue(), version, True)
        pieces["v" + version.replace(".", "_")] = (artifact, _jax.mlir.deserialize_portable_artifact(artifact))
    for name, (artifact, meaning) in pieces.items():
        with open(os.path.join(folder, f"{name}.mlirbc"), "wb") as out:
            out.write(artifact)
        if name != "v0_9_0":  # it says what v1_0_0 says
            with open(os.path.join(folder, f"{name}.mlir"), "w", encoding="utf-8") as out:
                out.write(meaning.operation.get_asm(enable_debug_info=name == "v1_17_0"))

attributes = "{" + ", ".join(f"mhlo.a{i}" for i in range(700)) + "}"
arguments = ", ".join(f"%arg{i}: tensor<f32> {attributes}" for i in range(2000))
with mlir.make_ir_context(), open(os.path.join(folder, "many_attributes.mlirbc"), "wb") as out:
    ir.Module.parse(f"module {{ func.func public @main({arguments}) -> tensor<f32> {{ return %arg0 : tensor<f32> }} }}").operation.write_bytecode(out)
