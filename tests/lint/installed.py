# SPDX-License-Identifier: Apache-2.0
"""What `meson install` puts down is complete: a C program that knows only pkg-config builds against it and runs, and so does tw, from whatever
folder the tree stands in.
Usage: installed.py BUILD_FOLDER API_VERSION COMPILER..."""

import glob
import os
import re
import subprocess
import sys
import tempfile

build, version, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]

PROGRAM = r"""
#include <stdio.h>
#include <tilewright/tw.h>

int main(void) {
  const int header = TW_API_VERSION_MAJOR * 10000 + TW_API_VERSION_MINOR * 100 + TW_API_VERSION_PATCH;
  printf("tilewright %s, API %d, header %d\n", tw_version(), (int)tw_api_version(), header);
  return tw_api_version() == header ? 0 : 1;
}
"""


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, **options)


with tempfile.TemporaryDirectory() as root:
    run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", root)
    [pc] = glob.glob(root + "/**/tilewright.pc", recursive=True)
    environment = dict(os.environ, PKG_CONFIG_LIBDIR=os.path.dirname(pc), PKG_CONFIG_SYSROOT_DIR=root)
    flags = run("pkg-config", "--cflags", "--libs", "tilewright", env=environment, capture_output=True).stdout.split()
    [library] = glob.glob(root + "/**/libtilewright.so." + version, recursive=True)
    soname = "libtilewright.so." + version.split(".")[0]
    dynamic = run("readelf", "-d", library, capture_output=True).stdout
    assert f"[{soname}]" in dynamic, f"the soname is not {soname}:\n{dynamic}"
    source, program = root + "/program.c", root + "/program"
    with open(source, "w") as file:
        file.write(PROGRAM)
    run(*compiler, "-std=c99", source, "-o", program, *flags)
    path = [os.path.dirname(library)] + os.environ.get("LD_LIBRARY_PATH", "").split(":")
    run(program, env=dict(os.environ, LD_LIBRARY_PATH=":".join(filter(None, path))))
    tools = glob.glob(root + "/**/bin/tw", recursive=True)
    for tool in tools:
        for beside in ("/**/man1/tw.1", "/**/bash-completion/completions/tw.bash"):
            [path] = glob.glob(root + beside, recursive=True)
            assert os.path.getsize(path) > 1000, path
        bare = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        assert "RUNPATH" in run("readelf", "-d", tool, capture_output=True).stdout, "tw has no RUNPATH"
        prefix = os.path.dirname(os.path.dirname(tool))
        for tree in (prefix, root + "/elsewhere"):
            os.rename(prefix, tree)
            prefix = tree
            linked = run("ldd", tree + "/bin/tw", env=bare, capture_output=True).stdout
            assert os.path.realpath(tree) in os.path.realpath(re.search(r"libtilewright\S+ => (\S+)", linked)[1]), linked
            version = run(tree + "/bin/tw", "--version", env=bare, cwd="/", capture_output=True).stdout
            assert version.startswith("tw "), version
