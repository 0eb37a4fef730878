# SPDX-License-Identifier: Apache-2.0
"""What the rules share: the files of the tree, and how findings are reported."""

import os
import re
import sys

TOP_FOLDERS = ("api", "src", "bindings", "examples", "tests")
SKIPPED = {"__pycache__", "subprojects", "corpus", "target"}


def files(root, folder, *suffixes):
    """Paths under root/folder with one of the suffixes, relative to root, sorted."""
    found = []
    for at, folders, names in os.walk(os.path.join(root, folder)):
        folders[:] = [f for f in folders if f not in SKIPPED and not f.startswith((".", "build"))]
        found += [os.path.relpath(os.path.join(at, n), root) for n in names if n.endswith(suffixes)]
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def entries(text):
    """The entries TW_NAME(arguments) of a *_list.inc, each of one line or more: (line number, macro, arguments)."""
    for match in re.finditer(r"^(TW_[A-Z_]+)\((.*?)\)[ \t]*(?://[^\n]*)?$", text, re.M | re.S):
        yield text.count("\n", 0, match.start()) + 1, match[1], match[2]


def finish(findings, what):
    """Prints the findings and ends the test."""
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings in {what}")
    sys.exit(1 if findings else 0)
