# SPDX-License-Identifier: Apache-2.0
"""Redistribution: moves an array from one sharding to another, provably cheapest."""

from __future__ import annotations

import json
import math
from typing import Any, Mapping, Optional, Sequence, Union

from . import _core
from . import _dtypes as dtypes
from ._object import Object, given, registered
from .errors import invalid
from .mesh import Mesh
from .sharding import Tile
from .tensor import Tensor, tensor


@registered("tw_redistribution_t")
class Redistribution(Object):
    """A plan: it never changes. Devices are counted in the order of their ids; side 0 is before, 1 after."""

    _dtype: str = ""

    @classmethod
    def load(cls, data: bytes) -> "Redistribution":
        """A plan from what save() made, checked."""
        return _core.tw_redistribution_load(data)

    def save(self) -> bytes:
        return _core.tw_redistribution_save(self)

    @property
    def device_ids(self) -> tuple[int, ...]:
        return tuple(_core.tw_redistribution_device_id(self, d) for d in range(_core.tw_redistribution_num_devices(self)))

    @property
    def rank(self) -> int:
        """Dimensions of the array."""
        return _core.tw_redistribution_rank(self)

    @property
    def item_size(self) -> int:
        return _core.tw_redistribution_item_size(self)

    def tile(self, side: int, device: int) -> Tile:
        offset, extent = _core.tw_redistribution_tile(self, side, device, self.rank, self.rank)
        return Tile(tuple(offset), tuple(extent))

    def element(self, side: int, coordinates: Sequence[int]) -> Optional[tuple[int, ...]]:
        """The element of the array for which coordinates in tiles of a side stand; None: a halo lies around the array there."""
        if len(coordinates) != self.rank:
            raise invalid(f"the array has {self.rank} dimensions, not {len(coordinates)}")
        found, index = _core.tw_redistribution_element(self, side, coordinates, self.rank)
        if found < 0:
            raise invalid(f"side {side} is neither 0 (before) nor 1 (after)")
        return tuple(index) if found else None

    @property
    def combines(self) -> bool:
        """Whether partial values are combined on the way."""
        return bool(_core.tw_redistribution_combines(self))

    @property
    def num_steps(self) -> int:
        return _core.tw_redistribution_num_steps(self)

    @property
    def method(self) -> str:
        return _core.tw_redistribution_method(self)

    def bytes_received(self, device: int) -> int:
        return _core.tw_redistribution_bytes_received(self, device)

    @property
    def bound(self) -> tuple[int, float]:
        """The bytes that a device must receive in any plan: the most over all devices, and their mean."""
        return _core.tw_redistribution_bound(self)

    @property
    def scratch_bytes(self) -> int:
        return _core.tw_redistribution_scratch_bytes(self)

    @property
    def height_bytes(self) -> int:
        return _core.tw_redistribution_height_bytes(self)

    @property
    def exact(self) -> bool:
        """Whether no plan of the method costs less, with a proof."""
        return bool(_core.tw_redistribution_exact(self))

    def __hash__(self) -> int:
        return hash(_core.tw_redistribution_hash(self))

    def __eq__(self, other: object) -> bool:
        same = _core.tw_redistribution_hash
        return isinstance(other, Redistribution) and same(self) == same(other)

    def info(self, check: bool = False) -> dict[str, Any]:
        """What `tw redistribute --json` prints."""
        return json.loads(_core.tw_redistribution_json(self, int(check)))

    def report(self, check: bool = False, width: int = 100) -> str:
        return _core.tw_redistribution_report(self, int(check), width)

    def pareto(self) -> list[dict[str, Any]]:
        """Plans none of which is both faster and smaller than another."""
        return json.loads(_core.tw_redistribution_pareto(self))

    def check(self) -> "Redistribution":
        """Replays the plan with code that no planner uses; raises where it is wrong."""
        _core.tw_redistribution_check(self)
        return self

    def picture(self, name: str = "", form: str = "svg", theme: str = "auto", scale: float = 0, bare: bool = False) -> bytes:
        """A file that shows the array before and after, and what moves between, as Sharding.picture()."""
        return _core.tw_redistribution_picture(self, name, {"form": form, "theme": theme, "scale": scale, "bare": int(bare)})

    def _repr_html_(self) -> str:
        return self.picture(theme="page").decode()

    def redistributor(self, workers: int = 0, donate: bool = False, share: bool = False) -> "Redistributor":
        return Redistributor([self], workers=workers, donate=donate, share=share)

    def run(self, tiles: Sequence[Any], dtype: Any = None) -> list[Tensor]:
        """Moves tiles, one a device, and returns the new ones."""
        after = self.new_tiles(dtype or (tensor(tiles[0]).dtype if tiles else "f32"))
        self.redistributor(workers=1).run(tiles, after)
        return after

    def new_tiles(self, dtype: Any) -> list[Tensor]:
        """Zero-filled tensors for the tiles after."""
        if _core.tw_dtype_size(dtypes.code_of(dtype)) != self.item_size:
            raise invalid(f"elements of {dtype} have another size than the plan's {self.item_size} bytes")
        return [Tensor(self.tile(1, d).extent, dtype) for d in range(len(self.device_ids))]

    def _text(self) -> str:
        return self.report()

    def _about(self) -> str:
        steps = "1 step" if self.num_steps == 1 else f"{self.num_steps} steps"
        return f"{self.method}: {steps} on {len(self.device_ids)} devices"


@registered("tw_redistributor_t")
class Redistributor(Object):
    """Plans over the same number of devices, bound to threads and scratch memory. One run at a time."""

    #: Of each plan the size of its elements, and the bytes of each device's tile before and after.
    _sizes: Sequence[tuple[int, tuple[list[int], list[int]]]] = ()
    _shares: bool = False

    def __new__(cls, plans: Sequence[Redistribution], workers: int = 0, donate: bool = False, share: bool = False) -> "Redistributor":
        plans = list(plans)
        mover = _core.tw_redistributor_create(plans, given(workers=workers, donate=donate, share=share))
        mover._sizes, mover._shares = [(plan.item_size, (_sizes(plan, 0), _sizes(plan, 1))) for plan in plans], share or donate
        return mover

    @property
    def scratch_bytes(self) -> int:
        return _core.tw_redistributor_scratch_bytes(self)

    def home(self, plan: int, device: int) -> tuple[bool, int]:
        """Whether the target tile of a device lies in the source tile of the device that is named, else in its target tile."""
        in_source, at = _core.tw_redistributor_home(self, plan, device)
        return bool(in_source), at

    def run(self, sources: Sequence[Any], targets: Sequence[Any]) -> None:
        """Moves tiles: a buffer per plan and device (plan-major), dense and row-major; None where a device holds nothing."""
        before, after = _memories(sources), _memories(targets)
        for side, memories in ((0, before), (1, after)):
            self._check(side, memories)
        _core.redistributor_run(self, before, after)  # tw_redistributor_run

    def _check(self, side: int, memories: Sequence[Optional[memoryview]]) -> None:
        devices = len(self._sizes[0][1][side])
        if len(memories) != len(self._sizes) * devices:
            plans = "1 plan" if len(self._sizes) == 1 else f"{len(self._sizes)} plans"
            raise invalid(f"{len(memories)} tiles for {plans} on {devices} devices")
        for at, memory in enumerate(memories):
            item_size, sizes = self._sizes[at // devices]
            device = at % devices
            size = sizes[side][device]
            if memory is not None and memory.itemsize not in (1, item_size):
                raise invalid(f"the tile of device {device} has elements of {memory.itemsize} bytes, not the {item_size} of the plan")
            if memory is None and size and (side == 0 or not self._shares):
                raise invalid(f"device {device} holds {size} bytes {'after' if side else 'before'} the run, but its tile is None")
            if memory is not None and memory.nbytes != size and size:
                raise invalid(f"the tile of device {device} has {memory.nbytes} bytes, not the {size} of the plan")


def _sizes(plan: Redistribution, side: int) -> list[int]:
    return [plan.item_size * math.prod(plan.tile(side, device).extent) for device in range(len(plan.device_ids))]


def _memories(tiles: Sequence[Any]) -> list[Optional[memoryview]]:
    return [None if tile is None else tensor(tile).bits() for tile in tiles]


def redistribute(
    source: str, target: str, mesh: Union[Mesh, str], target_mesh: Union[Mesh, str, None] = None, *, method: Optional[str] = None,
    levels: Optional[str] = None, dtype: Any = None, scratch_bytes: Optional[int] = None, height_bytes: Optional[int] = None,
    links: Optional[Sequence[Mapping[str, float]]] = None, copy_gb_per_s: Optional[float] = None,
    steps: Union[str, Sequence[str], None] = None,
) -> Redistribution:
    """The best plan from "f32[1024,1024] [{x},{}]" to "[{},{x}]" on a mesh, or to another mesh.

    `steps` are the way to go, instead of a method: ["dynslice 0 y", "alltoall 0 1"], checked and priced."""
    mesh = Mesh(mesh) if isinstance(mesh, str) else mesh
    target_mesh = Mesh(target_mesh) if isinstance(target_mesh, str) else target_mesh
    options = given(
        method=method, levels=levels, dtype=None if dtype is None else dtypes.code_of(dtype), scratch_bytes=scratch_bytes,
        height_bytes=height_bytes, links=links, copy_gb_per_s=copy_gb_per_s,
        steps=steps if steps is None or isinstance(steps, str) else "\n".join(steps),
    )
    return _core.tw_redistribution_plan(mesh, source, target_mesh, target, options)
