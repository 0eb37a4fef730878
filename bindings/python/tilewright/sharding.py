# SPDX-License-Identifier: Apache-2.0
"""Shardings: how one array lies over a mesh, as objects."""

from __future__ import annotations

import re
from typing import Any, Mapping, NamedTuple, Sequence, Union

from . import _core
from . import _dtypes as dtypes
from ._names import BORDERS, REDUCTIONS, SPLITS
from ._object import Object, registered
from .errors import Error, invalid, numbered
from .mesh import AxisPart, Mesh, axis_part, part_fields


class Tile(NamedTuple):
    """The part of an array that a device holds."""

    offset: tuple[int, ...]
    extent: tuple[int, ...]


class DimSharding(NamedTuple):
    """One dimension: the axes that tile it, major to minor, and how."""

    axes: tuple[AxisPart, ...] = ()
    #: "balanced", "ceil", "cuts" or "spans": where the dimension is cut.
    split: str = "balanced"
    #: Elements that stay together.
    unit: int = 1
    #: Of "cuts" the T+1 places, in units; of "spans" a begin and an end for each tile.
    cuts: tuple[int, ...] = ()
    #: Elements before and after every tile that a device holds too, and what lies there at the border: "zero", "wrap", or "none".
    halo: tuple[int, int] = (0, 0)
    border: str = "zero"
    #: Whether propagation may give it further axes, and when: lower priorities first.
    is_open: bool = False
    priority: int = 0


_QUOTED = r'"(?:[^"\\]|\\.)*"'


def dims_of(text: str) -> list[tuple[list[str], str]]:
    """The axes of each dimension of "[{data}, {}, {a, b}:ceil]", major to minor, with what says how they cut it. A name that is no word is
    in quotes there, and without them here."""

    def plain(name: str) -> str:
        return re.sub(_QUOTED, lambda quoted: re.sub(r"\\(.)", r"\1", quoted[0][1:-1]), name.strip())

    dims = re.findall(rf"\{{((?:{_QUOTED}|[^{{}}\"])*)\}}((?::[^,\s\]]+(?:\[[^\]]*\])?)*)", text)
    return [([plain(name) for name in re.findall(rf'(?:{_QUOTED}|[^,"])+', names) if name.strip()], split) for names, split in dims]


def whole_dims_of(sharding: Union[str, "Sharding"], who: str) -> list[tuple[list[str], str]]:
    """dims_of() of what is a sharding by the rules of the library, and not partial. `who` has no words for what is partial."""
    text = str(sharding)
    dims = dims_of(text)
    if isinstance(sharding, Sharding):
        partial = [str(one.axis) for one in sharding.partials]
    elif isinstance(sharding, str):
        # No mesh is known: one of all names that are there, and an array of as many dimensions, let the library read it.
        partial = re.findall(rf"\+\s*({_QUOTED}|[\w.]+)", text[text.rfind("]") + 1 :])
        names = dict.fromkeys([*(axis for axes, _ in dims for axis in axes), *partial], 2)
        try:
            _core.tw_sharding_parse(Mesh({name: size for name, size in names.items() if re.fullmatch(r"[A-Za-z_]\w*", name)}), text, [1] * len(dims))
        except Error as error:
            if error.id in ("TW-312", "TW-316"):  # else it is about axes of a mesh that is not known here
                raise
    else:
        raise TypeError(f'expected a sharding as text, "[{{data}}, {{}}]", or a Sharding, not {type(sharding).__name__}')
    if partial:
        raise invalid(f"{who} has no sharding for values that are partial, over {', '.join(partial)}, in {text}")
    return dims


class Partial(NamedTuple):
    """An axis over which a value is partial: what its devices hold is still to be combined."""

    axis: AxisPart
    reduction: str = "sum"


Axis = Union[str, AxisPart]
Dim = Union[None, Axis, DimSharding, Sequence[Axis]]


def _dim(given: Dim) -> DimSharding:
    if isinstance(given, DimSharding):
        return given
    if given is None:
        return DimSharding()
    if isinstance(given, (str, AxisPart)):
        return DimSharding((axis_part(given),))
    return DimSharding(tuple(axis_part(axis) for axis in given))


def _dim_fields(given: Dim) -> dict[str, Any]:
    """A tw_dim_sharding_t."""
    dim = _dim(given)
    return {
        "axes": [part_fields(axis_part(axis)) for axis in dim.axes], "split": SPLITS.value(dim.split), "unit": dim.unit,
        "cuts": dim.cuts, "halo_before": dim.halo[0], "halo_after": dim.halo[1], "border": BORDERS.value(dim.border),
        "is_open": int(dim.is_open), "priority": dim.priority,
    }


def _dim_of(fields: Mapping[str, Any]) -> DimSharding:
    return DimSharding(
        tuple(AxisPart(**axis) for axis in fields["axes"]), SPLITS[fields["split"]], fields["unit"], fields["cuts"],
        (fields["halo_before"], fields["halo_after"]), BORDERS[fields["border"]], bool(fields["is_open"]), fields["priority"],
    )


@registered("tw_sharding_t")
class Sharding(Object):
    """One array of known shape over one mesh. It never changes. `dims` is text, "[{data}, {}]", or for each dimension the axis that
    tiles it, several of them, a DimSharding, or None: Sharding("data=2,model=4", (16, 256), ["data", None]). `partial` has the axes
    over which the values are still to be combined: {"model": "sum"}. str() is the text."""

    def __new__(
        cls, mesh: Union[Mesh, str], shape: Sequence[int], dims: Union[str, Sequence[Dim]], partial: Mapping[Axis, str] = {}
    ) -> "Sharding":
        mesh = Mesh(mesh) if isinstance(mesh, str) else mesh
        if isinstance(shape, str):
            raise TypeError(f"shape: expected the sizes of the array, not {shape!r}; the sharding comes behind them")
        if isinstance(dims, str):
            if partial:
                raise invalid(f"the text {dims!r} says what is partial: leave `partial` out")
            return _core.tw_sharding_parse(mesh, dims, shape)
        if len(dims) != len(shape):
            raise invalid(f"{len(dims)} dimensions are sharded, the array {list(shape)} has {len(shape)}")
        partials = [{"part": part_fields(axis_part(a)), "reduction": REDUCTIONS.value(by)} for a, by in partial.items()]
        return _core.tw_sharding_create(mesh, shape, [_dim_fields(dim) for dim in dims], partials)

    @property
    def mesh(self) -> Mesh:
        """The mesh, whose axes are cut where the sharding names parts of one."""
        return _core.tw_sharding_mesh(self)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the whole array."""
        return _core.tw_sharding_dims(self)

    @property
    def dims(self) -> tuple[DimSharding, ...]:
        return tuple(_dim_of(_core.tw_sharding_dim(self, d)) for d in range(len(self.shape)))

    @property
    def partials(self) -> tuple[Partial, ...]:
        found = [_core.tw_sharding_partial(self, i) for i in range(_core.tw_sharding_num_partials(self))]
        return tuple(Partial(AxisPart(**fields["part"]), REDUCTIONS[fields["reduction"]]) for fields in found)

    @property
    def is_whole(self) -> bool:
        """Whether every device holds all of the array, and nothing is partial."""
        return bool(_core.tw_sharding_is_whole(self))

    def num_tiles(self, dim: int) -> int:
        return _core.tw_sharding_num_tiles(self, numbered("dimension", dim, len(self.shape)))

    def tile(self, position: int) -> Tile:
        """What stands at a position of the mesh holds, halos included: a tile may begin below 0 and end behind the array."""
        rank = len(self.shape)
        offset, extent = _core.tw_sharding_tile(self, position, rank, rank)
        return Tile(tuple(offset), tuple(extent))

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tile of each position of the mesh."""
        return tuple(self.tile(position) for position in range(self.mesh.num_positions))

    @property
    def local_shape(self) -> tuple[int, ...]:
        """The largest tile in every dimension: the shape of memory that is large enough on every device."""
        return tuple(_core.tw_sharding_local_dims(self, len(self.shape)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sharding) and not self.closed and not other.closed and bool(_core.tw_sharding_equal(self, other))

    def __hash__(self) -> int:
        return hash((str(self), self.shape))

    @property
    def _whole_mesh(self) -> Mesh:
        """The mesh without the cuts into parts of axes that the text names."""
        sizes: dict[str, int] = {}
        for part, size in zip(self.mesh.parts, self.mesh.axes.values()):
            sizes[part.axis] = sizes.get(part.axis, 1) * size
        return Mesh(sizes).with_devices(self.mesh.device_ids)

    def __reduce__(self) -> Any:
        return Sharding, (self._whole_mesh, self.shape, str(self))

    def _text(self) -> str:
        return _core.tw_sharding_text(self)

    def _about(self) -> str:
        return f"{self} of {list(self.shape)} on {self.mesh}"

    def picture(
        self, name: str = "", dtype: Any = None, form: str = "svg", theme: str = "auto", scale: float = 0, bare: bool = False
    ) -> bytes:
        """A file that shows the tiles and who holds them: "svg", "png" or "text", for a reader whose screen is "light" or "dark".
        `bare`: without words around the tiles; `scale`: pixels of PNG for each of the picture's own."""
        element_type = "" if dtype is None else dtypes.NAMES[dtypes.code_of(dtype)]
        options = {"form": form, "theme": theme, "scale": scale, "bare": int(bare)}
        return _core.tw_sharding_picture(self, name, element_type, options)

    def svg(self, name: str = "", dtype: Any = None, theme: str = "page", bare: bool = False) -> str:
        """The picture as SVG for a page of HTML, or, with another theme than "page", for a file."""
        return self.picture(name, dtype, "svg", theme, bare=bare).decode()

    def _repr_html_(self) -> str:
        return self.svg()

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto")
