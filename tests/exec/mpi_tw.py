#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tw run --comm mpi` under the launcher of one MPI library; exits with 77 where something that a case needs is not there.

  mpi_tw.py openmpi|mpich TW CASE
same    outputs of 3 processes, each writing what its devices hold, are those of one process, byte for byte; and rank 0 compares
devices  detached devices give the bits of one process, through memory of the host, and are asked for no other way
gpus    GPUs without NCCL do so too, and say why
levels  collectives that are planned for levels give the bits of one process that is told the same levels
hosts   processes on two hosts find that out, and give the bits of one process
moves   redistributions arrive whole on 2 and 3 processes, on the host and on detached devices
inputs  each process reads its tiles of an archive, whose arrays are stored, compressed, or in another order
memory  a program whose arrays one process may not hold runs on 4 of them
chess   a real model on 4 processes gives the bits of one
errors  a wrong call names its cause once, and the job ends
collectives  every collective of the shard dialect on a grid of 2x2 devices, two, one or two, and one of them in a process
grid    programs of the shard dialect: where a process has one device, its index is the rank; stencils with explicit halos, 100 steps
calibrate  2 processes measure themselves and what moves between them: one file, which other verbs read
told    processes that were told different things say so before they run, each exits with the verdict of the run, and one that fails tells the others
"""
import json
import os
import pathlib
import shlex
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

import mpi

ROOT = pathlib.Path(os.environ["TW_SOURCE_ROOT"])
GPT = [f"{ROOT}/examples/models/gpt_step.mlir", "--mesh", "data=2,model=4", "--spec",
       f"{ROOT}/examples/specs/gpt_megatron.txt"]
MLP = [f"{ROOT}/examples/models/mlp_step.mlir", "--mesh", "data=4", "-a",
       "tile(arg=x, dim=0, axis=data); infer-propagate"]
# GPT in two micro-batches: the sums over model stand in a loop.
MICRO = [*GPT[:3], "-a", """serial(axis="micro", size=2)
tile(arg=tokens, dim=0, axis="data"); tile(arg=targets, dim=0, axis="data")
tile(arg=tokens, dim=0, axis="micro"); tile(arg=targets, dim=0, axis="micro"); infer-propagate
tile(arg="params*wq*", dim=1, axis="model"); tile(arg="params*wk*", dim=1, axis="model")
tile(arg="params*wv*", dim=1, axis="model"); tile(arg="params*w_up*", dim=1, axis="model"); infer-propagate"""]


def run(command, **how):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, env=mpi.environment(),
                          timeout=800, **how)


def demand(condition, what, done=None):
    if not condition:
        print(f"FAILED: {what}" + (f"\n{done.stdout}{done.stderr}" if done else ""))
        sys.exit(1)


def same(job, tw, folder, program, processes, *more):
    quiet = ["--check", "none", "--quiet", "--workers", "1", *more]
    alone = run([tw, "run", *program, *quiet, "--repeat", "1", "--outputs", folder / "alone.npz"])
    demand(alone.returncode == 0, "the run in one process", alone)
    tiles = folder / "tiles"
    tiles.mkdir()
    together = run([*job(processes), tw, "run", *program, *quiet, "--comm", "mpi", "--outputs", f"{tiles}/"])
    demand(together.returncode == 0, "the run in several processes", together)
    archive = zipfile.ZipFile(folder / "alone.npz")
    names = [n for n in archive.namelist() if n.startswith("out") and n[3:-4].isdigit()]
    for name in names:
        demand(archive.read(name) == (tiles / name).read_bytes(), f"{name} has other bits")
    print(f"ok: {len(names)} outputs have the same bits on {processes} processes")


def case_same(job, tw, folder):
    same(job, tw, folder, GPT, 3)
    checked = run([*job(4), tw, "run", *GPT, "--comm", "mpi"])
    demand(checked.returncode == 0 and "PASS" in checked.stdout, "the comparison on rank 0", checked)
    demand(checked.stdout.count("PASS") == 1, "only rank 0 speaks", checked)


def case_devices(job, tw, folder):
    devices = ["--device", "detached"]
    same(job, tw, folder, MLP, 3, *devices)
    checked = run([*job(2), tw, "run", *MLP, "--comm", "mpi", *devices])
    demand(checked.returncode == 0 and "PASS" in checked.stdout, "the comparison on rank 0", checked)
    why = "detached devices have no way of their own between processes"
    demand(f"exchange    memory of the host: {why}\n" in checked.stdout, "it says how they exchange", checked)
    direct = run([*job(2), tw, "run", *MLP, "--comm", "mpi", *devices, "--exchange", "direct"])
    demand(direct.returncode != 0 and "TW-654" in direct.stderr and why in direct.stderr, "no other way", direct)


# On doubles of CUDA, without NCCL.
def case_gpus(job, tw, folder):
    gpus = ["--device", "cuda", "--check", "none", "--repeat", "1"]
    given = run([*job(2), tw, "run", *MLP, "--comm", "mpi", *gpus, "--json"])
    demand(given.returncode == 0, "GPUs exchange without NCCL", given)
    exchange = json.loads(given.stdout)["exchange"]
    demand(exchange.startswith("memory of the host: none: NCCL: cannot open"), f"it says why: {exchange}", given)
    asked = run([*job(2), tw, "run", *MLP, "--comm", "mpi", *gpus, "--exchange", "host"])
    demand("exchange    memory of the host, as asked for" in asked.stdout, "it says that it was asked for", asked)
    direct = run([*job(2), tw, "run", *MLP, "--comm", "mpi", *gpus, "--exchange", "direct"])
    demand(direct.returncode != 0 and "TW-654" in direct.stderr, "NCCL is missing", direct)


def case_levels(job, tw, folder):
    for number, levels in enumerate(["node=2", "node=[[0,1,4,5],[2,3,6,7]]", "node=2,socket=2"]):
        place = folder / str(number)
        place.mkdir()
        same(job, tw, place, GPT, 4, "--levels", levels)
    place = folder / "micro"
    place.mkdir()
    same(job, tw, place, MICRO, 4, "--levels", "node=[[0,1,4,5],[2,3,6,7]]")
    planned = run([tw, "plan", *MICRO, "--levels", "node=[[0,1,4,5],[2,3,6,7]]", "--json"])
    in_loop = [c for c in json.loads(planned.stdout)["collectives"] if c["times"] == 2]
    demand(in_loop and all(c["method"] == "level" for c in in_loop), "sums in the loop go by levels", planned)


def case_hosts(job, tw, folder):
    if run(["unshare", "--uts", "true"]).returncode != 0:
        print("no namespaces for names of hosts here (unshare --uts): skipped")
        sys.exit(77)
    rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
    on_two = ["sh", "-c", f'unshare --uts sh -c \'hostname "node$(({rank} / 2))"; exec "$@"\' sh "$@"', "sh"]
    same(lambda n: [*job(n), *on_two], tw, folder, GPT, 4)
    (folder / "micro").mkdir()
    same(lambda n: [*job(n), *on_two], tw, folder / "micro", MICRO, 4)
    told = run([*job(4), *on_two, tw, "run", *GPT, "--check", "none", "--comm", "mpi", "--json"])
    demand(told.returncode == 0, "the run that reports", told)
    report = json.loads(told.stdout)
    levels = "host=[[0,1,2,3],[4,5,6,7]],process=[[0,1],[2,3],[4,5],[6,7]]"
    demand(report.get("found_levels") == levels, f"levels {report.get('found_levels')}, not {levels}")
    planned = [c for c in report["collectives"] if c.get("bytes_by_level")]
    demand(planned, "no collective says its bytes by level")
    apart = run([*job(4), tw, "run", *GPT, "--check", "none", "--comm", "mpi", "--json"])
    demand("found_levels" not in json.loads(apart.stdout), "one host has levels", apart)


def case_moves(job, tw, folder):
    moves = [["x=4,y=6", "[3{x}12, 2{y}12]", "[2{y}12, 3{x}12]"],
             ["x=4", "f32[12,12] [{x},{}]", "f32[12,12] [{y},{}]", "--dst-mesh", "y=3"],
             ["x=4", "f32[64,64] [{x},{}]", "f32[64,64] [{},{y}]", "--dst-mesh", "y=3", "--dst-devices", "5,2,7"],
             ["x=4", "f32[16] [{x}]", "f32[16] [{x}:halo=[2,2]:wrap]"],
             ["data=2,model=2", "f32[10,6] [{model},{}]", "f32[10,6] [{},{model}]", "--dst-mesh", "model=3", "--dst-devices", "0,1,3", "--lost", "2"],
             ["x=4", "f32[10] [{x}]", "f32[10] [{}]", "--lost", "1,2"],
             ["x=8", "f32[256,256] [{x},{}]", "f32[256,256] [{},{x}]", "--levels", "node=2"]]
    for processes in (2, 3):
        for move in moves:
            for device in ([], ["--device", "detached"]):
                done = run([*job(processes), tw, "redistribute", *move, "--run", "--repeat", "2", "--comm", "mpi", *device])
                demand(done.returncode == 0 and done.stdout.count("PASS") == 1, f"{move} on {processes} processes {device}", done)
    print(f"ok: {len(moves)} redistributions arrive whole")


def npy(descr, shape, data, fortran=False):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode() + data


def case_inputs(job, tw, folder):
    (folder / "program.mlir").write_text("""
func.func @main(%a: tensor<24x36xf32>, %b: tensor<36x40xf32>, %c: tensor<24x40xf32>) -> (tensor<24x40xf32>, tensor<24x36xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<24x36xf32>, tensor<36x40xf32>) -> tensor<24x40xf32>
  %1 = stablehlo.add %0, %c : tensor<24x40xf32>
  %2 = stablehlo.negate %a : tensor<24x36xf32>
  return %1, %2 : tensor<24x40xf32>, tensor<24x36xf32>
}
""")
    values = lambda descr, n: struct.pack(f"{descr}{n}f", *(i * 37 % 101 - 50 for i in range(n)))
    with zipfile.ZipFile(folder / "inputs.npz", "w") as archive:
        archive.writestr("arg0.npy", npy("<f4", (24, 36), values("<", 24 * 36)), zipfile.ZIP_STORED)
        archive.writestr("arg1.npy", npy(">f4", (36, 40), values(">", 36 * 40)), zipfile.ZIP_DEFLATED)
        archive.writestr("arg2.npy", npy("<f4", (24, 40), values("<", 24 * 40), True), zipfile.ZIP_DEFLATED)
    program = [folder / "program.mlir", "--mesh", "data=2,model=3", "-a",
               'tile(arg0, dim=0, axis="data"); tile(arg1, dim=1, axis="model"); propagate']
    alone = run([tw, "run", *program, "--inputs", folder / "inputs.npz", "--check", "none"])
    if "TW-805" in alone.stderr:
        print("this build reads no .npz: skipped")
        sys.exit(77)
    same(job, tw, folder, program, 3, "--inputs", folder / "inputs.npz")
    wrong = run([*job(3), tw, "run", *program, "--inputs", folder / "alone.npz", "--comm", "mpi", "--check", "none"])
    demand(wrong.returncode != 0 and "TW-804" in wrong.stderr, "arrays of no argument are named", wrong)


def case_chess(job, tw, folder):
    programs = pathlib.Path(os.environ.get("TW_REAL_PROGRAMS", ROOT.parent / "shared" / "real_programs"))
    found = sorted(programs.glob("**/*chess*9[mM]*.mlir"))
    if not found:
        print(f"no chess model in {programs}: skipped")
        sys.exit(77)
    same(job, tw, folder, [found[0], "--mesh", "data=2,model=4", "--spec", f"{ROOT}/examples/specs/chess_megatron.txt"], 4)


def case_memory(job, tw, folder):
    if "ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ:
        print("a sanitizer's shadow takes more memory than the limit: skipped")
        sys.exit(77)
    rows = 24576  # times 8192 of f32: 768 MiB an array, three arrays
    (folder / "large.mlir").write_text(f"""
func.func @main(%a: tensor<{rows}x8192xf32>, %b: tensor<{rows}x8192xf32>) -> tensor<{rows}x8192xf32> {{
  %0 = stablehlo.multiply %a, %b : tensor<{rows}x8192xf32>
  %1 = stablehlo.add %0, %a : tensor<{rows}x8192xf32>
  return %1 : tensor<{rows}x8192xf32>
}}
""")
    program = [folder / "large.mlir", "--mesh", "d=4", "-a", "tile(arg0, dim=0, axis=d); propagate", "--check", "none",
               "--quiet", "--workers", "1", "--fill", "*=ones"]
    limited = lambda args: ["bash", "-c", f"ulimit -v 2000000; exec {shlex.join(str(a) for a in args)}"]
    alone = run(limited([tw, "run", *program]))
    demand(alone.returncode != 0 and "resource_exhausted" in alone.stderr + alone.stdout or "memory" in alone.stderr,
           "one process must not be able to hold the arrays", alone)
    together = run([*job(4), *limited([tw, "run", *program, "--comm", "mpi"])])
    demand(together.returncode == 0, "four processes hold a quarter each", together)
    print("ok: 2.25 GiB of arrays on 4 processes of at most 1.9 GiB, and not on one")


def case_errors(job, tw, folder):
    done = run([*job(4), tw, "run", *GPT, "--comm", "mpi", "--check", "none", "--fill", "nobody=ones"])
    demand(done.returncode != 0, "a wrong fill is an error", done)
    demand("TW-804" in done.stderr, "the error names its cause", done)
    print("ok: a wrong call ends the job with its cause")


RANK = """
shard.grid @g(shape = 2x2)
func.func @main(%one: index) -> index {
  %i = shard.process_linear_index on @g : index
  %0 = arith.addi %i, %one : index
  return %0 : index
}
"""


# Every collective of the shard dialect over a grid of 2x2, of a 4x6 array a device: what it says, and its type.
ALONG = "on @g grid_axes = [0]"
BOTH = "on @g grid_axes = [1, 0]"
IN = "tensor<4x6xi32>"
COLLECTIVES = [
    *((f"all_reduce %x {BOTH} reduction = {kind} : {IN} -> {IN}", IN)
      for kind in ("sum", "max", "min", "product", "average", "bitwise_and", "bitwise_or", "bitwise_xor")),
    (f"all_gather %x {BOTH} gather_axis = 0 : {IN} -> tensor<16x6xi32>", "tensor<16x6xi32>"),
    (f"all_slice %x {BOTH} slice_axis = 0 : {IN} -> tensor<1x6xi32>", "tensor<1x6xi32>"),
    (f"all_to_all %x {ALONG} split_axis = 1 concat_axis = 0 : {IN} -> tensor<8x3xi32>", "tensor<8x3xi32>"),
    (f"broadcast %x {ALONG} root = [1] : ({IN}) -> {IN}", IN),
    (f"gather %x {BOTH} gather_axis = 1 root = [1, 0] : ({IN}) -> tensor<4x24xi32>", "tensor<4x24xi32>"),
    (f"reduce %x {BOTH} reduction = max root = [0, 1] : ({IN}) -> {IN}", IN),
    (f"reduce_scatter %x {ALONG} reduction = sum scatter_axis = 1 : {IN} -> tensor<4x3xi32>", "tensor<4x3xi32>"),
    (f"scatter %x {ALONG} scatter_axis = 0 root = [1] : ({IN}) -> tensor<2x6xi32>", "tensor<2x6xi32>"),
    (f"shift %x {ALONG} shift_axis = 0 offset = 1 : {IN} -> {IN}", IN),
    (f"shift %x {BOTH} shift_axis = 1 offset = -1 rotate : {IN} -> {IN}", IN),
    (f"update_halo %x on @g split_axes = [[0], [1]] halo_sizes = [1, 1, 2, 2] : {IN}", IN),
    ("process_linear_index on @g : index", "index"),
    ("process_multi_index on @g axes = [1] : index", "index"),
]


def collectives():
    """All of them in one program, and a message from each device to the next one."""
    body = [f"  %{i} = shard.{text}" for i, (text, _) in enumerate(COLLECTIVES)]
    body += ["  %one = arith.constant 1 : index", "  %four = arith.constant 4 : index", "  %two = arith.constant 2 : index"]
    for name, places in (("to", "%one"), ("from", "%three")):
        body += [] if name == "to" else ["  %three = arith.constant 3 : index"]
        body += [f"  %{name}0 = arith.addi %l, {places} : index", f"  %{name}1 = arith.remui %{name}0, %four : index",
                 f"  %{name}i = arith.divui %{name}1, %two : index", f"  %{name}j = arith.remui %{name}1, %two : index"]
    body.insert(len(COLLECTIVES), "  %l = shard.process_linear_index on @g : index")
    body += [f"  %sent = shard.send %x on @g grid_axes = [0, 1] destination = [%toi, %toj] : ({IN}, index, index) -> {IN}",
             f"  %got = shard.recv %x on @g grid_axes = [0, 1] source = [%fromi, %fromj] : ({IN}, index, index) -> {IN}"]
    types = ", ".join([*(made for _, made in COLLECTIVES), IN])
    values = ", ".join([*(f"%{i}" for i in range(len(COLLECTIVES))), "%got"])
    return "\n".join(["shard.grid @g(shape = 2x2)", f"func.func @main(%x: {IN}) -> ({types}) {{", *body,
                      f"  return {values} : {types}", "}", ""])


def case_collectives(job, tw, folder):
    program = folder / "collectives.mlir"
    program.write_text(collectives())
    checked = run([tw, "run", program, "--fill", "x=randint(-9,9)"])
    demand(checked.returncode == 0, "every collective by its definition", checked)
    for processes in (2, 3, 4): # two devices each, two in one of them, one each
        place = folder / str(processes)
        place.mkdir()
        same(job, tw, place, [program, "--fill", "x=randint(-9,9)"], processes)


def stencil(grid, dims, width, local):
    """100 steps of a star and two corners: of an array annotated with halos, or the code of one device, `dims` its tile."""
    rank = len(dims)
    held = [n + 2 * width for n in dims] if local else dims
    inner = dims if local else [n - 2 * width for n in dims]
    text = lambda sizes: f"tensor<{'x'.join(map(str, sizes))}xi32>"
    split = ", ".join(f"[{d}]" for d in range(rank))
    halos = ", ".join([str(width)] * 2 * rank)
    taps = [[k] * rank for k in (-width, 0, width)] + [
        [k if i == d else 0 for i in range(rank)] for d in range(rank) for k in range(-width, width + 1) if k]
    cuts = [min(max(t * n // g - width, 0), n - 2 * width) for n, g in zip(dims, grid) for t in range(g + 1)]
    body = [f"%h = shard.update_halo %v on @g split_axes = [{split}] halo_sizes = [{halos}] : {text(held)}" if local else
            f"%h = shard.shard %v to %wide : {text(held)}"]
    total = None
    for i, tap in enumerate(taps):
        ranges = ", ".join(f"{width + k}:{width + k + n}" for k, n in zip(tap, inner))
        body.append(f"%a{i} = stablehlo.slice %h [{ranges}] : ({text(held)}) -> {text(inner)}")
        body.append(f"%b{i} = " + (f"stablehlo.negate %a{i}" if local else f"shard.shard %a{i} to %inside") + f" : {text(inner)}")
        body.append(f"%c{i} = stablehlo.constant dense<{i + 1}> : {text(inner)}")
        body.append(f"%d{i} = stablehlo.multiply %b{i}, %c{i} : {text(inner)}")
        if total:
            body.append(f"%e{i} = stablehlo.add {total}, %d{i} : {text(inner)}")
        total = f"%e{i}" if total else f"%d{i}"
    edge, none = ", ".join([str(width)] * rank), ", ".join(["0"] * rank)
    body.append(f"%w = stablehlo.pad {total}, %zero, low = [{edge}], high = [{edge}], interior = [{none}] : ({text(inner)}, tensor<i32>) -> {text(held)}")
    shardings = [] if local else [
        f"%wide = shard.sharding @g split_axes = [{split}] halo_sizes = [{halos}] : !shard.sharding",
        f"%inside = shard.sharding @g split_axes = [{split}] sharded_dims_offsets = [{', '.join(map(str, cuts))}] : !shard.sharding"]
    return "\n".join([
        f"shard.grid @g(shape = {'x'.join(map(str, grid))})",
        f"func.func @main(%x: {text(held)}) -> {text(held)} {{",
        "%zero = stablehlo.constant dense<0> : tensor<i32>",
        "%one = stablehlo.constant dense<1> : tensor<i32>",
        "%steps = stablehlo.constant dense<100> : tensor<i32>",
        *shardings,
        f"%r:2 = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, {text(held)} cond {{",
        "%more = stablehlo.compare LT, %k, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        "stablehlo.return %more : tensor<i1> } do {",
        *body,
        "%k1 = stablehlo.add %k, %one : tensor<i32>",
        f"stablehlo.return %k1, %w : tensor<i32>, {text(held)} }}",
        f"return %r#1 : {text(held)}", "}", ""])


def case_grid(job, tw, folder):
    (folder / "rank.mlir").write_text(RANK)
    rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
    own = ["sh", "-c", f'mkdir -p "{folder}/own{rank}"; exec "$@" --outputs "{folder}/own{rank}/"', "sh"]
    done = run([*job(4), *own, tw, "run", folder / "rank.mlir", "--fill", "one=ones", "--comm", "mpi", "--check", "none", "--quiet"])
    demand(done.returncode == 0, "each process writes what its device holds", done)
    for number in range(4):
        data = (folder / f"own{number}" / "out0.npy").read_bytes()[-32:]
        demand(struct.unpack("<4q", data)[number] == number + 1, f"rank {number} has another index: {data}")
        demand(sum(map(bool, struct.unpack("<4q", data))) == 1, f"rank {number} holds more than its own: {data}")
    for number, (grid, dims, local) in enumerate([((2, 2), (13, 11), False), ((4, 1), (3, 5), True), ((2, 2, 1), (9, 8, 11), False),
                                                  ((2, 1, 2), (3, 2, 4), True)]):
        place = folder / str(number)
        place.mkdir()
        (place / "stencil.mlir").write_text(stencil(grid, dims, 1 + number % 3, local))
        checked = run([tw, "run", place / "stencil.mlir", "--json", "--fill", "*=randint(-9,9)"])
        demand(checked.returncode == 0, f"the stencil {number} in one process", checked)
        counts = json.loads(checked.stdout)["executed"]
        demand(counts["exchange"] + counts["permute"] == 100 and sum(counts.values()) == 100,
               f"one exchange a step is all that moves: {counts}")
        same(job, tw, place, [place / "stencil.mlir", "--fill", "*=randint(-9,9)"], 4)
        # What is written of it in the dialect, at both levels, moves as often and runs alike.
        for form in ["shard-local"] if local else ["shard", "shard-local"]:
            again = place / form
            again.mkdir()
            written = run([tw, "emit", place / "stencil.mlir", "--to", form])
            demand(written.returncode == 0, f"the stencil {number} is written as {form}", written)
            (again / "stencil.mlir").write_text(written.stdout)
            same(job, tw, again, [again / "stencil.mlir", "--fill", "*=randint(-9,9)"], 4)
            checked = run([tw, "run", again / "stencil.mlir", "--json", "--fill", "*=randint(-9,9)"])
            demand(checked.returncode == 0, f"the stencil {number} as {form} in one process", checked)
            moves = {kind: n for kind, n in json.loads(checked.stdout)["executed"].items() if n and kind != "copy"}
            demand(set(moves) <= {"exchange", "permute"} and all(n % 100 == 0 for n in moves.values()),
                   f"only halos move: {moves}")
            if form == "shard":
                demand((again / "alone.npz").read_bytes() == (place / "alone.npz").read_bytes(), "other results")


SMALL = """
func.func @main(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"""


def case_calibrate(job, tw, folder):
    system = folder / "mine.conf"
    words = [tw, "info", "--calibrate", "--comm", "mpi", "--workers", "1", "-o", system]
    done = run([*job(2), *words])
    if "TW-812" in done.stderr:
        print("too much else runs on this machine: skipped")
        sys.exit(77)
    demand(done.returncode == 0, "two processes measure", done)
    text = system.read_text()
    demand("# 2 processes on 1 host over MPI" in text and "topology=ring" in text, f"whose figures they are: {text}")
    found = run([tw, "estimate", *MLP, "--json", "--system", system])
    demand(found.returncode == 0, "the file is read", found)
    demand(json.loads(found.stdout)["estimate"]["communication_ms"] > 0, "and says what moving takes", found)
    alone = run([*job(1), *words])
    demand(alone.returncode == 2 and "start two at least" in alone.stderr, "one process has nobody to send to", alone)
    print("ok: two processes wrote one file")


def case_told(job, tw, folder):
    (folder / "small.mlir").write_text(SMALL)
    base = [tw, "run", folder / "small.mlir", "--mesh", "x=2", "-a", 'tile(arg0, dim=0, axis="x"); propagate', "--comm", "mpi"]
    alone = lambda words: ["-n", "1", *words]
    # The launcher's words without its "-n 1", so that two programs can stand behind it; each notes how it ended.
    start = job(1)
    at = start.index("-n")
    start = start[:at] + start[at + 2:]

    def pair(first, second):
        ends = folder / "ends"
        ends.mkdir(exist_ok=True)
        for old in ends.iterdir():
            old.unlink()
        noted = lambda number, words: ["bash", "-c", f'"$@"; end=$?; echo $end > {ends}/{number}; exit $end', "tw", *map(str, words)]
        done = run([*start, *alone(noted(0, first)), ":", *alone(noted(1, second))])
        return done, {int(f.name): int(f.read_text()) for f in ends.iterdir() if f.read_text()}

    good, ends = pair(base, base)
    demand(good.returncode == 0 and ends == {0: 0, 1: 0}, f"two that were told the same run: {ends}", good)
    for what, options in {"the seed": ["--seed", "7"], "the fills": ["--fill", "*=ones"], "the number of repeats": ["--repeat", "3"],
                          "the check": ["--check", "none"], "the exchange": ["--exchange", "host"], "fast sums": ["--fast-sums"]}.items():
        done, ends = pair(base, [*base, *options])
        demand(done.returncode != 0 and f"the processes do not run the same: {what} is" in done.stderr, f"{what} differs", done)
        demand(done.stderr.count("TW-642") == 1, "only the first process speaks", done)
        demand(all(end == 1 for end in ends.values()), f"all end with an error: {ends}", done)
        demand("PASS" not in done.stdout, "nothing ran", done)
    other = folder / "other.mlir"
    other.write_text(SMALL.replace("tanh", "sine"))
    done, _ = pair(base, [*base[:2], other, *base[3:]])
    demand(done.returncode != 0 and "program is" in done.stderr, "programs differ", done)

    # The answer is no on all of them.
    no = [*base, "-a", "expect all_gather over x == 5"]
    done, ends = pair(no, no)
    demand(ends == {0: 3, 1: 3}, f"both exit with the verdict of the run: {ends}", done)

    # One that fails before the others know of it does not leave them to their deadline.
    begin = time.monotonic()
    done, _ = pair(base, [*base[:2], folder / "nowhere.mlir", *base[3:]])
    demand(done.returncode != 0 and "nowhere.mlir" in done.stderr, "the cause is told", done)
    demand(time.monotonic() - begin < 20, "nobody waits for the deadline", done)
    print("ok: what differs is told, all end alike, and who fails says so")


def main():
    library, tw, case = sys.argv[1:]
    mpi.need_plugin(library)
    job = lambda processes: mpi.command(library, processes)
    job(1)
    with tempfile.TemporaryDirectory() as folder:
        globals()[f"case_{case}"](job, tw, pathlib.Path(folder))


main()
