# SPDX-License-Identifier: Apache-2.0
"""What `tw emit` prints as StableHLO, in the hands of JAX: every program of the tree parses and passes MLIR's verifier, text and artifact are one
module, and per-device modules compile from artifacts, run on 8 CPU devices and give the numbers of `tw run`.
Usage: jax_devices.py TW. Runs under the python that TW_JAX_PYTHON names, where it is set; without jax it says so and exits 77."""

import glob
import json
import os
import subprocess
import sys
import tempfile

from jax_lane import jax_devices, root

import jax_canonical
import peer_xla_run
import jax
import numpy as np
from jax.extend.mlir import ir
from jax.interpreters import mlir

jax.config.update("jax_enable_x64", True)
tw = os.path.abspath(sys.argv[1])
real = os.environ.get("TW_REAL_PROGRAMS", os.path.join(root, "..", "shared", "real_programs"))
TOLERANCE = 1e-4
GPT = os.path.join(root, "examples", "models", "gpt_step.mlir")
CHESS = os.path.join(real, "searchless_chess_9m_jax.mlir")
ZOO = os.path.join(root, "examples", "models", "zoo")
PROGRAMS = os.path.join(root, "tests", "golden", "programs")
spec = lambda name: ["--spec", os.path.join(root, "examples", "specs", name + ".txt")]
actions = lambda text: ["-a", text + "; infer-propagate"]
CASES = [
    (GPT, "data=2,model=4", spec("gpt_megatron")),
    (GPT, "data=2,model=4", spec("gpt_sequence")),
    (GPT, "data=8", spec("gpt_zero3")),
    (GPT, "data=4,model=2", spec("gpt_megatron_zero2")),
    (CHESS, "model=8", spec("chess_model")),
    (CHESS, "data=2,model=4", spec("chess_megatron")),
    (os.path.join(ZOO, "moe_step.mlir"), "data=8", actions("tile(arg=arg3, dim=0, axis=data)")),
    (os.path.join(ZOO, "expert_step.mlir"), "x=4", spec("experts")),
    (os.path.join(ZOO, "resnet_step.mlir"), "data=4", actions("tile(arg=arg8, dim=0, axis=data)")),
    (os.path.join(ZOO, "resnet_step.mlir"), "data=4,space=2", actions("tile(arg=arg8, dim=0, axis=data); tile(arg=arg8, dim=1, axis=space)")),
    (os.path.join(ZOO, "stencil.mlir"), "rows=2,columns=4", actions("tile(arg=arg0, dim=0, axis=rows); tile(arg=arg0, dim=1, axis=columns)")),
    (os.path.join(ZOO, "lstm_step.mlir"), "x=3", actions("tile(arg=arg4, dim=1, axis=x)")),
    (os.path.join(ZOO, "decode.mlir"), "x=2", actions("tile(arg=arg5, dim=0, axis=x)")),
    (os.path.join(ZOO, "graph_step.mlir"), "x=3", actions("tile(arg=arg3, dim=0, axis=x); tile(arg=arg4, dim=0, axis=x)")),
    (os.path.join(ZOO, "fft_filter.mlir"), "x=2", actions("tile(arg=arg0, dim=0, axis=x)")),
    (os.path.join(PROGRAMS, "ring_matmul.mlir"), "a=2,b=4", []),
    (os.path.join(PROGRAMS, "ring_partly_manual.mlir"), "ring=4,model=2", []),
    (os.path.join(PROGRAMS, "roll.mlir"), "x=4,y=2", []),
]


def run(*command):
    done = subprocess.run([tw, *command], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"tw {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def emit(form, *options):
    """A form as text and as an artifact, which are one module."""
    text = run("emit", *options, "--to", form)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "artifact")
        run("emit", *options, "--to", f"{form}-bytecode", "-o", out)
        with open(out, "rb") as made:
            artifact = made.read()
    differs, _ = jax_canonical.difference(text, artifact)
    if differs:
        raise RuntimeError(f"text and artifact differ:\n  {differs}")
    return text, artifact


NAMES = {"i1": "bool", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "complex<f32>": "complex64"}


def invent(type_text, rng):
    """An input for "f32[8,16]"."""
    element, dims = type_text.rstrip("]").split("[")
    name = NAMES.get(element) or element.replace("ui", "uint") if element in NAMES or element[0] == "u" else "int" + element[1:]
    return peer_xla_run.invent(rng, [int(n) for n in dims.split(",") if n], jax.numpy.dtype(name))


def check_numbers(file, mesh, options):
    """The largest difference, relative to the largest of an array."""
    common = [file, "--mesh", mesh, *options]
    text, artifact = emit("stablehlo", *common)
    rng = np.random.default_rng(0)
    inputs = [invent(a["type"], rng) for a in json.loads(run("plan", *common, "--json"))["arguments"]]
    with tempfile.TemporaryDirectory() as folder:
        given, made = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
        np.savez(given, **{f"arg{i}": peer_xla_run.plain(a) for i, a in enumerate(inputs)})
        run("run", *common, "--inputs", given, "--outputs", made, "--check", "none")
        ours = dict(np.load(made))
    axes = jax_devices.parse_mesh(mesh)
    program = jax_devices.DeviceProgram(text, axes, artifact)
    worst = 0.0
    for i, tiles in enumerate(program.run(inputs)):
        whole = ours[f"out{i}"]
        largest = max(float(np.max(np.abs(whole), initial=0)), 1e-30)
        for position, theirs in enumerate(tiles):
            part, stored = jax_devices.tile(whole.shape, program.results[i], axes, position)
            if theirs.shape != stored:
                raise RuntimeError(f"result {i} of device {position} is {theirs.shape}, expected {stored}")
            wanted = whole[part]
            theirs = theirs[tuple(slice(n) for n in wanted.shape)]
            both_nan = np.isnan(theirs.astype(np.float64)) & np.isnan(wanted.astype(np.float64))
            difference = np.max(np.abs(np.where(both_nan, 0, theirs.astype(np.float64) - wanted.astype(np.float64))), initial=0)
            worst = max(worst, float(difference) / largest if np.isfinite(difference) else np.inf)
    return worst


def check_text(file):
    """The program as text; with what it says of sharding, where it says something."""
    with mlir.make_ir_context():
        module = ir.Module.parse(emit("stablehlo+sdy", file)[0])
        module.operation.verify()


passed = failed = skipped = 0
for file in sorted(glob.glob(os.path.join(PROGRAMS, "*.mlir")) + glob.glob(os.path.join(ZOO, "*.mlir")) + [GPT]):
    try:
        check_text(file)
        passed += 1
    except Exception as error:  # of MLIR, or of tw
        failed += 1
        print(f"{file}: {error}")
for file, mesh, options in CASES:
    if not os.path.exists(file):
        skipped += 1
        print(f"skipped: there is no {file} (set TW_REAL_PROGRAMS)")
        continue
    name = f"{os.path.basename(file)} on {mesh} {' '.join(options)}"
    try:
        worst = check_numbers(file, mesh, options)
    except Exception as error:
        failed += 1
        print(f"{name}: {error}")
        continue
    print(f"{name}: at most {worst:.1e} of an array's largest")
    passed += worst <= TOLERANCE
    failed += not worst <= TOLERANCE
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or passed == 0 else 0)
