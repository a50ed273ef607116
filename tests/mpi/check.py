"""Compares a log with what the ranks of a program say it must have (expected.h).

Usage: check.py DUMP.json DIRECTORY [counts], where the dump is that of `iolite dump --json`, and expected.* are in
the directory. With "counts", operations are not compared: the program was not traced.
"""
import collections
import glob
import json
import sys


def read_lines(directory):
    lines = collections.defaultdict(list)
    for path in glob.glob(directory + "/expected.*"):
        rank = int(path.rsplit(".", 1)[1])
        with open(path, encoding="utf-8") as file:
            for line in file:
                words = line.split()
                lines[words[0]].append((rank, words[1:]))
    return lines


class Log:
    def __init__(self, dump):
        self.records = collections.defaultdict(list)
        for module in dump["modules"]:
            for record in module["records"]:
                self.records[module["name"], record["name"]].append(record)
        self.modules = {module for module, _ in self.records}
        self.failures = 0

    def fail(self, text):
        print("FAIL:", text, file=sys.stderr)
        self.failures += 1

    def values(self, module, name, counter):
        return [record["counters"][counter] for record in self.records[module, name]]

    def check_counts(self, lines):
        expected = collections.Counter()
        for _, (module, name, counter, value) in lines["count"]:
            expected[module, name, counter] += int(value)
        for (module, name, counter), value in expected.items():
            found = self.values(module, name, counter)
            if not found:
                self.fail(f"no {module} record of {name}")
            elif sum(found) != value:
                self.fail(f"{name}: {counter} is {found} instead of {value} in all")

    def check_values(self, lines):
        for _, (module, name, counter, value) in lines["value"]:
            if set(self.values(module, name, counter)) != {int(value)}:
                self.fail(f"{name}: {counter} is {self.values(module, name, counter)} instead of {value}")

    def check_above(self, lines):
        for _, (module, name, counter) in lines["above"]:
            found = self.values(module, name, counter)
            if not found or min(found) <= 0:
                self.fail(f"{name}: {counter} is {found}")

    def check_none(self, lines):
        for _, (module,) in lines["none"]:
            if module in self.modules:
                self.fail(f"there are {module} records: {[n for m, n in self.records if m == module]}")

    def check_operations(self, lines):
        expected = collections.defaultdict(lambda: {"w": [], "r": []})
        for rank, (name, direction, offset, length) in lines["op"]:
            expected[name, rank][direction].append((int(offset), int(length)))
        found = collections.defaultdict(lambda: {"w": [], "r": []})
        for (module, name), records in self.records.items():
            for record in records if module == "DXT_MPIIO" else []:
                for direction, key in (("w", "writes"), ("r", "reads")):
                    found[name, record["rank"]][direction] = [(o["offset"], o["length"]) for o in record[key]]
                    self.check_times(name, record[key])
        for (name, rank), directions in expected.items():
            # Requests may be seen to be done in another order than they were begun in.
            for direction, operations in directions.items():
                if sorted(found[name, rank][direction]) != sorted(operations):
                    self.fail(f"{name}: rank {rank} {direction}: {found[name, rank][direction]} instead of {operations}")

    def check_times(self, name, operations):
        if any(o["end"] < o["start"] or o["start"] <= 0 for o in operations):
            self.fail(f"{name}: an operation ends before it begins")

    def check_spans(self, lines):
        for _, (name, seconds) in lines["span"]:
            for record in self.records["DXT_MPIIO", name]:
                for operation in record["writes"] + record["reads"]:
                    if operation["end"] - operation["start"] < float(seconds):
                        self.fail(f"{name}: rank {record['rank']}: over before its end was seen: {operation}")

    def check_hints(self, lines, hints):
        for _, (name, key, value) in lines["hint"]:
            if hints.get(name, {}).get(key) != value:
                self.fail(f"{name}: hint {key} is {hints.get(name, {}).get(key)} instead of {value}")


def main():
    dump, directory = sys.argv[1:3]
    with open(dump, encoding="utf-8") as document:
        document = json.load(document)
    log = Log(document)
    lines = read_lines(directory)
    if not lines:
        log.fail("no rank left a line")
    log.check_counts(lines)
    log.check_values(lines)
    log.check_above(lines)
    log.check_none(lines)
    log.check_hints(lines, {hint["file"]: hint["hints"] for hint in document.get("hints", [])})
    if "counts" not in sys.argv[3:]:
        log.check_operations(lines)
        log.check_spans(lines)
    sys.exit(log.failures > 0)


main()
