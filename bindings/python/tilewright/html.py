# SPDX-License-Identifier: Apache-2.0
"""Plans and programs in notebooks: tables, what is sent, and a picture of which device holds which part of an array."""

from __future__ import annotations

import html
import itertools
import math
from typing import TYPE_CHECKING, Any, Sequence

from .errors import Error

if TYPE_CHECKING:
    from .plan import Plan
    from .program import Program
    from .sharding import Sharding

_MOST_ROWS = 40  # the others are folded
_MOST_POSITIONS = 1024  # of a mesh whose tiles are drawn
_MOST_PANELS = 16
_WIDTH, _HEIGHT, _GAP, _LABEL = 120, 60, 6, 12
_LEAST_FOR_TEXT = 12  # pixels of a tile that names its devices

_Box = tuple[tuple[int, int], ...]  # offset and extent in each dimension


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


def _tiles(sharding: "Sharding") -> dict[_Box, list[int]]:
    """The devices that hold each tile."""
    tiles: dict[_Box, list[int]] = {}
    for position, device in enumerate(sharding.mesh.device_ids):
        offset, extent = sharding.tile(position)
        if math.prod(extent) == 0:
            continue
        holders = tiles.setdefault(tuple(zip(offset, extent)), [])
        if device not in holders:  # a step or thread of the same device
            holders.append(device)
    return tiles


def _drawn_dims(shape: Sequence[int], tiles: dict[_Box, list[int]]) -> list[int]:
    """The dimensions that are tiled, and besides the last ones that are not, so that there are two to draw."""
    tiled = [d for d in range(len(shape)) if any(box[d] != (0, shape[d]) for box in tiles)]
    others = [d for d in range(len(shape)) if d not in tiled]
    return sorted(tiled + others[len(others) - max(0, 2 - len(tiled)) :])


def sharding_svg(sharding: "Sharding") -> str:
    """The tiled dimensions of an array with the tiles that devices hold; a tile names its devices. The last two of these dimensions
    are the rows and columns of a panel; there is a panel for each tile of the others."""
    shape, tiles = sharding.shape, _tiles(sharding)
    dims = _drawn_dims(shape, tiles)
    outer, inner = dims[:-2], dims[-2:]
    columns = inner[-1] if inner else None
    rows = inner[0] if len(inner) > 1 else None

    def part(box: _Box, d: "int | None") -> tuple[float, float]:
        return (0.0, 1.0) if d is None else (box[d][0] / shape[d], box[d][1] / shape[d])

    panels: dict[_Box, list[str]] = {}
    for i, (box, devices) in enumerate(sorted(tiles.items())):
        panel = panels.setdefault(tuple(box[d] for d in outer), [])
        panel.append(_tile_svg(i, part(box, columns), part(box, rows), devices))
    axes = [f"{name}: dimension {d}" for name, d in (("down", rows), ("across", columns)) if d is not None and len(shape) > 2]
    shown = list(itertools.islice(panels.items(), _MOST_PANELS))
    drawn, at = "", 0
    for place, panel in shown:
        where = [f"[{d}] {offset}:{offset + extent}" for d, (offset, extent) in zip(outer, place)]
        label = f'<text x="1" y="{_HEIGHT + _LABEL}" font-size="9">{" ".join(where)}</text>' if where else ""
        drawn += f'<g transform="translate({at},0)">{"".join(panel)}{label}</g>'
        at += _WIDTH + _GAP
    lines = axes + ([f"and {len(panels) - len(shown)} more panels"] if len(panels) > len(shown) else [])
    below = _HEIGHT + (_LABEL if outer else 0) + 2
    if lines:
        drawn += f'<text x="1" y="{below + 9}" font-size="9">{", ".join(lines)}</text>'
        below += _LABEL
    title = html.escape(f"{sharding} on {sharding.mesh}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{max(at - _GAP, _WIDTH) + 2}" height="{below}" role="img">'
        f"<title>{title}</title>{drawn}</svg>"
    )


def _tile_svg(i: int, across: tuple[float, float], down: tuple[float, float], devices: Sequence[int]) -> str:
    x, w = 1 + across[0] * _WIDTH, across[1] * _WIDTH
    y, h = 1 + down[0] * _HEIGHT, down[1] * _HEIGHT
    drawn = f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="hsl({i * 47 % 360},60%,75%)" stroke="#555"/>'
    if w < _LEAST_FOR_TEXT or h < _LEAST_FOR_TEXT - 2:
        return drawn
    most = max(1, int(w / _LEAST_FOR_TEXT))
    text = ",".join(map(str, devices[:most])) + (".." if len(devices) > most else "")
    return drawn + (
        f'<text x="{x + w / 2:.1f}" y="{y + h / 2:.1f}" font-size="9" text-anchor="middle" dominant-baseline="middle">{text}</text>'
    )


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
    draws = plan.current_mesh.num_positions <= _MOST_POSITIONS
    rows = []
    for i, argument in enumerate(plan.graph.arguments):
        sharding = plan.argument_sharding(i)
        rows.append((argument.name, argument.type, sharding, sharding_svg(sharding) if draws else ""))
    try:
        sent = _sent(plan.lower())
    except Error as error:  # the policy "explicit" refuses what is not stated
        sent = f"<p>there is no program: {html.escape(str(error))}</p>"
    return f"<p>{html.escape(repr(plan))}</p>" + table(("argument", "type", "sharding", "tiles"), rows) + sent


def program_html(program: "Program") -> str:
    """What is sent, and the report."""
    return f"<p>{html.escape(repr(program))}</p>{_sent(program)}<pre>{html.escape(program.report())}</pre>"
