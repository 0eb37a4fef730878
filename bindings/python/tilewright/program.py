# SPDX-License-Identifier: Apache-2.0
"""Programs: what every device runs, with explicit collectives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence

from . import _core
from ._object import Object, given, registered
from .graph import Graph
from .tensor import Comparison, comparison, tensor

if TYPE_CHECKING:
    from .runtime import Executable

COLLECTIVES = ("all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute", "exchange")


@registered("tw_program_t")
class Program(Object):
    """The device-local program of a plan. It never changes."""

    graph: Graph

    @classmethod
    def unpartitioned(cls, graph: Graph) -> "Program":
        """The same graph on one device."""
        program = _core.tw_program_unpartitioned(graph)
        program.graph = graph
        return program

    @property
    def num_devices(self) -> int:
        return _core.tw_program_num_devices(self)

    @property
    def num_collectives(self) -> int:
        return _core.tw_program_num_collectives(self)

    @property
    def collectives(self) -> dict[str, int]:
        """How many of each kind."""
        counts = {kind: self.count(kind) for kind in COLLECTIVES}
        return {kind: count for kind, count in counts.items() if count}

    def count(self, kind: str) -> int:
        """Collectives of a kind, "all_reduce"."""
        return _core.tw_program_count(self, kind)

    @property
    def bytes_received(self) -> int:
        """Bytes that the busiest device must receive in one run."""
        return _core.tw_program_bytes_received(self)

    @property
    def peak_bytes(self) -> int:
        """Peak of the device that needs most, in the program's own order. Executable.peak_bytes has what a run needs."""
        return _core.tw_program_peak_bytes(self)

    def result_exact(self, i: int) -> bool:
        """Whether result i is guaranteed to be bitwise equal to the unpartitioned run."""
        return bool(_core.tw_program_result_exact(self, i))

    @property
    def num_failed_expectations(self) -> int:
        """`expect` lines of the plan's specs that do not hold."""
        return _core.tw_program_num_failed_expectations(self)

    def info(self) -> dict[str, Any]:
        """What `tw plan --json` prints: arguments, collectives, peak, conflicts, expectations."""
        return json.loads(_core.tw_program_json(self))

    def report(self, width: int = 100) -> str:
        return _core.tw_program_report(self, width)

    def emit(self, form: str = "spmd") -> str:
        """The program as text: "spmd" or "stablehlo"."""
        return _core.tw_program_emit(self, form)

    def explain_collective(self, id: int) -> str:
        """Why a collective is there."""
        return _core.tw_program_explain_collective(self, id)

    def executable(self, **options: Any) -> "Executable":
        """The program bound to kernels and memory; the options are Executable's."""
        from .runtime import Executable

        return Executable(self, **options)

    def compare(
        self, outputs: Sequence[Any], expected: Sequence[Any], inputs: Sequence[Any] = (), other_run: bool = False,
        seconds: float = 0, progress: Optional[Callable[[float], Any]] = None,
    ) -> tuple[list[Comparison], str]:
        """How results compare with the unpartitioned program's: one comparison a result, and why there was no second opinion in
        double precision where one was due. progress(seconds) gives that up where it answers true; Ctrl-C ends it."""
        fields, note = _core.program_compare(  # tw_program_compare
            self, [tensor(x) for x in inputs], [tensor(x) for x in outputs], [tensor(x) for x in expected],
            given(other_run=other_run, seconds=float(seconds), progress=progress or (lambda _: False)),
        )
        return [comparison(one) for one in fields], note

    def _text(self) -> str:
        return self.report()

    def _about(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.collectives.items()) or "no collectives"
        return f"on {self.num_devices} devices: {counts}"

    def _repr_html_(self) -> str:
        from .html import program_html

        return program_html(self)
