# SPDX-License-Identifier: Apache-2.0
"""The *_list.inc files: no entry twice, sorted where their head says so, every source named somewhere, and every
diagnostic id that the code uses listed, every listed one used."""

import os
import re
import sys

import tree

root = sys.argv[1]
findings = []

# Each list by itself.
lists = tree.files(root, "src", "_list.inc") + tree.files(root, "tests", "_list.inc")
for path in lists:
    text = tree.read(root, path)
    head = "\n".join(line for line in text.split("\n")[:6] if line.startswith("//")).lower()
    previous, seen = None, set()
    for number, _, arguments in tree.entries(text):
        key = arguments.split(",")[0].strip() if path.endswith("diag_list.inc") else arguments
        if key in seen:
            findings.append(f"{path}:{number}: {key} is listed twice")
        elif previous is not None and "sorted" in head and key < previous:
            findings.append(f"{path}:{number}: {key} should stand before {previous}")
        seen.add(key)
        previous = key

# What may be left out by name is in the help and in the header.
for path in ("src/spmd/pass_list.inc", "src/runtime/pass_list.inc"):
    for number, macro, arguments in tree.entries(tree.read(root, path)):
        name, *kind = [a.strip() for a in arguments.split(",")]
        if kind != ["needed"]:
            for teller in ("src/cli/options.cpp", "api/tilewright/tw_program.h"):
                if not re.search(rf"\b{name}\b", tree.read(root, teller)):
                    findings.append(f"{path}:{number}: {teller} does not say that {name} may be left out")

# Every source is built.
FAMILIES = {
    "src/ops/op_list.inc": "src/ops/{0}.cpp",
    "src/import/dialect_list.inc": "src/import/dialects/{0}.cpp",
    "src/partition/action_list.inc": "src/partition/actions/{0}.cpp",
    "src/spmd/pass_list.inc": "src/spmd/{0}.cpp",
    "src/runtime/pass_list.inc": "src/runtime/{0}.cpp",
    "src/spmd/naive/pass_list.inc": "src/spmd/naive/{0}.cpp",
    "src/emit/emit_list.inc": "src/emit/{0}.cpp",
    "src/kernels/kernel_list.inc": "src/kernels/{0}/{1}.cpp",
    "src/device/kind_list.inc": "src/device/{0}/{1}.cpp",
    "src/kernels/ref/reference_list.inc": "src/kernels/ref/{0}.cpp",
    "src/search/strategy_list.inc": "src/search/strategies/{0}.cpp",
    "src/report/page/section_list.inc": "src/report/page/{0}.cpp",
    "src/store/store_list.inc": "src/store/{0}.cpp",
    "src/cli/verb_list.inc": "src/cli/{0}.cpp",
}
named = set()
for path, pattern in FAMILIES.items():
    for _, _, arguments in tree.entries(tree.read(root, path)):
        named.add(pattern.format(*[a.strip().strip('"') for a in arguments.split(",")]))
for path in lists:
    folder, name = os.path.split(path)
    if name == "test_list.inc":
        for _, macro, arguments in tree.entries(tree.read(root, path)):
            if macro.startswith("TW_TEST"):
                suffix = ".c" if folder == "tests/api" else ".cpp"
                named.add(f"{folder}/test_{arguments}{suffix}")
    if path == "tests/golden/case_list.inc":
        for _, _, arguments in tree.entries(tree.read(root, path)):
            named.add(f"{folder}/cli/{arguments}.txt")
for path in tree.files(root, "src", "meson.build"):
    for source in re.findall(r"'([\w/]+\.cpp)'", tree.read(root, path)):
        named.add(f"{os.path.dirname(path)}/{source}")
sources = tree.files(root, "src", ".cpp")
sources += [p for p in tree.files(root, "tests/unit", ".cpp") + tree.files(root, "tests/api", ".c")
            if os.path.basename(p).startswith("test_")]
sources += tree.files(root, "tests/golden/cli", ".txt")
for path in sources:
    if path not in named:
        findings.append(f"{path}: no list and no meson.build names it, so it is not built or run")

# Diagnostics.
listed = {}
for number, macro, arguments in tree.entries(tree.read(root, "src/base/diag_list.inc")):
    if macro == "TW_DIAG":
        listed["TW-" + arguments.split(",")[0]] = number
used = {}
for path in tree.files(root, "src", ".cpp", ".hpp"):
    for number, line in enumerate(tree.read(root, path).split("\n"), 1):
        for id in re.findall(r'"(TW-\d+)"', line.split("//")[0]):
            used.setdefault(id, f"{path}:{number}")
for id, where in sorted(used.items()):
    if id not in listed:
        findings.append(f"{where}: {id} is not in src/base/diag_list.inc")
for id, number in listed.items():
    if id not in used:
        findings.append(f"src/base/diag_list.inc:{number}: nothing says {id}")

tree.finish(findings, f"{len(lists)} lists, {len(sources)} sources and {len(used)} diagnostics")
