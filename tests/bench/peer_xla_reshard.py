#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Redistribution against XLA: random problems of the redistribution paper's Section 8 on 8 in-process CPU devices, ours, a
jitted reshard and jax.device_put.

    peer_xla_reshard.py                       # the 1000 problems of seed 20211231
    peer_xla_reshard.py --count 50            # the first 50
    peer_xla_reshard.py --json FILE           # every problem with its times and bytes

Both of XLA's ways make immutable arrays, and where devices hold equal tiles they may share them (device_put does). So "ms" gives
every device a tile of its own, and "shared_ms" shares as XLA may. The floor copies
the bytes that devices receive and no more: with a tile of its own a device also writes what it keeps, 1.4 times as many bytes.

Arrays are scaled to at most 64 MiB: the largest dimension 8m becomes 8*ceil(m/2) until they are. XLA's bytes are counted in
its optimised HLO, its results compared element by element. Problems in which ours was slower are timed again, alone, up to
three times. XLA runs with glibc keeping freed memory, so that it does not pay for returning its buffers in each run.

Without jax it says so and exits 77.
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import hlo_bytes

ROOT = Path(__file__).resolve().parents[2]
AXES, DEVICES, MOST_BYTES = ("a", "b", "c"), 8, 64 << 20
GLIBC_KEEP = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=137438953472:glibc.malloc.arena_max=1"
XLA_FLAG = f"--xla_force_host_platform_device_count={DEVICES}"


# --- Problems --------------------------------------------------------------------------------------------------------


class Problem:
    def __init__(self, shape, src, dst):
        self.shape, self.src, self.dst = shape, src, dst  # axes of each dimension, minor to major

    def scaled(self):
        shape = list(self.shape)
        while 4 * math.prod(shape) > MOST_BYTES:
            i = shape.index(max(shape))
            shape[i] = 8 * -(-shape[i] // 16)
        return Problem(shape, self.src, self.dst)

    def text(self, dims):
        """In the paper's spelling."""
        tile = lambda n, axes: f"{n >> len(axes)}{{{','.join(axes)}}}{n}" if axes else str(n)
        return "[" + ", ".join(map(tile, self.shape, dims)) + "]"

    def tile(self, dims, device):
        """Begin and end per dimension of what a device holds."""
        at = dict(zip(AXES, (device >> 2 & 1, device >> 1 & 1, device & 1)))
        box = []
        for n, axes in zip(self.shape, dims):
            width = n >> len(axes)
            index = sum(at[axis] << i for i, axis in enumerate(axes))
            box.append((index * width, (index + 1) * width))
        return box

    def missing_bytes(self):
        """What a device must receive, by device: its target tile without its source tile."""
        missing = []
        for d in range(DEVICES):
            before, after = self.tile(self.src, d), self.tile(self.dst, d)
            size = math.prod(end - begin for begin, end in after)
            kept = math.prod(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in zip(before, after))
            missing.append(4 * (size - kept))
        return missing


def random_problem(rng):
    """Section 8: near-cubic f32 arrays of 64 to 800 MiB, every axis on some dimension or none, on either side."""
    low, high = 64 << 20, 800 << 20
    while True:
        rank = rng.choice((2, 3, 4, 5, 6))
        base = (rng.uniform(low, high) / 4) ** (1.0 / rank)
        shape = [max(8, int(round(base * rng.uniform(0.8, 1.25) / 8)) * 8) for _ in range(rank)]
        if low <= math.prod(shape) * 4 <= high:
            break

    def side():
        dims, order = [[] for _ in range(rank)], list(AXES)
        rng.shuffle(order)
        for axis in order:
            choice = rng.randrange(rank + 1)
            if choice < rank:
                dims[choice].append(axis)
        return dims

    return Problem(shape, side(), side())


def problems(count, seed):
    rng = random.Random(seed)
    return [random_problem(rng).scaled() for _ in range(count)]


# --- XLA -------------------------------------------------------------------------------------------------------------


class Xla:
    def __init__(self):
        import jax
        import numpy as np

        self.jax, self.np = jax, np
        devices = np.array(jax.devices("cpu")[:DEVICES]).reshape(2, 2, 2)
        self.mesh = jax.sharding.Mesh(devices, AXES)

    def sharding(self, dims):
        spec = [tuple(reversed(axes)) or None for axes in dims]
        return self.jax.sharding.NamedSharding(self.mesh, self.jax.sharding.PartitionSpec(*spec))

    def measure(self, p, runs):
        jax, np = self.jax, self.np
        src, dst = self.sharding(p.src), self.sharding(p.dst)
        whole = np.arange(math.prod(p.shape), dtype=np.float32).reshape(p.shape)
        x = jax.block_until_ready(jax.device_put(whole, src))
        reshard = jax.jit(lambda a: a, in_shardings=src, out_shardings=dst).lower(x).compile()
        # An array keeps the host's copy of itself, and a later device_put starts from that: every run gets a fresh one.
        fresh = jax.jit(lambda a: a + 0, in_shardings=src, out_shardings=src)
        ways = {"jit": reshard, "device_put": lambda a: jax.device_put(a, dst)}
        row = {"bytes": hlo_bytes.count(reshard.as_text(), DEVICES)[1]}
        for name, way in ways.items():
            for shard in jax.block_until_ready(way(x)).addressable_shards:
                if not np.array_equal(np.asarray(shard.data), whole[shard.index]):
                    sys.exit(f"XLA's {name} is wrong: {p.text(p.src)} -> {p.text(p.dst)}, device {shard.device}")
            times = []
            for _ in range(runs):
                y = jax.block_until_ready(fresh(x))
                start = time.perf_counter()
                jax.block_until_ready(way(y))
                times.append(1e3 * (time.perf_counter() - start))
            row[name] = statistics.median(times)
        return row


# --- Ours ------------------------------------------------------------------------------------------------------------


def ours(cases, runs):
    """Rows {"ms", "shared_ms", "floor_ms", "bytes"}; the program checks every element it moves."""
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder) / "problems.json", Path(folder) / "times.json"
        given.write_text(json.dumps([{"mesh": "a=2,b=2,c=2", "src": p.text(p.src), "dst": p.text(p.dst)} for p in cases]))
        environment = {k: v for k, v in os.environ.items() if k != "GLIBC_TUNABLES"}
        subprocess.run([ROOT / "dev", "bench", "redistribute", "--problems", given, "--rounds", str(runs), "--json", made],
                       check=True, env=environment, stdout=sys.stderr)
        return json.loads(made.read_text())["problems"]


def geomean(values):
    return math.exp(statistics.fmean(map(math.log, values))) if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=20211231)
    parser.add_argument("--runs", type=int, default=7, help="timed runs of each, after one to warm up")
    parser.add_argument("--json", type=Path, help="write every problem with its figures")
    c = parser.parse_args()
    if os.environ.get("GLIBC_TUNABLES") != GLIBC_KEEP or XLA_FLAG not in os.environ.get("XLA_FLAGS", ""):
        os.environ["GLIBC_TUNABLES"] = GLIBC_KEEP
        os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {XLA_FLAG}".strip()
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        os.execv(sys.executable, [sys.executable, *sys.argv])
    try:
        xla = Xla()
    except ImportError as error:
        print(f"skipped: this needs jax, {error}", file=sys.stderr)
        sys.exit(77)

    cases = [p for p in problems(c.count, c.seed) if sum(p.missing_bytes()) > 0]
    rows = [row | {"problem": f"{p.text(p.src)} -> {p.text(p.dst)}", "missing": statistics.fmean(p.missing_bytes())}
            for p, row in zip(cases, ours(cases, c.runs))]
    for i, (p, row) in enumerate(zip(cases, rows)):
        row["xla"] = xla.measure(p, c.runs)
        if sys.stderr.isatty():
            print(f"\r{i + 1} of {len(cases)}", end="", file=sys.stderr)

    best = lambda row: min(row["xla"]["jit"], row["xla"]["device_put"])
    slower = [i for i, row in enumerate(rows) if row["shared_ms"] > best(row)]
    again = slower
    for _ in range(3):
        still = []
        for i in again:
            row, xla_row = ours([cases[i]], c.runs)[0], xla.measure(cases[i], c.runs)
            if row["shared_ms"] > min(xla_row["jit"], xla_row["device_put"]):
                still.append(i)
        again = still

    report = {
        "problems": c.count,
        "communicating": len(rows),
        "bytes_to_bound": geomean([row["bytes"] / row["missing"] for row in rows]),
        "xla_bytes_to_bound": geomean([row["xla"]["bytes"] / row["missing"] for row in rows]),
        "xla_bytes_to_bound_max": max(row["xla"]["bytes"] / row["missing"] for row in rows),
        "ms_to_floor": geomean([row["ms"] / row["floor_ms"] for row in rows]),
        "shared_ms_to_floor": geomean([row["shared_ms"] / row["floor_ms"] for row in rows]),
        "jit_to_floor": geomean([row["xla"]["jit"] / row["floor_ms"] for row in rows]),
        "faster_than_jit": geomean([row["xla"]["jit"] / row["ms"] for row in rows]),
        "faster_than_device_put": geomean([row["xla"]["device_put"] / row["ms"] for row in rows]),
        "faster_than_best": geomean([best(row) / row["ms"] for row in rows]),
        "shared_faster_than_best": geomean([best(row) / max(row["shared_ms"], 1e-3) for row in rows]),
        "slower_than_best": len(slower),
        "slower_than_best_alone_three_times": len(again),
    }
    print(json.dumps(report, indent=2))
    for i in again:
        print(f"slower: {rows[i]['problem']}", file=sys.stderr)
    if c.json:
        c.json.write_text(json.dumps(report | {"rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
