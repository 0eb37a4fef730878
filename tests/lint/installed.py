# SPDX-License-Identifier: Apache-2.0
"""What `meson install` puts down is complete: C programs that know only pkg-config, or only find_package, build against it and run, so does
tw, from whatever folder the tree stands in, and Python finds its package where it looks; documents and examples are there.
Usage: installed.py BUILD_FOLDER API_VERSION PYTHON|'' COMPILER..."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

build, version, python, compiler = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]

PROGRAM = r"""
#include <stdio.h>
#include <tilewright/tw.h>

int main(void) {
  const int header = TW_API_VERSION_MAJOR * 10000 + TW_API_VERSION_MINOR * 100 + TW_API_VERSION_PATCH;
  printf("tilewright %s, API %d, header %d\n", tw_version(), (int)tw_api_version(), header);
  return tw_api_version() == header ? 0 : 1;
}
"""
PROJECT = """
cmake_minimum_required(VERSION 3.13)
project(program C)
find_package(tilewright 0.1 REQUIRED)
add_executable(program program.c)
target_link_libraries(program tilewright::tilewright)
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

    [documents] = glob.glob(root + "/**/share/doc/tilewright", recursive=True)
    for name in ("README.md", "docs/tutorial.md", "examples/02_import_and_plan.c", "examples/specs/gpt_megatron.txt"):
        assert os.path.exists(os.path.join(documents, name)), name
    pages = glob.glob(documents + "/**/*.md", recursive=True)
    targets = [(page, target) for page in pages for target in re.findall(r"\]\(([^)#\s]+)", open(page, encoding="utf-8").read())]
    dead = [f"{page}: {target}" for page, target in targets if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(page), target))]
    assert len(targets) > 100 and not dead, "\n".join(dead) or "no links"
    example = documents + "/examples/01_mlp_four_devices.c"
    run(*compiler, example, "-o", program, *flags, "-lm")
    run(program, env=dict(os.environ, LD_LIBRARY_PATH=":".join(filter(None, path))), stdout=subprocess.DEVNULL)

    if shutil.which("cmake"):
        with open(root + "/CMakeLists.txt", "w") as file:
            file.write(PROJECT)
        prefix = os.path.dirname(os.path.dirname(os.path.dirname(documents)))
        run("cmake", "-S", root, "-B", root + "/made", "-DCMAKE_PREFIX_PATH=" + prefix, stdout=subprocess.DEVNULL)
        run("cmake", "--build", root + "/made", stdout=subprocess.DEVNULL)
        run(root + "/made/program")

    packages = glob.glob(root + "/**/tilewright/_core.*.so", recursive=True)
    if python and packages:
        folder = os.path.dirname(os.path.dirname(packages[0]))
        looked_at = run(python, "-c", "import site; print(*site.getsitepackages(), sep='\\n')", capture_output=True).stdout.split()
        if folder[len(root) :].startswith("/usr/local/") and any(one.startswith("/usr/local/") for one in looked_at):
            assert folder[len(root) :] in looked_at, (folder, looked_at)
        here = dict(os.environ, PYTHONPATH=folder, LD_LIBRARY_PATH=":".join(filter(None, path)))
        here.pop("TW_PJRT_LIBRARY", None)
        # JAX finds the plug-in by the entry point, and that finds the file.
        found = "import importlib.metadata as m, tilewright.jax_plugin as j; d = m.distribution('tilewright'); "
        found += "print(*[(e.group, e.value) for e in d.entry_points], j.library(), sep='\\n')"
        points, plugin = run(python, "-c", found, env=here, cwd="/", capture_output=True).stdout.splitlines()
        assert points == "('jax_plugins', 'tilewright.jax_plugin')", points
        assert [plugin] == (glob.glob(root + "/**/libtilewright_pjrt.so", recursive=True) or ["None"]), plugin

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
