# SPDX-License-Identifier: Apache-2.0
"""Compiles Java and puts it into a jar, with files besides. The same inputs give the same bytes.
Usage: make_jar.py JAVAC JAR CLASSPATH [FILE=NAME_IN_JAR | LIBRARY:FOLDER_IN_JAR | SOURCE.java]..
Libraries go by their sonames into a folder whose list `files` has them in this order, in which they are loaded: name, space, SHA-256."""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

# Sources of SWIG: what it writes is compiled without our warnings.
WARNINGS = "-Xlint:all,-processing"


def soname(path):
    """What the loader calls a library: others name it so."""
    dynamic = subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True).stdout
    found = re.search(r"SONAME.*\[(.+)\]", dynamic)
    return found[1] if found else os.path.basename(path)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def main():
    javac, jar, classpath, *inputs = sys.argv[1:]
    sources = [i for i in inputs if i.endswith(".java")]
    entries = {}
    libraries = {}
    for entry in inputs:
        if "=" in entry:
            path, name = entry.rsplit("=", 1)
            entries[name] = path
        elif ":" in entry:
            path, folder = entry.rsplit(":", 1)
            name = soname(path)
            libraries.setdefault(folder, []).append(name)
            entries[f"{folder}/{name}"] = path
    with tempfile.TemporaryDirectory() as classes:
        command = [javac, "--release", "17", WARNINGS, "-Werror", "-encoding", "UTF-8", "-d", classes]
        subprocess.run([*command, *(["-cp", classpath] if classpath else []), *sources], check=True)
        for at, _, names in os.walk(classes):
            for name in names:
                path = os.path.join(at, name)
                entries[os.path.relpath(path, classes)] = path
        with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as out:

            def put(name, data):
                out.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)

            put("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nAutomatic-Module-Name: org.tilewright\n\n")
            for folder, names in libraries.items():
                put(f"{folder}/files", "".join(f"{name} {digest(entries[f'{folder}/{name}'])}\n" for name in names))
            for name in sorted(entries):
                with open(entries[name], "rb") as file:
                    put(name, file.read())


main()
