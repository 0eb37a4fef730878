# SPDX-License-Identifier: Apache-2.0
"""Arrays on disk: sets of them in files of several formats, read by boxes and written in other layouts."""

from __future__ import annotations

import fnmatch
import json
import os
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core
from . import _dtypes as dtypes
from ._object import Object, given, registered
from .errors import invalid
from .mesh import Mesh
from .redistribute import Redistribution
from .sharding import Sharding
from .tensor import Tensor, tensor

Path = Union[str, "os.PathLike[str]"]


class Part(NamedTuple):
    """A box of an array in one file."""

    offset: tuple[int, ...]
    extent: tuple[int, ...]
    #: Bytes from an element to the next in the file.
    strides: tuple[int, ...]
    file: str
    #: Byte of its first element.
    at: int
    #: Whether elements have the other byte order than this machine's.
    swapped: bool


@registered("tw_store_t")
class Store(Object):
    """A set of arrays on disk: a file or a folder of safetensors, .npz, .npy, a distributed checkpoint of PyTorch, or zarr arrays
    as Orbax writes them. Nothing of the elements is read before it is asked for. `rename` gives other names, a line each: "FROM
    TO", where each * of FROM stands for any characters, and TO "-" leaves arrays out."""

    def __new__(cls, path: Path, format: Optional[str] = None, rename: Optional[str] = None) -> "Store":
        return _core.tw_store_open(os.fspath(path), given(format=format, rename=rename))

    @property
    def format(self) -> str:
        return _core.tw_store_format(self)

    @property
    def names(self) -> list[str]:
        return [_core.tw_store_array_name(self, i) for i in range(len(self))]

    def __len__(self) -> int:
        return _core.tw_store_num_arrays(self)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Tensor:
        """All of an array."""
        return self.read(name)

    def _index(self, name: str) -> int:
        names = self.names
        if name not in names:
            raise KeyError(name)
        return names.index(name)

    def problem(self, name: str) -> str:
        """Why an array is not read, such as that it holds text; "" where it is."""
        return _core.tw_store_array_problem(self, self._index(name))

    def foreign(self, name: str) -> str:
        """The type of elements that is not read, "<U5"; "" where it is."""
        return _core.tw_store_array_foreign(self, self._index(name))

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(_core.tw_store_array_dims(self, self._index(name)))

    def dtype(self, name: str) -> str:
        return _core.tw_dtype_name(_core.tw_store_array_dtype(self, self._index(name)))

    def parts(self, name: str) -> list[Part]:
        """Which box of an array lies where. Equal boxes are copies of each other."""
        index = self._index(name)
        found = [_core.tw_store_part(self, index, i) for i in range(_core.tw_store_num_parts(self, index))]
        return [
            Part(tuple(p["offset"]), tuple(p["extent"]), tuple(p["strides"]), p["file"], p["at"], bool(p["swapped"])) for p in found
        ]

    def read(self, name: str, offset: Optional[Sequence[int]] = None, shape: Optional[Sequence[int]] = None) -> Tensor:
        """A box of an array, with the bits that it has on disk; nothing else of the files is read. `offset` None: from the first element
        on; `shape` None: up to the last."""
        index, whole = self._index(name), self.shape(name)
        begin = tuple(offset) if offset is not None else (0,) * len(whole)
        extent = tuple(shape) if shape is not None else tuple(max(0, n - o) for n, o in zip(whole, begin))
        if len(begin) != len(whole) or len(extent) != len(whole):
            raise invalid(f"array '{name}' has {len(whole)} dimensions, the box {len(begin)} and {len(extent)}")
        code = _core.tw_store_array_dtype(self, index)
        made = Tensor(extent if code else (), _core.tw_dtype_name(code) if code else "f32")
        _core.tw_store_read_tensor(self, index, begin, made)
        return made

    def read_missing(self, name: str, plan: Redistribution, device: int, tile: Any) -> int:
        """What a redistribution with lost devices leaves open in the target tile of a device (Redistribution.missing), into `tile`, which
        is all of that tile. Answers how many bytes that were."""
        return _core.tw_store_read_missing(self, self._index(name), plan, device, tensor(tile))

    @property
    def bytes_read(self) -> int:
        return _core.tw_store_bytes_read(self)

    def reshard(
        self, path: Path, mesh: Union[None, str, Mesh] = None, shardings: Optional[Mapping[str, Any]] = None, format: Optional[str] = None,
        memory_bytes: int = 0, dtype: Any = None, dry_run: bool = False, verify: bool = False,
    ) -> dict[str, Any]:
        """Writes all arrays to `path`: whole ones without a mesh, else a file for each device. `shardings` says how, by names or patterns
        of names: a Sharding, or what Sharding() takes for the dimensions, "[{data}, {}]"; the last that fits an array counts, and others
        are whole on every device. What was stopped goes on with the next call. Answers with what was read and written."""
        over = Mesh(mesh) if isinstance(mesh, str) else mesh
        layouts: list[Sharding] = []
        if over is None and shardings:
            raise invalid("shardings are given, and no mesh")
        if over is not None:
            for name in self.names:
                how: Any = None
                for pattern, value in (shardings or {}).items():
                    if fnmatch.fnmatchcase(name, pattern):
                        how = value
                shape = self.shape(name)
                layouts.append(how if isinstance(how, Sharding) else Sharding(over, shape, how if how is not None else [None] * len(shape)))
        for pattern in shardings or {}:
            if not any(fnmatch.fnmatchcase(name, pattern) for name in self.names):
                raise invalid(f"no array is called '{pattern}'")
        options = given(
            format=format, memory_bytes=memory_bytes, dtype=None if dtype is None else dtypes.code_of(dtype), dry_run=dry_run, verify=verify,
        )
        return json.loads(_core.tw_store_reshard(self, os.fspath(path), over, layouts, options))

    def _about(self) -> str:
        return f"{len(self)} arrays of {self.format}"


def save(path: Path, arrays: Mapping[str, Any], format: Optional[str] = None) -> None:
    """Writes arrays to "NAME.npz", "NAME.safetensors" or "NAME.npy"; another name is a folder of safetensors."""
    _core.tw_store_write(os.fspath(path), format, (list(arrays), [tensor(array) for array in arrays.values()]))
