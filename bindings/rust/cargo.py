# SPDX-License-Identifier: Apache-2.0
"""Runs cargo on the crates against the library of a build folder, without a network.
Usage: cargo.py CARGO BUILD_ROOT ARGUMENTS..; for an example of theirs cargo.py CARGO BUILD_ROOT example NAME ARGUMENTS..;
for one that several processes run over MPI cargo.py CARGO BUILD_ROOT job openmpi|mpich NAME. The rustc is the one beside CARGO;
each has its own folder of what it made."""

import os
import subprocess
import sys

cargo, build_root, *arguments = sys.argv[1:]
if arguments[0] == "example":
    arguments = ["run", "--example", arguments[1], "--", *arguments[2:]]
here = os.path.dirname(os.path.abspath(__file__))
folder = os.path.dirname(cargo)
environment = dict(os.environ, TILEWRIGHT_LIB_DIR=os.path.join(build_root, "src"), RUST_BACKTRACE="0")
for name in ("rustc", "rustdoc"):
    if os.path.exists(os.path.join(folder, name)):
        environment[name.upper()] = os.path.join(folder, name)
version = subprocess.run([environment.get("RUSTC", "rustc"), "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
environment["CARGO_TARGET_DIR"] = os.path.join(build_root, "bindings", "rust", "target-" + version.split()[1])
if arguments[0] != "run":  # which finds the library by itself; programs of rustdoc and of mpirun do not
    environment["LD_LIBRARY_PATH"] = ":".join(filter(None, [environment["TILEWRIGHT_LIB_DIR"], os.environ.get("LD_LIBRARY_PATH")]))
os.chdir(here)
always = ["--offline", "--locked", "--quiet"]
if arguments[0] == "job":
    _, library, name = arguments
    built = subprocess.run([cargo, "build", *always, "--example", name], env=environment, check=False)
    if built.returncode:
        sys.exit(built.returncode)
    program = os.path.join(environment["CARGO_TARGET_DIR"], "debug", "examples", name)
    launch = os.path.join(here, "..", "..", "tests", "exec", "mpi.py")
    os.execve(sys.executable, [sys.executable, launch, library, "2", program, library], environment)
os.execve(cargo, [cargo, *arguments[:1], *always, *arguments[1:]], environment)
