# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/ that are made are what they are made from today: errors.md is what `tw help errors` prints, c-api.md follows
from the public headers.
Usage: generated_docs.py TW SOURCE_ROOT [--update]"""

import os
import subprocess
import sys

import c_api_page

tool, root = sys.argv[1:3]


def errors_page():
    return subprocess.run([os.path.abspath(tool), "help", "errors"], check=True, text=True, capture_output=True).stdout


PAGES = {"docs/c-api.md": lambda: c_api_page.page(root), "docs/errors.md": errors_page}

stale = []
for path, make in PAGES.items():
    where, text = os.path.join(root, path), make()
    assert text.count("\n") > 20, f"{path}: hardly anything was made"
    if "--update" in sys.argv:
        with open(where, "w", encoding="utf-8") as file:
            file.write(text)
        continue
    known = open(where, encoding="utf-8").read() if os.path.exists(where) else ""
    if known != text:
        stale.append(path)
if stale:
    sys.exit(f"{', '.join(stale)} is stale: python3 tests/lint/generated_docs.py build/src/tw . --update")
