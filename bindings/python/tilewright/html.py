# SPDX-License-Identifier: Apache-2.0
"""Plans and programs in notebooks: tables, and a picture of which device holds which part of an array."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any, Iterable, Sequence

if TYPE_CHECKING:
    from .plan import Plan
    from .program import Program
    from .sharding import Sharding

_MOST_ROWS = 40
_MOST_TILES = 64
_WIDTH, _HEIGHT = 120, 60


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    def cells(tag: str, row: Sequence[Any]) -> str:
        return "".join(f"<{tag}>{cell if str(cell).startswith('<svg') else html.escape(str(cell))}</{tag}>" for cell in row)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"


def sharding_svg(sharding: "Sharding") -> str:
    """The last two dimensions of an array with the tiles that devices hold; a tile names its devices."""
    shape, mesh = sharding.shape, sharding.mesh
    rank = len(shape)
    rows, columns = (shape[-2] if rank > 1 else 1), (shape[-1] if rank else 1)
    tiles: dict[tuple[float, float, float, float], list[int]] = {}
    for position, device in enumerate(mesh.device_ids):
        offset, extent = sharding.tile(position)
        if math.prod(extent) == 0:
            continue
        top, height = (offset[-2] / rows, extent[-2] / rows) if rank > 1 else (0.0, 1.0)
        left, width = (offset[-1] / columns, extent[-1] / columns) if rank else (0.0, 1.0)
        holders = tiles.setdefault((left, top, width, height), [])
        if device not in holders:  # a step or thread of the same device
            holders.append(device)
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
    draws = plan.current_mesh.num_positions <= _MOST_TILES
    rows = []
    for i, argument in enumerate(plan.graph.arguments[:_MOST_ROWS]):
        sharding = plan.argument_sharding(i)
        rows.append((argument.name, argument.type, sharding, sharding_svg(sharding) if draws else ""))
    more = len(plan.graph.arguments) - _MOST_ROWS
    rest = f"<p>and {more} more</p>" if more > 0 else ""
    return f"<p>{html.escape(repr(plan))}</p>" + table(("argument", "type", "sharding", "tiles"), rows) + rest


def program_html(program: "Program") -> str:
    """The collectives one by one, and the report."""
    rows = []
    for i in range(min(program.num_collectives, _MOST_ROWS)):
        one = program.collective(i)
        rows.append((i, one.kind, ", ".join(one.axes), program.graph.value_name(one.value), one.times, one.bytes_received))
    collectives = table(("", "collective", "axes", "value", "times", "bytes received"), rows)
    return f"<p>{html.escape(repr(program))}</p>{collectives}<pre>{html.escape(program.report())}</pre>"
