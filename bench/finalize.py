#!/usr/bin/env python3
"""How long the ranks of an MPI job need to write its log together.

    finalize.py LIBRARY TOOLS [--ranks N[,N...]] [--repeat N] [--real FOLDER [--real-only]]

LIBRARY is libiolite.so with its plugins beside it, TOOLS the folder of the iolite commands. bench/finalize.c is compiled
with every MPI that is here. For each case of the papers (1 and 1,024 shared files, 1 and 1,024 files per rank) the
benchmark hook of the runtime makes up records and goes through the end of the job, several times; what is printed are
medians: the longest time of any rank, the time of each phase, processor time and messages of all ranks together, and the
size of the log. From runs of several sizes a model is fitted, and taken to the sizes of the papers.

--real also runs a program that really writes files, for the size of a log with true times; status 1 if it is larger
than the reference's. --real-only runs nothing else."""
import argparse
import glob
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = [("1 shared file", 1), ("1024 shared files", 3), ("1 file per rank", 0), ("1024 files per rank", 2)]
PHASES = ["survey", "pack", "gather", "write", "word"]
# Darshan 3.5 with Open MPI, 32 ranks on two idle cores, and a third of that.
REFERENCE = {"1 shared file": 40, "1024 shared files": 104, "1 file per rank": 58, "1024 files per rank": 172}
MPIS = [("Open MPI", "mpicc.openmpi", "mpirun.openmpi", ["--oversubscribe", "--mca", "btl", "self,vader"]),
        ("MPICH", "mpicc.mpich", "mpirun.mpich", [])]


class Sample:
    """One pass through the end of a job, as the hook prints it."""

    def __init__(self):
        self.whole = 0.0
        self.time, self.busy, self.messages, self.bytes = {}, {}, {}, {}


def parse(text):
    samples = []
    for line in text.splitlines():
        words = line.split("\t")
        if words[0] == "darshan:core_shutdown":
            samples.append(Sample())
            samples[-1].whole = float(words[2])
        elif words[0].startswith("iolite:") and samples:
            name, now = words[0][7:], samples[-1]
            now.time[name], now.busy[name] = float(words[2]), float(words[3])
            now.messages[name], now.bytes[name] = int(words[4]), int(words[5])
    return [s for s in samples if s.messages.get("gather", 0) or s.time.get("pack")]


class Bench:
    def __init__(self, library, tools, scratch):
        self.library, self.tools, self.scratch = library, tools, scratch

    def compile(self, compiler, source="finalize.c"):
        program = os.path.join(self.scratch, f"{os.path.splitext(source)[0]}-{compiler}")
        subprocess.run([compiler, "-O2", "-o", program, os.path.join(HERE, source)], check=True)
        return program

    def launch(self, mpi, ranks, program, words, logs):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        command = [mpi[2], *mpi[3], "-n", str(ranks), "env", f"LD_PRELOAD={self.library}", f"IOLITE_LOG_DIR={logs}",
                   program, *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)

    def run(self, mpi, program, ranks, case, repeat):
        logs = tempfile.mkdtemp(dir=self.scratch)
        done = self.launch(mpi, ranks, program, ["phases", "at-once", f"case={case}", f"repeat={repeat + 1}"], logs)
        samples = parse(done.stderr)[1:]  # the first one warms up
        sizes = [os.path.getsize(p) for p in glob.glob(logs + "/*.darshan")]
        archived = self.archive(logs)
        shutil.rmtree(logs)
        if not samples or not sizes:
            sys.exit(f"no result from {mpi[0]} with {ranks} ranks:\n{done.stderr[-2000:]}")
        return samples, statistics.median(sizes), archived

    def archive(self, logs):
        found = glob.glob(logs + "/*.darshan")
        if not found:
            return None
        out = os.path.join(logs, "archived")
        subprocess.run([os.path.join(self.tools, "iolite"), "convert", "--archive", found[0], out], check=True,
                       capture_output=True)
        return os.path.getsize(out)


def median(samples, value):
    return statistics.median(value(s) for s in samples)


def files_of(name, ranks):
    count = 1024 if "1024" in name else 1
    return count if "shared" in name else count * ranks


def print_runs(mpi, ranks, results):
    print(f"\n{mpi}, {ranks} ranks on {os.cpu_count()} processors; milliseconds, medians")
    print(f"{'':18} {'all':>7} {'min':>7} " + " ".join(f"{p:>7}" for p in PHASES) +
          f" {'cpu':>7} {'msgs':>6} {'a rank':>6} {'log KB':>8} {'B/file':>7} {'archive':>7}")
    for name, _ in CASES:
        samples, size, archived = results[name]
        messages = median(samples, lambda s: sum(s.messages.values()))
        files = files_of(name, ranks)
        line = f"{name:18} {1e3 * median(samples, lambda s: s.whole):7.1f} {1e3 * min(s.whole for s in samples):7.1f} "
        line += " ".join(f"{1e3 * median(samples, lambda s, p=p: s.time[p]):7.1f}" for p in PHASES)
        line += f" {1e3 * median(samples, lambda s: sum(s.busy.values())):7.1f} {messages:6.0f} {messages / ranks:6.2f}"
        line += f" {size / 1e3:8.1f} {size / files:7.1f} {archived / files:7.1f}"
        if mpi == "Open MPI" and ranks == 32:
            limit = REFERENCE[name] / 3
            good = 1e3 * median(samples, lambda s: s.whole) <= limit
            line += f"   at most {limit:.0f} ms: {'yes' if good else 'NO'}"
        print(line)


# The model ---------------------------------------------------------------------------------------------------------

ASSUMED = {
    "latency": (5e-6, "s a message between nodes, software included"),
    "network": (1.5e9, "bytes/s into one rank"),
    "writer": (0.3e9, "bytes/s of one rank that writes"),
    "store": (5e9, "bytes/s of the file system, all writers together"),
    "metadata": (20e-3, "s for creating and renaming the log"),
}


def fit(measured):
    """What one rank has to do, from the processor time of all of them: it does not depend on how many share a processor.
    By least squares over the sizes that were run."""
    def slope(points):
        return sum(x * y for x, y in points) / sum(x * x for x, _ in points)

    def busy(name, ranks, phases):
        return median(measured[ranks][name][0], lambda s: sum(s.busy[p] for p in phases))

    sizes = [n for n in measured if n > 1]
    everything = PHASES
    small = [(median(measured[n]["1 shared file"][0], lambda s: sum(s.messages.values())),
              busy("1 shared file", n, everything)) for n in sizes]
    message = slope(small)
    def a_file(name, phases):
        points = []
        for n in sizes:
            base = busy(name.replace("1024", "1").replace("files", "file"), n, phases)
            points.append((n * 1024, max(busy(name, n, phases) - base, 0)))
        return slope(points)
    return {
        "message": message,
        "list": a_file("1024 files per rank", ["survey"]),
        "pack": a_file("1024 files per rank", ["pack", "write"]),
        "reduce": a_file("1024 shared files", ["gather", "write", "pack"]),  # once for each record that is combined
        "wire": {name: median(measured[max(sizes)][name][0], lambda s: sum(s.bytes.values())) /
                 max(median(measured[max(sizes)][name][0], lambda s: sum(s.messages.values())), 1) for name, _ in CASES},
        "log": {name: measured[max(sizes)][name][1] / files_of(name, max(sizes)) for name, _ in CASES},
    }


def project(f, name, ranks):
    """Seconds, by part: what is on the longest path from the first rank to the last word. Records go up a tree of four
    branches, all else through one of thirty-two."""
    a = {k: v[0] for k, v in ASSUMED.items()}
    deep, flat = math.ceil(math.log(ranks, 4)), math.ceil(math.log(ranks, 32))
    files = 1024 if "1024" in name else 1
    shared = "shared" in name
    log = f["log"][name] * files_of(name, ranks)
    group, raw = 1, (704 + 560 + 40) * files
    while group < ranks:
        group *= 4
    while not shared and group > 1 and raw * min(group, ranks) / 12 > 32 << 20:
        group //= 4
    writers = math.ceil(ranks / group)
    passes = 3 * flat * (a["latency"] + 32 * f["message"]) + deep * (a["latency"] + 3 * f["message"])
    passes += 3 * (writers - 1) * f["message"]
    lists = files * f["list"] + flat * 2 * 32 * 12 * files / a["network"]
    work = files * f["reduce"] * 3 * deep if shared else files * f["pack"]
    part = log / writers
    gather = 3 * deep * f["wire"][name] / a["network"] if shared else part / a["network"]
    store = a["metadata"] + max(part / a["writer"], log / a["store"])
    return {"messages": passes, "lists": lists, "pack, reduce": work, "gather": gather, "store": store}, log, writers


PUBLISHED = [
    (98304, "1 shared file", 0.17, "XE6"), (98304, "1024 shared files", 0.24, "XE6"),
    (98304, "1 file per rank", 12.27, "XE6"), (98304, "1024 files per rank", 24.76, "XE6"),
    (12000, "1 shared file", 0.1, "XC30, about"), (12000, "1024 shared files", None, ""),
    (12000, "1 file per rank", 2, "XC30, under"), (12000, "1024 files per rank", 7, "XC30, under"),
]
# KiB, at 12,000 ranks on the XC30.
PUBLISHED_SIZES = {"1 shared file": 1.05, "1024 shared files": 54.6, "1 file per rank": 2.789 * 1024,
                   "1024 files per rank": 559.0 * 1024}


def print_model(measured):
    f = fit(measured)
    print("\nThe model: what one rank does, from the processor time measured here with "
          f"{', '.join(map(str, sorted(measured)))} ranks")
    print(f"  a message, sent and received   {1e6 * f['message']:8.1f} us   (here with several ranks on a processor)")
    print(f"  a file in the survey           {1e6 * f['list']:8.2f} us")
    print(f"  a file of two records, packed  {1e6 * f['pack']:8.2f} us")
    print(f"  a shared file, combined        {1e6 * f['reduce']:8.2f} us   (for each rank that is added)")
    print("and what is assumed of the machine:")
    for name, (value, unit) in ASSUMED.items():
        print(f"  {name:10} {value:10.3g} {unit}")
    print(f"\n{'ranks':>7} {'':18} {'seconds':>8}  {'parts':58} {'published':>18} {'log':>10} {'published':>10}")
    for ranks, name, published, machine in PUBLISHED:
        parts, log, writers = project(f, name, ranks)
        text = ", ".join(f"{k} {v:.3f}" for k, v in parts.items())
        against = f"{machine} {published:g} s" if published else ""
        size = f"{PUBLISHED_SIZES[name]:.0f} KiB" if ranks == 12000 else ""
        print(f"{ranks:7} {name:18} {sum(parts.values()):8.3f}  {text:58} {against:>18} {log / 1024:6.0f} KiB {size:>10}"
              + (f"  {writers} writers" if writers > 1 else ""))


# Bytes per file of logs that Darshan 3.5 wrote for runs of IOR with 32 ranks; of one file per rank, for its benchmark.
REAL = {(1, "shared"): 2048, (1000, "shared"): 80, (1, "own"): 297, (1000, "own"): 47.0}


# The same through MPI-IO, of which there are no figures of the reference. Opening a thousand files together would take
# minutes here.
THROUGH_MPIIO = [(1, "shared"), (1, "own")]


def real_size(bench, mpi, folder, ranks, number, kind, layer):
    """Bytes per file of the log of such a run, as it was written and archived."""
    program = bench.compile(mpi[1], "finalize_real.c")
    files, logs = tempfile.mkdtemp(dir=folder), tempfile.mkdtemp(dir=bench.scratch)
    done = bench.launch(mpi, ranks, program, [files, str(number), kind, layer], logs)
    shutil.rmtree(files)
    found = glob.glob(logs + "/*.darshan")
    if not found:
        sys.exit(f"no log of the real program:\n{done.stderr[-2000:]}")
    count = number * (1 if kind == "shared" else ranks)
    return os.path.getsize(found[0]) / count, bench.archive(logs) / count


def print_real(bench, mpi, folder, ranks):
    """Sizes of logs with true times. False if one is larger than the reference's."""
    good = True
    print(f"\n{mpi[0]}, {ranks} ranks that open, write and close files as IOR does: bytes per file")
    for (number, kind), limit in REAL.items():
        size, archived = real_size(bench, mpi, folder, ranks, number, kind, "posix")
        line = f"  {number:5} {kind:7} {size:8.1f}, archived {archived:8.1f}"
        if ranks == 32:
            line += f"   at most {limit}: {'yes' if size <= limit else 'NO'}"
            good = good and size <= limit
        print(line, flush=True)
    for number, kind in THROUGH_MPIIO:
        size, archived = real_size(bench, mpi, folder, ranks, number, kind, "mpiio")
        print(f"  {number:5} {kind:7} {size:8.1f}, archived {archived:8.1f}   through MPI-IO", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("tools")
    parser.add_argument("--ranks", default="2,8,32")
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--real", metavar="FOLDER")
    parser.add_argument("--real-only", action="store_true")
    given = parser.parse_args()
    sizes = [int(n) for n in given.ranks.split(",")]
    scratch = tempfile.mkdtemp(prefix="iolite-finalize-")
    bench, model = Bench(os.path.abspath(given.library), os.path.abspath(given.tools), scratch), None
    good = True
    if not given.real_only:
        print("Injected: POSIX and MPI-IO records with one open and one write each, at 0.5 s and 0.625 s, that take no")
        print("time; sizes drawn from 32 numbers of each rank, 1 to 65536; POSIX mode 0644, alignment 8 and 4096.")
    try:
        for mpi in MPIS:
            if not shutil.which(mpi[1]) or not shutil.which(mpi[2]):
                print(f"{mpi[0]} is not here")
                continue
            program, measured = bench.compile(mpi[1]), {}
            for ranks in sizes if not given.real_only else []:
                measured[ranks] = {name: bench.run(mpi, program, ranks, case, given.repeat) for name, case in CASES}
                print_runs(mpi[0], ranks, measured[ranks])
            model = model or measured
            if given.real:
                good = print_real(bench, mpi, given.real, max(sizes)) and good
        if model and max(model) > 1:
            print_model(model)
    finally:
        shutil.rmtree(scratch)
    sys.exit(not good)


if __name__ == "__main__":
    main()
