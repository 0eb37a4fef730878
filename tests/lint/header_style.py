# SPDX-License-Identifier: Apache-2.0
"""Public headers are read by tools that make bindings: parameters and fields have names that are free in C++, Python, Java,
Rust and Julia; a set of constants is an enum beside a typedef of its name that holds int32_t; macros are plain literals; and
a returned string belongs to the first argument or is static. Usage: header_style.py SOURCE_ROOT"""

import re
import sys

import tree

# What is no name, or hides a function that everybody knows, in one of the languages. Words of C cannot stand there at all.
RESERVED = set("""
    alignas alignof and and_eq asm auto bitand bitor bool catch char8_t class co_await co_return co_yield compl concept const_cast
    consteval constexpr constinit decltype delete dynamic_cast explicit export false friend mutable namespace new noexcept not
    not_eq nullptr operator or or_eq private protected public reinterpret_cast requires static_assert static_cast template this
    thread_local throw true try typeid typename using virtual wchar_t xor xor_eq
    and as assert async await class def del elif except finally from global import in is lambda nonlocal pass raise with yield None
    abstract boolean byte extends final implements import instanceof interface native null package strictfp super synchronized
    throws transient var record
    abstract as become box crate dyn fn impl let loop macro match mod move mut override priv pub ref self Self trait type unsafe
    unsized use where
    baremodule begin do elseif end function global import isa let local macro module outer primitive quote struct type using where
    """.split())
# Strings that belong to no object and are not static.
THREAD_LOCAL = {"tw_error_message"}

root = sys.argv[1]
findings = []
checked = 0


def declarations(text):
    """What stands between the comments and preprocessor lines of a header, by `;` at any depth."""
    bare = re.sub(r'/\*.*?\*/|//[^\n]*|^\s*#(\\\n|[^\n])*|extern "C"', " ", text, flags=re.S | re.M)
    return bare, [" ".join(d.split()) for d in re.split(r"[;{}]", bare)]


for path in tree.files(root, "api", ".h"):
    text = tree.read(root, path)
    bare, parts = declarations(text)
    for declaration in parts:
        # The last word before , ) [ or the end is the name of a parameter or field.
        for name in re.findall(r"\b([A-Za-z_]\w*)\s*(?=[,)\[]|$)", declaration):
            checked += 1
            if name in RESERVED:
                findings.append(f"{path}: `{name}` in `{declaration}` is no name in one of C++, Python, Java, Rust and Julia")
        function = re.match(r"TW_API const char \*(\w+)\((.*)\)$", declaration)
        if function and function[1] not in THREAD_LOCAL and not re.match(r"const tw_\w+_t \*|void$|size_t \w+|tw_\w+_t \w+", function[2]):
            findings.append(f"{path}: {function[1]} returns a string: its first argument is the object that owns it, or a number")
    typedefs = set(re.findall(r"typedef int32_t (\w+)_t;", bare))
    enums = set()
    for tag, body in re.findall(r"enum\s*(\w*)\s*\{(.*?)\}", bare, re.S):
        enums.add(tag)
        if not tag or tag not in typedefs:
            findings.append(f"{path}: `enum {tag}` stands beside `typedef int32_t {tag or 'tw_x'}_t;`, which arguments have")
        if not re.match(r"\s*TW_\w+_SIGNED = -1,", body):
            findings.append(f"{path}: `enum {tag}` begins with TW_.._SIGNED = -1, so that every compiler makes it an int")
    findings += [f"{path}: {name}_t holds int32_t and has no enum {name}" for name in sorted(typedefs - enums)]
    for name, value in re.findall(r"^#define (TW_\w+) +(\S[^\n]*)$", text, re.M):
        checked += 1
        if name != "TW_API" and not re.fullmatch(r"\d+|0x[0-9a-f]+u", value):
            findings.append(f"{path}: {name} is {value}: tools that read headers take plain numbers only")

assert checked > 500, "hardly any names found"
tree.finish(findings, f"{checked} names")
