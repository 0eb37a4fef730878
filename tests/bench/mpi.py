#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts bench_mpi under Open MPI's launcher, a job for each number of processes, and puts what they measured together.

  mpi.py BUILD [--processes 4,8] [--rounds N] [--filter TEXT] [--json FILE]

A row: our time, theirs, both in milliseconds, ours over theirs, and what that may be at most. Exits with 77 where there is no Open MPI.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "exec"))
import mpi as jobs  # noqa: E402 (of tests/exec)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--processes", default="4,8")
    parser.add_argument("--rounds", default="7")
    parser.add_argument("--filter", default="")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    program = options.build / "tests" / "bench" / "bench_mpi"
    os.environ["TW_PLUGINS"] = str(options.build / "src")
    jobs.need_plugin("openmpi")
    if not program.exists():
        print("this build has no bench_mpi: skipped")
        sys.exit(77)
    rows = []
    print(f"{'milliseconds':<66} {'ours':>9} {'theirs':>9} {'ratio':>7} {'limit':>7}", flush=True)
    for processes in options.processes.split(","):
        with tempfile.NamedTemporaryFile(suffix=".json") as part:
            job = jobs.command("openmpi", processes) + [str(program), "--rounds", options.rounds, "--filter", options.filter, "--json", part.name]
            if subprocess.run(job, env=jobs.environment()).returncode != 0:
                sys.exit(f"the job of {processes} processes failed")
            rows += json.loads(Path(part.name).read_text())
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


main()
