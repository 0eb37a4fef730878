# SPDX-License-Identifier: Apache-2.0
"""Failures of the library as exceptions. Each class also has the built-in base that its kind of mistake has in Python."""

from __future__ import annotations

import re
from typing import Sequence, Type

from . import _core


class Error(Exception):
    """A failure of a call. str() is the position, the text and the id, then the notes, one a line."""

    status: int = 0
    #: A stable id, "TW-104"; "" where there is none. `tilewright.diagnostics()` lists them.
    id: str = ""
    #: Where in the caller's text: "" and 0 where it is about no text. Lines and columns count from 1.
    file: str = ""
    line: int = 0
    column: int = 0
    #: The source line with a caret, nearest names, causes from the outermost to the innermost.
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is wrong, in one line."""
        return str(self.args[0]) if self.args else ""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        head = (f"{place}: " if place else "") + self.text + (f" [{self.id}]" if self.id else "")
        return "\n".join([head, *self.notes])


class InvalidArgument(Error, ValueError):
    """The input is wrong: fix it."""


class NotFound(Error, LookupError):
    """A name that does not exist: the message lists the nearest."""


class OutOfRange(Error, IndexError):
    """An index or size outside its limits."""


class FailedPrecondition(Error, RuntimeError):
    """A call in the wrong order or state: an object that is closed, or in use by another thread."""


class Unimplemented(Error, NotImplementedError):
    """Right input, but this build or version cannot do it."""


class ResourceExhausted(Error, MemoryError):
    """Out of memory, or over a stated limit."""


class Cancelled(Error):
    """Somebody asked for it."""


class DeadlineExceeded(Error, TimeoutError):
    """A wait ended by its time limit."""


class Unavailable(Error, RuntimeError):
    """A library, device or peer that is not there."""


class Remote(Error, RuntimeError):
    """Another device or process failed first."""


class DeviceLost(Error, RuntimeError):
    """A device that failed for good: what runs elsewhere goes on."""


class Internal(Error, RuntimeError):
    """A mistake of the library: please report it."""


_CLASSES: dict[int, Type[Error]] = {
    _core.TW_INVALID_ARGUMENT: InvalidArgument,
    _core.TW_NOT_FOUND: NotFound,
    _core.TW_OUT_OF_RANGE: OutOfRange,
    _core.TW_FAILED_PRECONDITION: FailedPrecondition,
    _core.TW_UNIMPLEMENTED: Unimplemented,
    _core.TW_RESOURCE_EXHAUSTED: ResourceExhausted,
    _core.TW_CANCELLED: Cancelled,
    _core.TW_DEADLINE_EXCEEDED: DeadlineExceeded,
    _core.TW_UNAVAILABLE: Unavailable,
    _core.TW_REMOTE: Remote,
    _core.TW_DEVICE_LOST: DeviceLost,
}


_UNKNOWN = "--allow-unknown, or allow_unknown of tw_import_options_t"
#: Functions of C whose names are other ones here.
_RENAMED = {
    "tw_builder_begin_region": "Builder.region", "tw_builder_end_region": "Builder.region", "tw_builder_custom_calls": "Builder.custom_calls",
    "tw_tensor_wrap_const": "tensor() of read-only memory",
}
_METHOD = re.compile(r"\btw_(builder|executable|graph|plan|program|search|tensor)_([a-z_]+)\b(?:\(\))?")


def _here(text: str) -> str:
    """A text of the library with the names that this package has for what C calls otherwise."""
    if "tw_" not in text and "->" not in text:
        return text
    text = text.replace(_UNKNOWN, "allow_unknown=True of load() and loads()")
    text = re.sub(r"\boptions->", "", text)
    return _METHOD.sub(lambda name: _RENAMED.get(name[0], f"{name[1].capitalize()}.{name[2]}"), text)


#: What reports call options of tw.
_FLAGS = {
    "(--all)": "(all_rows=True)", "--buckets": "bucket_bytes", "--gathers per-use": "gather_per_use=True", "--trip-count": "trip_count",
    " (tw: --mesh)": "",
}


def report_here(text: str) -> str:
    """A report of the library with the names of options that this package has."""
    for flag, name in _FLAGS.items():
        text = text.replace(flag, name)
    return text


def _make(status: int, text: str, id: str, file: str, line: int, column: int, notes: Sequence[str]) -> Error:
    error = _CLASSES.get(status, Internal)(_here(text))
    error.status, error.id, error.file, error.line, error.column = status, id, file, line, column
    error.notes = tuple(map(_here, notes))
    return error


_core.set_error_maker(_make)


def invalid(text: str, id: str = "") -> InvalidArgument:
    """The exception for an argument that this layer looks at itself."""
    error = InvalidArgument(text)
    error.status, error.id = _core.TW_INVALID_ARGUMENT, id
    return error


def numbered(what: str, number: int, count: int) -> int:
    """A number of one of `count` things, which count from 0; OutOfRange for any other."""
    if not hasattr(number, "__index__") or 0 <= number < count:  # the core says what is no integer
        return number
    there = "there is none" if count == 0 else "there is 1, number 0" if count == 1 else f"there are {count}, numbered 0 to {count - 1}"
    error = OutOfRange(f"there is no {what} {number}: {there}")
    error.status, error.id = _core.TW_OUT_OF_RANGE, "TW-707"
    raise error
