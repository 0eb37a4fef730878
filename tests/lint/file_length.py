# SPDX-License-Identifier: Apache-2.0
"""No file is over 450 lines, unless its first comment says why: "Longer than ..."."""

import re
import sys

import tree

MOST = 450
root = sys.argv[1]
paths = []
for folder in tree.TOP_FOLDERS:
    paths += tree.files(root, folder, ".c", ".cpp", ".h", ".hpp", ".java", ".jl", ".py", ".rs")
findings = []
for path in paths:
    text = tree.read(root, path)
    comment = re.sub(r"\s*\n//\s*|\s*\n \*\s*", " ", text[:1500]).split("\n")
    if text.count("\n") > MOST and not any("Longer than" in line for line in comment[:3]):
        findings.append(f"{path}: {text.count(chr(10))} lines: split it, or begin with a comment that says why it is longer")

tree.finish(findings, f"{len(paths)} files")
