# SPDX-License-Identifier: Apache-2.0
"""Loading the library runs nothing: no file of it has a constructor of globals. Lists, not registration at load time.
Usage: no_static_initialisers.py LIBRARY"""

import subprocess
import sys

import tree

symbols = subprocess.run(["nm", sys.argv[1]], check=True, text=True, capture_output=True).stdout.split("\n")
names = [line.split()[-1] for line in symbols if line]
if not any(name.startswith("_ZN2tw") for name in names):
    print("the library is stripped")
    sys.exit(77)
prefix = "_GLOBAL__sub_I_"
findings = [f"{name[len(prefix):]}: has a constructor of globals (a registry object, or <iostream>)"
            for name in names if name.startswith(prefix)]
tree.finish(findings, f"{len(names)} symbols")
