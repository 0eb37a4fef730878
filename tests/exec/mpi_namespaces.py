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


def make(rate=None):
    """Two namespaces that talk at most at so much a second ("1gbit"); False where they cannot be made."""
    a, b = NAMES
    made = (all(shutil.which(tool) for tool in ["ip", "unshare", "hostname"])
            and ip("netns", "add", a) and ip("netns", "add", b)
            and ip("link", "add", "tw0", "netns", a, "type", "veth", "peer", "name", "tw0", "netns", b)
            and all(ip("addr", "add", f"{address}/24", "dev", "tw0", inside=name)
                    and ip("link", "set", "tw0", "up", inside=name) and ip("link", "set", "lo", "up", inside=name)
                    for name, address in zip(NAMES, ADDRESSES)))
    shape = ["tc", "qdisc", "add", "dev", "tw0", "root", "tbf", "rate", str(rate), "burst", "256kb", "latency", "50ms"]
    return made and (rate is None or (shutil.which("tc") is not None and all(
        subprocess.run(["ip", "netns", "exec", name, *shape], capture_output=True, check=False).returncode == 0
        for name in NAMES)))


def remove():
    for namespace in NAMES:
        ip("netns", "del", namespace)


def run(launcher, processes, words, timeout):
    """A job of a program, half of its processes in each namespace, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        agent = Path(folder) / "agent"
        agent.write_text(AGENT.format(*NAMES, address=ADDRESSES[1]))
        agent.chmod(0o755)
        settings = {"plm_rsh_agent": agent, "oob_tcp_if_include": NET, "btl_tcp_if_include": NET, "pml": "ob1",
                    "btl": "tcp,self"}
        hosts = ",".join(f"{address}:{processes // 2}" for address in ADDRESSES)
        job = [launcher, "-x", "TW_PLUGINS", "-n", str(processes), "--host", hosts]
        for key, value in settings.items():
            job += ["--mca", key, str(value)]
        command = f"hostname {NAMES[0]}; exec {shlex.join(job + words)}"
        return subprocess.run(["ip", "netns", "exec", NAMES[0], "unshare", "--uts", "bash", "-c", command],
                              stdout=subprocess.PIPE, text=True, env=mpi.environment(), timeout=timeout, check=False)


def main():
    mpi.need_plugin("openmpi")
    launcher = mpi.launcher("openmpi")
    try:
        if not make():
            print("no network namespaces here: skipped")
            sys.exit(77)
        done = run(launcher, 4, sys.argv[1:], 100)
    finally:
        remove()
    print(done.stdout, end="")
    sys.exit(0 if done.returncode == 0 and "ok" in done.stdout else 1)


if __name__ == "__main__":
    main()
