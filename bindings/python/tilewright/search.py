# SPDX-License-Identifier: Apache-2.0
"""Searches: the actions after which a program takes the least time on a machine."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple, Optional, Sequence, Union

from . import _core
from ._object import Object, registered
from .errors import FailedPrecondition
from .estimate import System, system_of
from .graph import Graph
from .mesh import Mesh
from .plan import Plan, lower_options


class SearchProgress(NamedTuple):
    """The best plan so far, and how many were priced: 0 before the first was, all but the bound."""

    #: Seconds of a run, one thing after the other.
    cost_s: float
    #: No plan takes less; there before the first plan is priced.
    bound_s: float
    #: Of the device that needs most.
    peak_bytes: int
    episodes: int


@registered("tw_search_t")
class Search(Object):
    """A search from a plan on. Plan.search() makes one and runs it; Search(plan, system, ..).run() does the same, so that other
    threads may ask for progress() meanwhile, or cancel() it."""

    _graph: Graph
    _mesh: Optional[Mesh]
    _cap_bytes: int = 0

    def __new__(
        cls, plan: Plan, system: Union[str, System], cap_bytes: int = 0, episodes: int = 0, seconds: float = 0, seed: int = 0, threads: int = 0,
        axes: Union[str, Sequence[str]] = (), even_only: bool = False, cache: Union[str, "os.PathLike[str]", None] = None, exact: bool = False,
        gap: float = 0, without: Union[str, Sequence[str]] = (), gather_per_use: bool = False, bucket_bytes: int = 0, levels: Optional[str] = None,
        keep_sum_order: bool = False, scratch_bytes: int = 0, hoist_limit: int = 0,
    ) -> "Search":
        lower = lower_options(without, gather_per_use, bucket_bytes, levels, keep_sum_order, scratch_bytes, hoist_limit)
        named = axes if isinstance(axes, str) else ",".join(axes)
        options = {
            "cap_bytes": cap_bytes, "episodes": episodes, "seconds": seconds, "seed": seed, "threads": threads, "lower": lower,
            "axes": named or None, "even_only": even_only, "cache": None if cache is None else os.fspath(cache),
            "exact": exact, "gap": gap,
        }
        search = _core.tw_search_create(plan, system_of(system), options)
        search._graph, search._mesh, search._cap_bytes = plan.graph, plan.mesh, cap_bytes
        return search

    def run(self) -> "Search":
        """Searches until it is as near as wanted, the budget is used, nothing is left to try, or somebody cancels; once. Ctrl-C in the main thread cancels,
        and so does a function of tilewright.progress that answers true: the search then has the best so far."""
        _core.tw_search_run(self)
        return self

    def cancel(self) -> None:
        """Ends a run soon, with the best so far. From any thread."""
        _core.tw_search_cancel(self)

    def progress(self) -> SearchProgress:
        """While it runs, and after; from any thread."""
        return SearchProgress(*_core.tw_search_progress(self))

    @property
    def spec(self) -> str:
        """What was found as the lines of a spec, with the cost behind each action in a comment: Plan.apply() takes it."""
        return _core.tw_search_spec(self)

    def plan(self) -> Plan:
        """The plan with these actions."""
        plan = _core.tw_search_plan(self)
        plan.graph, plan.mesh = self._graph, self._mesh
        return plan

    @property
    def report(self) -> dict[str, Any]:
        """How the search ended ("status"), "cost_ms" and "bound_ms", "peak_bytes", "actions", ..: `tw_search.h` has the form."""
        return json.loads(_core.tw_search_json(self))

    @property
    def fits(self) -> bool:
        """Whether the devices have room for what was found: else no plan that was tried fits."""
        return self.report["status"] != "infeasible"

    def _about(self) -> str:
        now = self.progress()
        if not now.episodes:
            return f"of {self._graph.name!r}"
        found = f"of {self._graph.name!r}: {now.cost_s * 1e3:.4g} ms a run is the best of {now.episodes} plans"
        try:
            report = self.report
        except FailedPrecondition:  # it runs
            return found
        room = f"{self._cap_bytes} bytes" if self._cap_bytes else "the machine"
        return found if report["status"] != "infeasible" else f"{found}; NONE FITS {room} (least {report['peak_bytes']} bytes)"

    def _repr_html_(self) -> str:
        from .html import search_html

        return search_html(self)
