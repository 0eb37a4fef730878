# SPDX-License-Identifier: Apache-2.0
"""Tells JAX of the PJRT plug-in: JAX finds this module by the entry point `jax_plugins` and calls `initialize`, so `jax.devices("tilewright")`
works once the package is installed. JAX's own choice of a platform stays: JAX_PLATFORMS=tilewright makes this one the default."""

from __future__ import annotations

import os

#: Below JAX's own platforms, so that programs run elsewhere unless they ask for this one.
_PRIORITY = -100


def library() -> str | None:
    """Where the plug-in lies: beside this file, or TW_PJRT_LIBRARY. None where it was not built."""
    path = os.environ.get("TW_PJRT_LIBRARY") or os.path.join(os.path.dirname(__file__), "libtilewright_pjrt.so")
    return path if os.path.exists(path) else None


def initialize() -> None:
    """Registers the platform "tilewright", and says that it takes donated arguments: JAX asks a list of platforms for that."""
    from jax._src import xla_bridge
    from jax._src.interpreters import mlir

    path = library()
    if path is None:
        return
    xla_bridge.register_plugin("tilewright", priority=_PRIORITY, library_path=path)
    donating = getattr(mlir, "_platforms_with_donation", None)
    if isinstance(donating, list) and "tilewright" not in donating:
        donating.append("tilewright")
