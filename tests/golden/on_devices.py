# SPDX-License-Identifier: Apache-2.0
"""Every golden run that passes also passes on devices of another kind, partitioned and not, with as many outputs.
Usage: on_devices.py TW KIND [CASE...]"""

import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

import run_cli

# What these devices cannot do; and what says how it is not done, whatever the devices are.
REFUSED = {"--profile", "--trace", "--comm", "--device"}


def command_of(path):
    """The words of a case that runs a program and passes; none of any other."""
    with open(path, encoding="utf-8") as file:
        _, command, sections, head = run_cli.parse(file.read())
    words = shlex.split(command)
    if words[:2] != ["tw", "run"] or "exit 0\n" not in head or REFUSED & set(words):
        return None
    passed = re.search(r"PASS: (\d+ of \d+) outputs", sections.get("stdout", ""))
    return (words, passed[1]) if passed else None


def main():
    tw, kind = os.path.abspath(sys.argv[1]), sys.argv[2]
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.environ.get("TW_SOURCE_ROOT", os.path.join(here, "..", ".."))
    real = os.environ.get("TW_REAL_PROGRAMS", os.path.join(root, "..", "shared", "real_programs"))
    paths = sys.argv[3:] or sorted(glob.glob(os.path.join(here, "cli", "*.txt")))
    ran, failed = 0, 0
    for path in paths:
        found = command_of(path)
        if found is None or ("{real}" in " ".join(found[0]) and not os.path.isdir(real)):
            continue
        words, wanted = found
        ran += 1
        with tempfile.TemporaryDirectory() as tmp:
            words = [word.replace("{tmp}", tmp).replace("{real}", real) for word in words]
            done = subprocess.run([tw, *words[1:], "--device", kind], cwd=root, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, check=False)
        if done.returncode != 0 or f"PASS: {wanted} outputs" not in done.stdout:
            failed += 1
            print(f"{path}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{ran} runs on {kind} devices, {failed} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
