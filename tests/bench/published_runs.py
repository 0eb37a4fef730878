# SPDX-License-Identifier: Apache-2.0
"""Published runs of transformers as steps that can be priced: sizes, mesh, sharding, and what was measured. estimate.py uses them.

Each reader takes a file of figures. Runs with pipelines, and others that no step here is, are counted and left out.
"""

import csv
import dataclasses
import json
import math
import re

GPUS_OF_A_NODE = 8
MOST_DEVICES = 256  # to price a step on more takes minutes


@dataclasses.dataclass(frozen=True)
class Run:
    name: str
    group: tuple  # runs of which one may choose the fastest: the same model, batch and number of devices
    measured: float  # seconds, or bytes
    system: str
    sizes: tuple  # of a step of one micro-batch, as transformer.py takes them: pairs of an option and its value
    data: int = 1
    model: int = 1
    micro: int = 1  # micro-batches, in a loop
    times: int = 1  # so often the step itself runs
    zero: int = 0  # what is tiled over data: 1 the optimizer's state, 3 parameters too
    sequence: bool = False
    bytes_at: str = ""  # the figure of memory: "start" or "peak"

    @property
    def devices(self):
        return self.data * self.model

    def with_sizes(self, **sizes):
        return dataclasses.replace(self, sizes=tuple(sorted((dict(self.sizes) | sizes).items())))


def run(name, group, measured, system, sizes, **more):
    return Run(name, group, measured, system, tuple(sorted(sizes.items())), **more)


def read(path, delimiter=","):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def padded_vocabulary(words, model):
    """Megatron's: what divides by 128 on each device."""
    return math.ceil(words / (128 * model)) * 128 * model


MEGATRON = dict(type="f16", weights="beside", gradients="f16", dropout=True, tied=True, clip=True)


def vtrain(path):
    """Runs of Megatron-DeepSpeed with full recomputation, and how many pipelines there are."""
    runs, left_out = [], 0
    for row in read(path):
        number = {key: float(value) for key, value in row.items()}
        devices, batch, micro_batch, d, heads, layers, seq, model, data, pipeline = (
            int(number[key])
            for key in ("# GPUs", "global batch", "micro batch", "hidden size", "attention heads", "# layers", "sequence length",
                        "tensor parallelism", "data parallelism", "pipeline parallelism")
        )  # fmt: skip
        if pipeline > 1 or model > GPUS_OF_A_NODE:
            left_out += 1
            continue
        sizes = MEGATRON | dict(d=d, heads=heads, layers=layers, ffn=4 * d, seq=seq, vocab=padded_vocabulary(50257, model), batch=batch)
        name = f"{layers} x {d}, batch {batch} by {micro_batch}, tensor {model}, data {data}"
        group = (d, layers, devices, batch)
        micro = batch // micro_batch // data
        seconds = number["iteration time (ms)"] / 1e3
        runs.append(run(name, group, seconds, "a100-80g", sizes | dict(recompute="full"), data=data, model=model, micro=micro))
    return runs, left_out


def megatron_22b(path):
    """Of 2205.05198 what has no pipeline: the 22B model, its two times, and its figures of memory."""
    models = json.loads(path.read_text())["models"]
    of = models["22B"]
    sizes = MEGATRON | dict(d=of["hidden"], heads=of["heads"], layers=of["layers"], ffn=of["ff"], seq=of["seq"], vocab=51200, batch=of["micro"])
    sizes |= dict(gradients="f32", buffers=True)
    step = lambda name, recompute, sequence, measured: run(
        name, ("22B", sequence, recompute), measured, "a100-80g", sizes | dict(recompute=recompute), model=of["tp"], sequence=sequence
    )
    times = [
        step("22B, full recomputation", "full", False, of["iteration_s"]["full_recomputation"]),
        step("22B, sequence parallel, selective", "selective", True, of["iteration_s"]["sequence_parallel_selective"]),
    ]
    first, seventh = of["figure1_gib"], of["figure7_activations_percent"]
    held = lambda name, recompute, sequence: step(name, recompute, sequence, seventh.get(name, 100.0)).with_sizes(clip=False)
    memory = [
        held("no recomputation", "cheap", False),
        held("sequence", "cheap", True),
        held("selective", "selective", False),
        held("sequence_selective", "selective", True),
        held("full", "full", False),
    ]
    return times, memory, first, 2 * (len(models) - 1)


FOUNDRY = {  # layers, width, heads
    "125m": (12, 768, 12), "350m": (24, 1024, 16), "760m": (24, 1536, 12), "1b": (24, 2048, 16), "3b": (32, 2560, 20), "7b": (32, 4096, 32),
    "13b": (40, 5120, 40), "30b": (48, 7168, 56), "70b": (80, 8192, 64),
}  # fmt: skip
FOUNDRY_SYSTEMS = {"a100_40gb": "a100-40g", "a100_80gb": "a100-80g", "h100_80gb": "h100-sxm"}


def llm_foundry(path):
    """Runs under FSDP on whole nodes."""
    runs, left_out = [], 0
    for row in read(path, "\t"):
        devices, seq, micro_batch = int(row["# GPUs"]), int(row["SeqLen (T)"]), int(row["MicroBatchSize"])
        if not GPUS_OF_A_NODE <= devices <= MOST_DEVICES or "fp8" in row["Precision"]:
            left_out += 1
            continue
        layers, d, heads = FOUNDRY[row["Model"]]
        sizes = dict(layers=layers, d=d, heads=heads, ffn=4 * d, seq=seq, vocab=50368, batch=micro_batch * devices, type="bf16")
        sizes |= dict(weights="converted", tied=True, clip=True, gradients="bf16" if row["MP Mode"] == "PURE" else "f32")
        sizes |= dict(recompute="full" if row["Activation Checkpointing"] == "True" else "selective")
        tokens = int(row["GlobalBatchSize (T)"])
        seconds = tokens / (float(row["Throughput (T/s/GPU)"]) * devices)
        name = f"{row['Model']}, {row['GPU']} x {devices}, sequence {seq}, batch {micro_batch} x {row['GradAccum']}"
        group = (row["Model"], row["GPU"], seq, devices, tokens)
        runs.append(run(name, group, seconds, FOUNDRY_SYSTEMS[row["GPU"]], sizes, data=devices, zero=3, times=int(row["GradAccum"])))
    return runs, left_out


GOLDEN_SYSTEMS = {"a100": "a100-80g", "h100": "h100-sxm", "gb200": "h100-sxm"}  # bytes are the same on any


def megatron_golden(path):
    """GPTs without pipelines of Megatron-LM's functional tests: bytes at the start of a step, and at its peak."""
    runs, left_out = [], 0
    for row in read(path, "\t"):
        number = lambda key: 1 if row[key] == "-" else int(row[key])
        plain = row["suite"] == "gpt" and row["case"].startswith("gpt3_mcore") and not re.search("frozen|rope|instances", row["case"])
        if not plain or row["hw"] not in GOLDEN_SYSTEMS or row["pp"] not in ("-", "1") or row["cp"] not in ("-", "1") or "pp2" in row["case"]:
            left_out += 1
            continue
        layers, d, heads, seq, micro_batch, batch = (number(key) for key in ("L", "h", "a", "s", "mbs", "gbs"))
        model = number("tp")
        data = (4 if row["case"].endswith("_1node") else GPUS_OF_A_NODE) // model  # that is GB200
        sharded = row["distopt"] == "true"
        sizes = MEGATRON | dict(layers=layers, d=d, heads=heads, ffn=4 * d, seq=seq, vocab=padded_vocabulary(50257, model), batch=batch)
        sizes |= dict(type="bf16", gradients="f32", buffers=True, clip=False)
        kernel = "_te_" in row["case"] and "resume" in row["case"]  # the others say `--attention-backend unfused`, or have none
        sizes |= dict(recompute="full" if row["rec"] == "full" else "selective" if kernel else "cheap")
        fixed = dict(data=data, model=model, micro=batch // micro_batch // data, sequence=row["sp"] == "true")
        fixed |= dict(zero=3 if "zp_z3" in row["case"] else 1 if sharded else 0)
        for column, at in (("mem", "start"), ("mx", "peak")):
            name = f"{row['case']}, {row['hw']}, {at}"
            sizes["buffers"] = at == "start" or fixed["micro"] == 1  # where there is a loop, what it sums up is in them
            runs.append(run(name, (row["hw"],), float(row[column]), GOLDEN_SYSTEMS[row["hw"]], sizes, bytes_at=at, **fixed))
    return runs, left_out
