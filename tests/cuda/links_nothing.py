# SPDX-License-Identifier: Apache-2.0
"""What is opened at run time links nothing of CUDA: a machine without it loads the libraries. links_nothing.py FILE.."""
import ctypes
import subprocess
import sys

failed = False
for name in sys.argv[1:]:
    listed = subprocess.run(["readelf", "-d", name], capture_output=True, text=True, check=True).stdout
    needed = [line.split("[")[1].split("]")[0] for line in listed.splitlines() if "(NEEDED)" in line]
    wrong = [n for n in needed if n.startswith(("libcu", "libnv", "libnccl"))]
    if wrong or not needed:
        print(f"{name} needs {', '.join(wrong) or 'nothing at all, which cannot be'}")
        failed = True
    if not any(n.startswith(("libasan", "libtsan")) for n in needed):  # these want to be loaded before Python
        ctypes.CDLL(name)
sys.exit(failed)
