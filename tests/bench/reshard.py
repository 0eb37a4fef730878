#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tw reshard beside a plain copy of the same files.

    reshard.py BUILD [--gib N] [--memory 256MiB] [--folder DIR] [--repeat N]

Makes a set of N GiB (16) over a mesh of 8x1, sparse where the file system has holes, and writes it for 2x4: matrices as a transformer has them,
tiled by rows before, and by rows and columns after. The copy reads and writes each file of the source in pieces of 8 MiB and syncs it, which
is what the verb does besides cutting. Both write to the same folder, one after the other, in every repeat; the source is in no cache before
(it is dropped), as far as the system lets us. Exits with 1 where a limit is missed: 300 MiB of memory, 1.02 of the least bytes read,
1.25 of the time of the copy.
"""

import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import time

LIMITS = {"memory_mib": 300, "read_ratio": 1.02, "time_ratio": 1.25}
ROWS, COLUMNS = 4096, 8192  # 128 MiB of f32


def make(folder, gib):
    """Eight files of tiles and their index; elements are zeros, which take no room on the disk."""
    folder.mkdir()
    names = [f"layers.{i}.w" for i in range(gib * 8)]
    rows = ROWS // 8
    tile = rows * COLUMNS * 4
    for device in range(8):
        header = {n: {"dtype": "F32", "shape": [rows, COLUMNS], "data_offsets": [i * tile, (i + 1) * tile]} for i, n in enumerate(names)}
        text = json.dumps(header).encode()
        with open(folder / f"{device:05}.safetensors", "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            file.truncate(8 + len(text) + tile * len(names))
    parts = [{"file": f"{d:05}.safetensors", "offset": [d * rows, 0], "extent": [rows, COLUMNS]} for d in range(8)]
    index = {"mesh": "x=8", "tiles": {n: {"dtype": "F32", "shape": [ROWS, COLUMNS], "parts": parts} for n in names}}
    with open(folder / "model.safetensors.index.json", "w", encoding="utf-8") as file:
        json.dump(index, file)


def forget(folder):
    """Takes the files out of the cache."""
    for path in folder.iterdir():
        with open(path, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def copy(source, target):
    begin = time.monotonic()
    target.mkdir()
    buffer = memoryview(bytearray(8 << 20))
    for path in sorted(source.iterdir()):
        with open(path, "rb", buffering=0) as read, open(target / path.name, "wb", buffering=0) as write:
            while n := read.readinto(buffer):
                write.write(buffer[:n])
            os.fdatasync(write.fileno())
    return time.monotonic() - begin


def reshard(tool, source, target, memory):
    begin = time.monotonic()
    command = [tool, "reshard", source, target, "--mesh", "x=2,y=4", "--memory", memory, "--json", "-a",
               'tile(arg="*", dim=0, axis=x);tile(arg="*", dim=1, axis=y)']
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return time.monotonic() - begin, json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--gib", type=int, default=16)
    parser.add_argument("--memory", default="256MiB")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp"))
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    folder = options.folder / f"tilewright_reshard_{os.getpid()}"
    folder.mkdir()
    try:
        source = folder / "source"
        make(source, options.gib)
        copies, resharded, answer = [], [], {}
        for _ in range(options.repeat):
            forget(source)
            copies.append(copy(source, folder / "copy"))
            shutil.rmtree(folder / "copy")
            forget(source)
            seconds, answer = reshard(options.build / "src/tw", source, folder / "target", options.memory)
            resharded.append(seconds)
            shutil.rmtree(folder / "target")
            print(f"copy {copies[-1]:7.2f} s   reshard {resharded[-1]:7.2f} s   {resharded[-1] / copies[-1]:.2f}x")
    finally:
        shutil.rmtree(folder)
    figures = {
        "memory_mib": answer["peak_memory_bytes"] / 2**20,
        "read_ratio": answer["bytes_read"] / answer["least_bytes_read"],
        "time_ratio": sorted(b / a for a, b in zip(copies, resharded))[len(copies) // 2],
    }
    for name, value in figures.items():
        print(f"{name:12} {value:8.3f}   limit {LIMITS[name]:6.2f}   {'ok' if value <= LIMITS[name] else 'MISSED'}")
    return int(any(value > LIMITS[name] for name, value in figures.items()))


if __name__ == "__main__":
    sys.exit(main())
