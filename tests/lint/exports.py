#!/usr/bin/env python3
"""Functions that a header declares and that no file but their own uses, not even a test: make them static, or remove
them. A use in another header, or in the same one beside the declaration (an inline function), counts.
"""
import os
import re
import sys

PARTS = ["base", "schema", "text", "record", "log", "runtime", "insight", "report", "site", "mcp", "live", "serve", "cmds", "docs", "bench", "tests"]
WORD = re.compile(r"\biol__[a-z0-9_]+\b")


def sources():
    for part in PARTS:
        for folder, _, names in os.walk(part):
            for name in names:
                if name.endswith((".c", ".h", ".S", ".def", ".map")):
                    yield os.path.join(folder, name)


def declarations(path, text):
    """Prototypes at the beginning of a line; inline functions have a body there and need no other user."""
    for match in re.finditer(r"^(?!static)[A-Za-z_][^;{}()]*\b(iol__[a-z0-9_]+)\s*\([^{};]*\)[^{};]*;", text, re.M):
        yield match.group(1)


def main():
    texts = {path: open(path, encoding="utf-8").read() for path in sources()}
    users = {}
    for path, text in texts.items():
        for word in set(WORD.findall(text)):
            users.setdefault(word, set()).add(path)
    dead = []
    for path, text in sorted(texts.items()):
        if not path.endswith(".h"):
            continue
        for name in declarations(path, text):
            inline = len(re.findall(rf"\b{name}\b", text)) > 1
            if len(users[name] - {path}) + inline < 2:
                dead.append((name, path))
    for name, path in dead:
        print(f"{path}: {name} is used in no other file")
    return 1 if dead else 0


sys.exit(main())
