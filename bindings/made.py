# SPDX-License-Identifier: Apache-2.0
"""What the scripts share that make files from the headers or from bindings/api.json: C's types in parts, and writing or comparing files."""

import json
import os
import re
import sys


def description(root):
    with open(os.path.join(root, "bindings", "api.json"), encoding="utf-8") as file:
        return json.load(file)


def pointers(type_):
    """A C type as its base name and, from the innermost pointer on, whether that points to something const."""
    parts = type_.split("*")
    base = re.sub(r"\bconst\b", "", parts[0]).strip()
    return base, ["const" in part for part in parts[:-1]]


def array(type_):
    """The element type and the size of "uint64_t[3]"; None for other types."""
    found = re.fullmatch(r"(\w+)\[(\d+)\]", type_)
    return (found[1], int(found[2])) if found else None


def finish(script, root, files):
    """Writes the files, {path: text}, where the command line says --update; otherwise says which are out of date."""
    stale = []
    for path, text in files.items():
        full = os.path.join(root, path)
        if "--update" in sys.argv:
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
            continue
        with open(full, encoding="utf-8") as file:
            if file.read() != text:
                stale.append(path)
    if stale:
        sys.exit(f"{', '.join(stale)} is out of date: python3 bindings/{script} . --update")
