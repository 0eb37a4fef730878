#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A plan with thousands of conflicts costs the ways of the first ones, says of the others that they are not counted, and ends soon.
Usage: many_conflicts.py TW"""

import json
import subprocess
import sys
import tempfile

COUNT, TYPE = 2000, "tensor<8x8xf32>"
arguments = ", ".join(f"%x{i}: {TYPE}, %y{i}: {TYPE}" for i in range(COUNT))
ops = "\n".join(f"  %z{i} = stablehlo.add %x{i}, %y{i} : {TYPE}" for i in range(COUNT))
results = ", ".join(f"%z{i}" for i in range(COUNT))
types = ", ".join([TYPE] * COUNT)
with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
    file.write(f"func.func @main({arguments}) -> ({types}) {{\n{ops}\n  return {results} : {types}\n}}\n")
    file.flush()
    actions = 'tile(arg="x*", dim=0, axis=a); tile(arg="y*", dim=1, axis=a); propagate'
    command = [sys.argv[1], "plan", file.name, "--mesh", "a=2", "-a", actions]
    report = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout

ways = [way for conflict in report["conflicts"] for way in conflict["candidates"]]
counted = [way for way in ways if way.get("counted", True)]
assert len(report["conflicts"]) == COUNT, len(report["conflicts"])
assert len(ways) == 2 * COUNT
assert 16 <= len(counted) < 400, len(counted)
assert all(way["bytes"] is not None for way in counted)
assert all(way["bytes"] is None for way in ways if "counted" in way)
assert "not counted" not in table and f"and {COUNT - 16} more" in table
