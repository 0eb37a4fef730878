#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One hash of all results of a program, whichever compiler built the library, on any number of workers, and in any number of processes over
each MPI library that is there. The inputs are drawn at random and not exact: any other order of a sum would show.

  determinism.py BUILD [BUILD...]     folders of builds with different compilers; MPI jobs run with the first

Ends with 1 where two runs differ.
"""
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests/golden"), str(ROOT / "tests/exec")]
import mpi  # noqa: E402
from zoo import SHARDINGS  # noqa: E402

WORKERS = [1, 2, 4, 8]
PROCESSES = [2, 3, 4]
MODELS, SPECS = ROOT / "examples/models", ROOT / "examples/specs"


def programs():
    """Name, then what tw run takes."""
    gpt = MODELS / "gpt_step.mlir"
    yield "gpt_step", [gpt, "--mesh", "one=1"]
    for mesh, spec in [("data=2,model=4", "gpt_megatron"), ("data=8", "gpt_data"), ("data=4,model=2", "gpt_megatron_zero3"), ("data=3", "gpt_zero2")]:
        yield f"gpt_step {mesh} {spec}", [gpt, "--mesh", mesh, "--spec", SPECS / f"{spec}.txt"]
    for name, shardings in SHARDINGS.items():
        for actions in shardings:
            yield f"{name} {actions}", [MODELS / f"zoo/{name}.mlir", "--mesh", "x=3", "-a", f"{actions}; infer-propagate"]
    chess = Path(os.environ.get("TW_REAL_PROGRAMS", ROOT.parent / "shared/real_programs")) / "searchless_chess_9m_jax.mlir"
    if chess.exists():
        yield "chess", [chess, "--mesh", "data=2,model=4", "--spec", SPECS / "chess_megatron.txt"]


def launchers(build):
    """Each MPI library with a launcher and a plug-in."""
    os.environ["TW_PLUGINS"] = str(build / "src")
    for library in mpi.LAUNCHERS:
        try:
            mpi.need_plugin(library)
            mpi.launcher(library)
        except SystemExit:
            continue
        yield library


def digest(command, out):
    out.unlink(missing_ok=True)
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=mpi.environment(), check=False)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    hashed = hashlib.sha256()
    with zipfile.ZipFile(out) as archive:
        for name in sorted(archive.namelist()):
            hashed.update(name.encode() + archive.read(name))
    return hashed.hexdigest()[:16]


def main():
    builds = [Path(b).resolve() for b in sys.argv[1:]]
    if not builds:
        sys.exit(__doc__)
    libraries = list(launchers(builds[0]))
    runs, different, count = 0, [], 0
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.npz"
        for name, arguments in programs():
            rest = ["run", *arguments, "--check", "none", "--quiet", "--outputs", out]
            seen = {}
            for build in builds:
                for workers in WORKERS:
                    seen[f"{build.name}, {workers} workers"] = digest([build / "src/tw", *rest, "--workers", workers], out)
            for library in libraries:
                for processes in PROCESSES:
                    job = mpi.command(library, processes) + [builds[0] / "src/tw", *rest, "--workers", 1, "--comm", "mpi"]
                    seen[f"{library}, {processes} processes"] = digest(job, out)
            runs, count = runs + len(seen), count + 1
            same = len(set(seen.values())) == 1
            if not same:
                different.append(name)
            print(f"{name}: {len(seen)} runs, {next(iter(seen.values())) if same else seen}", flush=True)
    print(f"{count} programs, {runs} runs, {len(builds)} compilers, MPI: {', '.join(libraries) or 'none'}; {len(different)} with more than one hash")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
