# SPDX-License-Identifier: Apache-2.0
"""One wheel for CPython 3.11 and every newer one, which brings the libraries that it stands on: the module uses the stable ABI alone, which
abi3audit looks at, and auditwheel puts the libraries beside it. MPI stays the system's, since processes of one job share it.

    one_wheel.py SOURCE_ROOT BUILD_FOLDER OUT

Runs under an interpreter that has what one_wheel_requirements.txt names; `./dev wheel` makes one."""

import glob
import os
import subprocess
import sys
import tempfile

LARGEST = 25 << 20  # bytes
TAGS = ("cp311", "abi3")


def run(*command, **options):
    done = subprocess.run(command, text=True, capture_output=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def only_wheel(folder):
    (wheel,) = glob.glob(os.path.join(folder, "*.whl"))
    return wheel


def make(source, build, out):
    tools = os.path.dirname(sys.executable)
    environment = {**os.environ, "PATH": tools + os.pathsep + os.environ["PATH"], "PYTHONPATH": ""}
    python = [sys.executable, "-m"]
    with tempfile.TemporaryDirectory() as folder:
        made, tagged = (os.path.join(folder, name) for name in ("made", "tagged"))
        os.mkdir(tagged)
        run(*python, "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", made,
            f"--config-settings=build-dir={build}", "--config-settings=setup-args=-Dpython_limited_api=true", source, env=environment)
        # The backend of pyproject.toml, which older versions of Python build with too, tells tags of one version.
        run(*python, "wheel", "tags", "--remove", "--python-tag", TAGS[0], "--abi-tag", TAGS[1], only_wheel(made), env=environment)
        run(*python, "auditwheel", "repair", "--wheel-dir", tagged, "--exclude", "libmpi*", "--exclude", "libmpich*", only_wheel(made), env=environment)
        said = run(*python, "abi3audit", "--strict", "--report", only_wheel(tagged), env=environment)
        size = os.path.getsize(only_wheel(tagged))
        assert size <= LARGEST, f"the wheel has {size} bytes, at most {LARGEST}: {said}"
        os.makedirs(out, exist_ok=True)
        wheel = os.path.join(out, os.path.basename(only_wheel(tagged)))
        os.replace(only_wheel(tagged), wheel)
        return wheel, size


if __name__ == "__main__":
    wheel, size = make(*map(os.path.abspath, sys.argv[1:]))
    print(f"{wheel}: {size / (1 << 20):.1f} MiB, at most {LARGEST >> 20}")
