# SPDX-License-Identifier: Apache-2.0
"""bindings/api.json, made from the public headers: every type, constant and function, and what each parameter is for. All bindings
are made from it. SWIG reads the headers, because the bindings need SWIG anyway: clang would be one more dependency.
Usage: describe.py SOURCE_ROOT [--update]; without --update it says whether the file is out of date. Exits 77 without SWIG."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import made

PATH = "bindings/api.json"
INTEGERS = {"int", "size_t"} | {f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
# How many elements an array has that no parameter counts, as the comments of the headers say: by its name, or by function and name.
LENGTHS = {
    "coordinates": "rank", "dim_shardings": "rank", "out_arguments": "num_arguments", "out_dims": "rank", "out_extent": "rank",
    "out_index": "rank", "out_offset": "rank", "out_operand_dims": "num_operands", "out_result_dims": "num_results",
    ("tw_builder_constant", "data"): "elements",
    ("tw_builder_custom_call", "out_results"): "num_results",
    ("tw_program_compare", "out_comparisons"): "num_outputs",
    ("tw_redistributor_run", "dst"): "tiles",
    ("tw_redistributor_run", "src"): "tiles",
    ("tw_store_read", "extent"): "rank",
    ("tw_store_read", "offset"): "rank",
    ("tw_store_read", "strides"): "rank",
    ("tw_store_read_tensor", "offset"): "rank",
    ("tw_store_write_part", "dims"): "rank",
    ("tw_store_write_part", "offset"): "rank",
    ("tw_tensor_fill_part", "offset"): "rank",
    ("tw_tensor_fill_part", "whole"): "rank",
    ("tw_tensor_wrap", "data"): "elements",
    ("tw_tensor_wrap_on", "strides"): "rank",
    ("tw_tensor_wrap_const", "data"): "elements",
}

# The fields that count arrays and are not called after them.
FIELD_COUNTS = {
    ("tw_collective_view_t", "bytes_by_level"): "num_levels",
    ("tw_store_part_t", "extent"): "ndims",
    ("tw_store_part_t", "offset"): "ndims",
    ("tw_store_part_t", "strides"): "ndims",
}


def attributes(node):
    return {a.get("name"): a.get("value") for a in node.findall("attributelist/attribute")}


def parameter_nodes(node):
    return [attributes(p) for p in node.findall("attributelist/parmlist/parm")]


def split_arguments(text):
    """The parts between commas that stand outside brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
            continue
        depth += (c == "(") - (c == ")")
        part += c
    return [*parts, part] if part and part != "void" else parts


def closing(text, at):
    """Where the bracket that opens at `at` closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    raise ValueError(f"no closing bracket in {text}")


def spelled(code):
    """SWIG's code of a type, "p.q(const).char", as C writes it: "const char *". A pointer to a function is a dictionary."""
    if code.startswith("p.f("):
        end = closing(code, 3)
        return {"returns": spelled(code[end + 2 :]), "parameters": [spelled(a) for a in split_arguments(code[4:end])]}
    if code.startswith("a("):
        end = closing(code, 1)
        return f"{spelled(code[end + 2:])}[{code[2:end]}]"
    if code.startswith("p."):
        inner = spelled(code[2:]).rstrip()
        return inner + ("*" if inner.endswith("*") else " *")
    if code.startswith("q(const)."):
        inner = spelled(code[9:])
        return inner + "const " if inner.endswith("*") else "const " + inner
    return code.removeprefix("struct ").removeprefix("enum ")


def tidy(type_):
    """Without the blank that a last const leaves."""
    if isinstance(type_, dict):
        return {"returns": tidy(type_["returns"]), "parameters": [tidy(p) for p in type_["parameters"]]}
    return type_.rstrip()


class Headers:
    """What SWIG says of the headers, sorted into what bindings ask for."""

    def __init__(self, root):
        self.root = root
        self.folder = os.path.join(root, "api", "tilewright")
        names = [n for n in os.listdir(self.folder) if n.endswith(".h") and n != "tw.h"]
        self.names = sorted(names, key=lambda n: (n != "tw_base.h", n))  # tw_base.h has the macros of the others
        self.handles, self.aliases, self.callbacks = {}, {}, {}
        self.structs, self.constants, self.functions = {}, [], []
        self.read()
        self.handles = {h: where for h, where in self.handles.items() if h not in self.structs}
        self.strip_opaque()

    def read(self):
        with tempfile.TemporaryDirectory() as folder:
            source, made = os.path.join(folder, "tw.i"), os.path.join(folder, "tw.xml")
            with open(source, "w", encoding="utf-8") as file:
                file.write("%module tw\n" + "".join(f"%include <tilewright/{name}>\n" for name in self.names))
            subprocess.run(["swig", "-xml", "-I" + os.path.join(self.root, "api"), "-o", made, source], check=True)
            tree = xml.etree.ElementTree.parse(made).getroot()
        for include in tree.iter("include"):
            name = os.path.basename(attributes(include).get("name", ""))
            if name in self.names:
                self.walk(include, name)

    def walk(self, node, header):
        for child in node:
            if child.tag == "cdecl":
                self.declaration(child, header)
            elif child.tag == "class":
                self.struct(child, header)
            elif child.tag == "enum":
                self.enumeration(child, header)
            elif child.tag == "constant":
                self.constant(attributes(child), header)
            elif child.tag != "attributelist":
                self.walk(child, header)

    def declaration(self, node, header):
        about = attributes(node)
        name, decl, type_ = about["name"], about["decl"], about["type"]
        if about["kind"] == "function":
            end = closing(decl, 1)
            returns = tidy(spelled(decl[end + 2 :] + type_))
            parameters = [{"name": p.get("name", ""), "type": tidy(spelled(p["type"]))} for p in parameter_nodes(node)]
            parameters = [p for p in parameters if p["type"] != "void"]
            self.functions.append({"name": name, "header": header, "returns": returns, "parameters": parameters})
        elif about["kind"] == "typedef" and decl.startswith("p.f("):
            whole = tidy(spelled(decl + type_))
            named = [{"name": p.get("name", ""), "type": tidy(spelled(p["type"]))} for p in parameter_nodes(node)]
            self.callbacks[name] = {"name": name, "header": header, "returns": whole["returns"], "parameters": named}
        elif about["kind"] == "typedef" and type_.startswith("struct "):
            self.handles[name] = header
        elif about["kind"] == "typedef" and type_ in INTEGERS:
            self.aliases[name] = {"name": name, "header": header, "type": type_}

    def struct(self, node, header):
        about = attributes(node)
        name = about.get("tdname") or about["name"]
        fields = []
        for member in node.iter("cdecl"):
            field = attributes(member)
            fields.append({"name": field["name"], "type": tidy(spelled(field["decl"] + field["type"]))})
        self.structs[name] = {"name": name, "header": header, "fields": fields}

    def enumeration(self, node, header):
        about = attributes(node)
        type_ = about.get("tdname") or about.get("name") or ""
        if about.get("tdname"):
            self.aliases[type_] = {"name": type_, "header": header, "type": "int32_t"}
        elif type_ + "_t" in self.aliases:
            type_ += "_t"
        value = -1
        for item in node.iter("enumitem"):
            item = attributes(item)
            text = item.get("enumvalue")
            value = int(text, 0) if text else value + 1
            self.constants.append({"name": item["name"], "value": value, "type": type_, "header": header})

    def constant(self, about, header):
        text = about.get("rawval") or about.get("value")
        if not re.fullmatch(r"TW_\w+", about["name"]) or about["name"].endswith(("_H", "_")) or about["name"] == "TW_API":
            return
        self.constants.append({"name": about["name"], "value": int(text.rstrip("uU"), 0), "type": "", "header": header})

    def strip_opaque(self):
        """DLPack's structs belong to DLPack: bindings know them by name only. SWIG leaves out macros that stand for UINT32_MAX."""
        self.structs = {n: s for n, s in self.structs.items() if n.startswith("tw_")}
        known = {c["name"] for c in self.constants}
        for header in self.names:
            with open(os.path.join(self.folder, header), encoding="utf-8") as file:
                text = file.read()
            for name in re.findall(r"^#define (TW_\w+) UINT32_MAX$", text, re.M):
                if name not in known:
                    self.constants.append({"name": name, "value": 2**32 - 1, "type": "", "header": header})


def base_of(type_):
    """What a pointer type points to in the end, without const."""
    return re.sub(r"\bconst\b|\*", "", type_).strip()


def stars(type_):
    return type_.count("*") if isinstance(type_, str) else 0


def count_arrays(items, is_single):
    """Gives every array of a parameter list the name of the integer that counts it, which stands behind it."""
    for at, item in enumerate(items):
        name = item["name"]
        counts = item["type"] == "size_t" and (name in ("size", "n", "ndims") or name.startswith(("num_", "max_")))
        if not counts:
            continue
        for before in reversed(items[:at]):
            string = before["type"] == "const char *" and name != "size"
            other = name.startswith("max_") != before["name"].startswith("out_")  # max_x counts what comes out, num_x what goes in
            if stars(before["type"]) == 0 or string or other or is_single(before) or "count" in before:
                break
            before["count"] = name
            item["role"] = "count"


def count_fields(struct):
    """Gives every array of a struct the field that counts it: num_x counts x, and ndims what has a number for each dimension."""
    names = {f["name"]: f for f in struct["fields"]}
    for field in struct["fields"]:
        candidates = (FIELD_COUNTS.get((struct["name"], field["name"])), "num_" + field["name"], "ndims")
        counter = next((n for n in candidates if n in names), None)
        integers = base_of(field["type"]).endswith("int64_t") if isinstance(field["type"], str) else False
        if stars(field["type"]) and counter and (counter != "ndims" or integers):
            field["count"] = counter
            names[counter]["role"] = "count"


def give_roles(headers):
    """Says of each parameter what it is: a handle, an array, a place for a result, .."""
    handles, structs = set(headers.handles), set(headers.structs)

    def is_single(item):
        return base_of(item["type"]) in handles and stars(item["type"]) == 1

    for function in headers.functions:
        for parameter in function["parameters"]:
            name = parameter["name"]
            length = LENGTHS.get((function["name"], name)) or LENGTHS.get(name)
            if length and stars(parameter["type"]):
                parameter["count"] = length
        count_arrays(function["parameters"], is_single)
        for parameter in function["parameters"]:
            parameter.setdefault("role", role_of(parameter, handles, structs, set(headers.callbacks)))
    for struct in headers.structs.values():
        count_fields(struct)
        for field in struct["fields"]:
            field.setdefault("role", role_of(field, handles, structs, set(headers.callbacks)))


def role_of(item, handles, structs, callbacks):
    name, type_ = item["name"], item["type"]
    if isinstance(type_, dict) or type_ in callbacks:
        return "callback"
    base, depth, out = base_of(type_), stars(type_), name.startswith("out_")
    if depth == 0 and base in structs:
        return "inner"
    if depth == 0:
        return "struct_size" if name == "struct_size" else "reserved" if name == "reserved" or "[" in type_ else "value"
    if name == "user" or name.endswith("_user"):
        return "user"
    if base in handles:
        return "out_handle" if out and depth == 2 and "count" not in item else "handles" if depth == 2 else "handle"
    if base in structs:
        return "out_struct" if out else "structs" if "count" in item else "struct"
    if out:
        return "out_array" if "count" in item else "out"
    if base == "char" and depth == 1:
        return "string" if "count" not in item else "bytes"
    if base == "char" and depth == 2:
        return "strings"
    if base == "void" and name in ("address", "cu_event", "cu_stream"):
        return "address"
    if base == "void":
        return "bytes" if depth == 1 else "pointers"
    return "array" if "count" in item or type_.startswith("const ") else "in_out"


def documented(root, headers):
    """The first sentence of every function's comment."""
    sys.path.insert(0, os.path.join(root, "tests", "lint"))
    import c_api_page

    sentences = {}
    for header in headers.names:
        with open(os.path.join(headers.folder, header), encoding="utf-8") as file:
            for comment, signatures in c_api_page.groups(file.read()):
                for signature in signatures:
                    name = re.search(r"\b(tw_\w+)\(", signature)
                    if name and comment:
                        sentences[name[1]] = c_api_page.first_sentence(comment)
    for function in headers.functions:
        function["doc"] = sentences.get(function["name"], "")


def description(root):
    headers = Headers(root)
    give_roles(headers)
    documented(root, headers)
    names = {f["name"] for f in headers.functions}
    handles = []
    for name, header in sorted(headers.handles.items()):
        stem = name.removesuffix("_t")
        ends = {end: f"{stem}_{end}" if f"{stem}_{end}" in names else None for end in ("retain", "release")}
        handles.append({"name": name, "header": header, **ends})
    return {
        "made_by": "bindings/describe.py",
        "headers": headers.names,
        "handles": handles,
        "aliases": sorted(headers.aliases.values(), key=lambda a: a["name"]),
        "callbacks": sorted(headers.callbacks.values(), key=lambda c: c["name"]),
        "constants": headers.constants,
        "structs": sorted(headers.structs.values(), key=lambda s: s["name"]),
        "functions": headers.functions,
    }


def lines(value, indent=""):
    """JSON with a line for everything that has a name, so that differences read well."""
    text = json.dumps(value)
    if len(indent + text) <= 150 or not isinstance(value, (dict, list)) or not value:
        return text
    inner = indent + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + lines(v, inner) for v in value) + "\n" + indent + "]"
    return "{\n" + ",\n".join(f"{inner}{json.dumps(k)}: {lines(v, inner)}" for k, v in value.items()) + "\n" + indent + "}"


def main():
    root = os.path.abspath(sys.argv[1])
    if shutil.which("swig") is None:
        print("swig is not installed (Debian: swig): bindings/api.json is not compared with the headers")
        sys.exit(77)
    made.finish("describe.py", root, {PATH: lines(description(root)) + "\n"})


if __name__ == "__main__":
    main()
