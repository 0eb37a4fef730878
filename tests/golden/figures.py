#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/ are current: figures.py TW. A comment `<!-- tw .. docs/figures/NAME.svg -->` in a page of docs/ or the README is the
command that makes the figure that the page shows. Each is run again and compared; figures that no page shows, or no command makes, are
wrong. TW_UPDATE=1 makes them anew."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "figures"


def commands():
    """Page, words and file of every command that makes a figure."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        for command in re.findall(r"<!-- (tw .*?) -->", text, re.DOTALL):
            words = shlex.split(command)
            files = [word for word in words if word.startswith("docs/figures/")]
            if len(files) != 1:
                sys.exit(f"{page}: one word of this command is a file in docs/figures/: {command}")
            shown = os.path.relpath(ROOT / files[0], page.parent)
            if f"]({shown})" not in text:
                sys.exit(f"{page}: does not show {files[0]}, which a command of it makes")
            yield page, words, files[0]


def main(tool):
    tool, update = os.path.abspath(tool), os.environ.get("TW_UPDATE") == "1"
    failed, made = 0, set()
    for page, words, file in commands():
        made.add(ROOT / file)
        with tempfile.TemporaryDirectory() as folder:
            new = Path(folder) / Path(file).name
            done = subprocess.run([tool, *(str(new) if word == file else word for word in words[1:])], cwd=ROOT, capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{page}: {shlex.join(words)}\n{done.stdout}{done.stderr}")
            xml.etree.ElementTree.parse(new)
            if update:
                (ROOT / file).parent.mkdir(exist_ok=True)
                (ROOT / file).write_bytes(new.read_bytes())
            elif not (ROOT / file).exists() or (ROOT / file).read_bytes() != new.read_bytes():
                failed += 1
                print(f"{page}: {file} is not what its command makes now: TW_UPDATE=1 {sys.argv[0]} {tool}")
    extra = set(FOLDER.iterdir()) - made
    if extra:
        print("no command makes", *sorted(map(str, extra)))
    if not made:
        sys.exit("no figures")
    print(f"{len(made)} figures")
    sys.exit(bool(failed or extra))


if __name__ == "__main__":
    main(*sys.argv[1:])
