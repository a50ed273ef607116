#!/usr/bin/env python3
"""The end of jobs with as many ranks as the published evaluations had, simulated.

    simulate.py TOOL COMMANDS [--ranks N[,N...]] [--files N[,N...]] [--most FILES]

TOOL is bench/simulate.c, built; COMMANDS the folder of the iolite commands. For each number of ranks and files, shared and
per rank, every rank goes through the end of the job, one after the other, and the log is really written. Printed are
messages, bytes and memory, which do not depend on the machine, and sizes of logs beside those of the papers. Cases with
more than --most files are left out: 1024 files on each of 98,304 ranks take hours and 5 GB. Status 1 if a figure grows
faster than it should, or a log is larger per file than the published one."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

# Bytes per file of Darshan 3.0.0 as its authors measured them (XC30): Tables I and III; and after conversion to bzip2,
# one stream per module: Table IV. Seconds at the end: XC30 at 12,000 ranks, XE6 at 98,304 (its Table 2).
PUBLISHED = {
    (1, "shared"): {"bytes": {12000: 1075.0}, "converted": 1294.0, "seconds": {12000: 0.1, 98304: 0.17}},
    (1024, "shared"): {"bytes": {12000: 54.6}, "converted": 41.3, "seconds": {98304: 0.24}},
    (1, "own"): {"bytes": {2400: 226.2, 12000: 243.7}, "converted": 60.2, "seconds": {12000: 2, 98304: 12.27}},
    (1024, "own"): {"bytes": {2400: 47.6, 12000: 47.7}, "converted": 33.9, "seconds": {12000: 7, 98304: 24.76}},
}
FIELDS = ["ranks", "messages", "bytes", "longest", "deep", "flat", "to_root", "to_root_bytes", "memory_root", "memory_most",
          "seconds", "writers", "log"]
# What a log may have per file: of one shared file most is the header, which is 968 bytes longer since then; of shared files
# the synthetic records differ in more than Darshan's did.
BUDGET = {(1, "shared"): 2100, (1024, "shared"): 120, (1, "own"): 75, (1024, "own"): 47.7}
# Of rank 0: its share of what goes up grows with the number of branches it hears, and with what one writer holds.
MEMORY = 64 << 10 # KiB


def run(tool, commands, ranks, files, kind):
    folder = tempfile.mkdtemp(prefix="iolite-simulate-")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("IOLITE_", "DARSHAN_", "DXT_"))}
    environment["TMPDIR"] = "/dev/shm" if os.access("/dev/shm", os.W_OK) else folder
    try:
        done = subprocess.run([tool, str(ranks), str(files), kind, folder], env=environment, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"{ranks} ranks, {files} {kind}: {done.stderr[-500:]}")
        found = dict(zip(FIELDS, map(float, done.stdout.split())))
        log = os.path.join(folder, os.listdir(folder)[0])
        archived = os.path.join(folder, "archived")
        subprocess.run([os.path.join(commands, "iolite"), "check", log], check=True, capture_output=True)
        subprocess.run([os.path.join(commands, "iolite"), "convert", "--archive", log, archived], check=True,
                       capture_output=True)
        found["archive"] = os.path.getsize(archived)
        return found
    finally:
        shutil.rmtree(folder)


def judge(found, ranks, files, kind):
    """What is wrong, as words."""
    wrong = []
    total = files if kind == "shared" else files * ranks
    if found["messages"] > 4 * (ranks - 1) + 4 * found["writers"]:
        wrong.append("messages")
    if kind == "shared" and found["writers"] > 1:
        wrong.append("writers")
    if found["memory_root"] > MEMORY:
        wrong.append("memory")
    if found["log"] > BUDGET[files, kind] * total:
        wrong.append("size")
    return ", ".join(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("commands")
    parser.add_argument("--ranks", default="2400,12000,98304")
    parser.add_argument("--files", default="1,1024")
    parser.add_argument("--most", type=int, default=13000000)
    given = parser.parse_args()
    status = 0
    print("POSIX and MPI-IO records with one open and one write each, made up as Darshan's own benchmark of the end does")
    print(f"{'ranks':>6} {'files':13} {'messages':>8} {'MB':>8} {'longest':>9} {'depth':>5} {'to 0':>5} {'MB':>6} "
          f"{'KiB of 0':>8} {'any':>7} {'s of 0':>6} {'writers':>7} {'log':>11} {'B/file':>7} {'published':>9} {'archive':>7} "
          f"{'published':>9} {'end, s':>7}")
    for ranks in map(int, given.ranks.split(",")):
        for files in map(int, given.files.split(",")):
            for kind in ("shared", "own"):
                total = files if kind == "shared" else files * ranks
                if files * ranks > given.most:
                    print(f"{ranks:6} {files:5} {kind:7} left out: {files * ranks:,} records")
                    continue
                f = run(given.tool, given.commands, ranks, files, kind)
                p = PUBLISHED.get((files, kind), {"bytes": {}, "converted": 0, "seconds": {}})
                size = p["bytes"].get(ranks)
                seconds = p["seconds"].get(ranks)
                wrong = judge(f, ranks, files, kind) if (files, kind) in BUDGET else ""
                status |= bool(wrong)
                print(f"{ranks:6} {files:5} {kind:7} {f['messages']:8.0f} {f['bytes'] / 1e6:8.1f} {f['longest']:9.0f} "
                      f"{f['deep']:2.0f}/{f['flat']:.0f}  {f['to_root']:5.0f} {f['to_root_bytes'] / 1e6:6.1f} "
                      f"{f['memory_root']:8.0f} {f['memory_most']:7.0f} {f['seconds']:6.3f} {f['writers']:7.0f} "
                      f"{f['log']:11.0f} {f['log'] / total:7.1f} {size or '':>9} {f['archive'] / total:7.1f} "
                      f"{p['converted'] or '':>9} {seconds or '':>7}  {'NO: ' + wrong if wrong else 'ok'}", flush=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
