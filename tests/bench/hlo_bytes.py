# SPDX-License-Identifier: Apache-2.0
"""What a partitioned HLO text makes a device receive: its collectives, each as often as the loops around it turn."""

import math
import re
import sys

KINDS = ("all-gather", "all-reduce", "all-to-all", "collective-permute", "reduce-scatter")
COLLECTIVE = re.compile(rf"(?<= )({'|'.join(KINDS)})(-start)?\(")
CALLED = re.compile(r"(?:body|condition|to_apply|calls|true_computation|false_computation)=%?([\w.\-]+)")
BRANCHES = re.compile(r"branch_computations=\{([^}]*)\}")
TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d+)"\}')
BITS = {"pred": 8, "token": 0, "c64": 64, "c128": 128}


def element_bytes(name):
    return BITS.get(name, int(re.search(r"\d+", name)[0]) if re.search(r"\d+", name) else 0) / 8


def result_bytes(line):
    """Of each part of the instruction's result: an instruction with several is so many that were combined."""
    result = line.split(" = ", 1)[1]
    result = result[: result.index(")" if result.startswith("(") else "(")]
    parts = re.findall(r"([a-z]\w*)\[([\d,]*)\]", result)
    return [element_bytes(name) * math.prod(int(n) for n in dims.split(",") if n) for name, dims in parts]


def group_size(line):
    """Groups are listed, or `[groups,size]<=..`, or some axes `{'x','y':(2)2}` of a `mesh['x'=2,..]`."""
    if listed := re.search(r"replica_groups=\{\{([\d,]+)\}", line):
        return listed[1].count(",") + 1
    if iota := re.search(r"replica_groups=\[(\d+),(\d+)\]", line):
        return int(iota[2])
    if mesh := re.search(r"replica_groups=mesh\[(.*?)\].*?\{('[^}]*)\}", line):
        size = dict(re.findall(r"'(\w+)'=(\d+)", mesh[1]))
        axes = re.findall(r"'(\w+)'(?::\(\d+\)(\d+))?", mesh[2])  # a part of an axis says its size
        return math.prod(int(part or size[axis]) for axis, part in axes)
    sys.exit(f"not counted: {line}")


def received(line, devices):
    """The kind of a collective, how many of them were combined, and the bytes that a device receives on average; nothing of other instructions."""
    op = COLLECTIVE.search(line)
    if not op or " = " not in line:
        return None
    if op[2]:  # the start of an asynchronous one: a tuple of operand and result
        sys.exit(f"not counted: {line}")
    parts = result_bytes(line)
    size = sum(parts)
    # An all_to_all of several parts has one for each device.
    combined = 1 if op[1] == "all-to-all" else len(parts)
    if op[1] == "collective-permute":
        pairs = re.search(r"source_target_pairs=\{(.*?)\}\}", line)[1] + "}"
        moved = sum(a != b for a, b in re.findall(r"\{(\d+),(\d+)\}", pairs))
        return op[1], combined, size * moved / devices
    g = group_size(line)
    factor = {"all-gather": 1, "all-to-all": 1, "all-reduce": 2, "reduce-scatter": g}[op[1]]
    return op[1], combined, size * factor * (g - 1) / g


def count(hlo, devices):
    """Kind -> how often it runs, and all bytes; a loop of unknown length turns once, a branch counts as if taken."""
    computations, name, entry = {}, None, None
    for line in hlo.splitlines():
        if head := re.match(r"(ENTRY )?%?([\w.\-]+) .*\{$", line):
            name = head[2]
            entry = name if head[1] else entry
            computations[name] = []
        elif name is not None and " = " in line:
            computations[name].append(line)

    def visit(name):
        times, total = dict.fromkeys(KINDS, 0), 0.0
        for line in computations.get(name, ()):
            if found := received(line, devices):
                times[found[0]] += found[1]
                total += found[2]
                continue
            trips = int(TRIPS.search(line)[1]) if " while(" in line and TRIPS.search(line) else 1
            called = CALLED.findall(line)
            for branches in BRANCHES.findall(line):
                called += [b.strip().lstrip("%") for b in branches.split(",")]
            for inner in called:
                inner_times, inner_total = visit(inner)
                total += trips * inner_total
                for kind, n in inner_times.items():
                    times[kind] += trips * n
        return times, total

    return visit(entry)
