#!/usr/bin/env python3
"""No value of a query's answer is read by its place.

Rows come as structs (site/query/query.h), made from schema.def and queries.def. Cells themselves are for the drivers of stores, for
the code that makes structs of them, and for the few that go through columns by a list that they asked with. Prints each place
that takes rows of cells otherwise, that reads a cell by a number, or that fills a table from a list of expressions in order.
"""
import os
import re
import sys

# Drivers, and what stands between them and structs.
MAKES_ROWS = ("site/store/", "site/query/query.c", "site/query/sql.c")
# They ask for a list of columns and go through cells and list together.
BY_LIST = {"cmds/site/jobs.c", "cmds/site/fleet_export.c", "site/index/copy.c"}

TAKES_ROWS = re.compile(r"\(void \*\w+, const iol__cell \*\w+, size_t \w+\)\s*{")
INSERTS = re.compile(r'"INSERT INTO \w+ SELECT')
CELLS = re.compile(r"\biol__cell \*?(\w+)(?=\s*[,;)=\[])")


def sources():
    for part in ("site", "mcp", "serve", "cmds", "report"):
        for folder, _, names in os.walk(part):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith((".c", ".h")) and not name.endswith("_test.c") and not path.startswith(MAKES_ROWS):
                    yield path


def places(path, text):
    """Line numbers, and what is wrong there."""
    cells = set(CELLS.findall(text))
    by_number = [re.compile(r"(?<!iol__cell )(?<!iol__cell \*)\b%s\[[^\]]*\b\d+[^\]]*\]" % re.escape(name)) for name in cells]
    first = re.compile(r"\biol__cell_(?:integer|real|text)\((?:cells|values|c|row)\)")
    for number, line in enumerate(text.split("\n"), 1):
        if TAKES_ROWS.search(line) and path not in BY_LIST:
            yield number, "takes rows as cells: declare the question in site/query/queries.def and take its struct"
        elif INSERTS.search(line):
            yield number, "fills a table by the order of its columns: iol__insert_TABLE() takes expressions by name"
        elif any(pattern.search(line) for pattern in by_number) or first.search(line):
            yield number, "reads a cell by its place: read a member of the row"


def main():
    wrong = 0
    for path in sources():
        with open(path, encoding="utf-8") as file:
            for number, what in places(path, file.read()):
                print(f"{path}:{number}: {what}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
