# SPDX-License-Identifier: Apache-2.0
"""Meshes: devices in a grid of named axes."""

from __future__ import annotations

import operator
from typing import Any, Mapping, NamedTuple, Sequence, Union

from . import _core
from ._names import AXIS_KINDS
from ._object import Object, registered


class AxisPart(NamedTuple):
    """An axis, or a part of it: of its places, cut into parts from major to minor, the `size` places behind parts of `before` places
    together. Size 0 is all that is left. str() writes it "model:(2)4"."""

    axis: str
    before: int = 1
    size: int = 0

    def __str__(self) -> str:
        return self.axis if self.size == 0 else f"{self.axis}:({self.before}){self.size}"


def axis_part(axis: Union[str, AxisPart]) -> AxisPart:
    """A name is a whole axis."""
    return AxisPart(axis) if isinstance(axis, str) else axis


def part_fields(part: AxisPart) -> dict[str, Any]:
    """A tw_axis_part_t."""
    return {"axis": part.axis, "before": part.before, "size": part.size}


def _size(axis: str, size: Any) -> int:
    try:
        return operator.index(size)
    except TypeError:
        raise TypeError(f"axis {axis!r}: expected an integer, not {type(size).__name__}") from None


@registered("tw_mesh_t")
class Mesh(Object):
    """Named axes over devices, the first the slowest: Mesh(data=2, model=4), Mesh("data=2,model=4") or Mesh({"data": 2})."""

    def __new__(cls, axes: Union[str, Mapping[str, int], None] = None, **sizes: int) -> "Mesh":
        if isinstance(axes, str):
            if sizes:
                raise TypeError("give the axes as text or by name, not both")
            return _core.tw_mesh_parse(axes)
        if axes is not None and not isinstance(axes, Mapping):
            raise TypeError(f"axes are text, a dict or keywords, Mesh(data=2, model=4), not {type(axes).__name__}")
        named = {**(axes or {}), **sizes}
        return _core.tw_mesh_create((list(named), [_size(axis, size) for axis, size in named.items()]))

    def with_devices(self, device_ids: Sequence[int]) -> "Mesh":
        """The same axes on other devices: device_ids[p] stands at position p, positions being row-major."""
        return _core.tw_mesh_with_devices(self, device_ids)

    @property
    def axes(self) -> dict[str, int]:
        """Axis names with their sizes, the slowest first."""
        names = [_core.tw_mesh_axis_name(self, i) for i in range(_core.tw_mesh_num_axes(self))]
        return {name: _core.tw_mesh_axis_size(self, i) for i, name in enumerate(names)}

    @property
    def num_devices(self) -> int:
        return _core.tw_mesh_num_devices(self)

    @property
    def kinds(self) -> dict[str, str]:
        """What the places along each axis are: "devices", steps ("serial") or "threads" of one device."""
        return {name: AXIS_KINDS[_core.tw_mesh_axis_kind(self, i)] for i, name in enumerate(self.axes)}

    @property
    def num_positions(self) -> int:
        """Places of all axes together: the devices, times steps and threads, which only meshes of plans have."""
        return _core.tw_mesh_num_positions(self)

    @property
    def device_ids(self) -> tuple[int, ...]:
        """The device at each position."""
        return tuple(_core.tw_mesh_device_id(self, position) for position in range(self.num_positions))

    @property
    def parts(self) -> tuple[AxisPart, ...]:
        """What each axis is of the mesh that was given: plans cut axes of which shardings name parts."""
        return tuple(AxisPart(**_core.tw_mesh_axis_part(self, i)) for i in range(_core.tw_mesh_num_axes(self)))

    def box(self, sharding: str, shape: Sequence[int], device: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Offset and extent of the part that a device holds of an array under "[{data}, {}]"."""
        offset, extent = _core.tw_mesh_box(self, sharding, shape, device, len(shape), len(shape))
        return tuple(offset), tuple(extent)

    def _text(self) -> str:
        return ",".join(f"{name}={size}" for name, size in self.axes.items())

    def _about(self) -> str:
        ids = self.device_ids
        where = "" if ids == tuple(range(len(ids))) else f" on devices {', '.join(map(str, ids[:8]))}{', ..' if len(ids) > 8 else ''}"
        return (str(self) or "of one device") + where

    def __eq__(self, other: object) -> bool:
        """The same axes in the same order, over the same devices."""
        if not isinstance(other, Mesh) or self.closed or other.closed:
            return False
        mine, theirs = ((list(m.axes.items()), m.kinds, m.device_ids) for m in (self, other))
        return mine == theirs

    def __hash__(self) -> int:
        return hash((str(self), self.device_ids))

    def __reduce__(self) -> Any:
        if any(kind != "devices" for kind in self.kinds.values()):
            raise TypeError("a Mesh of a plan, with axes of steps or threads, cannot be pickled")
        return _again, (self.axes, self.device_ids)


def _again(axes: Mapping[str, int], device_ids: Sequence[int]) -> Mesh:
    return Mesh(axes).with_devices(device_ids)
