#!/usr/bin/env python3
"""A year of a file system, and jobs in it: site.py DIR DAYS JOBS. Writes DIR/YYYY-MM-DD.hdf5 with 5-second samples of 248 OSTs,
62 OSSs and one MDS, DIR/jobs.txt with so many jobs of an hour, as sacct prints them, and DIR/site.json. Days differ in their times
only: what a file costs to read does not depend on which bursts are in it."""
import datetime
import os
import random
import shutil
import sys

import h5py
import numpy

OSTS, OSSS, STEP, ROWS, FIRST = 248, 62, 5, 17280, 1735689600  # 2025-01-01, UTC
OPERATIONS = "opens closes mknods links unlinks mkdirs rmdirs renames getxattrs statfss setattrs getattrs".split()


def bursts(chance, columns):
    """Busy a third of the time, in whole MiB; one point in a hundred is missing."""
    busy = numpy.repeat(chance.random((ROWS // 60, 1)) < 0.33, 60, axis=0)
    values = numpy.where(busy, chance.poisson(900, (ROWS, columns)) * 1048576.0, 0.0)
    values[chance.random((ROWS, columns)) < 0.01] = -0.0
    return values


def matrices(chance):
    yield "datatargets/readbytes", "bytes", bursts(chance, OSTS), "onyx-OST%04x"
    yield "datatargets/writebytes", "bytes", bursts(chance, OSTS), "onyx-OST%04x"
    yield "dataservers/cpuload", "%", chance.integers(0, 1000, (ROWS, OSSS)) / 10.0, "oss%03d"
    yield "mdservers/cpuload", "%", chance.integers(0, 1000, (ROWS, 1)) / 10.0, "mds%d"
    for name in OPERATIONS:
        yield "mdtargets/" + name, "ops", chance.poisson(200, (ROWS, 1)).astype(float), "mds%d"


def write_day(path):
    with h5py.File(path, "w") as file:
        file.attrs["version"] = numpy.bytes_("1")
        for name, units, values, form in matrices(numpy.random.default_rng(42)):
            matrix = file.create_dataset(name, data=values, compression="gzip", compression_opts=4,
                                         chunks=(720, min(64, values.shape[1])))
            matrix.attrs["columns"] = numpy.array([(form % i).encode() for i in range(values.shape[1])])
            matrix.attrs["units"] = numpy.bytes_(units)
            group = matrix.parent
            group.attrs["source"] = numpy.bytes_("bench")
            if "timestamps" not in group:
                group["timestamps"] = numpy.zeros(ROWS, dtype="i8")


def set_times(path, start):
    with h5py.File(path, "r+") as file:
        file.attrs["start"], file.attrs["end"] = numpy.int64(start), numpy.int64(start + ROWS * STEP)
        for group in file.values():
            group["timestamps"][:] = start + STEP * numpy.arange(ROWS)


def main():
    folder, days, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    write_day(os.path.join(folder, "day.hdf5"))
    for day in range(days):
        start = FIRST + 86400 * day
        path = os.path.join(folder, datetime.datetime.fromtimestamp(start, datetime.timezone.utc).strftime("%Y-%m-%d.hdf5"))
        shutil.copy(os.path.join(folder, "day.hdf5"), path)
        set_times(path, start)
    random.seed(42)
    with open(os.path.join(folder, "jobs.txt"), "w") as file:
        print("JobIDRaw|Start|End|NodeList", file=file)
        for job in range(jobs):
            start = FIRST + random.randrange(86400 * days - 3605)
            print(f"{1000000 + job}|{start}|{start + 3600}|n[1-4]", file=file)
    with open(os.path.join(folder, "site.json"), "w") as file:
        file.write('{"timezone": "UTC", "hdf5_files": {"onyx": "%Y-%m-%d.hdf5"}}\n')


main()
