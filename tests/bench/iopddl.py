#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Solves instances of the IOPDDL contest (ASPLOS 2025), beside the best costs that are known.

    iopddl.py BUILD FOLDER [NAME ..] [--seconds S] [--seed N] [--at-once N] [--json FILE]

FOLDER has the instances, unpacked, from the contest's repository (github.com/google/iopddl, benchmarks/): asplos-2025-iopddl-A.json and so on.
NAME: which of them; all that are there otherwise. Each has the contest's time, or S seconds where that is less; reading it counts. A best cost
is the least of what the contest's teams found, of the winner's later runs and of XLA's solver. Exits with 1 where an instance found no answer
that fits, or the sum of best cost / cost misses its limit.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import time

# The best known cost, and the contest's seconds.
KNOWN = {
    "A": (6.548641531e9, 60), "B": (532843, 60), "C": (8.410244526e10, 60), "D": (3.093962e11, 60), "G": (217039, 120), "K": (2.242636e9, 180),
    "L": (1.970993742e9, 180), "M": (4.992816e10, 180), "N": (1.994701e11, 180), "P": (6.518331e11, 240), "Q": (5.267768e11, 240),
    "R": (3.670609e11, 240), "S": (1.521949e9, 240), "T": (6.713057e11, 240), "U": (2.443996e9, 300), "V": (1617084, 300),
}
LIMIT = 13.5 / 16  # of best cost / cost, on average


def solve(tool, path, seconds, seed):
    begin = time.monotonic()
    done = subprocess.run([tool, "solve", path, "--seconds", str(seconds), "--seed", str(seed), "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"{path}: {done.stderr}")
    found = json.loads(done.stdout)
    found["wall_seconds"] = time.monotonic() - begin
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--at-once", type=int, default=1, help="instances that are solved at a time: one needs one core")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    paths = {match[1]: path for path in sorted(options.folder.glob("*.json")) if (match := re.search(r"-([A-Z])\.json$", path.name))}
    names = [name for name in options.names or KNOWN if name in KNOWN and name in paths]
    if not names:
        sys.exit(f"no instance asplos-2025-iopddl-*.json in {options.folder}")

    print(f"{'':2} {'cost':>15} {'best known':>15} {'ratio':>8} {'bound':>15} {'gap':>8}  {'status':10} {'seconds':>8}")
    rows, total, missing = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        tool = options.build / "src" / "tw"
        runs = {name: pool.submit(solve, tool, paths[name], min(options.seconds, KNOWN[name][1]), options.seed) for name in names}
        for name, run in runs.items():
            found, best = run.result(), KNOWN[name][0]
            cost, bound = found["cost"], found["bound"]
            ratio = best / cost if cost is not None else 0
            total += ratio
            missing += cost is None
            shown = [f"{cost:15.0f}" if cost is not None else f"{'none':>15}", f"{best:15.0f}", f"{ratio:8.4f}"]
            shown += [f"{bound:15.0f}" if bound is not None else f"{'none':>15}", f"{found['gap']:8.2%}" if cost is not None else f"{'':8}"]
            print(f"{name:2} {' '.join(shown)}  {found['status']:10} {found['wall_seconds']:8.1f}", flush=True)
            rows.append({"name": name, "best": best, "ratio": ratio, "bound": bound, "cost": cost, "status": found["status"],
                         "seconds": found["wall_seconds"]})
    limit = LIMIT * len(names)
    kept = total >= limit and missing == 0
    print(f"sum of best known / cost {total:.2f} >= {limit:.2f} {'' if kept else 'MISSED'}  ({len(names) - missing} of {len(names)} fit)")
    if options.json:
        options.json.write_text(json.dumps({"bench": "iopddl", "sum": total, "limit": limit, "kept": kept, "rows": rows}, indent=2) + "\n")
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
