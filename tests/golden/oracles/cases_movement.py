# SPDX-License-Identifier: Apache-2.0
"""Ops that move elements: shapes, slices, gathers, scatters."""

import numpy as np
from make import Case, array, random, type_of


def tensor(shape, element):
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def i64s(values):
    values = list(values)
    return "array<i64" + (": " + ", ".join(map(str, values)) if values else "") + ">"


def family_constant():
    for element in (
        "i1",
        "i4",
        "ui4",
        "i8",
        "ui16",
        "i32",
        "ui64",
        "f8E4M3FN",
        "f8E5M2",
        "f16",
        "bf16",
        "f32",
        "f64",
        "complex<f32>",
        "complex<f64>",
    ):
        a = random(element, (3, 5), 1)
        yield Case(f"constant_{element.replace('<', '').replace('>', '').lower()}", '"stablehlo.reshape"($0)', [a], [tensor((15,), element)])


def family_iota():
    for element in ("i8", "i32", "ui64", "f32", "bf16", "f64", "complex<f32>"):
        for dim in (0, 1):
            yield Case(
                f"iota_{element.replace('<', '').replace('>', '')}_{dim}",
                f'"stablehlo.iota"() <{{iota_dimension = {dim} : i64}}>',
                [],
                [tensor((5, 7), element)],
            )


def family_broadcast_in_dim():
    for name, shape, dims, result in (
        ("scalar", (), (), (3, 5)),
        ("row", (5,), (1,), (3, 5)),
        ("column", (3,), (0,), (3, 5)),
        ("ones", (3, 1), (0, 1), (3, 7)),
        ("inner", (2, 3), (0, 2), (2, 5, 3)),
        ("swap", (2, 3), (2, 0), (3, 5, 2)),
    ):
        for element in ("f32", "i8"):
            a = random(element, shape, 1)
            yield Case(
                f"broadcast_{name}_{element}",
                f'"stablehlo.broadcast_in_dim"($0) <{{broadcast_dimensions = {i64s(dims)}}}>',
                [a],
                [tensor(result, element)],
            )


def family_reshape():
    for name, shape, result in (
        ("split", (12,), (3, 4)),
        ("merge", (3, 4), (12,)),
        ("both", (6, 4), (3, 8)),
        ("uneven", (33, 5), (11, 15)),
        ("ones", (3, 1, 5), (1, 15, 1)),
        ("rank", (2, 3, 4), (4, 3, 2)),
    ):
        for element in ("f32", "i64", "i1"):
            yield Case(f"reshape_{name}_{element}", '"stablehlo.reshape"($0)', [random(element, shape, 1)], [tensor(result, element)])


def family_transpose():
    for order in ((1, 0), (0, 2, 1), (2, 0, 1), (2, 1, 0), (3, 0, 2, 1)):
        shape = (3, 5, 2, 4)[: len(order)]
        for element in ("f32", "bf16", "complex<f64>"):
            name = "".join(map(str, order))
            yield Case(
                f"transpose_{name}_{element[:4].strip('<')}",
                f'"stablehlo.transpose"($0) <{{permutation = {i64s(order)}}}>',
                [random(element, shape, 1)],
                [tensor([shape[i] for i in order], element)],
            )


def family_reverse():
    for dims in ((0,), (1,), (0, 1), ()):
        for element in ("f32", "ui8"):
            yield Case(
                f"reverse_{'_'.join(map(str, dims)) or 'none'}_{element}",
                f'"stablehlo.reverse"($0) <{{dimensions = {i64s(dims)}}}>',
                [random(element, (5, 7), 1)],
                [tensor((5, 7), element)],
            )


def family_slice():
    for name, start, limit, stride in (
        ("inner", (1, 2), (4, 6), (1, 1)),
        ("strided", (0, 1), (5, 7), (2, 3)),
        ("row", (3, 0), (4, 7), (1, 1)),
        ("empty", (2, 3), (2, 7), (1, 1)),
        ("whole", (0, 0), (5, 7), (1, 1)),
    ):
        shape = [-(-(l - s) // k) for s, l, k in zip(start, limit, stride)]
        for element in ("f32", "i16"):
            yield Case(
                f"slice_{name}_{element}",
                f'"stablehlo.slice"($0) <{{start_indices = {i64s(start)}, limit_indices = {i64s(limit)}, strides = {i64s(stride)}}}>',
                [random(element, (5, 7), 1)],
                [tensor(shape, element)],
            )


def family_pad():
    for name, low, high, inner in (
        ("edges", (1, 2), (3, 0), (0, 0)),
        ("interior", (0, 0), (0, 0), (1, 2)),
        ("negative", (-1, 0), (0, -2), (0, 0)),
        ("mixed", (-1, 2), (2, -3), (1, 1)),
        ("none", (0, 0), (0, 0), (0, 0)),
    ):
        shape = [n + l + h + (n - 1) * i for n, l, h, i in zip((5, 7), low, high, inner)]
        for element in ("f32", "i32"):
            yield Case(
                f"pad_{name}_{element}",
                f'"stablehlo.pad"($0, $1) <{{edge_padding_low = {i64s(low)}, edge_padding_high = {i64s(high)}, interior_padding = {i64s(inner)}}}>',
                [random(element, (5, 7), 1), array(element, 9)],
                [tensor(shape, element)],
            )


def family_concatenate():
    for name, dim, sizes in (("rows", 0, (2, 3, 1)), ("columns", 1, (4, 1)), ("one", 0, (5,)), ("empty", 1, (3, 0, 2)), ("many", 0, (1, 1, 1, 1, 1))):
        for element in ("f32", "i8"):
            parts = [random(element, (n, 4) if dim == 0 else (3, n), i) for i, n in enumerate(sizes)]
            total = (sum(sizes), 4) if dim == 0 else (3, sum(sizes))
            names = ", ".join(f"${i}" for i in range(len(parts)))
            yield Case(
                f"concatenate_{name}_{element}", f'"stablehlo.concatenate"({names}) <{{dimension = {dim} : i64}}>', parts, [tensor(total, element)]
            )
    a = random("f32", (1, 4), 1)
    yield Case(
        "concatenate_itself",
        '"stablehlo.concatenate"($0, $0, $0) <{dimension = 0 : i64}> : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>#typed',
        [a],
        [tensor((3, 4), "f32")],
    )


def family_dynamic_slice():
    for name, start in (("inside", (1, 2)), ("clamped_high", (9, 9)), ("clamped_low", (-3, -1)), ("begin", (0, 0))):
        for element, index in (("f32", "i32"), ("i64", "i64")):
            inputs = [random(element, (5, 7), 1), *(array(index, s) for s in start)]
            yield Case(
                f"dynamic_slice_{name}_{element}",
                f'"stablehlo.dynamic_slice"($0, $1, $2) <{{slice_sizes = {i64s((2, 3))}}}>',
                inputs,
                [tensor((2, 3), element)],
            )
            update = random(element, (2, 3), 2)
            yield Case(
                f"dynamic_update_slice_{name}_{element}",
                '"stablehlo.dynamic_update_slice"($0, $1, $2, $3)',
                [inputs[0], update, *inputs[1:]],
                [tensor((5, 7), element)],
            )


def gather(name, element, shape, indices, sizes, result, index="i32", sorted_indices=False, **numbers):
    dims = ", ".join(f"{key} = [{', '.join(map(str, value))}]" for key, value in numbers.items() if key != "index_vector_dim" and value)
    text = f'"stablehlo.gather"($0, $1) <{{dimension_numbers = #stablehlo.gather<{dims}, index_vector_dim = {numbers["index_vector_dim"]}>, slice_sizes = {i64s(sizes)}, indices_are_sorted = {str(sorted_indices).lower()}}}>'
    return Case(name, text, [random(element, shape, 1), array(index, indices)], [tensor(result, element)])


def family_gather():
    for element in ("f32", "i8", "i1", "complex<f32>"):
        tag = element[:4].strip("<")
        yield gather(
            f"rows_{tag}",
            element,
            (7, 3),
            [[2], [6], [0], [2]],
            (1, 3),
            (4, 3),
            offset_dims=[1],
            collapsed_slice_dims=[0],
            start_index_map=[0],
            index_vector_dim=1,
        )
    yield gather(
        "rows_clamped",
        "f32",
        (7, 3),
        [[-5], [6], [99], [1]],
        (1, 3),
        (4, 3),
        offset_dims=[1],
        collapsed_slice_dims=[0],
        start_index_map=[0],
        index_vector_dim=1,
    )
    yield gather(
        "rows_sorted",
        "f32",
        (7, 3),
        [[0], [1], [6]],
        (1, 3),
        (3, 3),
        index="i64",
        sorted_indices=True,
        offset_dims=[1],
        collapsed_slice_dims=[0],
        start_index_map=[0],
        index_vector_dim=1,
    )
    yield gather(
        "columns", "f32", (3, 7), [[2], [5]], (3, 1), (3, 2), offset_dims=[0], collapsed_slice_dims=[1], start_index_map=[1], index_vector_dim=1
    )
    yield gather(
        "elements", "f32", (3, 7), [[2, 5], [0, 0], [1, 6]], (1, 1), (3,), collapsed_slice_dims=[0, 1], start_index_map=[0, 1], index_vector_dim=1
    )
    yield gather(
        "elements_swapped",
        "f32",
        (3, 7),
        [[5, 2], [0, 0], [6, 1]],
        (1, 1),
        (3,),
        collapsed_slice_dims=[0, 1],
        start_index_map=[1, 0],
        index_vector_dim=1,
    )
    yield gather("windows", "f32", (5, 7), [[1, 2], [3, 9]], (2, 3), (2, 2, 3), offset_dims=[1, 2], start_index_map=[0, 1], index_vector_dim=1)
    yield gather(
        "vector_first", "f32", (5, 7), [[1, 3, 0], [2, 0, 6]], (1, 1), (3,), collapsed_slice_dims=[0, 1], start_index_map=[0, 1], index_vector_dim=0
    )
    yield gather(
        "scalar_indices", "f32", (7, 3), [2, 0, 5], (1, 3), (3, 3), offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1
    )
    yield gather(
        "batched",
        "i32",
        (4, 5),
        [[1], [0], [4], [9]],
        (1, 1),
        (4,),
        offset_dims=[],
        collapsed_slice_dims=[1],
        operand_batching_dims=[0],
        start_indices_batching_dims=[0],
        start_index_map=[1],
        index_vector_dim=1,
    )
    yield gather(
        "batched_rows",
        "f32",
        (3, 5, 2),
        [[[1], [0]], [[4], [2]], [[3], [9]]],
        (1, 1, 2),
        (3, 2, 2),
        offset_dims=[2],
        collapsed_slice_dims=[1],
        operand_batching_dims=[0],
        start_indices_batching_dims=[0],
        start_index_map=[1],
        index_vector_dim=2,
    )
    yield gather(
        "matrix_of_rows",
        "bf16",
        (7, 3),
        [[[2], [6]], [[0], [1]]],
        (1, 3),
        (2, 2, 3),
        offset_dims=[2],
        collapsed_slice_dims=[0],
        start_index_map=[0],
        index_vector_dim=2,
    )


BODIES = {
    "set": "stablehlo.return %new : {t}",
    "add": "%s = stablehlo.add %old, %new : {t}\nstablehlo.return %s : {t}",
    "mul": "%s = stablehlo.multiply %old, %new : {t}\nstablehlo.return %s : {t}",
    "min": "%s = stablehlo.minimum %old, %new : {t}\nstablehlo.return %s : {t}",
    "max": "%s = stablehlo.maximum %old, %new : {t}\nstablehlo.return %s : {t}",
}


def scatter(name, body, element, shape, indices, updates, unique=False, **numbers):
    dims = ", ".join(f"{key} = [{', '.join(map(str, value))}]" for key, value in numbers.items() if key != "index_vector_dim" and value)
    t = f"tensor<{element}>"
    head = f'"stablehlo.scatter"($0, $1, $2) <{{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<{dims}, index_vector_dim = {numbers["index_vector_dim"]}>, unique_indices = {str(unique).lower()}}}> ({{'
    inputs = [random(element, shape, 1), array("i32", indices), random(element, updates, 2)]
    tail = f'}}) : ({", ".join(map(type_of, inputs))}) -> {tensor(shape, element)}'
    text = head + f"\n^bb0(%old: {t}, %new: {t}):\n" + BODIES[body].format(t=t) + "\n" + tail
    return Case(name, text.replace("\n", " ") + "#typed", inputs, [tensor(shape, element)])


def family_scatter():
    for body in BODIES:
        for element in ("f32", "i32"):
            yield scatter(
                f"rows_{body}_{element}",
                body,
                element,
                (7, 3),
                [[2], [6], [0]],
                (3, 3),
                unique=True,
                update_window_dims=[1],
                inserted_window_dims=[0],
                scatter_dims_to_operand_dims=[0],
                index_vector_dim=1,
            )
    for body in ("add", "max"):
        yield scatter(
            f"repeated_{body}",
            body,
            "f32",
            (7, 3),
            [[2], [2], [0], [2]],
            (4, 3),
            update_window_dims=[1],
            inserted_window_dims=[0],
            scatter_dims_to_operand_dims=[0],
            index_vector_dim=1,
        )
        yield scatter(
            f"outside_{body}",
            body,
            "i32",
            (7, 3),
            [[-1], [7], [3], [99]],
            (4, 3),
            update_window_dims=[1],
            inserted_window_dims=[0],
            scatter_dims_to_operand_dims=[0],
            index_vector_dim=1,
        )
        yield scatter(
            f"elements_{body}",
            body,
            "bf16",
            (3, 7),
            [[2, 5], [0, 0], [1, 6]],
            (3,),
            inserted_window_dims=[0, 1],
            scatter_dims_to_operand_dims=[0, 1],
            index_vector_dim=1,
        )
        yield scatter(
            f"windows_{body}",
            body,
            "f32",
            (5, 7),
            [[1, 2], [3, 4]],
            (2, 2, 3),
            update_window_dims=[1, 2],
            scatter_dims_to_operand_dims=[0, 1],
            index_vector_dim=1,
        )
        yield scatter(
            f"columns_{body}",
            body,
            "f32",
            (3, 7),
            [[2], [5]],
            (3, 2),
            update_window_dims=[0],
            inserted_window_dims=[1],
            scatter_dims_to_operand_dims=[1],
            index_vector_dim=1,
        )
        yield scatter(
            f"batched_{body}",
            body,
            "i32",
            (4, 5),
            [[1], [0], [4], [2]],
            (4,),
            inserted_window_dims=[1],
            input_batching_dims=[0],
            scatter_indices_batching_dims=[0],
            scatter_dims_to_operand_dims=[1],
            index_vector_dim=1,
        )
        yield scatter(
            f"vector_first_{body}",
            body,
            "f32",
            (5, 7),
            [[1, 3, 0], [2, 0, 6]],
            (3,),
            inserted_window_dims=[0, 1],
            scatter_dims_to_operand_dims=[0, 1],
            index_vector_dim=0,
        )
