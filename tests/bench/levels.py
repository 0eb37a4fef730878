#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An all_gather and an all_reduce of 16 MiB over two nodes of two processes, whose link takes 1 Gbit/s: planned for the nodes, and straight.

  levels.py BUILD_FOLDER

The nodes are network namespaces; exits with 77 where those cannot be made. A floor is what enters a node over what the link takes.
Straight is one group that holds all devices: without --levels the processes find their hosts, and gathers are planned for those.
"""
import json
import os
import pathlib
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "exec"))

RATE = "1gbit"
BYTES_PER_MS = 1e9 / 8 / 1e3
LEAST = 1.5  # times as fast as straight
TURNS = 3
GATHER = """func.func @main(%x: tensor<2048x2048xf32>, %w: tensor<2048x1xf32>) -> tensor<2048x1xf32> {
  %y = stablehlo.negate %x : tensor<2048x2048xf32>
  %r = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0]
    : (tensor<2048x2048xf32>, tensor<2048x1xf32>) -> tensor<2048x1xf32>
  return %r : tensor<2048x1xf32>
}
"""
REDUCE = """func.func @main(%x: tensor<2048x4xf32>, %w: tensor<4x2048xf32>) -> tensor<2048x2048xf32> {
  %r = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2048x4xf32>, tensor<4x2048xf32>) -> tensor<2048x2048xf32>
  return %r : tensor<2048x2048xf32>
}
"""
STRAIGHT, PLANNED = "node=1", "node=2"
# The program, its sharding, and what enters a node: straight, and as planned.
CASES = {
    "all_gather": (GATHER, 'tile(arg=x, dim=0, axis=d); atomic(value="%y", axis=d); propagate', (16 << 20, 8 << 20)),
    "all_reduce": (REDUCE, "tile(arg=x, dim=1, axis=d); infer-propagate", (32 << 20, 16 << 20)),
}


def methods(report):
    """How the collectives of a program that ran go."""
    return {collective["method"] for collective in report["collectives"]}


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    os.environ.setdefault("TW_SOURCE_ROOT", str(ROOT))
    os.environ.setdefault("TW_BUILD_ROOT", str(folder))
    os.environ.setdefault("TW_PLUGINS", str(folder / "src"))
    import mpi
    import mpi_namespaces as nodes

    mpi.need_plugin("openmpi")
    launcher = mpi.launcher("openmpi")
    print(f"{'of 16 MiB':12}{'straight ms':>13}{'floor':>7}{'levels ms':>11}{'floor':>7}{'times as fast':>15}{'at least':>10}")
    missed = 0
    with tempfile.TemporaryDirectory() as place:
        try:
            if not nodes.make(rate=RATE):
                print("no network namespaces, or no tc, here: skipped")
                sys.exit(77)
            for name, (text, actions, entering) in CASES.items():
                program = pathlib.Path(place) / f"{name}.mlir"
                program.write_text(text)
                times = {STRAIGHT: [], PLANNED: []}
                for _ in range(TURNS):
                    for levels, found in times.items():
                        done = nodes.run(launcher, 4, [str(folder / "src" / "tw"), "run", str(program), "--mesh", "d=4", "-a",
                                                       actions, "--levels", levels, "--comm", "mpi", "--check", "none",
                                                       "--repeat", "5", "--json"], 300)
                        if done.returncode != 0:
                            print(done.stdout)
                            sys.exit(1)
                        report = json.loads(done.stdout)
                        if (methods(report) == {"direct"}) != (levels == STRAIGHT):
                            print(f"{name} with --levels {levels} goes by {', '.join(methods(report))}")
                            sys.exit(1)
                        found.append(report["time_ms"]["partitioned"]["median"])
                straight, planned = (statistics.median(found) for found in times.values())
                ratio = straight / planned
                missed += ratio < LEAST
                floors = [size / BYTES_PER_MS for size in entering]
                print(f"{name:12}{straight:13.0f}{floors[0]:7.0f}{planned:11.0f}{floors[1]:7.0f}{ratio:15.2f}{LEAST:10.1f}"
                      + ("  MISSED" if ratio < LEAST else ""))
        finally:
            nodes.remove()
    sys.exit(1 if missed else 0)


main()
