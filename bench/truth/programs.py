#!/usr/bin/env python3
"""How often the first finding is the right one, and how often a sound program is left alone.

    programs.py BUILD-DIRECTORY --mpi LAUNCHER

Counts the programs of tests/planted with a fault (FINDS) and without (INNOCENT), those of tests/planted/repaired and the pairs of
tests/pairs, which are judged before and after their repair, and the public logs of one job before and after a change. Each is judged by the script that
tests it. Status 1 below 95 % of the faults, or with a sound program that is warned about."""
import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

GOAL = 0.95
SOURCES = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def first_words(source):
    """The directives in the first comment of a program."""
    lines = source.read_text(errors="replace").splitlines()[:20]
    return {words[0]: words[1:] for line in lines if (words := line.strip("#!/* ").split())}


class Count:
    def __init__(self, title):
        self.title, self.right, self.wrong, self.skipped = title, 0, [], 0

    def add(self, name, status):
        if status == SKIPPED:
            self.skipped += 1
        elif status == 0:
            self.right += 1
        else:
            self.wrong.append(name)

    def share(self):
        return self.right / max(1, self.right + len(self.wrong))

    def row(self):
        return (f"| {self.title} | {self.right + len(self.wrong)} | {self.right} | {self.share():.0%} | "
                f"{', '.join(self.wrong) or 'none'} | {self.skipped} |")


def judge(command, environment):
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


def planted(build, environment, folder, faults, sound):
    script = SOURCES / "tests/planted/judge.sh"
    for source in sorted((SOURCES / folder).glob("*.*")):
        words = first_words(source)
        if source.name == script.name or not ("FINDS" in words or "INNOCENT" in words):
            continue
        program = build / "tests/planted" / source.stem if source.suffix in (".c", ".cpp", ".f90") else source
        (faults if "FINDS" in words else sound).add(source.stem, judge([script, program, source], environment))


def pairs(build, launcher, environment, count):
    script, kind = SOURCES / "tests/pairs/pairs.sh", "mpich" if "mpich" in launcher else "openmpi"
    for source in sorted((SOURCES / "tests/pairs").glob("*.c")):
        if "FINDS" in first_words(source):
            count.add(source.stem, judge([script, build / "tests/pairs" / kind, source.stem, "--", *shlex.split(launcher)],
                                         environment))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--mpi", required=True)
    options = parser.parse_args()
    build = options.build.resolve()
    faults, sound = Count("one process, a fault is planted: it is the first finding"), Count("sound: nothing above INFO")
    repaired = Count("one process, before and after the repair: found first, at its line, then nothing above INFO")
    parallel, twins = Count("ranks, before and after the repair: found first, then gone"), Count("public twins")
    with tempfile.TemporaryDirectory() as seeds:
        subprocess.run([build / "tests/make-seeds", seeds], check=True, stdout=subprocess.DEVNULL)
        environment = {**os.environ, "IOLITE_BIN": str(build / "bin"), "IOLITE_TOOLS": str(build / "tests"), "IOLITE_SEEDS": seeds,
                       "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        planted(build, environment, "tests/planted", faults, sound)
        planted(build, environment, "tests/planted/repaired", repaired, sound)
        pairs(build, options.mpi, environment, parallel)
        twins.add("e2e/twins", judge([SOURCES / "tests/e2e/twins.sh"], environment))
    print("| programs | judged | right | share | wrong | skipped |\n|---|---|---|---|---|---|")
    for count in (faults, repaired, sound, parallel, twins):
        print(count.row())
    return 0 if min(faults.share(), repaired.share(), parallel.share()) >= GOAL and not sound.wrong and not twins.wrong else 1


if __name__ == "__main__":
    sys.exit(main())
