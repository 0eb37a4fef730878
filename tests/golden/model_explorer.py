#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tw emit --to model-explorer` and its node data, as Model Explorer reads them: ids are unique, edges and overlays join nodes that there
are, attributes are texts, and the bytes of all nodes are those of the plan. Usage: model_explorer.py TW"""

import json
import os
import subprocess
import sys

tw = os.path.abspath(sys.argv[1])
ROOT = sys.path[0] + "/../.."
PROGRAMS = [
    ["examples/models/gpt_step.mlir", "--mesh", "data=2,model=4", "--spec", "examples/specs/gpt_megatron_zero3.txt"],
    ["examples/models/mlp_step.mlir", "--mesh", "data=2,model=2", "--spec", "examples/specs/mlp_megatron.txt"],
    ["tests/golden/cli/diff_scan.mlir", "--mesh", "data=2,model=4", "-a",
     "tile(arg=arg0, dim=0, axis=data); tile(arg=arg1, dim=1, axis=model); tile(arg=arg2, dim=1, axis=model); infer-propagate"],
]


def run(*words):
    return json.loads(subprocess.run([tw, *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout)


def check_texts(pairs):
    for pair in pairs:
        assert set(pair) == {"key", "value"} and isinstance(pair["value"], str), pair


for program in PROGRAMS:
    made = run("emit", *program, "--to", "model-explorer")
    data = run("emit", *program, "--to", "model-explorer-data")
    plan = run("plan", *program, "--json")
    (graph,) = made["graphs"]
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert len(nodes) == len(graph["nodes"]) > 5, "ids are not unique"
    for node in graph["nodes"]:
        assert node["label"], node
        check_texts(node["attrs"])
        for output in node["outputsMetadata"]:
            check_texts(output["attrs"])
        for edge in node["incomingEdges"]:
            outputs = nodes[edge["sourceNodeId"]]["outputsMetadata"]
            assert int(edge["sourceNodeOutputId"]) < len(outputs), edge
    collectives = [node for node in graph["nodes"] if " over " in node["label"] and not node["label"].startswith("loop")]
    assert len(collectives) == len(plan["collectives"]), (len(collectives), len(plan["collectives"]))
    ((name, values),) = data.items()
    assert name == graph["id"]
    assert set(values["results"]) == {node["id"] for node in collectives}
    received = sum(result["value"] for result in values["results"].values())
    assert received == plan["bytes_received"]["max"] == sum(c["bytes_received"] * c["times"] for c in plan["collectives"]), received
    (overlays,) = graph["tasksData"]["edgeOverlaysDataListLeftPane"]
    ends = [edge["targetNodeId"] for overlay in overlays["overlays"] for edge in overlay["edges"]]
    assert set(ends) == set(values["results"]), "overlays lead to the collectives"
print(f"{len(PROGRAMS)} programs")
