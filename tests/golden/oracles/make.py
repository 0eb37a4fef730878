#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the oracle corpus: small modules of every op, each with its inputs and the results that XLA's CPU client computes.

    make.py            # needs a python with jax; rewrites the *.mlir files beside this script
    make.py reduce     # only the families whose names contain this

A case is one op, as StableHLO's generic form, and its inputs. XLA compiles and runs it through jax; MLIR prints the module as JAX would.
Exact ops are checked bit for bit. Where a result holds NaN, a check within 0 representable values replaces that, which takes any NaN for any other.
Functions that are approximated (`exp`, `tanh`, ..) are run in double precision and rounded, and a case states how many representable values a result may be away.
Float sums and products run on small integers, so that every order of additions gives the same bits.

What is left out, because XLA's CPU client or the specification gives no single answer: subnormal numbers (XLA flushes them), integer division by
zero, conversions of floats that do not fit their integer type, and quantised types."""

import os
import re
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "..", "bench"))
sys.path.insert(0, here)
import peer_xla_run  # Exits 77 without jax.
import jax
import ml_dtypes
import numpy as np
from jax.extend.mlir import ir
from jax.interpreters import mlir

jax.config.update("jax_enable_x64", True)

TYPES = {
    "i1": np.bool_,
    "i4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "ui16": np.uint16,
    "ui32": np.uint32,
    "ui64": np.uint64,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}
NAMES = {np.dtype(t): name for name, t in TYPES.items()}
SIGNED, UNSIGNED = ["i8", "i16", "i32", "i64"], ["ui8", "ui16", "ui32", "ui64"]
INTEGERS = SIGNED + UNSIGNED
FLOATS = ["f16", "bf16", "f32", "f64"]
COMPLEX = ["complex<f32>", "complex<f64>"]


def array(element, values):
    return np.asarray(values).astype(TYPES[element])


def type_of(a):
    return "tensor<" + "".join(f"{n}x" for n in a.shape) + NAMES[a.dtype] + ">"


def kind_of(element):
    return element[0] if element != "bf16" else "f"


def is_float(a):
    return kind_of(NAMES[a.dtype]) == "f"


def random(element, shape, seed, low=-4, high=5):
    """Small integers of any element type: exact under every order of additions."""
    rng = np.random.default_rng(seed)
    if element == "i1":
        return rng.integers(0, 2, shape).astype(np.bool_)
    if element.startswith("ui"):
        low = 0
    values = rng.integers(low, high, shape)
    if kind_of(element) == "c":
        values = values + 1j * rng.integers(low, high, shape)
    return array(element, values)


def reals(element, shape, seed, low=-3.0, high=3.0):
    return array(element, np.random.default_rng(seed).uniform(low, high, shape))


# --- Text ------------------------------------------------------------------------------------------------------------


def scalar_text(x, element):
    kind = kind_of(element)
    if element == "i1":
        return "true" if x else "false"
    if kind == "c":
        part = "f32" if element == "complex<f32>" else "f64"
        return f"({scalar_text(TYPES[part](x.real), part)}, {scalar_text(TYPES[part](x.imag), part)})"
    if kind == "f":
        value = float(x)
        if np.isnan(value) or np.isinf(value):
            width = np.dtype(TYPES[element]).itemsize
            return f"0x{int(np.asarray(x).view(f'u{width}')):0{2 * width}X}"
        text = repr(value)
        return text if "." in text or "e" not in text else text.replace("e", ".0e")
    return str(int(x))


def dense_text(a):
    def nested(part):
        return "[" + ", ".join(nested(p) for p in part) + "]" if part.ndim else scalar_text(part[()], NAMES[a.dtype])

    return f"dense<{nested(a) if a.size else ''}> : {type_of(a)}"


class Case:
    """One module: `op` is the text between operands and results, for example `"stablehlo.add"($0, $1)`. Lines before its last one are ops
    of their own. Types are added from inputs and results, unless the text holds them and ends in `#typed`."""

    def __init__(self, name, op, inputs, results, ulps=None, tolerance=None, through=None):
        self.name, self.op, self.inputs, self.results = name, op, inputs, results
        self.ulps, self.tolerance, self.through = ulps, tolerance, through

    def body(self, names, inputs):
        text = re.sub(r"\$(\d)", lambda m: names[int(m[1])], self.op)
        *before, text = text.split("\n")
        text, typed, _ = text.partition("#typed")
        if not typed:
            text += f" : ({', '.join(map(type_of, inputs))}) -> ({', '.join(self.results)})"
        many = f":{len(self.results)}" if len(self.results) > 1 else ""
        return "\n".join([*before, f"%r{many} = {text}"])

    def result_names(self):
        return [f"%r#{i}" for i in range(len(self.results))] if len(self.results) > 1 else ["%r"]

    def evaluate(self):
        names = [f"%arg{i}" for i in range(len(self.inputs))]
        arguments = ", ".join(f"{n}: {type_of(a)}" for n, a in zip(names, self.inputs))
        results = ", ".join(self.results)
        text = f"""module {{ func.func @main({arguments}) -> ({results}) {{
{self.body(names, self.inputs)}
return {", ".join(self.result_names())} : {results} }} }}"""
        return [np.asarray(o) for o in peer_xla_run.XlaProgram(text).run([jax.numpy.asarray(a) for a in self.inputs])]

    def expected(self):
        if not self.through:
            return self.evaluate()
        # In double precision, rounded to the type that is stated.
        widen = lambda t: t.replace("complex<f32>", "complex<f64>").replace("bf16>", "f64>").replace("f16>", "f64>").replace("f32>", "f64>")
        wide_inputs = [a.astype(TYPES[self.through]) if is_float(a) or kind_of(NAMES[a.dtype]) == "c" else a for a in self.inputs]
        wide = Case(self.name, widen(self.op), wide_inputs, [widen(t) for t in self.results])
        elements = [t.split("x")[-1][:-1] if "complex" not in t else t[t.index("complex") : -1] for t in self.results]
        elements = [e.removeprefix("tensor<") for e in elements]
        with np.errstate(all="ignore"):
            return [e.astype(TYPES[t]) for e, t in zip(wide.evaluate(), elements)]

    def check(self, result, expected, i):
        how, attributes = "check.expect_eq", ""
        floats = kind_of(NAMES[expected.dtype]) in "fc"
        if self.tolerance is not None and floats:
            how, attributes = "check.expect_almost_eq", f", tolerance = {self.tolerance:e} : f64"
        elif floats and (self.ulps is not None or np.isnan(expected.astype(np.complex128)).any()):
            how, attributes = "check.expect_close", f", max_ulp_difference = {self.ulps or 0} : i64"
        t = type_of(expected)
        return f"""%e{i} = stablehlo.constant {dense_text(expected)}
stablehlo.custom_call @{how}({result}, %e{i}) {{has_side_effect = true{attributes}}} : ({t}, {t}) -> ()"""

    def module(self):
        names = [f"%c{i}" for i in range(len(self.inputs))]
        lines = [f"{n} = stablehlo.constant {dense_text(a)}" for n, a in zip(names, self.inputs)]
        lines.append(self.body(names, self.inputs))
        for i, (result, expected) in enumerate(zip(self.result_names(), self.expected())):
            lines.append(self.check(result, expected, i))
        text = "func.func @%s() {\n%s\nreturn }" % (self.name, "\n".join(lines))
        with mlir.make_ir_context():
            printed = str(ir.Module.parse(text)).strip()
        inner = printed.removeprefix("module {\n").removesuffix("\n}").split("\n")
        return "\n".join(line[2:] for line in inner)


def main():
    import cases

    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    total, refused = 0, []
    for family, made in cases.families():
        if wanted not in family:
            continue
        modules, seen = [], set()
        for case in made:
            if case.name in seen:
                sys.exit(f"{family}: two cases are called {case.name}")
            seen.add(case.name)
            try:
                modules.append(case.module())
            except Exception as error:  # of XLA or of MLIR
                refused.append(f"{family}: {case.name}: {error}\n{case.op}")
        path = os.path.join(here, family + ".mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write("// SPDX-License-Identifier: Apache-2.0\n// Written by make.py through XLA's CPU client; do not edit.\n")
            file.write("\n\n// -----\n\n".join(modules) + "\n")
        total += len(modules)
        print(f"{family}: {len(modules)}")
    print(f"{total} modules")
    if refused:
        sys.exit("\n".join(refused))


if __name__ == "__main__":
    main()
