# SPDX-License-Identifier: Apache-2.0
"""src/ops says what ops are, whatever computes them: it has no functions on the host's memory and includes no kernels. Every file of
src/kernels/ref that names ops names some that src/ops defines, and no op is named by two of them."""

import re
import sys

import tree

FORBIDDEN = {
    r'#\s*include\s*"kernels/': "includes kernels",
    r"\b(KernelArgs|BlockFn)\b": "takes what kernels take",
    r"\bvoid \*": "takes a pointer to memory",
}
NAMED = re.compile(r'(?:\{|unary<[^()]*>\(|binary<[^()]*>\()"((?:stablehlo|chlo|check|shard)\.\w+)"')

root = sys.argv[1]
findings = []
checked = 0
ops = tree.files(root, "src/ops", ".cpp", ".hpp")
for path in ops:
    checked += 1
    for number, line in enumerate(tree.read(root, path).split("\n"), 1):
        for pattern, what in FORBIDDEN.items():
            if re.search(pattern, re.sub(r"//.*", "", line)):
                findings.append(f"{path}:{number}: {what}: {line.strip()}; what computes on the host stands in src/kernels/ref")

defined = "\n".join(tree.read(root, path) for path in ops)
named = {}
for path in tree.files(root, "src/kernels/ref", ".cpp"):
    checked += 1
    for op in NAMED.findall(tree.read(root, path)):
        if f'"{op}"' not in defined:
            findings.append(f"{path}: {op} is no op of src/ops")
        if op in named:
            findings.append(f"{path}: {op} has a reference in {named[op]} already")
        named[op] = path

assert len(named) > 75, "no references found"
tree.finish(findings, f"{checked} files, {len(named)} references")
