# SPDX-License-Identifier: Apache-2.0
"""Every file of ours opens with its SPDX line and, where it is code, a sentence saying what it does for its reader."""

import os
import sys

import tree

LINE = "SPDX-License-Identifier: Apache-2.0"
COMMENT = {".c": "//", ".cpp": "//", ".h": "//", ".hpp": "//", ".inc": "//", ".py": "#", ".java": "//", ".rs": "//", ".jl": "#", ".toml": "#", ".sh": "#", ".build": "#"}

root = sys.argv[1]
paths = ["dev", ".ci/run", "meson.build", "meson_options.txt"]
paths += [f"subprojects/{name}" for name in sorted(os.listdir(os.path.join(root, "subprojects"))) if name.endswith(".wrap")]
paths += tree.files(root, "subprojects/packagefiles", ".build")
for folder in tree.TOP_FOLDERS:
    paths += tree.files(root, folder, *COMMENT)

findings = []
for path in paths:
    lines = tree.read(root, path).split("\n")
    if lines[0].startswith("#!"):
        del lines[0]
    comment = next((c for suffix, c in COMMENT.items() if path.endswith(suffix)), "#")
    first = lines[0]
    if first not in (f"{comment} {LINE}", f"/* {LINE} */"):
        findings.append(f"{path}:1: should open with '{comment} {LINE}'")
    elif path.endswith((".c", ".cpp", ".h", ".hpp", ".inc")):
        second = lines[1] if len(lines) > 1 else ""
        if not second.startswith(("//", "/*", " *")):
            findings.append(f"{path}:2: say in a sentence what this file does for its reader")

tree.finish(findings, f"{len(paths)} files")
