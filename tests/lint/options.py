#!/usr/bin/env python3
"""No command has two options of one name or one letter: the first would hide the second."""
import collections
import re
import sys

masks = {}
names = collections.defaultdict(list)


def commands(mask):
    found = set()
    for word in re.findall(r"\w+", mask):
        found |= commands(masks[word]) if word in masks else {word}
    return found


for line in open("cmds/options.def", encoding="utf-8"):
    if define := re.match(r"#define (\w+) \((.*)\)", line):
        masks[define[1]] = define[2]
    if option := re.match(r"OPTION\(([^,]*), (\w+), \"([^\"]*)\", ([^,]*),", line):
        for command in commands(option[1]):
            names[command, "--" + option[3]].append(option[2])
            if option[4].strip() != "0":
                names[command, option[4].strip()].append(option[2])

twice = {key: options for key, options in names.items() if len(options) > 1}
for (command, name), options in sorted(twice.items()):
    print(f"{command}: {name} is {' and '.join(options)}")
sys.exit(bool(twice))
