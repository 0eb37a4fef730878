# SPDX-License-Identifier: Apache-2.0
"""Misuse is a clean exception: objects that are closed, wrong types, shapes, names and values. Each call raises what it should."""

import array
import os
import tempfile
import unittest

import support
import tilewright as tw
from support import floats, inputs, mlp, planned

GRAPH = mlp()


def closed(thing):
    thing.close()
    thing.close()  # again is fine
    return thing


def builder(use):
    """A builder with one argument, given to `use`."""
    b = tw.Builder()
    return lambda: use(b, b.argument("x", "f32", (2, 3)))


def executable():
    return planned().lower().executable(workers=1)


def seen(tensor):
    """Closes a tensor while a buffer looks at it."""
    with memoryview(tensor):
        tensor.close()


def f64():
    return [tw.tensor(array.array("d", bytes(8 * 48))), *inputs(GRAPH)[1:]]


CALLS = {
    tw.FailedPrecondition: [
        lambda: closed(tw.Mesh(a=2)).axes,
        lambda: closed(tw.Mesh(a=2)).num_devices,
        lambda: GRAPH.plan(closed(tw.Mesh(a=2))),
        lambda: closed(mlp()).name,
        lambda: list(closed(mlp()).ops),
        lambda: closed(planned()).tile("x", 0, "data"),
        lambda: closed(planned()).lower(),
        lambda: closed(planned()).sharding("x"),
        lambda: closed(planned().lower()).num_collectives,
        lambda: closed(planned().lower()).report(),
        lambda: closed(executable()).run(*inputs(GRAPH)),
        lambda: closed(executable()).counters,
        lambda: closed(tw.Tensor((2,))).shape,
        lambda: closed(tw.Tensor((2,))).fill("ones"),
        lambda: closed(tw.Tensor((2,))).__dlpack__(),
        lambda: executable().run(closed(tw.Tensor((8, 6))), *inputs(GRAPH)[1:]),
        lambda: closed(tw.redistribute("f32[4] [{x}]", "[{}]", "x=2")).method,
        lambda: closed(tw.Builder()).finish(),
        lambda: closed(tw.CustomCalls()).add("a", "i -> i"),
        lambda: closed(executable().start(*inputs(GRAPH))).wait(),
        lambda: executable().trace(),
        lambda: seen(tw.Tensor((2,))),
        lambda: closed(tw.Sharding("x=2", (4,), ["x"])).tiles,
        lambda: closed(planned()).conflicts,
        lambda: list(closed(planned().lower()).instructions),
        lambda: planned().lower().executable(context=closed(tw.Context())),
    ],
    tw.InvalidArgument: [
        lambda: tw.Mesh("a=0"),
        lambda: tw.Mesh("a b"),
        lambda: tw.Mesh(a=-1),
        lambda: tw.Tensor((2,), "f33"),
        lambda: tw.Tensor((-2,)),
        lambda: tw.loads("no program"),
        lambda: tw.loads(b"\xff\xfe\x00"),
        lambda: executable().run(*f64()),
        lambda: executable().run(*inputs(GRAPH)[:2]),
        lambda: executable().run(*inputs(GRAPH), outputs=[tw.Tensor((1,))]),
        lambda: executable().run(*inputs(GRAPH), outputs=[]),
        lambda: executable().run(tw.Tensor((6, 8)), *inputs(GRAPH)[1:]),
        lambda: GRAPH.evaluate(),
        lambda: tw.Tensor((2,)).fill("pattern"),
        lambda: tw.Tensor((2, 2)).fill_part((4,), (0,), "ones"),
        lambda: tw.Tensor((2,)).compare(tw.Tensor((3,))),
        lambda: GRAPH.plan("data=2", policy="mine"),
        lambda: tw.tensor(floats(1, 2), dtype="f64"),
        lambda: tw.redistribute("f32[4] [{x}]", "f32[5] [{}]", "x=2"),
        lambda: tw.redistribute("nonsense", "[{}]", "x=2"),
        builder(lambda b, x: b.result("y", b.einsum("ij,jk->ik", x, x)).finish()),
        builder(lambda b, x: b.result("y", tw.Builder().argument("z", "f32", (1,)))),
        builder(lambda b, x: b.result("y", b.reshape(x, (7,))).finish()),
        builder(lambda b, x: b.result("y", b.add("add", x)).finish()),
    ],
    tw.NotFound: [
        lambda: planned().tile("nobody", 0, "data"),
        lambda: planned().tile("x", 0, "nobody"),
        lambda: planned().sharding("nobody"),
        lambda: planned().lower(without=["nothing"]),
        lambda: GRAPH.value("nobody"),
    ],
    tw.OutOfRange: [
        lambda: planned().tile("x", 9, "data"),
        lambda: GRAPH.op(10**6),
        lambda: GRAPH.value(10**6),
        lambda: GRAPH.region(9),
        lambda: planned().lower().explain_collective(99),
        lambda: planned().lower().collective(99),
        lambda: planned().lower().local_sharding(10**6),
        lambda: planned().value_sharding(10**6),
        lambda: planned().loops(10**6),
        lambda: tw.Mesh("a=" + "9" * 9),
    ],
    TypeError: [
        lambda: tw.Mesh(7),
        lambda: tw.Mesh("a=2", b=2),
        lambda: tw.Mesh(a="2"),
        lambda: GRAPH.plan(GRAPH),
        lambda: tw.Plan(tw.Mesh(a=2), tw.Mesh(a=2)),
        lambda: planned().tile(7, 0, "data"),
        lambda: planned().tile("x", "0", "data"),
        lambda: planned().tile("x", 0.5, "data"),
        lambda: planned().on_action(7),
        lambda: planned().lower(without=7),
        lambda: executable().run(object()),
        lambda: executable().run([1, 2], None, "x"),
        lambda: tw.tensor("text"),
        lambda: tw.tensor(None),
        lambda: tw.Graph(),
        lambda: tw.Run(),
        lambda: tw._core.tw_mesh_num_axes(),
        lambda: tw._core.tw_mesh_num_axes(7),
        lambda: tw._core.tensor_from_dlpack(tw.Tensor((2,)).__dlpack__),
        builder(lambda b, x: b.result("y", 7)),
        builder(lambda b, x: x + 1),
        builder(lambda b, x: b.shard(x, "[{x}, {}]")),
        builder(lambda b, x: b.region([("f32", ())], 7)),
    ],
    ValueError: [lambda: planned().tile("x\0y", 0, "data")],
    OverflowError: [lambda: tw.Mesh(a=2**80), lambda: tw._core.tw_graph_argument_name(GRAPH, -1)],
    BufferError: [lambda: tw.Tensor((2,)).__dlpack__(dl_device=(8, 0)), lambda: tw.Tensor((2,)).__dlpack__(dl_device=(2, 0))],
}


class Misuse(unittest.TestCase):
    def test_every_call_raises(self):
        count = 0
        for expected, calls in CALLS.items():
            for i, call in enumerate(calls):
                with self.subTest(expected=expected.__name__, call=i):
                    with self.assertRaises(expected):
                        call()
                count += 1
        self.assertGreaterEqual(count, 60)

    def test_what_an_error_says(self):
        with self.assertRaises(tw.Error) as caught:
            tw.loads("func.func @main(%x: tensor<4xf32) {", file="a.mlir")
        error = caught.exception
        self.assertEqual((error.id, error.file, error.line, error.column), ("TW-101", "a.mlir", 1, 33))
        self.assertIn("^", "".join(error.notes))
        self.assertTrue(str(error).startswith("a.mlir:1:33: expected '>'"))
        self.assertIn(error.id, tw.diagnostics())

    def test_missing_libraries_give_their_packages(self):
        lacks = "cannot open shared object file: No such file or directory"
        advice = tw._load.advice
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "libtilewright.so.0"), "wb") as file:
                file.write(b"\0libfmt.so.9\0libhwy.so.1\0libc.so.6\0")
            self.assertTrue(advice(f"libfmt.so.9: {lacks}", folder).endswith("apt-get install libfmt9 libhwy1"))
        self.assertTrue(advice(f"libdnnl.so.2: {lacks}", "/nowhere").endswith("apt-get install libdnnl2"))
        self.assertIn("LD_LIBRARY_PATH", advice(f"libtilewright.so.0: {lacks}", "/nowhere"))
        self.assertEqual(advice("libfmt.so.9: undefined symbol: fmt", "/nowhere"), "")
        self.assertEqual(advice("cannot import name '_core'", "/nowhere"), "")

    def test_messages_speak_python(self):
        plan = planned()
        for call, says in (
            (lambda: plan.tile("x", "0", "data"), "dim: expected an integer, not str"),
            (lambda: plan.argument_sharding("x"), "i: expected an integer, not str"),
            (lambda: plan.lower().report(-1), "width: -1 is negative, and the least is 0"),
            (lambda: plan.tile("x", 1 << 70, "data"), "dim: 1180591620717411303424 is out of range"),
            (lambda: plan.lower(without="bogus"), "there is no optional pass 'bogus'"),
            (lambda: plan.lower(without=["simplify", 1]), "expected str, not int"),
            (lambda: tw.loads(None), "expected str or bytes, not NoneType"),
            (lambda: plan.apply(["propagate"]), "expected str or bytes, not list"),
            (lambda: tw.Mesh(["data"]), "axes are text, a dict or keywords, Mesh(data=2, model=4), not list"),
            (lambda: tw.Mesh(data=2.0), "axis 'data': expected an integer, not float"),
            (lambda: tw.Sharding("[{}]", (4,), "x=2"), "mesh '[{}]': expected NAME=SIZE"),
            (lambda: tw.Sharding("x=2", "[{x}]", (4,)), "shape: expected the sizes of the array, not '[{x}]'"),
            (lambda: tw.loads("", names="xy"), "names: expected one str for each argument, not a single one"),
            (lambda: tw.Tensor((2,), "fp32"), "there is no element type 'fp32'; nearest: 'f32'; there are: f64, f32"),
            (builder(lambda b, x: x + 1), "expected a value of this builder, not int: splat(1, dtype) makes one"),
        ):
            with self.assertRaises(Exception) as caught:
                call()
            self.assertIn(says, str(caught.exception))
            self.assertNotIn("in method", str(caught.exception))
        self.assertLess(plan.lower(without="share_moves").num_collectives, 99)

    def test_what_is_no_array_is_named(self):
        good = inputs(GRAPH)
        run = executable().run
        columns = memoryview(bytearray(4 * 72)).cast("f", (6, 12))[::2]
        for call, says in (
            (lambda: run(good[0], [1.0], good[2]), "input 1 (w1): a list is no array"),
            (lambda: run(good[0], columns, good[2]), "input 1 (w1): the array is not dense and row-major"),
            (lambda: run(good[0], good[1], object()), "input 2 (w2): a object is no array"),
            (lambda: run(good), "input 0: a list is no array: jax.tree.leaves gives those of a tree, numpy.asarray makes one of numbers; "
                "the 3 arrays x, w1, w2 come one by one, as in run(*arrays)"),
            (lambda: run(*good, outputs=[None]), "output 0: a NoneType is no array"),
            (lambda: run(*good, outputs=[memoryview(bytes(4 * 48)).cast("f", (8, 6))]), "output 0 may only be read: "),
            (lambda: executable().start(good[0], good[1], 3.0), "input 2 (w2): a float is no array"),
            (lambda: GRAPH.evaluate(None, *good[1:]), "input 0 (x): a NoneType is no array"),
            (lambda: GRAPH.find_nonfinite(*good[:2], "w2"), "input 2 (w2): a str is no array"),
        ):
            with self.assertRaises((tw.Error, TypeError)) as caught:
                call()
            self.assertTrue(str(caught.exception).startswith(says), caught.exception)

    def test_messages_have_names_of_python(self):
        """Not those that C has for the same."""

        def unlike():
            b = tw.Builder()
            b.result("y", b.argument("x", "f32", (2,)) + b.argument("z", "f32", (3,)))
            b.finish()

        unknown = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = \"a.b\"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return %y : tensor<4xf32>\n}"
        for call, says in (
            (lambda: planned().search("a100-40g", cap_bytes=-1), "cap_bytes is -1"),
            (lambda: planned().lower().executable(memory_limit=-1), "memory_limit is -1: at least 0"),
            (unlike, "Builder.binary"),
            (lambda: tw.Search(planned(), "a100-40g").spec, "call Search.run before"),
            (lambda: tw.loads(unknown), "allow_unknown=True of load"),
        ):
            with self.assertRaises(tw.Error) as caught:
                call()
            self.assertIn(says, str(caught.exception))
            self.assertNotRegex(str(caught.exception), "tw_|options->|--allow")

    def test_numbers_that_are_none(self):
        """Numbers count from 0; those that are none are no answer, and negative ones are told as they were given."""
        plan = planned()
        program, graph = plan.lower(), plan.graph
        executable = program.executable()
        for what, calls in {
            "argument": (plan.argument_sharding, program.argument_sharding, graph.donated_to, graph.argument_value, executable.donated_to,
                         lambda i: executable.tile(False, i, 0, 2)),
            "result": (plan.result_sharding, program.result_sharding, program.result_exact, graph.result_value),
            "value": (plan.value_sharding, graph.value, graph.value_name, graph.symbol),
            "op": (plan.loops, graph.op, graph.constant, graph.location),
            "region": (graph.region,),
            "collective": (program.collective, program.explain_collective, program.picture),
            "local value": (program.local_sharding,),
            "device": (executable.peak_bytes, lambda i: executable.tile(False, 0, i, 2)),
            "dimension": (plan.argument_sharding(0).num_tiles,),
        }.items():
            for i, call in enumerate(calls):
                for number in (77, -1):
                    with self.subTest(what=what, call=i), self.assertRaisesRegex(tw.OutOfRange, f"there is no {what} {number}: there (are|is) "):
                        call(number)
        self.assertRaisesRegex(tw.OutOfRange, "argument -1: there are 3, numbered 0 to 2", plan.argument_sharding, -1)

    def test_a_builder_that_failed_has_no_values(self):
        b = tw.Builder()
        x = b.argument("x", "f32", (2, 3))
        self.assertEqual((repr(x), repr(x @ x)), ("<value %0>", "<no value: check() says why>"))

    def test_every_function_survives_nothing(self):
        """NULL for every object: an exception or an answer, never a crash."""
        for name in dir(tw._core):
            if not name.startswith("tw_") or name.startswith("tw_mpi") or name == "tw_machine_limits":
                continue
            for count in range(8):
                try:
                    getattr(tw._core, name)(*[None] * count)
                except (TypeError, ValueError, OverflowError, tw.Error):
                    pass

    def test_used_capsules(self):
        capsule = tw.Tensor((2,)).__dlpack__()
        tw._core.tensor_from_dlpack(capsule)
        self.assertRaises(TypeError, tw._core.tensor_from_dlpack, capsule)


if __name__ == "__main__":
    unittest.main()
