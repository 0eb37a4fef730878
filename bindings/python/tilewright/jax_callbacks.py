# SPDX-License-Identifier: Apache-2.0
"""Foreign functions and callbacks into Python for programs of JAX on the PJRT plug-in: `jax.ffi.register_ffi_target(name, fn,
platform="tilewright")`, `jax.pure_callback`, `jax.experimental.io_callback` and `jax.debug.print`. A callback is a foreign function too: one
handler for all of them, which finds the Python function by a number that the program carries. See `xla/ffi/api/c_api.h` for the structs."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import itertools
import os
import traceback
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_TARGET = "tilewright_python_callback"
_FFI_EXTENSION = 5
_INTERNAL = 13

#: The functions of programs that are alive: JAX's executables hold them.
_functions: weakref.WeakValueDictionary[int, _Function] = weakref.WeakValueDictionary()
_numbers = itertools.count(1)


class _Header(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("extensions", ctypes.c_void_p)]


class _Extension(ctypes.Structure):
    pass


_Extension._fields_ = [("struct_size", ctypes.c_size_t), ("type", ctypes.c_int32), ("next", ctypes.POINTER(_Extension))]


class _Buffer(_Header):
    _fields_ = [("type", ctypes.c_int32), ("data", ctypes.c_void_p), ("rank", ctypes.c_int64), ("dims", ctypes.POINTER(ctypes.c_int64))]


class _Buffers(_Header):
    _fields_ = [("size", ctypes.c_int64), ("kinds", ctypes.c_void_p), ("buffers", ctypes.POINTER(ctypes.POINTER(_Buffer)))]


class _Scalar(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("value", ctypes.POINTER(ctypes.c_uint64))]


class _Attributes(_Header):
    _fields_ = [("size", ctypes.c_int64), ("kinds", ctypes.c_void_p), ("names", ctypes.c_void_p), ("values", ctypes.POINTER(ctypes.POINTER(_Scalar)))]


class _ErrorCreate(_Header):
    _fields_ = [("message", ctypes.c_char_p), ("code", ctypes.c_int32)]


class _Api(_Header):
    _fields_ = [
        ("version", _Header),
        ("version_numbers", ctypes.c_int * 2),
        ("internal", ctypes.c_void_p),
        ("error_create", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_ErrorCreate))),
    ]


class _Call(_Header):
    _fields_ = [
        ("api", ctypes.POINTER(_Api)),
        ("context", ctypes.c_void_p),
        ("stage", ctypes.c_int32),
        ("operands", _Buffers),
        ("results", _Buffers),
        ("attributes", _Attributes),
    ]


class _Metadata(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("version", _Header), ("version_numbers", ctypes.c_int * 2)]


class _MetadataExtension(ctypes.Structure):
    _fields_ = [("base", _Extension), ("metadata", ctypes.POINTER(_Metadata))]


class _Register(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_size_t),
        ("target", ctypes.c_char_p),
        ("target_size", ctypes.c_size_t),
        ("handler", ctypes.c_void_p),
        ("platform", ctypes.c_char_p),
        ("platform_size", ctypes.c_size_t),
        ("traits", ctypes.c_int32),
    ]


class _FfiTable(ctypes.Structure):
    _fields_ = [
        ("base", _Extension),
        ("type_register", ctypes.c_void_p),
        ("user_data_add", ctypes.c_void_p),
        ("handler_register", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Register))),
    ]


class _ErrorMessage(_Header):
    _fields_ = [("error", ctypes.c_void_p), ("text", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class _PjrtApi(_Header):
    _fields_ = [
        ("version", _Header),
        ("version_numbers", ctypes.c_int * 2),
        ("error_destroy", ctypes.CFUNCTYPE(None, ctypes.POINTER(_ErrorMessage))),
        ("error_message", ctypes.CFUNCTYPE(None, ctypes.POINTER(_ErrorMessage))),
    ]


#: XLA's numbers of element types, but for a token's.
_DTYPES = {1: "bool", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "uint8", 7: "uint16", 8: "uint32", 9: "uint64", 10: "float16",
           11: "float32", 12: "float64", 15: "complex64", 16: "bfloat16", 18: "complex128", 19: "float8_e5m2", 20: "float8_e4m3fn",
           21: "int4", 22: "uint4", 23: "float8_e4m3b11fnuz", 24: "float8_e5m2fnuz", 25: "float8_e4m3fnuz", 26: "int2", 27: "uint2",
           28: "float8_e4m3", 29: "float8_e3m4", 32: "float4_e2m1fn", 33: "float8_e8m0fnu"}  # fmt: skip


@functools.cache
def _dtype(number: int) -> np.dtype[Any] | None:
    """None: a token."""
    import ml_dtypes

    name = _DTYPES.get(number)
    return None if name is None else np.dtype(getattr(ml_dtypes, name, None) or name)


def _arrays(buffers: _Buffers) -> list[npt.NDArray[Any] | None]:
    """The arrays as they lie in the run's memory; None for a token."""
    arrays: list[npt.NDArray[Any] | None] = []
    for i in range(buffers.size):
        buffer = buffers.buffers[i].contents
        dims = tuple(buffer.dims[d] for d in range(buffer.rank))
        dtype = _dtype(buffer.type)
        if dtype is None:
            arrays.append(None)
            continue
        size = int(np.prod(dims, dtype=np.int64)) * dtype.itemsize
        memory: Any = (ctypes.c_char * size).from_address(buffer.data) if size else b""
        arrays.append(np.frombuffer(memory, dtype=dtype).reshape(dims))
    return arrays


def _call_back(given: Any) -> int | None:
    """Calls the function that a program names by its number. What it raises ends the run."""
    call = given.contents
    if call.extensions:  # the plug-in asks what this is made for
        metadata = ctypes.cast(call.extensions, ctypes.POINTER(_MetadataExtension)).contents.metadata.contents
        metadata.version_numbers[0], metadata.version_numbers[1] = 0, 3
        return None
    try:
        number = call.attributes.values[0].contents.value[0]
        function = _functions.get(number)
        if function is None:
            raise RuntimeError("the program calls a Python function of another process, or of one that was deleted")
        # The function may keep what it gets, and the run's memory is used again.
        made = function(*(None if array is None else array.copy() for array in _arrays(call.operands)))
        for array, value in zip(_arrays(call.results), made, strict=True):
            if array is not None:
                array[...] = value
    except BaseException as error:  # noqa: BLE001 - it must not go through the library
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = f"a Python function failed: {type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno}, in {place.name})"
        made_of = _ErrorCreate(ctypes.sizeof(_ErrorCreate), None, message.encode(), _INTERNAL)
        return call.api.contents.error_create(ctypes.byref(made_of))
    return None


#: For the plug-in, which keeps it as long as the process lives.
_handler = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Call))(_call_back)


class _Function:
    """A callback with the types that its program gives it."""

    def __init__(self, function: Callable[..., Any], result_avals: Sequence[Any], has_token: bool) -> None:
        self.number = next(_numbers)
        self._function, self._result_avals, self._has_token = function, result_avals, has_token
        _functions[self.number] = self

    def __call__(self, *arrays: npt.NDArray[Any] | None) -> list[npt.NDArray[Any] | None]:
        from jax._src import dtypes

        values = self._function(*(arrays[1:] if self._has_token else arrays))
        if len(values) != len(self._result_avals):
            raise RuntimeError(f"Mismatched number of outputs from callback. Expected: {len(self._result_avals)}, Actual: {len(values)}")
        made: list[Any] = [dtypes.canonicalize_value(np.asarray(value)) for value in values]
        for i, (value, aval) in enumerate(zip(made, self._result_avals, strict=True)):
            if value.shape != aval.shape:
                raise RuntimeError(f"Incorrect output shape for return value #{i}: Expected: {aval.shape}, Actual: {value.shape}")
            if value.dtype != aval.dtype:
                raise RuntimeError(f"Incorrect output dtype for return value #{i}: Expected: {aval.dtype}, Actual: {value.dtype}")
        return [None, *made] if self._has_token else made


def _is_of_one_device(sharding: Any) -> bool:
    """Whether JAX asks for one call of the whole program, by Shardy's sharding or by XLA's own."""
    if hasattr(sharding, "shardings"):
        return any(each.logical_device_ids for each in sharding.shardings)
    return str(getattr(sharding, "type", "")).endswith("MAXIMAL")


def _emit(plugins: dict[str, str], original: Callable[..., Any], ctx: Any, callback: Callable[..., Any], token: Any, operands: Sequence[Any],
          operand_avals: Sequence[Any], result_avals: Sequence[Any], *, has_side_effect: bool, returns_token: bool = True, partitioned: bool = False,
          sharding: Any = None) -> tuple[Sequence[Any], Any, Any]:  # fmt: skip
    """JAX's emit_python_callback, which refuses platforms that it does not know."""
    platforms = ctx.module_context.platforms
    if len(platforms) != 1 or platforms[0] not in plugins:
        return original(ctx, callback, token, operands, operand_avals, result_avals, has_side_effect=has_side_effect,
                        returns_token=returns_token, partitioned=partitioned, sharding=sharding)  # fmt: skip
    from jax._src import core, ffi
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir

    if partitioned and result_avals:
        raise ValueError("Partitioned callback not supported with return values.")
    _register_handler(plugins[platforms[0]], platforms[0])
    function = _Function(callback, result_avals, token is not None)
    ctx.module_context.add_keepalive(function)
    ctx.module_context.add_host_callback(function)
    if token is not None:
        operands = [token, *operands]
        ctx = dataclasses.replace(
            ctx, avals_in=[core.abstract_token, *ctx.avals_in], avals_out=[core.abstract_token, *ctx.avals_out]
        )
        sharding = None  # of arrays: effects are ordered on one device, or in the code of each
    lowered = ffi.build_ffi_lowering_function(_TARGET, has_side_effect=has_side_effect)
    op = lowered(ctx, *operands, function=np.uint64(function.number))
    if partitioned and token is None:
        op.operation.attributes["tw.of_parts"] = ir.UnitAttr.get()
    elif sharding is not None:
        mlir.set_sharding(ctx.module_context, op, sharding)
        if _is_of_one_device(sharding):
            op.operation.attributes["tw.once"] = ir.UnitAttr.get()
    results = list(op.results)
    if token is not None:
        token, *results = results
    return results, token, function


def _register(path: str, target: str, handler: int, platform: str) -> None:
    """Tells the plug-in of a handler, through the extension of its table."""
    get_api = ctypes.CDLL(path).GetPjrtApi
    get_api.restype = ctypes.POINTER(_PjrtApi)
    api = get_api().contents
    extension = ctypes.cast(api.extensions, ctypes.POINTER(_Extension))
    while extension and extension.contents.type != _FFI_EXTENSION:
        extension = extension.contents.next
    table = ctypes.cast(extension, ctypes.POINTER(_FfiTable)).contents
    name, where = target.encode(), platform.encode()
    args = _Register(ctypes.sizeof(_Register), name, len(name), handler, where, len(where), 0)
    error = table.handler_register(ctypes.byref(args))
    if error:
        about = _ErrorMessage(ctypes.sizeof(_ErrorMessage), None, error)
        api.error_message(ctypes.byref(about))
        text = ctypes.string_at(about.text, about.size).decode()
        api.error_destroy(ctypes.byref(about))
        raise RuntimeError(text)


@functools.cache
def _register_handler(path: str, platform: str) -> None:
    """The plug-in is opened for it, so with the first callback and not with JAX."""
    _register(path, _TARGET, ctypes.cast(_handler, ctypes.c_void_p).value or 0, platform)


def _pointer(capsule: Any) -> int:
    get_name, get_pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(get_pointer(capsule, get_name(capsule)))


def lower_as_cpu(module: Any, platform: str) -> None:
    """A platform takes JAX's lowerings for CPUs of the primitives of a module."""
    from jax._src import core, xla_bridge
    from jax._src.interpreters import mlir

    if platform == "cpu" or not xla_bridge.is_known_platform(platform):
        return
    of_cpu = getattr(mlir, "_platform_specific_lowerings", {}).get("cpu", {})
    for primitive in vars(module).values():
        if isinstance(primitive, core.Primitive) and primitive in of_cpu:
            mlir.register_lowering(primitive, of_cpu[primitive].rule, platform=platform)


def install(path: str, platform: str) -> None:
    """Gives a platform, which the plug-in at `path` stands for, foreign functions and callbacks."""
    from jax._src import callback, debugging
    from jaxlib import xla_client

    def register(name: Any, function: Any, where: str, api_version: int = 1, traits: int = 0) -> None:
        target = name.decode() if isinstance(name, bytes) else name
        stages = function if isinstance(function, dict) else {"execute": function}
        if api_version != 1 or set(stages) != {"execute"}:
            raise NotImplementedError(f"{target} on {where}: foreign functions of the typed interface, with the stage execute alone, can be registered")
        _register(path, target, _pointer(stages["execute"]), where)

    if platform not in ("cpu", "gpu", "tpu"):  # for which jaxlib registers its own
        xla_client.register_custom_call_handler(platform, register)
    emit = callback.emit_python_callback
    if getattr(emit, "func", None) is not _emit:
        emit = functools.partial(_emit, {}, emit)
        callback.emit_python_callback = emit
    emit.args[0][platform] = path
    lower_as_cpu(debugging, platform)
