"""What the tests of values share: what a command says, and tables of any form as plain Python."""

import json
import math
import os
import subprocess


def command(*arguments):
    done = subprocess.run([os.environ["IOLITE_COMMAND"], *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return json.loads(done.stdout) if done.stdout.strip() else None


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    a = None if isinstance(a, float) and not math.isfinite(a) else a
    b = None if isinstance(b, float) and not math.isfinite(b) else b
    return a == b


def rows(table, form):
    """A table as a list of dicts with plain Python values."""
    columns = {name: table[name] for name in (table.columns if form == "pandas" else table)}
    lists = {name: cells.tolist() if hasattr(cells, "tolist") else list(cells) for name, cells in columns.items()}
    count = len(next(iter(lists.values()))) if lists else 0
    return [{name: lists[name][i] for name in lists} for i in range(count)]


class Comparison:
    """Counts and prints what differs."""

    def __init__(self):
        self.failures = 0

    def check(self, where, what, ours, theirs):
        if not same(ours, theirs):
            self.failures += 1
            print("FAIL: %s: %s: %.200r, and the command says %.200r" % (where, what, ours, theirs))
