# SPDX-License-Identifier: Apache-2.0
"""The crate tilewright-sys, made from bindings/api.json: constants, types and functions as the headers have them.
Usage: make_rust.py SOURCE_ROOT [--update]; without --update it says whether the crate is out of date."""

import os
import sys

import made

FOLDER = "bindings/rust/tilewright-sys/src/"
HEAD = """// SPDX-License-Identifier: Apache-2.0
// {what} of the headers. Made by bindings/make_rust.py: do not edit. Longer than other files, since made.

"""
NAMES = {
    "void": "c_void", "char": "c_char", "int": "c_int", "size_t": "usize", "double": "f64", "float": "f32",
    **{f"{sign}int{bits}_t": f"{letter}{bits}" for sign, letter in (("", "i"), ("u", "u")) for bits in (8, 16, 32, 64)},
}
KEYWORDS = {"as", "box", "dyn", "fn", "impl", "in", "loop", "match", "mod", "move", "ref", "type", "use", "where", "yield"}


def name(text):
    return "r#" + text if text in KEYWORDS else text


def pointer_to_function(returns, parameters):
    result = "" if returns == "void" else f" -> {spelled(returns)}"
    return f'Option<unsafe extern "C" fn({", ".join(parameters)}){result}>'


def spelled(type_):
    """A C type as Rust has it."""
    if isinstance(type_, dict):
        return pointer_to_function(type_["returns"], [spelled(p) for p in type_["parameters"]])
    if made.array(type_):
        element, size = made.array(type_)
        return f"[{spelled(element)}; {size}]"
    base, constants = made.pointers(type_)
    text = NAMES.get(base, base)
    for const in constants:
        text = ("*const " if const else "*mut ") + text
    return text


def parameters(items):
    return [f"{name(p['name'])}: {spelled(p['type'])}" for p in items]


def doc(text):
    return f"    /// {text}\n" if text else ""


def constants(api):
    text = HEAD.format(what="The constants") + "use crate::types::*;\n\n"
    for constant in api["constants"]:
        type_ = constant["type"] or ("u32" if constant["value"] >= 2**31 else "i32")
        text += f"pub const {constant['name']}: {type_} = {constant['value']};\n"
    return text


def types(api):
    text = HEAD.format(what="The types") + "use std::os::raw::{c_char, c_int, c_void};\n\n"
    for alias in api["aliases"]:
        text += f"pub type {alias['name']} = {spelled(alias['type'])};\n"
    text += "\nopaque!(DLManagedTensor);\nopaque!(DLManagedTensorVersioned);\n"
    for handle in api["handles"]:
        text += f"opaque!({handle['name']});\n"
    text += "\n"
    for callback in api["callbacks"]:
        text += f"pub type {callback['name']} = {pointer_to_function(callback['returns'], parameters(callback['parameters']))};\n"
    for struct in api["structs"]:
        fields = "".join(f"    pub {field},\n" for field in parameters(struct["fields"]))
        text += f"\n#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {struct['name']} {{\n{fields}}}\n"
        sized = struct["fields"][0]["name"] == "struct_size"
        text += f"{'sized' if sized else 'zeros'}!({struct['name']});\n"
    return text


def functions(api):
    text = HEAD.format(what="The functions")
    text += "use crate::types::*;\nuse std::os::raw::{c_char, c_int, c_void};\n\nextern \"C\" {\n"
    for header in api["headers"]:
        text += f"    // ---- {header} ----\n"
        for function in (f for f in api["functions"] if f["header"] == header):
            returns = "" if function["returns"] == "void" else f" -> {spelled(function['returns'])}"
            text += doc(function["doc"])
            text += f"    pub fn {function['name']}({', '.join(parameters(function['parameters']))}){returns};\n"
    return text + "}\n"


def layouts(api):
    """A test compares what this says with what a C compiler says: bindings/layouts.py."""
    text = HEAD.format(what="Sizes and places of the fields of the structs") + "use crate::types::*;\n\n"
    text += "/// Each struct with its size, and each of its fields with the place where it begins.\n"
    text += "pub fn layouts() -> Vec<(&'static str, usize)> {\n    vec![\n"
    for struct in api["structs"]:
        text += f"        (\"{struct['name']}\", std::mem::size_of::<{struct['name']}>()),\n"
        for field in struct["fields"]:
            text += f"        (\"{struct['name']}.{field['name']}\", place!({struct['name']}, {name(field['name'])})),\n"
    return text + "    ]\n}\n"


def main():
    root = os.path.abspath(sys.argv[1])
    api = made.description(root)
    makers = {"constants": constants, "types": types, "functions": functions, "layouts": layouts}
    made.finish("make_rust.py", root, {f"{FOLDER}{key}.rs": make(api) for key, make in makers.items()})


if __name__ == "__main__":
    main()
