# SPDX-License-Identifier: Apache-2.0
"""Checkpoints that Orbax writes here and now, over 8 devices, and random arrays that zarr writes, read by tw reshard to the same bits.
Usage: fresh_orbax.py TW. Runs under the python that TW_CHECKPOINTS_PYTHON names (`./dev test --checkpoints` makes one); skipped without."""

import os
import random
import subprocess
import sys
import tempfile

python = os.environ.get("TW_CHECKPOINTS_PYTHON")
if python is None:
    print("skipped: TW_CHECKPOINTS_PYTHON names no python with orbax-checkpoint and zarr")
    sys.exit(77)
if sys.executable != python:
    os.execv(python, [python, *sys.argv])
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

from checks import check, failures  # noqa: E402
from sets import read_safetensors  # noqa: E402

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numcodecs  # noqa: E402
import numpy as np  # noqa: E402
import orbax.checkpoint as ocp  # noqa: E402
import zarr  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402

tw = os.path.abspath(sys.argv[1])
TYPES = [np.float32, jnp.bfloat16, np.float16, np.int8, np.uint8, np.int16, np.int32, np.bool_, jnp.float8_e4m3fn, np.uint32]


def check_whole(source, wanted, tmp, what):
    target = os.path.join(tmp, what + ".safetensors")
    done = subprocess.run([tw, "reshard", source, target, "--whole", "--verify"], capture_output=True, text=True, check=False)
    check(done.returncode == 0, f"{what}: exit {done.returncode}: {done.stderr}")
    if done.returncode:
        return
    found = read_safetensors(target)
    check(set(found) == set(wanted), f"{what}: arrays {sorted(set(found) ^ set(wanted))} are on one side alone")
    for name in set(found) & set(wanted):
        array = np.asarray(wanted[name])
        check(found[name][1] == array.shape and found[name][2] == array.tobytes(), f"{what}: {name} is not the array that was written")


def layers(draw, count):
    """Arrays of every type over the devices, tiled, partly tiled and whole, and on one device."""
    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))
    made = {}
    for i in range(count):
        dtype = TYPES[i % len(TYPES)]
        shape = [(8, 12), (4, 8, 6), (16,), (2, 4)][i % 4]
        spec = draw.choice([("data", "model"), ("model",), (None, "data") if len(shape) > 1 else (), ((("data", "model"),)), ()])[: len(shape)]
        whole = np.asarray([draw.randrange(100) for _ in range(int(np.prod(shape)))]).reshape(shape).astype(dtype)
        fits = all(n % {None: 1, "data": 2, "model": 4}.get(a, 8) == 0 for n, a in zip(shape, spec))
        made[f"layer{i}"] = (whole, jax.device_put(whole, NamedSharding(mesh, PartitionSpec(*spec if fits else ()))))
    return made


def test_orbax(tmp):
    draw = random.Random(1)
    made = layers(draw, 60)
    tree = {"params": {name: array for name, (_, array) in made.items()}, "step": jnp.int32(3), "scale": np.float32(0.5)}
    wanted = {f"params.{name}": whole for name, (whole, _) in made.items()}
    wanted.update({"step": np.int32(3), "scale": np.float32(0.5)})
    for name, how in {"plain": {"use_ocdbt": False}, "database": {}, "shards": {"use_zarr3": True}, "plain_shards": {"use_ocdbt": False, "use_zarr3": True}}.items():
        folder = os.path.join(tmp, name)
        ocp.Checkpointer(ocp.PyTreeCheckpointHandler(**how)).save(folder, args=ocp.args.PyTreeSave(tree))
        check_whole(folder, wanted, tmp, f"of_{name}")
    with ocp.CheckpointManager(os.path.join(tmp, "manager")) as manager:
        for step in (1, 2):
            manager.save(step, args=ocp.args.StandardSave(tree))
        manager.wait_until_finished()
    check_whole(os.path.join(tmp, "manager", "2", "default"), wanted, tmp, "of_manager")


def test_zarr(tmp):
    draw = random.Random(2)
    for case in range(80):
        rank = draw.randrange(4)
        shape = tuple(draw.randrange(1, 9) for _ in range(rank))
        dtype = np.dtype(draw.choice(["<f4", ">f4", "<i2", ">i8", "<f8", "|u1", "|b1", "<c8"]))
        array = np.asarray([draw.randrange(100) for _ in range(int(np.prod(shape)))]).reshape(shape).astype(dtype)
        chunks = tuple(draw.randrange(1, n + 1) for n in shape)
        how = {"zarr_format": draw.choice([2, 3]), "compressors": None}
        if how["zarr_format"] == 2:
            how["order"] = draw.choice(["C", "F"])
            how["compressors"] = draw.choice([None, numcodecs.Zstd()])
            how["chunk_key_encoding"] = {"name": "v2", "separator": draw.choice([".", "/"])}
        else:
            how["compressors"] = draw.choice([None, [zarr.codecs.ZstdCodec()], [zarr.codecs.Crc32cCodec()], [zarr.codecs.ZstdCodec(), zarr.codecs.Crc32cCodec()]])
            if rank and draw.random() < 0.5:
                how["filters"] = [zarr.codecs.TransposeCodec(order=tuple(draw.sample(range(rank), rank)))]
            if rank and draw.random() < 0.5:
                how["shards"] = tuple(c * draw.randrange(1, 4) for c in chunks)
        folder = os.path.join(tmp, str(case))
        made = zarr.create_array(os.path.join(folder, "a"), shape=shape, chunks=chunks, dtype=dtype, fill_value=0, **how)
        written = array
        if rank and draw.random() < 0.3:  # chunks that are missing
            written = np.zeros_like(array)
            part = tuple(slice(0, c) for c in chunks)
            written[part] = array[part]
            made[part] = array[part]
        else:
            made[...] = array
        check_whole(folder, {"a": written.astype(dtype.newbyteorder("<"))}, tmp, f"case_{case}")


def test_written(tmp):
    """What tw writes, read by zarr."""
    draw = random.Random(3)
    wanted = {}
    for i, dtype in enumerate([np.float32, np.float16, np.int8, np.uint8, np.int16, np.int32, np.bool_, np.complex64, np.float64, np.uint32]):
        shape = [(8, 12), (4, 8, 6), (16,), (), (4, 0)][i % 5]
        wanted[f"layer/{i}"] = np.asarray([draw.randrange(100) for _ in range(int(np.prod(shape)))]).reshape(shape).astype(dtype)
    source = os.path.join(tmp, "source.npz")
    np.savez(source, **wanted)
    for name, how in {"whole": ["--whole"], "tiles": ["--mesh", "a=2,b=2", "-a", "tile(arg=*, dim=0, axis=a); tile(arg=layer/1, dim=1, axis=b)"]}.items():
        target = os.path.join(tmp, f"{name}.zarr")
        done = subprocess.run([tw, "reshard", source, target, "--verify", *how], capture_output=True, text=True, check=False)
        check(done.returncode == 0, f"{name}: exit {done.returncode}: {done.stderr}")
        for key, array in wanted.items() if done.returncode == 0 else ():
            found = zarr.open_array(os.path.join(target, key), mode="r")
            check(found.dtype == array.dtype and np.array_equal(found[...], array), f"{name}: {key} is {found[...]}, not {array}")
            check(name == "whole" or key != "layer/1" or found.chunks == (2, 4, 6), f"chunks of {key} are {found.chunks}")
        check_whole(target, wanted, tmp, f"of_{name}")


def main():
    with tempfile.TemporaryDirectory() as tmp:
        for test in (test_orbax, test_zarr, test_written):
            folder = os.path.join(tmp, test.__name__)
            os.makedirs(folder)
            test(folder)
    print(f"orbax-checkpoint {ocp.__version__}, zarr {zarr.__version__}: {len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
