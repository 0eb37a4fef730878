# SPDX-License-Identifier: Apache-2.0
"""Custom calls: Python code for calls that a program names but does not hold."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

from . import _core
from . import _dtypes as dtypes
from ._object import Object, registered
from .errors import invalid


class Tile:
    """The part of an operand or result that a device holds. numpy.asarray(tile) shows its memory: a copy of an operand, and zeros
    for a result, which is copied back when the kernel returns. So a kernel may keep what it saw."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.dtype: str = dtypes.NAMES[fields["dtype"]]
        #: Sizes of the whole array, where the part begins in it, and its sizes.
        self.whole: tuple[int, ...] = fields.get("whole", fields.get("global", ()))
        self.offset: tuple[int, ...] = fields["offset"]
        self.extent: tuple[int, ...] = fields["extent"]
        #: The elements; None where none are looked at, as in rules and checks.
        self.memory: Optional[memoryview] = fields.get("memory")

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        if self.memory is None:
            raise invalid("this tile has no elements to look at: kernels have them")
        array = numpy.asarray(self.memory)
        wanted = dtypes.numpy_dtype(self.dtype)
        return array if array.dtype == wanted else array.view(wanted)


class Call:
    """One call, for the time of the callback."""

    def __init__(self, fields: dict[str, Any]) -> None:
        from .graph import attribute_value

        self.target: str = fields["target"]
        self.operands = [Tile(tile) for tile in fields["operands"]]
        self.results = [Tile(tile) for tile in fields["results"]]
        self.attributes: dict[str, Any] = {a["name"]: attribute_value(a) for a in fields["attrs"]}


Callback = Callable[[Call], Any]


def _host(function: Optional[Callback]) -> Optional[Callable[[dict[str, Any]], Any]]:
    """The function as the core calls it."""
    if function is None:
        return None
    if not callable(function):
        raise TypeError(f"expected a function of a call, not {type(function).__name__}")
    called = function
    return lambda fields: called(Call(fields))


@registered("tw_custom_calls_t")
class CustomCalls(Object):
    """What the host knows of custom_calls, by target. Graphs keep what was there when they were made."""

    def __new__(cls) -> "CustomCalls":
        return _core.tw_custom_calls_create()

    def add(
        self, target: str, rule: Union[str, Callback, None] = None, kernel: Optional[Callback] = None,
        check: Optional[Callback] = None,
    ) -> "CustomCalls":
        """Adds a target. `rule` says which dimensions go together, "b s h, h -> b s h", or is asked for each call; `check` raises
        where operands and attributes do not fit; `kernel` writes call.results[i] of one device from call.operands.
        Callbacks run in any thread, one at a time."""
        text = rule if isinstance(rule, str) else None
        asked = _host(rule) if rule is not None and not isinstance(rule, str) else None
        _core.custom_calls_add(self, target, text, asked, _host(check), _host(kernel))  # tw_custom_calls_add
        return self
