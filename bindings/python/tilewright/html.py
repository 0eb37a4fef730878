# SPDX-License-Identifier: Apache-2.0
"""Plans and programs in notebooks: tables, pictures of shardings, and what is sent."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Sequence

from .errors import Error

if TYPE_CHECKING:
    from .estimate import Estimate
    from .graph import Graph
    from .plan import Plan
    from .program import Program
    from .search import Search

_MOST_ROWS = 40  # the others are folded


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows beyond the first ones are there too, folded."""

    def cells(tag: str, row: Sequence[Any]) -> str:
        return "".join(f"<{tag}>{cell if str(cell).startswith('<svg') else html.escape(str(cell))}</{tag}>" for cell in row)

    def part(rows: Sequence[Sequence[Any]]) -> str:
        body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
        return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"

    first, rest = rows[:_MOST_ROWS], rows[_MOST_ROWS:]
    folded = f"<details><summary>and {len(rest)} more</summary>{part(rest)}</details>" if rest else ""
    return part(first) + folded


def size(count: float) -> str:
    """Bytes as people read them, "12.3 kB"."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"


def _sent(program: "Program") -> str:
    """The collectives one by one, what they bring, and the peak."""
    rows = []
    for i in range(program.num_collectives):
        one = program.collective(i)
        rows.append(
            (i, one.kind, ", ".join(one.axes), program.graph.value_name(one.value), one.times, size(one.bytes_received * one.times))
        )
    kinds = ", ".join(f"{count} {kind}" for kind, count in program.collectives.items()) or "none"
    collectives = table(("", "collective", "axes", "value", "times", "received"), rows) if rows else ""
    return (
        f"<p>collectives: {html.escape(kinds)}; {size(program.bytes_received)} received by the busiest device; "
        f"peak {size(program.peak_bytes)}</p>{collectives}"
    )


def plan_html(plan: "Plan") -> str:
    """The arguments, each with its sharding and a picture of it, and what the program sends."""
    rows = []
    for i, argument in enumerate(plan.graph.arguments):
        sharding = plan.argument_sharding(i)
        rows.append((argument.name, argument.type, sharding, sharding.svg(bare=True)))
    try:
        sent = _sent(plan.lower())
    except Error as error:  # the policy "explicit" refuses what is not stated
        sent = f"<p>there is no program: {html.escape(str(error))}</p>"
    return f"<p>{html.escape(repr(plan))}</p>" + table(("argument", "type", "sharding", "tiles"), rows) + sent


def _folded(what: Any, *texts: str) -> str:
    return f"<p>{html.escape(repr(what))}</p>" + "".join(f"<pre>{html.escape(text)}</pre>" for text in texts)


def estimate_html(estimate: "Estimate") -> str:
    """Its tables."""
    return _folded(estimate, estimate.report())


def search_html(search: "Search") -> str:
    """What was found, as the lines of a spec."""
    return _folded(search, search.spec) if search.progress().episodes else _folded(search)


def graph_html(graph: "Graph") -> str:
    """Arguments, results and what ops there are."""
    rows = [("argument", a.name, a.type) for a in graph.arguments] + [("result", r.name, r.type) for r in graph.results]
    counts: dict[str, int] = {}
    for op in graph.ops:
        counts[op.name] = counts.get(op.name, 0) + 1
    ops = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return f"<p>{html.escape(repr(graph))}</p>" + table(("", "name", "type"), rows) + table(("op", "times"), ops)


def program_html(program: "Program") -> str:
    """What is sent, and the report."""
    return f"<p>{html.escape(repr(program))}</p>{_sent(program)}<pre>{html.escape(program.report())}</pre>"
