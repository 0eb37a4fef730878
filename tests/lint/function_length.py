# SPDX-License-Identifier: Apache-2.0
"""No function of src is over 80 lines. Functions stand at the margin, or with two spaces in a class, as clang-format has them."""

import re
import sys

import tree

MOST = 80
BEGIN = re.compile(r"^((?:  )?)(?!namespace|class|struct|enum|union|extern|if|for|while|switch|do|else|return|case)\w.*\{$")
root = sys.argv[1]
findings = []
functions = 0
paths = tree.files(root, "src", ".cpp", ".hpp")
for path in paths:
    lines = tree.read(root, path).split("\n")
    begin, margin = None, ""
    for number, line in enumerate(lines, 1):
        if begin is None:
            match = BEGIN.match(line)
            if match and "(" in "".join(lines[max(number - 5, 0):number]) and "= {" not in line:
                begin, margin = number, match[1]
        elif line.startswith(margin + "}"):
            functions += 1
            if number - begin + 1 > MOST:
                findings.append(f"{path}:{begin}: a function of {number - begin + 1} lines: split it")
            begin = None

assert functions > 5000, f"only {functions} functions found"
tree.finish(findings, f"{functions} functions")
