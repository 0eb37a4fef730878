# SPDX-License-Identifier: Apache-2.0
"""Estimates on a system file that `tw info --calibrate` wrote here, beside what runs take here."""

import itertools
import json
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
GPT, LAYOUTS = "gpt_step.mlir", ("gpt_data", "gpt_megatron", "gpt_zero2", "gpt_zero3")
APART = 1.05  # layouts whose times differ by less have no order


def runs():
    """Program, mesh, spec; the zoo on one device."""
    yield GPT, "data=1,model=1", None
    for spec in (*LAYOUTS, "gpt_sequence"):
        yield GPT, "data=2,model=4", spec
    for spec in ("gpt_data", "gpt_zero3"):
        yield GPT, "data=8,model=1", spec
    yield "mlp_step.mlir", "data=2,model=4", "mlp_megatron"
    for path in sorted((ROOT / "examples" / "models" / "zoo").glob("*.mlir")):
        yield f"zoo/{path.name}", "x=1", None


def answer(tool, verb, run, *more):
    file, mesh, spec = run
    command = [tool, verb, ROOT / "examples" / "models" / file, "--mesh", mesh, "--json", *more]
    if spec:
        command += ["--spec", ROOT / "examples" / "specs" / f"{spec}.txt"]
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout)


def machine_figures(tool, report, folder):
    """Figures into `report`; the system file goes to `folder`."""
    system = folder / "this-machine.conf"
    subprocess.run([str(tool), "info", "--calibrate", "-o", str(system)], check=True)
    print(system.read_text(), flush=True)
    rows = []
    print(f"{'program':<28} {'mesh':<16} {'spec':<14} {'estimated':>10} {'measured':>10}  error", flush=True)
    for run in runs():
        measured = answer(tool, "run", run, "--check", "none", "--repeat", "9")["time_ms"]["partitioned"]["median"]
        estimated = answer(tool, "estimate", run, "--system", system)["estimate"]["time_ms"]["overlapped"]
        row = {"program": run[0], "mesh": run[1], "spec": run[2] or "", "estimated_ms": estimated, "measured_ms": measured}
        row["error"] = estimated / measured - 1
        rows.append(row)
        print(
            f"{row['program']:<28} {row['mesh']:<16} {row['spec']:<14} {estimated:>7.2f} ms {measured:>7.2f} ms  {100 * row['error']:+.0f} %",
            flush=True,
        )
    report.sets["machine"] = rows
    report.figure(f"this machine: mean error of {len(rows)} runs", 100 * statistics.mean(abs(row["error"]) for row in rows), 15)
    four = [row for row in rows if row["mesh"] == "data=2,model=4" and row["spec"] in LAYOUTS]
    pairs = [(a, b) for a, b in itertools.permutations(four, 2) if a["measured_ms"] > APART * b["measured_ms"]]
    wrong = [(a["spec"], b["spec"]) for a, b in pairs if a["estimated_ms"] <= b["estimated_ms"]]
    report.figure(f"pairs of {len(four)} GPT layouts in the wrong order, of {len(pairs)}", len(wrong), 0, "pairs")
    for slower, faster in wrong:
        print(f"    {slower} takes longer than {faster}, and is estimated to take less")
