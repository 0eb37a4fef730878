# SPDX-License-Identifier: Apache-2.0
"""What plans and programs say of themselves piece by piece: shardings, loops, conflicts, instructions and collectives."""

import os
import pickle
import unittest

import support
import tilewright as tw
from support import inputs, mlp, planned

SPECS = os.path.join(support.ROOT, "examples", "specs")
MODELS = os.path.join(support.ROOT, "examples", "models")


def transformer():
    graph = tw.load(os.path.join(MODELS, "gpt_step.mlir"))
    return graph.plan("data=2,model=4").apply_file(os.path.join(SPECS, "gpt_megatron.txt"))


def tied():
    """A product whose operands are tiled along dimensions of which it can take one."""
    return mlp().plan("a=2").tile("x", 0, "a").tile("w1", 1, "a").infer_propagate()


class Objects(unittest.TestCase):
    def test_sequences(self):
        """What is walked has a length and places, as lists have."""
        plan = planned()
        program, graph = plan.lower(), plan.graph
        estimate = program.estimate("a100-40g")
        for items in (
            graph.ops, graph.values, graph.regions, program.instructions, program.locals, estimate.steps, estimate.places, estimate.held,
            estimate.collectives,
        ):
            everything = list(items)
            self.assertEqual((len(items), items[0], items[-1], items[:2]), (len(everything), everything[0], everything[-1], everything[:2]))
            self.assertRaises(IndexError, items.__getitem__, len(items))
            self.assertRaises(IndexError, items.__getitem__, -len(items) - 1)
        self.assertEqual((repr(graph.ops), graph.ops[1].name), (f"<{len(graph.ops)} ops>", graph.op(1).name))

    def test_pickled(self):
        """What never changes and is known by its value goes through pickle, and stands for itself in a dict."""
        sharding = tw.Sharding("x=4,y=2", (8, 6), "[{x:(1)2}, {}] +y")
        for kept in (
            tw.Mesh(a=2, b=3), tw.Mesh(), tw.Mesh(a=4).with_devices([3, 2, 1, 0]), sharding, sharding.mesh,
            tw.redistribute("i32[8] [{}] +x", "[{x}]", "x=2"),
        ):
            again = pickle.loads(pickle.dumps(kept))
            self.assertEqual((again, hash(again), type(again)), (kept, hash(kept), type(kept)))
        self.assertNotEqual(hash(tw.Mesh(a=2, b=3)), hash(tw.Mesh(b=3, a=2)))
        self.assertEqual(pickle.loads(pickle.dumps(tw.System("a100-40g"))).name, "a100-40g")
        self.assertRaisesRegex(TypeError, "an Estimate cannot be pickled", pickle.dumps, planned().lower().estimate("a100-40g"))
        self.assertRaisesRegex(TypeError, "a Plan cannot be pickled", pickle.dumps, planned())

    def test_reports_have_names_of_python(self):
        b = tw.Builder()
        for i in range(20):
            b.result(f"y{i}", b.unary("tanh", b.argument(f"x{i}", "f32", (8 + i,))))
        graph = b.finish()
        program = graph.plan().lower()
        self.assertIn("44 B (all_rows=True)", program.report())
        self.assertIn("so there is one device: give one, as data=4,model=2\n", program.report())
        small = graph.plan("a=2").tile("x0", 0, "a").lower()
        for text in (program.report(), small.report(), small.estimate("a100-40g").report(), planned().lower().estimate("a100-40g").report()):
            self.assertNotRegex(text, " \\(?--[a-z]")

    def test_told(self):
        self.assertEqual(repr(tw.Builder("mlp")), "<Builder of 'mlp'>")
        mover = tw.redistribute("f32[8] [{x}]", "[{}]", "x=2").redistributor()
        self.assertEqual(repr(mover), "<Redistributor of 1 plan on 2 devices, 0 bytes of scratch>")
        self.assertIn("dot_general", mlp()._repr_html_())
        self.assertIn("<pre>", planned().lower().estimate("a100-40g")._repr_html_())
        for name in ("r.csv", "r"):
            self.assertRaisesRegex(tw.InvalidArgument, "the report is a page of HTML", planned().report, name)
            self.assertFalse(os.path.exists(name))


class Plans(unittest.TestCase):
    def test_shardings(self):
        plan = planned()
        for i, argument in enumerate(plan.graph.arguments):
            sharding = plan.argument_sharding(i)
            self.assertEqual(str(sharding), plan.sharding(argument.name))
            self.assertEqual(sharding.shape, argument.type.shape)
            self.assertEqual(plan.value_sharding(argument.name), sharding)
            self.assertEqual(plan.value_sharding(plan.graph.argument_value(i)), sharding)
        self.assertEqual(str(plan.result_sharding(0)), plan.sharding("y"))
        self.assertRaises(tw.OutOfRange, plan.argument_sharding, 3)
        self.assertRaises(tw.OutOfRange, plan.result_sharding, 1)
        self.assertRaises(tw.NotFound, plan.value_sharding, "nobody")

    def test_current_mesh(self):
        plan = mlp().plan("data=2,model=4").apply("shard(arg=w1, [{}, {model:(1)2}]); serial(axis=steps, size=2)")
        self.assertEqual(str(plan.mesh), "data=2,model=4")
        self.assertEqual([str(part) for part in plan.current_mesh.parts][:3], ["data:(1)2", "model:(1)2", "model:(2)2"])
        self.assertEqual(plan.current_mesh.kinds["steps"], "serial")
        self.assertEqual((plan.current_mesh.num_positions, plan.current_mesh.num_devices), (16, 8))

    def test_actions_and_loops(self):
        plan = planned()
        texts = [action.text for action in plan.actions[1:]]
        self.assertEqual(len(texts), 3)
        self.assertIn("tile(x, dim=0", texts[0])
        second = [op for op in plan.graph.ops if op.name == "stablehlo.dot_general"][1]
        loops = {loop.axis: loop for loop in plan.loops(second.number)}
        self.assertEqual((loops["data"].kind, loops["data"].operand_dims, loops["data"].result_dims), ("tile", (0, None), (0,)))
        self.assertEqual((loops["model"].kind, loops["model"].reduction), ("reduce", "sum"))
        self.assertEqual((loops["model"].operand_dims, loops["model"].result_dims), ((1, 0), (None,)))
        self.assertIsNotNone(loops["model"].cause)
        self.assertEqual(plan.actions[loops["model"].action].text, texts[1])
        applied = mlp().plan("a=2").apply("tile(arg=x, dim=0, axis=a)\npropagate", "spec.txt")
        self.assertEqual([(a.file, a.line) for a in applied.actions[1:]], [("spec.txt", 1), ("spec.txt", 2)])

    def test_conflicts(self):
        plan = tied()
        self.assertEqual(len(plan.conflicts), plan.num_conflicts)
        conflict = plan.conflicts[0]
        self.assertEqual((conflict.kind, conflict.axis), ("tie", "a"))
        self.assertEqual(plan.graph.op(conflict.op).name, "stablehlo.dot_general")
        self.assertEqual(str(conflict), conflict.text)
        self.assertEqual(sorted(way.text for way in conflict.ways), ["tile 0", "tile 1"])
        self.assertEqual({way.bytes for way in conflict.ways}, {None})
        costed = plan.lower().conflicts()[0]
        self.assertEqual(costed.text, conflict.text)
        self.assertTrue(all(way.bytes is not None and way.more_bytes is not None for way in costed.ways))
        self.assertEqual(plan.disagreements, ())
        self.assertEqual(plan.lower().disagreements(), ())


class Programs(unittest.TestCase):
    def test_instructions_are_those_of_the_report(self):
        program = transformer().lower()
        info = program.info()
        collectives = [program.collective(i) for i in range(program.num_collectives)]
        self.assertEqual([c.kind for c in collectives], [c["kind"] for c in info["collectives"]])
        self.assertEqual({kind: sum(c.kind == kind for c in collectives) for kind in program.collectives}, program.collectives)
        instructions = list(program.instructions)
        moving = [i for i in instructions if i.kind == "collective"]
        self.assertEqual(sorted(i.collective for i in moving), list(range(program.num_collectives)))
        for one in collectives:
            self.assertEqual(instructions[one.instruction].collective, one.number)
            self.assertTrue(set(one.axes) <= {"data", "model"} and one.axes)
            self.assertGreater(one.bytes_received, 0)
            if one.action is not None:
                self.assertTrue(program.actions[one.action].text)
        self.assertTrue({one.action for one in collectives} - {None})
        self.assertEqual(sum(i.kind == "argument" for i in instructions), len(program.graph.arguments))
        self.assertEqual(sum(i.kind == "result" for i in instructions), len(program.graph.results))
        self.assertRaises(tw.OutOfRange, program.collective, program.num_collectives)

    def test_values_come_from_where_they_say(self):
        program = planned().lower()
        instructions, values = list(program.instructions), list(program.locals)
        for value in values:
            self.assertIn(value.number, instructions[value.instruction].results)
        (one,) = [program.collective(i) for i in range(program.num_collectives)]
        self.assertEqual((one.kind, one.reduction, one.axes, one.times, one.method), ("all_reduce", "sum", ("model",), 1, "direct"))
        (before,), (after,) = instructions[one.instruction].operands, instructions[one.instruction].results
        self.assertEqual(str(program.local_sharding(before)), "[{data}, {}] +model")
        self.assertEqual(str(program.local_sharding(after)), "[{data}, {}]")
        maker = instructions[values[before].instruction]
        self.assertEqual((maker.kind, maker.reduce_axes), ("compute", ("model",)))
        self.assertEqual(program.graph.op(one.producer).name, "stablehlo.dot_general")

    def test_tiles_are_what_runs_take(self):
        program = planned().lower()
        executable = program.executable(tiles=True, workers=1)
        for i, argument in enumerate(program.graph.arguments):
            sharding = program.argument_sharding(i)
            for position in range(program.mesh.num_positions):
                self.assertEqual(tuple(sharding.tile(position)), executable.tile(False, i, position, len(argument.type.shape)))
        self.assertEqual(program.result_sharding(0).tile(3), executable.tile(True, 0, 3, 2))

    def test_levels(self):
        program = transformer().lower(levels="node=2")
        levelled = [one for one in (program.collective(i) for i in range(program.num_collectives)) if one.bytes_by_level]
        self.assertTrue(levelled)
        self.assertEqual({len(one.bytes_by_level) for one in levelled}, {2})

    def test_html(self):
        text = planned().lower()._repr_html_()
        self.assertIn("<td>all_reduce</td><td>model</td>", text)


class Graphs(unittest.TestCase):
    def test_donated(self):
        b = tw.Builder()
        x, y, z = b.donated_argument("x", "f32", (2,), 0), b.donated_argument("y", "f32", (2,)), b.argument("z", "f32", (2,))
        graph = b.result("r", x + y + z).finish()
        self.assertEqual([graph.donated_to(i) for i in range(3)], [0, -2, None])
        self.assertEqual(graph.grid_rank, 0)
        self.assertEqual([graph.symbol(graph.argument_value(i)) for i in range(3)], ["%arg0", "%arg1", "%arg2"])


if __name__ == "__main__":
    unittest.main()
