# SPDX-License-Identifier: Apache-2.0
"""Constants of the library as words: TW_SPLIT_CEIL is "ceil"."""

from __future__ import annotations

from typing import Sequence

from . import _core
from .errors import invalid


class Names:
    """The words of one set of constants, by value and back."""

    def __init__(self, prefix: str, what: str) -> None:
        self.what = what
        known = [name for name in dir(_core) if name.startswith(prefix) and not name.endswith("_SIGNED")]
        self._words: dict[int, str] = {getattr(_core, name): name[len(prefix) :].lower() for name in known}
        self._values = {word: value for value, word in self._words.items()}

    def __getitem__(self, value: int) -> str:
        return self._words.get(value, f"unknown ({value})")

    def value(self, word: str) -> int:
        """The constant of a word; InvalidArgument lists the words there are."""
        if word not in self._values:
            raise invalid(f"there is no {self.what} {word!r}: expected {', '.join(self._values)}")
        return self._values[word]


def axes_of(bits: int, names: Sequence[str]) -> tuple[str, ...]:
    """The names of a set of axes: bit a is axis a of the mesh."""
    return tuple(name for a, name in enumerate(names) if bits >> a & 1)


AXIS_KINDS = Names("TW_AXIS_", "kind of axis")
BORDERS = Names("TW_BORDER_", "border")
BOUNDS = Names("TW_BOUND_", "bound")
COLLECTIVE_KINDS = Names("TW_COLLECTIVE_", "collective")
CONFLICT_KINDS = Names("TW_CONFLICT_", "kind of conflict")
INSTR_KINDS = Names("TW_INSTR_", "instruction")
LOOP_KINDS = Names("TW_LOOP_", "kind of loop")
REDUCTIONS = Names("TW_REDUCTION_", "reduction")
ROLES = Names("TW_ROLE_", "role")
SPLITS = Names("TW_SPLIT_", "split")


def text_of_form(form: str, data: bytes) -> str:
    if _core.tw_form_is_binary(_core.tw_form_find(form)):
        raise ValueError(f"the form {form!r} is no text: emit_bytes gives it")
    return data.decode("utf-8", "replace")
