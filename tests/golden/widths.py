#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports in a file or a pipe are whole; on a terminal of 80 columns they keep to these, and no kind of collective, type or line number is
cut. Usage: widths.py TW"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

MODEL, SPEC = "examples/models/gpt_step.mlir", "examples/specs/gpt_megatron.txt"
tw, root = os.path.abspath(sys.argv[1]), os.environ.get("TW_SOURCE_ROOT", ".")
env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
PLAN = [tw, "plan", MODEL, "--mesh", "data=2,model=4", "--spec", SPEC, "--all"]
MOVE = [tw, "redistribute", "x=4,y=8", "f32[4096,4096] [{x}, {y}]", "[{y}, {x}]"]


def on_terminal(command, columns):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen(command, cwd=root, env=env, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 65536):
                text += part
        except OSError:  # nobody writes any more
            pass
        os.close(ours)
    assert process.returncode == 0, process.returncode
    return re.sub(r"\x1b\[[0-9;]*m", "", text.decode()).replace("\r\n", "\n")


def in_pipe(command):
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=True).stdout


def table(text, title):
    rows = text[text.index(f"\n{title}\n") :].split("\n\n")[0].strip("\n").split("\n")
    return rows[1].split(), rows[2:]


for command in (PLAN, MOVE, [tw, "info", MODEL]):
    assert "…" not in in_pipe(command), command
    shown = on_terminal(command, 80)
    assert max(map(len, shown.split("\n"))) <= 80, max(shown.split("\n"), key=len)
whole = in_pipe(PLAN)
assert "params['layer*']['ln1']['scale']" in whole
columns, rows = table(whole, "collectives")
assert columns[-2:] == ["location", "cause"] and "local" in columns and "op" in columns, columns
assert all(re.search(r"gpt_step\.mlir:\d+:\d+ +gpt_megatron\.txt:\d+ .*\)$", row) for row in rows), rows[0]
columns, short = table(on_terminal(PLAN, 80), "collectives")
assert "local" not in columns and "op" not in columns and columns[-2:] == ["location", "cause"], columns
assert len(short) == len(rows)
for row, full in zip(short, rows):
    kind = re.match(r" *\d+ +(?:x\d+ +)?(all_reduce) (?:sum|…) +(\w+) +(f32\[[\d,]*\]) ", row)
    assert kind and all(part in full for part in kind.groups()), row
    at = re.search(r":(\d+:\d+)  ", row)
    assert at and f"gpt_step.mlir:{at[1]}  " in full, row
assert on_terminal([*PLAN, "--width", "100"], 80) == in_pipe([*PLAN, "--width", "100"])
