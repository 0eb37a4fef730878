# SPDX-License-Identifier: Apache-2.0
"""Redistribution: moves an array from one sharding to another, provably cheapest."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from . import _dtypes as dtypes
from ._object import Object, given, registered
from .errors import invalid, numbered
from .mesh import Mesh
from .sharding import Sharding, Tile
from .tensor import Tensor, tensor

_ELEMENT_TYPE = re.compile(r"\s*([A-Za-z]\w*(?:<\w+>)?)\s*\[")


@registered("tw_redistribution_t")
class Redistribution(Object):
    """A plan: it never changes. Devices are counted in the order of their ids; side 0 is before, 1 after."""

    _dtype: str = ""

    @property
    def dtype(self) -> str:
        """MLIR's name of the type of the array's elements, "f32"."""
        if not self._dtype:  # of a plan that was loaded
            self._dtype = self.info()["dtype"]
        return self._dtype

    @classmethod
    def load(cls, data: bytes) -> "Redistribution":
        """A plan from what save() made, checked."""
        return _core.tw_redistribution_load(data)

    def save(self) -> bytes:
        return _core.tw_redistribution_save(self)

    @property
    def device_ids(self) -> tuple[int, ...]:
        return tuple(_core.tw_redistribution_device_id(self, d) for d in range(self._num_devices))

    @property
    def rank(self) -> int:
        """Dimensions of the array."""
        return _core.tw_redistribution_rank(self)

    @property
    def item_size(self) -> int:
        return _core.tw_redistribution_item_size(self)

    @property
    def _num_devices(self) -> int:
        return _core.tw_redistribution_num_devices(self)

    def tile(self, side: int, device: int) -> Tile:
        numbered("device", device, self._num_devices)
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
    def missing(self) -> list[tuple[int, Tile]]:
        """Where devices are lost: parts of the target tiles of devices that no other device has. What they hold after a run means
        nothing; Store.read_missing() reads them from a checkpoint."""
        rank, count = self.rank, _core.tw_redistribution_num_missing(self)
        found = (_core.tw_redistribution_missing(self, part, rank, rank) for part in range(count))
        return [(device, Tile(tuple(offset), tuple(extent))) for device, offset, extent in found]

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
        return _core.tw_redistribution_bytes_received(self, numbered("device", device, self._num_devices))

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

    def __reduce__(self) -> Any:
        return Redistribution.load, (self.save(),)

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
        """Moves tiles, one a device, and returns the new ones. They have the type and the shapes of the plan, or lie flat in one
        dimension; raw bytes are taken for elements of that type."""
        after = self.new_tiles(dtype)
        self.redistributor(workers=1).run(tiles, after)
        return after

    def new_tiles(self, dtype: Any = None) -> list[Tensor]:
        """Zero-filled tensors for the tiles after. `dtype`, where it is given, is the plan's."""
        if dtype is not None and dtypes.NAMES[dtypes.code_of(dtype)] != self.dtype:
            raise invalid(f"the plan is of {self.dtype}, not of {dtypes.NAMES[dtypes.code_of(dtype)]}", "TW-715")
        return [Tensor(self.tile(1, d).extent, self.dtype) for d in range(len(self.device_ids))]

    def _text(self) -> str:
        return self.report()

    def _about(self) -> str:
        steps = "1 step" if self.num_steps == 1 else f"{self.num_steps} steps"
        return f"{self.method}: {steps} on {len(self.device_ids)} devices"


@registered("tw_redistributor_t")
class Redistributor(Object):
    """Plans over the same number of devices, bound to threads and scratch memory. One run at a time."""

    _tiles: Sequence["_Tiles"] = ()
    _shares: bool = False

    def __new__(cls, plans: Sequence[Redistribution], workers: int = 0, donate: bool = False, share: bool = False) -> "Redistributor":
        plans = list(plans)
        mover = _core.tw_redistributor_create(plans, given(workers=workers, donate=donate, share=share))
        mover._tiles, mover._shares = [_Tiles.of(plan) for plan in plans], share or donate
        return mover

    @property
    def scratch_bytes(self) -> int:
        return _core.tw_redistributor_scratch_bytes(self)

    def home(self, plan: int, device: int) -> tuple[bool, int]:
        """Whether the target tile of a device lies in the source tile of the device that is named, else in its target tile."""
        numbered("plan", plan, len(self._tiles))
        numbered("device", device, len(self._tiles[plan].extents[1]))
        in_source, at = _core.tw_redistributor_home(self, plan, device)
        return bool(in_source), at

    def _about(self) -> str:
        plans = "1 plan" if len(self._tiles) == 1 else f"{len(self._tiles)} plans"
        return f"of {plans} on {len(self._tiles[0].extents[0])} devices, {self.scratch_bytes} bytes of scratch"

    def run(self, sources: Sequence[Any], targets: Sequence[Any]) -> None:
        """Moves tiles: a buffer per plan and device (plan-major), dense and row-major; None where a device holds nothing."""
        before, after = (self._memories(side, tiles) for side, tiles in ((0, sources), (1, targets)))
        _core.redistributor_run(self, before, after)  # tw_redistributor_run

    def _memories(self, side: int, tiles: Sequence[Any]) -> list[Optional[memoryview]]:
        devices = len(self._tiles[0].extents[side])
        plans = "1 plan" if len(self._tiles) == 1 else f"{len(self._tiles)} plans"
        if hasattr(tiles, "__array_interface__") or hasattr(tiles, "__dlpack__") or isinstance(tiles, (bytes, bytearray, memoryview)):
            raise invalid(f"give a list of one tile a device, not one array: {plans} on {devices} devices")
        if len(tiles) != len(self._tiles) * devices:
            raise invalid(f"{len(tiles)} tiles for {plans} on {devices} devices")
        return [self._memory(side, at % devices, self._tiles[at // devices], tile) for at, tile in enumerate(tiles)]

    def _memory(self, side: int, device: int, plan: "_Tiles", tile: Any) -> Optional[memoryview]:
        """The memory of a tile, whose type and shape are the plan's."""
        extent = plan.extents[side][device]
        count = math.prod(extent)
        after = " after the run" if side else ""
        if tile is None:
            if count and (side == 0 or not self._shares):
                size = count * plan.item_size
                raise invalid(f"device {device} holds {size} bytes {'after' if side else 'before'} the run, but its tile is None")
            return None
        array = tensor(tile)
        if count:
            raw = array.dtype == "ui8" != plan.dtype
            if not raw and array.dtype != plan.dtype:
                verb = "combines" if plan.combines else "moves"
                raise invalid(f"the tile of device {device}{after} is {array.dtype}, the plan {verb} {plan.dtype}", "TW-715")
            if raw and array.nbytes != count * plan.item_size:
                raise invalid(
                    f"the tile of device {device}{after} has {array.nbytes} bytes, not the {count * plan.item_size} of the plan", "TW-715"
                )
            if not raw and array.shape not in (extent, (count,)):
                given, wanted = (",".join(map(str, shape)) for shape in (array.shape, extent))
                raise invalid(f"the tile of device {device}{after} is [{given}], the plan wants [{wanted}]", "TW-715")
        return array.bits()


class _Tiles(NamedTuple):
    """What a plan, which may be closed meanwhile, wants of tiles: `extents` by side and device."""

    dtype: str
    item_size: int
    combines: bool
    extents: tuple[list[tuple[int, ...]], list[tuple[int, ...]]]

    @classmethod
    def of(cls, plan: Redistribution) -> "_Tiles":
        devices = range(len(plan.device_ids))
        before, after = ([plan.tile(side, device).extent for device in devices] for side in (0, 1))
        return cls(plan.dtype, plan.item_size, plan.combines, (before, after))


def _written(side: Union[str, Sharding], dtype: Optional[str]) -> str:
    """A type as text: "f32[8,8] [{x}, {}]"."""
    if isinstance(side, str):
        return side
    if not isinstance(side, Sharding):
        raise TypeError(f'expected a type as text, "f32[8,8] [{{x}},{{}}]", or a Sharding, not {type(side).__name__}')
    return f"{dtype or ''}[{','.join(map(str, side.shape))}] {side}"


def redistribute(
    source: Union[str, Sharding], target: Union[str, Sharding], mesh: Union[Mesh, str, None] = None,
    target_mesh: Union[Mesh, str, None] = None, *, method: Optional[str] = None,
    levels: Optional[str] = None, dtype: Any = None, scratch_bytes: Optional[int] = None, height_bytes: Optional[int] = None,
    links: Optional[Sequence[Mapping[str, float]]] = None, copy_gb_per_s: Optional[float] = None,
    steps: Union[str, Sequence[str], None] = None, lost: Optional[Sequence[int]] = None,
) -> Redistribution:
    """The best plan from "f32[1024,1024] [{x},{}]" to "[{},{x}]" on a mesh, or to another mesh. A Sharding, too, says what the array
    is before or after; its mesh is taken where none is given. Elements are of `dtype` where no text says it: f32. `scratch_bytes` are
    those of intermediate tiles that a device may hold at once: 0 is no limit, -1 none at all.

    `steps` are the way to go, instead of a method: ["dynslice 0 y", "alltoall 0 1"], checked and priced. `lost` are ids of devices of
    the mesh before that are gone, with what they held: see Redistribution.missing."""
    if mesh is None:
        if not isinstance(source, Sharding):
            raise TypeError('mesh: expected a Mesh or text, "x=4": the source is text, which names axes alone')
        mesh = source._whole_mesh
        if target_mesh is None and isinstance(target, Sharding):
            target_mesh = target._whole_mesh
    mesh = Mesh(mesh) if isinstance(mesh, str) else mesh
    target_mesh = Mesh(target_mesh) if isinstance(target_mesh, str) else target_mesh
    name = None if dtype is None else dtypes.NAMES[dtypes.code_of(dtype)]
    before, after = _written(source, name), _written(target, name)
    if scratch_bytes is not None and scratch_bytes < -1:
        raise invalid(f"scratch_bytes is {scratch_bytes}: give bytes, 0 for no limit, or -1 for none at all")
    if height_bytes is not None and height_bytes < 0:
        raise invalid(f"height_bytes is {height_bytes}: give bytes, or 0 for the larger of source and target tile")
    options = given(
        method=method, levels=levels, dtype=None if dtype is None else dtypes.code_of(dtype), scratch_bytes=scratch_bytes,
        height_bytes=height_bytes, links=links, copy_gb_per_s=copy_gb_per_s,
        steps=steps if steps is None or isinstance(steps, str) else "\n".join(steps), lost=None if lost is None else list(lost),
    )
    plan = _core.tw_redistribution_plan(mesh, before, target_mesh, after, options)
    named = _ELEMENT_TYPE.match(before) or _ELEMENT_TYPE.match(after)
    plan._dtype = named[1] if named else name or "f32"
    return plan
