# SPDX-License-Identifier: Apache-2.0
"""Runs one command of tw and compares what it prints with the golden file.
Usage: run_cli.py TW CASE [--update]; TW_UPDATE=1 in the environment updates as well.

A case is a text file: `#` lines of comment, the command after `$ ` (with variables of its own in front), `exit N`, then the sections
`--- stdout` and `--- stderr` (left out where empty). The command runs in the root of the source tree, 100 columns wide; {tmp} in it is an empty
folder, {real} the folder of the real programs. Times, which differ from run to run, and the kernels of an op, which differ from build to build,
are masked."""

import os
import re
import shlex
import subprocess
import sys
import tempfile

MASKS = [
    (re.compile(r"\b\d+\.\d+ ms"), "N ms"),
    (re.compile(r"\b\d+\.\d+x \(medians\)"), "Nx (medians)"),
    (re.compile(r"^(run  \w+  ).*$", re.M), r"\1N ms"),
    (re.compile(r"^(seconds +).*$", re.M), r"\1N"),
    (re.compile(r'("seconds":)[-+.e\d]+'), r"\1N"),
    (re.compile(r"^(  kernels +).*$", re.M), r"\1(of this build)"),
    (re.compile(r'("(?:import|plan|lower|min|median|synthesis_us|gb_per_s)": )[-+.e\d]+'), r"\1N"),
]
SKIP = 77


def masked(text, names):
    for value, name in names:
        text = text.replace(value, name)
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


def parse(text):
    head, *sections = re.split(r"^--- (stdout|stderr)\n", text, flags=re.M)
    lines = head.split("\n")
    comment = [line for line in lines if line.startswith("#")]
    command = [line[2:] for line in lines if line.startswith("$ ")]
    if len(command) != 1:
        sys.exit("a case has one line `$ COMMAND`")
    return comment, command[0], dict(zip(sections[::2], sections[1::2])), head


def render(comment, command, status, out, err):
    text = "".join(line + "\n" for line in comment) + f"$ {command}\nexit {status}\n"
    for name, section in (("stdout", out), ("stderr", err)):
        if section:
            text += f"--- {name}\n{section}"
            if not section.endswith("\n"):
                text += "\n(no newline at the end)\n"
    return text


def main():
    tw, case = sys.argv[1:3]
    update = "--update" in sys.argv[3:] or os.environ.get("TW_UPDATE") == "1"
    root = os.environ.get("TW_SOURCE_ROOT", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    real = os.environ.get("TW_REAL_PROGRAMS", os.path.join(root, "..", "shared", "real_programs"))
    with open(case, encoding="utf-8") as file:
        text = file.read()
    comment, command, _, _ = parse(text)
    if "{real}" in command and not os.path.isdir(real):
        print(f"skipped: the real programs are not at {real} (set TW_REAL_PROGRAMS)")
        sys.exit(SKIP)
    with tempfile.TemporaryDirectory() as tmp:
        words = [word.replace("{tmp}", tmp).replace("{real}", real) for word in shlex.split(command)]
        own = {}
        while "=" in words[0]:
            name, value = words.pop(0).split("=", 1)
            own[name] = value
        if words[0] != "tw":
            sys.exit("the command is tw")
        done = subprocess.run(
            [os.path.abspath(tw)] + words[1:],
            cwd=root,
            env={**os.environ, "COLUMNS": "100", **own},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        names = [(tmp, "{tmp}"), (real, "{real}")]
        found = render(comment, command, done.returncode, masked(done.stdout, names), masked(done.stderr, names))
    if found == text:
        return
    if update:
        with open(case, "w", encoding="utf-8") as file:
            file.write(found)
        print(f"updated {case}")
        return
    import difflib

    sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), found.splitlines(True), "expected", "found"))
    print(f"to accept: TW_UPDATE=1 python3 {os.path.relpath(__file__)} {os.path.relpath(tw)} {os.path.relpath(case)}")
    sys.exit(1)


if __name__ == "__main__":
    main()
