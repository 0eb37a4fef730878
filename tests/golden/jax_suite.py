# SPDX-License-Identifier: Apache-2.0
"""JAX's own tests on the plug-in: runs files of a checkout of JAX at the tag of the installed version, with the plug-in in place of JAX's CPU
platform and 8 devices, and prints what passed, and of what failed why. LAPACK is SciPy's, whose numbers some tests expect. jax_suite_known.txt has
what is known to fail; anything else, and a process that a signal ends, is a failure.
Usage: jax_suite.py LIBRARY CHECKOUT [FILE..], where a file is pjit_test; without any, those of the list below."""

import collections
import os
import re
import subprocess
import sys

from jax_package import jax_plugin

library, checkout, *names = sys.argv[1:]
names = names or ["lax_test", "lax_numpy_test", "lax_numpy_indexing_test", "lax_control_flow_test", "lax_scipy_test", "nn_test", "random_test",
                  "pjit_test", "shard_map_test", "array_test", "api_test", "linalg_test", "memories_test"]
environment = os.environ | {
    "PJRT_NAMES_AND_LIBRARY_PATHS": f"cpu:{os.path.abspath(library)}",
    "JAX_PLATFORMS": "cpu",
    "TW_PJRT_PLATFORM": "cpu",
    "TW_PJRT_LIBRARY": os.path.abspath(library),
    "PYTHONPATH": os.path.dirname(os.path.abspath(__file__)),  # of jax_package, which brings callbacks
    "TW_PJRT_DEVICES": "8",
    "TW_LAPACK": jax_plugin.lapack() or "",
    "JAX_NUM_GENERATED_CASES": os.environ.get("JAX_NUM_GENERATED_CASES", "1"),
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "COLUMNS": "2000",  # pytest cuts what it says of a failure to them
}
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "jax_suite_known.txt"), encoding="utf-8") as file:
    known = [re.compile(line.split("#")[0].strip()) for line in file if line.split("#")[0].strip()]


def reason_of(error):
    """In a word, what an error is about."""
    call = re.search(r"custom_call @(\w+) has no kernel", error)
    return call[1] if call else error[:120]


def run(name):
    """(passed, skipped, {failed test: reason}, what ended the process, if not pytest)."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "jax_package", "-W", "ignore", "--timeout=600", "--tb=line", "-rA", f"tests/{name}.py"]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    counts = collections.Counter({word: int(n) for n, word in re.findall(r"(\d+) (passed|failed|skipped)", done.stdout.splitlines()[-1] if done.stdout else "")})
    failed = {}
    for test, error in re.findall(r"^FAILED \S+::(\S+)(?: - (.*))?$", done.stdout, re.M):
        failed[test] = reason_of(error)
    ended = None if done.returncode in (0, 1, 5) else f"exit {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}"
    return counts["passed"], counts["skipped"], failed, ended


bad = total = total_failed = 0
for name in names:
    passed, skipped, failed, ended = run(name)
    total += passed + len(failed)
    total_failed += len(failed)
    print(f"{name}: {passed} passed, {len(failed)} failed, {skipped} skipped", flush=True)
    for reason, count in collections.Counter(failed.values()).most_common():
        print(f"  {count} {reason}")
    for test in failed:
        if not any(pattern.search(f"{name}::{test}") for pattern in known):
            bad += 1
            print(f"  not known: {test}: {failed[test]}")
    if ended:
        bad += 1
        print(f"  {ended}")
print(f"{total - total_failed} of {total} passed; {bad} failures that are not known")
sys.exit(1 if bad or total == 0 else 0)
