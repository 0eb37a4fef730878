# SPDX-License-Identifier: Apache-2.0
"""Makes the checkpoints of Orbax and the zarr arrays that tests read: make_zarr.py FOLDER. Needs orbax-checkpoint and zarr (written with 0.12.8
and 3.1.6). Elements count up from the number of the array, times 100, so that readers need no copy of them. `orbax` is what
StandardCheckpointer writes, `orbax_zarr3` has chunks in chunks, `zarr` is arrays in folders: other orders of bytes and of dimensions, chunks
that are missing, chunks that lie over the end, checksums."""

import os
import shutil
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numcodecs
import numpy as np
import orbax.checkpoint as ocp
import zarr
from jax.sharding import Mesh, NamedSharding, PartitionSpec


def counted(number, shape, dtype):
    return (100 * number + np.arange(np.prod(shape, dtype=int))).reshape(shape).astype(dtype)


def tree():
    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))
    put = lambda array, *spec: jax.device_put(array, NamedSharding(mesh, PartitionSpec(*spec)))
    return {
        "params": {
            "w": put(counted(0, (6, 8), np.float32), "data", "model"),
            "b": put(counted(1, (8,), jnp.bfloat16), "model"),
        },
        "opt": [put(counted(2, (4, 3), np.float32), "data"), counted(3, (5,), np.int64)],
        "step": jnp.int32(7),
    }


def without_notes(folder):
    """What readers of arrays do not look at goes."""
    for name in ("_sharding", "array_metadatas", "commit_success.txt"):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.remove(path)


def main(folder):
    for name in ("orbax", "orbax_zarr3", "zarr"):
        shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(os.path.join(folder, "orbax"), tree())
    checkpointer = ocp.Checkpointer(ocp.PyTreeCheckpointHandler(use_zarr3=True))
    checkpointer.save(os.path.join(folder, "orbax_zarr3"), args=ocp.args.PyTreeSave(tree()))
    for name in ("orbax", "orbax_zarr3"):
        without_notes(os.path.join(folder, name))

    make = lambda name, array, **how: zarr.create_array(os.path.join(folder, "zarr", name), shape=array.shape, dtype=array.dtype, **how)
    array = counted(4, (5, 7), ">f4")
    make("big_endian_fortran", array, chunks=(2, 3), zarr_format=2, order="F", compressors=None)[:] = array
    array = counted(5, (5, 7), np.int16)
    make("packed", array, chunks=(3, 4), zarr_format=2, compressors=numcodecs.Zstd())[:] = array
    array = counted(6, (4, 6), np.float32)
    some = make("missing", array, chunks=(2, 3), zarr_format=3, fill_value=np.nan, compressors=None)
    some[:2, :3] = array[:2, :3]
    array = counted(7, (4, 6, 5), np.float64)
    codecs = dict(filters=[zarr.codecs.TransposeCodec(order=(2, 0, 1))], compressors=[zarr.codecs.ZstdCodec(), zarr.codecs.Crc32cCodec()])
    make("turned", array, chunks=(3, 4, 2), zarr_format=3, **codecs)[:] = array
    array = counted(8, (7, 9), np.uint8)
    make("shards", array, chunks=(2, 3), shards=(4, 6), zarr_format=3, compressors=None)[:] = array
    array = counted(9, (3,), np.float32)
    make("gzip", array, chunks=(3,), zarr_format=3, compressors=[zarr.codecs.GzipCodec()])[:] = array


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
