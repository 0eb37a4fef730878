# SPDX-License-Identifier: Apache-2.0
"""The modules of our package that JAX needs, `tilewright.jax_plugin` and `tilewright.jax_callbacks`, without the core that is built for one Python.
`pytest -p jax_package` gives the platform that the plug-in stands for (TW_PJRT_PLATFORM) callbacks before the first test."""

import os
import sys
import types
from pathlib import Path

package = sys.modules.setdefault("tilewright", types.ModuleType("tilewright"))
package.__path__ = [str(Path(__file__).resolve().parents[2] / "bindings" / "python" / "tilewright")]

from tilewright import jax_callbacks, jax_plugin  # noqa: E402


def pytest_configure(config):
    del config
    jax_callbacks.install(os.environ["TW_PJRT_LIBRARY"], os.environ["TW_PJRT_PLATFORM"])


__all__ = ["jax_callbacks", "jax_plugin"]
