# SPDX-License-Identifier: Apache-2.0
"""A public header compiles alone, twice in a row, as C99 or C++17, without a warning.
Usage: header_alone.py API_FOLDER HEADER c99|c++17 COMPILER..."""

import os
import subprocess
import sys

api, header, standard, compiler = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
name = os.path.basename(header)
text = f"#include <tilewright/{name}>\n#include <tilewright/{name}>\nextern int tw_something_of_ours;\n"
flags = ["-x", "c" if standard == "c99" else "c++", "-std=" + standard, "-I" + api, "-fsyntax-only",
         "-Wall", "-Wextra", "-pedantic-errors", "-Wundef", "-Wconversion", "-Werror"]
if standard == "c99":
    flags.append("-Wstrict-prototypes")
sys.exit(subprocess.run(compiler + flags + ["-"], input=text, text=True).returncode)
