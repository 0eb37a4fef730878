# SPDX-License-Identifier: Apache-2.0
"""The types of the package agree with each other, by mypy --strict. Exits 77 without mypy.
Usage: test_types.py PACKAGE_FOLDER"""

import shutil
import subprocess
import sys
import tempfile

mypy = shutil.which("mypy")
if mypy is None:
    print("mypy is not installed (Debian: mypy): types are not checked")
    sys.exit(77)
with tempfile.TemporaryDirectory() as cache:
    # The core's functions take and give anything, as SWIG's do.
    options = ["--strict", "--no-warn-return-any", "--ignore-missing-imports", "--follow-imports=silent", "--cache-dir", cache]
    sys.exit(subprocess.run([mypy, *options, "-p", "tilewright"], cwd=sys.argv[1], check=False).returncode)
