# SPDX-License-Identifier: Apache-2.0
"""Reductions, windows, sorts."""

from cases_movement import i64s, tensor
from make import Case, array, random, reals, type_of

OPS = {"add": 0, "multiply": 1, "maximum": None, "minimum": None, "and": None, "or": None, "xor": None}


def start(op, element):
    """What a reduction begins with; not always what changes nothing."""
    return array(element, {"add": 0, "multiply": 1, "maximum": 2 if element.startswith("u") else -3, "minimum": 3, "and": 1, "or": 0, "xor": 1}[op])


def region(op, element):
    t = f"tensor<{element}>"
    return f"({{ ^bb0(%a: {t}, %b: {t}): %s = stablehlo.{op} %a, %b : {t} stablehlo.return %s : {t} }})"


def reduce(name, op, element, shape, dims, begin=None):
    a, init = random(element, shape, 1, -2, 3), start(op, element) if begin is None else array(element, begin)
    result = tensor([n for d, n in enumerate(shape) if d not in dims], element)
    return Case(name, f'"stablehlo.reduce"($0, $1) <{{dimensions = {i64s(dims)}}}> {region(op, element)}', [a, init], [result])


def family_reduce():
    for op in OPS:
        elements = ("i1", "i32", "ui8") if op in ("and", "or", "xor") else ("f32", "bf16", "i32", "f64") if op != "multiply" else ("f32", "i64")
        for element in elements:
            for dims in ((0,), (1,), (0, 1)):
                yield reduce(f"{op}_{element}_{''.join(map(str, dims))}", op, element, (5, 7), dims)
    yield reduce("middle", "add", "f32", (3, 5, 2), (1,))
    yield reduce("outer_and_inner", "maximum", "f32", (3, 5, 2), (0, 2))
    yield reduce("nothing", "add", "f32", (3, 5), ())
    yield reduce("empty", "add", "f32", (3, 0), (1,), begin=4)
    yield reduce("large", "add", "f32", (33, 65), (1,))
    yield reduce("other_start", "add", "i32", (5, 7), (0,), begin=11)
    yield reduce("complex", "add", "complex<f32>", (5, 7), (1,))
    a, i = reals("f32", (5, 7), 1), array("i32", [list(range(7))] * 5)
    body = (
        "({ ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>): "
        "%gt = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1> "
        "%eq = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1> "
        "%lt = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> "
        "%both = stablehlo.and %eq, %lt : tensor<i1> %take = stablehlo.or %gt, %both : tensor<i1> "
        "%v = stablehlo.select %take, %a, %b : tensor<i1>, tensor<f32> %n = stablehlo.select %take, %i, %j : tensor<i1>, tensor<i32> "
        "stablehlo.return %v, %n : tensor<f32>, tensor<i32> })"
    )
    for dim in (0, 1):
        kept = tensor([n for d, n in enumerate((5, 7)) if d != dim], "f32"), tensor([n for d, n in enumerate((5, 7)) if d != dim], "i32")
        yield Case(
            f"argmax_{dim}",
            f'"stablehlo.reduce"($0, $1, $2, $3) <{{dimensions = {i64s((dim,))}}}> {body}',
            [a, i, array("f32", float("-inf")), array("i32", 0)],
            list(kept),
        )
    x, y = random("i32", (5, 7), 1), random("i32", (5, 7), 2)
    two = (
        "({ ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>): %s = stablehlo.add %a, %c : tensor<i32> "
        "%m = stablehlo.maximum %b, %d : tensor<i32> stablehlo.return %s, %m : tensor<i32>, tensor<i32> })"
    )
    yield Case(
        "sum_and_maximum",
        f'"stablehlo.reduce"($0, $1, $2, $3) <{{dimensions = {i64s((1,))}}}> {two}',
        [x, y, array("i32", 0), array("i32", -9)],
        ["tensor<5xi32>", "tensor<5xi32>"],
    )


def window(name, op, element, shape, size, strides=(1, 1), base=(1, 1), dilation=(1, 1), padding=((0, 0), (0, 0))):
    extents = []
    for n, w, s, b, d, (low, high) in zip(shape, size, strides, base, dilation, padding):
        padded, reach = (n - 1) * b + 1 + low + high, (w - 1) * d + 1
        extents.append((padded - reach) // s + 1)
    pads = ", ".join(f"[{low}, {high}]" for low, high in padding)
    init = {"add": 0, "maximum": -100, "minimum": 100, "multiply": 1}[op]
    return Case(
        name,
        f'"stablehlo.reduce_window"($0, $1) <{{window_dimensions = {i64s(size)}, window_strides = {i64s(strides)}, base_dilations = {i64s(base)}, window_dilations = {i64s(dilation)}, padding = dense<[{pads}]> : tensor<{len(shape)}x2xi64>}}> {region(op, element)}',
        [random(element, shape, 1), array(element, init)],
        [tensor(extents, element)],
    )


def family_reduce_window():
    for op in ("add", "maximum", "minimum"):
        for element in ("f32", "i32", "bf16"):
            yield window(f"{op}_{element}", op, element, (7, 9), (3, 2))
        yield window(f"{op}_strided", op, "f32", (7, 9), (3, 2), strides=(2, 3))
        yield window(f"{op}_padded", op, "f32", (7, 9), (3, 3), padding=((1, 1), (2, 0)))
        yield window(f"{op}_dilated", op, "f32", (7, 9), (2, 3), dilation=(3, 2))
        yield window(f"{op}_base", op, "f32", (5, 4), (2, 3), base=(2, 3), padding=((0, 1), (1, 0)))
        yield window(f"{op}_all", op, "i32", (5, 7), (2, 3), strides=(2, 1), base=(1, 2), dilation=(2, 1), padding=((1, 2), (0, 3)))
        yield window(f"{op}_cumulative", op, "f32", (3, 7), (1, 7), padding=((0, 0), (6, 0)))
        yield window(f"{op}_cumulative_reverse", op, "i32", (5, 3), (5, 1), padding=((0, 4), (0, 0)))
    yield window("multiply", "multiply", "f32", (5, 7), (2, 2))
    yield window("one", "add", "f32", (5, 7), (1, 1), strides=(2, 2))


def family_select_and_scatter():
    for name, direction, size, strides, padding in (
        ("maximum", "GE", (2, 2), (2, 2), ((0, 0), (0, 0))),
        ("minimum", "LE", (2, 3), (2, 3), ((0, 0), (0, 0))),
        ("padded", "GE", (3, 3), (2, 2), ((1, 0), (0, 1))),
        ("overlapping", "GE", (3, 2), (1, 1), ((0, 0), (0, 0))),
    ):
        for element in ("f32", "i32"):
            shape = (6, 9)
            places = [(n + l + h - w) // s + 1 for n, w, s, (l, h) in zip(shape, size, strides, padding)]
            t, kind = f"tensor<{element}>", "FLOAT" if element == "f32" else "SIGNED"
            pads = ", ".join(f"[{low}, {high}]" for low, high in padding)
            text = (
                f'"stablehlo.select_and_scatter"($0, $1, $2) <{{window_dimensions = {i64s(size)}, window_strides = {i64s(strides)}, padding = dense<[{pads}]> : tensor<2x2xi64>}}> '
                f"({{ ^bb0(%a: {t}, %b: {t}): %c = stablehlo.compare {direction}, %a, %b, {kind} : ({t}, {t}) -> tensor<i1> stablehlo.return %c : tensor<i1> }}, "
                f"{{ ^bb0(%a: {t}, %b: {t}): %s = stablehlo.add %a, %b : {t} stablehlo.return %s : {t} }})"
            )
            inputs = [random(element, shape, 1, -50, 50), random(element, places, 2), array(element, 0)]
            yield Case(f"{name}_{element}", text, inputs, [tensor(shape, element)])


def sort(name, inputs, dim, direction, kind, stable=True):
    elements = [type_of(a)[7:-1].split("x")[-1] for a in inputs]
    names = ", ".join(f"%p{i}: tensor<{e}>, %q{i}: tensor<{e}>" for i, e in enumerate(elements))
    t = f"tensor<{elements[0]}>"
    text = (
        f'"stablehlo.sort"({", ".join(f"${i}" for i in range(len(inputs)))}) <{{dimension = {dim} : i64, is_stable = {str(stable).lower()}}}> '
        f"({{ ^bb0({names}): %c = stablehlo.compare {direction}, %p0, %q0, {kind} : ({t}, {t}) -> tensor<i1> stablehlo.return %c : tensor<i1> }})"
    )
    return Case(name, text, inputs, [type_of(a) for a in inputs])


def family_sort():
    for dim in (0, 1):
        for element, kind in (("f32", "TOTALORDER"), ("i32", "SIGNED"), ("ui8", "UNSIGNED"), ("bf16", "FLOAT")):
            yield sort(f"ascending_{element}_{dim}", [random(element, (5, 7), dim, -50, 50)], dim, "LT", kind)
        yield sort(f"descending_{dim}", [random("f64", (5, 7), dim, -50, 50)], dim, "GT", "FLOAT")
        yield sort(f"with_payload_{dim}", [random("i32", (5, 7), dim, 0, 4), random("f32", (5, 7), 9)], dim, "LT", "SIGNED")
    yield sort("three", [random("i32", (9,), 1, 0, 3), random("f32", (9,), 2), random("i8", (9,), 3)], 0, "LT", "SIGNED")
    yield sort("special", [array("f32", [0.0, float("nan"), -0.0, float("inf"), -1.0, float("-inf")])], 0, "LT", "TOTALORDER")


def family_top_k():
    for element in ("f32", "i32", "bf16", "ui8"):
        for k in (1, 3, 7):
            a = random(element, (4, 7), k, -50, 50)
            yield Case(f"top_{k}_{element}", f'"chlo.top_k"($0) <{{k = {k} : i64}}>', [a], [tensor((4, k), element), tensor((4, k), "i32")])


def family_map():
    for element in ("f32", "i32"):
        t = f"tensor<{element}>"
        text = f'"stablehlo.map"($0, $1) <{{dimensions = {i64s((0, 1))}}}> ({{ ^bb0(%a: {t}, %b: {t}): %m = stablehlo.multiply %a, %b : {t} %s = stablehlo.add %m, %a : {t} stablehlo.return %s : {t} }})'
        a, b = random(element, (5, 3), 1), random(element, (5, 3), 2)
        yield Case(f"multiply_add_{element}", text, [a, b], [type_of(a)])
