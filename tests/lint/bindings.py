# SPDX-License-Identifier: Apache-2.0
"""What bindings are made from is that of today: bindings/api.json has every function of the public headers and is what describe.py
makes; every language has every function, or bindings/reasons.json says why not; docs/bindings.md tells that.
Usage: bindings.py SOURCE_ROOT"""

import json
import os
import re
import shutil
import subprocess
import sys

import tree

root = sys.argv[1]
api = json.loads(tree.read(root, "bindings/api.json"))
findings = []

# Also where there is no SWIG.
declared = set()
for path in tree.files(root, "api", ".h"):
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#(\\\n|[^\n])*", "", tree.read(root, path), flags=re.S | re.M)
    declared |= set(re.findall(r"\bTW_API\b[^;{]*?\b(tw_\w+)\s*\(", text))
described = {function["name"] for function in api["functions"]}
findings += [f"bindings/api.json lacks {name}: python3 bindings/describe.py . --update" for name in sorted(declared - described)]
findings += [f"bindings/api.json has {name}, the headers do not" for name in sorted(described - declared)]

makers = ["make_julia.py", "make_rust.py"]
scripts = ["parity.py"] + makers + (["describe.py"] if shutil.which("swig") else [])
for script in scripts:
    done = subprocess.run([sys.executable, os.path.join(root, "bindings", script), root], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        findings += (done.stdout + done.stderr).strip().split("\n")
if "describe.py" not in scripts:
    print("swig is not installed (Debian: swig): of api.json only the names of the functions are compared")
tree.finish(findings, f"{len(described)} functions")
