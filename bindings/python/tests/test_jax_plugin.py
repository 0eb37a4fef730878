# SPDX-License-Identifier: Apache-2.0
"""The package as JAX finds it: by the entry point `jax_plugins` of pyproject.toml, beside JAX's own platform, with donated arguments, callbacks, and
calls of LAPACK, by the library that SciPy brings.
Runs under the python that TW_JAX_PYTHON names; exits 77 without jax."""

import lane

lane.enter("jax")

import configparser
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["TW_SOURCE_ROOT"]
PROGRAM = """
import warnings
warnings.simplefilter("error")
import jax, jax.numpy as jnp, numpy
assert jax.default_backend() == "cpu", jax.default_backend()
devices = jax.devices("tilewright")
assert len(devices) == 3, devices
x = jax.device_put(numpy.arange(6.0, dtype=numpy.float32), devices[2])
step = jax.jit(lambda a: a * 2, donate_argnums=0)
y = step(x)
assert x.is_deleted() and y.devices() == {devices[2]}
numpy.testing.assert_array_equal(y, numpy.arange(6.0) * 2)
a = jax.device_put(numpy.array([[2.0, 1.0], [1.0, 2.0]], dtype=numpy.float32), devices[1])
values = jax.jit(jnp.linalg.eigvalsh)(a)  # calls LAPACK, for which JAX has no lowering on other platforms
assert values.devices() == {devices[1]}
numpy.testing.assert_allclose(values, [1, 3], rtol=1e-6)
halves = jax.jit(lambda a: jax.pure_callback(lambda a: numpy.asarray(a) / 2, jax.ShapeDtypeStruct(a.shape, a.dtype), a))(y)
assert halves.devices() == {devices[2]}
numpy.testing.assert_array_equal(halves, numpy.arange(6.0))
assert "lapack_spotrf_ffi" in jax.jit(jnp.linalg.cholesky).lower(a).as_text()
print("ran on", y.devices())
"""


class Plugin(unittest.TestCase):
    def test_entry_point(self):
        with open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as file:
            points = re.search(r"^\[project\.entry-points\.jax_plugins\]\n(.*?)\n\n", file.read(), re.S | re.M)[1]
        with tempfile.TemporaryDirectory() as folder:
            # What pip would write.
            info = os.path.join(folder, "tilewright-0.1.0.dist-info")
            os.mkdir(info)
            with open(os.path.join(info, "METADATA"), "w", encoding="utf-8") as file:
                file.write("Metadata-Version: 2.1\nName: tilewright\nVersion: 0.1.0\n")
            with open(os.path.join(info, "entry_points.txt"), "w", encoding="utf-8") as file:
                file.write("[jax_plugins]\n" + points.replace("'", "") + "\n")
            written = configparser.ConfigParser()
            written.read(os.path.join(info, "entry_points.txt"))
            self.assertEqual(dict(written["jax_plugins"]), {"tilewright": "tilewright.jax_plugin"})
            environment = {name: value for name, value in os.environ.items() if name not in ("JAX_PLATFORMS", "XLA_FLAGS")}
            environment |= {"PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], folder]), "TW_PJRT_DEVICES": "3"}
            done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=600, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("ran on {", done.stdout)


if __name__ == "__main__":
    unittest.main()
