# SPDX-License-Identifier: Apache-2.0
"""Tells JAX of the PJRT plug-in: JAX finds this module by the entry point `jax_plugins` and calls `initialize`, so `jax.devices("tilewright")`
works once the package is installed. JAX's own choice of a platform stays: JAX_PLATFORMS=tilewright makes this one the default."""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os

#: Below JAX's own platforms, so that programs run elsewhere unless they ask for this one.
_PRIORITY = -100


def library() -> str | None:
    """Where the plug-in lies: at TW_PJRT_LIBRARY, else beside this file or beside the library. None where it was not built."""
    stated = os.environ.get("TW_PJRT_LIBRARY")
    folders = [os.path.dirname(__file__), *_folders_of_the_library()]
    paths = [stated] if stated else [os.path.join(folder, "libtilewright_pjrt.so") for folder in folders]
    return next((path for path in paths if os.path.exists(path)), None)


def _folders_of_the_library() -> list[str]:
    """From where this process has loaded libtilewright."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            loaded = [line.split(maxsplit=5)[5].strip() for line in maps if "/libtilewright.so" in line]
    except OSError:
        return []
    return [os.path.dirname(path) for path in dict.fromkeys(loaded)]


def lapack() -> str | None:
    """A library of LAPACK that can be opened: what TW_LAPACK names, else SciPy's own, which JAX brings and jaxlib uses, else the machine's."""
    named = os.environ.get("TW_LAPACK")
    if named:
        return named
    candidates = []
    scipy = importlib.util.find_spec("scipy")
    for folder in scipy.submodule_search_locations or [] if scipy else []:
        candidates += sorted(glob.glob(os.path.join(folder + ".libs", "libscipy_openblas-*.so")))
    for candidate in [*candidates, "liblapack.so.3", "libopenblas.so.0"]:
        try:
            ctypes.CDLL(candidate)
        except OSError:
            continue
        return candidate
    return None


def _lower_to_lapack() -> None:
    """Takes JAX's lowerings of linear algebra for CPUs, which call LAPACK: those for any platform are slower, or there are none."""
    from jax._src.lax import linalg

    from . import jax_callbacks

    jax_callbacks.lower_as_cpu(linalg, "tilewright")


def initialize() -> None:
    """Registers the platform "tilewright". JAX knows what some platforms can do by their names: this one takes donated arguments, calls foreign
    functions and Python, and LAPACK where there is any."""
    from jax._src import xla_bridge
    from jax._src.interpreters import mlir

    from . import jax_callbacks

    path = library()
    if path is None:
        return
    xla_bridge.register_plugin("tilewright", priority=_PRIORITY, library_path=path)
    # Where the plug-in stands for a platform that JAX knows (PJRT_NAMES_AND_LIBRARY_PATHS), callbacks are for that one.
    for platform in dict.fromkeys(["tilewright", os.environ.get("TW_PJRT_PLATFORM") or "tilewright"]):
        jax_callbacks.install(path, platform)
    donating = getattr(mlir, "_platforms_with_donation", None)
    if isinstance(donating, list) and "tilewright" not in donating:
        donating.append("tilewright")
    found = lapack()
    if found:
        os.environ["TW_LAPACK"] = found
        _lower_to_lapack()
