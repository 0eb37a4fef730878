# SPDX-License-Identifier: Apache-2.0
"""Runs a lesson in C and in another language: both print the same lines, those of kernels that run at once in any order. Exits 77 where
the other language is not there.
Usage: same_output.py C_PROGRAM COMMAND_WORDS.. -- ARGUMENTS.."""

import subprocess
import sys

mark = sys.argv.index("--")
program, command, arguments = sys.argv[1], sys.argv[2:mark], sys.argv[mark + 1 :]


def printed(words):
    done = subprocess.run([*words, *arguments], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        print(done.stdout)
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.split("\n")


ours, theirs = printed([program]), printed(command)
if sorted(ours) != sorted(theirs):
    sys.exit("C prints\n" + "\n".join(ours) + "\nthe other language\n" + "\n".join(theirs))
print("\n".join(theirs))
