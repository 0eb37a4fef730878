# SPDX-License-Identifier: Apache-2.0
"""What the library exports, what api/tilewright.map names and what the public headers declare TW_API are the same set.
Usage: exported_symbols.py SOURCE_ROOT LIBRARY"""

import re
import subprocess
import sys

import tree

root, library = sys.argv[1:]

map_text = re.sub(r"/\*.*?\*/|#[^\n]*|//[^\n]*", "", tree.read(root, "api/tilewright.map"), flags=re.S)
mapped = set()
for part in re.findall(r"global:(.*?)(?:local:|\})", map_text, re.S):
    mapped |= set(part.replace(";", " ").split())

exported = set()
for line in subprocess.run(["nm", "-D", "--defined-only", library], check=True, text=True, capture_output=True).stdout.split("\n"):
    fields = line.split()
    if len(fields) == 3 and fields[1] != "A":  # A: the names of versions
        exported.add(fields[2].split("@")[0])

declared = set()
for path in tree.files(root, "api", ".h"):
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#(\\\n|[^\n])*", "", tree.read(root, path), flags=re.S | re.M)
    declared |= set(re.findall(r"\bTW_API\b[^;{]*?\b(tw_\w+)\s*\(", text))

findings = []
for one, first, other, second in (
    (exported, "exported", mapped, "in the map"),
    (mapped, "in the map", exported, "exported"),
    (declared, "declared TW_API", exported, "exported"),
    (exported, "exported", declared, "declared TW_API in a public header"),
):
    findings += [f"{name} is {first} but not {second}" for name in sorted(one - other)]
tree.finish(findings, f"{len(exported)} symbols")
