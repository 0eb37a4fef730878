# SPDX-License-Identifier: Apache-2.0
"""Control flow, random bits, and ops that order or pass on values."""

from cases_movement import tensor
from make import Case, array, random, type_of


def family_while():
    for element in ("f32", "i32"):
        for turns in (0, 1, 5):
            t = f"tensor<3x4x{element}>"
            text = (
                f'"stablehlo.while"($0, $1) ({{ ^bb0(%i: tensor<i32>, %x: {t}): %n = stablehlo.constant dense<{turns}> : tensor<i32> '
                "%c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }, "
                f"{{ ^bb0(%i: tensor<i32>, %x: {t}): %one = stablehlo.constant dense<1> : tensor<i32> %j = stablehlo.add %i, %one : tensor<i32> "
                f"%y = stablehlo.add %x, %x : {t} stablehlo.return %j, %y : tensor<i32>, {t} }})"
            )
            yield Case(f"doubles_{turns}_{element}", text, [array("i32", 0), random(element, (3, 4), 1)], ["tensor<i32>", t])
    text = (
        '"stablehlo.while"($0) ({ ^bb0(%x: tensor<5xi32>): %zero = stablehlo.constant dense<0> : tensor<i32> '
        '%s = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({ ^bb1(%a: tensor<i32>, %b: tensor<i32>): %t = stablehlo.add %a, %b : tensor<i32> stablehlo.return %t : tensor<i32> }) : (tensor<5xi32>, tensor<i32>) -> tensor<i32> '
        "%n = stablehlo.constant dense<100> : tensor<i32> %c = stablehlo.compare LT, %s, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }, "
        "{ ^bb0(%x: tensor<5xi32>): %y = stablehlo.add %x, %x : tensor<5xi32> stablehlo.return %y : tensor<5xi32> })"
    )
    yield Case("until_a_sum", text, [array("i32", [1, 2, 3, 4, 5])], ["tensor<5xi32>"])


def family_branches():
    t = "tensor<5x3xf32>"
    for taken in (True, False):
        text = (
            f"%p = stablehlo.constant dense<{str(taken).lower()}> : tensor<i1>\n"
            + f'"stablehlo.if"(%p) ({{ %y = stablehlo.add $0, $0 : {t} stablehlo.return %y : {t} }}, {{ %y = stablehlo.negate $0 : {t} stablehlo.return %y : {t} }}) : (tensor<i1>) -> {t}#typed'
        )
        yield Case(f"if_{str(taken).lower()}", text, [random("f32", (5, 3), 1)], [t])
    for index in (-1, 0, 1, 2, 9):
        text = (
            f"%p = stablehlo.constant dense<{index}> : tensor<i32>\n"
            f'"stablehlo.case"(%p) ({{ %y = stablehlo.add $0, $0 : {t} stablehlo.return %y : {t} }}, {{ stablehlo.return $0 : {t} }}, {{ %y = stablehlo.negate $0 : {t} stablehlo.return %y : {t} }}) : (tensor<i32>) -> {t}#typed'
        )
        yield Case(f"case_{index}".replace("-", "minus_"), text, [random("f32", (5, 3), 1)], [t])


def family_rng_bit_generator():
    for algorithm, words in (("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3)):
        state = array("ui64", [3, 12345, 7][:words])
        for element, shape in (("ui32", (7,)), ("ui32", (3, 4)), ("ui64", (5,))):
            result = tensor(shape, element)
            yield Case(
                f"{algorithm.lower()}_{words}_{element}_{len(shape)}",
                f'"stablehlo.rng_bit_generator"($0) <{{rng_algorithm = #stablehlo<rng_algorithm {algorithm}>}}>',
                [state],
                [type_of(state), result],
            )


def family_rng():
    """Which numbers are drawn is nobody's promise; that they lie within their bounds is."""
    text = (
        "%shape = stablehlo.constant dense<[9, 5]> : tensor<2xi64>\n"
        '%x = "stablehlo.rng"($0, $1, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<9x5xf32>\n'
        "%y = stablehlo.clamp $0, %x, $1 : (tensor<f32>, tensor<9x5xf32>, tensor<f32>) -> tensor<9x5xf32>\n"
        "stablehlo.compare EQ, %x, %y, FLOAT : (tensor<9x5xf32>, tensor<9x5xf32>) -> tensor<9x5xi1>#typed"
    )
    yield Case("uniform_within_bounds", text, [array("f32", -2.0), array("f32", 3.0)], ["tensor<9x5xi1>"])


def family_order():
    a, b = random("f32", (5, 3), 1), random("i32", (7,), 2)
    yield Case("optimization_barrier", '"stablehlo.optimization_barrier"($0, $1)', [a, b], [type_of(a), type_of(b)])
    text = '%t = "stablehlo.create_token"() : () -> !stablehlo.token\n%u = "stablehlo.after_all"(%t, %t) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token\n"stablehlo.negate"($0)'
    yield Case("tokens", text, [a], [type_of(a)])
