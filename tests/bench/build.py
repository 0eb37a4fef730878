#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people wait for: a first demo, the tests, and the test of one change, each from a fresh clone; processor time beside its limit.

  ./dev bench build [--json FILE] [PART...]     PART: demo, test, one (a change of one source), header (of partition/plan.hpp)

Packages are installed before anything is measured. Processor time is that of all processes, user and system. A machine
that does other things too needs some more of it, and much more by the clock.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# seconds: of all processors, by the clock
LIMITS = {"demo": (360, None), "test": (960, 1200), "one": (None, 30), "header": (180, None)}
WHAT = {
    "demo": "./dev demo, from an empty folder",
    "test": "./dev test, from an empty folder",
    "one": "a change of partition/policy.cpp, and its unit test",
    "header": "a change of partition/plan.hpp, and the unit tests of partition",
}


def measured(command, folder):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    log = tempfile.NamedTemporaryFile(mode="w+", suffix=".log", delete=False)
    done = subprocess.run(command, cwd=folder, stdout=log, stderr=subprocess.STDOUT, check=False)
    after, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed: see {log.name}")
    os.unlink(log.name)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def clone(folder):
    subprocess.run(["git", "clone", "--quiet", "--no-local", ROOT, folder], check=True)
    return folder


def changed(folder, path):
    with open(os.path.join(folder, path), "a", encoding="utf-8") as source:
        source.write("// changed\n")


def measure(part, folder):
    if part in ("demo", "test"):
        shutil.rmtree(os.path.join(folder, "build"), ignore_errors=True)
        return measured(["./dev", part], folder)
    if not os.path.exists(os.path.join(folder, "build", "tests", "unit", "unit")):
        measured(["./dev", "build"], folder)
    if part == "one":
        changed(folder, "src/partition/policy.cpp")
        return measured(["./dev", "test", "partition/test_policy"], folder)
    changed(folder, "src/partition/plan.hpp")
    return measured(["./dev", "test", "partition/test_"], folder)


def main():
    args = sys.argv[1:]
    target = args[args.index("--json") + 1] if "--json" in args else None
    parts = [a for a in args if a in LIMITS] or list(LIMITS)
    rows, missed = [], False
    with tempfile.TemporaryDirectory() as scratch:
        folder = clone(os.path.join(scratch, "tilewright"))
        for part in parts:
            processor, clock = measure(part, folder)
            limits = LIMITS[part]
            missed |= any(limit is not None and was > limit for was, limit in zip((processor, clock), limits))
            rows.append({"part": part, "what": WHAT[part], "processor_s": processor, "clock_s": clock, "limit_processor_s": limits[0], "limit_clock_s": limits[1]})
            text = [f"{was:7.0f} s of {limit} s" if limit is not None else f"{was:7.0f} s         " for was, limit in zip((processor, clock), limits)]
            print(f"{WHAT[part]:64} processors {text[0]:20} clock {text[1]}", flush=True)
    if target:
        with open(target, "w", encoding="utf-8") as out:
            json.dump(rows, out, indent=2)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
