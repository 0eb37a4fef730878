# SPDX-License-Identifier: Apache-2.0
"""Sets of arrays on disk for reshard.py, written and read byte by byte, and what random layouts make of them, element by element."""

import itertools
import json
import struct

SIZES = {"F32": 4, "BF16": 2, "F16": 2, "F64": 8, "I64": 8, "U8": 1, "BOOL": 1, "C64": 8, "I16": 2, "F8_E4M3": 1, "I8": 1, "I32": 4, "U16": 2, "U32": 4, "U64": 8}


def count(dims):
    n = 1
    for d in dims:
        n *= d
    return n


def write_safetensors(path, arrays):
    header, data = {}, b""
    for name, (dtype, dims, elements) in arrays.items():
        header[name] = {"dtype": dtype, "shape": list(dims), "data_offsets": [len(data), len(data) + len(elements)]}
        data += elements
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8 : 8 + size])
    at = 8 + size
    assert at % 8 == 0, "the data begins at a multiple of 8"
    arrays = {}
    for name, about in header.items():
        if name != "__metadata__":
            begin, end = about["data_offsets"]
            assert begin % max(1, SIZES[about["dtype"]]) == 0, "elements lie at multiples of their size"
            arrays[name] = (about["dtype"], tuple(about["shape"]), data[at + begin : at + end])
    return arrays


def box_of(elements, dims, item, offset, extent):
    """The bytes of a box, element by element."""
    out = b""
    for index in itertools.product(*(range(o, o + e) for o, e in zip(offset, extent))):
        at = 0
        for i, n in zip(index, dims):
            at = at * n + i
        out += elements[at * item : (at + 1) * item]
    return out


def tile(rule, n, tiles, t):
    if rule == "ceil":
        width = -(-n // tiles)
        return min(t * width, n), min((t + 1) * width, n)
    return t * n // tiles, (t + 1) * n // tiles


def random_arrays(random):
    arrays = {}
    for i in range(random.randint(1, 5)):
        dtype = random.choice(list(SIZES))
        dims = tuple(random.choice([0, 1, 2, 3, 5, 8, 13]) if random.random() < 0.9 else 29 for _ in range(random.randint(0, 3)))
        elements = random.randbytes(count(dims) * SIZES[dtype])
        arrays[f"layer.{i}.w\u00fc"] = (dtype, dims, elements)
    return arrays


def random_layout(random, arrays):
    """A mesh as text, sizes of its axes, and for each array axes and rule by dimension."""
    axes = {name: random.randint(1, 3) for name in "abc"[: random.randint(1, 3)]}
    layout = {}
    for name, (_, dims, _) in arrays.items():
        by_dim = [([], random.choice(["balanced", "ceil"])) for _ in dims]
        for axis in random.sample(list(axes), len(axes)):
            where = random.randint(0, len(dims))
            if where < len(dims):
                by_dim[where][0].append(axis)
        layout[name] = by_dim
    return axes, layout


def text_of(by_dim):
    return "[" + ", ".join("{" + ",".join(axes) + "}" + (":ceil" if rule == "ceil" and axes else "") for axes, rule in by_dim) + "]"


def tile_of(axes, by_dim, dims, device):
    """Offset and extent of what a device holds."""
    place, rest = {}, device
    for axis in reversed(axes):
        place[axis] = rest % axes[axis]
        rest //= axes[axis]
    offset, extent = [], []
    for (names, rule), n in zip(by_dim, dims):
        tiles = t = 0
        tiles = count([axes[a] for a in names])
        for a in names:
            t = t * axes[a] + place[a]
        begin, end = tile(rule, n, tiles, t)
        offset.append(begin)
        extent.append(end - begin)
    return offset, extent


def write_layout(path, layout):
    with open(path, "w", encoding="utf-8") as file:
        for name, by_dim in layout.items():
            file.write(f"{name}   {text_of(by_dim)}  # of {name}\n")
