# SPDX-License-Identifier: Apache-2.0
"""What plans and programs say of themselves piece by piece: actions, loops, and what could not be decided."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

from . import _core
from ._names import CONFLICT_KINDS, LOOP_KINDS, REDUCTIONS
from ._object import Object, maybe, registered


class Action(NamedTuple):
    """One step that was applied: a line of a spec, an annotation of the module, or a call such as Plan.tile()."""

    text: str
    #: "" and 0 where it stands in no text.
    file: str
    line: int
    column: int


class Loop(NamedTuple):
    """One loop around an op."""

    axis: str
    #: "tile", "reduce" (each turn makes a partial value) or "whole" (kept whole on purpose).
    kind: str
    #: The dimension of each operand, and of each result, that it tiles.
    operand_dims: tuple[Optional[int], ...]
    result_dims: tuple[Optional[int], ...]
    #: Of "reduce": "sum", "max", ..
    reduction: str
    #: The number of the action from which it follows, and the op whose loop it follows; None: the action put it here.
    action: int
    cause: Optional[int]


class Way(NamedTuple):
    """One way to decide a conflict. Of a disagreement the first one is what the op does now."""

    #: "tile 0", with the order of axes where that is at stake.
    text: str
    kind: str
    dim: Optional[int]
    reduction: str
    #: The op that offers it, and the action from which that follows.
    source: Optional[int]
    action: int
    #: What the busiest device receives in the program with this decided, and how much more that is than now; None: not known.
    bytes: Optional[int]
    more_bytes: Optional[int]


class Conflict(NamedTuple):
    """Why an axis was not given to an op, or a value moves. str() is the text."""

    #: "tie", "gate", "uneven", "strided", "mismatch" or "illegal".
    kind: str
    axis: str
    op: Optional[int]
    value: Optional[int]
    text: str
    ways: tuple[Way, ...]

    def __str__(self) -> str:
        return self.text


@registered("tw_conflicts_t")
class _Conflicts(Object):
    """A list of conflicts, as the library holds it."""


def action_of(fields: dict[str, Any]) -> Action:
    return Action(fields["text"], fields["file"], fields["line"], fields["column"])


def loop_of(fields: dict[str, Any], operand_dims: list[int], result_dims: list[int]) -> Loop:
    return Loop(
        fields["axis"], LOOP_KINDS[fields["kind"]], tuple(maybe(d, -1) for d in operand_dims),
        tuple(maybe(d, -1) for d in result_dims), REDUCTIONS[fields["reduction"]], fields["action"],
        maybe(fields["cause"], _core.TW_NO_OP),
    )


def _way(fields: dict[str, Any]) -> Way:
    known = fields["bytes"] != -1
    return Way(
        fields["text"], LOOP_KINDS[fields["kind"]], maybe(fields["dim"], -1), REDUCTIONS[fields["reduction"]],
        maybe(fields["source"], _core.TW_NO_OP), fields["action"], fields["bytes"] if known else None,
        fields["more_bytes"] if known else None,
    )


def conflicts_of(make: Callable[[Any], _Conflicts], of: Any) -> tuple[Conflict, ...]:
    """All that tw_plan_conflicts, or one of its neighbours, says of a plan or program."""
    found = []
    with make(of) as conflicts:
        for i in range(_core.tw_conflicts_count(conflicts)):
            fields = _core.tw_conflicts_view(conflicts, i)
            ways = [_way(_core.tw_conflicts_way(conflicts, i, way)) for way in range(fields["num_ways"])]
            found.append(Conflict(
                CONFLICT_KINDS[fields["kind"]], fields["axis"], maybe(fields["op"], _core.TW_NO_OP),
                maybe(fields["value"], _core.TW_NO_VALUE), fields["text"], tuple(ways),
            ))
    return tuple(found)
