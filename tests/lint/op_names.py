# SPDX-License-Identifier: Apache-2.0
"""Only ops, which defines them, kernels/ref, which computes them, what reads and writes their texts, what adds
ops to programs, and what sees the public interface alone call ops by name.
Other folders ask for a trait or for the kind of an op (OpFlags, OpKind), so a new op is known to them by what it says of
itself."""

import re
import sys

import tree

MAY_NAME = ("src/ops/", "src/kernels/ref/", "src/import/", "src/emit/", "src/loops/spelling.cpp", "src/spmd/added_ops.cpp",
            "src/spmd/fold_", "src/cli/calibrate", "src/pjrt/")
NAME = re.compile(r'"(?:stablehlo|mhlo|chlo|func|sdy)\.')

root = sys.argv[1]
findings = []
checked = 0
for path in tree.files(root, "src", ".cpp", ".hpp", ".inc"):
    if path.startswith(MAY_NAME):
        continue
    checked += 1
    for number, line in enumerate(tree.read(root, path).split("\n"), 1):
        if NAME.search(re.sub(r"//.*", "", line)):
            findings.append(f"{path}:{number}: names an op: {line.strip()}; ask for a trait of OpDef or for its OpKind")

assert checked, "no files found"
tree.finish(findings, f"{checked} files")
