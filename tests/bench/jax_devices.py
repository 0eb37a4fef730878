# SPDX-License-Identifier: Apache-2.0
"""Runs a per-device module of `tw emit --to stablehlo` with XLA on as many CPU devices as its mesh has, and cuts arrays into the tiles that it
takes. A process has as many devices as `choose_devices` says before jax is loaded."""

import math
import os
import re


def choose_devices(count):
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={count}".strip()


def parse_mesh(text):
    """ "data=2,model=4" -> {"data": 2, "model": 4}"""
    return {name: int(size) for name, size in (axis.split("=") for axis in text.split(","))}


def coordinates(mesh, position):
    """Of a device: the first axis is the slowest."""
    found = {}
    for name, size in reversed(mesh.items()):
        found[name] = position % size
        position //= size
    return found


def tile(shape, sharding, mesh, position):
    """Which part of an array a device has, and the shape in which it is stored, that of the largest: `[{data}, {}, {model}]`."""
    where = coordinates(mesh, position)
    part, stored = [], []
    for size, (axes, rule) in zip(shape, re.findall(r"\{([^}]*)\}(:[\w:=]+)?", sharding)):
        if rule:
            raise ValueError(f"only balanced tiles are cut here, not {sharding}")
        index, count = 0, 1
        for axis in filter(None, axes.split(",")):
            index = index * mesh[axis] + where[axis]
            count *= mesh[axis]
        part.append(slice(index * size // count, (index + 1) * size // count))
        stored.append(-(-size // count))
    return tuple(part), tuple(stored)


def cut(array, sharding, mesh, position):
    """A device's tile as it is stored; behind the end of one that is smaller than others there are zeros."""
    import numpy as np

    part, stored = tile(array.shape, sharding, mesh, position)
    padded = np.zeros(stored, array.dtype)
    padded[tuple(slice(n) for n in array[part].shape)] = array[part]
    return padded


def signature(text):
    """The shardings of arguments and results of a per-device module."""
    line = next(line for line in text.split("\n") if "func.func" in line)
    arguments, _, results = line.partition(") -> (")
    return [re.findall(r'tw\.sharding = "([^"]*)"', part) for part in (arguments, results)]


class DeviceProgram:
    """One per-device module, compiled for a replica a device; from the artifact of the text where there is one."""

    def __init__(self, text, mesh, artifact=None):
        import jax
        from jax._src import compiler, xla_bridge
        from jax.extend.mlir import ir
        from jax.interpreters import mlir
        from jaxlib._jax import DeviceList
        from jaxlib.mlir.dialects import stablehlo

        self.mesh = mesh
        self.devices = jax.devices("cpu")[: math.prod(mesh.values())]
        self.arguments, self.results = signature(text)
        options = compiler.get_compile_options(num_replicas=len(self.devices), num_partitions=1)
        with mlir.make_ir_context() as context:
            module = stablehlo.deserialize_portable_artifact(context, artifact) if artifact else ir.Module.parse(text)
            self.executable = xla_bridge.get_backend("cpu").compile_and_load(
                module, executable_devices=DeviceList(tuple(self.devices)), compile_options=options
            )

    def run(self, inputs):
        """Whole arrays in; for each result the tiles of all devices out."""
        import jax
        import numpy as np

        sharded = []
        for array, sharding in zip(inputs, self.arguments):
            tiles = [jax.device_put(cut(array, sharding, self.mesh, p), device) for p, device in enumerate(self.devices)]
            sharded.append(self.side_by_side(tiles))
        outputs = self.executable.execute_sharded(sharded).disassemble_into_single_device_arrays()
        return [[np.asarray(a) for a in tiles] for tiles in outputs]

    def side_by_side(self, tiles):
        """One array of the tiles, of which jax hands each device its own."""
        import jax
        import numpy as np

        grid = jax.sharding.Mesh(np.array(self.devices), ("device",))
        rank = tiles[0].ndim
        spec = jax.sharding.PartitionSpec(*["device"][:rank])
        shape = (len(tiles) * tiles[0].shape[0], *tiles[0].shape[1:]) if rank else ()
        return jax.make_array_from_single_device_arrays(shape, jax.sharding.NamedSharding(grid, spec), tiles)
