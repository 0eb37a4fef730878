#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The runtime beside its limits: everything that it promises, gathered from the benchmarks that measure it into one table.

    runtime.py BUILD                               # all parts
    runtime.py BUILD executor exchange --json FILE

A part whose benchmark cannot run here (no MPI, no jax) is skipped, and says so. Ends with 1 where a limit was missed. Nothing else should be
running: every ratio is of two figures of one run, but most are of one moment too.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77

# What loading the library costs a program that has none of it yet.
LOAD = """
import ctypes, os, sys, time
resident = lambda: int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20
before, begin = resident(), time.perf_counter()
ctypes.CDLL(sys.argv[1])
print((time.perf_counter() - begin) * 1e3, resident() - before)
"""


def row(name, value, limit, how="", unit="", at_least=False):
    kept = value >= limit if at_least else value <= limit
    return {"name": name, "value": value, "unit": unit, "limit": limit, "at_least": at_least, "kept": kept, "how": how}


class Skip(Exception):
    pass


class Benches:
    """Runs benchmarks and reads the JSON that they write."""

    def __init__(self, build):
        self.build = build

    def run(self, command):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            done = subprocess.run([*map(str, command), "--json", out.name], capture_output=True, text=True, check=False)
            text = Path(out.name).read_text()
            if done.returncode == SKIPPED:
                raise Skip((done.stdout + done.stderr).strip().splitlines()[-1])
            if not text:  # a limit that is missed may end a script with an error, but not without its figures
                raise RuntimeError(f"{command[0]}: exit {done.returncode}\n{done.stdout}{done.stderr}")
            return json.loads(text)

    def program(self, name, *arguments):
        path = self.build / f"tests/bench/bench_{name}"
        if not path.exists():
            raise Skip(f"{path.name} is not built")
        return self.run([path, *arguments])

    def script(self, name, *arguments, python=sys.executable):
        return self.run([python, ROOT / f"tests/bench/{name}.py", *arguments])


# --- Parts: each answers with rows -----------------------------------------------------------------------------------


def own_rows(report):
    return [r | {"how": f"{r['ours']:.4g} / {r['peer']} {r['theirs']:.4g} {r['unit']}", "unit": ""} if "ours" in r else r for r in report["rows"]]


def products(benches):
    return own_rows(benches.program("products"))


def executor(benches):
    rows = []
    for figure in benches.program("executor"):
        who = figure["workers"]
        if "instruction_us" in figure:
            rows.append(row(f"an instruction of a device, {who}", figure["instruction_us"], 0.3, unit="us"))
        elif figure.get("elements") == 2:
            rows.append(row(f"a round with an all_reduce of 4 B, 8 devices, {who}", figure["round_us"], 1.5, unit="us"))
        elif figure.get("devices", 8) > 8:
            rows.append(row(f"a step of a device, {figure['devices']} devices over 8, {who}", figure["growth"], 1.5))
    return rows


def compiling(benches):
    rows = own_rows(benches.program("compile"))
    library = benches.build / "src/libtilewright.so"
    loads = [
        [float(f) for f in subprocess.run([sys.executable, "-c", LOAD, library], check=True, capture_output=True, text=True).stdout.split()]
        for _ in range(5)
    ]
    rows.append(row("loading the library", min(ms for ms, _ in loads), 10, unit="ms"))
    rows.append(row("memory of the loaded library", min(mib for _, mib in loads), 10, unit="MiB"))
    return rows


def exchange(benches):
    return [
        row(f["name"] + ", 64 MiB", f["ratio"], f["limit"], f"{f['ms']:.2f} / floor {f['floor_ms']:.2f} ms")
        for f in benches.program("redistribute", "--run")["axis_pairs"]
    ]


# Kernels: what they are measured against is in their rows; here is how near they are to come.
KERNELS = [
    (r"relu\(a\*b \+ c\), 64 MiB", 0.9),
    (r"^transpose 4096", 12 / 37),  # 12 GB/s where a copy that writes past the caches runs at 35 to 39
    (r"^(sum|maximum) ", 0.6),
]


def kernels(benches):
    rows = []
    for f in benches.program("kernels")["rows"]:
        limit = next((limit for pattern, limit in KERNELS if re.search(pattern, f["name"])), None)
        if limit is not None:
            how = f"{f['value']:.1f} / {f['limit_name']} {f['limit']:.1f} {f['unit']}"
            rows.append(row(f["name"], f["ratio"], limit, how, at_least=True))
    return rows


def mpi(benches):
    return [
        row(f["name"], f["ratio"], f["limit"], f"{f['ours']:.3f} / {f['theirs']:.3f} ms")
        for f in benches.script("mpi", benches.build)
        if f["limit"] is not None
    ]


def xla(benches):
    rows = []
    for name, r in benches.script("peer_xla_runtime", "--build", benches.build, python=os.environ.get("TW_JAX_PYTHON", sys.executable)).items():
        what = min(("min_ms", "processor_ms"), key=lambda w: r[w]["ratio"])
        theirs = min(r[what]["as_it_comes"], r[what]["glibc_keeps"])
        of = "clock" if what == "min_ms" else "processors"
        rows.append(row(f"{name}, over XLA's time", r[what]["ratio"], r["limit"], f"{r[what]['ours']:.3f} / {theirs:.3f} ms by the {of}"))
        if "our_bytes" in r:
            mib = [r[side] / 2**20 for side in ("our_bytes", "their_bytes")]
            rows.append(row(f"{name}, memory of a device over XLA's", mib[0] / mib[1], 1, f"{mib[0]:.1f} / {mib[1]:.1f} MiB"))
    return rows


PARTS = {"products": products, "executor": executor, "compile": compiling, "exchange": exchange, "kernels": kernels, "mpi": mpi, "xla": xla}


def show(r):
    unit = f" {r['unit']}" if r.get("unit") else ""
    bound = f"{'>=' if r['at_least'] else '<='} {r['limit']:.4g}{unit}"
    print(f"{r['name']:<60} {r['value']:>8.4g}{unit:<4} {bound:<14} {'' if r['kept'] else 'MISSED':<7} {r.get('how', '')}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; default all")
    parser.add_argument("--json", type=Path, help="write all rows here")
    c = parser.parse_args()
    if unknown := [p for p in c.parts if p not in PARTS]:
        parser.error(f"no part {unknown[0]}; there are: {', '.join(PARTS)}")
    benches, report, failed = Benches(c.build), {}, []
    for name in c.parts or PARTS:
        print(f"\n{name}")
        try:
            report[name] = PARTS[name](benches)
        except Skip as why:
            print(f"  skipped: {why}")
            continue
        except RuntimeError as why:
            print(f"  failed: {why}")
            failed.append(name)
            continue
        for r in report[name]:
            show(r)
    rows = [r for part in report.values() for r in part]
    missed = [r["name"] for r in rows if not r["kept"]]
    print(f"\n{len(rows)} figures, {len(rows) - len(missed)} within their limits; missed: {', '.join(missed) or 'none'}")
    if c.json:
        c.json.write_text(json.dumps(report, indent=2) + "\n")
    sys.exit(1 if missed or failed else 0)


if __name__ == "__main__":
    main()
