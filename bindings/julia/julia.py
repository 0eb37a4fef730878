# SPDX-License-Identifier: Apache-2.0
"""Runs a file under julia with the package and the library of a build folder. Exits 77 without julia.
Usage: julia.py BUILD_ROOT FILE ARGUMENTS.."""

import os
import shutil
import sys

build_root, *arguments = sys.argv[1:]
julia = shutil.which("julia")
if julia is None:
    print("skipped: julia is not installed")
    sys.exit(77)
environment = dict(os.environ, TILEWRIGHT_LIB_DIR=os.path.join(build_root, "src"))
environment["JULIA_DEPOT_PATH"] = os.path.join(build_root, "bindings", "julia", "depot")
environment.setdefault("JULIA_NUM_THREADS", "2")
package = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Tilewright")
os.execve(julia, [julia, "--startup-file=no", "--project=" + package, *arguments], environment)
