#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts MPI jobs of exec_mpi, or of any program, under the launcher of one MPI library; exits with 77 where that is not there.

  mpi.py openmpi|mpich PROCESSES [--tcp] [--survive N] [--timeout SECONDS] PROGRAM ARGS...
--survive N: some process is to die; N others must say that they survived.
--timeout SECONDS: after which the job is killed, for it hangs; 800 without.
"""
import os
import shutil
import subprocess
import sys

LAUNCHERS = {
    "openmpi": (["mpirun.openmpi", "mpirun"], "Open MPI"),
    "mpich": (["mpirun.mpich", "mpiexec.hydra"], "HYDRA"),
}


def launcher(library):
    for name in LAUNCHERS[library][0]:
        path = shutil.which(name)
        if path and LAUNCHERS[library][1] in subprocess.run(
            [path, "--version"], capture_output=True, text=True, env=environment()
        ).stdout.replace("OpenRTE", "Open MPI"):
            return path
    print(f"no launcher of {library} here: skipped")
    sys.exit(77)


def environment():
    job = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if "ASAN_OPTIONS" in job:  # MPI keeps memory to the end, much of it for modules that it has unloaded by then: no suppression can name them
        job["ASAN_OPTIONS"] += ":detect_leaks=0"
    if "TSAN_OPTIONS" in job:  # UCX would look into madvise, which a thread calls when the sanitizer has let it go
        job["UCX_MEM_EVENTS"] = "no"
    return job


def need_plugin(library):
    plugin = os.path.join(os.environ["TW_PLUGINS"], f"libtilewright_{library}.so")
    if not os.path.exists(plugin):
        print(f"this build has no {os.path.basename(plugin)}: skipped")
        sys.exit(77)


def command(library, processes, tcp=False, recovers=False):
    words = [launcher(library), "-n", str(processes)]
    if library == "openmpi":
        words += ["--oversubscribe"] + (["--mca", "btl", "tcp,self"] if tcp else [])
        return words + (["--enable-recovery"] if recovers else [])
    return words + (["-disable-auto-cleanup"] if recovers else [])


def main():
    args = sys.argv[1:]
    library, processes = args.pop(0), args.pop(0)
    tcp = args[0] == "--tcp" and bool(args.pop(0))
    survivors = None
    if args[0] == "--survive":
        args.pop(0)
        survivors = int(args.pop(0))
    seconds = 800
    if args[0] == "--timeout":
        args.pop(0)
        seconds = int(args.pop(0))
    need_plugin(library)
    done = subprocess.run(command(library, processes, tcp, survivors is not None) + args, stdout=subprocess.PIPE,
                          text=True, env=environment(), timeout=seconds)
    print(done.stdout, end="")
    if survivors is None:
        sys.exit(0 if done.returncode == 0 and "ok" in done.stdout else 1)
    count = sum(line.startswith("survived") for line in done.stdout.splitlines())
    print(f"{count} of {survivors} survived and said so")
    sys.exit(0 if count == survivors else 1)


if __name__ == "__main__":
    main()
