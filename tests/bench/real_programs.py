#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches of programs that nobody here wrote: a spec for each .mlir file of a folder, on 4 x 8 devices.

    real_programs.py BUILD FOLDER               # exits 1 where one fails, or takes more than a minute
    real_programs.py BUILD FOLDER --json FILE   # the figures
    real_programs.py BUILD FOLDER --specs OUT   # and the specs
    ./dev bench real_programs FOLDER            # builds what it needs before

Milliseconds of a run, one thing after the other: of what is found, of the best that data parallelism comes to and that fits, and of nothing
but copies; and the seconds of processors that a search takes. Where a program has shardings of its author, what it costs with these is beside
what is found for the same mesh without them.
The programs are read where they lie, and are no part of the repository.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

MESH, LIMIT_S = "x=4,y=8", 60


class Failed(Exception):
    pass


def processor_seconds():
    """Of all threads of what ran: no less than it takes on a machine without other work."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Tool:
    def __init__(self, build, system):
        self.path, self.system = build / "src" / "tw", system

    def run(self, *arguments):
        """The object that it prints."""
        command = [str(self.path), *map(str, arguments), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10 * LIMIT_S)
        if done.returncode not in (0, 3):
            try:
                why = json.loads(done.stderr)["error"]["message"]
            except ValueError:
                why = done.stderr.strip()[-200:]
            raise Failed(f"exit {done.returncode}: {why}")
        return json.loads(done.stdout)

    def search(self, file, mesh, *options):
        begin = processor_seconds()
        found = self.run("search", file, "--mesh", mesh, "--system", self.system, *options)["search"]
        return found | {"took_s": processor_seconds() - begin}

    def author(self, file):
        """The author's mesh, and what the program costs with the shardings that it has; nothing where there are none."""
        plan = self.run("plan", file)
        mesh = ",".join(f"{axis}={size}" for axis, size in plan["mesh"]["axes"])
        if plan["mesh"]["devices"] < 2:
            return None
        stated = self.search(file, mesh, "--episodes", 1)["seeds_tried"]
        return mesh, next(tried["cost_ms"] for tried in stated if tried["name"] == "replicated")


def measure(tool, file, specs):
    with tempfile.TemporaryDirectory() as folder:
        spec = (specs or Path(folder)) / f"{file.stem}.txt"
        found = tool.search(file, MESH, "--annotations", "ignore", "-o", spec)
        # Who reads the spec gets what was found.
        again = tool.run("plan", file, "--mesh", MESH, "--annotations", "ignore", "--spec", spec)
    tried = {one["name"]: one["cost_ms"] for one in found["seeds_tried"] if one["fits"]}
    data = [cost for name, cost in tried.items() if name.startswith("batch")]
    row = {
        "program": file.name, "found_ms": found["cost_ms"], "bound_ms": found["bound_ms"], "status": found["status"],
        "search_s": found["took_s"], "actions": len(found["actions"]), "collectives": sum(again["counts"].values()),
        "data_ms": min(data, default=None), "replicated_ms": tried.get("replicated"),
    }  # fmt: skip
    if stated := tool.author(file):
        mesh, cost = stated
        row |= {"author_mesh": mesh, "author_ms": cost, "there_ms": tool.search(file, mesh, "--annotations", "ignore")["cost_ms"]}
    return row


def wrong(row):
    """What is not as it should be."""
    worse = lambda than: row.get(than) is not None and row["found_ms"] > row[than] * (1 + 1e-3)
    said = [] if row["search_s"] <= LIMIT_S else [f"took {row['search_s']:.0f} s"]
    said += [] if row["status"] != "infeasible" else ["does not fit"]
    # Nothing to do is right where that is proven to be the best there is.
    said += [] if row["actions"] or row["status"] == "optimal" else ["no actions"]
    said += ["dearer than data parallelism"] if worse("data_ms") else []
    said += ["dearer than its copies"] if worse("replicated_ms") else []
    said += ["dearer than its author's shardings"] if "author_ms" in row and row["there_ms"] > row["author_ms"] * (1 + 1e-3) else []
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--system", default="a100-80g")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--specs", type=Path, help="a folder for what is found")
    c = parser.parse_args()
    files = sorted(c.folder.glob("*.mlir"))
    if not files:
        sys.exit(f"{c.folder} has no .mlir files: give a folder of programs")
    if c.specs:
        c.specs.mkdir(parents=True, exist_ok=True)
    tool, rows, failed = Tool(c.build, c.system), [], 0
    ms = lambda value: "-" if value is None else f"{value:.4g}"
    print(f"{MESH} on {c.system}, ms a run")
    print(f"{'program':<40} {'found':>8} {'bound':>8} {'data':>8} {'copies':>8} {'s':>6} {'actions':>7}  {'author':>8} {'found there':>11}")
    for file in files:
        try:
            row = measure(tool, file, c.specs)
        except (Failed, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{file.name:<40} FAILED: {error}", flush=True)
            continue
        rows.append(row)
        said = wrong(row)
        failed += bool(said)
        author = f"{ms(row['author_ms']):>8} {ms(row['there_ms']):>11} on {row['author_mesh']}" if "author_ms" in row else ""
        print(
            f"{file.name:<40} {ms(row['found_ms']):>8} {ms(row['bound_ms']):>8} {ms(row['data_ms']):>8} {ms(row['replicated_ms']):>8} "
            f"{row['search_s']:>6.1f} {row['actions']:>7}  {author}{'  WRONG: ' + ', '.join(said) if said else ''}",
            flush=True,
        )
    if c.json:
        c.json.write_text(json.dumps(rows, indent=2) + "\n")
    print(f"{len(files) - failed} of {len(files)} programs have a spec in {LIMIT_S} s each")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
