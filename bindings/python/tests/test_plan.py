# SPDX-License-Identifier: Apache-2.0
"""Graphs, plans, programs and executables: the whole way, and what each says of itself."""

import json
import os
import pickle
import tempfile
import unittest

import support
import tilewright as tw
from support import inputs, mlp, numpy, planned

MLP = os.path.join(support.ROOT, "examples", "models", "mlp_step.mlir")


class Graphs(unittest.TestCase):
    def test_built(self):
        graph = mlp()
        self.assertEqual([a.name for a in graph.arguments], ["x", "w1", "w2"])
        self.assertEqual(str(graph.results[0].type), "f32[8,6]")
        self.assertEqual((graph.name, graph.num_ops, graph.mesh), ("mlp", 3, None))
        self.assertIn("3 ops", repr(graph))

    def test_mesh_of_the_import(self):
        text = "func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n  return %x : tensor<4x4xf32>\n}"
        graph = tw.loads(text, mesh="rows=2")
        self.assertEqual(graph.plan().mesh, tw.Mesh(rows=2))
        self.assertEqual(graph.plan().tile("x", 0, "rows").graph.plan().mesh, tw.Mesh(rows=2))
        self.assertEqual(graph.plan("a=4").mesh, tw.Mesh(a=4))
        self.assertIsNone(tw.loads(text).plan().mesh)

    def test_first_page(self):
        """The program of README.md, which is installed."""
        graph = tw.load(os.path.join(support.ROOT, "examples", "models", "mlp.mlir"))
        self.assertEqual([str(a.type) for a in graph.arguments], ["f32[32,64]", "f32[64,256]", "f32[256,64]"])
        plan = graph.plan(tw.Mesh(data=2, model=4)).tile("x", 0, "data").tile("w1", 1, "model").infer_propagate()
        self.assertEqual((plan.sharding("w2"), plan.lower().collectives, graph.results[0].name), ("[{model}, {}]", {"all_reduce": 1}, "y"))
        given = inputs(graph)
        self.assertTrue(plan.run(*given)[0].compare(graph.evaluate(*given)[0]))

    def test_shard(self):
        for how in ("[{data}, {}]", 'P("data", None)', tw.Sharding("data=2,model=2", (8, 6), ["data", None])):
            for name in ("x", "y", "%3"):
                self.assertEqual(mlp().plan("data=2,model=2").shard(name, how).infer_propagate().sharding(name)[:7], "[{data}")
        partial = tw.Sharding("data=2,model=2", (8, 6), [None, None], {"data": "sum"})
        self.assertRaisesRegex(tw.InvalidArgument, "is partial", mlp().plan("data=2,model=2").shard, "x", partial)

    def test_walk(self):
        graph = mlp()
        ops = list(graph.ops)
        self.assertIn("stablehlo.tanh", [op.name for op in ops])
        tanh = next(op for op in ops if op.name == "stablehlo.tanh")
        self.assertEqual(graph.value(tanh.operands[0]).type, tw.Type("f32", (8, 12)))
        self.assertEqual(graph.value(tanh.results[0]).op, tanh.number)
        self.assertEqual(graph.value("x").uses[0][1], 0)
        self.assertEqual(graph.value_name(graph.argument_value(1)), "w1")
        self.assertEqual(graph.value("y").number, graph.result_value(0))
        self.assertRaises(tw.OutOfRange, graph.argument_value, 99)
        self.assertEqual([r.parent for r in graph.regions], [None])
        dot = next(op for op in ops if op.name == "stablehlo.dot_general")
        self.assertEqual(dot.attributes["lhs_contracting_dimensions"], (1,))

    def test_operators_and_constants(self):
        b = tw.Builder()
        x = b.argument("x", "f32", (2, 2))
        c = b.constant(support.floats(1, 2, 3, 4))
        y = (x @ x + x * b.splat(2, "f32", (2, 2)) - x / b.reshape(c, (2, 2)))
        b.result("y", -y)
        b.result("sum", b.reduce("sum", b.transpose(x, (1, 0)), (0,)))
        b.result("wide", b.broadcast(b.reduce("max", x, (0, 1)), (2, 3), ()))
        top = b.add("select", b.add("compare", x, x, comparison_direction="EQ"), x, x)
        b.result("top", top)
        graph = b.finish()
        values = tw.Tensor((2, 2))
        memoryview(values).cast("B").cast("f")[:] = support.floats(1, 2, 3, 4)
        y, total, wide, top = graph.evaluate(values)
        self.assertEqual(y.tolist(), [[-8.0, -13.0], [-20.0, -29.0]])
        self.assertEqual((total.tolist(), wide.tolist()), ([3.0, 7.0], [[4.0] * 3] * 2))
        constants = [op for op in graph.ops if op.name == "stablehlo.constant"]
        self.assertIn((support.floats(1, 2, 3, 4).tobytes(), False), [graph.constant(op.number) for op in constants])

    def test_load(self):
        graph = tw.load(MLP)
        self.assertIn("params['up']", [a.name for a in graph.arguments])
        self.assertEqual(graph.info()["arguments"][0]["name"], graph.arguments[0].name)
        renamed = tw.load(MLP, names=["down", "", "batch"])
        self.assertEqual([a.name for a in renamed.arguments[:3]], ["down", "params['up']", "batch"])
        self.assertTrue(any(graph.location(op.number) for op in graph.ops))

    def test_registry(self):
        self.assertIn("stablehlo.add", tw.op_names())
        self.assertTrue(tw.ops("stablehlo.add"))
        self.assertIn("spmd", tw.forms())
        self.assertIn("TW-402", tw.diagnostics())
        self.assertGreaterEqual(tw.build_info()["cores"], 1)


class Plans(unittest.TestCase):
    def test_fluent(self):
        plan = planned()
        self.assertEqual(plan.shardings, {"x": "[{data}, {}]", "w1": "[{}, {model}]", "w2": "[{model}, {}]"})
        self.assertEqual(plan.num_conflicts, 0)
        self.assertIn("w1", plan.explain("w2", "model"))
        self.assertIn("all_reduce", str(plan))
        self.assertIn("3 of 3 arguments tiled", repr(plan))
        for form, about in tw.forms().items():
            whole = plan if about["of"] == "plan" else plan.lower()
            data = whole.emit_bytes(form)
            self.assertEqual(data.startswith(b"ML\xefR"), about["binary"], form)
            if about["binary"]:
                self.assertRaisesRegex(ValueError, "is no text: emit_bytes", whole.emit, form)
            else:
                self.assertEqual(whole.emit(form).encode(), data)
        self.assertIn("func", plan.emit_naive("spmd-naive", "distribute"))

    def test_clone(self):
        plan = planned()
        other = plan.clone().tile("x", 1, "model")
        self.assertEqual(plan.shardings["x"], "[{data}, {}]")
        self.assertEqual(other.shardings["x"], "[{data}, {model}]")
        plan.close()
        self.assertIn("w1", other.shardings)

    def test_undo(self):
        plan = mlp().plan("data=2")
        before = plan.stamp()
        plan.apply("tile(arg=x, dim=0, axis=data); propagate")
        self.assertEqual(plan.sharding("y"), "[{data}, {}]")
        self.assertEqual(plan.undo(before).sharding("y"), "[{}, {}]")
        self.assertEqual(plan.atomic("x", "data").sharding("x"), "[{}, {}]")

    def test_html(self):
        text = planned()._repr_html_()
        self.assertIn("<svg", text)
        self.assertEqual(text.count('class="tw-tile"'), 2 + 2 + 2)  # x by data, w1 and w2 by model
        self.assertEqual(text.count("<td>f32["), 3)
        self.assertIn("all_reduce", planned().lower()._repr_html_())
        self.assertIn("collectives: 1 all_reduce", text)
        self.assertRegex(text, r"[0-9.]+ k?B received by the busiest device; peak [0-9.]+ k?B")

    def test_html_folds_what_is_long(self):
        b = tw.Builder()
        for i in range(45):
            b.result(f"y{i}", b.unary("tanh", b.argument(f"x{i}", "f32", (4,))))
        text = b.finish().plan("data=2").tile("x*", 0, "data").infer_propagate()._repr_html_()
        self.assertIn("<details><summary>and 5 more</summary>", text)
        self.assertEqual(text.count("<svg"), 45)

    def test_propagate_is_what_it_is_in_a_spec(self):
        for method, action in (("propagate", "propagate"), ("infer_propagate", "infer-propagate")):
            plan = mlp().plan("data=2,model=2").tile("x", 0, "data").tile("w1", 1, "model")
            spec = plan.clone()
            self.assertEqual(getattr(plan, method)().shardings, spec.apply(action).shardings)

    def test_context_manager(self):
        with planned() as plan:
            self.assertFalse(plan.closed)
        self.assertTrue(plan.closed)
        self.assertEqual((repr(plan), str(plan)), ("<Plan closed>", "<Plan closed>"))
        with self.assertRaises(TypeError):
            pickle.dumps(mlp())


class Runs(unittest.TestCase):
    def test_partitioned_equals_unpartitioned(self):
        graph = mlp()
        program = planned(graph).lower()
        arrays = inputs(graph)
        parted = program.executable().run(*arrays)
        whole = tw.Program.unpartitioned(graph).executable().run(*arrays)
        comparisons, note = program.compare(parted, whole, arrays)
        self.assertTrue(all(comparisons), comparisons)
        self.assertEqual(note, "")
        self.assertTrue(parted[0].compare(graph.evaluate(*arrays)[0]))
        self.assertFalse(parted[0].compare(tw.Tensor((8, 6)), exact=True))

    def test_program(self):
        program = planned().lower()
        self.assertEqual((program.num_devices, program.collectives), (4, {"all_reduce": 1}))
        self.assertGreater(program.bytes_received, 0)
        self.assertGreater(program.peak_bytes, 0)
        self.assertFalse(program.result_exact(0))
        self.assertEqual(program.num_failed_expectations, 0)
        self.assertIn("all_reduce", program.explain_collective(0) + program.emit())

    def test_a_plan_is_written_as_a_page(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.html")
            text = planned().report(path, system="cpu-local")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
        program = planned().lower()
        page = program.page(program.estimate("cpu-local"), command="here")
        facts = json.loads(page.split('id="facts">')[1].split("</script>")[0])
        self.assertEqual(facts["schema"], 1)
        self.assertEqual(facts["sections"]["verdict"]["bytes_received"], program.info()["bytes_received"])
        self.assertEqual(facts["sections"]["again"]["command"], "here")
        with self.assertRaises(tw.InvalidArgument):
            program.page(planned().lower().estimate("cpu-local"))
        with self.assertRaises(tw.InvalidArgument):
            program.page(trace={"no": "events"})
        self.assertEqual(len(program.info()["collectives"]), program.num_collectives)

    def test_executable(self):
        executable = planned().lower().executable(workers=2, profile=True, trace=True)
        arrays = inputs(mlp())
        out = tw.Tensor((8, 6))
        self.assertIs(executable.run(*arrays, outputs=[out])[0], out)
        run = executable.start(*arrays)
        result = run.wait()
        self.assertTrue(run.over)
        self.assertTrue(result[0].compare(out, exact=True).bit_equal)
        self.assertEqual(executable.counters.runs, 2)
        self.assertEqual((executable.num_devices, executable.workers), (4, 2))
        self.assertTrue(executable.profile()["steps"] and executable.trace()["traceEvents"] and executable.flight()["devices"])
        self.assertEqual(executable.on_host()["steps"], 0)
        self.assertGreater(executable.arena_bytes, 0)
        self.assertGreater(executable.peak_bytes(0), 0)
        self.assertIsNone(executable.donated_to(0))

    def test_tiles(self):
        executable = planned().lower().executable(tiles=True, context=tw.Context(workers=1))
        self.assertEqual(executable.tile(False, 0, 3, 2), ((4, 0), (4, 6)))
        tiles = [
            tw.filled(executable.tile(False, argument, device, 2)[1], stream=argument) for argument in range(3) for device in range(4)
        ]
        results = [tw.Tensor(executable.tile(True, 0, device, 2)[1]) for device in range(4)]
        executable.run(*tiles, outputs=results)
        self.assertEqual([r.shape for r in results], [(4, 6)] * 4)

    @support.needs_numpy
    def test_with_numpy(self):
        rng = numpy.random.default_rng(0)
        x, w1, w2 = [rng.standard_normal(a.type.shape).astype(numpy.float32) for a in mlp().arguments]
        (y,) = planned().run(x, w1, w2)
        numpy.testing.assert_allclose(y, numpy.tanh(x @ w1) @ w2, rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
