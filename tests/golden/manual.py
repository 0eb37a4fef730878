#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The man page and the completion that tw makes of its verbs: they parse, tell of every verb and option, and complete what they should.
Usage: manual.py TW"""

import os
import re
import shutil
import subprocess
import sys

tool = os.path.abspath(sys.argv[1])


def printed(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr, f"{command}: exit {done.returncode}\n{done.stderr}"
    return done.stdout


def completed(*words):
    """What bash offers for the last of these words."""
    script = f'{completion}\nCOMP_WORDS=({" ".join(words)} ""); COMP_CWORD={len(words) - 1}\n_tw; printf "%s\\n" "${{COMPREPLY[@]}}"\n'
    return printed("bash", text=script).split()


completion = printed(tool, "help", "--completion")
page = printed(tool, "help", "--man")
verbs = re.findall(r"^  (\w+)  ", printed(tool, "--help"), re.M)
assert "run" in verbs and "help" in verbs, verbs

assert completed("tw", "pl") == ["plan"]
assert completed("tw", "run", "--policy", "c") == ["conservative", "cheapest"]
assert completed("tw", "plan", "--buck") == ["--buckets"]
assert completed("tw", "help", "sp") == ["spec"]
assert completed("tw", "emit", "--to", "shard") == ["shard", "shard-local"]
assert completed("tw", "emit", "--print-after", "sharding") == [
    "sharding-propagation-forward", "sharding-propagation-backward", "sharding-propagation"]

# The summary of emit tells of every form.
summary = re.sub(r"\s", "", re.search(r"^  emit(.*?)^  \w", printed(tool, "help"), re.M | re.S)[1])
assert summary.split("--to")[1].split("|") == completed("tw", "emit", "--to", ""), summary
assert completed("tw", "plan", sys.argv[0][:-1]) == [sys.argv[0]]  # a file

plain = page.replace("\\-", "-").replace("\\:", "")
for verb in verbs:
    section = plain[plain.index(f"\n.SH TW {verb.upper()}\n"):].split("\n.SH ")[1]
    options = re.findall(r"^  (?:-\w,)?(--[\w-]+)", printed(tool, verb, "--help"), re.M)
    assert len(options) > 3, verb
    for option in options:
        assert option in section or option in ("--help", "--json", "--quiet", "--color", "--width"), f"tw {verb} {option}"
        assert option in completed("tw", verb, option), f"tw {verb} {option}"

if not shutil.which("groff"):
    print("the man page is not parsed: there is no groff")
    sys.exit(77)
assert "OPTIONS OF ALL VERBS" in printed("groff", "-man", "-Tascii", "-ww", "-P-c", "-P-b", "-P-u", text=page)
