# SPDX-License-Identifier: Apache-2.0
"""Plans: sharding actions on a graph, propagated through all of it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Union

from . import _core
from ._names import text_of_form
from ._object import Object, given, registered
from .conflicts import Action, Conflict, Loop, action_of, conflicts_of, loop_of
from .errors import invalid, numbered
from .estimate import System
from .graph import Graph, same_graph
from .mesh import Mesh
from .sharding import Sharding
from .tensor import Tensor

if TYPE_CHECKING:
    from .program import Program
    from .search import Search

OnAction = Callable[[str, Optional[str], int], Any]


@registered("tw_plan_t")
class Plan(Object):
    """A graph, a mesh, and the decisions so far. Actions return the plan: plan.tile("x", 0, "data").infer_propagate()."""

    graph: Graph
    #: The mesh that was given, or the one that the module declares.
    mesh: Optional[Mesh]
    _on_action: Optional[OnAction] = None

    def __new__(
        cls, graph: Graph, mesh: Union[Mesh, str, None] = None, policy: Optional[str] = None, ignore_annotations: bool = False
    ) -> "Plan":
        mesh = graph._planned_on if mesh is None else mesh
        mesh = Mesh(mesh) if isinstance(mesh, str) else mesh
        plan = _core.tw_plan_create(graph, mesh, given(policy=policy, ignore_annotations=ignore_annotations))
        plan.graph, plan.mesh = same_graph(graph), mesh if mesh is not None else graph.mesh
        return plan

    # ---- actions ----

    def tile(self, value: str, dim: int, axis: str) -> "Plan":
        """Tiles dimension `dim` of a value along a mesh axis. `value` is an argument ("x", "params['w*']"), a result or "%12"."""
        _core.tw_plan_tile(self, value, dim, axis)
        return self

    def atomic(self, value: str, axis: str) -> "Plan":
        """Keeps a value whole on an axis: propagation stops there."""
        _core.tw_plan_atomic(self, value, axis)
        return self

    def shard(self, value: str, sharding: Union[str, Sharding]) -> "Plan":
        """Fixes how all dimensions of an argument, a result or "%12" lie, at once: "[{data}, {}]", 'P("data", None)' or a Sharding."""
        text = str(sharding)
        if isinstance(sharding, Sharding) and sharding.partials:
            raise invalid(f"{text} is partial, and a value that is fixed is not")
        name = json.dumps(value, ensure_ascii=False)
        return self.apply(f"shard(value={name}, {text})")

    def propagate(self) -> "Plan":
        """Spreads the decisions, as `propagate` in a spec: forms a sum only where every operand that carries it is tiled already."""
        _core.tw_plan_propagate(self, _core.TW_PROPAGATE)
        return self

    def infer_propagate(self) -> "Plan":
        """Spreads the decisions, as `infer-propagate` in a spec: one tiled operand is enough to form a sum, the others follow."""
        _core.tw_plan_propagate(self, _core.TW_INFER_PROPAGATE)
        return self

    def apply(self, spec: str, file: Optional[str] = None) -> "Plan":
        """Applies a spec, one action a line or several with `;`. On an error the actions before the failing one stay."""
        _core.tw_plan_apply(self, spec, file)
        return self

    def apply_file(self, path: Union[str, "os.PathLike[str]"]) -> "Plan":
        with open(path, encoding="utf-8") as file:
            return self.apply(file.read(), os.fspath(path))

    def on_action(self, callback: Optional[OnAction]) -> "Plan":
        """callback(action, file, line) is called after each action of apply(). It may read the plan. What it raises ends apply()
        after its last action."""
        if callback is not None and not callable(callback):
            raise TypeError(f"expected a function, not {type(callback).__name__}")
        _core.plan_on_action(self, callback)  # tw_plan_on_action
        self._on_action = callback
        return self

    def stamp(self) -> int:
        """For undo(): the plan as it is now."""
        return _core.tw_plan_stamp(self)

    def undo(self, stamp: int) -> "Plan":
        _core.tw_plan_undo(self, stamp)
        return self

    # ---- questions ----

    def sharding(self, value: str) -> str:
        """The sharding of a value, "[{data}, {}]"."""
        return _core.tw_plan_sharding(self, value)

    @property
    def shardings(self) -> dict[str, str]:
        """The shardings of all arguments by name."""
        return {argument.name: self.sharding(argument.name) for argument in self.graph.arguments}

    @property
    def num_conflicts(self) -> int:
        """Axes that propagation could not decide."""
        return _core.tw_plan_num_conflicts(self)

    @property
    def current_mesh(self) -> Mesh:
        """The mesh as it is now: with the axes that actions added, and parts of axes of which they name some."""
        return _core.tw_plan_mesh(self)

    def value_sharding(self, value: Union[int, str]) -> Sharding:
        """How a value, by number or name, lies as its users get it."""
        number = self.graph.value(value).number if isinstance(value, str) else value
        return _core.tw_plan_value_sharding(self, self.graph._checked_value(number))

    def argument_sharding(self, i: int) -> Sharding:
        """How argument i is given."""
        return _core.tw_plan_argument_sharding(self, numbered("argument", i, len(self.graph.arguments)))

    def result_sharding(self, i: int) -> Sharding:
        """How result i is handed out."""
        return _core.tw_plan_result_sharding(self, numbered("result", i, len(self.graph.results)))

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions so far. Number 0 stands for the annotations of the module as a whole."""
        return tuple(action_of(_core.tw_plan_action(self, i)) for i in range(_core.tw_plan_num_actions(self)))

    def loops(self, op: int) -> tuple[Loop, ...]:
        """The loops around an op, outermost first."""
        about = self.graph.op(op)
        sizes = len(about.operands), len(about.results)
        return tuple(
            loop_of(_core.tw_plan_loop(self, op, i), *_core.tw_plan_loop_dims(self, op, i, *sizes))
            for i in range(_core.tw_plan_num_loops(self, op))
        )

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """What propagation could not decide. Program.conflicts() knows what each way costs."""
        return conflicts_of(_core.tw_plan_conflicts, self)

    @property
    def disagreements(self) -> tuple[Conflict, ...]:
        """Decided neighbours that do not agree: the value between them moves."""
        return conflicts_of(_core.tw_plan_disagreements, self)

    def explain(self, value: str, axis: Optional[str] = None) -> str:
        """The chain from an action to this sharding; for an axis on which the value is whole, what stopped it."""
        return _core.tw_plan_explain(self, value, axis)

    def emit(self, form: str = "loops") -> str:
        """The plan as text; forms() lists the forms."""
        return text_of_form(form, _core.tw_plan_emit(self, form))

    def emit_bytes(self, form: str = "stablehlo+sdy-bytecode") -> bytes:
        """The same as bytes, which some forms are: an artifact that JAX and PJRT clients read."""
        return _core.tw_plan_emit(self, form)

    def emit_naive(self, form: str = "spmd-naive", after: Optional[str] = None) -> str:
        """The steps from the loops to the device-local program, after one of the passes."""
        return _core.tw_debug_emit_after(self, form, after)

    def clone(self) -> "Plan":
        """The same plan again, to go on from here in another way. It has no on_action."""
        plan = _core.tw_plan_clone(self)
        plan.graph, plan.mesh = self.graph, self.mesh
        return plan

    # ---- what comes next ----

    def lower(
        self, without: Union[str, Sequence[str]] = (), gather_per_use: bool = False, bucket_bytes: int = 0, levels: Optional[str] = None,
        keep_sum_order: bool = False, scratch_bytes: int = 0, hoist_limit: int = 0,
    ) -> "Program":
        """The device-local program, with every collective. `without` is an optional pass to leave out, or a list of them."""
        options = lower_options(without, gather_per_use, bucket_bytes, levels, keep_sum_order, scratch_bytes, hoist_limit)
        program = _core.tw_program_lower(self, options)
        program.graph = self.graph
        return program

    def search(
        self, system: Union[str, System], cap_bytes: int = 0, episodes: int = 0, seconds: float = 0, seed: int = 0, threads: int = 0,
        axes: Union[str, Sequence[str]] = (), even_only: bool = False, cache: Union[str, "os.PathLike[str]", None] = None,
        exact: bool = False, gap: float = 0,
        without: Union[str, Sequence[str]] = (), gather_per_use: bool = False, bucket_bytes: int = 0, levels: Optional[str] = None,
        keep_sum_order: bool = False, scratch_bytes: int = 0, hoist_limit: int = 0,
    ) -> "Search":
        """Finds actions behind those of this plan, which does not change: with them a run takes the least time on a machine,
a System or the name or file of one, and each device needs at most `cap_bytes` (0: what it has). It ends after `episodes` plans (0: 1000,
        without limit where `seconds` are given) or `seconds`; by Ctrl-C it returns the best so far. `threads`: 0 is one a core.
        `axes`: what to decide about; all of devices where none are given. `even_only`: no argument is cut in tiles of more than one
        size. `cache`: a folder in which answers are kept, for who asks the same again of a program that differs in names alone. `exact`:
        then the bound is raised as far as can be proven. `gap`: it ends once no plan can be cheaper by more than this part of the cost;
        0.02 is 2 %. What follows is how plans are lowered, as for lower()."""
        from .search import Search

        return Search(
            self, system, cap_bytes, episodes, seconds, seed, threads, axes, even_only, cache, exact, gap, without, gather_per_use, bucket_bytes,
            levels, keep_sum_order, scratch_bytes, hoist_limit,
        ).run()

    def run(self, *inputs: Any) -> list[Tensor]:
        """Lowers, binds and runs, once. Keep lower().executable() to run many times."""
        return self.lower().executable().run(*inputs)

    def report(
        self,
        path: Union[str, "os.PathLike[str]", None] = None,
        system: Union[str, System, None] = None,
        width: int = 100,
        all_rows: bool = False,
    ) -> str:
        """What every device holds, what is sent and why: as tables no wider than `width`, or, with the path of a file ("r.html"), as one
        page that opens without a network. `system`, a System or the name or file of one, adds to the page time, a timeline, and
        whether it fits. Of long tables the rows with most bytes are there, or all. The answer is the text that was written."""
        if path is not None and not os.fspath(path).lower().endswith((".html", ".htm")):
            raise invalid(f"{os.fspath(path)}: the report is a page of HTML: call it .html")
        program = self.lower()
        if path is None:
            return program.report(width, all_rows)
        page = program.page(None if system is None else program.estimate(system))
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
        return page

    def show(self, system: Union[str, System, None] = None) -> str:
        """The page of report() in the browser; the answer is the file that it was written to, which stays."""
        import tempfile
        import webbrowser

        with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="tilewright-", delete=False) as file:
            path = file.name
        self.report(path, system)
        webbrowser.open("file://" + path)
        return path

    def _text(self) -> str:
        return self.report()

    def _about(self) -> str:
        decided = sum(any(c.isalpha() for c in sharding) for sharding in self.shardings.values())
        return f"of {self.graph.name!r}: {decided} of {len(self.graph.arguments)} arguments tiled, {self.num_conflicts} conflicts"

    def picture(
        self, *values: str, form: str = "svg", theme: str = "auto", scale: float = 0, bare: bool = False
    ) -> bytes:
        """A file that shows values beside each other, as Sharding.picture(): by name or pattern; without names, all arguments."""
        return _core.tw_plan_picture(self, list(values), {"form": form, "theme": theme, "scale": scale, "bare": int(bare)})

    def _repr_html_(self) -> str:
        from .html import plan_html

        return plan_html(self)


def lower_options(
    without: Union[str, Sequence[str]], gather_per_use: bool, bucket_bytes: int, levels: Optional[str], keep_sum_order: bool,
    scratch_bytes: int, hoist_limit: int,
) -> dict[str, Any]:
    """A tw_lower_options_t."""
    return given(
        without=without if isinstance(without, str) else list(without), gather_per_use=gather_per_use, bucket_bytes=bucket_bytes,
        levels=levels, keep_sum_order=keep_sum_order, scratch_bytes=scratch_bytes, hoist_limit=hoist_limit,
    )


def forms() -> dict[str, dict[str, Any]]:
    """The forms of emit() by name: what each is, whether plans or programs print it, its passes, and whether it is no text."""
    known = {}
    for i in range(_core.tw_form_count()):
        passes: list[str] = []
        while (name := _core.tw_debug_pass(i, len(passes))) is not None:
            passes.append(name)
        known[_core.tw_form_name(i)] = {
            "doc": _core.tw_form_doc(i), "of": "plan" if _core.tw_form_is_of_plan(i) else "program", "passes": passes,
            "binary": bool(_core.tw_form_is_binary(i)),
        }
    return known
