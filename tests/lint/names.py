#!/usr/bin/env python3
"""Names that a search finds: how many functions share theirs with a function of another file, and which types mean two things.

Prints each type name that two files define, and fails for it; and fails where more than LIMIT of all functions share their name.
Names of the language of a table (functions that a macro makes) are not seen. With --list, prints the shared names, most
frequent first.
"""
import collections
import os
import re
import sys

PARTS = ["base", "schema", "text", "record", "log", "runtime", "insight", "report", "site", "mcp", "live", "serve", "cmds"]
LIMIT = 0.08
FUNCTION = re.compile(r"^(?!(?:__attribute__|typedef|struct|enum|union|else|return|if|for|while|switch)\b)[A-Za-z_][\w \t*]*?\b(?!__)([a-z_][a-z0-9_]*)\([^;{}]*\)\s*\{", re.M)
TYPE = re.compile(r"^typedef\b(?:[^;{(]*?|[^{;()]*\{$.*?^\}) ?\*?\b([a-z_][a-z0-9_]*);$", re.M | re.S)
FUNCTION_TYPE = re.compile(r"^typedef\b[^;{]*?\(\*?([a-z_][a-z0-9_]*)\)\(|^typedef\b[^;{(]*?\b([a-z_][a-z0-9_]*)\(", re.M)
TAG = re.compile(r"^(?:typedef )?(?:struct|union|enum) ([a-z_][a-z0-9_]*) \{", re.M)


def sources():
    for part in PARTS:
        for folder, _, names in os.walk(part):
            for name in sorted(names):
                if name.endswith((".c", ".h")) and not re.search(r"_test(ing)?\.[ch]$", name):
                    yield os.path.join(folder, name)


def plain(text):
    """Without comments, texts and directives, which can look like anything."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)


def types_of(text):
    declared = set(TYPE.findall(text)) | set(TAG.findall(text))
    for names in FUNCTION_TYPE.findall(text):
        declared |= set(filter(None, names))
    return declared


def main():
    functions, types, total = collections.defaultdict(list), collections.defaultdict(set), 0
    for path in sources():
        with open(path, encoding="utf-8") as file:
            text = plain(file.read())
        for name in set(FUNCTION.findall(text)):
            functions[name].append(path)
            total += 1
        forward = set(re.findall(r"^typedef (?:struct|union) \w+ (\w+);$", text, re.M))
        for name in types_of(text):
            defined = re.search(rf"^\}} ?\*?{name};|^(?:typedef )?(?:struct|union|enum) {name} \{{", text, re.M)
            if name not in forward or defined:
                types[name].add(path)
    shared = {name: paths for name, paths in functions.items() if len(paths) > 1}
    part = sum(len(paths) for paths in shared.values()) / total
    if "--list" in sys.argv:
        for name, paths in sorted(shared.items(), key=lambda item: -len(item[1])):
            print(f"{len(paths):3} {name}: {' '.join(paths)}")
    twice = {name: paths for name, paths in types.items() if len(paths) > 1}
    for name, paths in sorted(twice.items()):
        print(f"the type {name} means several things: {' '.join(sorted(paths))}")
    if part > LIMIT or "--list" in sys.argv:
        print(f"{part:.1%} of {total} functions share their name with another; at most {LIMIT:.0%} may")
    return 1 if twice or part > LIMIT else 0


sys.exit(main())
