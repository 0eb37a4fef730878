# SPDX-License-Identifier: Apache-2.0
"""Loads the core, or says which packages the system lacks."""

from __future__ import annotations

import glob
import os
import re

#: Shared libraries by soname; a loader names the first that it does not find.
_SONAME = re.compile(r"lib([A-Za-z_]+)\.so\.(\d+)")
#: What the library stands on, where the system has it. Debian calls the package of libfmt.so.9 libfmt9.
_NEEDED = re.compile(rb"lib(?:fmt|hwy|dnnl|gomp)\.so\.\d+")


def advice(message: str, folder: str) -> str:
    """What to do where a loader failed with this message; "" where it says nothing of a library. The library itself may lie in the
    folder, and then names all that it needs."""
    missing = _SONAME.search(message)
    if missing is None or "cannot open shared object file" not in message:
        return ""
    if missing[1] == "tilewright":
        return "libtilewright is not where the loader looks: run ldconfig as root, or set LD_LIBRARY_PATH to its folder"
    needed = {missing[0]}
    for path in glob.glob(os.path.join(folder, "libtilewright.so*")):
        with open(path, "rb") as file:
            needed |= {name.decode() for name in _NEEDED.findall(file.read())}
    packages = " ".join(sorted(_SONAME.sub(r"lib\1\2", name) for name in needed))
    return f"tilewright needs {missing[0]}, which this system lacks. Debian, Ubuntu: apt-get install {packages}"


try:
    from . import _core  # noqa: F401
except ImportError as error:
    hint = advice(str(error), os.path.dirname(__file__))
    if not hint:
        raise
    raise ImportError(f"{error}\n{hint}", name=error.name, path=error.path) from None
