"""Two made-up centres that share neither scheduler nor monitoring nor names, and saw the same: two_sites.py DIRECTORY LOGS."""
import json
import os
import sqlite3
import sys
import time

START, STEPS, STEP = 1762430400, 60, 60
TARGETS, SLOW = 8, 5
JOBS = {"918273": (START + 600, START + 1200), "918274": (START + 1200, START + 1800), "918275": (START + 1800, START + 2400)}


def moved(step, target):
    busy = 1 + (step // 10) % 3
    return busy * (1 << 24) // (10 if target == SLOW else 1)


def load(step, server):
    return 10.0 * (1 + (step // 10) % 3) + server


def write_json(path, document):
    with open(path, "w") as file:
        json.dump(document, file)


def alpha(directory, logs):
    """Slurm, LMT, Lustre."""
    db = sqlite3.connect(f"{directory}/lmt.sqlite3")
    db.executescript("""CREATE TABLE TIMESTAMP_INFO (TS_ID PRIMARY KEY, TIMESTAMP); CREATE TABLE OST_INFO (OST_ID, OSS_ID, OST_NAME, HOSTNAME);
        CREATE TABLE OSS_INFO (OSS_ID, FILESYSTEM_ID, HOSTNAME, FAILOVERHOST); CREATE TABLE MDS_INFO (MDS_ID, FILESYSTEM_ID, MDS_NAME, HOSTNAME);
        CREATE TABLE OPERATION_INFO (OPERATION_ID, OPERATION_NAME, UNITS); CREATE TABLE MDS_DATA (MDS_ID, TS_ID, PCT_CPU);
        CREATE TABLE OST_DATA (OST_ID, TS_ID, READ_BYTES, WRITE_BYTES, PCT_CPU, KBYTES_FREE, KBYTES_USED, INODES_FREE, INODES_USED);
        CREATE TABLE OSS_DATA (OSS_ID, TS_ID, PCT_CPU, PCT_MEMORY); CREATE TABLE MDS_OPS_DATA (MDS_ID, TS_ID, OPERATION_ID, SAMPLES, SUM, SUMSQUARES);""")
    db.executemany("INSERT INTO OST_INFO VALUES (?, ?, ?, '')", [(k, k // 4, f"snow-OST{k:04x}") for k in range(TARGETS)])
    db.executemany("INSERT INTO OSS_INFO VALUES (?, 1, ?, '')", [(k, f"oss{k}") for k in range(2)])
    written = [0] * TARGETS
    for step in range(STEPS + 1):
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(START + step * STEP))
        db.execute("INSERT INTO TIMESTAMP_INFO VALUES (?, ?)", (step + 1, when))
        for target in range(TARGETS):
            db.execute("INSERT INTO OST_DATA VALUES (?, ?, 0, ?, 0, 1, 1, 1, 1)", (target, step + 1, written[target]))
            written[target] += moved(step, target)
        for server in range(2):
            db.execute("INSERT INTO OSS_DATA VALUES (?, ?, ?, 50)", (server, step + 1, load(step, server)))
    db.commit()
    with open(f"{directory}/sacct.txt", "w") as file:
        print("JobIDRaw|Start|End|NodeList|User", file=file)
        for job, times in JOBS.items():
            print("|".join([job, *(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(t)) for t in times), "nid[1-4]", "ada"]), file=file)
    write_json(f"{directory}/site.json", {
        "timezone": "UTC", "mount_to_fsname": {"^/scratch": "snow"}, "darshan_log_dirs": logs,
        "job_records": {"source": "slurm", "input": "sacct.txt"},
        "live_sources": {"snow": {"source": "lmt", "input": f"{directory}/lmt.sqlite3", "step": STEP}}})


def beta(directory, logs):
    """PBS, mmperfmon, GPFS."""
    samples = {}
    for step in range(STEPS):
        hosts = {f"nsd{server}": {"cpu_user": load(step, server) - 1, "cpu_sys": 1.0, "gpfs_nsdds_bytes_read": {}, "gpfs_nsdds_bytes_written": {}}
                 for server in range(2)}
        for target in range(TARGETS):
            host = hosts[f"nsd{target // 4}"]
            host["gpfs_nsdds_bytes_written"][f"lun{target:02d}"] = moved(step, target)
            host["gpfs_nsdds_bytes_read"][f"lun{target:02d}"] = 0
        samples[str(START + (step + 1) * STEP)] = hosts
    write_json(f"{directory}/mmperfmon.json", samples)
    with open(f"{directory}/accounting", "w") as file:
        for job, (start, end) in JOBS.items():
            print(f"11/06/2025 12:00:00;E;{job}.pbs;user=ada start={start} end={end} exec_host=r1n1/0*8+r1n2/0*8", file=file)
    write_json(f"{directory}/site.json", {
        "timezone": "UTC", "mount_to_fsname": {"^/scratch": "gpfs7"}, "darshan_log_dirs": logs, "mmperfmon_lun_map": {"^lun": "datatarget"},
        "job_records": {"source": "pbs", "input": "accounting"},
        "live_sources": {"gpfs7": {"source": "mmperfmon", "input": f"{directory}/mmperfmon.json"}}})


for name, make in (("alpha", alpha), ("beta", beta)):
    folder = os.path.join(sys.argv[1], name)
    os.mkdir(folder)
    make(folder, sys.argv[2])
