# SPDX-License-Identifier: Apache-2.0
"""Progress of long calls: planning, lowering, making executables, reports, searches. Ctrl-C ends them anyway, in the main thread."""

from __future__ import annotations

from typing import Any, Callable, Optional

from . import _core


class progress:
    """with tilewright.progress(callback): long calls in this block, of this thread, call callback(seconds) now and then, every
    `interval` seconds. Where it answers true the call is given up: it raises Cancelled and has changed nothing. Plan.search() then
    returns the best so far."""

    def __init__(self, callback: Callable[[float], Any], interval: float = 0.05) -> None:
        if not callable(callback):
            raise TypeError(f"expected a function of seconds, not {type(callback).__name__}")
        self._now: tuple[Optional[Callable[[float], Any]], float] = (callback, float(interval))

    def __enter__(self) -> "progress":
        self._before = _core.set_progress(*self._now)
        return self

    def __exit__(self, *exception: object) -> None:
        _core.set_progress(*self._before)
