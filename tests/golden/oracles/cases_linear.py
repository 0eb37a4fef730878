# SPDX-License-Identifier: Apache-2.0
"""Products, convolutions, transforms and solvers."""

import numpy as np
from cases_movement import i64s, tensor
from make import Case, array, random, reals, type_of


def dims(values):
    return "[" + ", ".join(map(str, values)) + "]"


def dot(name, left, right, result, lb=(), rb=(), lc=(), rc=(), element="f32", to=None, precision=""):
    numbers = ", ".join(
        f"{key} = {dims(v)}"
        for key, v in (
            ("lhs_batching_dimensions", lb),
            ("rhs_batching_dimensions", rb),
            ("lhs_contracting_dimensions", lc),
            ("rhs_contracting_dimensions", rc),
        )
        if v
    )
    text = f'"stablehlo.dot_general"($0, $1) <{{dot_dimension_numbers = #stablehlo.dot<{numbers}>{precision}}}>'
    # A sum may begin with zero or with its first product: where there is no sum, a zero may have either sign.
    return Case(
        name, text, [random(element, left, 1, -2, 3), random(element, right, 2, -2, 3)], [tensor(result, to or element)], ulps=None if lc else 0
    )


def family_dot_general():
    for element in ("f32", "f64", "bf16", "f16", "i32", "i8", "ui8", "complex<f32>"):
        tag = element[:4].strip("<")
        yield dot(f"matrix_{tag}", (5, 7), (7, 3), (5, 3), lc=(1,), rc=(0,), element=element)
        yield dot(f"batched_{tag}", (3, 5, 4), (3, 4, 2), (3, 5, 2), lb=(0,), rb=(0,), lc=(2,), rc=(1,), element=element)
    for element, to in (("bf16", "f32"), ("f16", "f32"), ("i8", "i32"), ("ui8", "i32")):
        yield dot(f"{element}_to_{to}", (5, 7), (7, 3), (5, 3), lc=(1,), rc=(0,), element=element, to=to)
    yield dot("both_transposed", (7, 5), (3, 7), (5, 3), lc=(0,), rc=(1,))
    yield dot("two_contracted", (3, 4, 5), (4, 5, 2), (3, 2), lc=(1, 2), rc=(0, 1))
    yield dot("contracted_swapped", (3, 4, 5), (5, 4, 2), (3, 2), lc=(1, 2), rc=(1, 0))
    yield dot("two_batched", (2, 3, 5, 4), (2, 3, 4, 6), (2, 3, 5, 6), lb=(0, 1), rb=(0, 1), lc=(3,), rc=(2,))
    yield dot("batch_in_the_middle", (5, 3, 4), (4, 2, 3), (3, 5, 2), lb=(1,), rb=(2,), lc=(2,), rc=(0,))
    yield dot("outer", (5,), (3,), (5, 3))
    yield dot("vectors", (7,), (7,), (), lc=(0,), rc=(0,))
    yield dot("row_by_matrix", (7,), (7, 3), (3,), lc=(0,), rc=(0,))
    yield dot("empty_sum", (3, 0), (0, 2), (3, 2), lc=(1,), rc=(0,))
    yield dot("no_rows", (0, 4), (4, 2), (0, 2), lc=(1,), rc=(0,))
    yield dot("large", (33, 65), (65, 17), (33, 17), lc=(1,), rc=(0,))


def convolution(
    name,
    shape,
    kernel,
    strides=(1, 1),
    padding=((0, 0), (0, 0)),
    base=(1, 1),
    dilation=(1, 1),
    groups=1,
    batch_groups=1,
    element="f32",
    reverse=False,
):
    n, h, w, c = shape
    kh, kw, ci, co = kernel
    space = [
        ((x - 1) * b + 1 + lo + hi - ((k - 1) * d + 1)) // s + 1
        for x, k, s, (lo, hi), b, d in zip((h, w), (kh, kw), strides, padding, base, dilation)
    ]
    pads = ", ".join(f"[{lo}, {hi}]" for lo, hi in padding)
    numbers = "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
    text = (
        f'"stablehlo.convolution"($0, $1) <{{window_strides = {i64s(strides)}, padding = dense<[{pads}]> : tensor<2x2xi64>, lhs_dilation = {i64s(base)}, rhs_dilation = {i64s(dilation)}, '
        f"window_reversal = array<i1: {str(reverse).lower()}, false>, dimension_numbers = {numbers}, feature_group_count = {groups} : i64, batch_group_count = {batch_groups} : i64}}>"
    )
    return Case(name, text, [random(element, shape, 1, -2, 3), random(element, kernel, 2, -2, 3)], [tensor((n // batch_groups, *space, co), element)])


def family_convolution():
    for element in ("f32", "bf16", "f64", "i32"):
        yield convolution(f"valid_{element}", (2, 5, 7, 3), (3, 2, 3, 4), element=element)
    yield convolution("same", (1, 6, 5, 2), (3, 3, 2, 3), padding=((1, 1), (1, 1)))
    yield convolution("strided", (2, 7, 9, 2), (3, 3, 2, 2), strides=(2, 3))
    yield convolution("dilated_kernel", (1, 9, 8, 2), (3, 2, 2, 2), dilation=(2, 3))
    yield convolution("dilated_base", (1, 4, 5, 2), (3, 3, 2, 2), base=(2, 3), padding=((1, 1), (2, 2)))
    yield convolution("grouped", (1, 5, 5, 4), (3, 3, 2, 6), groups=2)
    yield convolution("depthwise", (2, 5, 5, 3), (2, 2, 1, 3), groups=3)
    yield convolution("batch_grouped", (4, 5, 5, 2), (2, 2, 2, 4), batch_groups=2)
    yield convolution("reversed", (1, 5, 5, 2), (3, 2, 2, 2), reverse=True)
    yield convolution("negative_padding", (1, 7, 6, 2), (2, 2, 2, 2), padding=((-1, 0), (1, -2)))
    yield convolution("one_by_one", (2, 5, 3, 4), (1, 1, 4, 3))
    yield convolution("everything", (2, 6, 5, 4), (3, 2, 2, 4), strides=(2, 1), padding=((2, 1), (0, 3)), base=(1, 2), dilation=(2, 1), groups=2)


def family_fft():
    for n in (4, 7, 12):
        a = random("complex<f64>", (3, n), n)
        for kind in ("FFT", "IFFT"):
            yield Case(
                f"{kind.lower()}_{n}",
                f'"stablehlo.fft"($0) <{{fft_type = #stablehlo<fft_type {kind}>, fft_length = {i64s((n,))}}}>',
                [a],
                [type_of(a)],
                tolerance=1e-11,
            )
        r = random("f64", (3, n), n)
        yield Case(
            f"rfft_{n}",
            f'"stablehlo.fft"($0) <{{fft_type = #stablehlo<fft_type RFFT>, fft_length = {i64s((n,))}}}>',
            [r],
            [tensor((3, n // 2 + 1), "complex<f64>")],
            tolerance=1e-11,
        )
    # The inverse takes values takes the first half of a spectrum, whose ends are real.
    half = random("complex<f64>", (2, 4), 5)
    half[:, 0], half[:, -1] = half[:, 0].real, half[:, -1].real
    yield Case(
        "irfft_6",
        f'"stablehlo.fft"($0) <{{fft_type = #stablehlo<fft_type IRFFT>, fft_length = {i64s((6,))}}}>',
        [half],
        [tensor((2, 6), "f64")],
        tolerance=1e-11,
    )
    a = random("complex<f32>", (4, 6), 1)
    yield Case(
        "fft_two_dimensions",
        f'"stablehlo.fft"($0) <{{fft_type = #stablehlo<fft_type FFT>, fft_length = {i64s((4, 6))}}}>',
        [a],
        [type_of(a)],
        tolerance=1e-4,
    )


def lower_matrix(n, seed, batch=()):
    rng = np.random.default_rng(seed)
    return np.tril(rng.integers(-2, 3, (*batch, n, n))) * (1 - np.eye(n)) + np.eye(n) * rng.integers(1, 4, n)


def family_cholesky():
    for element in ("f32", "f64"):
        for lower in (True, False):
            l = lower_matrix(4, 1, (3,))
            yield Case(
                f"cholesky_{element}_{'lower' if lower else 'upper'}",
                f'"stablehlo.cholesky"($0) <{{lower = {str(lower).lower()}}}>\n'.strip(),
                [array(element, l @ np.swapaxes(l, -1, -2))],
                [tensor((3, 4, 4), element)],
                tolerance=1e-4 if element == "f32" else 1e-10,
            )


def family_triangular_solve():
    for element in ("f32", "f64"):
        for left in (True, False):
            for lower in (True, False):
                for how in ("NO_TRANSPOSE", "TRANSPOSE"):
                    a = lower_matrix(4, 2)
                    a = array(element, a if lower else a.T)
                    b = random(element, (4, 3) if left else (3, 4), 3)
                    text = f'"stablehlo.triangular_solve"($0, $1) <{{left_side = {str(left).lower()}, lower = {str(lower).lower()}, unit_diagonal = false, transpose_a = #stablehlo<transpose {how}>}}>'
                    name = f"{element}_{'left' if left else 'right'}_{'lower' if lower else 'upper'}_{'plain' if how[0] == 'N' else 'transposed'}"
                    yield Case(name, text, [a, b], [type_of(b)], tolerance=1e-3 if element == "f32" else 1e-10)
    a, b = array("f64", lower_matrix(4, 2)), random("f64", (4, 3), 3)
    yield Case(
        "unit_diagonal",
        '"stablehlo.triangular_solve"($0, $1) <{left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}>',
        [a, b],
        [type_of(b)],
        tolerance=1e-10,
    )


def family_batch_norm():
    x, one = random("f32", (2, 5, 3), 1), lambda seed, low=-2, high=3: random("f32", (3,), seed, low, high)
    variance = one(4, 1, 5)
    yield Case(
        "inference",
        '"stablehlo.batch_norm_inference"($0, $1, $2, $3, $4) <{epsilon = 0.001 : f32, feature_index = 2 : i64}>',
        [x, one(1), one(2), one(3), variance],
        [type_of(x)],
        tolerance=1e-4,
    )
    yield Case(
        "training",
        '"stablehlo.batch_norm_training"($0, $1, $2) <{epsilon = 0.001 : f32, feature_index = 2 : i64}>',
        [x, one(1), one(2)],
        [type_of(x), "tensor<3xf32>", "tensor<3xf32>"],
        tolerance=1e-4,
    )
    yield Case(
        "gradient",
        '"stablehlo.batch_norm_grad"($0, $1, $2, $3, $4) <{epsilon = 0.001 : f32, feature_index = 2 : i64}>',
        [x, one(1), one(2), variance, random("f32", (2, 5, 3), 7)],
        [type_of(x), "tensor<3xf32>", "tensor<3xf32>"],
        tolerance=1e-3,
    )
