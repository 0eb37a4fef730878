# SPDX-License-Identifier: Apache-2.0
"""What comes from outside and is no text, is too long, or would reach the terminal as commands, and what cannot be written.
Usage: outside.py TW"""

import json
import os
import subprocess
import sys
import tempfile

from checks import check, failures

tw = sys.argv[1]
PROGRAM = b"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }\n"


def run(*arguments, **how):
    """Exit status, stdout and stderr as bytes."""
    done = subprocess.run([tw, *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=100, **how)
    return done.returncode, done.stdout, done.stderr


def is_clean(text):
    """UTF-8 without control characters but line ends."""
    return all(c == "\n" or c.isprintable() for c in text.decode("utf-8"))


def file(folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as out:
        out.write(data)
    return path


def not_utf8(tmp):
    """One error, TW-003, at the byte."""
    good = file(tmp, "good.mlir", PROGRAM)
    cases = {
        "program": (["info", file(tmp, "p.mlir", b"// caf\xe9\n" + PROGRAM)], ":1:7: error:", "0xe9"),
        "string": (["info", file(tmp, "s.mlir", b'\nmodule @"a\xff" {' + PROGRAM + b"}")], ":2:11: error:", "0xff"),
        "names": (["plan", good, "--names", file(tmp, "n.txt", b"na\xc3\n")], ":1:3: error:", "0xc3"),
        "spec": (["plan", good, "--mesh", "d=2", "--spec", file(tmp, "s.txt", b"\n# \x80\n")], ":2:3: error:", "0x80"),
    }
    for what, (arguments, place, byte) in cases.items():
        for extra in ([], ["--json"]):
            status, _, said = run(*arguments, *extra)
            check(status == 1, f"{what} is refused: {status}")
            check(b"TW-003" in said and byte.encode() in said, f"{what}: {said}")
            check(extra or place.encode() in said, f"{what} is refused at its place: {said}")
            check(is_clean(said), f"{what}: {said}")
            check(not extra or json.loads(said)["error"]["line"] > 0, f"{what} as JSON")


def terminal(tmp):
    """Names are shown with escapes, by which specs find them."""
    text = (
        b'module @"m\x1b[1m" {\nfunc.func @main(%x: tensor<4xf32> {jax.arg_info = "a\\1B[31m\\0Db"}, '
        b'%y: tensor<4xf32> {jax.arg_info = "q\\FFz"}) -> (tensor<4xf32> {jax.result_info = "r\\1Bx"}) {\n'
        b'  %0 = stablehlo.add %x, %y {odd = "\x1b[2J"} : tensor<4xf32> loc("l\\1Bq")\n  return %0 : tensor<4xf32>\n}\n}\n'
    )
    program = file(tmp, "t.mlir", text)
    spec = r'tile(arg="a\x1b[31m\x0db", dim=0, axis=d); infer-propagate'
    plan = ["--mesh", "d=2", "-a", spec]
    for verb, arguments in {"info": [], "plan": plan, "explain": [*plan, "%0"], "run": [*plan, "--check", "none"]}.items():
        for extra in ([], ["--json"]):
            status, out, said = run(verb, program, *arguments, *extra)
            check(status == 0, f"{verb} {extra}: {status} {said}")
            check(is_clean(out) and is_clean(said), f"{verb} {extra} prints what a terminal obeys: {out} {said}")
            check(not extra or json.loads(out), f"{verb} prints JSON")
    status, out, _ = run("plan", program, *plan)
    check(rb"a\x1b[31m\x0db" in out and rb"q\xffz" in out and rb"r\x1bx" in out, f"names have escapes: {out}")
    names = file(tmp, "names.txt", b"b\x1b[31m\n")
    status, out, said = run("plan", program, "--names", names)
    check(status == 0 and is_clean(out) and rb"b\x1b[31m" in out, f"names of a file: {out} {said}")
    for arguments in (["plan", b"no\x1bfile\xff"], [b"ver\x1bb"], ["plan", b"--no\x1bopt\xff", program], ["plan", program, "--mesh", b"a\x1b=2"],
                      ["plan", program, "--mesh", "d=2", "-a", b"tile(arg=\"\x1b\", dim=0, axis=d)"]):
        status, _, said = run(*arguments)
        check(status in (1, 2) and is_clean(said), f"{arguments}: {said}")


def limits(tmp):
    """What never ends is not read for ever."""
    good = file(tmp, "good.mlir", PROGRAM)
    for arguments in (["plan", "/dev/zero"], ["info", "/dev/zero"], ["plan", good, "--spec", "/dev/zero"], ["plan", good, "--names", "/dev/zero"]):
        status, _, said = run(*arguments, "--max-input", "1MiB")
        check(status == 1 and b"/dev/zero has more than 1048576 bytes" in said and b"TW-811" in said, f"{arguments}: {said}")
    size = str(len(PROGRAM))
    check(run("info", good, "--max-input", size)[0] == 0, "a file of just so many bytes is read")
    check(run("info", good, "--max-input", str(len(PROGRAM) - 1))[0] == 1, "one of a byte more is not")
    check(run("info", good, "--max-input", "many")[0] == 2, "a limit is a number")
    piped = subprocess.run([tw, "info", "-", "--max-input", "10"], input=PROGRAM, capture_output=True, check=False)
    check(piped.returncode == 1 and b"standard input has more than 10 bytes" in piped.stderr, f"a pipe: {piped.stderr}")


def full_device(tmp):
    """Whoever prints to a full device says so."""
    good = file(tmp, "good.mlir", PROGRAM)
    for arguments in (["--version"], ["version"], ["--help"], ["plan", "--help"], ["help", "TW-404"], ["ops"], ["info", good], ["info", good, "--json"],
                      ["emit", good, "--to", "loops"], ["plan", good], ["redistribute", "x=2", "f32[8] [{x}]", "[{}]"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([tw, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
        check(done.returncode == 1 and b"could not be written" in done.stderr, f"{arguments}: {done.returncode} {done.stderr}")


with tempfile.TemporaryDirectory() as folder:
    not_utf8(folder)
    terminal(folder)
    limits(folder)
    if os.path.exists("/dev/full"):
        full_device(folder)
sys.exit(bool(failures))
