# SPDX-License-Identifier: Apache-2.0
"""tw reshard: random layouts of random arrays compared element by element, runs that are killed and go on, the budget of memory,
damaged files. Files are written and read byte by byte: no NumPy needed. Usage: reshard.py TW [SEED]"""

import json
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

from checks import check, failures
from sets import SIZES, box_of, count, random_arrays, random_layout, read_safetensors, text_of, tile_of, write_layout, write_safetensors

tw = os.path.abspath(sys.argv[1])


def run(*command, status=0):
    done = subprocess.run([tw, "reshard", *command], capture_output=True, text=True, check=False)
    check(done.returncode == status, f"{command}: exit {done.returncode}: {done.stderr}")
    return done


def check_tiles(folder, arrays, axes, layout, what):
    for device in range(count(axes.values())):
        found = read_safetensors(os.path.join(folder, f"{device:05}.safetensors"))
        check(set(found) == set(arrays), f"{what}: device {device} has {set(found)}")
        for name, (dtype, dims, elements) in arrays.items():
            offset, extent = tile_of(axes, layout[name], dims, device)
            wanted = (dtype, tuple(extent), box_of(elements, dims, SIZES[dtype], offset, extent))
            check(found[name] == wanted, f"{what}: device {device}, {name} {text_of(layout[name])}")


def test_layouts(tmp, seed):
    """File to tiles, to other tiles, to whole arrays: every element is where the layout says."""
    for case in range(int(os.environ.get("TW_RESHARD_CASES", "12"))):
        draw = random.Random(seed * 1000 + case)
        what = f"seed {seed} case {case}"
        arrays = random_arrays(draw)
        source = os.path.join(tmp, "source.safetensors")
        write_safetensors(source, arrays)
        at = source
        for step in range(3):
            axes, layout = random_layout(draw, arrays)
            to = os.path.join(tmp, f"case{case}.{step}")
            write_layout(to + ".layout", layout)
            mesh = ",".join(f"{a}={n}" for a, n in axes.items())
            done = run(at, to, "--mesh", mesh, "--shardings", to + ".layout", "--json", *(["--verify"] if step == 1 else []))
            if done.returncode != 0:
                break
            check_tiles(to, arrays, axes, layout, what)
            check(not os.path.exists(to + ".partial"), f"{what}: nothing is left beside the target")
            answer = json.loads(done.stdout)
            data = sum(len(elements) for _, _, elements in arrays.values())
            check(answer["least_bytes_read"] == data, f"{what}: {answer}")
            read = sum(os.path.getsize(os.path.join(at, f)) for f in os.listdir(at) if f.endswith(".safetensors")) if step else os.path.getsize(at)
            check(answer["bytes_read"] <= read, f"{what}: more was read than there is: {answer}")
            at = to
        whole = os.path.join(tmp, f"case{case}.safetensors")
        run(at, whole, "--whole", "--verify")
        check(read_safetensors(whole) == arrays, f"{what}: the whole arrays are back")


def test_formats(tmp):
    """npz and npy are read and written: also swapped, column-major, compressed, and what only a type of more bits holds."""

    def npy(descr, dims, data, fortran=False):
        text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({''.join(f'{d}, ' for d in dims)}), }}\n"
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data

    numbers = list(range(6))
    source = os.path.join(tmp, "in.npz")
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("a.npy", npy("<f4", (2, 3), struct.pack("<6f", *numbers)), zipfile.ZIP_STORED)
        archive.writestr("b.npy", npy(">f4", (2, 3), struct.pack(">6f", *numbers)), zipfile.ZIP_DEFLATED)
        archive.writestr("c.npy", npy("<f4", (2, 3), struct.pack("<6f", 0, 3, 1, 4, 2, 5), True), zipfile.ZIP_DEFLATED)
        archive.writestr("t.npy", npy("<U3", (1,), "abc".encode("utf-32-le")))
    out = os.path.join(tmp, "of_npz")
    done = run(source, out, "--mesh", "x=3", "-a", 'tile(arg="*", dim=1, axis=x)')
    check("left out t" in done.stdout, f"texts are left out, and that is said: {done.stdout}")
    for device in range(3):
        for name, (dtype, dims, data) in read_safetensors(os.path.join(out, f"{device:05}.safetensors")).items():
            check((dtype, dims, data) == ("F32", (2, 1), struct.pack("<2f", device, device + 3)), f"{name} of device {device}")
    arrays = {"h": ("BF16", (2, 2), struct.pack("<4H", 0x3F80, 0xC000, 0x7F80, 0x0001)), "n": ("I64", (1,), struct.pack("<q", -7))}
    write_safetensors(os.path.join(tmp, "half.safetensors"), arrays)
    run(os.path.join(tmp, "half.safetensors"), os.path.join(tmp, "half.npz"), "--whole")
    with zipfile.ZipFile(os.path.join(tmp, "half.npz")) as archive:
        check(archive.testzip() is None, "the sums of the archive are right")
        check(archive.read("h.npy").endswith(struct.pack("<4I", 0x3F800000, 0xC0000000, 0x7F800000, 0x00010000)), "bf16 as float32")
        check(archive.read("n.npy").endswith(struct.pack("<q", -7)), "an integer")
    run(os.path.join(tmp, "half.npz"), os.path.join(tmp, "half"), "--whole", "--format", "npy")
    check(sorted(os.listdir(os.path.join(tmp, "half"))) == ["h.npy", "n.npy"], "a file for each array")
    run(os.path.join(tmp, "half"), os.path.join(tmp, "again.safetensors"), "--whole", "--dtype", "bf16")
    check(read_safetensors(os.path.join(tmp, "again.safetensors")) == arrays, "rounded to what it was; integers stay")
    floats = [1.00390625, 1.01171875, 3.4e38, -0.0]  # ties go to the even one, the largest to infinity
    write_safetensors(os.path.join(tmp, "f.safetensors"), {"f": ("F64", (4,), struct.pack("<4d", *floats))})
    run(os.path.join(tmp, "f.safetensors"), os.path.join(tmp, "g.safetensors"), "--whole", "--dtype", "bf16")
    found = read_safetensors(os.path.join(tmp, "g.safetensors"))["f"]
    check(found == ("BF16", (4,), struct.pack("<4H", 0x3F80, 0x3F82, 0x7F80, 0x8000)), f"rounded once: {found}")


def test_index(tmp):
    """Sets of Hugging Face, and what can be wrong with them."""
    folder = os.path.join(tmp, "hub")
    os.mkdir(folder)
    a, b = ("F32", (4,), struct.pack("<4f", 1, 2, 3, 4)), ("F32", (2,), struct.pack("<2f", 5, 6))
    write_safetensors(os.path.join(folder, "model-00001-of-00002.safetensors"), {"a": a})
    write_safetensors(os.path.join(folder, "model-00002-of-00002.safetensors"), {"b": b})
    index = {"metadata": {"total_size": 24}, "weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}

    def attempt(change, status=1):
        with open(os.path.join(folder, "model.safetensors.index.json"), "w", encoding="utf-8") as file:
            file.write(change if isinstance(change, str) else json.dumps(change))
        out = os.path.join(tmp, "hub.safetensors")
        if os.path.exists(out):
            os.remove(out)
        done = run(folder, out, "--whole", status=status)
        check(os.path.exists(out) == (status == 0), "nothing is written where something is wrong")
        return done.stderr if status else read_safetensors(out)

    check(attempt(index, 0) == {"a": a, "b": b}, "two files")
    index["weight_map"]["c"] = "model-00002-of-00002.safetensors"
    check("'c'" in attempt(index), "an array that a file lacks")
    index["weight_map"]["c"] = "model-00003-of-00003.safetensors"
    check("model-00003" in attempt(index), "a file that is not there")
    index["weight_map"]["c"] = "../hub/model-00002-of-00002.safetensors"
    check("no name of a file in this folder" in attempt(index), "a file elsewhere")
    check("TW-901" in attempt("{"), "no JSON")
    check("weight_map" in attempt({}), "no map")

    def tiles(*parts, shape=(4,)):
        return {"tiles": {"a": {"dtype": "F32", "shape": list(shape), "parts": [{"file": "model-00001-of-00002.safetensors", "offset": [o], "extent": [4]} for o in parts]}}}

    check(attempt(tiles(0), 0) == {"a": a}, "one tile is all of it")
    check(attempt(tiles(0, 0), 0) == {"a": a}, "copies are read once")
    check("4 of 8 elements are in no part, the first of them is (4)" in attempt(tiles(0, shape=(8,))), "a missing part")
    check("overlap" in attempt(tiles(0, 2, shape=(6,))), "parts that overlap")
    check("outside" in attempt(tiles(2)), "a part outside")
    check("outside" in attempt(tiles(2**62)), "a part far outside")
    os.remove(os.path.join(folder, "model.safetensors.index.json"))
    write_safetensors(os.path.join(folder, "model-00002-of-00002.safetensors"), {"a": b})
    done = run(folder, os.path.join(tmp, "twice"), "--whole", status=1)
    check("'a' is in model-00001-of-00002.safetensors and in model-00002" in done.stderr, f"doubled: {done.stderr}")


def test_names(tmp):
    source, rules = os.path.join(tmp, "n.safetensors"), os.path.join(tmp, "rules")
    a = ("U8", (2,), b"\x01\x02")
    write_safetensors(source, {"model.layers.0.q": a, "model.layers.1.q": a, "step": a})

    def attempt(text, status=0):
        with open(rules, "w", encoding="utf-8") as file:
            file.write(text)
        out = os.path.join(tmp, "renamed.safetensors")
        if os.path.exists(out):
            os.remove(out)
        done = run(source, out, "--whole", "--rename", rules, status=status)
        return done.stderr if status else set(read_safetensors(out))

    check(attempt("model.layers.*.* blocks/*/*/w # all\nstep -\n") == {"blocks/0/q/w", "blocks/1/q/w"}, "stars, and what is left out")
    check("rules:2" in attempt("step s\nmodle.* x\n", 1), "a line that fits nothing")
    check("both be called 'x'" in attempt("model.* x\n", 1), "two of one name")
    check("rules:1" in attempt("a b c\n", 1), "three words")
    done = run(source, os.path.join(tmp, "x"), "--mesh", "x=2", "-a", 'tile(arg="steps", dim=0, axis=x)', status=1)
    check("step" in done.stderr, f"the nearest name: {done.stderr}")


def test_refusals(tmp):
    """Damaged files: an error that names file and array, in little memory, and nothing is written."""
    good = os.path.join(tmp, "good.safetensors")
    write_safetensors(good, {"w": ("F32", (4, 4), bytes(64)), "v": ("U8", (3,), b"abc")})
    with open(good, "rb") as file:
        data = file.read()
    size = struct.unpack_from("<Q", data)[0]

    def header(text):
        return struct.pack("<Q", len(text)) + text.encode()

    draw = random.Random(7)
    cases = [(data[:n], None) for n in (0, 1, 7, 8, 9, size, size + 8, len(data) - 1)]
    cases += [(struct.pack("<Q", n) + data[8:], None) for n in (0, 1, 2**63, 2**64 - 1, 10**12)]
    cases += [
        (header('{"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 15]}}') + bytes(16), "'w'"),
        (header('{"w": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 16]}}') + bytes(16), None),
        (header('{"w": {"dtype": "X", "shape": [4], "data_offsets": [0, 16]}}') + bytes(16), "'X'"),
        (header('{"w": {"dtype": "F32", "shape": [-4], "data_offsets": [0, 16]}}') + bytes(16), "'w'"),
        (header('{"w": {"dtype": "F32", "shape": [4]}}') + bytes(16), "'w'"),
        (header('{"w": {"dtype": "F32", "shape": [4], "data_offsets": [16, 0]}}') + bytes(16), "'w'"),
        (header('{"w": {"dtype": "U8", "shape": [9], "data_offsets": [0, 9]}, "v": {"dtype": "U8", "shape": [9], "data_offsets": [7, 16]}}') + bytes(16), "overlap"),
        (header('{"w": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}, "w": {"dtype": "U8", "shape": [1], "data_offsets": [1, 2]}}') + bytes(2), "'w'"),
        (header("[" * 100000) + bytes(16), None),
        (header('{"w":' * 100000) + bytes(16), None),
        (b"PK\x03\x04" + bytes(40), None),
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    for i, (damaged, wanted) in enumerate(cases):
        path, out = os.path.join(tmp, "bad.safetensors"), os.path.join(tmp, "never")
        with open(path, "wb") as file:
            file.write(damaged)
        done = run(path, out, "--whole", status=1)
        check("bad.safetensors" in done.stderr and (wanted is None or wanted in done.stderr), f"case {i}: {done.stderr}")
        check(not os.path.exists(out) and not os.path.exists(out + ".partial"), f"case {i}: something was written")
    for i in range(60):
        path = os.path.join(tmp, "bad.safetensors")
        damaged = bytearray(data)
        for _ in range(draw.randint(1, 4)):
            damaged[draw.randrange(8 + size)] = draw.randrange(256)
        with open(path, "wb") as file:
            file.write(damaged)
        done = subprocess.run([tw, "reshard", path, os.path.join(tmp, f"maybe{i}"), "--whole"], capture_output=True, text=True, check=False)
        check(done.returncode in (0, 1) and (done.returncode == 0 or "[TW-" in done.stderr), f"damage {i}: {done.returncode} {done.stderr}")
    check(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before < 64 << 10, "damaged files took much memory")
    out = os.path.join(tmp, "there")
    run(good, out, "--whole")
    check("is there already" in run(good, out, "--whole", status=1).stderr, "a target that is there")
    check("--whole" in run(good, out + "2", status=2).stderr, "no layout")
    check("TW-903" in run(good, out + ".npz", "--mesh", "x=2", "-a", "tile(arg=w, dim=0, axis=x)", status=1).stderr, "tiles in an archive")
    check("TW-904" in run(good, out + "3", "--whole", "--memory", "1000", status=1).stderr, "too little memory")
    check("TW-906" in run(good, out + "3", "--whole", "--dtype", "i32", status=1).stderr, "floats as integers")
    dry = json.loads(run(good, out + "3", "--whole", "--dry-run", "--json").stdout)
    check(dry["least_bytes_read"] == 67 and dry["files_written"] == 1 and not os.path.exists(out + "3"), f"a dry run: {dry}")


def test_torch(tmp):
    """A distributed checkpoint of PyTorch (tests/golden/store/make.py), whole and damaged; and one that would run a command."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "store", "torch")
    out = os.path.join(tmp, "of_torch")
    done = run(source, out, "--mesh", "x=4", "-a", 'tile(arg="model.w", dim=0, axis=x);tile(arg="model.t", dim=0, axis=x)', "--verify")
    check("left out loader" in done.stdout, f"objects are left out, and that is said: {done.stdout}")
    for device in range(4):
        begin, end = device * 6 // 4, (device + 1) * 6 // 4
        rows = struct.pack(f"<{(end - begin) * 4}f", *range(begin * 4, end * 4))
        found = read_safetensors(os.path.join(out, f"{device:05}.safetensors"))
        check(found["model.w"] == ("F32", (end - begin, 4), rows), f"device {device}: {found}")
        check(found["model.t"] == found["model.w"], "stored by columns, with something before it")
        check(found["model.b"] == ("BF16", (5,), b"".join(struct.pack("<f", 7 + i)[2:] for i in range(5))), "bf16")
        check(found["optim.step"] == ("I64", (), struct.pack("<q", 42)), "a scalar")
    folder = os.path.join(tmp, "torch")
    shutil.copytree(source, folder)
    flag = os.path.join(tmp, "was_run")
    with open(os.path.join(folder, ".metadata"), "wb") as file:
        file.write(b"\x80\x02cposix\nsystem\nX" + struct.pack("<I", len(flag) + 6) + f"touch {flag}".encode() + b"\x85R.")
    done = run(folder, out + "2", "--whole", status=1)
    check("'posix.system'" in done.stderr and not os.path.exists(flag), f"a command in a pickle: {done.stderr}")
    shutil.copy(os.path.join(source, ".metadata"), folder)
    os.remove(os.path.join(folder, "__1_0.distcp"))
    check("__1_0.distcp" in run(folder, out + "2", "--whole", status=1).stderr, "a missing file")
    check(not os.path.exists(out + "2"), "nothing is written")


def big_set(tmp, rows):
    """A file of 3 arrays, in all 2 kB a row, whose elements tell their place."""
    path = os.path.join(tmp, "big.safetensors")
    line = b"".join(struct.pack("<I", i) for i in range(256))
    parts = {"a": (rows, 256), "b": (rows // 2, 2, 128), "c": (256, rows // 2)}
    header, at = {}, 0
    for name, dims in parts.items():
        size = count(dims) * 4
        header[name] = {"dtype": "U32", "shape": list(dims), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for n in range(at // 1024):
            file.write(struct.pack("<I", n * 2654435761 & 0xFFFFFFFF) + line[4:])
    return path, at


def contents(folder):
    files = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            files[name] = file.read()
    return files


def test_killed(tmp, seed):
    """Killed at any place and started again: the same files, and never half of them."""
    source, size = big_set(tmp, 8192)
    command = [tw, "reshard", source, os.path.join(tmp, "killed"), "--mesh", "x=2,y=4", "--memory", "1MiB", "-a",
               "tile(arg=a, dim=0, axis=x);tile(arg=a, dim=1, axis=y);tile(arg=b, dim=2, axis=x);tile(arg=c, dim=1, axis=y)"]
    undisturbed = command.copy()
    undisturbed[3] = os.path.join(tmp, "undisturbed")
    begin = time.monotonic()
    subprocess.run(undisturbed, check=True, capture_output=True)
    took = time.monotonic() - begin
    wanted = contents(undisturbed[3])
    draw = random.Random(seed)
    kills = kept = 0
    for case in range(int(os.environ.get("TW_RESHARD_KILLS", "12"))):
        shutil.rmtree(command[3], ignore_errors=True)
        for attempt in range(100):
            with subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
                time.sleep(draw.uniform(0, took * 1.1) if attempt < 3 else took * 20)
                if child.poll() is None and attempt < 3:
                    child.send_signal(signal.SIGKILL)
                    kills += 1
                out, said = child.communicate()
            if child.returncode == 0:
                kept += json.loads(out)["bytes_kept"]
                break
            check(child.returncode == -signal.SIGKILL, f"case {case}: exit {child.returncode}: {said}")
            check(not os.path.exists(command[3]) or contents(command[3]) == wanted, f"case {case}: half a target is there")
            if os.path.exists(command[3]):
                break
        check(contents(command[3]) == wanted, f"case {case}: other files than those of a run that was not disturbed")
    print(f"killed {kills} times; {kept >> 20} MiB were written by runs before the last")
    check(kills > 0, "none was killed")
    # What another job left is not continued, and two do not work at once.
    shutil.rmtree(command[3], ignore_errors=True)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
        time.sleep(took / 3)
        child.kill()
    if os.path.exists(command[3] + ".partial/job"):
        done = run(*command[2:5], "x=4,y=2", *command[6:], status=1)
        check("holds another job" in done.stderr, f"another layout: {done.stderr}")
    shutil.rmtree(command[3] + ".partial", ignore_errors=True)


def test_memory(tmp):
    """The budget holds whatever the size of the set: 64 MiB through 4 MiB."""
    if "ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ:
        return  # a sanitizer's shadow takes more than the limit
    source, size = big_set(tmp, 32768)
    for extra in ([], ["--dtype", "f16"], ["--verify"]):
        out = os.path.join(tmp, "little")
        shutil.rmtree(out, ignore_errors=True)
        done = run(source, out, "--mesh", "x=8", "--memory", "4MiB", "-a", 'tile(arg="*", dim=1, axis=x)', "--json", *extra)
        answer = json.loads(done.stdout)
        check(answer["peak_memory_bytes"] < 32 << 20, f"{extra}: {answer['peak_memory_bytes']} bytes for a set of {size}")
        check(answer["bytes_read"] <= answer["least_bytes_read"] * 1.001, f"{extra}: {answer}")
    out = os.path.join(tmp, "little.npz")
    answer = json.loads(run(source, out, "--whole", "--memory", "4MiB", "--json").stdout)
    check(answer["peak_memory_bytes"] < 32 << 20, f"an archive: {answer['peak_memory_bytes']} bytes")
    back = os.path.join(tmp, "back.safetensors")
    run(out, back, "--whole", "--memory", "2MiB")
    check(read_big(back) == read_big(source), "through an archive and back")


def read_big(path):
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        data = file.read()
    return {name: data[slice(*about["data_offsets"])] for name, about in header.items() if name != "__metadata__"}


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for test in (test_layouts, test_formats, test_index, test_names, test_refusals, test_torch, test_killed, test_memory):
        with tempfile.TemporaryDirectory() as tmp:
            begin = time.monotonic()
            test(*((tmp, seed) if test in (test_layouts, test_killed) else (tmp,)))
            print(f"{test.__name__}: {time.monotonic() - begin:.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
