# SPDX-License-Identifier: Apache-2.0
"""Makes the small sets of arrays that tests read, with plain Python: make.py FOLDER. `hub` is a set of two files as model hubs have
them: a layer of a transformer, whose elements count up."""

import json
import os
import struct
import sys


def floats(n, first):
    return struct.pack(f"<{n}f", *(first + i for i in range(n)))


def bfloats(n, first):
    return b"".join(struct.pack("<f", first + i)[2:] for i in range(n))


def safetensors(path, arrays):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, dims, elements) in arrays.items():
        header[name] = {"dtype": dtype, "shape": dims, "data_offsets": [len(data), len(data) + len(elements)]}
        data += elements
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def hub(folder):
    os.makedirs(folder, exist_ok=True)
    files = [
        {"embed.weight": ("BF16", [12, 8], bfloats(96, 0)), "layers.0.attn.wq": ("F32", [8, 8], floats(64, 100))},
        {"layers.0.mlp.w1": ("F32", [8, 16], floats(128, 200)), "layers.0.mlp.w2": ("F32", [16, 8], floats(128, 400)), "step": ("I64", [], struct.pack("<q", 1000))},
    ]
    names = [f"model-{i + 1:05}-of-{len(files):05}.safetensors" for i in range(len(files))]
    for name, arrays in zip(names, files):
        safetensors(os.path.join(folder, name), arrays)
    index = {"metadata": {"total_size": sum(len(a[2]) for f in files for a in f.values())}, "weight_map": {a: n for n, f in zip(names, files) for a in f}}
    with open(os.path.join(folder, "model.safetensors.index.json"), "w", encoding="utf-8") as file:
        json.dump(index, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    hub(os.path.join(sys.argv[1], "hub"))
