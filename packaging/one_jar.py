# SPDX-License-Identifier: Apache-2.0
"""One jar that brings the libraries that its own stand on, but for those of C and C++ and MPI, which are the machine's.

    one_jar.py JAR OUT

JAR is what the build makes for this machine; OUT is the same with more libraries, loaded before the others, so that each finds those that it
needs by their names. `./dev jar` makes one."""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

OF_THE_MACHINE = re.compile(r"(ld-linux[\w-]*|linux-vdso|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.")
LOADED = re.compile(r"libtilewright(_java)?\.so")  # the plug-ins for MPI are opened later, where there is MPI


def needed(path):
    """Libraries that a library names, as files of this machine."""
    said = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
    where = dict(re.findall(r"(\S+) => (/\S+)", said))
    dynamic = subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True).stdout
    names = re.findall(r"NEEDED.*\[(.+)\]", dynamic)
    return {name: where.get(name) for name in names if not OF_THE_MACHINE.match(name) and not LOADED.match(name)}


def before(path, found):
    """Adds what a library needs to `found`, each behind what it needs itself."""
    for name, file in needed(path).items():
        if name in found:
            continue
        if file is None:
            sys.exit(f"{path} needs {name}, which this machine lacks")
        before(file, found)
        found[name] = file


def main():
    jar, out = sys.argv[1:]
    with zipfile.ZipFile(jar) as given, tempfile.TemporaryDirectory() as folder:
        (listed,) = [name for name in given.namelist() if name.startswith("META-INF/native/") and name.endswith("/files")]
        place, lines = os.path.dirname(listed), given.read(listed).decode().splitlines()
        found = {}
        for name in (line.split()[0] for line in lines):
            if LOADED.match(name):
                before(given.extract(f"{place}/{name}", folder), found)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:

            def put(name, data):
                made.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)

            for name in given.namelist():
                if name != listed:
                    put(name, given.read(name))
            more = []
            for name, file in found.items():
                with open(file, "rb") as library:
                    data = library.read()
                put(f"{place}/{name}", data)
                more.append(f"{name} {hashlib.sha256(data).hexdigest()}")
            put(listed, "".join(line + "\n" for line in more + lines))
    print(f"{out}: {os.path.getsize(out) / (1 << 20):.1f} MiB, with {', '.join(found) or 'nothing more'}")


main()
