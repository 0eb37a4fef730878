# SPDX-License-Identifier: Apache-2.0
"""Markdown is at most 110 columns wide, except tables and blocks of code, and what it links to exists."""

import os
import re
import sys

import tree

WIDTH = 110
root = sys.argv[1]
paths = [name for name in sorted(os.listdir(root)) if name.endswith(".md")]
for folder in tree.TOP_FOLDERS + ("docs",):
    paths += tree.files(root, folder, ".md")

findings = []
for path in paths:
    code = False
    for number, line in enumerate(tree.read(root, path).split("\n"), 1):
        if line.startswith("```"):
            code = not code
            continue
        if code:
            continue
        if len(line) > WIDTH and not line.startswith("|"):
            findings.append(f"{path}:{number}: {len(line)} columns, at most {WIDTH}")
        for target in re.findall(r"\]\(([^)#]+)", line):
            if "://" not in target and not os.path.exists(os.path.join(root, os.path.dirname(path), target)):
                findings.append(f"{path}:{number}: {target} does not exist")

assert paths, "no Markdown found"
tree.finish(findings, f"{len(paths)} pages")
