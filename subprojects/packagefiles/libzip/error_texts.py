# SPDX-License-Identifier: Apache-2.0
"""The texts of libzip's errors and where their causes are, as C, from the comments of its header.
Usage: error_texts.py zip.h OUTPUT"""

import re
import sys

header, output = sys.argv[1:]
with open(header, encoding="utf-8") as file:
    errors = re.findall(r"#define ZIP_ER_\w+ (\d+)\s+/\* ([NSZ]) (.*?) \*/", file.read())
assert [int(number) for number, _, _ in errors] == list(range(len(errors))), "errors are not numbered one by one"
causes = {"N": "ZIP_ET_NONE", "S": "ZIP_ET_SYS", "Z": "ZIP_ET_ZLIB"}
with open(output, "w", encoding="utf-8") as file:
    file.write('#include "zipint.h"\nconst char *const _zip_err_str[] = {\n')
    file.writelines(f'  "{text}",\n' for _, _, text in errors)
    file.write(f"}};\nconst int _zip_nerr_str = {len(errors)};\nconst int _zip_err_type[] = {{\n")
    file.writelines(f"  {causes[cause]},\n" for _, cause, _ in errors)
    file.write("};\n")
