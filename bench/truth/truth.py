#!/usr/bin/env python3
"""Which labels `iolite diagnose` gives to programs that have them by construction.

    truth.py BUILD-DIRECTORY --mpi LAUNCHER [--only NAME]... [--keep DIRECTORY]

Each line of cases.txt is a run of workload.c on the file system of the tests that answers as Lustre does, as slow as a busy
one (tests/pairs/storage.c). labels.txt says which findings stand for which label. Printed are the labels of each run and
precision, recall and F1 of each label and of all; status 1 if F1 of all is below 0.8. Status 77: no FUSE, or no MPI."""
import argparse
import contextlib
import fnmatch
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

GOAL = 0.8
HERE = pathlib.Path(__file__).resolve().parent


def read_table(name, columns):
    for line in (HERE / name).read_text().splitlines():
        if line and not line.startswith("#"):
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) != columns:
                sys.exit(f"{name}: {columns} columns are expected: {line}")
            yield cells


@contextlib.contextmanager
def lustre(build, work):
    """The tests' Lustre, mounted."""
    behind, mount = work / "behind", work / "scratch"
    behind.mkdir()
    mount.mkdir()
    program = build / "tests/lustre/fuse_lustre"
    if not program.exists() or not os.access("/dev/fuse", os.W_OK) or not shutil.which("fusermount3"):
        print("no FUSE on this machine", file=sys.stderr)
        sys.exit(77)
    server = subprocess.Popen([program, behind, mount, "-f", "-o", "subtype=lustre,fsname=10.0.0.1@tcp:/testfs"])
    while f" {mount} fuse.lustre " not in pathlib.Path("/proc/self/mounts").read_text():
        if server.poll() is not None:
            print("mounting is not allowed here", file=sys.stderr)
            sys.exit(77)
        time.sleep(0.02)
    try:
        yield mount
    finally:
        subprocess.run(["fusermount3", "-u", "-z", mount], check=False)
        server.wait()


class Bench:
    def __init__(self, build, launcher, work, mount):
        self.build, self.launcher, self.work, self.mount = build, shlex.split(launcher), work, mount
        status = work / "status"
        (status / "lov/testfs-clilov-ffff8800").mkdir(parents=True)
        (status / "lov/testfs-clilov-ffff8800/numobd").write_text("12\n")
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("IOLITE_", "DARSHAN_", "DXT_"))}
        self.environment = {**clean, "HOME": str(work), "XDG_CONFIG_HOME": str(work), "STORAGE": str(mount),
                            "IOLITE_LUSTRE_TYPES": "fuse.lustre", "IOLITE_LUSTRE_STATUS": str(status),
                            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                            "OMPI_MCA_mpi_yield_when_idle": "1", "MPIR_CVAR_POLLS_BEFORE_YIELD": "1"}

    def compile(self):
        flags = ["-O2", "-D_GNU_SOURCE", HERE / "workload.c"]
        compiler = pathlib.Path(self.launcher[0]).name.replace("mpirun", "mpicc")
        subprocess.run(["cc", *flags, "-o", self.work / "plain"], check=True)
        subprocess.run([compiler, "-DTRUTH_MPI", *flags, "-o", self.work / "mpi"], check=True)

    def run(self, ranks, options, preload, log):
        """Runs the program; with a log, recorded on slow storage."""
        words = [*options.split(), str(self.mount)]
        own = {"LD_PRELOAD": preload}
        if ranks.endswith("p"):
            command = [self.work / "plain", "-n", ranks[:-1], *words]
            if log:
                command = [self.build / "bin/iolite", "run", "-q", "--output", log, "--", *command]
        else:
            own["IOLITE_LOG_FILE"] = str(log or "")
            settings = [f"{key}={value}" for key, value in own.items() if value]
            command = [*self.launcher, "-n", ranks, "env", *settings, self.work / "mpi", *words]
            own = {}
        subprocess.run(command, env={**self.environment, **own}, check=True, timeout=600, stdout=subprocess.DEVNULL)

    def record(self, name, ranks, before, options):
        """The findings of one run: their ids, with their figures, and what they explain."""
        log = self.work / f"{name}.darshan"
        storage = self.build / "tests/pairs/storage.so"
        if before:
            self.run(ranks, before, "", None)
        recorder = "" if ranks.endswith("p") else f"{self.build / 'lib/libiolite.so'}:"
        self.run(ranks, options, f"{recorder}{storage}", log)
        for path in self.mount.iterdir():
            path.unlink()
        answer = subprocess.run([self.build / "bin/iolite", "diagnose", "--json", log], check=True, capture_output=True, text=True)
        findings = json.loads(answer.stdout)["findings"]
        return [(f["id"], f["figures"]) for f in findings] + [(s["id"], {}) for f in findings for s in f["symptoms"]]


def stands_for(pattern, found, figures):
    pattern, _, condition = pattern.partition(":")
    figure, _, limit = condition.partition("<")
    return fnmatch.fnmatchcase(found, pattern) and (not condition or figures.get(figure, float("inf")) < float(limit))


def labels_of(findings, labels):
    return {label for label, _, patterns in labels
            if any(stands_for(pattern, *finding) for finding in findings for pattern in patterns.split())}


def score(hits, wrong, missed):
    precision = hits / (hits + wrong) if hits + wrong else 1.0
    recall = hits / (hits + missed) if hits + missed else 1.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def print_cases(results):
    print("| program | labels by construction | given too | missed |\n|---|---|---|---|")
    for name, expected, given in results:
        print(f"| {name} | {' '.join(sorted(expected)) or 'none'} | {' '.join(sorted(given - expected))} | "
              f"{' '.join(sorted(expected - given))} |")


def print_scores(results, labels):
    """F1 over all labels of all programs."""
    print("\n| label | | programs | precision | recall | F1 |\n|---|---|---|---|---|---|")
    sums = [0, 0, 0]
    for label, meaning, _ in labels:
        counts = [sum(label in e & g for _, e, g in results), sum(label in g - e for _, e, g in results),
                  sum(label in e - g for _, e, g in results)]
        sums = [a + b for a, b in zip(sums, counts)]
        precision, recall, f1 = score(*counts)
        print(f"| {label} | {meaning} | {counts[0] + counts[2]} | {precision:.2f} | {recall:.2f} | {f1:.2f} |")
    precision, recall, f1 = score(*sums)
    print(f"| all | | {len(results)} | {precision:.2f} | {recall:.2f} | {f1:.2f} |")
    return f1


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--mpi", required=True)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    labels = list(read_table("labels.txt", 3))
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder).resolve()
        results = []
        with lustre(options.build.resolve(), work) as mount:
            bench = Bench(options.build.resolve(), options.mpi, work, mount)
            bench.compile()
            for name, ranks, before, words, expected in read_table("cases.txt", 5):
                if options.only and name not in options.only:
                    continue
                findings = bench.record(name, ranks, before, words)
                results.append((name, set(expected.split()), labels_of(findings, labels)))
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    shutil.copy(work / f"{name}.darshan", options.keep)
        print_cases(results)
        return 0 if print_scores(results, labels) >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
