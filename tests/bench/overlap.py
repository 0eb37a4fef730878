#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it gains that steps run while messages are under way: a training step between two processes of one worker each, under Open MPI.

  overlap.py BUILD [--json FILE]

A row: over what messages go, the step's time where devices stand still meanwhile and where they do not, both in milliseconds, the ratio, and that
of a process's memory in the two cases.
Networks are namespaces of this machine whose link is slowed down; rows that cannot be made here are left out. Exits with 77 where there is no Open MPI.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "exec"))
import mpi as jobs  # noqa: E402 (of tests/exec)
import mpi_namespaces as network  # noqa: E402

STEP = "--layers 4 --d 256 --heads 8 --ffn 1024 --vocab 2048 --seq 128 --batch 8".split()
PLANS = [("data=2", "gpt_data.txt"), ("data=2", "gpt_zero3.txt"), ("data=1,model=2", "gpt_megatron.txt")]
RATES = [None, "10gbit", "4gbit", "1gbit"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    os.environ["TW_PLUGINS"] = str(options.build / "src")
    jobs.need_plugin("openmpi")
    launcher = jobs.launcher("openmpi")
    rows = []
    print(f"{'a training step, milliseconds':<58} {'standing':>9} {'overlapped':>11} {'ratio':>7} {'memory':>7}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        step, made = Path(folder) / "step.mlir", Path(folder) / "row.json"
        with step.open("w") as out:
            subprocess.run([sys.executable, ROOT / "examples" / "models" / "transformer.py", *STEP], stdout=out, check=True)
        for rate in RATES:
            for mesh, spec in PLANS:
                words = [str(options.build / "tests" / "bench" / "bench_overlap"), str(step), mesh, str(ROOT / "examples" / "specs" / spec), str(made)]
                made.unlink(missing_ok=True)
                if rate is None:
                    subprocess.run(jobs.command("openmpi", 2) + words, env=jobs.environment(), check=True)
                else:
                    try:
                        if not network.make(rate):
                            print(f"no network of {rate} here: left out")
                            break
                        network.run(launcher, 2, words, 300)
                    finally:
                        network.remove()
                row = json.loads(made.read_text())
                row = {"name": f"{mesh} {spec}, {'shared memory' if rate is None else 'TCP, at most ' + rate}", **row}
                rows.append(row)
                print(f"{row['name']:<58} {row['standing']:>9.1f} {row['overlapped']:>11.1f} {row['overlapped'] / row['standing']:>7.2f} "
                      f"{row['overlapped_mib'] / row['standing_mib']:>7.2f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


main()
