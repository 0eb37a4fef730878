# SPDX-License-Identifier: Apache-2.0
"""docs/c-api.md, made from the public headers: what each header is for, its functions, and a sentence on each."""

import os
import re
import textwrap

WIDTH = 108
HEAD = """# The C interface

Every function of the public headers, with the first sentence of its comment. The headers have the rest: who
owns what, which thread may call, what the structs and constants mean. Include `<tilewright/tw.h>`; the
headers at the end of this page are opt-in. This page is made by `tests/lint/generated_docs.py`.
"""
TOKEN = re.compile(r"/\*(?P<comment>.*?)\*/|TW_API\b(?P<function>[^;]*);|(?P<other>\n[ \t]*\n|[;}])", re.S)


def plain(comment):
    """A comment as one line."""
    return " ".join(re.sub(r"^\s*\*", "", line).strip() for line in comment.split("\n")).strip()


def first_sentence(text):
    return re.split(r"(?<=[a-z0-9)\"'`])\. (?=[A-Z`])", text)[0].rstrip(".") + "."


def about(text):
    """The comment that opens a header, up to its first example."""
    comments = re.findall(r"/\*(.*?)\*/", text, re.S)
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comments[1].strip().split("\n")]
    paragraphs = re.split(r"\n\s*\n", "\n".join(lines))
    prose = [p for p in paragraphs if not any(line.startswith("  ") for line in p.split("\n")) and not p.endswith(":")]
    return [" ".join(line.strip() for line in p.split("\n")) for p in prose]


def groups(text):
    """Functions that stand together under one comment: (comment, signatures)."""
    text = re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text[text.index("#ifndef"):], flags=re.M)
    found, comment, fresh = [], "", True
    for token in TOKEN.finditer(text):
        if token["comment"] is not None:
            line_before = text[: token.start()].rsplit("\n", 1)[-1]
            if line_before.strip().endswith(";") and found and not fresh:
                found[-1][0] = (found[-1][0] + " " + plain(token["comment"])).strip()  # behind a declaration
            else:
                comment, fresh = plain(token["comment"]), True
        elif token["function"] is not None:
            signature = " ".join(token["function"].split()) + ";"
            if fresh or not found:
                found.append([comment, []])
            found[-1][1].append(signature)
            fresh = False
        else:
            comment, fresh = "", True
    return found


def wrapped(text):
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def signature_lines(signature):
    indent = " " * (signature.index("(") + 1)
    return textwrap.fill(signature, WIDTH, subsequent_indent=indent if len(indent) < 60 else "    ", break_long_words=False)


def page(root):
    folder = os.path.join(root, "api/tilewright")
    names = re.findall(r"'(tw\w*\.h)'", open(os.path.join(folder, "meson.build"), encoding="utf-8").read())
    text = HEAD
    for name in names:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            continue
        header = open(path, encoding="utf-8").read()
        text += f"\n## {name}\n"
        for paragraph in about(header):
            text += "\n" + wrapped(paragraph) + "\n"
        for comment, signatures in groups(header):
            text += "\n```c\n" + "\n".join(map(signature_lines, signatures)) + "\n```\n"
            if comment:
                text += "\n" + wrapped(first_sentence(comment)) + "\n"
    return text
