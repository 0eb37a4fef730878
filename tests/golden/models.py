# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/models/zoo, whole and over natural shardings: equal to the unpartitioned run and to JAX's own results.
Usage: models.py TW"""

import ast
import glob
import os
import struct
import subprocess
import sys
import tempfile
import zipfile

from zoo import SHARDINGS

MESHES = ["x=2", "x=3"]
tw = os.path.abspath(sys.argv[1])
folder = os.path.join(os.environ.get("TW_SOURCE_ROOT", "."), "examples", "models", "zoo")
# What plans promise: convolutions, pooling and their gradients over tiles of images exchange halos, whatever is padded or cut on the way.
PROMISES = {
    "resnet_step": [("x=4", "tile(arg=arg8, dim=1, axis=x)", "no all_gather"), ("x=2,y=2", "tile(arg=arg8, dim=1, axis=x); tile(arg=arg8, dim=2, axis=y)", "no all_gather")],
}
FORMATS = {"<f4": "f", "<i4": "i", "<u4": "I"}


def arrays(path):
    """Flat lists by name."""
    result = {}
    with zipfile.ZipFile(path) as archive:
        for entry in archive.namelist():
            data = archive.read(entry)
            end = 10 + struct.unpack_from("<H", data, 8)[0]
            header = ast.literal_eval(data[10:end].decode())
            code = FORMATS[header["descr"]]
            result[entry.removesuffix(".npy")] = struct.unpack(f"<{(len(data) - end) // 4}{code}", data[end:])
    return result


def differs(got, wanted):
    """Where results are not those of JAX: sums in another order differ by some units in the last place of the largest."""
    for name, values in wanted.items():
        largest = max((abs(v) for v in values), default=0)
        if len(got.get(name, ())) != len(values):
            return f"{name} has {len(got.get(name, ()))} elements, and not {len(values)}"
        for i, (a, b) in enumerate(zip(got[name], values)):
            exact = isinstance(b, int)
            if a != b and (exact or not abs(a - b) <= 1e-5 * largest + 1e-4 * abs(b)):
                return f"{name}[{i}] is {a}, and JAX has {b}"
    return ""


runs = failures = 0
programs = sorted(glob.glob(os.path.join(folder, "*.mlir")))
for program in programs:
    name = os.path.basename(program).removesuffix(".mlir")
    wanted = arrays(program.removesuffix(".mlir") + ".out.npz")
    plans = [[]] + [["--mesh", mesh, "-a", f"{actions}; infer-propagate"] for mesh in MESHES for actions in SHARDINGS[name]]
    plans += [["--mesh", mesh, "-a", f"{actions}; infer-propagate; expect {promise}"] for mesh, actions, promise in PROMISES.get(name, [])]
    for plan in plans:
        with tempfile.TemporaryDirectory() as temporary:
            out = os.path.join(temporary, "out.npz")
            command = [tw, "run", program, "--inputs", program.removesuffix(".mlir") + ".in.npz", "--outputs", out, "--quiet", *plan]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            why = differs(arrays(out), wanted) if done.returncode == 0 else (done.stdout + done.stderr).strip()
        runs += 1
        if why:
            failures += 1
            print(f"{name} {' '.join(plan)}: {why}")
if {os.path.basename(p).removesuffix(".mlir") for p in programs} != set(SHARDINGS):
    failures += 1
    print(f"{folder} holds other programs than this test has shardings for")
print(f"{runs - failures} passed, {failures} failed")
sys.exit(1 if failures else 0)
