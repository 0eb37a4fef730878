#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A checkpoint of Orbax in another layout: tw reshard beside Orbax itself.

    peer_orbax.py [--mib N] [--repeat N] [--folder DIR] [--build DIR] [--random]

Runs under the python that TW_JAX_PYTHON names, with orbax-checkpoint. Orbax writes matrices of N MiB (1024) in all, over a mesh of 8x1 of CPU
devices. Then, in turn, Orbax in a process of its own restores them over 2x4 and saves them, and tw reshard writes them for 2x4, with
--memory 256MiB. Orbax saves its database, packed by Zstandard, and tw files of safetensors; elements count up, or are --random, which
Zstandard cannot make smaller. Time is by the clock, from start to end of a process, Orbax's without the imports; memory is the most that
was resident. Exits with 1 where tw is slower or takes more memory."""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS, COLUMNS = 2048, 4096  # 32 MiB of f32


def devices():
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    rows = NamedSharding(Mesh(np.array(jax.devices()).reshape(8), ("x",)), PartitionSpec("x"))
    blocks = NamedSharding(Mesh(np.array(jax.devices()).reshape(2, 4), ("x", "y")), PartitionSpec("x", "y"))
    return rows, blocks


def make(folder, mib, is_random):
    import jax
    import numpy as np
    import orbax.checkpoint as ocp

    rows, _ = devices()
    draw = np.random.default_rng(1)
    count = lambda i: np.arange(i, i + ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS)
    array = lambda i: draw.standard_normal((ROWS, COLUMNS), dtype=np.float32) if is_random else count(i)
    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(folder, {f"w{i}": jax.device_put(array(i), rows) for i in range(mib // 32)})


def peer(source, target):
    """Restores and saves; prints what it took."""
    import jax
    import numpy as np
    import orbax.checkpoint as ocp

    _, blocks = devices()
    jax.devices()
    begin = time.monotonic()
    with ocp.StandardCheckpointer() as checkpointer:
        names = checkpointer.metadata(source).item_metadata.tree
        wanted = {n: jax.ShapeDtypeStruct((ROWS, COLUMNS), np.float32, sharding=blocks) for n in names}
        tree = checkpointer.restore(source, wanted)
        jax.block_until_ready(tree)
        restored = time.monotonic() - begin
        checkpointer.save(target, tree)
        checkpointer.wait_until_finished()
    seconds = time.monotonic() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "restored": restored, "peak_mib": peak}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=int, default=1024)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp"))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        peer(*map(pathlib.Path, options.peer))
        return 0
    folder = options.folder / f"tilewright_orbax_{os.getpid()}"
    folder.mkdir()
    try:
        source, target = folder / "source", folder / "target"
        make(source, options.mib, options.random)
        rounds = []
        for _ in range(options.repeat):
            done = subprocess.run([sys.executable, __file__, "--peer", source, target], capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(done.stderr[-2000:])
            theirs = json.loads(done.stdout)
            shutil.rmtree(target)
            begin = time.monotonic()
            command = [options.build / "src/tw", "reshard", source, target, "--mesh", "x=2,y=4", "--memory", "256MiB", "--json", "-a",
                       'tile(arg="*", dim=0, axis=x);tile(arg="*", dim=1, axis=y)']
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(done.stderr)
            seconds, ours = time.monotonic() - begin, json.loads(done.stdout)
            shutil.rmtree(target)
            peak = ours["peak_memory_bytes"] / 2**20
            rounds.append((seconds / theirs["seconds"], peak / theirs["peak_mib"]))
            print(f"orbax {theirs['seconds']:6.2f} s (restored after {theirs['restored']:.2f}), {theirs['peak_mib']:6.0f} MiB   "
                  f"tw {seconds:6.2f} s, {peak:4.0f} MiB   {rounds[-1][0]:.2f} of its time, {rounds[-1][1]:.2f} of its memory", flush=True)
    finally:
        shutil.rmtree(folder)
    time_ratio, memory_ratio = (sorted(column)[len(rounds) // 2] for column in zip(*rounds))
    for name, value in (("time", time_ratio), ("memory", memory_ratio)):
        print(f"{name:7} {value:6.2f}   limit 1.00   {'ok' if value <= 1 else 'MISSED'}")
    return int(time_ratio > 1 or memory_ratio > 1)


if __name__ == "__main__":
    sys.exit(main())
