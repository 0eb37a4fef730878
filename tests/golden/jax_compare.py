# SPDX-License-Identifier: Apache-2.0
"""How near arrays of a run of ours have to be to those of JAX, and programs that run in processes of their own, one with each."""

import os
import pickle
import subprocess
import sys
import tempfile
import traceback

import numpy as np

TOLERANCE = {"float16": 1e-2, "bfloat16": 3e-2}  # of an array's largest; others 1e-4, integers exactly, NaN where there is NaN


def difference(ours, theirs):
    """What is wrong, or None."""
    theirs = np.asarray(theirs)
    if ours.shape != theirs.shape:
        return f"{ours.shape}, expected {theirs.shape}"
    if theirs.dtype.kind in "biu":
        return None if np.array_equal(ours, theirs) else f"{np.sum(ours != theirs)} of {theirs.size} differ"
    ours, expected = (np.asarray(a).astype(np.complex128 if theirs.dtype.kind == "c" else np.float64) for a in (ours, theirs))
    largest = max(float(np.nanmax(np.abs(expected), initial=0)), 1e-30)
    apart = np.where(np.isnan(ours) & np.isnan(expected), 0, np.abs(ours - expected))
    worst = float(np.max(apart, initial=0)) / largest
    return None if worst <= TOLERANCE.get(str(theirs.dtype), 1e-4) else f"{worst:.1e} of the largest"


def attempt(program):
    """The arrays that a program makes, or the text of what it fails with."""
    try:
        return [np.asarray(a) for a in program()]
    except Exception:
        return traceback.format_exc()


def in_process(script, arguments, environment):
    """Runs `script --run FILE ..` and answers what it pickled into the file, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "made")
        command = [sys.executable, os.path.abspath(script), "--run", file, *arguments]
        done = subprocess.run(command, env=os.environ | environment, stdout=subprocess.PIPE, text=True, timeout=3000, check=False)
        if done.returncode != 0:
            sys.exit(f"the process with {environment} ended with {done.returncode}: {done.stdout}")
        with open(file, "rb") as made:
            return pickle.load(made), done.stdout


def report(pairs):
    """Tells of each program, whose arrays are ours and theirs, what is wrong, and ends the test."""
    failed = 0
    for name, ours, theirs in pairs:
        if isinstance(ours, str) or isinstance(theirs, str):
            wrong = ours if isinstance(ours, str) else f"JAX's CPU client fails: {theirs}"
        elif len(ours) != len(theirs):
            wrong = f"{len(ours)} arrays, expected {len(theirs)}"
        else:
            wrong = "; ".join(f"array {i}: {what}" for i, (a, b) in enumerate(zip(ours, theirs)) if (what := difference(a, b)))
        if wrong:
            failed += 1
            print(f"{name}: {wrong}")
    print(f"{len(pairs) - failed} passed, {failed} failed of {len(pairs)}")
    sys.exit(1 if failed or not pairs else 0)
