#!/usr/bin/env bash
# Which line of Python: a script whose lines carry the word HERE is recorded with --where by every interpreter that is on the
# machine. Those of a known version must give these lines and no other; with others nothing may be guessed.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
[ "$(uname -m)" = x86_64 ] || skip "chains of callers are followed on x86-64 only"
own_home
cd "$work" || exit 1
cat >rows.py <<'END'
import os
import threading


def put(f, n):
    for i in range(n):
        f.write(b"x" * 8192)  # HERE write


def blocks(path):
    with open(path, "rb", buffering=0) as f:
        while True:
            block = f.read(1000)  # HERE read
            if not block:
                return
            yield block


def été(path):
    os.stat(path)  # HERE stat


class Job:
    def __init__(self, name):
        self.name = name

    def run(self):
        with open(self.name, "wb", buffering=0) as f:
            put(f, 100)
        return sum(len(b) for b in blocks(self.name))


Job("first").run()
thread = threading.Thread(target=Job("second").run)
thread.start()
thread.join()
for i in range(10):
    exec(compile("import os\ndef f(n):\n    os.stat(n)\nf('first')", "made%d.py" % i, "exec"))
été("first")
for i in range(5):
    os.stat(
        "first")  # HERE last
END
cat >expected.py <<'END'
import json, os, sys
known = sys.argv[1] == "1"
where = {}
for number, text in enumerate(open("rows.py", encoding="utf-8"), 1):
    if "HERE" in text:
        where[text.split("HERE ")[1].strip()] = number
lines = json.load(sys.stdin)["lines"]
ours = {(os.path.basename(l["file"]), l["line"], l["function"]): l for l in lines if l["file"] and l["file"].endswith(".py")}
if not known:
    assert not ours, ours
    sys.exit()
def found(word, functions, calls, size, file="rows.py"):
    line = where.get(word, 3)
    got = [l for (f, n, name), l in ours.items() if f == file and n == line and name in functions]
    assert len(got) == 1 and got[0]["calls"] == calls and got[0]["bytes"] == size, (word, got, list(ours))
found("write", ["put"], 200, 1638400)
found("read", ["blocks"], 1642, 1638400)
found("stat", ["été"], 1, 0)
for i in range(10):
    found("made", ["f"], 1, 0, "made%d.py" % i)
last = [l for (f, n, name), l in ours.items() if f == "rows.py" and n in (where["last"], where["last"] - 1)]
assert sum(l["calls"] for l in last) == 5, last
END
tried=0
for python in /usr/bin/python3 $(type -aP python3.9 python3.10 python3.11 python3.12 python3.13 python3.14); do
    [ -x "$python" ] || continue
    version=$("$python" -c 'import sys; print("%d.%d%s" % (sys.version_info[:2] + (getattr(sys, "abiflags", ""),)))' 2>/dev/null) || continue
    case $version in
    3.9 | 3.11 | 3.12 | 3.13) known=1 ;;
    *) known=0 ;;
    esac
    rm -f first second
    "$iolite" run --quiet --where --output py.darshan -- "$python" rows.py || fail "status with Python $version"
    "$iolite" where --json py.darshan >py.json || fail "where with Python $version"
    "$python" expected.py $known <py.json || fail "lines of Python $version"
    status 0 "$iolite" where py.darshan
    [ $known = 0 ] || has 'f.write(b"x" * 8192)'
    rm -f py.darshan
    tried=$((tried + 1))
done
[ $tried -gt 0 ] || skip "no Python"
finish
