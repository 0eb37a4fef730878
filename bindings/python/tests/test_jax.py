# SPDX-License-Identifier: Apache-2.0
"""Planned JAX functions: names, shardings, and jax.jit with them on 8 host devices gives the numbers of one device, with no more
collectives than the same shardings written by hand. Runs under the python that TW_JAX_PYTHON names; exits 77 without jax."""

import lane

lane.enter("jax")

import re
import unittest

import jax
import jax.numpy as jnp
import numpy
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import tilewright as tw
import tilewright.jax

LAYERS, BATCH, LENGTH, WIDTH, HEADS, HIDDEN = 4, 8, 16, 32, 4, 64


def norm(x):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def layer(x, p):
    q, k, v = [jnp.einsum("bld,dhe->blhe", norm(x), p[name]) for name in ("q", "k", "v")]
    scores = jax.nn.softmax(jnp.einsum("blhe,bmhe->bhlm", q, k) / numpy.sqrt(WIDTH // HEADS), axis=-1)
    x = x + jnp.einsum("bhlm,bmhe,hed->bld", scores, v, p["o"])
    return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"]


def loss(params, batch):
    x = batch["x"]
    for p in params:
        x = layer(x, p)
    return jnp.mean((x - batch["y"]) ** 2)


def step(params, batch):
    value, grads = jax.value_and_grad(loss)(params, batch)
    return jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads), value


def inputs():
    rng = numpy.random.default_rng(0)
    e = WIDTH // HEADS
    shapes = {"q": (WIDTH, HEADS, e), "k": (WIDTH, HEADS, e), "v": (WIDTH, HEADS, e), "o": (HEADS, e, WIDTH),
              "up": (WIDTH, HIDDEN), "down": (HIDDEN, WIDTH)}
    draw = lambda shape: jnp.asarray(rng.standard_normal(shape) * 0.1, jnp.float32)
    return [{name: draw(shape) for name, shape in shapes.items()} for _ in range(LAYERS)], {
        "x": draw((BATCH, LENGTH, WIDTH)), "y": draw((BATCH, LENGTH, WIDTH))}


BY_HAND = {"q": P(None, "model"), "k": P(None, "model"), "v": P(None, "model"), "o": P("model"), "up": P(None, "model"), "down": P("model")}


def collectives(compiled):
    text = compiled.as_text()
    return {kind: len(re.findall(rf"= \S+ {kind}(?:-start)?\(", text))
            for kind in ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute")}


class Jax(unittest.TestCase):
    def check_automap(self, function, args, mesh, axes=(), **options):
        """What is found runs on 8 host devices to the numbers of one."""
        fast, planned = tw.jax.automap(function, mesh, axes, system="a100-40g", episodes=200, **options)(*args)
        wanted = jax.tree_util.tree_leaves(function(*args))
        for one, other in zip(jax.tree_util.tree_leaves(fast(*args)), wanted):
            numpy.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-5)
        return planned

    def test_automap(self):
        params, batch = inputs()
        planned = self.check_automap(step, (params, batch), tw.Mesh(data=2, model=4))
        self.assertEqual(set(planned.mesh.shape), {"data", "model"})
        # JAX's own mesh, one of its axes, and a pinned batch.
        jax_mesh = jax.sharding.Mesh(numpy.asarray(jax.devices()[:8], dtype=object).reshape(2, 4), ("data", "model"))
        planned = self.check_automap(step, (params, batch), jax_mesh, ["model"], in_specs=(None, P("data")))
        self.assertEqual(planned.in_shardings[1]["x"].spec, P("data", None, None))
        specs = [leaf.spec for leaf in jax.tree_util.tree_leaves(planned.in_shardings[0])]
        self.assertNotIn("data", str(specs))
        with self.assertRaisesRegex(tw.Error, "in_specs has 1 entries"):
            tw.jax.automap(step, jax_mesh, system="a100-40g", in_specs=(P("data"),))(params, batch)
        with self.assertRaisesRegex(tw.Error, "no plan that was found fits"):
            tw.jax.automap(step, jax_mesh, system="a100-40g", cap_bytes=1000, episodes=20)(params, batch)

    def test_automap_experts(self):
        rng = numpy.random.default_rng(1)
        draw = lambda *shape: jnp.asarray(rng.standard_normal(shape) * 0.1, jnp.float32)

        def experts(p, x):
            gates = jax.nn.softmax(x @ p["router"], axis=-1)
            hidden = jax.nn.gelu(jnp.einsum("td,edf->etf", x, p["up"]))
            return jnp.einsum("etf,efd,te->td", hidden, p["down"], gates)

        def loss_of(p, x, y):
            return jnp.mean((experts(p, x) - y) ** 2)

        def train(p, x, y):
            value, grads = jax.value_and_grad(loss_of)(p, x, y)
            return jax.tree_util.tree_map(lambda w, g: w - 0.1 * g, p, grads), value

        p = {"router": draw(32, 8), "up": draw(8, 32, 64), "down": draw(8, 64, 32)}
        self.check_automap(train, (p, draw(64, 32), draw(64, 32)), tw.Mesh(x=8))

    def test_donated(self):
        def train(p, x, y):
            value, grads = jax.value_and_grad(lambda p: jnp.mean((jnp.tanh(x @ p["up"]) @ p["down"] - y) ** 2))(p)
            return jax.tree_util.tree_map(lambda w, g: w - 0.1 * g, p, grads), value

        draw = lambda *shape: jnp.asarray(numpy.random.default_rng(0).standard_normal(shape), jnp.float32)
        p, x = {"down": draw(64, 16), "up": draw(16, 64)}, draw(8, 16)
        mesh, actions = tw.Mesh(x=8), "tile(arg=\"p['up']\", dim=1, axis=x); infer-propagate"
        expected = jax.jit(train)(p, x, x)
        for donated, arguments in ((0, (p, x, x)), ((-3,), (p, x, x))):
            planned = tw.jax.plan(train, mesh, actions, donate_argnums=donated)(*arguments)
            self.assertEqual([planned.plan.graph.donated_to(i) for i in range(4)], [0, 1, None, None])
            self.assertEqual(planned.out_shardings[0], planned.in_shardings[0])
            placed = planned.place(*arguments)
            new, value = planned.jit()(*placed)
            self.assertTrue(placed[0]["up"].is_deleted() and not placed[1].is_deleted())
            numpy.testing.assert_allclose(value, expected[1], rtol=1e-4)
            new, value = planned.jit()(new, *placed[1:])  # the next step takes them as they are
            self.assertLess(value, expected[1])
        by_name = tw.jax.plan(train, mesh, actions, donate_argnums=0)(p, x=x, y=x)
        placed, named = by_name.place(p, x=x, y=x)
        by_name.jit()(*placed, **named)
        self.assertTrue(placed[0]["up"].is_deleted() and not named["x"].is_deleted())
        self.assertTrue(tw.jax.automap(train, mesh, system="a100-40g", episodes=10, donate_argnums=0)(p, x, x)[1].call.donated)

    def test_transformer_step(self):
        params, batch = inputs()
        mesh = tw.Mesh(data=2, model=4)

        def actions(plan):
            plan.tile("batch['x']", 0, "data")
            for i in range(LAYERS):
                for name in ("q", "k", "v", "up"):
                    plan.tile(f"params[{i}]['{name}']", 1, "model")
            plan.infer_propagate()

        planned = tw.jax.plan(step, mesh, actions)(params, batch)
        self.assertEqual(planned.plan.graph.arguments[0].name, "params[0]['down']")
        self.assertEqual(planned.in_shardings[0][3]["down"].spec, P("model", None))
        fitted = planned.jit().lower(params, batch).compile()
        new, value = fitted(*planned.place(params, batch))
        expected, expected_value = jax.jit(step)(params, batch)
        numpy.testing.assert_allclose(value, expected_value, rtol=1e-4)
        for one, other in zip(jax.tree_util.tree_leaves(new), jax.tree_util.tree_leaves(expected)):
            numpy.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-5)

        named = lambda spec: NamedSharding(planned.mesh, spec)
        weights = [{name: named(spec) for name, spec in BY_HAND.items()} for _ in range(LAYERS)]
        arguments = (weights, {"x": named(P("data")), "y": named(P("data"))})
        by_hand = jax.jit(step, in_shardings=arguments, out_shardings=(weights, named(P()))).lower(params, batch).compile()
        ours, theirs = collectives(fitted), collectives(by_hand)
        for kind, count in ours.items():
            self.assertLessEqual(count, theirs[kind], (ours, theirs))

    def test_runs_here_too(self):
        params, batch = inputs()
        planned = tw.jax.plan(loss, "data=4", "tile(arg=\"batch['x']\", dim=0, axis=data); infer-propagate")(params, batch)
        arrays = jax.tree_util.tree_leaves((params, batch))
        (value,) = planned.plan.run(*arrays)
        numpy.testing.assert_allclose(value, loss(params, batch), rtol=1e-4)
        self.assertIn("all_reduce", str(planned))
        self.assertIn("<svg", planned._repr_html_())

    def test_arrays_share_memory(self):
        array = jnp.arange(6, dtype=jnp.float32).reshape(2, 3)
        tensor = tw.tensor(array)
        self.assertEqual(tensor.address, array.unsafe_buffer_pointer())
        self.assertEqual(tensor.tolist(), array.tolist())
        narrow = jnp.asarray([1, 2], jnp.bfloat16)
        self.assertEqual((tw.tensor(narrow).dtype, tw.tensor(narrow).address), ("bf16", narrow.unsafe_buffer_pointer()))
        back = jnp.from_dlpack(tw.Tensor((2, 2)).fill("iota"))
        self.assertEqual(back.tolist(), [[0, 1], [2, 3]])

    def test_static_and_keyword_arguments(self):
        def scaled(x, power, *rest, bias, mode="plain"):
            y = x**power + bias["b"] + sum(rest)
            return jnp.maximum(y, 0) if mode == "relu" else y

        x, bias = jnp.arange(-16.0, 16).reshape(8, 4), {"b": jnp.arange(4.0)}
        spec = "tile(arg=x, dim=0, axis=a); infer-propagate"
        make = tw.jax.plan(scaled, "a=4", spec, static_argnums=1, static_argnames="mode")
        planned = make(x, 3, x, bias=bias, mode="relu")
        self.assertEqual([argument.name for argument in planned.plan.graph.arguments], ["x", "rest[0]", "bias['b']"])
        self.assertEqual((planned.in_shardings[0].spec, planned.keyword_shardings["bias"]["b"].spec), (P("a", None), P(None)))
        fitted = planned.jit()
        args, kwargs = planned.place(x, 3, x, bias=bias, mode="relu")
        self.assertEqual((args[1], kwargs["mode"], args[0].sharding.spec), (3, "relu", P("a", None)))
        for made in (fitted(*args, **kwargs), fitted.lower(x, 3, x, bias=bias, mode="relu").compile()(x, x, bias)):
            numpy.testing.assert_array_equal(made, scaled(x, 3, x, bias=bias, mode="relu"))
        self.assertRaisesRegex(tw.InvalidArgument, "planned for power = 3, called with 2", fitted, x, 2, x, bias=bias, mode="relu")
        self.assertRaisesRegex(tw.InvalidArgument, "planned for the arguments", fitted, x, 3, bias=bias, mode="relu")
        # A static argument by position that is named, and static ones without keywords, which jax.jit takes.
        power = tw.jax.plan(lambda x, n: x**n, "a=4", spec, static_argnames=("n",))(x, 2)
        numpy.testing.assert_array_equal(power.jit()(*power.place(x, 2)), x**2)

    def test_a_mesh_of_jax(self):
        mesh = jax.sharding.Mesh(numpy.array(jax.devices()[::-1]).reshape(2, 4), ("a", "b"))
        planned = tw.jax.plan(lambda x: x * 2, mesh, "tile(arg=x, dim=0, axis=b); infer-propagate")(jnp.ones((8, 4)))
        self.assertIs(planned.mesh, mesh)
        (placed,) = planned.place(jnp.ones((8, 4)))
        self.assertEqual(placed.sharding, NamedSharding(mesh, P("b", None)))
        self.assertEqual(planned.jit()(placed).sharding.spec, P("b", None))
        self.assertRaises(tw.InvalidArgument, tw.jax.plan, jnp.sin, mesh, devices=jax.devices())
        apart = tw.jax.plan(lambda x: x * 2, mesh, "arg-tile 0 0 2")(jnp.ones((8, 4)))
        self.assertRaisesRegex(tw.InvalidArgument, "argument x .* is tiled over range<8,2>", lambda: apart.in_shardings)

    def test_axes_of_ranges(self):
        x = jnp.arange(32.0).reshape(8, 4)
        planned = tw.jax.plan(lambda x: x * 2, "b=2", "arg-tile 0 0 2; infer-propagate")(x)
        self.assertEqual(planned.in_shardings[0].spec, P("range<8,2>", None))
        numpy.testing.assert_array_equal(planned.jit()(*planned.place(x)), x * 2)

    def test_what_jax_cannot_shard(self):
        spec = "tile(arg=x, dim=0, axis=a); infer-propagate"
        planned = tw.jax.plan(lambda x: x * 2, "a=8", spec)(jnp.ones((10, 4)))
        self.assertIn("[{a}, {}]", str(planned))
        why = r"argument x f32\[10,4\] has 10 in dimension 0, which the plan tiles over a, 8 places; pad it to 16"
        self.assertRaisesRegex(tw.InvalidArgument, why, planned.jit)
        x = jnp.arange(32.0).reshape(8, 4)
        cut = tw.jax.plan(lambda x: (x[1:], x), "a=8", spec)(x)
        self.assertEqual((cut.out_shardings[0], cut.out_shardings[1].spec), (None, P("a", None)))
        numpy.testing.assert_array_equal(cut.jit()(x)[0], x[1:])

    def test_in_specs(self):
        """PartitionSpecs of arguments, as jax.jit and automap take them."""
        step, x, w = lambda x, w: x @ w, jnp.ones((8, 4)), jnp.ones((4, 6))
        planned = tw.jax.plan(step, "data=4,model=2", in_specs=(P("data"), P(None, "model")))(x, w)
        self.assertEqual(planned.out_shardings.spec, P("data", "model"))
        self.assertIn("on 8 devices: no collectives", repr(planned))
        for actions in (P("data"), (P("data"), None)):
            with self.assertRaisesRegex(TypeError, "PartitionSpecs of the arguments are `in_specs`"):
                tw.jax.plan(step, "data=4,model=2", actions)
        mesh = tw.jax.jax_mesh(tw.Mesh(data=4, model=2))
        stated = lambda x, w: jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("data"))) @ w
        spec = "tile(arg=x, dim=1, axis=data); infer-propagate"
        self.assertRaisesRegex(tw.InvalidArgument, "axis 'data' is used there already", tw.jax.plan(stated, mesh, spec), x, w)
        self.assertEqual(tw.jax.plan(stated, mesh, spec, ignore_annotations=True)(x, w).in_shardings[0].spec, P(None, "data"))
        _, found = tw.jax.automap(stated, mesh, system="a100-40g", episodes=10, ignore_annotations=True)(x, w)
        self.assertEqual(found.program.num_devices, 8)

    def test_arrays_in_pieces(self):
        mesh = tw.jax.jax_mesh(tw.Mesh(data=4, model=2))
        w = jnp.ones((4, 6))
        plan = tw.jax.plan(lambda x, w: x @ w, mesh, in_specs=(P("data"), None))(jnp.ones((8, 4)), w).plan
        for dtype in ("float32", "bfloat16"):
            x = jax.device_put(jnp.arange(32, dtype=dtype).reshape(8, 4), NamedSharding(mesh, P("data", "model")))
            numpy.testing.assert_array_equal(tw.tensor(x).numpy(), numpy.asarray(x))
        numpy.testing.assert_array_equal(plan.run(x.astype("float32"), w)[0].numpy(), x.astype("float32") @ w)
        for wrong, why in [({"x": x}, "jax.tree.leaves"), (jax.random.key(0), "jax.random.key_data")]:
            with self.assertRaisesRegex(TypeError, rf"input 0 \(x\): .*{re.escape(why)}"):
                plan.run(wrong, w)

    def test_lines_of_the_function(self):
        def first(x):
            return jnp.sin(x) @ x.T

        planned = tw.jax.plan(first, "a=2", "tile(arg=x, dim=1, axis=a); infer-propagate")(jnp.ones((4, 4)))
        line = first.__code__.co_firstlineno + 1
        self.assertRegex(planned.program.report(200), rf"all_reduce .*test_jax.py:{line}\b")

    def test_errors(self):
        many = tw.jax.plan(jnp.sin, "x=64", "tile(arg=x, dim=0, axis=x); infer-propagate")(jax.ShapeDtypeStruct((128,), "float32"))
        self.assertIn("64 devices", many.report())  # which needs no devices
        with self.assertRaisesRegex(tw.InvalidArgument, 'has 64 devices, JAX has 8: .*"jax_num_cpu_devices", 64'):
            many.jit()
        self.assertRaises(tw.InvalidArgument, tw.jax.partition_spec, "[{a}:cuts=[0,1,4]]")
        for text, why in [
            ("rubbish", r"expected '\[' at character 1"), ("[{data}, {}, {a, b}", r"expected '\]' at character 20"), ("[{data} {}]", r"expected '\]'"),
            ("[{a}, {a}]", "axis 'a' is used twice"), ("[{}] +a", "partial, over a"),
        ]:
            self.assertRaisesRegex(tw.InvalidArgument, why, tw.jax.partition_spec, text)
        self.assertRaisesRegex(TypeError, "or a Sharding, not tuple", tw.jax.partition_spec, ("data",))
        sharding = tw.Sharding(tw.Mesh(a=2, b=4), (8, 6), ["b", None])
        self.assertEqual((tw.jax.partition_spec(sharding), tw.jax.partition_spec("[{data}, {}, {a, b}]")), (P("b", None), P("data", None, ("a", "b"))))
        self.assertRaises(tw.NotFound, tw.jax.plan(jnp.sin, "x=2", "tile(arg=nobody, dim=0, axis=x)"), jnp.ones(4))


if __name__ == "__main__":
    unittest.main()
