#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks `estimate.py published` with invented figures: of runs that took what is estimated, and of runs that took a fifth less.

    check_estimate.py BUILD     # exits 0 where errors, regret, bytes and what is left out are as they were made
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import estimate
import published_runs as published

HERE = pathlib.Path(__file__).resolve().parent
VTRAIN = "# GPUs,global batch,micro batch,hidden size,attention heads,# layers,sequence length".split(",")
VTRAIN += ["tensor parallelism", "data parallelism", "pipeline parallelism", "iteration time (ms)"]
FOUNDRY = "Model,SeqLen (T),# GPUs,GPU,MicroBatchSize,GradAccum,GlobalBatchSize (T),Throughput (T/s/GPU),Precision,MP Mode,Activation Checkpointing"
GOLDEN = "suite,case,hw,L,h,a,s,mbs,gbs,tp,pp,cp,distopt,sp,rec,mem,mx"
SMALL = dict(hidden=1024, ff=4096, seq=512, heads=16, layers=8, tp=2, pp=1, gpus=2, batch=4, micro=4)
GIB = 2**30


def write(path, names, rows, delimiter):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows([names, *rows])


def small_22b(seconds):
    """Of a small model what the paper says of a large one."""
    h, s, b, layers, t, heads = (SMALL[name] for name in ("hidden", "seq", "micro", "layers", "tp", "heads"))
    a_layer = lambda outside, inside: s * b * h * (outside + inside / t)
    square = 5 * heads * s / h
    whole = a_layer(10, 24 + square)
    figures = {"sequence": a_layer(0, 34 + square), "selective": a_layer(10, 24), "sequence_selective": a_layer(0, 34), "full": a_layer(2, 0)}
    first = {"parameters_and_optimizer": 18 * 12 * h * h * layers / t, "activations": whole * layers}
    first["activations_sequence_selective"] = figures["sequence_selective"] * layers
    return SMALL | {
        "iteration_s": dict(zip(("full_recomputation", "sequence_parallel_selective"), seconds)),
        "figure1_gib": {name: value / GIB for name, value in first.items()},
        "figure7_activations_percent": {name: 100 * value / whole for name, value in figures.items()},
    }


def write_figures(folder, vtrain=(1, 1), megatron=(1, 1), foundry=1.0, held=(1, 1)):
    """Seconds of the runs of each set, and bytes."""
    plans = [(2, 8, 2, 256, 4, 3, 128, 1, 2, 1, 1e3 * vtrain[0]), (2, 8, 4, 256, 4, 3, 128, 2, 1, 1, 1e3 * vtrain[1])]
    write(folder / "vtrain_single_a100.csv", VTRAIN, [*plans, (2, 8, 2, 256, 4, 3, 128, 1, 1, 2, 1)], ",")
    models = {"22B": small_22b(megatron), "larger": {}}
    (folder / "megatron_2205_05198.json").write_text(json.dumps({"models": models}))
    tokens = 8 * 2 * 512
    one = ("125m", 512, 8, "a100_80gb", 2, 1, tokens, tokens / foundry / 8, "amp_bf16", "PURE", "False")
    write(folder / "llm_foundry.tsv", FOUNDRY.split(","), [one, one[:8] + ("amp_fp8", *one[9:])], "\t")
    one = ("gpt", "gpt3_mcore_te_tp2_pp1", "a100", 2, 256, 4, 128, 2, 16, 2, 1, "-", "true", "-", "-", *held)
    write(folder / "megatron_golden.tsv", GOLDEN.split(","), [one, ("bert", *one[1:])], "\t")


def main():
    build = pathlib.Path(sys.argv[1])
    pricer = estimate.Pricer(build / "src" / "tw")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def figures():
            done = subprocess.run(
                [sys.executable, HERE / "estimate.py", build, "published", folder, "--json", folder / "out.json"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            print(done.stdout, done.stderr)
            return done.returncode, json.loads((folder / "out.json").read_text())

        write_figures(folder)
        seconds = lambda runs: [estimate.time_of(pricer, run) / 1e3 for run in runs]
        vtrain = seconds(published.vtrain(folder / "vtrain_single_a100.csv")[0])
        megatron = seconds(published.megatron_22b(folder / "megatron_2205_05198.json")[0])
        [foundry] = seconds(published.llm_foundry(folder / "llm_foundry.tsv")[0])
        held = [round(estimate.held_bytes(pricer, run)) for run in published.megatron_golden(folder / "megatron_golden.tsv")[0]]
        write_figures(folder, vtrain, megatron, foundry, held)
        status, out = figures()
        assert status == 0 and all(figure["met"] and figure["value"] < 0.1 for figure in out["figures"]), "all is as estimated"

        faster = 0.8
        fastest = min(vtrain)
        slower = [0.9 * fastest if value > fastest else value for value in vtrain]  # the plan that the estimate puts last was faster
        write_figures(folder, slower, [faster * value for value in megatron], faster * foundry, [held[0], round(faster * held[1])])
        status, out = figures()
        value = {figure["name"]: figure["value"] for figure in out["figures"]}
        near = lambda found, want: abs(found - want) < 0.1
        errors = [row["error"] for name in ("megatron_2205_05198.json", "llm_foundry.tsv") for row in out["sets"][name]]
        assert status == 1 and len(errors) == 3 and all(near(100 * error, 25) for error in errors), errors
        assert near(value["mean regret of 1 groups"], 100 / 9), value
        assert near(value["bytes, peak: median of 1"], 25) and near(value["bytes, start: median of 1"], 0), value


main()
