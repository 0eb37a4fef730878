# SPDX-License-Identifier: Apache-2.0
"""JAX on the PJRT plug-in: the programs of jax_sharded.py, jax_plugin_programs.py and jax_plugin_linalg.py run in a process of their own with the
plug-in as the only platform, and in another with jaxlib's CPU client, on 8 devices each, and give the same numbers. The program of docs/jax.md runs
and leaves reports; processes that end in the middle of a run do not hang.
Usage: jax_plugin.py LIBRARY [NAME..]. Runs under the python that TW_JAX_PYTHON names, where it is set; without jax it says so and exits 77."""

import contextlib
import os
import glob
import pickle
import re
import subprocess
import sys
import tempfile


DONATING = ("donation", "sharded_training", "long_chains", "views_outlive_arrays", "several_threads")


def run_all(file, names):
    """In the process of one platform: the arrays that each program makes, or what it fails with."""
    import jax
    import numpy as np
    from jax_compare import attempt
    from jax_plugin_linalg import PROGRAMS as LINEAR_ALGEBRA
    from jax_plugin_programs import PROGRAMS as OWN
    from jax_sharded import EXPLICIT, PROGRAMS

    made = {}
    for name, function, args, _ in PROGRAMS:
        if names and name not in names:
            continue
        with jax.set_mesh(EXPLICIT) if name.startswith("explicit_") else contextlib.nullcontext():
            # Arguments that are donated are used again: each program gets its own.
            given = [a if hasattr(a, "sharding") else np.array(a) for a in args]
            made[name] = attempt(lambda: jax.tree.leaves(function(*given)))
    platform = jax.devices()[0].platform
    for name, function in (OWN | LINEAR_ALGEBRA).items():
        if (not names or name in names) and not (name.startswith("lapack_") and platform != "cpu"):
            made[name] = attempt(lambda: jax.tree.leaves(function()))
    with open(file, "wb") as out:
        pickle.dump((platform, made), out)


def results_on(platform, names, **environment):
    from jax_compare import in_process

    return in_process(__file__, names, environment | {"JAX_PLATFORMS": platform})[0]


def check_page(environment, folder):
    """The program of the page, as the page says to run it."""
    with open(os.path.join(os.environ.get("TW_SOURCE_ROOT", "."), "docs", "jax.md"), encoding="utf-8") as page:
        [program] = re.findall(r"^```python\n(.*?)^```", page.read(), re.S | re.M)
    reports = os.path.join(folder, "reports")
    os.mkdir(reports)
    done = subprocess.run([sys.executable, "-c", program], env=os.environ | environment | {"JAX_PLATFORMS": "tilewright", "TW_PJRT_REPORT": reports},
                          capture_output=True, text=True, timeout=900, check=False)
    if done.returncode != 0 or "tilewright:7" not in done.stdout:
        return f"exit {done.returncode}: {done.stdout}{done.stderr}"
    for file in glob.glob(os.path.join(reports, "*_jit_step.txt")):
        with open(file, encoding="utf-8") as report:
            if "all_reduce" not in report.read():
                continue
        with open(file.replace(".txt", ".html"), encoding="utf-8") as page:
            return None if "all_reduce" in page.read() else "the page of the step has no all_reduce"
    return f"no report of the step with an all_reduce among {os.listdir(reports)}"


# Nobody waits for the last run of these.
IN_THE_MIDDLE = """
import os, sys, jax, jax.numpy as jnp
step = jax.jit(lambda x: jax.lax.fori_loop(0, 2000, lambda _, x: jnp.tanh(x @ x), x))
x = jnp.ones((256, 256))
y = step.lower(x).compile()(x)
assert not y.is_ready(), "the run is over already"
print("under way", flush=True)
"""
ENDS = {"sys.exit(0)": 0, "raise ValueError('mine')": 1, "del x, y, step; jax.clear_caches()": 0, "os._exit(3)": 3}


def check_ends(environment):
    """A process that ends while a run is under way ends, at once or with the run."""
    for how, code in ENDS.items():
        done = subprocess.run([sys.executable, "-c", IN_THE_MIDDLE + how], env=os.environ | environment | {"JAX_PLATFORMS": "tilewright"},
                              capture_output=True, text=True, timeout=600, check=False)
        if done.returncode != code or "under way" not in done.stdout:
            return f"{how}: exit {done.returncode}: {done.stdout}{done.stderr}"
    return None


def main(library, names):
    from jax_compare import report

    with tempfile.TemporaryDirectory() as folder:
        environment = {"TW_PJRT_DEVICES": "8", "PJRT_NAMES_AND_LIBRARY_PATHS": f"tilewright:{os.path.abspath(library)}"}
        wrong = check_page(environment, folder) if not names else None
        if wrong:
            sys.exit(f"docs/jax.md: {wrong}")
        wrong = check_ends(environment) if not names else None
        if wrong:
            sys.exit(f"a process that ends in the middle of a run: {wrong}")
        _, expected = results_on("cpu", names, XLA_FLAGS="--xla_force_host_platform_device_count=8")
        platform, made = results_on("tilewright", names, **environment)
        if platform != "tilewright":
            sys.exit(f"the platform was {platform}")
        # JAX gives donated arguments, and calls of LAPACK, to platforms of names that it knows.
        own_name = [name for name in expected if name.startswith("lapack_")]
        wanted = [name for name in (*DONATING, *own_name) if not names or name in names]
        platform, donating = results_on("tilewright", wanted, **environment, TW_PJRT_PLATFORM="cpu") if wanted else ("cpu", {})
        if platform != "cpu":
            sys.exit(f"the platform was {platform}")
    report([(name, made[name], expected[name]) for name in expected if name not in own_name] +
           [(f"{name} as cpu", donating[name], expected[name]) for name in donating])


python = os.environ.pop("TW_JAX_PYTHON", None)
if python:
    os.execv(python, [python, *sys.argv])
try:
    import jax  # noqa: F401
except ImportError as error:
    print(f"skipped: this needs jax, {error}; ./dev test --jax brings one")
    sys.exit(77)
if sys.argv[1] == "--run":
    run_all(sys.argv[2], sys.argv[3:])
else:
    main(sys.argv[1], sys.argv[2:])
