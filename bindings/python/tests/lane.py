# SPDX-License-Identifier: Apache-2.0
"""Tests that need JAX run under the python that TW_JAX_PYTHON names, with eight host devices; without one they are skipped (77)."""

import importlib
import os
import sys
import sysconfig


def skip(why):
    print(why)
    sys.exit(77)


def enter(*needed):
    """Goes on under that python, which has the package and the modules that are needed."""
    other = os.environ.pop("TW_JAX_PYTHON", None)
    if other:
        os.execv(other, [other, *sys.argv])
    folder = os.path.join(os.environ["PYTHONPATH"].split(os.pathsep)[0], "tilewright")
    if not os.path.exists(os.path.join(folder, "_core" + sysconfig.get_config_var("EXT_SUFFIX"))):
        skip(f"the package was built for another Python than {sys.version.split()[0]}: not tested with JAX")
    os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8 " + os.environ.get("XLA_FLAGS", "")
    os.environ["JAX_PLATFORMS"] = "cpu"
    for name in needed:
        try:
            importlib.import_module(name)
        except ImportError:
            skip(f"{name} is not installed (./dev test --jax installs it)")
