#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JAX on the PJRT plug-in, beside the same without JAX and beside jaxlib's own CPU client, in one run.

    pjrt.py BUILD                       # all parts, three rounds
    pjrt.py BUILD steps dispatch --rounds 1 --json FILE

`steps`: a GPT training step on one device and three ways on 8, through JAX over the same through the executor alone (bench_run), at most 1.03;
over jaxlib's time for information. A spec decides in stages, and JAX states all shardings at once.
`dispatch`: 10,000 calls of a small compiled function, microseconds a call, at most 15 over jaxlib's.
`compile`: 1,000 small functions that differ, what compiling one takes behind JAX's tracing and lowering, at most what jaxlib's takes; most of it
is JAX's own, which makes the module anew and serialises it.
A round runs all sides one after the other, each in a process of its own; the smallest of all rounds are compared, and a step keeps its limit by
the clock or by the time of all processors. Runs under the python that TW_JAX_PYTHON names. Without jax or a built plug-in it says so, and exits 77.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from peer_xla_runtime import ROOT, SIZES, STEPS, least, our_run, their_step

DEVICES = 8
CALLS = 10_000
PROGRAMS = 1_000


# --- In a process of one platform ------------------------------------------------------------------------------------


def step(name, runs):
    mesh, spec, _ = STEPS[name]
    return their_step(mesh, spec is not None and "zero3" in spec, runs)


def dispatch(_, runs):
    import jax
    import numpy as np

    small = jax.jit(lambda x, y: x * 2 + y)
    x = jax.device_put(np.ones(8, np.float32))
    y = small(x, x)
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        for _ in range(CALLS):
            y = small(x, y)
        y.block_until_ready()
        times.append((time.perf_counter() - begin) / CALLS * 1e6)
    return {"us": min(times)}


def compiling(_, runs):
    import jax
    import numpy as np

    x = np.ones(8, np.float32)
    lowered = [jax.jit(lambda x, i=i: x * np.float32(i + 2)).lower(x) for i in range(PROGRAMS + 1)]
    lowered.pop().compile()  # what the first one costs alone
    times = []
    for one in lowered:
        begin = time.perf_counter()
        one.compile()
        times.append((time.perf_counter() - begin) * 1e3)
    return {"ms": sorted(times)[PROGRAMS // 2]}


MEASURED = {"steps": step, "dispatch": dispatch, "compile": compiling}


# --- All sides -------------------------------------------------------------------------------------------------------


def child(platform, library, part, name, runs):
    environment = os.environ | {"JAX_PLATFORMS": platform, "TW_PJRT_DEVICES": str(DEVICES), "TW_PJRT_LIBRARY": str(library)}
    environment["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES}"
    done = subprocess.run([sys.executable, __file__, "", "--measure", part, name, str(runs)], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return json.loads(done.stdout.strip().splitlines()[-1])


def compare_steps(c, library):
    gpt = Path(tempfile.mkdtemp()) / "gpt.mlir"
    gpt.write_bytes(subprocess.run([sys.executable, ROOT / "examples/models/gpt_step.py", *SIZES], check=True, capture_output=True).stdout)
    for name, (mesh, spec, _) in STEPS.items():
        sides = {"alone": [], "jax": [], "jaxlib": []}
        for _ in range(c.rounds):
            sides["alone"].append(our_run(c.build / "tests/bench/bench_run", gpt, mesh, ROOT / "examples/specs" / spec if spec else None, None, c.runs))
            sides["jax"].append(child("tilewright", library, "steps", name, c.runs))
            sides["jaxlib"].append(child("cpu", library, "steps", name, c.runs))
        alone, through, peer = (least(sides[side]) for side in ("alone", "jax", "jaxlib"))
        what = min(("min_ms", "processor_ms"), key=lambda w: through[w] / alone[w])
        how = f"{through[what]:.1f} / {alone[what]:.1f} ms by the {'clock' if what == 'min_ms' else 'processors'}; jaxlib {peer[what]:.1f}"
        yield {"name": name, "value": through[what] / alone[what], "limit": 1.03, "how": how, "through": through, "alone": alone, "jaxlib": peer}


def compare_small(part, c, library):
    ours, theirs = ([child(p, library, part, "", c.runs) for _ in range(c.rounds)] for p in ("tilewright", "cpu"))
    (unit, mine), peer = *least(ours).items(), least(theirs)
    what = "a call of a small function" if part == "dispatch" else f"compiling one of {PROGRAMS} small functions"
    limit = peer[unit] + (15 if part == "dispatch" else 0)
    yield {"name": what, "value": mine, "limit": limit, "how": f"{unit}; jaxlib {peer[unit]:.3g}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(MEASURED)}; default all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    c = parser.parse_args()
    if c.measure:
        part, name, runs = c.measure
        if os.environ["JAX_PLATFORMS"] == "tilewright":  # as the entry point of the package does it
            sys.path.insert(0, str(ROOT / "tests/golden"))
            from jax_package import jax_plugin

            jax_plugin.initialize()
        print(json.dumps(MEASURED[part](name, int(runs))))
        return
    if unknown := [p for p in c.parts if p not in MEASURED]:
        parser.error(f"no part {unknown[0]}; there are: {', '.join(MEASURED)}")
    library = c.build / "src/libtilewright_pjrt.so"
    if importlib.util.find_spec("jax") is None or not library.exists():
        print(f"skipped: this needs jax, and {library} built", file=sys.stderr)
        sys.exit(77)
    rows = []
    for part in c.parts or MEASURED:
        for row in compare_steps(c, library) if part == "steps" else compare_small(part, c, library):
            row["kept"] = row["value"] <= row["limit"]
            print(f"{row['name']:<42} {row['value']:>8.4g} <= {row['limit']:<8.4g} {'' if row['kept'] else 'MISSED':<7} {row['how']}", flush=True)
            rows.append(row)
    if c.json:
        c.json.write_text(json.dumps(rows, indent=2) + "\n")
    missed = [row["name"] for row in rows if not row["kept"]]
    sys.exit(f"missed: {', '.join(missed)}" if missed else 0)


if __name__ == "__main__":
    main()
