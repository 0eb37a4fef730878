#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans against XLA with Shardy: what a device receives in a step, ours and in the HLO of XLA's CPU compiler.

    peer_shardy.py                # every case; exits 1 where ours is more than XLA's
    peer_shardy.py megatron       # those whose name contains the word
    peer_shardy.py --json FILE    # the figures

XLA is given the program as `tw emit --to stablehlo+sdy` prints it, in four ways: the shardings of arguments and results alone; these with the
order in which our plan decided them; the layouts of our plan for the results of contractions as well (activation constraints); those of all
values. The best of the four counts. What it does with the shardings of arguments alone is shown and does not: the results may be in other layouts. Its bytes are
those of its HLO, whose combined collectives are counted apart; ours are `tw plan --json`'s, mean over devices.
Programs that state their own shardings (jax_programs.py, jax_local_programs.py) are given to both as JAX prints them.

Runs under the python that TW_JAX_PYTHON names, where it is set. Without jax it says so and exits 77.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

python = os.environ.pop("TW_JAX_PYTHON", None)
if python:
    os.execv(python, [python, *sys.argv])

import hlo_bytes
import jax_devices

ROOT = Path(__file__).resolve().parents[2]
GPT, ZOO = "examples/models/gpt_step.mlir", "examples/models/zoo"
spec = lambda name: ["--spec", f"examples/specs/{name}.txt"]
actions = lambda text: ["-a", text + "; infer-propagate"]
# name, program, mesh, options, what is to be seen
CASES = [
    ("gpt batch", GPT, "data=8", spec("gpt_data"), ""),
    ("gpt megatron", GPT, "data=2,model=4", spec("gpt_megatron"), "XLA closes the gradients of q, k and v one by one"),
    ("gpt sequence", GPT, "data=2,model=4", spec("gpt_sequence"), ""),
    ("gpt zero-2", GPT, "data=8", spec("gpt_zero2"), "XLA makes no reduce_scatter on the CPU"),
    ("gpt zero-3", GPT, "data=8", spec("gpt_zero3"), "XLA gathers some parameters twice, and makes no reduce_scatter"),
    ("gpt fsdp columns", GPT, "data=8", actions("tile(arg=tokens, dim=0, axis=data); tile(arg=targets, dim=0, axis=data);"
     " infer-propagate; tile(arg=\"params*['w*\", dim=1, axis=data)"), "weights alone: where XLA may un-shard the batch and reduce activations"),
    ("gpt megatron zero-3", GPT, "data=4,model=2", spec("gpt_megatron_zero3"), ""),
    ("moe tokens", f"{ZOO}/moe_step.mlir", "x=8", actions("tile(arg=arg3, dim=0, axis=x)"), ""),
    ("moe experts", f"{ZOO}/expert_step.mlir", "x=8", spec("experts"), "dispatch and combine are all_to_alls"),
    ("resnet batch", f"{ZOO}/resnet_step.mlir", "x=8", actions("tile(arg=arg8, dim=0, axis=x)"), ""),
    ("resnet space", f"{ZOO}/resnet_step.mlir", "x=2", actions("tile(arg=arg8, dim=1, axis=x)"), "halos"),
    ("lstm batch", f"{ZOO}/lstm_step.mlir", "x=2", actions("tile(arg=arg4, dim=1, axis=x)"),
     "XLA closes the gradients that a loop carries in every turn"),
]  # fmt: skip
policy = []  # options of tw
OURS = {"all_gather": "all-gather", "all_reduce": "all-reduce", "reduce_scatter": "reduce-scatter", "all_to_all": "all-to-all"}
SHARDING = re.compile(r", sdy\.sharding = #sdy\.sharding_per_value<.*?>\]>|\{sdy\.sharding = #sdy\.sharding_per_value<.*?>\]>\} ")


def tw(*arguments):
    tool = os.environ.get("TW_TOOL") or ROOT / "dev"
    command = [tool, *([] if os.environ.get("TW_TOOL") else ["tw"]), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def constrain(text, wanted):
    """The text with constraints on the results of those ops that are wanted; XLA reads no shardings of ops. What is partial in our plan is for
    XLA to close."""
    lines = []
    for line in text.split("\n"):
        bare = SHARDING.sub("", line)
        lines.append(bare)
        said = re.search(r"sharding_per_value<\[(<.*?>)\]>", line)
        made = re.match(r"( *)(%\d+) = ", line)
        if said and made and bare != line and wanted(line):
            sharding = re.sub(r", unreduced=\{[^}]*\}", "", said[1])
            lines[-1] = bare.replace(f"{made[2]} = ", f"%made{made[2][1:]} = ", 1)
            lines.append(f"{made[1]}{made[2]} = sdy.sharding_constraint %made{made[2][1:]} {sharding} : {line.rpartition('-> ')[2]}")
    return "\n".join(lines)


def without_results(text):
    """XLA chooses in which layouts the caller gets them."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if "func.func" in line:
            arguments, arrow, results = line.partition(") -> (")
            lines[i] = re.sub(r"tf\.aliasing_output = \d+ : i32(, )?", "", arguments) + arrow + re.sub(r"(, )?sdy\.sharding = #sdy\.sharding<.*?\]>", "", results)
    return re.sub(r"\}p\d+", "}", "\n".join(lines))


def is_contraction(line):
    return '"stablehlo.dot_general"' in line or '"stablehlo.convolution"' in line


def compile_hlo(text, devices):
    """The HLO of one partition."""
    from jax._src import compiler, xla_bridge
    from jax.extend.mlir import ir
    from jax.interpreters import mlir
    from jaxlib._jax import DeviceList
    import jax

    options = compiler.get_compile_options(num_replicas=1, num_partitions=devices)
    options.executable_build_options.use_spmd_partitioning = True
    options.executable_build_options.use_shardy_partitioner = True
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
        attributes = module.operation.attributes
        number = lambda n: ir.IntegerAttr.get(ir.IntegerType.get_signless(32), n)
        attributes["mhlo.num_partitions"], attributes["mhlo.num_replicas"] = number(devices), number(1)
        made = xla_bridge.get_backend("cpu").compile_and_load(
            module, executable_devices=DeviceList(tuple(jax.devices("cpu")[:devices])), compile_options=options)
    return made.hlo_modules()[0].to_string()


def measure_stated(name):
    """The mesh, ours, and XLA's only way, of a program that states its shardings."""
    import jax_programs

    mesh, text = jax_programs.PROGRAMS[name]()
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        plan = json.loads(tw("plan", file.name, *policy, "--json"))
    counts, total = hlo_bytes.count(compile_hlo(text, plan["mesh"]["devices"]), plan["mesh"]["devices"])
    return mesh, {"bytes": plan["bytes_received"]["mean"], "counts": plan["executed"]}, {"as stated": {"bytes": total, "counts": counts}}


def texts_of(emit):
    """By way, the program that is given to XLA, of a plan that `emit` prints in a form."""
    needed, all_values = emit("stablehlo+sdy"), emit("stablehlo+sdy-all")
    return {
        "arguments alone": without_results(constrain(needed, lambda line: False)),
        "arguments and results": re.sub(r"\}p\d+", "}", constrain(needed, lambda line: False)),
        "with priorities": constrain(needed, lambda line: False),
        "activations": constrain(all_values, is_contraction),
        "all values": constrain(all_values, lambda line: True),
    }


def measure(program, mesh, options):
    """Ours, and XLA's ways by name: {"bytes", "counts"} each."""
    common = [program, "--mesh", mesh, *policy, *options]
    plan = json.loads(tw("plan", *common, "--json"))
    ours = {"bytes": plan["bytes_received"]["mean"], "counts": plan["executed"]}
    devices = plan["mesh"]["devices"]
    texts = texts_of(lambda form: tw("emit", *common, "--to", form))
    theirs = {}
    for way, text in texts.items():
        counts, total = hlo_bytes.count(compile_hlo(text, devices), devices)
        theirs[way] = {"bytes": total, "counts": counts}
    return ours, theirs


def counts_text(counts):
    """ "16 all_reduce, 2 all_gather" """
    named = {OURS.get(kind, kind): n for kind, n in counts.items() if n}
    return ", ".join(f"{n} {kind}" for kind, n in sorted(named.items())) or "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("word", nargs="?", default="", help="of the cases' names")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--policy", help="of our plans")
    c = parser.parse_args()
    jax_devices.choose_devices(8)
    try:
        import jax  # noqa: F401
    except ImportError as error:
        print(f"skipped: this needs jax, {error}", file=sys.stderr)
        sys.exit(77)

    import jax_local_programs  # noqa: F401, more programs of jax_programs
    import jax_programs

    policy[:] = ["--policy", c.policy] if c.policy else []
    rows, more = [], 0
    for name, program, mesh, options, note in CASES + [(name, None, None, None, "") for name in jax_programs.PROGRAMS]:
        if c.word not in name:
            continue
        if program:
            ours, theirs = measure(program, mesh, options)
        else:
            mesh, ours, theirs = measure_stated(name)
        best = min(figures["bytes"] for way, figures in theirs.items() if way != "arguments alone")
        rows.append({"case": name, "mesh": mesh, "ours": ours, "xla": theirs, "note": note})
        more += ours["bytes"] > best * (1 + 1e-9)
        print(f"{name} on {mesh}{': ' + note if note else ''}")
        print(f"  {'ours':<22} {ours['bytes']:>12.0f}  {counts_text(ours['counts'])}")
        for way, figures in theirs.items():
            mark = "*" if figures["bytes"] == best else " "
            print(f"  {way:<21}{mark} {figures['bytes']:>12.0f}  {counts_text(figures['counts'])}")
        ratio = f"{best / ours['bytes']:.2f}" if ours["bytes"] else "-"
        print(f"  XLA's best to ours: {ratio}{'  MORE THAN XLA' if ours['bytes'] > best * (1 + 1e-9) else ''}", flush=True)
    if c.json:
        c.json.write_text(json.dumps(rows, indent=2) + "\n")
    print(f"{len(rows) - more} of {len(rows)} cases: ours receives no more than XLA's best")
    sys.exit(1 if more or not rows else 0)


if __name__ == "__main__":
    main()
