#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far estimates are from published runs, and from runs here.

    estimate.py BUILD published FOLDER [--json FILE] [--set NAME ..]
    estimate.py BUILD machine [--json FILE]

`machine` holds estimates on a file that `tw info --calibrate` writes against runs on this machine (estimate_machine.py).

FOLDER has the figures (vtrain_single_a100.csv, megatron_2205_05198.json, llm_foundry.tsv, megatron_golden.tsv). Each run is priced as the step
that examples/models/transformer.py writes, on a file of examples/systems as it is. An error is (estimated - measured) / measured. The regret
of a group of runs, one model on so many devices, is what the plan costs that the estimate ranks first over the one measured fastest.
Exits with 1 where a limit is missed.
"""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "models"))
import estimate_machine  # noqa: E402
import published_runs as published  # noqa: E402
import transformer  # noqa: E402 (of examples/models)

NODE = published.GPUS_OF_A_NODE
SEEDS = 10
FEW, MORE = 1, 2  # layers of the programs from which those with more follow: each layer adds the same


class Pricer:
    """Prices on the shipped systems, with the link of their level `node` for an axis over hosts too. `chains`: another value of that key."""

    def __init__(self, tool, chains=None):
        self.tool, self.folder = tool, tempfile.TemporaryDirectory()
        for path in (ROOT / "examples" / "systems").glob("*.conf"):
            text = path.read_text() if chains is None else re.sub(r"\bchains=\d", f"chains={chains}", path.read_text())
            link = re.search(r"^\[level node\](.*)$", text, re.M)
            self.system(path.stem).write_text(text + (f"[axis hosts]{link[1]}\n" if link else ""))

    def system(self, name):
        return pathlib.Path(self.folder.name) / f"{name}.conf"

    def estimate(self, run):
        return priced(self.tool, self.system(run.system), run)


@functools.lru_cache(maxsize=64)
def text_of(sizes):
    c = transformer.parse_arguments([])
    for name, value in sizes:
        assert hasattr(c, name), name
        setattr(c, name, value)
    return "\n".join(transformer.write_step(c)[0]) + "\n"


def actions_of(run):
    """The mesh, and what tiles the step as the trainer does."""
    nodes = max(1, run.devices // NODE)
    axes = {"hosts": nodes} if nodes > 1 else {}
    axes |= {"data": run.data // nodes, "model": run.model}
    data = [axis for axis in ("hosts", "data") if axes.get(axis, 1) > 1]
    tile = lambda what, dim, axis: f'tile({what}, dim={dim}, axis="{axis}")'
    every = [tile(f"arg={name}", 0, axis) for axis in data for name in ("tokens", "targets")]
    actions = []
    if run.micro > 1:
        actions.append(f'serial(axis="micro", size={run.micro})')
        every += [tile(f"arg={name}", 0, "micro") for name in ("tokens", "targets")]
    actions += [*every, "infer-propagate"]
    if run.model > 1:
        actions += [tile(f'arg="params*{name}*"', 1, "model") for name in ("wq", "wk", "wv", "w_up")] + ["infer-propagate"]
        actions += [tile('arg="params*tokens*"', 0, "model"), "infer-propagate"]
    if run.sequence and run.model > 1:
        actions += [tile('value="%3"', 1, "model"), "infer-propagate"]  # the sum of both embeddings
    for axis in data if run.zero == 1 else []:  # parameters and the arrays that gradients are added to stay whole
        whole = ['"params*"'] + (["\"opt['g'*\""] if dict(run.sizes).get("buffers") else [])
        actions += [f'atomic(arg={name}, axis="{axis}")' for name in whole]
        actions += [tile(f"arg=\"opt['{part}'*\"", 0, axis) for part in "wmv"] + ["infer-propagate"]
    for axis in data if run.zero == 3 else []:
        actions += [tile('arg="params*"', 0, axis), tile("arg=\"opt['?'*\"", 0, axis), "infer-propagate"]
    return ",".join(f"{axis}={size}" for axis, size in axes.items()), "; ".join(actions)


@functools.cache
def priced(tool, system, run):
    mesh, actions = actions_of(run)
    command = [tool, "estimate", "-", "--json", "--mesh", mesh, "--system", system, "--donate", "-a", actions]
    if run.zero == 3:  # parameters are put together where they are used, again in each turn
        command += ["--gathers", "per-use", "--hoist-limit", "1"]
    done = subprocess.run(command, input=text_of(run.sizes), capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):  # 3: it does not fit, which a figure of time does not mind
        sys.exit(f"{run.name}: {' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


def time_of(pricer, run):
    """Milliseconds of the whole run, from programs of few layers: each layer takes the same."""
    few, more = (pricer.estimate(run.with_sizes(layers=layers))["estimate"]["time_ms"]["overlapped"] for layers in (FEW, MORE))
    return run.times * (few + (dict(run.sizes)["layers"] - FEW) * (more - few))


def error_of(estimated, measured):
    return (estimated - measured) / measured


class Calibration:
    """What a machine and its trainer make of estimates: devices slower by a factor, and the time of a host for each pass of a micro-batch over a
    layer, by the degree of tensor parallelism. A run takes the longer of the two."""

    def __init__(self, rows):
        degrees = sorted({row["model"] for row in rows})
        tries = [self.improved({"device": 1.0} | dict.fromkeys(degrees, host), rows) for host in (0.1, 2.0, 5.0)]
        self.constants = min(tries, key=lambda constants: self.mean_error(rows, constants))

    def parts(self, row, constants):
        nearest = min((degree for degree in constants if degree != "device"), key=lambda degree: abs(degree - row["model"]))
        return constants["device"] * row["estimated_ms"], constants[nearest] * row["passes"]

    def mean_error(self, rows, constants=None):
        estimated = lambda row: max(self.parts(row, constants or self.constants))
        return statistics.mean(abs(error_of(estimated(row), row["measured_ms"])) for row in rows)

    def improved(self, constants, rows):
        """By steps along each constant, which become smaller."""
        least, step = self.mean_error(rows, constants), 0.5
        while step > 0.01:
            tries = [constants | {name: value * factor} for name, value in constants.items() for factor in (1 + step, 1 / (1 + step))]
            nearest = min(tries, key=lambda c: self.mean_error(rows, c))
            found = self.mean_error(rows, nearest)
            if found < least:
                constants, least = nearest, found
            else:
                step /= 2
        return constants

    def waits_for_host(self, row):
        device, host = self.parts(row, self.constants)
        return host > device


def on_the_others(rows):
    """The mean error where a quarter of the rows calibrates, over some seeds."""
    errors = []
    for seed in range(SEEDS):
        order = rows[:]
        random.Random(seed).shuffle(order)
        quarter = len(order) // 4
        errors.append(Calibration(order[:quarter]).mean_error(order[quarter:]))
    return statistics.mean(errors)


def regret(rows):
    """By group of more than one row: how much longer the plan took that the estimate ranks first than the fastest did."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row["group"]), []).append(row)
    return [
        error_of(min(group, key=lambda row: row["estimated_ms"])["measured_ms"], min(row["measured_ms"] for row in group))
        for group in groups.values()
        if len(group) > 1
    ]


class Report:
    def __init__(self):
        self.lines, self.sets = [], {}

    def figure(self, name, value, limit, unit="%"):
        met = value <= limit
        self.lines.append({"name": name, "value": value, "limit": limit, "met": met})
        print(f"  {name:<58} {value:>7.2f} {unit:<6} limit {limit:g}{'' if met else '   MISSED'}", flush=True)


def percent(errors):
    """Mean magnitude, and mean, of errors."""
    return f"{100 * statistics.mean(map(abs, errors)):.1f} % ({100 * statistics.mean(errors):+.1f} %) of {len(errors)} rows"


def times(report, pricer, name, runs, left_out, limit, parts=None):
    """`parts`: a name, and whether a row belongs there, to say where errors are."""
    print(f"{name}: {len(runs)} rows, {left_out} left out (pipelines, 8 bits, very many devices)", flush=True)
    one_kernel = Pricer(pricer.tool, chains=1)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        estimated = list(pool.map(lambda run: time_of(pricer, run), runs))
        chained = list(pool.map(lambda run: time_of(one_kernel, run), runs))
    rows = [
        {"name": run.name, "group": run.group, "system": run.system, "model": run.model, "seq": dict(run.sizes)["seq"], "estimated_ms": ms,
         "passes": dict(run.sizes)["layers"] * run.micro * run.times, "measured_ms": run.measured * 1e3, "error": error_of(ms, run.measured * 1e3),
         "chained_error": error_of(with_chains, run.measured * 1e3)}
        for run, ms, with_chains in zip(runs, estimated, chained)
    ]  # fmt: skip
    report.sets[name] = rows
    for system in sorted({row["system"] for row in rows}):
        part = [row for row in rows if row["system"] == system]
        report.figure(f"mean error, {system} as shipped, {len(part)} rows", 100 * statistics.mean(abs(row["error"]) for row in part), limit)
        for what, belongs in (parts or {"all": lambda _: True}).items():
            if some := [row for row in part if belongs(row)]:
                shipped, chained = (percent([row[error] for row in some]) for error in ("error", "chained_error"))
                print(f"    {what}: {shipped}; a softmax or a norm one step: {chained}")
    worst = max(rows, key=lambda row: abs(row["error"]))
    print(f"    worst: {worst['name']}: {worst['estimated_ms']:.1f} ms for {worst['measured_ms']:.1f}, {100 * worst['error']:+.1f} %")
    if len(rows) >= 40:
        report.figure("mean error on the others where a quarter calibrates", 100 * on_the_others(rows), 6)
        calibration = Calibration(rows)
        hosts = ", ".join(f"{value:.2f}" for name, value in calibration.constants.items() if name != "device")
        degrees = ", ".join(str(name) for name in calibration.constants if name != "device")
        print(f"    all rows say: devices {calibration.constants['device']:.2f} of the estimate, hosts {hosts} ms a pass (tensor {degrees})")
        for what, waits in (("devices", False), ("hosts", True)):
            if errors := [row["error"] for row in rows if calibration.waits_for_host(row) == waits]:
                print(f"    as shipped, where {what} decide: {percent(errors)}")
    if regrets := regret(rows):
        report.figure(f"mean regret of {len(regrets)} groups", 100 * statistics.mean(regrets), 3)
        print(f"    worst: {100 * max(regrets):.1f} %")


def layers_bytes(pricer, run):
    """Of all layers: the bytes of activations at the peak, and those of matrices among the arguments and of what the optimizer keeps of them."""
    layers, batch = dict(run.sizes)["layers"], dict(run.sizes)["batch"]
    most = 8  # layers; with fewer the peak may be elsewhere
    at = lambda layers, batch: pricer.estimate(run.with_sizes(layers=layers, batch=batch))
    peak = lambda layers, batch: at(layers, batch)["estimate"]["peak_bytes"]
    of_a_layer = lambda batch: peak(most, batch) - peak(most - 1, batch)
    activations = (of_a_layer(batch) - of_a_layer(batch // 2)) * 2 * layers
    matrices = [a["bytes"] for a in at(most, batch)["arguments"] if "layer" in a["name"] and len(a["local"]) == 2]
    return activations, sum(matrices) / most * layers


def memory_of_22b(report, pricer, runs, first):
    print("memory of 22B of megatron_2205_05198.json, layers without biases and norms, as its formula counts", flush=True)
    found = {run.name: layers_bytes(pricer, run) for run in runs}
    whole, parameters = found["no recomputation"]
    gib = lambda name, value, want: report.figure(f"{name}, {value / 2**30:.4f} GiB for {want}", 100 * abs(error_of(value / 2**30, want)), 0.1)
    gib("parameters and optimizer", parameters, first["parameters_and_optimizer"])
    gib("activations", whole, first["activations"])
    gib("activations, sequence and selective", found["sequence_selective"][0], first["activations_sequence_selective"])
    for run in runs[1:]:
        part = 100 * found[run.name][0] / whole
        report.figure(f"of figure 7: {run.name}, {part:.2f} % for {run.measured}", abs(part - run.measured), 3, "points")


def held_bytes(pricer, run):
    """What a device holds between steps, or at the peak of one."""
    priced_run = pricer.estimate(run)
    return sum(a["bytes"] for a in priced_run["arguments"]) if run.bytes_at == "start" else priced_run["estimate"]["peak_bytes"]


def memory_of_tests(report, pricer, runs, left_out):
    print(f"megatron_golden.tsv: {len(runs) // 2} runs, {left_out} left out (pipelines, systems without a file, other models)", flush=True)
    rows = [
        {"name": run.name, "hardware": run.group[0], "at": run.bytes_at, "measured": run.measured, "held": held_bytes(pricer, run)} for run in runs
    ]  # fmt: skip
    for hardware in sorted({row["hardware"] for row in rows}):
        part = [row for row in rows if row["hardware"] == hardware]
        constant = statistics.median(row["measured"] - row["held"] for row in part if row["at"] == "start")
        print(f"    held by libraries on {hardware}: {constant / 1e6:.0f} MB")
        for row in part:
            row["error"] = error_of(row["held"] + constant, row["measured"])
    report.sets["megatron_golden"] = rows
    for name, part in (("all", rows), *((at, [row for row in rows if row["at"] == at]) for at in ("start", "peak"))):
        errors = sorted(100 * abs(row["error"]) for row in part)
        report.figure(f"bytes, {name}: median of {len(errors)}", statistics.median(errors), 6)
        report.figure(f"bytes, {name}: 90th percentile", errors[min(len(errors) - 1, int(0.9 * len(errors)))], 15)
    worst = max(rows, key=lambda row: abs(row["error"]))
    print(f"    worst: {worst['name']}: {100 * worst['error']:+.1f} %")


MISSING = """what the model lacks:
  vtrain    hosts of eager trainers, which need 3 to 5 ms to start the work of a layer: small micro-batches wait for them
  foundry   attention in one kernel, which keeps the square of the sequence off memory and leaves out what the mask hides
  all       softmax and norms in one kernel (the shipped files say chains=0), passes over gradients that optimizers make one by one
"""


def published_figures(pricer, folder, sets):
    report = Report()
    if "vtrain" in sets:
        times(report, pricer, "vtrain_single_a100.csv", *published.vtrain(folder / "vtrain_single_a100.csv"), 12)
    if "megatron" in sets:
        runs, memory, first, left_out = published.megatron_22b(folder / "megatron_2205_05198.json")
        times(report, pricer, "megatron_2205_05198.json", runs, left_out, 5)
        memory_of_22b(report, pricer, memory, first)
    if "foundry" in sets:
        parts = {"sequences up to 2048": lambda row: row["seq"] <= 2048, "longer ones": lambda row: row["seq"] > 2048}
        times(report, pricer, "llm_foundry.tsv", *published.llm_foundry(folder / "llm_foundry.tsv"), 12, parts)
    if "golden" in sets:
        memory_of_tests(report, pricer, *published.megatron_golden(folder / "megatron_golden.tsv"))
    print(MISSING, end="")
    return report


SETS = ("vtrain", "megatron", "foundry", "golden")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("what", choices=["published", "machine"])
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--set", choices=SETS, action="append", help="only these")
    parser.add_argument("--json", type=pathlib.Path)
    c = parser.parse_args()
    if (c.what == "published") != (c.folder is not None):
        parser.error("`published` takes the folder with the figures, `machine` none")
    if c.what == "machine":
        report = Report()
        with tempfile.TemporaryDirectory() as folder:
            estimate_machine.machine_figures(c.build / "src" / "tw", report, pathlib.Path(folder))
    else:
        report = published_figures(Pricer(c.build / "src" / "tw"), c.folder, c.set or SETS)
    if c.json:
        c.json.write_text(json.dumps({"figures": report.lines, "sets": report.sets}, indent=1) + "\n", encoding="utf-8")
    missed = [line["name"] for line in report.lines if not line["met"]]
    print(f"{len(report.lines)} figures, {len(missed)} miss their limits")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
