# SPDX-License-Identifier: Apache-2.0
"""Plans for PyTorch: DTensor's placements by parameter name. Needs no torch, except to make the placements themselves."""

from __future__ import annotations

import math
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from .errors import invalid
from .mesh import Mesh
from .plan import Plan
from .sharding import Sharding, whole_dims_of


class Placement(NamedTuple):
    """Shard(dim) where `dim` is a number, else Replicate(). With a split factor it is _StridedShard(dim, split_factor=n): axes that come
    later in the mesh cut the dimension into n tiles first, and this one cuts each of them."""

    dim: Any = None
    split_factor: int = 1

    def __repr__(self) -> str:
        if self.dim is None:
            return "Replicate()"
        return f"Shard({self.dim})" if self.split_factor == 1 else f"_StridedShard({self.dim}, split_factor={self.split_factor})"


def placements_of(
    sharding: Union[str, Sharding], axes: Union[Mesh, Mapping[str, int], Sequence[str]], shape: Optional[Sequence[int]] = None
) -> tuple[Placement, ...]:
    """A placement for each mesh axis of "[{data}, {}, {model}]", or of a Sharding. DTensor cuts along axes in the order of the mesh; where a sharding has
    another order ("[{model, data}]"), the sizes of the axes are needed, and a dimension that they divide."""
    sizes: dict[str, Any] = dict(axes.axes if isinstance(axes, Mesh) else axes if isinstance(axes, Mapping) else dict.fromkeys(axes))
    order = list(sizes)
    placed: dict[str, Placement] = {}
    for dim, (names, split) in enumerate(whole_dims_of(sharding, "DTensor")):
        if split and split != ":ceil":
            raise invalid(f"DTensor has no placement for dimension {dim} of {sharding}: its cuts are '{split[1:]}'")
        for i, name in enumerate(names):
            if ":" in name:
                raise invalid(f"DTensor has no placement for {name}, a part of an axis, in {sharding}")
            if name not in sizes:
                raise invalid(f"the mesh has no axis {name}; it has {', '.join(order)}")
            outer = [other for other in names[:i] if order.index(other) > order.index(name)]
            if outer and any(sizes[other] is None for other in names):
                raise invalid(f"{sharding} has axes in another order than the mesh: give their sizes, or the mesh")
            factor = math.prod(sizes[other] for other in outer)
            if factor > 1 and shape is not None and shape[dim] % math.prod(sizes[other] for other in names):
                raise invalid(
                    f"DTensor has no placement for dimension {dim} of {sharding}: its axes are not in the order of the mesh, and "
                    f"{' times '.join(str(sizes[other]) for other in names)} tiles do not divide {shape[dim]}"
                )
            placed[name] = Placement(dim, factor)
    return tuple(placed.get(axis, Placement()) for axis in order)


def placements(plan: Plan) -> dict[str, tuple[Placement, ...]]:
    """For each argument of the program, by name, a placement for each axis of the plan's mesh."""
    if plan.mesh is None:
        raise invalid("the plan has no mesh")
    return {
        argument.name: placements_of(plan.sharding(argument.name), plan.mesh, argument.type.shape) for argument in plan.graph.arguments
    }


def dtensor_placements(plan: Plan) -> dict[str, tuple[Any, ...]]:
    """The same as torch.distributed.tensor's objects."""
    from torch.distributed.tensor import Replicate, Shard

    def made(one: Placement) -> Any:
        if one.dim is None:
            return Replicate()
        if one.split_factor == 1:
            return Shard(one.dim)
        from torch.distributed.tensor.placement_types import _StridedShard

        return _StridedShard(one.dim, split_factor=one.split_factor)

    return {name: tuple(made(one) for one in all) for name, all in placements(plan).items()}
