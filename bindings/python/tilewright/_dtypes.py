# SPDX-License-Identifier: Apache-2.0
"""Element types: MLIR's spelling, "f32", stands for each. NumPy's and ml_dtypes' names and objects are understood too."""

from __future__ import annotations

import difflib
from typing import Any

from . import _core
from .errors import invalid


def _names() -> dict[str, int]:
    named = {}
    for code in range(1, 256):
        name = _core.tw_dtype_name(code)
        if name == "invalid":
            break
        named[name] = code
    return named


CODES = _names()
NAMES = {code: name for name, code in CODES.items()}

#: MLIR's name of NumPy's and ml_dtypes' types.
_NUMPY = {
    "bool": "i1", "complex64": "complex<f32>", "complex128": "complex<f64>", "bfloat16": "bf16",
    **{f"float{bits}": f"f{bits}" for bits in (16, 32, 64)},
    **{f"int{bits}": f"i{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{f"uint{bits}": f"ui{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{"float" + name[1:].lower().replace("e", "_e", 1): name for name in CODES if name[:3] in ("f4E", "f6E", "f8E")},
}
_TO_NUMPY = {name: numpy for numpy, name in _NUMPY.items()}


def code_of(dtype: Any) -> int:
    """The library's number of an element type given as "f32", "float32", numpy.float32 or a dtype."""
    named = getattr(dtype, "name", None) or getattr(dtype, "__name__", None)
    name = dtype if isinstance(dtype, str) else str(named or dtype)
    name = _NUMPY.get(name, name)
    if name not in CODES:
        near = ", ".join(map(repr, difflib.get_close_matches(name, [*CODES, *_NUMPY])))
        raise invalid(f"there is no element type {name!r}; {f'nearest: {near}; ' if near else ''}there are: {', '.join(CODES)}")
    return CODES[name]


def numpy_dtype(name: str) -> Any:
    """NumPy's type for "f32"; ml_dtypes has those that NumPy lacks."""
    import numpy

    known = _TO_NUMPY.get(name, name)
    try:
        return numpy.dtype(known)
    except TypeError:
        pass
    try:
        import ml_dtypes
    except ImportError as error:
        raise ImportError(f"numpy has no elements of type {name}: install ml_dtypes, or use bits()") from error
    return numpy.dtype(getattr(ml_dtypes, known))
