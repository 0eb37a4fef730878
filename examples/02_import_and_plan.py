# SPDX-License-Identifier: Apache-2.0
"""Reads a StableHLO program, applies a spec over a mesh, and says what every device holds, what must be sent, and why; runs nothing.
Usage: 02_import_and_plan.py MODEL.mlir MESH SPEC.txt VALUE"""

import sys

import tilewright as tw

if len(sys.argv) != 5:
    sys.exit(f"usage: {sys.argv[0]} MODEL.mlir MESH SPEC.txt VALUE")
model, mesh, spec, value = sys.argv[1:]
try:
    graph = tw.load(model)
    print(f"{graph.name}: {graph.num_ops} ops, {len(graph.arguments)} arguments")
    plan = graph.plan(mesh).apply_file(spec)
    print("\n" + plan.explain(value), end="")
    program = plan.lower()
    print("\n" + program.report(100), end="")
except tw.Error as error:
    sys.exit(str(error))  # position in our text, one line, the id, then notes
sys.exit(1 if program.num_failed_expectations else 0)
