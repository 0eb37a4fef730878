# SPDX-License-Identifier: Apache-2.0
"""Compares sizes of structs and places of their fields, as another language has them, with what a C compiler says.
Usage: layouts.py SOURCE_ROOT C_COMPILER.. -- COMMAND..; the command prints a line "tw_x_t.field 8" for each."""

import os
import subprocess
import sys
import tempfile

import made


def layouts_of_c(root, compiler):
    api = made.description(root)
    text = "#include <stddef.h>\n#include <stdio.h>\n" + "".join(f"#include <tilewright/{name}>\n" for name in api["headers"])
    text += "int main(void) {\n"
    for struct in api["structs"]:
        text += f'  printf("{struct["name"]} %zu\\n", sizeof({struct["name"]}));\n'
        for field in struct["fields"]:
            place = f'{struct["name"]}, {field["name"]}'
            text += f'  printf("{struct["name"]}.{field["name"]} %zu\\n", offsetof({place}));\n'
    text += "}\n"
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "layouts.c"), os.path.join(folder, "layouts")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([*compiler, "-I" + os.path.join(root, "api"), "-o", program, source], check=True)
        return subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")


def main():
    root, mark = os.path.abspath(sys.argv[1]), sys.argv.index("--")
    expected = layouts_of_c(root, sys.argv[2:mark])
    found = subprocess.run(sys.argv[mark + 1 :], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    wrong = [f"C says {line}" for line in expected if line not in found] + [f"found {line}" for line in found if line not in expected]
    print("\n".join(wrong) or f"{len(expected)} sizes and places are C's")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
