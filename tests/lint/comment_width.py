# SPDX-License-Identifier: Apache-2.0
"""Comments of these folders are at most 110 columns wide. With --update, lines that are wider are broken, and
what is over goes to the next line of the paragraph. Tables stay as they are laid out.
Usage: comment_width.py [--update] SOURCE_ROOT FOLDER..."""

import re
import sys

import tree

WIDTH = 110
LINE = re.compile(r"^(\s*)(// |/\* | \* )(.*?)( \*/)?$")


def broken(text, width):
    """The text up to the last space that fits, and the rest; code between backquotes and text between quotes stay together."""
    best = 0
    mark = None
    begin = len(text) - len(text.lstrip(" "))
    for at, c in enumerate(text[: width + 1]):
        if mark is None and c == " " and at > begin:
            best = at
        elif c == mark:
            mark = None
        elif c in '`"' and mark is None:
            mark = c
    if best < width // 2:
        best = max(text.rfind(" ", begin, width + 1), 0)
    return (text[:best].rstrip(), text[best:].strip()) if best > 0 else (text, "")


def margin(text):
    return len(text) - len(text.lstrip(" "))


def narrowed(lines):
    """The lines of a file, with wide ones of comments broken."""
    out, i = [], 0
    while i < len(lines):
        match = LINE.match(lines[i])
        if not match or len(lines[i]) <= WIDTH or match[3].lstrip().startswith("|"):
            out.append(lines[i])
            i += 1
            continue
        indent, mark, text, end = match.groups()
        follow = indent + (mark if mark == "// " else " * ")

        def next_text(at):
            """What stands behind the mark in the line after this one, where the comment goes on there."""
            found = LINE.match(lines[at + 1]) if at + 1 < len(lines) else None
            return (found[3], found[4]) if found and found[1] + found[2] == follow and found[3] else (None, None)

        first = margin(text)
        after, _ = next_text(i) if not end else (None, None)
        hanging = margin(after) if after is not None and margin(after) > first else first
        if hanging == first and re.match(r"[-*] ", text.lstrip()):
            hanging = first + 2
        if hanging == first and re.search(r"\S   *\S", text):  # a table
            out.append(lines[i])
            i += 1
            continue
        prefix = indent + mark
        while True:
            room = WIDTH - len(prefix) - (len(end) if end else 0)
            rest = ""
            if len(text) > room:
                text, rest = broken(text, room)
            out.append(prefix + text + ("" if rest else end or ""))
            prefix = follow
            if not rest:
                break
            after, after_end = next_text(i) if not end else (None, None)
            if after is not None and margin(after) == hanging and not re.match(r"[-*|] |@|\d+\. ", after.lstrip()):
                i += 1
                text, end = " " * hanging + rest + " " + after.lstrip(), after_end
            else:
                text = " " * hanging + rest
        i += 1
    return out


def main():
    update = "--update" in sys.argv
    root, *folders = [argument for argument in sys.argv[1:] if argument != "--update"]
    findings, paths = [], []
    for folder in folders:
        paths += tree.files(root, folder, ".c", ".cpp", ".h", ".hpp", ".inc", ".java")
    for path in paths:
        lines = tree.read(root, path).split("\n")
        if update:
            better = narrowed(lines)
            if better != lines:
                with open(f"{root}/{path}", "w", encoding="utf-8") as file:
                    file.write("\n".join(better))
                lines = better
        findings += [f"{path}:{n}: {len(line)} columns, at most {WIDTH}" for n, line in enumerate(lines, 1)
                     if len(line) > WIDTH and re.match(r"\s*(//|/\*| \*)", line)]
    tree.finish(findings, f"{len(paths)} files")


main()
