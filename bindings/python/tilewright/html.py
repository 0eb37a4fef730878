# SPDX-License-Identifier: Apache-2.0
"""Plans and programs in notebooks: tables, and a picture of which device holds which part of an array."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any, Iterable, Sequence

from .mesh import Mesh

if TYPE_CHECKING:
    from .plan import Plan
    from .program import Program

_MOST_ROWS = 40
_WIDTH, _HEIGHT = 120, 60


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    def cells(tag: str, row: Sequence[Any]) -> str:
        return "".join(f"<{tag}>{cell if str(cell).startswith('<svg') else html.escape(str(cell))}</{tag}>" for cell in row)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"


def sharding_svg(mesh: Mesh, sharding: str, shape: Sequence[int]) -> str:
    """The last two dimensions of an array with the tiles that devices hold; a tile names its devices."""
    rank = len(shape)
    rows, columns = (shape[-2] if rank > 1 else 1), (shape[-1] if rank else 1)
    tiles: dict[tuple[float, float, float, float], list[int]] = {}
    for device in range(mesh.num_devices):
        offset, extent = mesh.box(sharding, shape, device)
        if math.prod(extent) == 0:
            continue
        top, height = (offset[-2] / rows, extent[-2] / rows) if rank > 1 else (0.0, 1.0)
        left, width = (offset[-1] / columns, extent[-1] / columns) if rank else (0.0, 1.0)
        tiles.setdefault((left, top, width, height), []).append(device)
    drawn = "".join(_tile_svg(i, box, devices) for i, (box, devices) in enumerate(sorted(tiles.items())))
    title = html.escape(f"{sharding} on {mesh}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH + 2}" height="{_HEIGHT + 2}" role="img">'
        f"<title>{title}</title>{drawn}</svg>"
    )


def _tile_svg(i: int, box: tuple[float, float, float, float], devices: Sequence[int]) -> str:
    left, top, width, height = box
    x, y, w, h = 1 + left * _WIDTH, 1 + top * _HEIGHT, width * _WIDTH, height * _HEIGHT
    text = ",".join(map(str, devices[:4])) + (".." if len(devices) > 4 else "")
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="hsl({i * 47 % 360},60%,75%)" stroke="#555"/>'
        f'<text x="{x + w / 2:.1f}" y="{y + h / 2:.1f}" font-size="9" text-anchor="middle" dominant-baseline="middle">{text}</text>'
    )


def plan_html(plan: "Plan") -> str:
    """The arguments, each with its sharding and a picture of it."""
    mesh = plan.mesh
    rows = []
    for argument in plan.graph.arguments[:_MOST_ROWS]:
        sharding = plan.sharding(argument.name)
        picture = sharding_svg(mesh, sharding, argument.type.shape) if mesh is not None and mesh.num_devices <= 64 else ""
        rows.append((argument.name, argument.type, sharding, picture))
    more = len(plan.graph.arguments) - _MOST_ROWS
    rest = f"<p>and {more} more</p>" if more > 0 else ""
    return f"<p>{html.escape(repr(plan))}</p>" + table(("argument", "type", "sharding", "tiles"), rows) + rest


def program_html(program: "Program") -> str:
    """How many collectives of each kind, and the report."""
    counts = table(("collective", "count"), list(program.collectives.items()))
    return f"<p>{html.escape(repr(program))}</p>{counts}<pre>{html.escape(program.report())}</pre>"
