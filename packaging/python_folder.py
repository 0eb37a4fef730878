# SPDX-License-Identifier: Apache-2.0
"""Prints the folder below a prefix in which this interpreter looks for packages; nothing where there is none.
Usage: python_folder.py PREFIX"""

import os
import site
import sys
import sysconfig

prefix = os.path.join(sys.argv[1], "")
LOCAL = "/usr/local/"  # is below /usr, and another prefix
folders = [*site.getsitepackages(), sysconfig.get_path("platlib")]
below = [folder for folder in folders if folder.startswith(prefix) and (prefix == LOCAL or not folder.startswith(LOCAL))]
print(below[0] if below else "")
