# SPDX-License-Identifier: Apache-2.0
"""docs/bindings.md, made from bindings/api.json and the sources of the bindings: which language has which function of the headers, and
why one lacks some. Every function is in every language or has a reason in bindings/reasons.json.
Usage: parity.py SOURCE_ROOT [--update]"""

import fnmatch
import json
import os
import re
import sys

import made

PAGE = "docs/bindings.md"
# Where a language names the functions that its users reach, and what its table calls it.
LANGUAGES = {
    "python": ("Python", ["bindings/python/tilewright", "bindings/python/core"], (".py", ".cpp")),
    "java": ("Java", ["bindings/java/src", "bindings/java/core"], (".java", ".cpp")),
    "rust": ("Rust", ["bindings/rust/tilewright/src"], (".rs",)),
    "julia": ("Julia", ["bindings/julia/Tilewright/src"], (".jl",)),
}
HEAD = """# Bindings

Which language has which function of the public headers. `bindings/describe.py` reads the headers into
`bindings/api.json`; all bindings are made from that file, and so is this page (`bindings/parity.py`). A
number points at the reason below the table.
"""


def named(root, folders, suffixes):
    """The functions that sources name."""
    found = set()
    for folder in folders:
        for at, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                if name.endswith(suffixes):
                    with open(os.path.join(at, name), encoding="utf-8") as file:
                        found |= set(re.findall(r"\btw_\w+", file.read()))
    return found


def reason(reasons, function):
    return next((text for pattern, text in reasons.items() if fnmatch.fnmatchcase(function, pattern)), None)


def parity(root, api):
    """The page, and what is wrong: functions without a reason, reasons without a function."""
    with open(os.path.join(root, "bindings", "reasons.json"), encoding="utf-8") as file:
        reasons = json.load(file)
    languages = [key for key, (_, folders, _) in LANGUAGES.items() if os.path.isdir(os.path.join(root, folders[0]))]
    has = {key: named(root, *LANGUAGES[key][1:]) for key in languages}
    findings, notes, used = [], [], set()

    def cell(language, function):
        if function in has[language]:
            return "yes"
        text = reason(reasons.get(language, {}), function)
        if text is None:
            findings.append(f"{function}: {LANGUAGES[language][0]} lacks it, and bindings/reasons.json does not say why")
            return "no"
        used.add((language, text))
        if text not in notes:
            notes.append(text)
        return f"({notes.index(text) + 1})"

    page = HEAD
    for header in api["headers"]:
        functions = [f["name"] for f in api["functions"] if f["header"] == header]
        if not functions:
            continue
        page += f"\n## {header}\n\n| function | {' | '.join(LANGUAGES[k][0] for k in languages)} |\n|---|{'---|' * len(languages)}\n"
        for function in functions:
            page += f"| `{function}` | {' | '.join(cell(language, function) for language in languages)} |\n"
    page += "\n## Reasons\n\n" + "".join(f"{i}. {text}\n" for i, text in enumerate(notes, 1))
    for language in languages:
        for text in set(reasons.get(language, {}).values()):
            if (language, text) not in used:
                findings.append(f"bindings/reasons.json: no function of {LANGUAGES[language][0]} needs the reason '{text}'")
    return page, findings


def main():
    root = os.path.abspath(sys.argv[1])
    page, findings = parity(root, made.description(root))
    for finding in findings:
        print(finding)
    made.finish("parity.py", root, {PAGE: page})
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
