#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a page of documentation: docs.py TW PAGE.

A block that begins with ```console holds commands, a line `$ tw ..` each, and behind each what it prints; a line `...` stands for any lines, and ` ...` at the end
of a line for the rest of it.
Errors follow what is printed, and a last line `exit N` says how the command ends where that is not 0.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def matches(expected, printed):
    """Whether the printed lines are the expected ones."""

    def pattern_of(line):
        if line.strip() == "...":
            return r"(?:.*\n)*?"
        begin, dots, end = line.rpartition(" ...")
        return re.escape(begin) + r" .*\n" if dots and not end else re.escape(line.rstrip()) + r" *\n"

    pattern = "".join(map(pattern_of, expected))
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def commands(text):
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *expected = part.rstrip("\n").split("\n")
            ends = re.fullmatch(r"exit (\d+)", expected[-1]) if expected else None
            yield command, expected[:-1] if ends else expected, int(ends[1]) if ends else 0


def main(tool, page):
    tool = os.path.abspath(tool)
    failed = count = 0
    for command, expected, status in commands(Path(page).read_text(encoding="utf-8")):
        words = shlex.split(command)
        if words[0] != "tw":
            sys.exit(f"{page}: expected a command of tw, found: {command}")
        done = subprocess.run([tool, *words[1:]], capture_output=True, text=True, cwd=ROOT, env={**os.environ, "COLUMNS": "120"}, check=False)
        count += 1
        if done.returncode != status or not matches(expected, (done.stdout + done.stderr).split("\n")[:-1]):
            failed += 1
            print(f"{page}: {command}\nexit {done.returncode}\n{done.stdout}{done.stderr}\n--- is not what the page says")
    if count == 0:
        sys.exit(f"{page}: no command")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
