# SPDX-License-Identifier: Apache-2.0
"""Runs a lesson in C and in another language: both print the same lines, those of kernels that run at once in any order. What C calls by
an option of the command line, "(--buckets)", other languages call as they do. Exits 77 where the other language is not there.
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


def named_alike(lines):
    """The lines as C prints them that name an option in these words."""
    begins = {line.split("(--")[0]: line for line in ours if "(--" in line}
    return [begins.get(line.split("(")[0], line) for line in lines]


ours = printed([program])
theirs = named_alike(printed(command))
if sorted(ours) != sorted(theirs):
    sys.exit("C prints\n" + "\n".join(ours) + "\nthe other language\n" + "\n".join(theirs))
print("\n".join(theirs))
