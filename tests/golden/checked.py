# SPDX-License-Identifier: Apache-2.0
"""Our own programs that carry their expectation (checked/*.mlir), whole, under random shardings, and under the annotations that some of
them carry for the mesh x=2,y=2: all must run and pass.
Usage: checked.py TW"""

import glob
import json
import os
import subprocess
import sys

tw = sys.argv[1]
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "checked")
files = sorted(glob.glob(os.path.join(folder, "*.mlir")))
good = bool(files)
for mesh, shardings in (("a=2,b=3", "4"), ("a=5", "4"), ("x=2,y=2", "0")):
    command = [tw, "test", "--json", "--mesh", mesh, "--shardings", shardings, "--seed", "11", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    for test in report["tests"]:
        if test["outcome"] != "passed":
            good = False
            print(f"{test['name']} {test['outcome']}: {test['reason']}\n  repeat: {test.get('repeat', 'tw test ' + test['name'])}")
    print(mesh, "{passed} passed, {failed} failed, {skipped} skipped".format(**report))
sys.exit(0 if good else 1)
