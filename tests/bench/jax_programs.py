# SPDX-License-Identifier: Apache-2.0
"""Programs that state their own shardings, as today's JAX prints them: the rows of peer_shardy.py that no action of ours decides.

A program is a function that returns a jitted function and the shapes of its arguments; `@program(mesh)` names it in PROGRAMS. Nothing runs, so shapes may be
large enough for choices to matter."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

PROGRAMS = {}  # name -> a function that returns (mesh as tw reads it, StableHLO text)


def program(**axes):
    def enter(make):
        def text():
            count = int(np.prod(list(axes.values())))
            devices = np.array(jax.devices()[:count]).reshape(tuple(axes.values()))
            mesh = jax.sharding.Mesh(devices, tuple(axes), axis_types=(AxisType.Auto,) * len(axes))
            function, arguments = make(mesh)
            return ",".join(f"{name}={size}" for name, size in axes.items()), function.lower(*arguments).as_text()

        PROGRAMS[make.__name__.replace("_", " ")] = text
        return make

    return enter


def shape(*dims, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(dims, dtype)


def on(mesh, tree):
    """Specs as shardings."""
    return jax.tree.map(lambda spec: NamedSharding(mesh, spec), tree, is_leaf=lambda x: isinstance(x, P))


# --- A scanned transformer whose layers are computed again in the backward pass ----------------------------------------

LAYERS, WIDTH, HEADS, HIDDEN, BATCH, LENGTH = 12, 128, 8, 512, 16, 64


def transformer_shapes():
    return {
        "wq": shape(LAYERS, WIDTH, WIDTH), "wk": shape(LAYERS, WIDTH, WIDTH), "wv": shape(LAYERS, WIDTH, WIDTH),
        "wo": shape(LAYERS, WIDTH, WIDTH), "up": shape(LAYERS, WIDTH, HIDDEN), "down": shape(LAYERS, HIDDEN, WIDTH), "scale": shape(LAYERS, WIDTH),
    }  # fmt: skip


def transformer_layer(x, w):
    def heads(m):
        return (normal @ m).reshape(*x.shape[:2], HEADS, WIDTH // HEADS)

    normal = x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6) * w["scale"]
    scores = jnp.einsum("bqhd,bkhd->bhqk", heads(w["wq"]), heads(w["wk"])) / np.sqrt(WIDTH // HEADS)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), heads(w["wv"]))
    x = x + mixed.reshape(x.shape) @ w["wo"]
    return x + jax.nn.relu(x @ w["up"]) @ w["down"]


def transformer_step(weights, x, y):
    def loss(weights):
        out, _ = jax.lax.scan(jax.checkpoint(lambda x, w: (transformer_layer(x, w), None)), x, weights)
        return jnp.mean((out - y) ** 2)

    value, gradient = jax.value_and_grad(loss)(weights)
    return jax.tree.map(lambda w, g: w - 0.01 * g, weights, gradient), value


def transformer(mesh, batch, column, row, scale=P()):
    """Weights in the layout of `column` where they widen, of `row` where they narrow; inputs in that of `batch`."""
    specs = {name: row if name in ("wo", "down") else column for name in ("wq", "wk", "wv", "wo", "up", "down")} | {"scale": scale}
    weights, data = on(mesh, specs), NamedSharding(mesh, batch)
    x = shape(BATCH, LENGTH, WIDTH)
    step = jax.jit(transformer_step, in_shardings=(weights, data, data), out_shardings=(weights, NamedSharding(mesh, P())))
    return step, (transformer_shapes(), x, x)


@program(data=8)
def remat_scan_batch(mesh):
    return transformer(mesh, P("data"), P(), P())


@program(model=8)
def remat_scan_megatron(mesh):
    return transformer(mesh, P(), P(None, None, "model"), P(None, "model"))


@program(data=8)
def remat_scan_fsdp(mesh):
    return transformer(mesh, P("data"), P(None, "data"), P(None, None, "data"), P(None, "data"))


@program(data=2, model=4)
def remat_scan_fsdp_megatron(mesh):
    return transformer(mesh, P("data"), P(None, "data", "model"), P(None, "model", "data"), P(None, "data"))


# --- An embedding under FSDP -------------------------------------------------------------------------------------------


def embedding_loss(table, tokens, targets):
    x = jnp.take(table, tokens, axis=0)
    scores = jnp.einsum("bld,vd->blv", jnp.tanh(x), table)
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(scores), targets[..., None], axis=-1))


def embedding(mesh, spec):
    def step(table, tokens, targets):
        value, gradient = jax.value_and_grad(embedding_loss)(table, tokens, targets)
        norm = jnp.sqrt(jnp.sum(gradient * gradient))
        return table - 0.1 * gradient / jnp.maximum(norm, 1.0), value

    table, data = NamedSharding(mesh, spec), NamedSharding(mesh, P("data"))
    jitted = jax.jit(step, in_shardings=(table, data, data), out_shardings=(table, NamedSharding(mesh, P())))
    return jitted, (shape(1024, 64), shape(16, 32, dtype=jnp.int32), shape(16, 32, dtype=jnp.int32))


@program(data=8)
def embedding_fsdp_rows(mesh):
    return embedding(mesh, P("data"))


@program(data=8)
def embedding_fsdp_columns(mesh):
    return embedding(mesh, P(None, "data"))


# --- ZeRO-2 and FSDP, stated of results, gradients and activations ------------------------------------------------------

DEPTH, FEATURES = 4, 256


def dense_layers(weights, x, held):
    for w in weights:
        x = held(jax.nn.relu(x @ w))
    return x


def dense_gradients(weights, x, y, held=lambda x: x):
    return jax.value_and_grad(lambda weights: jnp.mean((dense_layers(weights, x, held) - y) ** 2))(weights)


def dense_shapes(rows=512):
    return [shape(FEATURES, FEATURES)] * DEPTH, shape(rows, FEATURES)


@program(data=8)
def zero_2_gradients_as_results(mesh):
    """A step that hands out its gradients in tiles."""
    weights, x = dense_shapes()
    data, whole, tiles = on(mesh, (P("data"), [P()] * DEPTH, [P("data")] * DEPTH))
    step = jax.jit(dense_gradients, in_shardings=(whole, data, data), out_shardings=(NamedSharding(mesh, P()), tiles))
    return step, (weights, x, x)


def momentum_step(weights, momenta, x, y, held_gradient=lambda g: g, held=lambda x: x):
    loss, gradients = dense_gradients(weights, x, y, held)
    momenta = [0.9 * m + held_gradient(g) for m, g in zip(momenta, gradients)]
    return [w - 0.1 * m for w, m in zip(weights, momenta)], momenta, loss


def momentum(mesh, of_weights, held_gradient=lambda g: g, held=lambda x: x):
    weights, x = dense_shapes()
    data, scalar, w, m = on(mesh, (P("data"), P(), [of_weights] * DEPTH, [P("data")] * DEPTH))
    step = jax.jit(
        lambda *arguments: momentum_step(*arguments, held_gradient, held), in_shardings=(w, m, data, data), out_shardings=(w, m, scalar)
    )
    return step, (weights, weights, x, x)


@program(data=8)
def zero_2_momenta(mesh):
    """Momenta in tiles, weights whole, nothing said of the gradients."""
    return momentum(mesh, P())


@program(data=8)
def zero_2_gradients_constrained(mesh):
    rows = NamedSharding(mesh, P("data"))
    return momentum(mesh, P(), held_gradient=lambda g: jax.lax.with_sharding_constraint(g, rows))


@program(data=8)
def fsdp_activations_constrained(mesh):
    """Weights in rows, activations stated to stay cut by the batch."""
    batch = NamedSharding(mesh, P("data"))
    return momentum(mesh, P("data"), held=lambda x: jax.lax.with_sharding_constraint(x, batch))


@program(data=8)
def fsdp_arguments_and_results(mesh):
    return momentum(mesh, P("data"))


# --- What is tiled along a dimension that an op needs whole -----------------------------------------------------------


def over_lines(mesh, function):
    lines = NamedSharding(mesh, P(None, "x"))
    return jax.jit(function, in_shardings=lines), (shape(64, 1024),)


@program(x=8)
def sort_along_a_tiled_dimension(mesh):
    return over_lines(mesh, lambda a: jnp.sort(a, axis=1))


@program(x=8)
def top_k_along_a_tiled_dimension(mesh):
    return over_lines(mesh, lambda a: jax.lax.top_k(a, 4))


@program(layers=4)
def scan_over_layers_cut_by_layers(mesh):
    """The weights of a layer are on one device, whose turn comes with the layer."""
    weights, x = on(mesh, (P("layers"), P()))
    step = jax.jit(lambda w, x: jax.lax.scan(lambda x, w: (jnp.tanh(x @ w), None), x, w)[0], in_shardings=(weights, x), out_shardings=x)
    return step, (shape(8, 64, 64), shape(16, 64))
