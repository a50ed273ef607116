"""Compares what iolite printed with recorded values: numbers within a relative tolerance, everything else exactly.

compare.py EXPECTED GOT [--tolerance T] [--ignore KEY]... [--corrections FILE] [--extra]
GOT may have keys that EXPECTED lacks only with --extra. Corrections replace recorded values by key.
"""
import argparse
import csv
import json
import math
import re
import sys


def load(path):
    with open(path, newline="") as file:
        if path.endswith(".csv"):
            return list(csv.DictReader(file))
        return json.load(file)


def number(value):
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str) and re.fullmatch(r"[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?", value):
        return float(value)
    return None


class Comparison:
    def __init__(self, options):
        self.options = options
        self.wrong = []

    def say(self, where, text):
        self.wrong.append(f"{where}: {text}")

    def compare(self, where, expected, got):
        if isinstance(expected, dict) and isinstance(got, dict):
            self.maps(where, expected, got)
        elif isinstance(expected, list) and isinstance(got, list):
            if len(expected) != len(got):
                self.say(where, f"{len(expected)} items expected, {len(got)} there")
            for i, (a, b) in enumerate(zip(expected, got)):
                self.compare(f"{where}[{i}]", a, b)
        else:
            self.scalars(where, expected, got)

    def maps(self, where, expected, got):
        for key, value in expected.items():
            if key in self.options.ignore:
                continue
            if key not in got:
                self.say(where, f"no '{key}'")
            else:
                self.compare(f"{where}.{key}", value, got[key])
        for key in got:
            if key not in expected and key not in self.options.ignore and not self.options.extra:
                self.say(where, f"'{key}' is not expected")

    def scalars(self, where, expected, got):
        a, b = number(expected), number(got)
        if a is not None and b is not None:
            tolerance = 1e-6 if re.search(r"p[-_]value", where) else self.options.tolerance
            if a != b and not math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-300):
                self.say(where, f"{expected} expected, {got} there")
        elif expected != got:
            self.say(where, f"{expected!r} expected, {got!r} there")


def keyed(rows, key):
    return {row[key]: {k: v for k, v in row.items() if k != key} for row in rows}


def corrected(expected, corrections):
    for key, value in corrections.items():
        if key == "note":
            continue
        at, path = expected, key.split(".")
        if isinstance(at, list):
            at = at[0]
        for part in path[:-1]:
            at = at[part]
        at[path[-1]] = value
    return expected


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("expected")
    parser.add_argument("got")
    parser.add_argument("--tolerance", type=float, default=1e-9)
    parser.add_argument("--ignore", action="append", default=[])
    parser.add_argument("--corrections")
    parser.add_argument("--name")
    parser.add_argument("--extra", action="store_true")
    parser.add_argument("--key", help="rows of a table are the same where this column is")
    options = parser.parse_args()
    expected, got = load(options.expected), load(options.got)
    if options.corrections:
        name = options.name or options.expected.rsplit("/", 1)[-1]
        expected = corrected(expected, load(options.corrections).get(name, {}))
    if options.key:
        expected, got = keyed(expected, options.key), keyed(got, options.key)
    comparison = Comparison(options)
    comparison.compare("", expected, got)
    for line in comparison.wrong[:20]:
        print(line)
    if len(comparison.wrong) > 20:
        print(f"... and {len(comparison.wrong) - 20} more")
    return 1 if comparison.wrong else 0


sys.exit(main())
