# SPDX-License-Identifier: Apache-2.0
"""A file of src/ includes only folders at or above its own, in the order that docs/design/overview.md gives; and a few rules of
who may see the public headers: the C ABI implements them, tw uses nothing else."""

import re
import sys

import tree

root = sys.argv[1]
block = re.search(r"^```include-order\n(.*?)^```", tree.read(root, "docs/design/overview.md"), re.S | re.M)
assert block, "docs/design/overview.md has no include-order block"
order = block[1].split()
rank = {folder: i for i, folder in enumerate(order)}
shared = {f"base/{name}.hpp" for name in re.findall(
    r"'(\w+)\.cpp'", re.search(r"shared_sources = files\((.*?)\)", tree.read(root, "src/base/meson.build"), re.S)[1])}
findings = []
checked = 0

for path in tree.files(root, "src", ".cpp", ".hpp", ".inc", ".h"):
    checked += 1
    parts = path.split("/")
    folder = parts[1]
    if path.endswith(".h"):
        findings.append(f"{path}: .h is for public headers, in api/")
    if len(parts) < 3 or folder not in rank:
        findings.append(f"{path}: not in a folder of the include order")
        continue
    if not re.fullmatch(r"[a-z0-9_]+", parts[-1].rsplit(".", 1)[0]):
        findings.append(f"{path}: file names are lower_snake")
    for number, line in enumerate(tree.read(root, path).split("\n"), 1):
        include = re.match(r'\s*#\s*include\s*([<"])([^">]+)', line)
        if not include:
            continue
        where, name = f"{path}:{number}", include[2]
        if name.startswith("tilewright/"):
            if folder not in ("capi", "cli", "pjrt"):
                findings.append(f"{where}: only capi, cli and pjrt include public headers")
        elif include[1] == '"':
            target = name.split("/")[0]
            if "/" not in name or target not in rank:
                findings.append(f'{where}: internal includes are written "folder/file.hpp"')
            elif rank[target] > rank[folder]:
                findings.append(f"{where}: {folder} may not include {target}, which comes after it")
            elif folder == "pjrt" and target != "pjrt":
                findings.append(f"{where}: the plug-in uses the public API alone")
            elif folder == "cli" and target != "cli" and name not in shared:
                findings.append(f"{where}: tw uses the public API, and of src/base what its meson.build shares with it")

for path in tree.files(root, "api", ".h"):
    checked += 1
    for number, line in enumerate(tree.read(root, path).split("\n"), 1):
        include = re.match(r'\s*#\s*include\s*"', line)
        if include:
            findings.append(f"{path}:{number}: public headers include <tilewright/...> and standard headers")

assert checked, "no files found"
tree.finish(findings, f"{checked} files")
