# SPDX-License-Identifier: Apache-2.0
"""The Julia package's module Lib, made from bindings/api.json: constants, types and functions as the headers have them.
Usage: make_julia.py SOURCE_ROOT [--update]; without --update it says whether the module is out of date."""

import os
import sys

import made

PATH = "bindings/julia/Tilewright/lib/Lib.jl"
HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Made by bindings/make_julia.py: do not edit. Longer than other files, since made.
"""
Constants, types and functions of the C interface, as they are. `layouts()` has the sizes of structs and the places of
their fields.
"""
module Lib

const libtilewright = "libtilewright.so.{major}"
'''
NAMES = {
    "void": "Cvoid", "char": "UInt8", "int": "Cint", "size_t": "Csize_t", "double": "Cdouble", "float": "Cfloat",
    **{f"{sign}int{bits}_t": f"{kind}{bits}" for sign, kind in (("", "Int"), ("u", "UInt")) for bits in (8, 16, 32, 64)},
}
KEYWORDS = {"begin", "end", "function", "global", "local", "module", "quote", "struct", "type", "using", "where"}


def spelled(type_, callbacks, is_bytes=False):
    """A C type as Julia has it. A text that ends in NUL is a Cstring, bytes that are counted are not."""
    if isinstance(type_, dict) or type_ in callbacks:
        return "Ptr{Cvoid}"
    if made.array(type_):
        element, size = made.array(type_)
        return f"NTuple{{{size}, {spelled(element, callbacks)}}}"
    base, constants = made.pointers(type_)
    if base == "char" and constants and not is_bytes:
        return "Ptr{" * (len(constants) - 1) + "Cstring" + "}" * (len(constants) - 1)
    return "Ptr{" * len(constants) + NAMES.get(base, base) + "}" * len(constants)


def name(text):
    return text + "_" if text in KEYWORDS else text


def in_order(structs):
    """Structs behind those that they name."""
    done, rest = [], list(structs)
    while rest:
        waiting = {s["name"] for s in rest}
        ready = [s for s in rest if not any(made.pointers(f["type"])[0] in waiting for f in s["fields"] if isinstance(f["type"], str))]
        if not ready:
            raise ValueError(f"structs that name each other: {waiting}")
        done += ready
        rest = [s for s in rest if s not in ready]
    return done


def function_line(function, callbacks):
    parameters = [(name(p["name"]), spelled(p["type"], callbacks, p["role"] == "bytes")) for p in function["parameters"]]
    returns = spelled(function["returns"], callbacks)
    typed = ", ".join(f"{p}::{t}" for p, t in parameters)
    names = ", ".join(p for p, _ in parameters)
    return f"{function['name']}({names}) = @ccall libtilewright.{function['name']}({typed})::{returns}\n"


def module(api):
    callbacks = {c["name"] for c in api["callbacks"]}
    major = next(c["value"] for c in api["constants"] if c["name"] == "TW_API_VERSION_MAJOR")
    text = HEAD.replace("{major}", str(major)) + "\n# ---- types ----\n\n"
    for alias in api["aliases"]:
        text += f"const {alias['name']} = {spelled(alias['type'], callbacks)}\n"
    opaque = ["DLManagedTensor", "DLManagedTensorVersioned", *(h["name"] for h in api["handles"])]
    text += "\n" + "".join(f"struct {handle} end\n" for handle in opaque)
    for struct in in_order(api["structs"]):
        text += f"\nstruct {struct['name']}\n"
        text += "".join(f"    {name(f['name'])}::{spelled(f['type'], callbacks)}\n" for f in struct["fields"]) + "end\n"
    text += "\n# ---- constants ----\n\n"
    for constant in api["constants"]:
        type_ = constant["type"] or ("UInt32" if constant["value"] >= 2**31 else "Int32")
        text += f"const {constant['name']} = {type_}({constant['value']})\n"
    for header in api["headers"]:
        text += f"\n# ---- {header} ----\n\n"
        text += "".join(function_line(f, callbacks) for f in api["functions"] if f["header"] == header)
    structs = ", ".join(s["name"] for s in api["structs"])
    return text + f"\nconst structs = ({structs})\n\nend\n"


def main():
    root = os.path.abspath(sys.argv[1])
    made.finish("make_julia.py", root, {PATH: module(made.description(root))})


if __name__ == "__main__":
    main()
