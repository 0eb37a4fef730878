# SPDX-License-Identifier: Apache-2.0
"""Plans for PyTorch: DTensor's placements by parameter name. Needs no torch, except to make the placements themselves."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .errors import invalid
from .plan import Plan


class Placement(NamedTuple):
    """Shard(dim) where `dim` is a number, else Replicate()."""

    dim: Any = None

    def __repr__(self) -> str:
        return "Replicate()" if self.dim is None else f"Shard({self.dim})"


def placements_of(sharding: str, axes: Any) -> tuple[Placement, ...]:
    """A placement for each mesh axis of "[{data}, {}, {model}]"."""
    tiled: dict[str, int] = {}
    for dim, (names, after) in enumerate(re.findall(r"\{([^{}]*)\}((?::[^,\s\]]+(?:\[[^\]]*\])?)*)", sharding)):
        if after and after != ":ceil":
            raise invalid(f"DTensor has no placement for dimension {dim} of {sharding}: its cuts are '{after[1:]}'")
        for name in [part.strip() for part in names.split(",") if part.strip()]:
            if ":" in name:
                raise invalid(f"DTensor has no placement for {name}, a part of an axis, in {sharding}")
            tiled[name] = dim
    unknown = set(tiled) - set(axes)
    if unknown:
        raise invalid(f"the mesh has no axis {sorted(unknown)[0]}; it has {', '.join(axes)}")
    return tuple(Placement(tiled.get(axis)) for axis in axes)


def placements(plan: Plan) -> dict[str, tuple[Placement, ...]]:
    """For each argument of the program, by name, a placement for each axis of the plan's mesh."""
    if plan.mesh is None:
        raise invalid("the plan has no mesh")
    return {name: placements_of(sharding, plan.mesh.axes) for name, sharding in plan.shardings.items()}


def dtensor_placements(plan: Plan) -> dict[str, tuple[Any, ...]]:
    """The same as torch.distributed.tensor's objects."""
    from torch.distributed.tensor import Replicate, Shard

    return {
        name: tuple(Replicate() if one.dim is None else Shard(one.dim) for one in all) for name, all in placements(plan).items()
    }
