#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans under every policy against what XLA moves, as a folder of programs says: what the busiest device receives.

    peer_figures.py FOLDER              # every program; exits 1 where ours is more and no reason is known
    peer_figures.py FOLDER roll         # those whose name contains the word
    peer_figures.py FOLDER --json FILE  # ours

FOLDER has programs NAME.mlir that state their shardings, and cases.json: NAME -> {"xla_bytes": what a device receives where XLA partitions the
program, or null}. Nor may `cheapest` move more than `conservative`. The program is tw of the build, or what TW_TOOL names.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
POLICIES = ("conservative", "shardy", "cheapest", "explicit")

# Why ours is more than a figure: policies, names, and the reason.
ALL = r".*"
REASONS = [
    # A figure counts the body of a loop once. XLA receives 1512 B in six turns of the pipeline, 74.7 B in eight of the scan.
    (ALL, r"pipeline_v1|scan_sharded_v1", "the figure is of one turn of the loop"),
    # A figure is rounded, or spreads over three devices what does not divide by three: 161 numbers, of which the busiest adds up 54.
    (ALL, r"onehot_loss_v2|argsort_take_v1", "the figure is a mean"),
    # `conservative` counts no bytes. What two operands want in different ways it leaves whole, and one operand that is tiled along what is summed
    # decides the sum, whatever it weighs: `shardy` and `cheapest` choose there.
    ("conservative", r"attn(_v\d)?|dot_rows_v\d|gather_pairs(_v\d)?|index_put_v1", "a tie is left undecided"),
    ("conservative|explicit", r"m_conv_ic|m_dotk(_open)?|mlp_uneven(_v\d)?|resize_v1", "one operand decides the sum"),
    # Three slices at places that data decide are picked where they are; the array itself is less. So here too, one operand decides.
    ("conservative|explicit", r"ds_clamp", "one operand decides what is picked"),
    # XLA splits what is looked up over the second axis, of which nothing is said, and looks up half of it on each device. Propagation gives an
    # axis to those dimensions alone that somebody tiles over it.
    ("shardy|cheapest", r"gather_pairs_v3", "nothing says that the second axis may split the sum"),
]  # fmt: skip


def plan(program, policy):
    """What the busiest device receives; None where the program is refused."""
    tool = os.environ.get("TW_TOOL") or ROOT / "dev"
    command = [tool, *([] if os.environ.get("TW_TOOL") else ["tw"]), "plan", program, "--policy", policy, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if policy == "explicit" and "TW-430" in done.stderr:
        return None
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)["bytes_received"]["max"]


def reason(name, policy):
    return next((why for policies, names, why in REASONS if re.fullmatch(policies, policy) and re.fullmatch(names, name)), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("word", nargs="?", default="", help="of the programs' names")
    parser.add_argument("--json", type=Path)
    c = parser.parse_args()
    folder = c.folder.resolve()
    cases = {name: case for name, case in json.loads((folder / "cases.json").read_text()).items() if c.word in name}
    with ThreadPoolExecutor(os.cpu_count() if os.environ.get("TW_TOOL") else 1) as pool:  # ./dev builds first
        jobs = {(name, policy): pool.submit(plan, folder / f"{name}.mlir", policy) for name in cases for policy in POLICIES}
    ours = {name: {policy: jobs[name, policy].result() for policy in POLICIES} for name in cases}
    if c.json:
        c.json.write_text(json.dumps(ours, indent=1) + "\n")
    unknown = compared = 0
    for name, of_policy in ours.items():
        theirs = cases[name].get("xla_bytes")
        for policy, received in of_policy.items():
            if theirs is None or received is None:
                continue
            compared += 1
            if received > theirs:
                why = reason(name, policy)
                unknown += why is None
                print(f"{name:20} {policy:13} {received:>8} B, XLA {theirs:>8} B: {why or 'MORE THAN XLA'}")
        if of_policy["cheapest"] > of_policy["conservative"]:
            unknown += 1
            print(f"{name:20} cheapest {of_policy['cheapest']} B, conservative {of_policy['conservative']} B: MORE")
    print(f"{compared} plans of {len(cases)} programs: {unknown} receive more than XLA for no known reason")
    sys.exit(1 if unknown or not compared else 0)


if __name__ == "__main__":
    main()
