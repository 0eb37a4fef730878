# SPDX-License-Identifier: Apache-2.0
"""Tensors: dense row-major arrays in host memory, shared with NumPy, JAX, PyTorch and buffers without a copy."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Sequence

from . import _core
from . import _dtypes as dtypes
from ._object import Object, registered
from .errors import invalid

#: What buffers have no type for: ml_dtypes' types, whose elements go as unsigned integers of their size.
_CODE_TYPES = {1: "uint8", 2: "uint16"}


class Comparison(NamedTuple):
    """How two tensors compare. bool() says whether they are equal by the rule `judged_by`."""

    passes: bool
    bit_equal: bool
    max_abs: float
    max_rel: float
    #: Passing says little: most of the expectation is one value, or not finite.
    mistrusted: bool
    nonfinite: int
    #: "bits", "tolerance" or "double".
    judged_by: str
    tolerance: float
    from_double: float
    expected_from_double: float

    def __bool__(self) -> bool:
        return self.passes


def comparison(fields: dict[str, Any]) -> Comparison:
    rules = {
        _core.TW_JUDGED_BY_BITS: "bits", _core.TW_JUDGED_BY_TOLERANCE: "tolerance", _core.TW_JUDGED_BY_DOUBLE: "double",
    }
    known = {name: value for name, value in fields.items() if name in Comparison._fields}
    known["passes"] = bool(fields.get("passes", fields.get("pass")))
    known["judged_by"] = rules.get(fields["judged_by"], "unknown")
    for name in ("bit_equal", "mistrusted"):
        known[name] = bool(fields[name])
    return Comparison(**known)


@registered("tw_tensor_t")
class Tensor(_core.TensorHandle, Object):
    """An array. Tensor(shape, dtype) is zero-filled; tensor(x) shares the memory of x."""

    def __new__(cls, shape: Sequence[int], dtype: Any = "f32", context: Any = None) -> "Tensor":
        return _core.tw_tensor_create(context, dtypes.code_of(dtype), shape)

    @property
    def dtype(self) -> str:
        """MLIR's name of the element type, "f32"."""
        return _core.tw_dtype_name(_core.tw_tensor_dtype(self))

    @property
    def shape(self) -> tuple[int, ...]:
        return _core.tw_tensor_dims(self)

    @property
    def nbytes(self) -> int:
        return _core.tw_tensor_bytes(self)

    @property
    def address(self) -> int:
        """Where the elements lie."""
        return _core.tensor_address(self)

    def fill(self, pattern: str, seed: int = 0, stream: int = 0) -> "Tensor":
        """Fills with "zeros", "ones", "iota", "uniform(lo,hi)", "normal(mean,std)", "randint(lo,hi)" or "default"."""
        _core.tw_tensor_fill(self, pattern, seed, stream)
        return self

    def fill_part(self, whole: Sequence[int], offset: Sequence[int], pattern: str, seed: int = 0, stream: int = 0) -> "Tensor":
        """Fills with the part at `offset` of an array of shape `whole` that is filled so."""
        if len(whole) != len(self.shape) or len(offset) != len(self.shape):
            raise invalid(f"the tensor has {len(self.shape)} dimensions, `whole` {len(whole)} and `offset` {len(offset)}")
        _core.tw_tensor_fill_part(self, whole, offset, pattern, seed, stream)
        return self

    def compare(self, expected: Any, exact: bool = False) -> Comparison:
        """How this compares with what was expected."""
        return comparison(_core.tw_tensor_compare(self, tensor(expected), int(exact)))

    def bits(self) -> memoryview:
        """The elements as buffers have them, and those of types that buffers lack as unsigned integers."""
        return _core.tensor_bits(self)

    def numpy(self) -> Any:
        """A numpy array over the same memory. Types that NumPy lacks are ml_dtypes' where that is installed."""
        import numpy

        array = numpy.asarray(self.bits())
        wanted = dtypes.numpy_dtype(self.dtype)
        return array if array.dtype == wanted else array.view(wanted)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
        if stream is not None:
            raise invalid("a tensor in host memory has no stream")
        if dl_device is not None and tuple(dl_device) != (1, 0):
            raise BufferError(f"the tensor is in host memory, not on device {dl_device}")
        if copy:
            raise BufferError("this never copies")
        return _core.tensor_to_dlpack(self, max_version is not None and max_version[0] >= 1)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def tolist(self) -> Any:
        return self.bits().tolist() if self.dtype in _PLAIN else self.numpy().tolist()

    def _about(self) -> str:
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


_PLAIN = {"i1", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64", "f32", "f64"}


def _as_codes(array: Any) -> Any:
    """A numpy array of ml_dtypes' elements as unsigned integers, in the same memory."""
    name = _CODE_TYPES.get(array.dtype.itemsize)
    if name is None:
        raise invalid(f"there is no element type {array.dtype.name!r}")
    return array.view(name)


def tensor(x: Any, dtype: Any = None) -> Tensor:
    """A tensor over the memory of `x`: a Tensor, a numpy array, anything with the buffer protocol or __dlpack__. Nothing is copied.
    `dtype` says what the elements of unsigned integers stand for, where they are codes of narrow floats."""
    if isinstance(x, Tensor):
        return x
    code = dtypes.code_of(dtype) if dtype is not None else 0
    kind = getattr(getattr(x, "dtype", None), "kind", None) if hasattr(x, "__array_interface__") else None
    if kind == "V" or kind == "f" and x.dtype.char not in "efdg":  # ml_dtypes' elements in a numpy array
        return _core.tensor_from_buffer(_as_codes(x), code or dtypes.code_of(x.dtype))
    try:
        view = memoryview(x)
    except (TypeError, BufferError, ValueError):
        view = None
    if view is not None:
        return _core.tensor_from_buffer(x, code)
    if hasattr(x, "__dlpack__"):
        return _from_dlpack(x)
    raise TypeError(f"a {type(x).__name__} is no array: it has neither a buffer nor __dlpack__ (numpy.asarray makes one)")


def _from_dlpack(x: Any) -> Tensor:
    try:
        return _core.tensor_from_dlpack(x.__dlpack__(max_version=(1, 1)))
    except TypeError:  # who knows the unversioned struct only
        return _core.tensor_from_dlpack(x.__dlpack__())


def filled(shape: Sequence[int], dtype: Any = "f32", pattern: str = "default", seed: int = 0, stream: int = 0) -> Tensor:
    """A new tensor filled with a pattern; see Tensor.fill."""
    return Tensor(shape, dtype).fill(pattern, seed, stream)


def size_of(shape: Sequence[int], dtype: str) -> int:
    """Bytes of an array."""
    return math.prod(shape) * _core.tw_dtype_size(dtypes.code_of(dtype))
