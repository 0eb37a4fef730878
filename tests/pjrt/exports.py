# SPDX-License-Identifier: Apache-2.0
"""The plug-in exports GetPjrtApi, and nothing else.
Usage: exports.py LIBRARY"""

import subprocess
import sys

listed = subprocess.run(["nm", "-D", "--defined-only", sys.argv[1]], check=True, text=True, capture_output=True).stdout
exported = sorted(line.split()[-1] for line in listed.splitlines())
if exported != ["GetPjrtApi"]:
    sys.exit(f"exports {', '.join(exported)}")
