"""A table of job summaries, as `iolite job --csv` makes them: 90 runs of a benchmark, of which 30 in the middle were slow, one beside
a busy server. Usage: make_summaries.py FILE"""
import csv
import random
import sys

random.seed(7)
rows = []
for i in range(90):
    slow = 30 <= i < 60
    rows.append({"_datetime_start": 1500000000 + 86400 * i + 7 * (i % 3), "_jobid": 5000 + i, "darshan_app": "/bin/bench", "darshan_nprocs": 4,
                 "darshan_agg_perf_by_slowest_posix": random.uniform(600, 800) * (0.5 if slow else 1),
                 "fs_max_oss_cpu": random.uniform(10, 30) if i != 44 else 95, "fs_ave_mds_cpu": random.uniform(1, 5) if i % 9 else ""})
with open(sys.argv[1], "w", newline="") as file:
    table = csv.DictWriter(file, rows[0])
    table.writeheader()
    table.writerows(rows)
