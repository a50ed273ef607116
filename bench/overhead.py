#!/usr/bin/env python3
"""What Iolite adds to a parallel job that does nothing but I/O.

    overhead.py PROGRAM LIBRARY FOLDER [--mpirun COMMAND] [--ranks N] [--runs N] [--accesses N] [--bytes N] [--rounds N]

PROGRAM is bench/overhead.c, LIBRARY libiolite.so, FOLDER a place on a disk for the files and for the disk-backed map.
Three arms take turns: without Iolite, with it, and with its map on a disk. Every round starts with another arm, so that
slow changes of the machine meet all of them alike. The figures are whole jobs, from the start of the launcher to its
end: start and finish of Iolite are in them."""
import argparse
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    result = d
    for m in range(1, 300):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + term * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + term / c
            c = c if abs(c) > tiny else tiny
            result *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return result


def beta(a, b, x):
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, 1 - x) / b


def t_tail(t, freedom):
    """The probability of a value of Student's t at least this far from zero, on either side."""
    return beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def t_limit(freedom, probability=0.05):
    low, high = 0.0, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, freedom) > probability else (low, middle)
    return high


def welch(first, second):
    """Difference of the means (second - first), its 95 % interval, t, degrees of freedom and p."""
    parts = [statistics.variance(v) / len(v) for v in (first, second)]
    error = math.sqrt(sum(parts))
    difference = statistics.mean(second) - statistics.mean(first)
    if error == 0:
        return difference, difference, difference, 0.0, float(len(first) + len(second) - 2), 1.0
    freedom = error ** 4 / sum(p * p / (len(v) - 1) for p, v in zip(parts, (first, second)))
    half = t_limit(freedom) * error
    t = difference / error
    return difference, difference - half, difference + half, t, freedom, t_tail(abs(t), freedom)


def box(values):
    quarters = statistics.quantiles(values, n=4, method="inclusive")
    return [min(values), *quarters, max(values)]


def arms(library, folder):
    common = {"LD_PRELOAD": library, "IOLITE_LOG_DIR": os.path.join(folder, "logs"), "IOLITE_DISABLE": "0"}
    return {
        "without": {},
        "with": common,
        "with, map on a disk": {**common, "IOLITE_MMAP_DIR": os.path.join(folder, "map")},
    }


def run(options, kind, extra, folder):
    data = os.path.join(folder, "data")
    shutil.rmtree(data, ignore_errors=True)
    os.makedirs(data)
    # The launcher is left alone: only the ranks have the library.
    given = ["env", *(f"{name}={value}" for name, value in extra.items())] if extra else []
    command = [*shlex.split(options.mpirun), "-n", str(options.ranks), *given, options.program, kind, data,
               str(options.accesses), str(options.bytes), str(options.rounds)]
    begin = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return time.monotonic() - begin, float(done.stdout.strip().splitlines()[-1])


def experiment(options, kind, folder):
    table = arms(options.library, folder)
    names = list(table)
    whole = {name: [] for name in names}
    inside = {name: [] for name in names}
    for round_number in range(options.runs + 1):
        for shift in range(len(names)):
            name = names[(round_number + shift) % len(names)]
            total, io = run(options, kind, table[name], folder)
            if round_number > 0:  # the first round warms up
                whole[name].append(total)
                inside[name].append(io)
    return whole, inside


def show(title, values):
    print(f"\n{title}, seconds")
    print(f"  {'':<22}{'min':>9}{'quarter':>9}{'median':>9}{'3/4':>9}{'max':>9}")
    for name, seconds in values.items():
        print(f"  {name:<22}" + "".join(f"{value:9.4f}" for value in box(seconds)))
    names = list(values)
    good = True
    for name in names[1:]:
        difference, low, high, t, freedom, p = welch(values[names[0]], values[name])
        added = statistics.median(values[name]) / statistics.median(values[names[0]]) - 1
        holds = low <= 0 <= high or added < 0.01
        good = good and holds
        print(f"  {name} - {names[0]}: {difference:+.4f} s, 95 % [{low:+.4f}, {high:+.4f}], t {t:.2f} at {freedom:.1f},"
              f" p {p:.3f}; median {added:+.2%}: {'holds' if holds else 'DOES NOT HOLD'}")
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("folder")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--accesses", type=int, default=400)
    parser.add_argument("--bytes", type=int, default=131072)
    parser.add_argument("--rounds", type=int, default=120)
    options = parser.parse_args()
    options.library = os.path.abspath(options.library)
    options.program = os.path.abspath(options.program)
    good = True
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for part in ("logs", "map"):
            os.makedirs(os.path.join(folder, part))
        for kind, title in (("shared", "one file, collective calls"), ("own", "a file for each rank")):
            print(f"{title}: {options.ranks} ranks, {options.rounds} times {options.accesses} writes and reads of {options.bytes} bytes, "
                  f"{options.runs} runs an arm")
            whole, inside = experiment(options, kind, folder)
            good = show("the whole job", whole) and good
            show("its I/O alone", inside)
            print()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
