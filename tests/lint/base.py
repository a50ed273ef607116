#!/usr/bin/env python3
"""What base/ has is not written again in a part that may know it.

Prints each place that does, with what to use instead. The runtime and what is compiled into it know libc alone.
"""
import os
import re
import sys

PARTS = ("text", "log", "insight", "report", "site", "live", "serve", "cmds", "mcp")
AGAIN = (
    (re.compile(r"\bsizeof\b[ (]*([\w.>-]+?)\)? / sizeof\b[ (]*\*?\1\b"), "IOL_COUNT of base/count.h"),
    (re.compile(r"^static bool \w*(?:ends_with|write_all)\(int fd|^static bool \w+_ends_with\(const char \*\w+, const char \*(?:end|suffix)\)"),
     "base/strings.h or base/write_all.h"),
    (re.compile(r"^static const char \*\w*base_name\("), "iol__base_name of base/strings.h"),
    (re.compile(r"realloc\(.*\(2 \* \S+ \+ 2\) \* sizeof"), "IOL_GROW_NEXT of base/grow.h"),
)


def main():
    wrong = 0
    for part in PARTS:
        for folder, _, names in os.walk(part):
            for name in sorted(names):
                if not name.endswith((".c", ".h")):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    for number, line in enumerate(file, 1):
                        for pattern, instead in AGAIN:
                            if pattern.search(line):
                                print(f"{path}:{number}: use {instead}")
                                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
