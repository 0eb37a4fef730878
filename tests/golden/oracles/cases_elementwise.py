# SPDX-License-Identifier: Apache-2.0
"""Elementwise ops: each type, edge values, uneven sizes."""

import itertools

import numpy as np
from make import COMPLEX, FLOATS, INTEGERS, SIGNED, TYPES, UNSIGNED, Case, array, is_float, random, reals, type_of

INF, NAN = np.inf, np.nan
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.75, -3.75, 100.0, -100.0, INF, -INF]


def short(element):
    return element.replace("complex<", "c").replace(">", "").lower()


def bounds(element):
    info = np.iinfo(TYPES[element])
    return [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, info.max // 2, info.max // 3, 7, 5]


def split_nan(name, text, inputs, results):
    """Exact float ops: elements whose result is NaN get a module of their own, so that the others are checked bit for bit."""
    whole = Case(name, text, inputs, results(inputs))
    nan = np.isnan(whole.evaluate()[0].astype(np.complex128))
    for suffix, keep in (("", ~nan), ("_nan", nan)):
        if keep.any():
            kept = [a[keep] for a in inputs]
            yield Case(name + suffix, text, kept, results(kept))


def same(inputs):
    return [type_of(inputs[0])]


def pairs(element):
    values = [0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 7.0, -100.0, INF, -INF, NAN]
    both = list(itertools.product(values, values))
    return [array(element, [p[i] for p in both]) for i in (0, 1)]


def unary(op, types, seed=1):
    for element in types:
        if element in INTEGERS:
            values = array(element, bounds(element))
            yield Case(f"{op}_{short(element)}", f'"stablehlo.{op}"($0)', [values], same([values]))
        elif element in FLOATS:
            values = array(element, EDGES + [NAN] + list(np.random.default_rng(seed).uniform(-8, 8, 12)))
            yield from split_nan(f"{op}_{short(element)}", f'"stablehlo.{op}"($0)', [values], same)
        else:
            values = random(element, (3, 5), seed)
            yield Case(f"{op}_{short(element)}", f'"stablehlo.{op}"($0)', [values], same([values]))


def binary(op, integers=(), floats=(), others=()):
    text = f'"stablehlo.{op}"($0, $1)'
    for element in integers:
        a = array(element, bounds(element))
        b = np.roll(a, 3)
        yield Case(f"{op}_{short(element)}", text, [a, b], same([a]))
    for element in floats:
        yield from split_nan(f"{op}_{short(element)}", text, pairs(element), same)
        a, b = reals(element, (5, 7), 1), reals(element, (5, 7), 2)
        yield Case(f"{op}_{short(element)}_matrix", text, [a, b], same([a]))
    for element in others:
        a, b = random(element, (3, 7), 1), random(element, (3, 7), 2)
        yield Case(f"{op}_{short(element)}", text, [a, b], same([a]))


# --- Exact arithmetic ------------------------------------------------------------------------------------------------


def family_add():
    yield from binary("add", INTEGERS, FLOATS, ["i1", *COMPLEX])


def family_subtract():
    yield from binary("subtract", INTEGERS, FLOATS, COMPLEX)


def family_multiply():
    yield from binary("multiply", INTEGERS, FLOATS, ["i1", *COMPLEX])


def family_maximum():
    yield from binary("maximum", ["i8", "i32", "ui16", "ui64"], FLOATS, ["i1"])


def family_minimum():
    yield from binary("minimum", ["i8", "i32", "ui16", "ui64"], FLOATS, ["i1"])


def divisors(element):
    """Numerators with divisors that are neither zero nor overflow."""
    a = array(element, bounds(element))
    b = array(element, [3, 7, 2, 5, 1, 3, 11, 2, 3, 7, 5])
    if element in SIGNED:
        b = (b * array(element, [1, -1, 1, -1, 1, -1, 1, 1, -1, -1, 1])).astype(TYPES[element])
    return [a, b]


def family_divide():
    for element in INTEGERS:
        both = divisors(element)
        yield Case(f"divide_{short(element)}", '"stablehlo.divide"($0, $1)', both, same(both))
    yield from binary("divide", (), FLOATS)
    for element in COMPLEX:
        a, b = random(element, (5,), 1), array(element, [1, 1j, 2, -2j, -4])
        yield Case(f"divide_{short(element)}", '"stablehlo.divide"($0, $1)', [a, b], same([a]), ulps=4)


def family_remainder():
    for element in INTEGERS:
        both = divisors(element)
        yield Case(f"remainder_{short(element)}", '"stablehlo.remainder"($0, $1)', both, same(both))
    yield from binary("remainder", (), FLOATS)


def family_bitwise():
    for op in ("and", "or", "xor"):
        yield from binary(op, ["i8", "ui16", "i32", "ui64"], (), ["i1"])
    yield from unary("not", ["i8", "ui16", "i32", "ui64"])
    a = random("i1", (7,), 3)
    yield Case("not_i1", '"stablehlo.not"($0)', [a], same([a]))


def family_shift():
    for op in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
        for element in ("i8", "i32", "i64", "ui16", "ui32"):
            width = np.iinfo(TYPES[element]).bits
            a = array(element, bounds(element))
            b = array(element, [0, 1, 2, 3, width - 1, width // 2, width, width + 1, 1, 2, 100])
            yield Case(f"{op}_{short(element)}", f'"stablehlo.{op}"($0, $1)', [a, b], same([a]))


def family_bits():
    for op in ("popcnt", "count_leading_zeros"):
        yield from unary(op, ["i8", "i16", "ui32", "i64", "ui64"])


def family_negate():
    yield from unary("negate", [*SIGNED, *FLOATS, *COMPLEX])


def family_abs():
    yield from unary("abs", [*SIGNED, *FLOATS])
    for element in COMPLEX:
        a = array(element, [3 + 4j, -5 + 12j, 0, 8 - 15j, -7j])
        part = "f32" if element == "complex<f32>" else "f64"
        yield Case(f"abs_{short(element)}", '"stablehlo.abs"($0)', [a], [f"tensor<5x{part}>"], ulps=1)


def family_sign():
    yield from unary("sign", [*SIGNED, *FLOATS])


def family_rounding():
    for op in ("floor", "ceil", "round_nearest_afz", "round_nearest_even"):
        yield from unary(op, FLOATS)


def family_is_finite():
    for element in FLOATS:
        a = array(element, [*EDGES, NAN])
        yield Case(f"is_finite_{short(element)}", '"stablehlo.is_finite"($0)', [a], ["tensor<17xi1>"])
    for op in ("is_inf", "is_neg_inf", "is_pos_inf"):
        a = array("f32", [*EDGES, NAN])
        yield Case(f"{op}_f32", f'"chlo.{op}"($0)', [a], ["tensor<17xi1>"])


def family_next_after():
    for element in FLOATS:
        a = array(element, [1.0, 1.0, -1.0, -1.0, 100.0, -3.5, 2.0])
        b = array(element, [2.0, 0.0, -2.0, 0.0, INF, -3.5, -INF])
        yield Case(f"next_after_{short(element)}", '"chlo.next_after"($0, $1)', [a, b], same([a]))


# --- Approximated functions ------------------------------------------------------------------------------------------

ANY = [0.0, 1.0, -1.0, 0.5, -0.5, 2.25, -2.25, 7.5, -7.5]
POSITIVE = [0.25, 0.5, 1.0, 1.5, 2.0, 10.0, 100.0, 1000.0]
UNIT = [0.0, 0.125, -0.125, 0.5, -0.5, 0.75, -0.75, 0.9375, -0.9375]
FUNCTIONS = {
    "stablehlo.cbrt": [*ANY, 8.0, -27.0, 1000.0],
    "stablehlo.cosine": ANY,
    "stablehlo.exponential": ANY,
    "stablehlo.exponential_minus_one": ANY,
    "stablehlo.log": POSITIVE,
    "stablehlo.log_plus_one": [0.0, -0.5, *POSITIVE],
    "stablehlo.logistic": ANY,
    "stablehlo.rsqrt": POSITIVE,
    "stablehlo.sine": ANY,
    "stablehlo.sqrt": [0.0, *POSITIVE],
    "stablehlo.tan": UNIT,
    "stablehlo.tanh": ANY,
    "chlo.acos": UNIT,
    "chlo.acosh": [1.0, 1.5, 2.0, 10.0, 100.0],
    "chlo.asin": UNIT,
    "chlo.asinh": ANY,
    "chlo.atan": ANY,
    "chlo.atanh": UNIT,
    "chlo.cosh": ANY,
    "chlo.sinh": ANY,
    "chlo.erf": ANY,
    "chlo.erfc": ANY,
    "chlo.erf_inv": UNIT,
    "chlo.lgamma": POSITIVE,
    "chlo.digamma": [0.25, 0.5, 1.0, 2.0, 3.5, 10.0, 100.0],
    "chlo.bessel_i1e": ANY,
    "chlo.square": ANY,
}
# Far from correctly rounded in XLA's double precision: compared by absolute distance.
LOOSE = {"chlo.lgamma": 1e-4, "chlo.digamma": 1e-5, "chlo.bessel_i1e": 1e-6, "chlo.erf_inv": 1e-6, "chlo.erfc": 1e-6}
SPECIAL = {  # what the ends of the line and NaN give
    "stablehlo.exponential": [INF, -INF, NAN],
    "stablehlo.log": [INF, 0.0, -1.0, NAN],
    "stablehlo.tanh": [INF, -INF, NAN],
    "stablehlo.sqrt": [INF, -1.0, NAN],
    "stablehlo.rsqrt": [INF, 0.0, NAN],
    "stablehlo.logistic": [INF, -INF, NAN],
    "stablehlo.sine": [NAN],
    "stablehlo.cosine": [NAN],
    "stablehlo.exponential_minus_one": [INF, -INF, NAN],
    "stablehlo.log_plus_one": [INF, -1.0, -2.0, NAN],
    "chlo.erf": [INF, -INF, NAN],
    "chlo.atan": [INF, -INF, NAN],
}


def family_functions():
    for op, values in FUNCTIONS.items():
        name = op.split(".")[1]
        for element in FLOATS:
            a = array(element, values)
            tolerance = LOOSE.get(op)
            if tolerance and element in ("f16", "bf16"):
                tolerance = 0.02 if element == "bf16" else 0.005
            yield Case(
                f"{name}_{short(element)}",
                f'"{op}"($0)',
                [a],
                same([a]),
                ulps=None if tolerance else (8 if element == "f64" else 2),
                tolerance=tolerance,
                through="f64",
            )
        if op in SPECIAL:
            a = array("f32", SPECIAL[op])
            yield Case(f"{name}_special", f'"{op}"($0)', [a], same([a]), ulps=1)


def family_functions_of_two():
    for element in FLOATS:
        a = array(element, [0.5, 1.0, 2.0, 3.0, 10.0, 0.25, 1.5])
        b = array(element, [2.0, -1.0, 0.5, 3.0, -2.0, 0.0, 2.5])
        ulps = 8 if element == "f64" else 2
        yield Case(f"power_{short(element)}", '"stablehlo.power"($0, $1)', [a, b], same([a]), ulps=ulps, through="f64")
        yield Case(f"atan2_{short(element)}", '"stablehlo.atan2"($0, $1)', [b, a], same([a]), ulps=ulps, through="f64")
    for element in ("i32", "i64", "ui8"):
        a, b = array(element, [0, 1, 2, 3, 5, 7]), array(element, [0, 5, 6, 4, 3, 1])
        yield Case(f"power_{short(element)}", '"stablehlo.power"($0, $1)', [a, b], same([a]))
    a, b = array("f64", [1.0, 2.0, 0.0, 3.0]), array("f64", [1.0, 2.5, 3.0, 4.0])
    yield Case("polygamma_f64", '"chlo.polygamma"($0, $1)', [a, b], same([a]), tolerance=1e-6)
    a, b = array("f64", [2.0, 3.0, 1.5, 4.0]), array("f64", [1.0, 2.0, 0.5, 3.25])
    yield Case("zeta_f64", '"chlo.zeta"($0, $1)', [a, b], same([a]), tolerance=1e-6)


def family_complex():
    for element, part in zip(COMPLEX, ("f32", "f64")):
        z, real = random(element, (3, 5), 1), f"tensor<3x5x{part}>"
        a, b = random(part, (3, 5), 2), random(part, (3, 5), 3)
        yield Case(f"complex_{part}", '"stablehlo.complex"($0, $1)', [a, b], [type_of(z)])
        yield Case(f"real_{part}", '"stablehlo.real"($0)', [z], [real])
        yield Case(f"imag_{part}", '"stablehlo.imag"($0)', [z], [real])
        yield Case(f"conj_{part}", '"chlo.conj"($0)', [z], [type_of(z)])
        a = array(element, [1 + 1j, 0.5 - 2j, -1 + 0.25j, 2, -0.75j])
        for op in ("exponential", "log", "sine", "cosine", "tanh", "sqrt", "logistic"):
            yield Case(f"{op}_{short(element)}", f'"stablehlo.{op}"($0)', [a], same([a]), tolerance=1e-5 if part == "f32" else 1e-12)
    for part in ("f32", "f64"):  # of a real array: its own parts
        a = random(part, (4,), 4)
        yield Case(f"real_of_{part}", '"stablehlo.real"($0)', [a], [type_of(a)])
        yield Case(f"imag_of_{part}", '"stablehlo.imag"($0)', [a], [type_of(a)])


# --- Choices and conversions -----------------------------------------------------------------------------------------


def family_compare():
    for direction in ("EQ", "NE", "LT", "LE", "GT", "GE"):
        for element, kind in (("i32", "SIGNED"), ("ui8", "UNSIGNED"), ("i1", "UNSIGNED"), ("f32", "FLOAT"), ("bf16", "FLOAT"), ("f64", "TOTALORDER")):
            if element in INTEGERS:
                a = array(element, bounds(element))
                b = np.roll(a, 1)
                b[:3] = a[:3]
            elif element == "i1":
                a, b = array(element, [0, 0, 1, 1]), array(element, [0, 1, 0, 1])
            else:
                a, b = pairs(element)
            text = f'"stablehlo.compare"($0, $1) <{{comparison_direction = #stablehlo<comparison_direction {direction}>, compare_type = #stablehlo<comparison_type {kind}>}}>'
            yield Case(f"compare_{direction.lower()}_{short(element)}_{kind.lower()}", text, [a, b], [f"tensor<{a.size}xi1>"])
    for direction in ("EQ", "NE"):
        a, b = random("complex<f32>", (9,), 1, 0, 2), random("complex<f32>", (9,), 2, 0, 2)
        yield Case(
            f"compare_{direction.lower()}_cf32",
            f'"stablehlo.compare"($0, $1) <{{comparison_direction = #stablehlo<comparison_direction {direction}>, compare_type = #stablehlo<comparison_type FLOAT>}}>',
            [a, b],
            ["tensor<9xi1>"],
        )


def family_select():
    for element in ("i1", "i8", "ui32", "i64", "bf16", "f32", "complex<f64>"):
        p, a, b = random("i1", (5, 3), 1), random(element, (5, 3), 2), random(element, (5, 3), 3)
        yield Case(f"select_{short(element)}", '"stablehlo.select"($0, $1, $2)', [p, a, b], [type_of(a)])
    p, a, b = array("i1", True), random("f32", (5, 3), 2), random("f32", (5, 3), 3)
    yield Case("select_scalar_predicate", '"stablehlo.select"($0, $1, $2)', [p, a, b], [type_of(a)])


def family_clamp():
    for element in ("i8", "i32", "ui16", "f16", "bf16", "f32", "f64"):
        low, a, high = array(element, 1), random(element, (3, 7), 1, -9, 10), array(element, 4)
        yield Case(f"clamp_{short(element)}", '"stablehlo.clamp"($0, $1, $2)', [low, a, high], [type_of(a)])
    low, a, high = random("f32", (7,), 1, -4, 0), random("f32", (7,), 2, -9, 10), random("f32", (7,), 3, 0, 5)
    yield Case("clamp_arrays", '"stablehlo.clamp"($0, $1, $2)', [low, a, high], [type_of(a)])
    a = array("f32", [NAN, INF, -INF, -0.0, 0.0])
    yield Case("clamp_special", '"stablehlo.clamp"($0, $1, $2)', [array("f32", -1), a, array("f32", 2)], [type_of(a)])


def convert(source, target, values):
    a = array(source, values)
    return Case(f"convert_{short(source)}_to_{short(target)}", '"stablehlo.convert"($0)', [a], [type_of(a.astype(TYPES[target]))])


SMALL_FLOATS = ["f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E4M3", "f8E3M4"]


def family_convert():
    for source in ("i1", "i8", "ui8", "i32", "ui32", "i64", "f16", "bf16", "f32", "f64"):
        for target in ("i1", "i8", "ui8", "i32", "ui32", "i64", "ui64", "f16", "bf16", "f32", "f64", "complex<f32>"):
            if source != target:
                values = [0, 1, 1, 0] if source == "i1" else [0, 1, 2, 3, 7, 100, 127]
                if target in ("f16", "bf16") and source not in ("i1", "i8", "ui8"):
                    values = [0, 1, 257, 2049, 4099, 60000 if source != "i8" else 3]
                if target in ("i32", "i64") and source in FLOATS:
                    values = [0.5, -0.5, 1.75, -1.75, 100.9, -100.9]
                yield convert(source, target, values)
    for small in SMALL_FLOATS:
        yield convert("f32", small, [0.0, -0.0, 1.0, 1.0625, 1.1875, -3.3, 0.1, 7.0, 13.3])
        yield convert(small, "f32", [0.0, 1.0, -1.5, 0.25, 7.0, 12.0, -0.125])


def family_bitcast_convert():
    for source, target in (("f32", "i32"), ("ui32", "f32"), ("f64", "i64"), ("f16", "ui16"), ("bf16", "i16"), ("i8", "ui8")):
        a = random(source, (3, 5), 1)
        yield Case(f"bitcast_{short(source)}_{short(target)}", '"stablehlo.bitcast_convert"($0)', [a], [f"tensor<3x5x{target}>"])
    a = random("f32", (3, 5), 1)
    yield Case("bitcast_narrower", '"stablehlo.bitcast_convert"($0)', [a], ["tensor<3x5x4xui8>"])
    yield Case("bitcast_to_half", '"stablehlo.bitcast_convert"($0)', [a], ["tensor<3x5x2xf16>"])
    a = random("ui8", (3, 4), 1, 0, 256)
    yield Case("bitcast_wider", '"stablehlo.bitcast_convert"($0)', [a], ["tensor<3xi32>"])


def family_reduce_precision():
    for exponent, mantissa in ((5, 10), (8, 7), (4, 3), (5, 2), (8, 23), (11, 52), (3, 1), (2, 5)):
        for element in ("f32", "f64", "bf16"):
            a = array(element, [0.0, -0.0, 1.0, 1.1, -3.3, 0.3, 1000.7, 70000.0, INF, -INF, 5.5])
            yield Case(
                f"reduce_precision_e{exponent}m{mantissa}_{short(element)}",
                f'"stablehlo.reduce_precision"($0) <{{exponent_bits = {exponent} : i32, mantissa_bits = {mantissa} : i32}}>',
                [a],
                [type_of(a)],
            )
