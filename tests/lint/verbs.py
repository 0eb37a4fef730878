# SPDX-License-Identifier: Apache-2.0
"""What a verb of tw does, C can do: the public functions that each verb calls, in its own file and in the files of src/cli that
it includes, are all declared in the headers, and every verb that looks at programs calls some. What src/cli takes of src/base
instead (shared_sources there) is only words and tables. Usage: verbs.py SOURCE_ROOT"""

import re
import sys

import tree

root = sys.argv[1]
PAGES = {"help"}  # verbs that print pages
WORDS = {"figures", "markup", "pattern", "suggest", "table", "utf8"}  # of src/base: numbers as text, near names, columns, text from outside

declared = set()
for path in tree.files(root, "api", ".h"):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", tree.read(root, path), flags=re.S)
    declared |= set(re.findall(r"\bTW_API\b[^;{]*?\b(tw_\w+)\s*\(", text))

sources = {path: re.sub(r'//[^\n]*|"(\\.|[^"\\])*"', "", tree.read(root, path)) for path in tree.files(root, "src/cli", ".cpp", ".hpp")}
includes = {path: set(re.findall(r'#include "(cli/\w+)\.hpp"', tree.read(root, path))) for path in sources}
calls = {path: set(re.findall(r"\b(tw_[a-z0-9_]+)\s*\(", text)) | set(re.findall(r"[(,] *(tw_[a-z0-9_]+_release)\b", text))
         for path, text in sources.items()}


def reached(path):
    """The files of src/cli that a verb is made of."""
    todo, seen = [path], set()
    while todo:
        at = todo.pop()
        if at in seen or at not in sources:
            continue
        seen.add(at)
        for name in includes[at]:
            todo += [f"src/{name}.hpp", f"src/{name}.cpp"]
    return seen


findings = []
verbs = 0
for _, macro, name in tree.entries(tree.read(root, "src/cli/verb_list.inc")):
    verbs += 1
    made = set().union(*(calls[path] for path in reached(f"src/cli/{name}.cpp")))
    findings += [f"tw {name} calls {call}, which no public header declares" for call in sorted(made - declared)]
    if name not in PAGES and not made & declared:
        findings.append(f"tw {name} calls nothing of the public headers")
    print(f"tw {name}: {len(made & declared)} public functions")
for path in sources:
    for name in re.findall(r'#include "base/(\w+)\.hpp"', tree.read(root, path)):
        if name not in WORDS:
            findings.append(f"{path} includes base/{name}.hpp: what a verb does must be in the public headers")

assert verbs > 5, "no verbs found"
tree.finish(findings, f"{verbs} verbs")
