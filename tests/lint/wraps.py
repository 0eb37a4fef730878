# SPDX-License-Identifier: Apache-2.0
"""The wraps of subprojects/: their form, and that what meson.build asks for is what they provide. Two of them, whose sources are a header
that the system has, are used as Meson would: from archives made here, without a network, by a program that is built and run.
Usage: wraps.py SOURCE_ROOT MESON"""

import configparser
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import tree

root, meson = os.path.abspath(sys.argv[1]), sys.argv[2]
folder = os.path.join(root, "subprojects")
NEEDED = ("directory", "source_url", "source_filename", "source_hash")
KNOWN = {*NEEDED, "patch_directory", "lead_directory_missing"}
# What stands for a project whose sources are a header of the system's: where it is installed, and where it is in the archive.
HEADERS = {
    "tl-expected": ("/usr/include/tl/expected.hpp", "include/tl/expected.hpp"),
    "doctest": ("/usr/include/doctest/doctest.h", "doctest/doctest.h"),
}
PROGRAMS = {
    "tl-expected": "#include <tl/expected.hpp>\nint main() { return tl::expected<int, char>(7).value() == 7 ? 0 : 1; }\n",
    "doctest": '#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\nTEST_CASE("one") { CHECK(1 + 1 == 2); }\n',
}


def read(name):
    parser = configparser.ConfigParser(interpolation=None)
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        parser.read_file(file)
    return parser


def form(name, wrap, asked):
    """What is wrong with one wrap."""
    if set(wrap.sections()) != {"wrap-file", "provide"}:
        return [f"{name}: sections are [wrap-file] and [provide]"]
    fields, found = dict(wrap["wrap-file"]), []
    found += [f"{name}: '{key}' is missing" for key in NEEDED if key not in fields]
    found += [f"{name}: '{key}' is not known" for key in fields if key not in KNOWN]
    if not re.fullmatch(r"[0-9a-f]{64}", fields.get("source_hash", "")):
        found.append(f"{name}: source_hash is no SHA-256 in hexadecimal digits")
    if not fields.get("source_url", "").startswith("https://"):
        found.append(f"{name}: source_url is no https address")
    version = fields.get("directory", "").rpartition("-")[2]
    found += [f"{name}: {key} does not say version {version}" for key in ("source_url", "source_filename") if version not in fields.get(key, "")]
    found += [f"{name}: meson.build asks for no '{dependency}'" for dependency in wrap["provide"] if dependency not in asked]
    if "patch_directory" in fields:
        path = os.path.join(folder, "packagefiles", fields["patch_directory"], "meson.build")
        if not os.path.exists(path):
            return [*found, f"{name}: there is no {os.path.relpath(path, root)}"]
        text = tree.read(root, os.path.relpath(path, root))
        if f"version: '{version}'" not in text:
            found.append(f"{name}: {os.path.relpath(path, root)} does not say version {version}")
        found += [f"{name}: {os.path.relpath(path, root)} makes no {v}" for v in wrap["provide"].values() if f"{v} = " not in text]
    return found


def use(name, wrap):
    """Builds and runs a program with what a wrap provides, its source being an archive at hand."""
    fields, (header, place) = wrap["wrap-file"], HEADERS[name]
    with tempfile.TemporaryDirectory() as scratch:
        inside = os.path.join(scratch, "subprojects")
        shutil.copytree(os.path.join(folder, "packagefiles"), os.path.join(inside, "packagefiles"))
        cache = os.path.join(inside, "packagecache")
        os.mkdir(cache)
        archive = os.path.join(cache, fields["source_filename"])
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(header, os.path.join(fields["directory"], place))
        with open(archive, "rb") as file:
            fields["source_hash"] = hashlib.sha256(file.read()).hexdigest()
        fields["source_url"] = "https://nowhere.invalid/" + fields["source_filename"]  # the archive at hand is taken, or nothing
        with open(os.path.join(inside, name + ".wrap"), "w", encoding="utf-8") as file:
            wrap.write(file)
        with open(os.path.join(scratch, "program.cpp"), "w", encoding="utf-8") as file:
            file.write(PROGRAMS[name])
        with open(os.path.join(scratch, "meson.build"), "w", encoding="utf-8") as file:
            file.write("project('scratch', 'cpp', default_options: ['cpp_std=c++20'])\n"
                       f"executable('program', 'program.cpp', dependencies: dependency('{name}'))\n")
        build = os.path.join(scratch, "build")
        for command in ([meson, "setup", build, scratch, "--wrap-mode=forcefallback"], ["ninja", "-C", build], [os.path.join(build, "program")]):
            done = subprocess.run(command, text=True, capture_output=True, check=False)
            if done.returncode:
                return [f"{name}: {' '.join(command)}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"]
    return []


asked = {name.lower() for path in ("meson.build", "tests/api/meson.build", "tests/bench/meson.build", "tests/support/meson.build")
         for name in re.findall(r"dependency\('([\w-]+)'", tree.read(root, path))}
findings, used = [], []
wraps = {name: read(name) for name in sorted(os.listdir(folder)) if name.endswith(".wrap")}
for name, wrap in wraps.items():
    findings += form(name, wrap, asked)
table = set(re.findall(r"^\| `([\w-]+)` \|", tree.read(root, "subprojects/README.md"), re.M))
if table != {name.removesuffix(".wrap") for name in wraps}:
    findings.append(f"subprojects/README.md tells of {sorted(table)}, there are {sorted(wraps)}")
for name, (header, _) in HEADERS.items():
    if not findings and os.path.exists(header):
        findings += use(name, wraps[name + ".wrap"])
        used.append(name)
tree.finish(findings, f"{len(wraps)} wraps, of which {len(used)} were built with")
