# SPDX-License-Identifier: Apache-2.0
"""clang 14 does not compile what libstdc++ 12 has of std::ranges that answers with a subrange: std::unique and its like do."""

import re
import sys

import tree

SUBRANGE = re.compile(r"std::ranges::(unique|remove|remove_if|partition|stable_partition|rotate|search|equal_range)\b")

root = sys.argv[1]
findings = []
checked = 0
for folder in ("src", "tests", "api"):
    for path in tree.files(root, folder, ".cpp", ".hpp"):
        checked += 1
        for number, line in enumerate(tree.read(root, path).split("\n"), 1):
            if found := SUBRANGE.search(line):
                findings.append(f"{path}:{number}: {found[0]}, which clang 14 does not compile: std::{found[1]}")

assert checked, "no files found"
tree.finish(findings, f"{checked} files")
