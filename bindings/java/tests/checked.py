# SPDX-License-Identifier: Apache-2.0
"""Runs Java with -Xcheck:jni and fails where the machine complains about a call of the core. Usage: checked.py JAVA ARGUMENTS.."""

import re
import subprocess
import sys

done = subprocess.run(sys.argv[1:], capture_output=True, text=True, check=False)
complaints = re.findall(r"^.*(?:WARNING in native method|WARNING: JNI|FATAL ERROR in native method).*$", done.stdout + done.stderr, re.M)
print(done.stdout + done.stderr)
if complaints:
    sys.exit(f"{len(complaints)} complaints, the first: {complaints[0]}")
sys.exit(done.returncode)
