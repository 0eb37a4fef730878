# SPDX-License-Identifier: Apache-2.0
"""Estimates: what a program takes on a machine, before anything runs."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _core
from ._names import BOUNDS, COLLECTIVE_KINDS, ROLES, axes_of
from .errors import report_here
from ._object import Items, Object, maybe, registered


@registered("tw_system_t")
class System(Object):
    """A machine: System("a100-80g") comes with the library, System("mine.conf") is a file (`docs/estimate.md`)."""

    _parsed: Optional[tuple[str, Optional[str]]] = None

    def __new__(cls, name_or_file: str) -> "System":
        return _core.tw_system_load(name_or_file)

    @classmethod
    def parse(cls, text: str, file: Optional[str] = None) -> "System":
        """From the text of such a file; `file` is what errors and reports call it."""
        system = _core.tw_system_parse(text, file)
        system._parsed = (text, file)
        return system

    def __reduce__(self) -> Any:
        return (System.parse, self._parsed) if self._parsed else (System, (self.name,))

    @property
    def name(self) -> str:
        """As it was loaded."""
        return _core.tw_system_name(self)

    def _about(self) -> str:
        return self.name


def system_of(system: Union[str, System]) -> System:
    """A text is a name or a file."""
    return System(system) if isinstance(system, str) else system


class EstimatedStep(NamedTuple):
    """A step as an executable would run it, on the device that has most of it."""

    number: int
    #: "dot_general", "add and 7 more", "all_reduce over model".
    what: str
    #: What it makes first, and where its first op comes from.
    value: str
    location: str
    #: The first that it runs; None: it only copies. And how many ops it runs.
    instruction: Optional[int]
    num_ops: int
    #: The number of a collective: for Program.collective().
    collective: Optional[int]
    #: "compute", "memory" or "link".
    bound: str
    times: int
    #: Of one run of it.
    seconds: float
    flops: float
    bytes: float
    #: Of its first run, where collectives run beside what does not need them.
    begin_s: float
    lasts_s: float


class CollectiveCost(NamedTuple):
    """What a collective of the program takes."""

    number: int
    kind: str
    axes: tuple[str, ...]
    #: None: who reads it adds it up, or nothing reads it. Then the rest is 0.
    step: Optional[int]
    times: int
    #: Of one run of it.
    seconds: float
    bytes: float


class Place(NamedTuple):
    """A place of the program in memory: before the first step, at one of them, or behind the last."""

    #: Of the arrays that the device which needs most has then.
    bytes: int
    instruction: Optional[int]
    #: None: what runs then takes no time, as a jump.
    step: Optional[int]


class Held(NamedTuple):
    """An array that the device has where its arrays take most."""

    value: str
    #: For Program.local_sharding().
    local: int
    bytes: int
    #: "parameter", "state", "gradient", "activation", "gathered" or "buffer".
    role: str


@registered("tw_estimate_t")
class Estimate(Object):
    """What one run of a program takes on a system. Program.estimate() makes it; str() has it as tables."""

    _axes: tuple[str, ...]
    _num_collectives: int

    def _total(self, name: str) -> Any:
        return _core.tw_estimate_totals(self)[name]

    @property
    def fits(self) -> bool:
        """Whether the device that needs most needs no more than it may."""
        return bool(self._total("fits"))

    @property
    def peak_bytes(self) -> int:
        """Of the device that needs most: with what its libraries hold and its allocator adds."""
        return self._total("peak_bytes")

    @property
    def cap_bytes(self) -> int:
        """What it may need."""
        return self._total("cap_bytes")

    @property
    def serial_s(self) -> float:
        """One thing after the other: the sum of the next three."""
        return self._total("serial_s")

    @property
    def compute_s(self) -> float:
        """Of steps that operations bound."""
        return self._total("compute_s")

    @property
    def memory_s(self) -> float:
        """Of steps that bytes bound."""
        return self._total("memory_s")

    @property
    def communication_s(self) -> float:
        return self._total("communication_s")

    @property
    def overlapped_s(self) -> float:
        """Collectives beside what does not need them."""
        return self._total("overlapped_s")

    @property
    def by_axis_s(self) -> dict[str, float]:
        """Of communication_s what goes over each axis of the program's mesh."""
        return {axis: _core.tw_estimate_axis_seconds(self, i) for i, axis in enumerate(self._axes)}

    # ---- walking ----

    @property
    def steps(self) -> Sequence[EstimatedStep]:
        """In the order of the program; `seconds` times `times` add up to serial_s."""

        def step(i: int) -> EstimatedStep:
            fields = _core.tw_estimate_step(self, i)
            return EstimatedStep(
                i, fields["what"], fields["value"], fields["location"], maybe(fields["instr"], _core.TW_NO_INSTR), fields["num_ops"],
                maybe(fields["collective"], _core.TW_NO_COLLECTIVE), BOUNDS[fields["bound"]], fields["times"], fields["seconds"],
                fields["flops"], fields["bytes"], fields["begin_s"], fields["lasts_s"],
            )

        return Items("step", _core.tw_estimate_num_steps(self), step)

    @property
    def collectives(self) -> Sequence[CollectiveCost]:
        """Those of the program, by its numbers; `seconds` times `times` add up to communication_s."""

        def collective(i: int) -> CollectiveCost:
            fields = _core.tw_estimate_collective(self, i)
            return CollectiveCost(
                i, COLLECTIVE_KINDS[fields["kind"]], axes_of(fields["axes"], self._axes), maybe(fields["step"], _core.TW_NO_STEP),
                fields["times"], fields["seconds"], fields["bytes"],
            )

        return Items("collective", self._num_collectives, collective)

    @property
    def places(self) -> Sequence[Place]:
        """What the device has in memory, place after place of the program."""

        def place(i: int) -> Place:
            fields = _core.tw_estimate_place(self, i)
            return Place(fields["bytes"], maybe(fields["instr"], _core.TW_NO_INSTR), maybe(fields["step"], _core.TW_NO_STEP))

        return Items("place", _core.tw_estimate_num_places(self), place)

    @property
    def peak_place(self) -> int:
        """Where its arrays take most: the number of a place."""
        return self._total("peak_place")

    @property
    def held(self) -> Sequence[Held]:
        """What it has there, the largest first: together the bytes of that place."""

        def held(i: int) -> Held:
            fields = _core.tw_estimate_held(self, i)
            return Held(fields["value"], fields["local_value"], fields["bytes"], ROLES[fields["role"]])

        return Items("array", _core.tw_estimate_num_held(self), held)

    # ---- reports ----

    def info(self) -> dict[str, Any]:
        """What `tw estimate --json` prints as "estimate": `tw_estimate.h` has the form."""
        return json.loads(_core.tw_estimate_json(self))

    def report(self, width: int = 100) -> str:
        return report_here(_core.tw_estimate_report(self, width))

    def trace(self) -> str:
        """The run as a Chrome trace, for Perfetto."""
        return _core.tw_estimate_trace(self)

    def _text(self) -> str:
        return self.report()

    def _repr_html_(self) -> str:
        from .html import estimate_html

        return estimate_html(self)

    def _about(self) -> str:
        fits = "fits" if self.fits else "does not fit"
        return f"{self.overlapped_s * 1e3:.4g} ms, {self.peak_bytes} bytes: {fits}"
