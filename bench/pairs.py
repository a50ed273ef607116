#!/usr/bin/env python3
"""What findings are said to cost against what their repair saves.

    pairs.py BIN-DIRECTORY TOOL-DIRECTORY [--rounds N] [--mpi NAME=LAUNCHER]... [--only NAME]... [--parallel]

Every pair is a program with one fault and without it: the serial ones of bench/pairs.c on this machine's file system,
in the page cache, and the parallel ones of tests/pairs on storage that is equally slow everywhere. Versions take turns,
N times (5). Measured is the difference of the medians of their run times; estimated is the time lost by what is found
above INFO before the repair, which leaves nothing of it, by its median. One table, and the share of pairs in which the
two are within a factor of two; status 1 if that is below 85 %, or if the first finding is not the expected one."""
import argparse
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

GOAL, FACTOR = 0.85, 2
SOURCES = pathlib.Path(__file__).resolve().parent.parent


def judge(iolite, log):
    """The run time of a log, its first finding above INFO, and what all of those cost."""
    text = subprocess.run([iolite, "diagnose", "--json", log], capture_output=True, check=True, text=True).stdout
    answer = json.loads(text)
    run_time = answer["figures"]["run_time"]
    serious = [finding for finding in answer["findings"] if finding["level"] in ("high", "warn")]
    lost = sum(finding.get("cost", {}).get("lost_s") or 0.0 for finding in serious)
    return run_time, serious[0]["id"] if serious else None, min(lost, run_time)


class Pair:
    def __init__(self, kind, name, finding):
        self.kind, self.name, self.finding = kind, name, finding
        self.before, self.after, self.estimates, self.first = [], [], [], []

    def add(self, iolite, before, after):
        run_time, first, estimate = judge(iolite, before)
        self.before.append(run_time)
        self.estimates.append(estimate)
        self.first.append(first)
        self.after.append(judge(iolite, after)[0])

    def row(self):
        before, after = statistics.median(self.before), statistics.median(self.after)
        saved, estimate = before - after, statistics.median(self.estimates)
        ratio = estimate / saved if saved > 0 else float("inf")
        named = self.first.count(self.finding) * 2 > len(self.first)
        return before, after, saved, estimate, ratio, named


def serial_pairs(iolite, program, rounds, wanted, work):
    listed = subprocess.run([program], capture_output=True, check=True, text=True).stdout
    for name, finding in (line.split() for line in listed.splitlines()):
        if wanted and name not in wanted:
            continue
        pair = Pair("serial", name, finding)
        for _ in range(rounds):
            logs = []
            for version in ("before", "after"):
                folder = pathlib.Path(tempfile.mkdtemp(dir=work))
                subprocess.run([program, name, "prepare"], cwd=folder, check=True)
                logs.append(folder / "log.darshan")
                subprocess.run([iolite, "run", "--output", logs[-1], "--", program, name, version], cwd=folder,
                               check=True, stderr=subprocess.DEVNULL)
                for path in folder.iterdir():
                    if path != logs[-1]:
                        path.unlink()
            pair.add(iolite, *logs)
        yield pair


def expected_of(name):
    for line in (SOURCES / "tests/pairs" / f"{name}.c").read_text().splitlines()[:20]:
        if line.startswith("   FINDS "):
            return line.split()[1]
    return None


def parallel_pairs(iolite, tools, mpi, rounds, wanted, work):
    label, launcher = mpi.split("=", 1)
    environment = {**os.environ, "IOLITE_BIN": str(pathlib.Path(iolite).parent), "IOLITE_SEEDS": str(work / "seeds")}
    subprocess.run([tools / "make-seeds", work / "seeds"], check=True, stdout=subprocess.DEVNULL)
    programs = tools / "pairs" / label
    names = sorted(p.name for p in programs.iterdir() if p.is_file()) if programs.is_dir() else []
    pairs = {name: Pair(label, name, expected_of(name)) for name in names if not wanted or name in wanted}
    for number in range(rounds if pairs else 0):
        kept = work / f"{label}{number}"
        subprocess.run([SOURCES / "tests/pairs/pairs.sh", "--keep", kept, programs, *pairs, "--", *shlex.split(launcher)],
                       env=environment, stdout=subprocess.DEVNULL)
        for name, pair in pairs.items():
            pair.add(iolite, kept / f"{name}.before.darshan", kept / f"{name}.after.darshan")
    return list(pairs.values())


def print_table(pairs):
    print("| pair | | before | after | saved | estimated | estimated / saved | first finding |")
    print("|---|---|---|---|---|---|---|---|")
    close = 0
    for pair in pairs:
        before, after, saved, estimate, ratio, named = pair.row()
        within = 1 / FACTOR <= ratio <= FACTOR
        close += within
        print(f"| {pair.name} | {pair.kind} | {before:.2f} s | {after:.2f} s | {saved:.2f} s | {estimate:.2f} s | "
              f"{ratio:.2f}{'' if within else ' (!)'} | {pair.finding if named else f'{pair.first}, not {pair.finding}'} |")
    return close


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("tools", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mpi", action="append", default=[])
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--parallel", action="store_true")
    options = parser.parse_args()
    iolite = str(options.bin.resolve() / "iolite")
    tools = options.tools.resolve()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        pairs = []
        if not options.parallel:
            pairs += serial_pairs(iolite, str(tools / "pairs-serial"), options.rounds, options.only, work)
        for mpi in options.mpi:
            pairs += parallel_pairs(iolite, tools, mpi, options.rounds, options.only, work)
    close = print_table(pairs)
    print(f"\nwithin a factor of {FACTOR}: {close} of {len(pairs)} pairs, {close / max(1, len(pairs)):.0%}")
    wrong = [pair.name for pair in pairs if not pair.row()[-1]]
    if wrong:
        print(f"another finding is first: {', '.join(wrong)}", file=sys.stderr)
    return 0 if close >= GOAL * len(pairs) and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
