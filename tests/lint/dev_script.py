# SPDX-License-Identifier: Apache-2.0
"""./dev configures a folder again where an MPI library, cargo, or what the Python or the Java package needs, came after it was configured,
and only there.
Usage: dev_script.py SOURCE_ROOT"""

import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
findings = []


def calls(ninja_text, packages, options="", tests=""):
    """What `./dev build` calls of Meson where these packages are there and the folder was configured so."""
    with tempfile.TemporaryDirectory() as folder:
        tree, tools = pathlib.Path(folder) / "tree", pathlib.Path(folder) / "tools"
        (tree / "build/meson-private").mkdir(parents=True)
        tools.mkdir()
        (tree / "dev").write_bytes((root / "dev").read_bytes())
        (tree / "build/build.ninja").write_text(ninja_text)
        (tree / "build/meson-private/cmd_line.txt").write_text(options)
        if tests:
            (tree / "build/meson-info").mkdir()
            (tree / "build/meson-info/intro-tests.json").write_text(tests)
        scripts = {
            "cargo": "",
            "dpkg-query": "echo installed",
            "pkg-config": f'case "$2" in {packages or "none"}) exit 0 ;; *) exit 1 ;; esac',
            "swig": "",
            "javac": "",
            "meson": f'echo "meson $*" >> {folder}/log',
            "ninja": f'echo "ninja" >> {folder}/log',
        }
        for name, text in scripts.items():
            (tools / name).write_text(f"#!/bin/sh\n{text}\n")
            (tools / name).chmod(0o755)
        environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")
        environment.pop("CXX", None)
        environment.pop("CC", None)
        done = subprocess.run(["bash", tree / "dev", "build"], env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            findings.append(f"./dev build: exit {done.returncode}: {done.stderr}")
        return (pathlib.Path(folder) / "log").read_text()


JAR = "build bindings/java/tilewright.jar: custom\n"
WITHOUT, WITH = JAR + "build src/tw: link\n", JAR + "build src/tw: link\nbuild src/libtilewright_openmpi.so: link\n"
for what, log, again in [
    ("no MPI", calls(WITHOUT, ""), False),
    ("MPI came later", calls(WITHOUT, "ompi-c"), True),
    ("the other MPI came later", calls(WITH, "ompi-c|mpich"), True),
    ("a plug-in for all", calls(WITH, "ompi-c"), False),
    ("Python's headers came later", calls(WITHOUT, "python3"), True),
    ("the Python package is there", calls(JAR + "build bindings/python/tilewright/_core.so: link\n", "python3"), False),
    ("a JDK came later", calls("build src/tw: link\n", ""), True),
    ("Java is not wanted", calls("build src/tw: link\n", "", "[options]\njava = disabled\n"), False),
    ("Python is not wanted", calls(WITHOUT, "python3", "[options]\npython = disabled\n"), False),
    ("cargo came later", calls(WITHOUT, "", tests='[{"suite": ["tilewright:quick"]}]'), True),
    ("Rust is tested", calls(WITHOUT, "", tests='[{"suite": ["tilewright:rust", "tilewright:quick"]}]'), False),
    ("nothing is tested", calls(WITHOUT, "", tests="[]"), False),
    ("Rust is not wanted", calls(WITHOUT, "", "[options]\nrust = disabled\n", '[{"suite": ["tilewright:quick"]}]'), False),
    ("MPI is not wanted", calls(WITHOUT, "ompi-c", "[options]\nmpi = disabled\n"), False),
]:
    if ("--reconfigure" in log) != again or not log.endswith("ninja\n"):
        findings.append(f"{what}: ./dev build calls\n{log}")

for finding in findings:
    print(finding)
sys.exit(1 if findings else 0)
