#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python adds to a call: getters, and a run of a small executable beside the same run from C.

  python.py BUILD_FOLDER [--json FILE]

Every figure is the least of the means of many rounds, so that other work on the machine counts little. Ends with 1 where a limit is
missed, and with 77 where the Python package is not built."""

import argparse
import json
import pathlib
import subprocess
import sys
import time

GETTER_NS, RUN_NS = 1000, 3000
ROUNDS, CALLS, RUNS = 40, 20000, 2000

arguments = argparse.ArgumentParser()
arguments.add_argument("build", type=pathlib.Path)
arguments.add_argument("--json", type=pathlib.Path)
options = arguments.parse_args()
sys.path.insert(0, str(options.build / "bindings" / "python"))
try:
    import tilewright as tw
except ImportError as error:
    print(f"the Python package is not built for this Python: {error}")
    sys.exit(77)


def mlp():
    b = tw.Builder("mlp")
    x, w1, w2 = b.argument("x", "f32", (8, 6)), b.argument("w1", "f32", (6, 12)), b.argument("w2", "f32", (12, 6))
    b.result("y", b.einsum("bf,fd->bd", b.unary("tanh", b.einsum("bd,df->bf", x, w1)), w2))
    return b.finish()


def least(work, rounds):
    """The least mean in nanoseconds of what `work` says it does."""
    means = []
    for _ in range(rounds):
        begin = time.perf_counter_ns()
        count = work()
        means.append((time.perf_counter_ns() - begin) / count)
    return min(means)


def nothing(count):
    for _ in range(count):
        pass
    return count


def getter(read):
    """What reading adds to a loop that does nothing."""

    def work():
        for _ in range(CALLS):
            read()
        return CALLS

    return least(work, ROUNDS) - least(lambda: nothing(CALLS), ROUNDS)


graph = mlp()
mesh = tw.Mesh(data=2, model=2)
plan = graph.plan(mesh).tile("x", 0, "data").tile("w1", 1, "model").infer_propagate()
program = plan.lower()
executable = program.executable(workers=1)
inputs = [tw.filled(a.type.shape, stream=i) for i, a in enumerate(graph.arguments)]
outputs = [tw.Tensor((8, 6))]


def runs():
    for _ in range(RUNS):
        executable.run(*inputs, outputs=outputs)
    return RUNS


def from_c():
    program_path = options.build / "tests" / "bench" / "bench_small_run"
    done = subprocess.run([program_path, str(ROUNDS // 4), str(RUNS)], check=True, capture_output=True, text=True)
    return float(done.stdout)


getters = {
    "Mesh.num_devices": lambda: mesh.num_devices, "Graph.num_ops": lambda: graph.num_ops, "Graph.name": lambda: graph.name,
    "Plan.stamp()": plan.stamp, "Program.num_devices": lambda: program.num_devices, "Tensor.nbytes": lambda: inputs[0].nbytes,
    "Tensor.shape": lambda: inputs[0].shape, "Executable.workers": lambda: executable.workers,
}
rows = [{"name": name, "ns": getter(read), "limit": GETTER_NS} for name, read in getters.items()]
ours, theirs = [], []
for _ in range(8):  # in turn, so that both see the same machine
    ours.append(least(runs, ROUNDS // 4))
    theirs.append(from_c())
rows.append({"name": "Executable.run(), more than from C", "ns": min(ours) - min(theirs), "limit": RUN_NS, "python": min(ours), "c": min(theirs)})
for row in rows:
    about = f"  (Python {row['python']:.0f}, C {row['c']:.0f})" if "c" in row else ""
    print(f"{row['name']:36} {row['ns']:8.0f} ns   limit {row['limit']}{'' if row['ns'] <= row['limit'] else '   MISSED'}{about}")
if options.json:
    options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
sys.exit(any(row["ns"] > row["limit"] for row in rows))
