# SPDX-License-Identifier: Apache-2.0
"""Environments: plans step by step, for who learns to choose actions. `tilewright.gym` has them as gymnasium wants them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _core
from ._object import Object, registered
from .estimate import System, system_of
from .graph import Graph
from .mesh import Mesh
from .plan import Plan, lower_options


class Price(NamedTuple):
    """What a run costs by a plan, one thing after the other."""

    #: Both times; where it does not fit, (2 + 10 * (peak / cap - 1)) times as much.
    cost_s: float
    computing_s: float
    moving_s: float
    #: Of all devices together.
    received_bytes: int
    #: Of a device.
    peak_bytes: int
    cap_bytes: int
    fits: bool


@registered("tw_environment_t")
class Environment(Object):
    """A plan that begins with another one, which does not change, and goes on by numbered actions. One thread at a time;
    threads have a clone() each."""

    _graph: Graph
    _mesh: Optional[Mesh]

    def __new__(
        cls, plan: Plan, system: Union[str, System], cap_bytes: int = 0, axes: Union[str, Sequence[str]] = (), even_only: bool = False,
        without: Union[str, Sequence[str]] = (), gather_per_use: bool = False, bucket_bytes: int = 0, levels: Optional[str] = None,
        keep_sum_order: bool = False, scratch_bytes: int = 0, hoist_limit: int = 0,
    ) -> "Environment":
        lower = lower_options(without, gather_per_use, bucket_bytes, levels, keep_sum_order, scratch_bytes, hoist_limit)
        named = axes if isinstance(axes, str) else ",".join(axes)
        options = {"cap_bytes": cap_bytes, "lower": lower, "axes": named or None, "even_only": even_only}
        return _core.tw_environment_create(plan, system_of(system), options)._of(plan.graph, plan.mesh)

    def _of(self, graph: Graph, mesh: Optional[Mesh]) -> "Environment":
        self._graph, self._mesh = graph, mesh
        return self

    def clone(self) -> "Environment":
        """Another one that has taken the same steps, for another thread. They share what never changes."""
        return _core.tw_environment_clone(self)._of(self._graph, self._mesh)

    @property
    def num_actions(self) -> int:
        """They are numbered from 0; the last one stops, and ends the episode."""
        return _core.tw_environment_num_actions(self)

    @property
    def num_features(self) -> int:
        """How many floats an observation has."""
        return _core.tw_environment_num_features(self)

    def mask(self, out: Any = None) -> Any:
        """1 for each action that may be taken now, else 0, as an array of int8. out: an array to write them to, of bytes."""
        if out is None:
            import numpy

            out = numpy.empty(self.num_actions, numpy.int8)
        _core.tw_environment_mask(self, out)
        return out

    def observe(self, out: Any = None) -> Any:
        """What the plan is like now, as an array of float32 whose layout report has; `tw_environment.h` describes it. out: an array
        to write it to."""
        if out is None:
            import numpy

            out = numpy.empty(self.num_features, numpy.float32)
        _core.tw_environment_observe(self, out)
        return out

    def step(self, action: int) -> tuple[float, bool]:
        """Takes an action: ln(cost before / cost behind), and whether it was the one that stops. FailedPrecondition, with the reason,
        where it would change nothing; then nothing has changed."""
        reward, done = _core.tw_environment_step(self, action)
        return reward, bool(done)

    def undo(self, steps: int = 1) -> None:
        """Takes the last steps back."""
        _core.tw_environment_undo(self, steps)

    @property
    def actions(self) -> list[int]:
        """Those that were taken: a snapshot for restore(), also of a clone."""
        from array import array

        taken = array("q", bytes(8 * _core.tw_environment_num_steps(self)))
        _core.tw_environment_snapshot(self, taken)
        return taken.tolist()

    def restore(self, actions: Sequence[int] = ()) -> None:
        """Goes where actions lead to, by default to the beginning. What they begin alike with stays as it is."""
        _core.tw_environment_restore(self, actions)

    @property
    def price(self) -> Price:
        """What a run costs now."""
        view = _core.tw_environment_price(self)
        return Price(**{**view, "fits": bool(view["fits"])})

    @property
    def spec(self) -> str:
        """The actions so far as the lines of a spec, with the cost behind each in a comment: Plan.apply() takes it."""
        return _core.tw_environment_spec(self)

    def plan(self) -> Plan:
        """The plan with these actions."""
        plan = _core.tw_environment_plan(self)
        plan.graph, plan.mesh = self._graph, self._mesh
        return plan

    @property
    def report(self) -> dict[str, Any]:
        """What numbers mean: "actions", "subjects", "features", and "conflicts" of actions; `tw_environment.h` has the form."""
        return json.loads(_core.tw_environment_json(self))

    def _about(self) -> str:
        return f"of {self._graph.name!r}: {self.price.cost_s * 1e3:.4g} ms a run after {len(self.actions)} steps"
