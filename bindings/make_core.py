# SPDX-License-Identifier: Apache-2.0
"""Makes what a core for Python or Java has of every type and function from bindings/api.json: functions.i, for SWIG, declares the
functions with parameters named after the typemap that they take (core.i); kinds.inc lists the handles, structs.inc the fields of
structs. struct_names.inc declares those. For Python, _core.pyi has the types of the module. For Java, returns.i says what functions
return in place of a status, Fields.java where the fields of structs stand, Constants.java the constants.
Usage: make_core.py python API_JSON FUNCTIONS_I KINDS_INC STRUCTS_INC STRUCT_NAMES_INC CORE_PYI
       make_core.py java API_JSON FUNCTIONS_I KINDS_INC STRUCTS_INC STRUCT_NAMES_INC RETURNS_I FIELDS_JAVA CONSTANTS_JAVA"""

import json
import sys

# Written by hand in core/*.cpp, or left out: callbacks, memory, errors.
BY_HAND = {
    "tw_call_attr", "tw_comm_create_mpi", "tw_comm_create_transport", "tw_cuda_set_allocator", "tw_custom_calls_add", "tw_graph_constant",
    "tw_plan_on_action", "tw_program_compare",
    "tw_redistributor_run", "tw_store_read", "tw_tensor_const_data", "tw_tensor_data", "tw_tensor_from_dlpack", "tw_tensor_from_dlpack_versioned",
    "tw_tensor_to_dlpack", "tw_tensor_to_dlpack_versioned", "tw_tensor_wrap", "tw_tensor_wrap_const",
}
# Of functions that are C's alone.
STRUCTS_OF_C = {"tw_message_loop_t", "tw_message_t", "tw_transport_t"}
# What a language does not wrap yet (reasons.json).
LEFT_OUT = {"python": (), "java": ("tw_store_",)}
# Built by one thread at a time (tw.h); everything else never changes after it was made.
EXCLUSIVE = {"tw_builder_t", "tw_plan_t", "tw_custom_calls_t", "tw_environment_t"}
SLOTS = {
    "int": "i32", "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64", "size_t": "u64", "double": "f64",
}

STUB_HEAD = """# Made by make_core.py.
from typing import Any

class Handle:
    closed: bool

class TensorHandle(Handle): ...
"""


JAVA_HEAD = """// SPDX-License-Identifier: Apache-2.0
// Made by make_core.py.
package org.tilewright;

"""


class Core:
    def __init__(self, language, api):
        self.language = language
        self.api = api
        self.aliases = {a["name"]: a["type"] for a in api["aliases"]}
        self.structs = {s["name"]: s for s in api["structs"] if s["name"] not in STRUCTS_OF_C}
        self.handles = {h["name"] for h in api["handles"]}
        # Of functions alone: a core neither reads nor fills them.
        self.structs = {name: s for name, s in self.structs.items() if self.fields(s)}

    def base(self, type_):
        return type_.replace("const ", "").replace("*", "").replace("const", "").strip()

    def wrapped(self, function):
        name = function["name"]
        by_hand = name in BY_HAND or name.startswith(("tw_error_", "tw_blob_")) or name.endswith(("_retain", "_release")) or name.startswith(LEFT_OUT[self.language])
        return not by_hand and all(p["role"] not in ("callback", "pointers") for p in function["parameters"])

    def parameter(self, function, parameter):
        """How functions.i declares a parameter: its type, and the name of its typemap."""
        role, type_ = parameter["role"], parameter["type"]
        space = "" if type_.endswith("*") else " "
        names = {
            "string": "STRING", "count": "COUNT", "strings": "STRINGS", "handles": "HANDLES", "struct": "OPTIONS", "structs": "STRUCTS",
            "out": "OUT", "out_struct": "OUT_STRUCT", "in_out": "IN_OUT", "out_array": "OUT_ARRAY", "array": "ARRAY", "bytes": "BYTES", "address": "ADDRESS",
        }
        if role == "array" and "int64_t" not in type_:
            return f"{type_}{space}VALUES"
        if role == "out" and function["returns"] == "const int64_t *":
            return f"{type_}{space}OUT_COUNT"
        if role == "out_handle":
            kind = "OUT_BYTES" if parameter["name"] == "out_bytes" else "OUT_TEXT" if "tw_blob_t" in type_ else "OUT_HANDLE"
            return f"{type_}{space}{kind}"
        return f"{type_}{space}{names.get(role, parameter['name'] + '_')}"

    def declaration(self, function):
        works = function["returns"] == "tw_status_t" or self.language == "java"
        lines = [] if works else [f"%nothreadallow {function['name']};"]
        parameters = ", ".join(self.parameter(function, p) for p in function["parameters"]) or "void"
        return "\n".join([*lines, f"{function['returns']} {function['name']}({parameters});"])

    def functions(self):
        out = ["// Made by make_core.py."]
        out += [f"typedef {a['type']} {a['name']};" for a in self.api["aliases"]]
        out += [f"TW_HANDLE({h})" for h in sorted(self.handles - {"tw_blob_t", "tw_error_t"})]
        out += [f"TW_STRUCT({s})" for s in sorted(self.structs)]
        if self.language == "python":
            out += [f"%constant long long {c['name']} = {c['value']};" for c in self.api["constants"]]
        out += [self.declaration(f) for f in self.api["functions"] if self.wrapped(f)]
        return "\n".join(out) + "\n"

    def kinds(self):
        out = ["// Made by make_core.py."]
        for handle in self.api["handles"]:
            if handle["name"] not in ("tw_blob_t", "tw_error_t"):
                exclusive = "true" if handle["name"] in EXCLUSIVE else "false"
                out.append(f"TW_KIND({handle['name']}, {handle['release']}, {exclusive})")
        return "\n".join(out) + "\n"

    def slot(self, field):
        """Which slot of bindings/core/tables.hpp a field is, and what it refers to."""
        role, type_ = field["role"], field["type"]
        base = self.base(type_) if isinstance(type_, str) else ""
        scalar = self.aliases.get(base, base)
        if role == "inner":
            return "inner", f"&struct_{base}", -1
        if role == "value":
            return SLOTS[scalar], "nullptr", -1
        if role == "array":
            return ("ints" if scalar == "int64_t" else "numbers"), "nullptr", -1
        if role in ("struct", "structs"):
            many = "struct_pointers" if type_.count("*") == 2 else "structs"
            return (many if "count" in field else "struct_pointer"), f"&struct_{base}", -1
        if role == "handle":
            return "handle", "nullptr", f"kind_{base}"
        if field["name"] == "progress":
            return "progress", "nullptr", -1
        return {"string": "string", "strings": "strings"}.get(role), "nullptr", -1

    def fields(self, struct):
        """The fields of a struct that a core reads or fills, each with its slot, what it refers to and its kind."""
        slots = [(field, *self.slot(field)) for field in struct["fields"]]
        return [slot for slot in slots if slot[1] is not None]

    def field_entries(self, struct):
        name, out = struct["name"], []
        for field, slot, refers, kind in self.fields(struct):
            counter = field.get("count") or ("user" if slot == "progress" else None)
            if counter is None and slot in ("ints", "numbers", "strings", "structs", "struct_pointers"):
                raise ValueError(f"{name}.{field['name']}: nothing counts this array; describe.py has a table for that")
            count = f"offsetof({name}, {counter}), sizeof({name}::{counter})" if counter else "0, 0"
            out.append(f'  {{"{field["name"]}", Slot::{slot}, offsetof({name}, {field["name"]}), {count}, {refers}, {kind}}},')
        return out

    def struct_tables(self):
        out, done = ["// Made by make_core.py."], set()

        def emit(struct):
            if struct["name"] in done:
                return
            done.add(struct["name"])
            for field in struct["fields"]:
                if field["role"] in ("struct", "structs", "inner"):
                    emit(self.structs[self.base(field["type"])])
            name, sized = struct["name"], any(f["role"] == "struct_size" for f in struct["fields"])
            out.append(f"static const Field fields_{name}[] = {{")
            out.extend(self.field_entries(struct))
            out.append("};")
            out.append(f"const Struct struct_{name} = {{fields_{name}, std::size(fields_{name}), sizeof({name}), {str(sized).lower()}}};")

        for struct in self.structs.values():
            emit(struct)
        return "\n".join(out) + "\n"

    def result(self, function):
        """What a wrapped function returns, as Python's type checkers write it."""
        outs = [p for p in function["parameters"] if p["role"].startswith("out") or p["role"] == "in_out"]
        returns = function["returns"]
        if outs or "*" in returns and "char" not in returns:
            return "Any"
        scalar = self.aliases.get(returns, returns)
        return "None" if returns in ("tw_status_t", "void") else "Any" if "char" in returns else "float" if scalar == "double" else "int"

    def stub(self):
        """Type hints of the module; the functions written by hand take and give anything."""
        out = [STUB_HEAD]
        out += [f"{c['name']}: int" for c in self.api["constants"]]
        out += [f"def {f['name']}(*arguments: Any) -> {self.result(f)}: ..." for f in self.api["functions"] if self.wrapped(f)]
        return "\n".join([*out, "def __getattr__(name: str) -> Any: ..."]) + "\n"

    def struct_declarations(self):
        return "".join(f"extern const Struct struct_{name};\n" for name in self.structs)

    # ---- Java ----

    def returns(self):
        """What a function that answers a status returns in its place: nothing, or what it hands out through a parameter."""
        out, kinds = ["// Made by make_core.py."], {"OUT_HANDLE": "HANDLE", "OUT_TEXT": "TEXT", "OUT_BYTES": "BYTES", "OUT_STRUCT": "STRUCT"}
        for function in self.api["functions"]:
            if function["returns"] == "tw_status_t" and self.wrapped(function):
                names = [self.parameter(function, p).split("*")[-1] for p in function["parameters"]]
                kind = next((kinds[name] for name in names if name in kinds), "NOTHING")
                out.append(f"TW_RETURNS_{kind}({function['name']})")
        return "\n".join(out) + "\n"

    def java_fields(self):
        out = JAVA_HEAD + "/** Where the fields of structs stand in what the core returns. */\nfinal class Fields {\n  private Fields() {}\n"
        for struct in self.structs.values():
            name = "".join(word.capitalize() for word in struct["name"].removeprefix("tw_").removesuffix("_t").split("_"))
            out += f"\n  /** {struct['name']}. */\n  static final class {name} {{\n"
            for at, (field, *_) in enumerate(self.fields(struct)):
                out += f"    static final int {field['name'].upper()} = {at};\n"
            out += f"\n    private {name}() {{}}\n  }}\n"
        return out + "}\n"

    def java_constants(self):
        out = JAVA_HEAD + "/** The constants of the headers. */\nfinal class Constants {\n"
        for constant in self.api["constants"]:
            value = constant["value"] - 2**32 if constant["value"] >= 2**31 else constant["value"]  # handles are ints, -1 for none
            out += f"  static final int {constant['name']} = {value};\n"
        return out + "\n  private Constants() {}\n}\n"


def main():
    language, api_path, *paths = sys.argv[1:]
    with open(api_path, encoding="utf-8") as file:
        core = Core(language, json.load(file))
    texts = [core.functions(), core.kinds(), core.struct_tables(), core.struct_declarations()]
    texts += [core.stub()] if language == "python" else [core.returns(), core.java_fields(), core.java_constants()]
    for path, text in zip(paths, texts, strict=True):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


main()
