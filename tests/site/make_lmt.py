"""A small LMT database: make_lmt.py FILE OSTS SAMPLES [START]. Counters of OST k grow by (k + 1) * 4096 bytes in each step."""
import sqlite3
import sys
import time

path, osts, samples = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
start = int(sys.argv[4]) if len(sys.argv) > 4 else 1517126400
db = sqlite3.connect(path)
db.executescript("""
CREATE TABLE TIMESTAMP_INFO (TS_ID PRIMARY KEY, TIMESTAMP);
CREATE TABLE OST_INFO (OST_ID PRIMARY KEY, OSS_ID, OST_NAME, HOSTNAME, OFFLINE, DEVICE_NAME);
CREATE TABLE OSS_INFO (OSS_ID PRIMARY KEY, FILESYSTEM_ID, HOSTNAME, FAILOVERHOST);
CREATE TABLE MDS_INFO (MDS_ID PRIMARY KEY, FILESYSTEM_ID, MDS_NAME, HOSTNAME, DEVICE_NAME);
CREATE TABLE OPERATION_INFO (OPERATION_ID PRIMARY KEY, OPERATION_NAME, UNITS);
CREATE TABLE OST_DATA (OST_ID, TS_ID, READ_BYTES, WRITE_BYTES, PCT_CPU, KBYTES_FREE, KBYTES_USED, INODES_FREE, INODES_USED);
CREATE TABLE OSS_DATA (OSS_ID, TS_ID, PCT_CPU, PCT_MEMORY);
CREATE TABLE MDS_DATA (MDS_ID, TS_ID, PCT_CPU, KBYTES_FREE, KBYTES_USED, INODES_FREE, INODES_USED);
CREATE TABLE MDS_OPS_DATA (MDS_ID, TS_ID, OPERATION_ID, SAMPLES, SUM, SUMSQUARES);
""")
db.execute("INSERT INTO MDS_INFO VALUES (1, 1, 'fs-MDT0000', 'mds1', '')")
db.execute("INSERT INTO OPERATION_INFO VALUES (1, 'open', 'reqs')")
for ost in range(osts):
    db.execute("INSERT INTO OSS_INFO VALUES (?, 1, ?, '')", (ost, f"oss{ost}"))
    db.execute("INSERT INTO OST_INFO VALUES (?, ?, ?, '', 0, '')", (ost, ost, f"fs-OST{ost:04x}"))
for ts in range(samples):
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(start + 5 * ts))
    db.execute("INSERT INTO TIMESTAMP_INFO VALUES (?, ?)", (ts + 1, when))
    db.execute("INSERT INTO MDS_DATA VALUES (1, ?, 5.0, 1, 1, 1, 1)", (ts + 1,))
    db.execute("INSERT INTO MDS_OPS_DATA VALUES (1, ?, 1, ?, 0, 0)", (ts + 1, 10 * ts))
    for ost in range(osts):
        moved = 1000 + ts * (ost + 1) * 4096
        db.execute("INSERT INTO OST_DATA VALUES (?, ?, ?, ?, 0, 60, 40, 9, 1)", (ost, ts + 1, moved, 2 * moved))
        db.execute("INSERT INTO OSS_DATA VALUES (?, ?, 1.5, 20)", (ost, ts + 1))
db.commit()
