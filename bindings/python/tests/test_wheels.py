# SPDX-License-Identifier: Apache-2.0
"""A wheel for each CPython from 3.9 to 3.13 that is found: built by pip, looked into, and installed in a fresh virtual environment,
where a script in another folder plans and runs an MLP on 8 devices. Then the one wheel for CPython 3.11 and newer, in each of them; in the
newest JAX runs on the plug-in that the wheel brings. ./dev test --wheels asks for it; else it is skipped (77), since pip
fetches meson-python and numpy, and the library is built once more.
Usage: test_wheels.py SOURCE_ROOT BUILD_FOLDER"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "packaging"))
from one_wheel import only_wheel, run

VERSIONS = range(9, 14)
STABLE = 11  # from here on one wheel is for all
# Of another folder than the sources, so that it finds what is installed.
SCRIPT = """
import numpy as np
import tilewright as tw

b = tw.Builder("mlp")
x, w1, w2 = b.argument("x", "f32", (16, 32)), b.argument("w1", "f32", (32, 64)), b.argument("w2", "f32", (64, 32))
b.result("y", b.unary("tanh", x @ w1) @ w2)
plan = b.finish().plan(tw.Mesh(data=2, model=4)).tile("x", 0, "data").tile("w1", 1, "model").infer_propagate()
rng = np.random.default_rng(0)
arrays = [rng.standard_normal(a.type.shape).astype(np.float32) for a in plan.graph.arguments]
y, = plan.run(*arrays)
np.testing.assert_allclose(y, np.tanh(arrays[0] @ arrays[1]) @ arrays[2], rtol=1e-4, atol=1e-4)
assert plan.lower().collectives == {"all_reduce": 1}, plan.lower().collectives
print("ran on", plan.lower().num_devices, "devices")
"""
# What it stands on comes from the wheel, but for the C and C++ runtimes.
OF_THE_SYSTEM = r"(ld-linux[\w-]*|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|libutil)[.-]"
LOADED = """
import os, re, sys
with open("/proc/self/maps", encoding="utf-8") as maps:
    files = {line.split(maxsplit=5)[5].strip() for line in maps if ".so" in line}
strangers = [f for f in files if not f.startswith(sys.prefix) and not f.startswith(sys.base_prefix)]
strangers = [f for f in strangers if not re.match(sys.argv[1], os.path.basename(f))]
of_python = re.compile(r"lib(python3|ssl|crypto|ffi|bz2|lzma|z|expat|sqlite3|uuid|readline|tinfo|ncursesw)\\b")
assert not [f for f in strangers if not of_python.match(os.path.basename(f))], strangers
"""
ON_JAX = """
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
x = jax.device_put(np.arange(64, dtype=np.float32).reshape(8, 8), NamedSharding(mesh, P("data", "model")))
y = jax.jit(lambda a: (a @ a.T).sum())(x)
a = np.arange(64, dtype=np.float32).reshape(8, 8)
np.testing.assert_allclose(y, (a @ a.T).sum())
print("JAX on", len(jax.devices("tilewright")), "devices of", jax.devices()[0].platform)
"""


def is_version(path, minor):
    code = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
    try:
        said = subprocess.run([path or "", "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return said.stdout.split() == ["3", str(minor)]


def interpreters():
    """An interpreter of each version that is found: (minor, path)."""
    found = []
    for minor in VERSIONS:
        pyenv = sorted(glob.glob(os.path.expanduser(f"~/.pyenv/versions/3.{minor}.*/bin/python3.{minor}")))
        candidates = [*pyenv, f"/usr/bin/python3.{minor}", shutil.which(f"python3.{minor}")]
        path = next((path for path in candidates if is_version(path, minor)), None)
        found += [(minor, path)] if path else []
    return found


def environment(python, folder):
    """The interpreter of a new virtual environment."""
    run(python, "-m", "venv", folder)
    inside = os.path.join(folder, "bin", "python")
    run(inside, "-m", "pip", "install", "--quiet", "--upgrade", "pip")
    return inside


def build(python, root, build_folder, out):
    """All versions share one build folder: only the module is made anew."""
    run(python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", out, f"--config-settings=build-dir={build_folder}", root,
        env={**os.environ, "PYTHONPATH": ""})
    return only_wheel(out)


def check(wheel, minor):
    """The package with its module, types and library, found by $ORIGIN, and nothing else."""
    tag = f"cp3{minor}-cp3{minor}-"
    assert tag in os.path.basename(wheel), wheel
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        names = [n for n in archive.namelist() if ".dist-info/" not in n]
        strangers = [n for n in names if not re.fullmatch(r"tilewright/(\w+\.pyi?|py\.typed|_core\.[\w-]+\.so|libtilewright[\w.]*)", n)]
        assert not strangers, strangers
        for needed in ("__init__.py", "py.typed", "_core.pyi", "jax.py", "libtilewright.so"):
            assert any(n.startswith("tilewright/" + needed) for n in names), (needed, names)
        (module,) = [n for n in names if n.startswith("tilewright/_core.") and n.endswith(".so")]
        assert f"cpython-3{minor}-" in module, module
        path = archive.extract(module, folder)
        dynamic = run("readelf", "-d", path)
        (places,) = re.findall(r"R(?:UN)?PATH.*\[([^]]*)\]", dynamic)
        assert "$ORIGIN" in places.split(":"), dynamic
        (needed,) = re.findall(r"NEEDED.*\[(libtilewright[^]]*)\]", dynamic)
        assert f"tilewright/{needed}" in names, (needed, names)


def check_one(wheel):
    """One module for all, and the libraries beside the package."""
    assert "cp311-abi3-manylinux_" in os.path.basename(wheel), wheel
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert "tilewright/_core.abi3.so" in names, names
    for needed in ("libtilewright_pjrt.so", "_core.pyi", "jax_plugin.py"):
        assert "tilewright/" + needed in names, (needed, names)
    for needed in ("fmt", "hwy", "dnnl", "gomp", "zip", "zstd"):
        assert any(re.match(rf"tilewright\.libs/lib{needed}-", n) for n in names), (needed, names)


def test_one(root, build_folder, found):
    """The wheel that `./dev wheel` makes, in every version that it is for."""
    for_it = [(minor, python) for minor, python in found if minor >= STABLE]
    assert for_it, f"no CPython 3.{STABLE} or newer is here"
    packaging = os.path.join(root, "packaging")
    with tempfile.TemporaryDirectory() as folder:
        python = environment(for_it[0][1], os.path.join(folder, "build"))
        run(python, "-m", "pip", "install", "--quiet", "-r", os.path.join(packaging, "one_wheel_requirements.txt"))
        print(run(python, os.path.join(packaging, "one_wheel.py"), root, build_folder + "-one", os.path.join(folder, "wheels")).strip(), flush=True)
        wheel = only_wheel(os.path.join(folder, "wheels"))
        check_one(wheel)
        for minor, python in for_it:
            fresh = environment(python, os.path.join(folder, f"fresh{minor}"))
            is_last = (minor, python) == for_it[-1]
            run(fresh, "-m", "pip", "install", "--quiet", wheel, "numpy", *(["jax"] if is_last else []))
            alone = {"PATH": os.environ["PATH"]}
            said = run(fresh, "-c", SCRIPT + LOADED, OF_THE_SYSTEM, cwd=folder, env=alone)
            if is_last:
                said += run(fresh, "-c", ON_JAX, cwd=folder, env={**alone, "JAX_PLATFORMS": "tilewright", "TW_PJRT_DEVICES": "8"})
            print(f"{os.path.basename(wheel)} in CPython 3.{minor}: {', '.join(said.split(chr(10))).strip(', ')}", flush=True)


def main():
    root, build_folder = map(os.path.abspath, sys.argv[1:])
    if not os.environ.get("TW_WHEELS"):
        print("wheels are built on demand: ./dev test --wheels")
        sys.exit(77)
    found = interpreters()
    assert found, "no CPython from 3.9 to 3.13 with venv is here"
    for minor, python in found:
        with tempfile.TemporaryDirectory() as folder:
            wheel = build(environment(python, os.path.join(folder, "build")), root, build_folder, os.path.join(folder, "wheels"))
            check(wheel, minor)
            fresh = environment(python, os.path.join(folder, "fresh"))
            run(fresh, "-m", "pip", "install", "--quiet", wheel, "numpy")
            said = run(fresh, "-c", SCRIPT, cwd=folder, env={"PATH": os.environ["PATH"]})
            print(f"{os.path.basename(wheel)} of {python}: {said.strip()}", flush=True)
    test_one(root, build_folder, found)
    missing = sorted(set(VERSIONS) - {minor for minor, _ in found})
    if missing:
        print("not found here:", ", ".join(f"CPython 3.{minor}" for minor in missing))


main()
