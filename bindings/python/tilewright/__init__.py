# SPDX-License-Identifier: Apache-2.0
"""tilewright partitions n-d array programs over meshes of devices, and runs the result.

    import tilewright as tw
    plan = tw.load("mlp.mlir").plan(tw.Mesh(data=2, model=4)).tile("x", 0, "data").tile("w1", 1, "model").infer_propagate()
    print(plan)                        # what every device holds, what is sent and why
    y, = plan.run(x, w1, w2)           # numpy arrays, or anything with a buffer or __dlpack__

`tilewright.jax` plans JAX functions, `tilewright.torch` gives placements for DTensor, `tilewright.gym` has plans as an environment of
gymnasium; none of these is needed to import this."""

from __future__ import annotations

import json as _json
from typing import Any

from . import _load  # first: it says what is missing where the core does not load
from . import _core
from .builder import Builder, BuiltRegion, BuiltValue
from .conflicts import Action, Conflict, Loop, Way
from .custom import Call, CustomCalls
from ._dtypes import CODES as _CODES
from .device import Event, Gpu, Stream, device_count, gpu, limit_memory
from .environment import Environment, Price
from .errors import (
    Cancelled, DeadlineExceeded, DeviceLost, Error, FailedPrecondition, Internal, InvalidArgument, NotFound, OutOfRange,
    Remote, ResourceExhausted, Unavailable, Unimplemented,
)
from .estimate import CollectiveCost, Estimate, EstimatedStep, Held, Place, System
from .graph import Argument, Graph, Op, Region, Type, Value, load, loads, op_names, ops
from .mesh import AxisPart, Mesh
from .plan import Plan, forms
from .program import Collective, Instruction, Local, Program
from .progress import progress
from .redistribute import Redistribution, Redistributor, redistribute
from .runtime import Comm, Context, Counters, Executable, Run, machine_limits, mpi_finish, mpi_start
from .search import Search, SearchProgress
from .sharding import DimSharding, Partial, Sharding, Tile
from .store import Part, Store, save
from .tensor import Comparison, Tensor, filled, tensor

#: The release of the library that runs, and the API that it implements: major * 10000 + minor * 100 + patch.
__version__: str = _core.tw_version()
api_version: int = _core.tw_api_version()

#: MLIR's names of the element types.
dtypes: tuple[str, ...] = tuple(_CODES)


def build_info() -> dict[str, Any]:
    """What this build has and what it finds at run time."""
    return _json.loads(_core.tw_build_info())


def diagnostics() -> dict[str, tuple[str, str]]:
    """What each error id means, and what to do about it."""
    ids = range(_core.tw_diagnostic_count())
    return {
        _core.tw_diagnostic_id(i): (_core.tw_diagnostic_meaning(i), _core.tw_diagnostic_advice(i)) for i in ids
    }


__all__ = [
    "Action", "Argument", "AxisPart", "Builder", "BuiltRegion", "BuiltValue", "Call", "Cancelled", "Collective", "CollectiveCost", "Comm",
    "Comparison", "Conflict", "Context", "Counters", "CustomCalls", "DeadlineExceeded", "DeviceLost", "DimSharding",
    "Environment", "Error", "Estimate", "EstimatedStep", "Event", "Executable", "FailedPrecondition", "Gpu", "Graph", "Held", "Instruction",
    "Internal", "InvalidArgument", "Local", "Loop", "Mesh", "NotFound", "Op", "OutOfRange", "Partial", "Place", "Plan", "Price", "Program",
    "Redistribution", "Redistributor", "Region", "Remote", "ResourceExhausted", "Run", "Search", "SearchProgress", "Sharding", "Stream",
    "System", "Tensor", "Tile", "Type", "Unavailable", "Unimplemented", "Value",
    "Way", "api_version", "build_info", "device_count", "diagnostics", "dtypes", "filled", "forms", "gpu", "limit_memory", "load", "loads", "machine_limits",
    "mpi_finish", "mpi_start", "op_names", "ops", "progress", "redistribute", "tensor",
]
