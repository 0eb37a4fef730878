# SPDX-License-Identifier: Apache-2.0
"""Arrays through .npz and .npy files: values arrive exactly or are refused. Writes the files byte by byte: no NumPy needed.
Usage: npz.py TW"""

import os
import resource
import struct
import subprocess
import sys
import tempfile
import zipfile

tw = sys.argv[1]
failures = 0


def npy(descr, shape, data, fortran=False, version=1, header=None):
    if header is None:
        shape_text = "(" + "".join(f"{n}, " for n in shape) + ")"
        header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape_text}, }}\n"
    size = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + size + header.encode() + data


def read_npy(data):
    size, begin = (struct.unpack_from("<H", data, 8)[0], 10)
    header = eval(data[begin : begin + size])  # our own output: a dictionary of literals
    assert (begin + size) % 64 == 0, "data begins at a multiple of 64"
    return header["descr"], header["shape"], data[begin + size :]


def npz(path, arrays):
    with zipfile.ZipFile(path, "w") as archive:
        for key, data in arrays.items():
            archive.writestr(key + ".npy", data)


def check(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", what)


def run(tmp, program, arrays=None, extra=()):
    """Runs a program; answers with the exit status, what was said on stderr, and the outputs by key."""
    with open(os.path.join(tmp, "p.mlir"), "w", encoding="utf-8") as file:
        file.write(program)
    command = [tw, "run", os.path.join(tmp, "p.mlir"), "--quiet", "--outputs", os.path.join(tmp, "out.npz"), *extra]
    if arrays is not None:
        npz(os.path.join(tmp, "in.npz"), arrays)
        command += ["--inputs", os.path.join(tmp, "in.npz")]
    out = os.path.join(tmp, "out.npz")
    if os.path.exists(out):
        os.remove(out)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    outputs = {}
    if done.returncode == 0:
        with zipfile.ZipFile(out) as archive:
            assert archive.testzip() is None
            outputs = {name[:-4]: read_npy(archive.read(name)) for name in archive.namelist()}
    return done.returncode, done.stderr, outputs


def identity(types):
    arguments = ", ".join(f"%a{i}: tensor<{t}>" for i, t in enumerate(types))
    values = ", ".join(f"%a{i}" for i in range(len(types)))
    listed = ", ".join(f"tensor<{t}>" for t in types)
    return f"func.func @main({arguments}) -> ({listed}) {{\n  return {values} : {listed}\n}}\n"


def test_every_type(tmp):
    floats = struct.pack("<4f", 1.0, -0.5, 2.0, 0.0)
    halves = struct.pack("<4e", 1.0, -0.5, 65504.0, 6e-8)
    table = [  # element type, NumPy type and bytes given, NumPy type and bytes that must come back
        ("f64", "<f8", struct.pack("<4d", 0.1, -1e300, 5e-324, 3.0), None),
        ("f32", "<f4", floats, None),
        ("f16", "<f2", halves, None),
        ("bf16", "<f4", floats, None),
        ("f8E4M3FN", "<f4", floats, None),
        ("f8E5M2", "<f4", struct.pack("<4f", 57344.0, -(2.0**-16), float("inf"), 0.0), None),
        ("f8E4M3FNUZ", "<f4", struct.pack("<4f", 240.0, -(2.0**-10), 0.0, 1.0), None),
        ("f8E4M3B11FNUZ", "<f4", struct.pack("<4f", 30.0, -(2.0**-13), 0.0, 1.0), None),
        ("f8E3M4", "<f4", struct.pack("<4f", 15.5, -(2.0**-6), 0.0, 1.0), None),
        ("f4E2M1FN", "<f4", struct.pack("<4f", 6.0, -0.5, 0.0, -0.0), None),
        ("f6E2M3FN", "<f4", struct.pack("<4f", 7.5, -0.125, 0.0, 1.0), None),
        ("f6E3M2FN", "<f4", struct.pack("<4f", 28.0, -0.0625, 0.0, 1.0), None),
        ("f8E8M0FNU", "<f4", struct.pack("<4f", 2.0**127, 2.0**-127, 1.0, 4.0), None),
        ("i1", "|b1", bytes([0, 1, 1, 0]), None),
        ("i4", "|i1", struct.pack("<4b", -8, 7, 0, 1), None),
        ("ui4", "|i1", struct.pack("<4b", 15, 7, 0, 1), None),
        ("i8", "|i1", struct.pack("<4b", -128, 127, 0, 1), None),
        ("ui16", "<u2", struct.pack("<4H", 65535, 1, 2, 3), None),
        ("i32", "<i4", struct.pack("<4i", -(2**31), 2**31 - 1, 0, 7), None),
        ("ui64", "<u8", struct.pack("<4Q", 2**64 - 1, 2**63, 0, 7), None),
        ("complex<f32>", "<c8", struct.pack("<8f", 1, 2, 3, 4, -0.0, 6, 7, 8), None),
        ("complex<f64>", "<c16", struct.pack("<8d", 1, 2, 3, 4, 5, 6, 7, 8), None),
        ("i32", "<i8", struct.pack("<4q", 1, -2, 3, 4), ("<i4", struct.pack("<4i", 1, -2, 3, 4))),
        ("f32", "<f8", struct.pack("<4d", 0.5, -2, 3, 4), ("<f4", struct.pack("<4f", 0.5, -2, 3, 4))),
        ("f32", ">f4", struct.pack(">4f", 0.5, -2, 3, 4), ("<f4", struct.pack("<4f", 0.5, -2, 3, 4))),
        ("i64", "|b1", bytes([0, 1, 1, 0]), ("<i8", struct.pack("<4q", 0, 1, 1, 0))),
    ]
    program = identity(["4x" + row[0] for row in table])
    status, said, out = run(tmp, program, {f"arg{i}": npy(row[1], (4,), row[2]) for i, row in enumerate(table)})
    check(status == 0, f"every type: {said}")
    for i, (element, descr, data, back) in enumerate(table):
        if status == 0:
            check(out[f"out{i}"] == ((back or (descr, data))[0], (4,), (back or (descr, data))[1]), f"{element} from {descr}: {out[f'out{i}']}")


def test_layouts(tmp):
    data = struct.pack("<6f", *range(6))
    columns = struct.pack("<6f", 0, 3, 1, 4, 2, 5)
    for given, what in (
        (npy("<f4", (2, 3), data), "row-major"),
        (npy("<f4", (2, 3), columns, fortran=True), "column-major"),
        (npy("<f4", (2, 3), data, version=2), "version 2"),
        (npy("<f4", (2, 3), data, version=3), "version 3"),
        (npy(None, None, data, header='{"shape":(2,3),"fortran_order":False,"descr":"<f4"}'), "another order of keys"),
    ):
        status, said, out = run(tmp, identity(["2x3xf32"]), {"arg0": given})
        check(status == 0 and out["out0"] == ("<f4", (2, 3), data), f"{what}: {said} {out}")
    scalar = npy("<f4", (), struct.pack("<f", 7))
    check(run(tmp, identity(["f32"]), {"a0": scalar})[2].get("out0") == ("<f4", (), struct.pack("<f", 7)), "a scalar, by name")
    empty = npy("<f4", (0, 3), b"")
    check(run(tmp, identity(["0x3xf32"]), {"arg0": empty})[2].get("out0") == ("<f4", (0, 3), b""), "no elements")


def test_refusals(tmp):
    one = struct.pack("<f", 1)
    good = npy("<f4", (1,), one)
    for element, arrays, wanted in (
        ("1xbf16", {"arg0": npy("<f4", (1,), struct.pack("<f", 1.001))}, "exact"),
        ("1xf16", {"arg0": npy("<f4", (1,), struct.pack("<f", 65536))}, "exact"),
        ("1xf4E2M1FN", {"arg0": npy("<f4", (1,), struct.pack("<f", 5))}, "exact"),
        ("1xf8E8M0FNU", {"arg0": npy("<f4", (1,), struct.pack("<f", 0))}, "exact"),
        ("1xf32", {"arg0": npy("<f8", (1,), struct.pack("<d", 0.1))}, "exact"),
        ("1xf32", {"arg0": npy("<i4", (1,), struct.pack("<i", 2**24 + 1))}, "exact"),
        ("1xi32", {"arg0": npy("<f4", (1,), struct.pack("<f", 1.5))}, "exact"),
        ("1xi4", {"arg0": npy("|i1", (1,), struct.pack("<b", 8))}, "exact"),
        ("1xui8", {"arg0": npy("|i1", (1,), struct.pack("<b", -1))}, "exact"),
        ("1xi64", {"arg0": npy("<f8", (1,), struct.pack("<d", 2.0**63))}, "exact"),
        ("1xf32", {"arg0": npy("<c8", (1,), struct.pack("<2f", 1, 2))}, "exact"),
        ("2xf32", {"arg0": good}, "f32[2]"),
        ("1xf32", {"arg7": good}, "arg7"),
        ("1xf32", {"arg0": good, "a0": good}, "twice"),
        ("1xf32", {"arg0": b"no npy"}, "NUMPY"),
        ("1xf32", {"arg0": good[:9]}, "cut off"),
        ("1xf32", {"arg0": b"\x93NUMPY\x01\x00\xff\xff{"}, "cut off"),
        ("1xf32", {"arg0": b"\x93NUMPY\x09\x00\x00\x00\x00\x00"}, "version"),
        ("1xf32", {"arg0": npy("<f4", (2,), one)}, "bytes"),
        ("1xf32", {"arg0": npy("<f4", (1,), one + one)}, "bytes"),
        ("1xf32", {"arg0": npy("<f4", (2**40, 2**40), one)}, "bytes"),
        ("1xf32", {"arg0": npy("<f4", (2**62, 4), one)}, "bytes"),
        ("1xf32", {"arg0": npy("<f4", (-1,), one)}, "size"),
        ("1xf32", {"arg0": npy("<M8", (1,), one)}, "M8"),
        ("1xf32", {"arg0": npy(None, None, one, header="{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}")}, "records"),
        ("1xf32", {"arg0": npy(None, None, one, header="{'descr': '<f4'}")}, "needs"),
        ("1xf32", {"arg0": npy(None, None, one, header="{'descr': '<f4")}, "end"),
        ("1xf32", {"arg0": npy(None, None, one, header="{" * 1000)}, "malformed"),
    ):
        status, said, _ = run(tmp, identity([element]), arrays)
        check(status == 1 and wanted in said, f"{element} from {list(arrays.values())[0][:60]}: exit {status}: {said}")
    status, said, _ = run(tmp, identity(["1xf32"]), None, ["--inputs", os.path.join(tmp, "p.mlir")])
    check(status == 1 and "p.mlir" in said, f"no archive: {said}")


def test_refused_before_inflated(tmp):
    path = os.path.join(tmp, "bomb.npz")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("arg0.npy", "w") as file:  # bit by bit: what we hold ourselves counts as our child's
            file.write(npy("<f4", (50_000_000,), b""))
            for _ in range(200):
                file.write(bytes(1_000_000))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    status, said, _ = run(tmp, identity(["4xf32"]), None, ["--inputs", path])
    grown = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before
    check(status == 1 and "f32[50000000]" in said, f"another shape: exit {status}: {said}")
    check(grown < 100_000, f"200 MB were inflated to see that: {grown} kB more")


def test_other_keys(tmp):
    arrays = {"arg0": npy("<f4", (1,), bytes(4)), "comment": npy("<U5", (1,), "hello".encode("utf-32-le"))}
    status, said, _ = run(tmp, identity(["1xf32"]), arrays)
    check(status == 1 and "'comment' holds text" in said and "<U5" in said, f"a text: exit {status}: {said}")


def test_other_files(tmp):
    for name, data, wanted in (
        ("x.npy", npy("<f4", (1,), bytes(4)), "it is one array: --fill ARGUMENT={}"),
        ("x.txt", b"1 2 3", "--inputs takes what numpy.savez writes, one array for each argument. `tw info {}` says how"),
    ):
        path = os.path.join(tmp, name)
        with open(path, "wb") as file:
            file.write(data)
        status, said, _ = run(tmp, identity(["1xf32"]), extra=["--inputs", path])
        check(status == 1 and wanted.format(path) in said, f"{name}: exit {status}: {said}")
    path = os.path.join(tmp, "model.pt")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model/data.pkl", b"\x80\x02")
    status, said, _ = run(tmp, identity(["1xf32"]), extra=["--inputs", path])
    check(status == 1 and "it is of PyTorch" in said and f"`tw info {path}`" in said, f"a checkpoint: exit {status}: {said}")
    said = subprocess.run([tw, "info", path], capture_output=True, text=True, check=False).stderr
    check("this is a PyTorch checkpoint" in said and "numpy.savez" in said, f"a checkpoint: {said}")


def test_drawn(tmp):
    program = identity(["4xf32", "4xf32"])
    arrays = {"arg0": npy("<f4", (4,), bytes(16))}
    status, said, _ = run(tmp, program, arrays, ["--inputs-required"])
    check(status == 1 and "gives a1" in said, f"an argument that nothing gives: exit {status}: {said}")
    status, said, _ = run(tmp, program, arrays, ["--inputs-required", "--fill", "a1=ones"])
    check(status == 0, f"all are given: {said}")
    for how in ("uniform(2,1)", "uniform(nan,inf)", "normal(0,-1)", "randint(0,99999999999999999999)", "randint(0.5,2)"):
        status, said, _ = run(tmp, program, None, ["--fill", f"a0={how}"])
        check(status == 1 and how in said, f"{how}: exit {status}: {said}")
    status, said, _ = run(tmp, identity(["4xi8"]), None, ["--fill", "a0=randint(0,300)"])
    check(status == 1 and "-128 to 127" in said, f"bounds outside i8: exit {status}: {said}")


def test_fill(tmp):
    program = identity(["4xf32", "4xf32", "4xi32"])
    with open(os.path.join(tmp, "x.npy"), "wb") as file:
        file.write(npy("<f4", (4,), struct.pack("<4f", 5, 6, 7, 8)))
    status, said, out = run(tmp, program, None, ["--fill", "a*=ones", "--fill", f"arg1={tmp}/x.npy", "--fill", "a2=iota"])
    check(status == 0, f"fill: {said}")
    if status == 0:
        check(out["out0"][2] == struct.pack("<4f", 1, 1, 1, 1), "a pattern")
        check(out["out1"][2] == struct.pack("<4f", 5, 6, 7, 8), "a file")
        check(out["out2"][2] == struct.pack("<4i", 0, 1, 2, 3), "the last that matches wins")
    unjudged = ["--check", "none", "--seed"]  # what only hands an argument on says little
    first = run(tmp, identity(["40xf32"]), None, [*unjudged, "1"])[2]
    check(bool(first), "outputs of a run that nobody judges")
    check(first == run(tmp, identity(["40xf32"]), None, [*unjudged, "1"])[2], "equal seeds, equal inputs")
    check(first != run(tmp, identity(["40xf32"]), None, [*unjudged, "2"])[2], "other seeds, other inputs")


def test_code_of_one_device(tmp):
    program = """shard.grid @g(shape = 2x2)
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, index) {
  %0 = stablehlo.add %x, %y : tensor<3xf32>
  %1 = shard.all_reduce %0 on @g grid_axes = [1] : tensor<3xf32> -> tensor<3xf32>
  %i = shard.process_linear_index on @g : index
  return %1, %i : tensor<3xf32>, index
}
"""
    own = npy("<f4", (2, 2, 3), struct.pack("<12f", *range(12)))
    same = struct.pack("<3f", 10, 20, 30)
    sums = ("<f4", (2, 2, 3), struct.pack("<12f", *([23, 45, 67] * 2 + [35, 57, 79] * 2)))
    with open(os.path.join(tmp, "same.npy"), "wb") as file:
        file.write(npy("<f4", (3,), same))
    for arrays, extra in (
        ({"x": own, "y": npy("<f4", (3,), same)}, ()),
        ({"x": own, "y": npy("<f4", (2, 2, 3), same * 4)}, ()),
        ({"x": own}, ("--fill", f"y={tmp}/same.npy")),
    ):
        status, said, out = run(tmp, program, arrays, extra)
        check(status == 0 and out["out0"] == sums, f"every device gets the same: {said} {out}")
        check(status == 0 and out["out1"] == ("<i8", (2, 2), struct.pack("<4q", 0, 1, 2, 3)), f"an index comes as i64: {out}")
    status, said, _ = run(tmp, program, {"x": npy("<f4", (2, 3), bytes(24))})
    check(status == 1 and "the program wants f32[2,2,3], or f32[3] for all devices" in said, f"another shape: {said}")


with tempfile.TemporaryDirectory() as folder:
    for test in (
        test_every_type,
        test_layouts,
        test_refusals,
        test_refused_before_inflated,
        test_other_keys,
        test_drawn,
        test_fill,
        test_code_of_one_device,
    ):
        test(folder)
if failures:
    print(failures, "failed")
sys.exit(1 if failures else 0)
