# SPDX-License-Identifier: Apache-2.0
"""Programs: what every device runs, with explicit collectives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence, Union

from . import _core
from ._names import COLLECTIVE_KINDS, INSTR_KINDS, REDUCTIONS, axes_of, text_of_form
from ._object import Items, Object, given, maybe, registered
from .conflicts import Action, Conflict, action_of, conflicts_of
from .errors import numbered, report_here
from .estimate import Estimate, System, system_of
from .graph import Graph, same_graph
from .mesh import Mesh
from .sharding import Sharding
from .tensor import Comparison, comparison, tensors

if TYPE_CHECKING:
    from .runtime import Executable

COLLECTIVES = ("all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute", "exchange")


class Local(NamedTuple):
    """A value of the graph as the devices hold it in one layout."""

    number: int
    #: The value of the graph, None of what lowering added; and the instruction that makes this.
    origin: Optional[int]
    instruction: int


class Instruction(NamedTuple):
    """What every device does at one point of the program."""

    number: int
    #: "argument", "compute", "collective", "result", "region", "loop", "end_loop", "accumulate" or "slice".
    kind: str
    #: Of the graph; of a collective the op whose operand or result moves. None also of computations that lowering added.
    op: Optional[int]
    operands: tuple[int, ...]
    results: tuple[int, ...]
    #: Of an argument or result which; of a region its place; of a loop the axis of the program's mesh.
    index: int  # type: ignore[assignment]
    #: The number of a collective: for Program.collective().
    collective: Optional[int]
    #: Axes over which a compute leaves partial values.
    reduce_axes: tuple[str, ...]


class Collective(NamedTuple):
    """Data that moves between devices."""

    number: int
    #: "all_gather", "all_reduce", "reduce_scatter", "all_to_all", "permute" or "exchange".
    kind: str
    #: By which partial values combine; "none": there are none.
    reduction: str
    axes: tuple[str, ...]
    instruction: int
    #: The first value of the graph that moves, and the two ops whose layouts differ.
    value: int
    producer: Optional[int]
    consumer: Optional[int]
    #: The number of the action whose decision asks for it; None: not known.
    action: Optional[int]
    times: int
    #: By the device that receives most, each time; and over all devices.
    bytes_received: int
    mean_bytes_received: float
    #: "direct", else a method of redistributions; of several levels what their groups receive, outermost first.
    method: str
    num_steps: int
    bytes_by_level: tuple[int, ...]
    scratch_bytes: int


@registered("tw_program_t")
class Program(Object):
    """The device-local program of a plan. It never changes."""

    graph: Graph

    @classmethod
    def unpartitioned(cls, graph: Graph) -> "Program":
        """The same graph on one device."""
        program = _core.tw_program_unpartitioned(graph)
        program.graph = same_graph(graph)
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
        return _core.tw_program_count_kind(self, kind)

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
        return bool(_core.tw_program_result_exact(self, self._checked_result(i)))

    @property
    def num_failed_expectations(self) -> int:
        """`expect` lines of the plan's specs that do not hold."""
        return _core.tw_program_num_failed_expectations(self)

    # ---- walking ----

    def _checked_result(self, number: int) -> int:
        return numbered("result", number, len(self.graph.results))

    def _checked_collective(self, number: int) -> int:
        return numbered("collective", number, self.num_collectives)

    @property
    def mesh(self) -> Mesh:
        """The mesh on which it runs."""
        return _core.tw_program_mesh(self)

    def argument_sharding(self, i: int) -> Sharding:
        """How argument i is given: Sharding.tile() is the tile that each device takes."""
        return _core.tw_program_argument_sharding(self, numbered("argument", i, len(self.graph.arguments)))

    def result_sharding(self, i: int) -> Sharding:
        """How result i is handed out."""
        return _core.tw_program_result_sharding(self, self._checked_result(i))

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions that the program follows, as Plan.actions."""
        return tuple(action_of(_core.tw_program_action(self, i)) for i in range(_core.tw_program_num_actions(self)))

    @property
    def locals(self) -> Sequence[Local]:
        """Values of the graph as the devices hold them; one that moves has several."""

        def local(i: int) -> Local:
            fields = _core.tw_program_local(self, i)
            return Local(i, maybe(fields["origin"], _core.TW_NO_VALUE), fields["instr"])

        return Items("local value", _core.tw_program_num_locals(self), local)

    def local_sharding(self, local: int) -> Sharding:
        return _core.tw_program_local_sharding(self, numbered("local value", local, _core.tw_program_num_locals(self)))

    @property
    def instructions(self) -> Sequence[Instruction]:
        """What every device does, in order."""
        names = list(self.mesh.axes)

        def instruction(i: int) -> Instruction:
            fields = _core.tw_program_instr(self, i)
            first = fields["first_result"]
            return Instruction(
                i, INSTR_KINDS[fields["kind"]], maybe(fields["op"], _core.TW_NO_OP), fields["operands"],
                tuple(range(first, first + fields["num_results"])), fields["index"],
                maybe(fields["collective"], _core.TW_NO_COLLECTIVE), axes_of(fields["reduce_axes"], names),
            )

        return Items("instruction", _core.tw_program_num_instrs(self), instruction)

    def collective(self, i: int) -> Collective:
        """Collective i of num_collectives; the number is that of explain_collective() and info()."""
        fields = _core.tw_program_collective(self, self._checked_collective(i))
        known = {name: value for name, value in fields.items() if name in Collective._fields}
        known.update(
            number=i, kind=COLLECTIVE_KINDS[fields["kind"]], reduction=REDUCTIONS[fields["reduction"]],
            axes=axes_of(fields["axes"], list(self.mesh.axes)), instruction=fields["instr"],
            action=maybe(fields["action"], _core.TW_NO_ACTION), producer=maybe(fields["producer"], _core.TW_NO_OP),
            consumer=maybe(fields["consumer"], _core.TW_NO_OP),
        )
        return Collective(**known)

    def conflicts(self) -> tuple[Conflict, ...]:
        """As Plan.conflicts, with what the program would receive with each way decided. Takes seconds for large programs."""
        return conflicts_of(_core.tw_program_conflicts, self)

    def disagreements(self) -> tuple[Conflict, ...]:
        """As Plan.disagreements, with costs."""
        return conflicts_of(_core.tw_program_disagreements, self)

    # ---- reports ----

    def info(self) -> dict[str, Any]:
        """What `tw plan --json` prints: arguments, collectives, peak, conflicts, expectations."""
        return json.loads(_core.tw_program_json(self))

    def report(self, width: int = 100, all_rows: bool = False) -> str:
        """Tables for people, the answer last; of long tables the rows with most bytes, or all."""
        return report_here((_core.tw_program_report_all if all_rows else _core.tw_program_report)(self, width))

    def estimate(
        self, system: Union[str, System], cap_bytes: int = 0, trip_count: int = 0, donate: bool = False
    ) -> Estimate:
        """What one run takes on a machine, a System or the name or file of one: time, peak, what fits."""
        options = given(cap_bytes=cap_bytes, trip_count=trip_count, donate=donate)
        estimate = _core.tw_program_estimate(self, system_of(system), options)
        estimate._axes, estimate._num_collectives = tuple(self.mesh.axes), self.num_collectives
        return estimate

    def page(
        self, estimate: Optional[Estimate] = None, trace: Optional[dict[str, Any]] = None, command: Optional[str] = None
    ) -> str:
        """All that is known of the program as one HTML file, which opens without a network. `estimate`: of this program; without it
        the page has no time. `trace`: of a measured run, as Executable.trace() gives it. `command`: what makes the page again."""
        return _core.tw_program_page(self, estimate, given(trace=trace and json.dumps(trace), command=command))

    def emit(self, form: str = "spmd") -> str:
        """The program as text: "spmd" or "stablehlo"."""
        return text_of_form(form, _core.tw_program_emit(self, form))

    def emit_bytes(self, form: str = "stablehlo-bytecode") -> bytes:
        """The same as bytes, which some forms are: an artifact that JAX and PJRT clients read."""
        return _core.tw_program_emit(self, form)

    def explain_collective(self, id: int) -> str:
        """Why a collective is there."""
        return _core.tw_program_explain_collective(self, self._checked_collective(id))

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
            self, tensors(inputs, "input"), tensors(outputs, "output"), tensors(expected, "expected output"),
            given(other_run=other_run, seconds=float(seconds), progress=progress or (lambda _: False)),
        )
        return [comparison(one) for one in fields], note

    def _text(self) -> str:
        return self.report()

    def _about(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.collectives.items()) or "no collectives"
        return f"on {self.num_devices} devices: {counts}"

    def picture(self, collective: int, form: str = "svg", theme: str = "auto", scale: float = 0, bare: bool = False) -> bytes:
        """A file that shows what a collective moves, as Sharding.picture()."""
        options = {"form": form, "theme": theme, "scale": scale, "bare": int(bare)}
        return _core.tw_program_collective_picture(self, self._checked_collective(collective), options)

    def _repr_html_(self) -> str:
        from .html import program_html

        return program_html(self)
