#!/usr/bin/env python3
"""Which part of the house may include which: the table of docs/design.md, checked on every #include.

Tests may look everywhere, because they stand outside of the parts. Prints each include that points the wrong way.
"""
import os
import re
import sys

MAY_KNOW = {
    "schema": set(),
    "text": set(),
    "record": {"schema"},
    "log": {"schema", "record"},
    "runtime": {"schema", "record"},
    "insight": {"text", "schema", "record", "log"},
    "report": {"text", "schema", "record", "log", "insight"},
    "site": {"text", "schema", "record", "log", "insight"},
    "serve": {"text", "schema", "record", "log", "insight", "report", "site"},
    "cmds": {"text", "schema", "record", "log", "insight", "report", "site", "serve"},
}
# Public headers: everybody may see log.h and what a module author sees.
PUBLIC = {"iolite", "web", "generated"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def is_test(path):
    return re.search(r"_test(ing)?\.[ch]$", path) is not None


def files_of(part):
    for folder, _, names in os.walk(part):
        for name in names:
            if name.endswith((".c", ".h", ".def", ".S")):
                yield os.path.join(folder, name)


def main():
    wrong = 0
    for part, known in MAY_KNOW.items():
        for path in files_of(part):
            if is_test(path):
                continue
            with open(path, encoding="utf-8") as source:
                for target in INCLUDE.findall(source.read()):
                    other = target.split("/")[0]
                    if other in PUBLIC or other == part or other in known or "/" not in target:
                        continue
                    print(f"{path}: {part} must not know {target}")
                    wrong += 1
    return 1 if wrong else 0


sys.exit(main())
