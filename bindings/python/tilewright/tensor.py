# SPDX-License-Identifier: Apache-2.0
"""Tensors: arrays of the host, dense and row-major, and of devices, shared with NumPy, JAX, PyTorch and buffers without a copy."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Optional, Sequence

from . import _core
from . import _dtypes as dtypes
from ._object import Object, registered
from .device import DL_DEVICES, DL_KINDS, Stream, consumer_stream, parse_device
from .errors import Error, invalid

#: What buffers have no type for: ml_dtypes' types, whose elements go as unsigned integers of their size.
_CODE_TYPES = {1: "uint8", 2: "uint16"}


class Comparison(NamedTuple):
    """How two tensors compare. bool() says whether they are equal by the rule `judged_by`."""

    passes: bool
    bit_equal: bool
    max_abs: float
    max_rel: float
    #: Passing says little: most of the expectation is one value, or not finite, or it equals an argument.
    mistrusted: bool
    nonfinite: int
    #: "bits", "tolerance" or "double".
    judged_by: str
    tolerance: float
    from_double: float
    expected_from_double: float
    #: The first argument that the expectation equals within its tolerance; -1: none.
    equal_argument: int = -1

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
    """An array. Tensor(shape, dtype) is zero-filled; tensor(x) shares the memory of x. On a device, as in
    Tensor(shape, dtype, device="cuda:0"), it holds anything at first."""

    def __new__(cls, shape: Sequence[int], dtype: Any = "f32", context: Any = None, device: Any = None) -> "Tensor":
        if device is not None and parse_device(device) != ("host", 0):
            return _core.tw_tensor_create_on(*parse_device(device), dtypes.code_of(dtype), shape)
        return _core.tw_tensor_create(context, dtypes.code_of(dtype), shape)

    @property
    def device(self) -> str:
        """Where it lies: "host", "cuda:1"."""
        kind, number = _core.tw_tensor_device(self)
        return kind if kind == "host" else f"{kind}:{number}"

    @property
    def strides(self) -> Optional[tuple[int, ...]]:
        """Elements from one index to the next, of each dimension; None: dense and row-major."""
        return _core.tw_tensor_strides(self) or None

    def copy_from(self, source: Any, stream: Optional[Stream] = None) -> "Tensor":
        """Takes the elements of another array, on whatever device. With a stream it is a command there."""
        _core.tw_tensor_copy(self, tensor(source), stream)
        return self

    def to(self, device: Any = "host", stream: Optional[Stream] = None) -> "Tensor":
        """A dense copy on a device, or on the host."""
        return Tensor(self.shape, self.dtype, device=device).copy_from(self, stream)

    def written(self, stream: Stream) -> "Tensor":
        """What the stream was given so far makes the elements: whoever uses the tensor from now on waits for that."""
        _core.tw_tensor_written(self, stream)
        return self

    def wait(self, stream: Optional[Stream] = None) -> "Tensor":
        """What the stream is given from now on finds the elements; None: the host waits for them."""
        _core.tw_tensor_await(self, stream)
        return self

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
        """Where the elements lie, on whatever device."""
        return _core.tw_tensor_address(self) or 0

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
        self._check_host()
        return _core.tensor_bits(self)

    def _check_host(self) -> None:
        if _core.tw_tensor_device(self)[0] != "host":
            raise BufferError(f"the tensor lies on {self.device}: to(\"host\") makes a copy on the host")
        _core.tw_tensor_await(self, None)

    def numpy(self) -> Any:
        """A numpy array over the same memory. Types that NumPy lacks are ml_dtypes' where that is installed."""
        import numpy

        self._check_host()
        array = numpy.asarray(self.bits())
        wanted = dtypes.numpy_dtype(self.dtype)
        return array if array.dtype == wanted else array.view(wanted)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
        kind, number = _core.tw_tensor_device(self)
        versioned = max_version is not None and max_version[0] >= 1
        if kind == "host" and stream is not None:
            raise invalid("a tensor in host memory has no stream")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            if DL_KINDS.get(dl_device[0]) != "host" or copy is False or stream is not None:
                raise BufferError(f"the tensor lies on {self.device}, not on device {dl_device}")
            return self.to("host").__dlpack__(max_version=max_version)
        if copy:
            return self.to((kind, number)).__dlpack__(stream=stream, max_version=max_version)
        if kind == "cuda":
            consumer = consumer_stream(number, stream)
            if consumer is not None:
                self.wait(consumer)
        elif stream is None:
            self.wait()
        return _core.tensor_to_dlpack(self, versioned)

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, number = _core.tw_tensor_device(self)
        return (DL_DEVICES[kind], number)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a scalar has no length")
        return self.shape[0]

    def item(self) -> Any:
        """The element of a tensor that has one, such as a loss, as a number of Python. float() and int() give it too."""
        count = math.prod(self.shape)
        if count != 1:
            raise invalid(f"{self._about()} has {count} elements, and one can be a number: numpy() and tolist() give all")
        value = self.tolist()
        while isinstance(value, list):
            value = value[0]
        return value

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def tolist(self) -> Any:
        """The elements as numbers of Python, in lists within lists; of a scalar the number."""
        if self.dtype in _PLAIN:
            return self.bits().tolist()
        return _nested(_decoded(self.dtype, self.bits().tobytes()), self.shape)

    def _about(self) -> str:
        about = f"{self.dtype}[{','.join(map(str, self.shape))}]"
        shown = self.device == "host" and self.dtype[0] != "!" and 0 < math.prod(self.shape) <= _MOST_SHOWN
        return f"{about}: {self.tolist()}" if shown else about


_MOST_SHOWN = 8  # elements that repr() has
_PLAIN = {"i1", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64", "f32", "f64"}


def _decoded(dtype: str, memory: bytes) -> list[Any]:
    """Elements of types that buffers have no numbers for, one behind the other."""
    if dtype in ("complex<f32>", "complex<f64>"):
        parts = memoryview(memory).cast("f" if dtype == "complex<f32>" else "d")
        return [complex(parts[i], parts[i + 1]) for i in range(0, len(parts), 2)]
    code = dtypes.code_of(dtype)
    size = _core.tw_dtype_size(code)
    elements = [memory[at : at + size] for at in range(0, len(memory), size)] if size else []
    number = float if dtype[0] in "fb" else int
    known = {element: number(_core.tw_dtype_decode(code, element)[0]) for element in set(elements)}
    return [known[element] for element in elements]


def _nested(flat: list[Any], shape: Sequence[int]) -> Any:
    """A flat list in lists within lists."""
    if not shape:
        return flat[0]
    step = len(flat) // shape[0] if shape[0] else 0
    return [_nested(flat[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]


def _as_codes(array: Any) -> Any:
    """A numpy array of ml_dtypes' elements as unsigned integers, in the same memory."""
    name = _CODE_TYPES.get(array.dtype.itemsize)
    if name is None:
        raise invalid(f"there is no element type {array.dtype.name!r}")
    return array.view(name)


def tensor(x: Any, dtype: Any = None) -> Tensor:
    """A tensor over the memory of `x`: a Tensor, a numpy array, anything with the buffer protocol or __dlpack__. Nothing is copied, but
    of an array that JAX has in pieces on several devices, and of what has no memory of its own to show but __array__. `dtype` says what the elements of unsigned integers stand for, where they are codes of narrow floats."""
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
    if str(getattr(x, "dtype", "")).startswith("key<"):
        raise TypeError("an array of random keys has no elements of its own: give jax.random.key_data of it")
    if hasattr(x, "__dlpack__"):
        try:
            return _from_dlpack(x)
        except BufferError:
            if not hasattr(x, "__array__"):
                raise
    if hasattr(x, "__array__"):
        import numpy

        return tensor(numpy.ascontiguousarray(x), dtype)
    if isinstance(x, (dict, list, tuple)):
        raise TypeError(f"a {type(x).__name__} is no array: jax.tree.leaves gives those of a tree, numpy.asarray makes one of numbers")
    raise TypeError(f"a {type(x).__name__} is no array: it has neither a buffer nor __dlpack__ (numpy.asarray makes one)")


def tensors(given: Sequence[Any], what: str, names: Sequence[str] = ()) -> list[Tensor]:
    """tensor() of each. What is no array is called by `what` and its name: "input 1 (w1)"."""
    made: list[Tensor] = []
    for x in given:
        try:
            made.append(x if type(x) is Tensor else tensor(x))
        except (Error, TypeError, BufferError) as error:
            i = len(made)
            name = f" ({names[i]})" if len(names) == len(given) else ""
            hint = ""
            if len(given) == 1 < len(names) and isinstance(x, (list, tuple, dict)):
                hint = f"; the {len(names)} arrays {', '.join(names[:4])}{', ..' if len(names) > 4 else ''} come one by one, as in run(*arrays)"
            error.args = (f"{what} {i}{name}: {error.args[0]}{hint}",)
            raise
    return made


def _from_dlpack(x: Any) -> Tensor:
    kind, number = (1, 0) if not hasattr(x, "__dlpack_device__") else x.__dlpack_device__()
    if DL_KINDS.get(kind) != "cuda":
        return _core.tensor_from_dlpack(_capsule(x))
    # The producer makes a queue of ours wait, and whoever uses the tensor waits for that.
    stream = Stream(("cuda", number))
    made = _core.tensor_from_dlpack(_capsule(x, stream=stream.native))
    return made.written(stream)


def _capsule(x: Any, **how: Any) -> Any:
    try:
        return x.__dlpack__(max_version=(1, 1), **how)
    except TypeError:  # who knows the unversioned struct only
        return x.__dlpack__(**how)


def filled(shape: Sequence[int], dtype: Any = "f32", pattern: str = "default", seed: int = 0, stream: int = 0) -> Tensor:
    """A new tensor filled with a pattern; see Tensor.fill."""
    return Tensor(shape, dtype).fill(pattern, seed, stream)


def size_of(shape: Sequence[int], dtype: str) -> int:
    """Bytes of an array."""
    return math.prod(shape) * _core.tw_dtype_size(dtypes.code_of(dtype))
