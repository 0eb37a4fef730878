#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our runtime against XLA on the same work and cores, in one run: a GPT training step unpartitioned and three ways on 8 devices, the chess
transformer, a residual block's training step, and collectives.

    peer_xla_runtime.py                    # all, three rounds
    peer_xla_runtime.py gpt chess --rounds 1 --json FILE

XLA runs as jaxlib comes, and with glibc told to keep freed memory; the better one counts. A round runs both sides one after the other, each in
a process of its own, and the smallest of all rounds are compared: ours / theirs beside the limit, as time on the clock and as time of all
processors, which depends less on what else the machine does: a limit is missed where neither keeps it. Of a program with a sum our part is the collective, which
reads what XLA is given and makes what XLA makes: nothing runs before it, and what follows hands the result out to the caller. `memory` is what a device needs
by XLA's memory_analysis (temporaries, arguments and results, less what is donated) and by us (arenas and arguments; tiles that devices have
together count for each of them), and what all devices need together; that of a device is no more than XLA's. Both sides donate the step's state.

Without jax, or without a built benchmark, it says so and exits 77.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GLIBC_KEEP = "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=137438953472:glibc.malloc.arena_max=1"
SIZES = ["--d", "256", "--ffn", "1024", "--vocab", "2048", "--seq", "128"]
MIB = 1 << 20
# Name: mesh, spec, our time over theirs at most.
STEPS = {
    "gpt": ("", None, 1 / 1.5),
    "gpt data=2,model=4": ("data=2,model=4", "gpt_megatron.txt", 1 / 1.5),
    "gpt data=8": ("data=8", "gpt_data.txt", 1 / 1.5),
    "gpt data=4,model=2 zero3": ("data=4,model=2", "gpt_megatron_zero3.txt", 1 / 2.5),
}
# Name: bytes of the whole array, limit.
COLLECTIVES = {
    "all_reduce 8 B": (8, 1 / 50),
    "all_reduce 64 MiB": (64 * MIB, 1 / 3.5),
    "all_gather 64 MiB": (64 * MIB, 1 / 2.5),
    "reduce_scatter 64 MiB": (64 * MIB, 1 / 3),
}
REPEATED = 200  # collectives of 8 B in one program


# --- Theirs, in a process of its own ---------------------------------------------------------------------------------


def model_module(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"examples/models/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def resnet_text():
    """A residual block of 64 features over 32 x 32 places with its stem, its pooling and all gradients."""
    import jax
    import numpy as np

    function, arguments = model_module("zoo").resnet_step(np.random.default_rng(0), c=64, images=16, extent=64)
    return jax.jit(function).lower(*arguments).as_text()


def gpt_sizes(module):
    sys.argv = ["gpt_step.py", *SIZES]
    return module.parse_arguments()


def partition(name, rank, mesh_axes, zero3):
    """The axes of each dimension of a parameter, as our specs give them."""
    last = name.split("'")[-2]
    dims = [[] for _ in range(rank)]
    if "model" in mesh_axes:
        if last in ("wq", "wk", "wv", "w_up", "bq", "bk", "bv", "b_up"):
            dims[-1].append("model")
        elif last in ("wo", "w_down"):
            dims[0].append("model")
    if zero3:
        dims[0].append("data")
    return [tuple(d) or None for d in dims]


def best(run, runs):
    """Milliseconds: the smallest one, and the processor time of a run, after a warm one."""
    run()
    times, processor = [], time.process_time()
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
    return {"min_ms": min(times), "processor_ms": 1e3 * (time.process_time() - processor) / runs}


def needed(compiled):
    analysis = compiled.memory_analysis()
    return (
        analysis.temp_size_in_bytes
        + analysis.argument_size_in_bytes
        + analysis.output_size_in_bytes
        - analysis.alias_size_in_bytes
    )


def their_step(mesh_text, zero3, runs):
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    gpt = model_module("gpt_step")
    c = gpt_sizes(gpt)
    sizes = dict((a, int(n)) for a, n in (part.split("=") for part in mesh_text.split(",") if part)) or {"one": 1}
    devices = np.array(jax.devices()[: int(np.prod(list(sizes.values())))])
    mesh = Mesh(devices.reshape(list(sizes.values())), tuple(sizes))
    params, opt, ids, _ = gpt.abstract_arguments(c)

    def sharding(path, leaf):
        return NamedSharding(mesh, P(*partition(jax.tree_util.keystr(path), leaf.ndim, sizes, zero3)))

    of_params = jax.tree_util.tree_map_with_path(sharding, params)
    whole, batch = NamedSharding(mesh, P()), NamedSharding(mesh, P("data" if "data" in sizes else None))
    of_opt = {"m": of_params, "v": of_params, "count": whole}
    step = jax.jit(
        gpt.make_step(c),
        donate_argnums=(0, 1),
        in_shardings=(of_params, of_opt, batch, batch),
        out_shardings=(of_params, of_opt, whole),
    )
    rng = np.random.default_rng(0)
    invent = lambda leaf: (rng.standard_normal(leaf.shape) / 8).astype(leaf.dtype)
    state = [jax.device_put(jax.tree.map(invent, params), of_params)]
    state.append(jax.device_put(jax.tree.map(invent, opt) | {"count": np.int32(1)}, of_opt))
    tokens = jax.device_put(rng.integers(0, 8, ids.shape).astype(np.int32), batch)
    memory = needed(step.lower(*state, tokens, tokens).compile())

    def run():
        state[0], state[1], loss = step(*state, tokens, tokens)
        jax.block_until_ready((state, loss))

    return best(run, runs) | {"memory": memory}


def their_collective(name, size, runs):
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    mesh = Mesh(np.array(jax.devices()[:8]), ("d",))
    count = max(size // 4, 2)
    kind = name.split()[0]
    if size == 8:
        body = lambda x: lax.fori_loop(0, REPEATED, lambda _, v: lax.psum(v, "d") * 0.125, x)
        array, spec, out = np.ones((8, count), np.float32), P("d"), P("d")
    elif kind == "all_gather":
        body = lambda x: lax.all_gather(x, "d", tiled=True)
        array, spec, out = np.ones(count, np.float32), P("d"), P()
    else:
        scatter = lambda x: lax.psum_scatter(x[0], "d", tiled=True)
        body = scatter if kind == "reduce_scatter" else lambda x: lax.psum(x[0], "d")
        array, spec, out = np.ones((8, count), np.float32), P("d"), P("d") if kind == "reduce_scatter" else P()
    function = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=spec, out_specs=out, check_vma=False))
    given = jax.device_put(array, NamedSharding(mesh, spec))
    times = best(lambda: jax.block_until_ready(function(given)), runs)
    return {k: v / (REPEATED if size == 8 else 1) for k, v in times.items()}


def theirs(name, runs):
    if name in STEPS:
        mesh, spec, _ = STEPS[name]
        return their_step(mesh, spec is not None and "zero3" in spec, runs)
    return their_collective(name, COLLECTIVES[name][0], runs)


# --- Ours ------------------------------------------------------------------------------------------------------------


def collective_program(name, size):
    """StableHLO whose one collective is this, and the spec that makes it so. The result is summed, so that next to nothing is handed out."""
    n = max(size // 4, 2)
    kind = name.split()[0]
    scalar, total = "tensor<f32>", f"tensor<{n}xf32>"
    zero = f"    %zero = stablehlo.constant dense<0.0> : {scalar}\n"
    add = lambda result, value, dims, of, to: (
        f"    {result} = stablehlo.reduce({value} init: %zero) applies stablehlo.add across dimensions = [{dims}] "
        f": ({of}, {scalar}) -> {to}\n"
    )
    if size == 8:
        of = f"tensor<8x{n}xf32>"
        lines, x = zero + f"    %eighth = stablehlo.constant dense<0.125> : {of}\n", "%x"
        for i in range(REPEATED):
            lines += add(f"%s{i}", x, 0, of, total)
            lines += f"    %b{i} = stablehlo.broadcast_in_dim %s{i}, dims = [1] : ({total}) -> {of}\n"
            lines += f"    %p{i} = stablehlo.multiply %b{i}, %eighth : {of}\n"
            lines += f"    %x{i} = stablehlo.add %p{i}, %x : {of}\n"
            x = f"%x{i}"
        return f"func.func public @main(%x: {of} loc(\"x\")) -> {of} {{\n{lines}    return {x} : {of}\n}}\n", TILE
    if kind == "all_gather":
        lines = f"    %y = stablehlo.negate %x : {total}\n"
        return f"func.func public @main(%x: {total} loc(\"x\")) -> {total} {{\n{lines}    return %y : {total}\n}}\n", TILE
    of = f"tensor<8x{n}xf32>"
    lines = zero + add("%y", "%x", 0, of, total)
    spec = TILE + ('tile(value="%y", dim=0, axis="d")\ninfer-propagate\n' if kind == "reduce_scatter" else "")
    return f"func.func public @main(%x: {of} loc(\"x\")) -> {total} {{\n{lines}    return %y : {total}\n}}\n", spec


TILE = 'tile(arg=x, dim=0, axis="d")\ninfer-propagate\n'


def our_run(binary, file, mesh, spec, part, runs):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [binary, file, "--mesh", mesh or "one=1", "--repeat", str(runs), "--json", out.name]
        command += ["--spec", spec] if spec else []
        command += ["--profile"] if part else ["--donate"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        report = json.loads(Path(out.name).read_text())
    side = "partitioned" if mesh else "unpartitioned"
    times = report[side + "_ms"]
    clock, processor = times["min"], times["processor"]
    if part:  # all workers share a collective
        processor = next(row["ms"] for row in report["partitioned_profile"] if row["name"] == part)
        clock = processor / report["workers"]
    return {"min_ms": clock, "processor_ms": processor, "memory": report[side + "_peak_bytes"], "all": report[side + "_bytes"]}


# --- Both ------------------------------------------------------------------------------------------------------------


def child(arguments, keep):
    environment = dict(os.environ, JAX_PLATFORMS="cpu", XLA_FLAGS="--xla_force_host_platform_device_count=8")
    if keep:
        environment["GLIBC_TUNABLES"] = GLIBC_KEEP
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(done.returncode if done.returncode == 77 else done.stdout + done.stderr)
    return json.loads(done.stdout.strip().splitlines()[-1])


def least(results):
    return {k: min(r[k] for r in results if k in r) for k in results[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="parts of names of what to run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--theirs", help=argparse.SUPPRESS)
    c = parser.parse_args()
    if c.theirs == "resnet text":
        print(json.dumps(resnet_text()))
        return
    if c.theirs:
        print(json.dumps(theirs(c.theirs, c.runs)))
        return
    binary = c.build / "tests/bench/bench_run"
    if importlib.util.find_spec("jax") is None or not binary.exists():
        print("skipped: this needs jax, and tests/bench/bench_run built", file=sys.stderr)
        sys.exit(77)

    folder = Path(tempfile.mkdtemp())
    gpt = folder / "gpt.mlir"
    gpt.write_bytes(subprocess.run([sys.executable, ROOT / "examples/models/gpt_step.py", *SIZES], check=True, capture_output=True).stdout)
    chess = Path(os.environ.get("TW_REAL_PROGRAMS", ROOT.parent / "shared/real_programs")) / "searchless_chess_9m_jax.mlir"
    work = {}  # name: (limit, ours, theirs)
    for name, (mesh, spec, limit) in STEPS.items():
        spec = ROOT / "examples/specs" / spec if spec else None
        work[name] = (limit, (gpt, mesh, spec, None), [__file__, "--theirs", name])
    if chess.exists():
        work["chess-9M"] = (1 / 1.5, (chess, "", None, None), [str(ROOT / "tests/bench/peer_xla_run.py"), str(chess)])
    wanted = lambda name: not c.names or any(part in name for part in c.names)
    resnet = folder / "resnet.mlir"
    if wanted("resnet step"):
        resnet.write_text(child([__file__, "--theirs", "resnet text"], keep=False))
    work["resnet step"] = (1, (resnet, "", None, None), [str(ROOT / "tests/bench/peer_xla_run.py"), str(resnet)])
    for i, (name, (size, limit)) in enumerate(COLLECTIVES.items()):
        text, spec = collective_program(name, size)
        (folder / f"{i}.mlir").write_text(f"module {{\n{text}}}\n")
        (folder / f"{i}.txt").write_text(spec)
        part = name.split()[0] if size > 8 and "gather" not in name else None
        work[name] = (limit, (folder / f"{i}.mlir", "d=8", folder / f"{i}.txt", part), [__file__, "--theirs", name])

    report = {}
    for name, (limit, ours, their_command) in work.items():
        if not wanted(name):
            continue
        mine, plain, kept = [], [], []
        for _ in range(c.rounds):
            mine.append(our_run(binary, *ours, c.runs))
            plain.append(child([*their_command, "--runs", str(c.runs)], keep=False))
            kept.append(child([*their_command, "--runs", str(c.runs)], keep=True))
        mine, plain, kept = least(mine), least(plain), least(kept)
        scale = REPEATED if name == "all_reduce 8 B" else 1
        report[name] = {"limit": limit}
        line = f"{name:26}"
        for what in ("min_ms", "processor_ms"):
            milliseconds, ratio = mine[what] / scale, mine[what] / scale / min(plain[what], kept[what])
            entry = {"ours": milliseconds, "as_it_comes": plain[what], "glibc_keeps": kept[what], "ratio": ratio}
            report[name][what] = entry
            line += f"{'clock' if what == 'min_ms' else '; processors'} {milliseconds:.3f} ms"
            line += f" / XLA {plain[what]:.3f}, {kept[what]:.3f} = {ratio:.3f}"
        report[name]["missed"] = min(report[name][what]["ratio"] for what in ("min_ms", "processor_ms")) > limit
        line += f" (limit {limit:.3f}){'  MISSED' if report[name]['missed'] else ''}"
        if "memory" in kept:
            report[name]["missed"] |= mine["memory"] > kept["memory"]
            total = kept["memory"] * (8 if ours[1] else 1)
            report[name] |= {"our_bytes": mine["memory"], "their_bytes": kept["memory"]}
            report[name] |= {"our_bytes_in_all": mine["all"], "their_bytes_in_all": total}
            line += f"; memory of a device {mine['memory'] / MIB:.1f} / {kept['memory'] / MIB:.1f} MiB"
            line += f", of all {mine['all'] / MIB:.1f} / {total / MIB:.1f} MiB"
            line += "  MORE" if mine["memory"] > kept["memory"] else ""
        print(line, flush=True)
    if c.json:
        c.json.write_text(json.dumps(report, indent=2) + "\n")
    missed = [name for name, r in report.items() if r["missed"]]
    sys.exit(f"missed: {', '.join(missed)}" if missed else 0)


if __name__ == "__main__":
    main()
