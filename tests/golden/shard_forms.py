# SPDX-License-Identifier: Apache-2.0
"""What tw emit writes in the shard dialect is in the dialect's own grammar (shard_grammar.py): every program of
the tree in a plan (TW_FULL: in each), and the random programs of the unit tests. Usage: shard_forms.py TW UNIT"""

import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

import shard_grammar

tw, unit = (os.path.abspath(path) for path in sys.argv[1:3])
root = os.environ.get("TW_SOURCE_ROOT", ".")
PLANS = [
    ["--mesh", "x=2"],
    ["--mesh", "x=2,y=3", "-a", 'tile(arg=0, dim=0, axis="x"); infer-propagate'],
    ["--mesh", "x=2,y=2", "-a", 'tile(arg=0, dim=0, axis="x"); tile(arg=1, dim=1, axis="y"); propagate'],
]
# Texts that leave the grammar: the reader must notice.
GRID = "module {\n  shard.grid @g(shape = 2x3)\n  func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {\n"
WRONG = {
    "an axis that is none": "%s = shard.sharding @g split_axes = [[2]] : !shard.sharding",
    "an axis twice": "%s = shard.sharding @g split_axes = [[0], [0]] : !shard.sharding",
    "no list of axes": "%s = shard.sharding @g split_axes = [] : !shard.sharding",
    "an offset too few": "%s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 2] : !shard.sharding",
    "halos and offsets": "%s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 1] sharded_dims_offsets = [0, 3, 6] : !shard.sharding",
    "a halo size too many": "%s = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 1, 1] : !shard.sharding",
    "a halo without a size": "%s = shard.update_halo %x on @g split_axes = [[0]] halo_sizes = [1] : tensor<6xf32>",
    "a tile that is all halo": "%s = shard.update_halo %x on @g split_axes = [[0]] halo_sizes = [3, 3] : tensor<6xf32>",
    "a coordinate too few": "%s = shard.send %x on @g grid_axes = [0, 1] destination = [1] : (tensor<6xf32>) -> tensor<6xf32>",
    "a coordinate that is an array": "%s = shard.recv %x on @g grid_axes = [0] source = [%x] : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>",
    "no such grid": "%s = shard.sharding @h split_axes = [[0]] : !shard.sharding",
    "a gathered size": "%s = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 : tensor<6xf32> -> tensor<6xf32>",
    "a shift along another axis":
        "%s = shard.shift %x on @g grid_axes = [0] shift_axis = 1 offset = 1 : tensor<6xf32> -> tensor<6xf32>",
    "a reduction": "%s = shard.all_reduce %x on @g grid_axes = [0] reduction = <mean> : tensor<6xf32> -> tensor<6xf32>",
    "clauses in another order": "%s = shard.all_reduce %x on @g reduction = <sum> grid_axes = [0] : tensor<6xf32> -> tensor<6xf32>",
    "an operand of another type": "%s = shard.all_reduce %x on @g : tensor<3xf32> -> tensor<3xf32>",
    "no value": "%s = shard.all_reduce %y on @g : tensor<6xf32> -> tensor<6xf32>",
}


def emit(job):
    path, plan, form = job
    done = subprocess.run([tw, "emit", path, "--to", form, *plan], capture_output=True, text=True, check=False)
    return f"{os.path.basename(path)} {form} {' '.join(plan)}", done.stdout if done.returncode in (0, 3) else ""


def random_texts(folder):
    env = dict(os.environ, TW_KEEP_TEXTS=folder)
    subprocess.run([unit, "--source-file=*/unit/emit/test_shard*.cpp", "--test-case=random*,*stencil*"], env=env, capture_output=True, check=False)
    for path in sorted(glob.glob(os.path.join(folder, "*.mlir"))):
        with open(path, encoding="utf-8") as file:
            yield os.path.basename(path), file.read()


failed, read, ops = [], 0, {}
for what, line in WRONG.items():
    try:
        shard_grammar.read(f"{GRID}    {line}\n    return %x : tensor<6xf32>\n  }}\n}}\n")
        failed.append(f"{what}: read")
    except shard_grammar.Wrong:
        pass
programs = [path for folder in ("tests/golden/programs", "examples/models/zoo") for path in glob.glob(os.path.join(root, folder, "*.mlir"))]
full = "TW_FULL" in os.environ
jobs = [
    (path, plan, form)
    for i, path in enumerate(sorted(programs))
    for j, plan in enumerate(PLANS)
    for k, form in enumerate(("shard", "shard-local"))
    if full or (i + j + k) % len(PLANS) == 0
]
with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for name, text in [*pool.map(emit, jobs), *random_texts(temporary)]:
        if not text:
            continue
        try:
            for op, count in shard_grammar.read(text).items():
                ops[op] = ops.get(op, 0) + count
            read += 1
        except shard_grammar.Wrong as why:
            failed.append(f"{name}: {why}")
print("\n".join(failed[:20]))
print(f"{read} texts read, {len(failed)} failed; {ops}")
sys.exit(1 if failed or read < 700 else 0)
