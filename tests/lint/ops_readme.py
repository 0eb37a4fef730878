# SPDX-License-Identifier: Apache-2.0
"""src/ops/README.md is what the registry and the tests say today: every op with its rule, factor kinds, kernels and the tests that cover it.
Usage: ops_readme.py TW ROOT [--update]"""

import glob
import json
import os
import re
import subprocess
import sys

tw, root = sys.argv[1], sys.argv[2]
ops = json.loads(subprocess.run([tw, "ops", "--json"], capture_output=True, text=True, check=True).stdout)
if not any("onednn" in kernel for op in ops for kernel in op["kernels"]):
    print("skipped: the table names oneDNN's kernels, and this build has none")
    sys.exit(77)
readme = os.path.join(root, "src/ops/README.md")

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by tests/lint/ops_readme.py from the registry and the tests; do not edit. -->

# Ops

Every op of the registry: `tw ops` prints the same from a build, `tw ops NAME` the attributes. A rule names
the loops of a typical instance: letters that operands and results share are one loop. `pass` loops tile the
result, `reduce` loops leave partial values, `whole` loops are never split; a dimension `-` has none.
Kernels: the first that takes an op's types and shapes runs it, `ref` always does.

Tests: **rules** cuts 50 random instances along every factor into 2 and 3 tiles, uneven and empty ones
included, and compares with the whole (`tests/unit/ops/test_rules.cpp`); **golden** are cases with results
and errors (`tests/golden/ops`); **conformance** compares kernels with the reference; **programs** are
random ones, run partitioned (`tests/support/program_generator.hpp`); **checked** programs carry their
expectation (`tests/golden/checked`). Besides, every op is in the oracle corpus, whose results XLA computed
(`tests/golden/oracles`).

"""


def text_of(pattern):
    """The files of a glob, with how often each is one text."""
    return "\n".join(open(f, encoding="utf-8").read() for f in sorted(glob.glob(os.path.join(root, pattern))))


def golden(name):
    path = os.path.join(root, "tests/golden/ops", name + ".txt")
    return open(path, encoding="utf-8").read() if os.path.exists(path) else ""


SOURCES = {
    "conformance": text_of("tests/conformance/*.cpp"),
    "programs": "\n".join(map(text_of, ("tests/support/program_generator.hpp", "tests/support/random_[emr]*.cpp"))),
    "checked": text_of("tests/golden/checked/*.mlir"),
}


def rule_of(op):
    found = re.search(r"^=> (\(.*)$", golden(op["name"]), re.M)
    return found.group(1) if found else op["rule"]


def kinds_of(rule):
    after = rule[rule.rfind(")") + 1 :].split()
    kinds = [k.split(":")[1] for k in after if not k.startswith("once:")]
    named = {k.split(":")[0] for k in after}
    letters = set(re.findall(r"[a-z]\d*", rule[: rule.rfind(")")]))
    order = ["pass"] if letters - named else []
    order += [k for k in dict.fromkeys(kinds) if k != "whole"]
    return ", ".join(order + (["whole"] if "whole" in kinds else []))


def tests_of(op):
    name = op["name"]
    has_kernel = bool(op["kernels"])
    found = []
    if has_kernel and op["results"] != 0:
        found.append("rules")
    if golden(name):
        found.append("golden")
    for kind, text in SOURCES.items():
        dialect, short = name.split(".", 1)
        words = [re.escape(name), rf'"{re.escape(short)}"'] if kind != "checked" else [re.escape(name), "mhlo." + short]
        if any(re.search(rf"(?<![\w.]){w}(?!\w)", text) for w in words):
            found.append(kind)
    if name.startswith("check."):
        found.append("`test_check`")
    return ", ".join(found)


def cell(text):
    return text.replace("|", "\\|")


rows = ["| op | rule | kinds | kernels | tests |", "| --- | --- | --- | --- | --- |"]
for op in ops:
    rule = rule_of(op)
    shown = f"`{rule}`" if rule else ""
    rows.append(f"| `{op['name']}` | {cell(shown)} | {kinds_of(rule) if rule else ''} | {', '.join(op['kernels'])} | {tests_of(op)} |")
text = HEAD + "\n".join(rows) + "\n"

if "--update" in sys.argv:
    open(readme, "w", encoding="utf-8").write(text)
    sys.exit(0)
known = open(readme, encoding="utf-8").read() if os.path.exists(readme) else ""
if known != text:
    print("src/ops/README.md is stale: python3 tests/lint/ops_readme.py TW . --update")
    sys.exit(1)
untested = [op["name"] for op in ops if not tests_of(op) and not op["name"].startswith("func.") and op["kernels"]]
if untested:
    sys.exit(f"no test covers {', '.join(untested)}")
