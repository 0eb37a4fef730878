#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes processes of MPI jobs fail at every exchange of every process, over each MPI library of a build, until there were enough cases:
what every live process must answer, and how soon, exec_mpi says. Exits with 77 where no library can be started.

  fault.py BUILD [CASES]     800 cases
"""
import os
import re
import subprocess
import sys
from pathlib import Path

build = Path(sys.argv[1]).resolve()
wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 800
start = Path(__file__).resolve().parents[1] / "exec" / "mpi.py"
environment = dict(os.environ, TW_PLUGINS=str(build / "src"))
libraries = ["openmpi", "mpich"]
cases = 0
while cases < wanted and libraries:
    for library in list(libraries):
        for processes in ["2", "3", "4"]:
            for kinds in ["error", "desert,delay"]:
                job = [sys.executable, start, library, processes, build / "tests" / "exec" / "exec_mpi", "faults", kinds, "1"]
                done = subprocess.run(job, capture_output=True, text=True, env=environment, check=False)
                if done.returncode == 77:
                    print(f"{library}: {done.stdout.strip()}")
                    libraries.remove(library)
                    break
                said = re.search(r"^ok: (\d+) cases.*$", done.stdout, re.MULTILINE)
                if done.returncode != 0 or not said:
                    sys.exit(f"{library}, {processes} processes, {kinds}: exit {done.returncode}\n{done.stdout}{done.stderr}")
                cases += int(said[1])
                print(f"{cases:5} of {wanted}  {library}, {processes} processes, {kinds}: {said[0]}", flush=True)
            if library not in libraries:
                break
print(f"{cases} faults, 0 failed" if cases else "no MPI library here: skipped")
sys.exit(0 if cases else 77)
