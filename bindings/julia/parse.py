# SPDX-License-Identifier: Apache-2.0
"""Every @ccall and every struct of the Julia package is as bindings/api.json says: names, types of arguments and fields, what is
returned. tree-sitter reads the Julia, so that no julia is needed.
Usage: parse.py SOURCE_ROOT. Runs under the python that TW_JAX_PYTHON names, where it is set; without tree-sitter it says so and exits
77."""

import json
import os
import re
import sys

if os.environ.get("TW_JAX_PYTHON"):
    python = os.environ.pop("TW_JAX_PYTHON")
    os.execv(python, [python, *sys.argv])

try:
    import tree_sitter
    import tree_sitter_julia
except ImportError as error:
    print(f"skipped: this needs tree-sitter and tree-sitter-julia, {error}; ./dev test --jax brings them")
    sys.exit(77)

root = sys.argv[1]
package = os.path.join(root, "bindings", "julia", "Tilewright")
# What each name of Julia is in C. Cstring ends in NUL, UInt8 are counted bytes: both are char *, and the latter uint8_t * too.
NAMES = {"Cvoid": "void", "UInt8": "char", "Cint": "int", "Csize_t": "size_t", "Cdouble": "double", "Cfloat": "float"}
NAMES.update({f"{kind}{bits}": f"{sign}int{bits}_t" for kind, sign in (("Int", ""), ("UInt", "u")) for bits in (16, 32, 64)})


def c_of(text):
    """A type of Julia as C writes it, without const: Ptr{Ptr{tw_mesh_t}} is tw_mesh_t**."""
    pointer = re.fullmatch(r"Ptr\{(.*)\}", text)
    if pointer:
        return c_of(pointer[1]) + "*"
    array = re.fullmatch(r"NTuple\{(\d+), ?(\w+)\}", text)
    if array:
        return f"{c_of(array[2])}[{array[1]}]"
    return "char*" if text == "Cstring" else NAMES.get(text, text)


def bare(type_, callbacks):
    """A type of api.json without const and blanks. A pointer to a function is a void*."""
    if isinstance(type_, dict) or type_ in callbacks:
        return "void*"
    return re.sub(r"\bconst\b|\s", "", type_).replace("uint8_t", "char")


def text(node):
    return node.text.decode()


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


def typed(node):
    """Name and C type of `name::Type`."""
    name, type_ = node.named_children
    return text(name), c_of(text(type_))


def call_of(node):
    """The (library, function, arguments, what is returned) of a @ccall."""
    whole = node.named_children[1].named_children[0]
    call, returns = whole.named_children
    library, name = call.named_children[0].named_children
    arguments = [typed(argument) for argument in call.named_children[1].named_children]
    return text(library), text(name), arguments, c_of(text(returns))


def read(parser):
    """All @ccalls and structs of the package: {name: (library, arguments, returns)} and {name: fields}."""
    calls, structs, wrong = {}, {}, []
    for folder in ("lib", "src"):
        for name in sorted(os.listdir(os.path.join(package, folder))):
            with open(os.path.join(package, folder, name), "rb") as file:
                tree = parser.parse(file.read())
            for node in walk(tree.root_node):
                if node.type == "ERROR":
                    wrong.append(f"{folder}/{name}:{node.start_point[0] + 1}: this does not read as Julia")
                if node.type == "macrocall_expression" and text(node.named_children[0]) == "@ccall":
                    library, function, arguments, returns = call_of(node)
                    if function in calls:
                        wrong.append(f"{function} is called in two places")
                    calls[function] = (library, arguments, returns)
                if node.type == "struct_definition" and folder == "lib":
                    fields = [typed(child) for child in node.named_children[1:] if child.type == "typed_expression"]
                    structs[text(node.named_children[0])] = fields
    return calls, structs, wrong


def main():
    with open(os.path.join(root, "bindings", "api.json"), encoding="utf-8") as file:
        api = json.load(file)
    callbacks = {callback["name"] for callback in api["callbacks"]}
    calls, structs, findings = read(tree_sitter.Parser(tree_sitter.Language(tree_sitter_julia.language())))

    def differ(what, found, expected):
        if found != expected:
            findings.append(f"{what}: Julia has {found}, the headers {expected}")

    differ("functions", sorted(calls), sorted(function["name"] for function in api["functions"]))
    for function in api["functions"]:
        library, arguments, returns = calls.get(function["name"], ("", [], ""))
        differ(f"{function['name']}, library", library, "libtilewright")
        names = [(p["name"], bare(p["type"], callbacks)) for p in function["parameters"]]
        differ(f"{function['name']}, arguments", [(name.rstrip("_"), type_) for name, type_ in arguments], names)
        differ(f"{function['name']}, result", returns, bare(function["returns"], callbacks))
    for struct in api["structs"]:
        fields = [(field["name"], bare(field["type"], callbacks)) for field in struct["fields"]]
        found = [(name.rstrip("_"), type_) for name, type_ in structs.get(struct["name"], [])]
        differ(struct["name"], found, fields)
    print("\n".join(findings) or f"{len(calls)} calls and {len(api['structs'])} structs are those of the headers")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
