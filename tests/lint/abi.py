# SPDX-License-Identifier: Apache-2.0
"""Programs that were compiled against the public headers as they were go on working: symbols and the layout of types are
those of tests/lint/abi/tilewright.abi, but for the breaks that tests/lint/abi/intended.suppr lists. A library of empty functions,
compiled from the headers, stands for the real one, which has no debug information; lint/exported_symbols compares the
two. `--update` writes the dump anew: at a release, after which what is intended is past.
Usage: abi.py SOURCE_ROOT COMPILER... [--update]"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import tree

PUBLISHED, INTENDED = "tests/lint/abi/tilewright.abi", "tests/lint/abi/intended.suppr"
root, *compiler = [a for a in sys.argv[1:] if a != "--update"]
for tool in ("abidw", "abidiff"):
    if shutil.which(tool) is None:
        print(f"{tool} is not installed (Debian: abigail-tools): the ABI is not compared")
        sys.exit(77)

source, functions, growing = "", 0, set()
for path in tree.files(root, "api", ".h"):
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#(\\\n|[^\n])*", "", tree.read(root, path), flags=re.S | re.M)
    source += f"#include <{path.removeprefix('api/')}>\n"
    growing |= set(re.findall(r"struct (\w+) \{\s*size_t struct_size;", text))
    for declaration in re.findall(r"\bTW_API\b[^;{]*?\btw_\w+\s*\([^;{]*\)(?=\s*;)", text):
        source += declaration + " { __builtin_trap(); }\n"
        functions += 1
assert functions, "no functions found"

# Callers say in struct_size how much of a struct they know: it may grow at its end.
allowed = tree.read(root, INTENDED)
for name in sorted(growing):
    allowed += f"\n[suppress_type]\n  name = {name}\n  has_data_member_inserted_at = end\n"

with tempfile.TemporaryDirectory() as folder:
    code, library, suppressions = [os.path.join(folder, name) for name in ("abi.c", "libabi.so", "allowed.suppr")]
    with open(suppressions, "w", encoding="utf-8") as file:
        file.write(allowed)
    with open(code, "w", encoding="utf-8") as file:
        file.write(source)
    subprocess.run([*compiler, "-std=gnu2x", "-g", "-w", "-shared", "-fPIC", "-I", os.path.join(root, "api"), code, "-o", library],
                   check=True)
    if "--update" in sys.argv:
        dump = subprocess.run(["abidw", "--type-id-style", "hash", "--no-corpus-path", "--no-show-locs", "--no-comp-dir-path",
                               "--no-architecture", "--no-parameter-names", library], check=True, text=True, capture_output=True)
        with open(os.path.join(root, PUBLISHED), "w", encoding="utf-8") as file:
            file.write(dump.stdout)
    compared = subprocess.run(["abidiff", "--no-architecture", "--no-added-syms", "--no-show-locs", "--suppressions", suppressions,
                               os.path.join(root, PUBLISHED), library], text=True, capture_output=True)

findings = []
if compared.returncode:
    print(compared.stdout + compared.stderr)
    findings.append(f"the ABI differs from {PUBLISHED}: mend it, or add what is intended to {INTENDED}")
tree.finish(findings, f"{functions} functions")
