#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A job of exec_mpi over TCP between two network namespaces, as between two machines; exits with 77 where those cannot be made.

  mpi_namespaces.py PROGRAM ARGS...
"""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import mpi

NAMES = [f"tw{os.getpid()}a", f"tw{os.getpid()}b"]
ADDRESSES = ["10.77.0.1", "10.77.0.2"]
NET = "10.77.0.0/24"
# What the launcher runs to reach a machine: its options, the address, the command.
AGENT = """#!/bin/bash
while [[ $1 == -* ]]; do shift; done
name={0}
[[ $1 != {address} ]] || name={1}
shift
exec ip netns exec $name unshare --uts bash -c "hostname $name; $*"
"""


def ip(*words, inside=None):
    prefix = ["ip", "netns", "exec", inside] if inside else []
    return subprocess.run([*prefix, "ip", *words], capture_output=True, check=False).returncode == 0


def make_namespaces():
    a, b = NAMES
    return (ip("netns", "add", a) and ip("netns", "add", b)
            and ip("link", "add", "tw0", "netns", a, "type", "veth", "peer", "name", "tw0", "netns", b)
            and all(ip("addr", "add", f"{address}/24", "dev", "tw0", inside=name)
                    and ip("link", "set", "tw0", "up", inside=name) and ip("link", "set", "lo", "up", inside=name)
                    for name, address in zip(NAMES, ADDRESSES)))


def skip():
    print("no network namespaces here: skipped")
    sys.exit(77)


def run(launcher):
    if not make_namespaces():
        skip()
    with tempfile.TemporaryDirectory() as folder:
        agent = Path(folder) / "agent"
        agent.write_text(AGENT.format(*NAMES, address=ADDRESSES[1]))
        agent.chmod(0o755)
        settings = {"plm_rsh_agent": agent, "oob_tcp_if_include": NET, "btl_tcp_if_include": NET, "pml": "ob1",
                    "btl": "tcp,self"}
        job = [launcher, "-x", "TW_PLUGINS", "-n", "4", "--host", ",".join(f"{address}:2" for address in ADDRESSES)]
        for key, value in settings.items():
            job += ["--mca", key, str(value)]
        command = f"hostname {NAMES[0]}; exec {shlex.join(job + sys.argv[1:])}"
        done = subprocess.run(["ip", "netns", "exec", NAMES[0], "unshare", "--uts", "bash", "-c", command],
                              stdout=subprocess.PIPE, text=True, env=mpi.environment(), timeout=100, check=False)
    print(done.stdout, end="")
    sys.exit(0 if done.returncode == 0 and "ok" in done.stdout else 1)


mpi.need_plugin("openmpi")
found = mpi.launcher("openmpi")
if not all(shutil.which(tool) for tool in ["ip", "unshare", "hostname"]):
    skip()
try:
    run(found)
finally:
    for namespace in NAMES:
        ip("netns", "del", namespace)
