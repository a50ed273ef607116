#!/usr/bin/env python3
"""values.py URL TOKEN IOLITE STORE: answers of a running server have the values that the commands print of the same index.

Keys and types are contract.py's business; here two columns that were swapped, or one that was read from another place, differ.
STORE is what --store takes. Where it is a file, answers that no command prints are compared with its rows, read by the names
of their columns.
"""
import json
import math
import os
import sqlite3
import subprocess
import sys
import urllib.parse
import urllib.request

base, token, iolite, store = sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3], sys.argv[4]
failures = compared = 0
spreads = []  # of the times of targets


def ask(path, **params):
    query = "?" + urllib.parse.urlencode(params) if params else ""
    request = urllib.request.Request(base + "/api/v1" + path + query, headers={"Authorization": "Bearer " + token})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def command(*words):
    return json.loads(subprocess.run([iolite, *words, "--store", store, "--json"], check=True, capture_output=True).stdout)


def same(what, got, wanted):
    global failures, compared
    compared += 1
    if isinstance(got, float) and isinstance(wanted, (int, float)):
        equal = math.isclose(got, wanted, rel_tol=1e-12, abs_tol=1e-12)
    else:
        equal = got == wanted
    if not equal:
        failures += 1
        print(f"FAIL: {what}: {got!r} instead of {wanted!r}", file=sys.stderr)


def seconds(microseconds):
    return None if microseconds is None else microseconds / 1e6


def rate(row):
    moved = row["bytes_read"] + row["bytes_written"]
    return moved / 1048576 / (row["io_time"] / 1e6) if (row["io_time"] or 0) > 0 else None


def fields(what, answer, wanted):
    for key, value in wanted.items():
        same(f"{what}: {key}", answer[key], value)


# Jobs: what `iolite jobs` calls them, and how it counts them.
NAMES = {"cluster": "cluster", "jobid": "job", "user": "user", "account": "account", "name": "name", "exe": "program",
         "state": "state", "nprocs": "nprocs", "nnodes": "nodes", "bytes_read": "read", "bytes_written": "written",
         "selected": "selected", "findings": "findings", "logs": "logs"}
TIMES = {"start": "start", "end": "ended", "run_s": "run", "io_s": "io_time", "lost_s": "lost"}
METRICS = {"reads": "reads", "writes": "writes", "opens": "opens", "stats": "stats", "redundant_read_bytes": "redundant",
           "meta_ratio": "meta_ratio", "small_shared_writes": "small_writes", "temporary_bytes": "temporary"}
METRIC_TIMES = {"read_s": "read_time", "write_s": "write_time", "meta_s": "meta_time", "node_s": "cost"}
FIGURES = {"darshan_tot_bytes_read_posix": "read", "darshan_tot_bytes_written_posix": "written",
           "darshan_tot_reads_posix": "reads", "darshan_tot_writes_posix": "writes", "darshan_tot_opens_posix": "opens",
           "darshan_tot_stats_posix": "stats", "darshan_nprocs": "nprocs", "darshan_app": "program"}


def expected_job(job):
    wanted = {key: job[name] for key, name in NAMES.items()}
    wanted.update({key: seconds(job[name]) for key, name in TIMES.items()})
    row = {"bytes_read": job["read"], "bytes_written": job["written"], "io_time": job["io_time"]}
    wanted["perf_mibs"] = rate(row) if job["logs"] else None
    wanted["io_pct"] = 100 * job["io_time"] / job["run"] if job["logs"] and job["run"] > 0 else None
    return wanted


jobs = command("jobs", "-n", "1000")
same("there are jobs with figures that differ", len({job["written"] for job in jobs}) > 5, True)
listed = ask("/jobs", limit=1000)["items"]
same("jobs in order", [job["jobid"] for job in listed], [job["job"] for job in jobs])
for job, answer in zip(jobs, listed):
    same(f"job {job['job']}: keys", sorted(answer), sorted(expected_job(job)))
    fields(f"job {job['job']}", answer, expected_job(job))
logged = [job for job in jobs if job["logs"]]
costly = sorted((job["lost_s"] for job in listed if job["lost_s"]), reverse=True)
least = math.ceil(costly[len(costly) // 2])
same("jobs whose findings cost so much", [job["jobid"] for job in ask("/jobs", limit=1000, min_lost=least)["items"]],
     [job["jobid"] for job in listed if (job["lost_s"] or 0) >= least])
unlogged = [job for job in listed if not job["logs"]]
same("jobs without a log, of which nothing is 0", {(job["bytes_read"], job["io_s"], job["findings"]) for job in unlogged},
     {(None, None, None)})
same("their run time is the batch system's", {abs(job["run_s"] - (job["end"] - job["start"])) < 1 for job in unlogged if job["end"]},
     {True})
without = ask(f"/jobs/{unlogged[0]['cluster']}/{unlogged[0]['jobid']}")
same("the box of a job without a log", [without["box"][key] for key in ("read_mb", "written_mb", "io_pct")], [None] * 3)
for job in logged[:3] + sorted(logged, key=lambda one: -one["opens"])[:2]:
    detail = ask(f"/jobs/{job['cluster']}/{job['job']}", start=job["start"] // 1000000)
    what = f"detail of job {job['job']}"
    wanted = expected_job(job)
    del wanted["findings"], wanted["logs"]
    fields(what, detail, wanted)
    same(what + ": logs", len(detail["logs"]), job["logs"])
    fields(what + ": metrics", detail["metrics"], {key: job[name] for key, name in METRICS.items()})
    fields(what + ": metrics", detail["metrics"], {key: seconds(job[name]) for key, name in METRIC_TIMES.items()})
    fields(what + ": metrics", detail["metrics"], {key: job[name] for key, name in FIGURES.items()})
    wall = seconds(job["ended"] - job["start"])
    fields(what + ": box", detail["box"], {
        "start": seconds(job["start"]), "end": seconds(job["ended"]), "wall_s": wall, "read_mb": job["read"] / 1e6,
        "written_mb": job["written"] / 1e6, "io_pct": 100 * job["io_time"] / (job["ended"] - job["start"]),
        "rate_mbs": (job["read"] + job["written"]) / job["io_time"] if job["io_time"] else None})
    same(what + ": logs add up to it", [sum(log[key] for log in detail["logs"]) for key in ("bytes_read", "bytes_written")],
         [job["read"], job["written"]])
    for finding in detail["findings"]:
        # The log that a finding names has it, and no log of the job has it at a higher cost.
        costs = {log["log_id"]: [one["lost_s"] for one in ask(f"/logs/{log['log_id']}")["findings"]
                                 if (one["rule"], one["level"]) == (finding["rule"], finding["level"])] for log in detail["logs"][:40]}
        if len(detail["logs"]) <= 40:
            same(f"{what}: the log with most of {finding['rule']}", costs[finding["log_id"]], [max(sum(costs.values(), []))])
    same(what + ": warnings", sum(one["logs"] for one in detail["findings"] if one["level"] in ("warn", "high")),
         job["findings"])
for key, name in {"start": "start", "bytes_read": "read", "bytes_written": "written", "lost_s": "lost", "findings": "findings",
                  "io_s": "io_time", "run_s": "run", "nprocs": "nprocs"}.items():
    page = ask("/jobs", sort="-" + key, limit=7)
    same(f"sorted by {key}", [one[key] for one in page["items"]],
         [seconds(job[name]) if key in TIMES else job[name] for job in sorted(jobs, key=lambda one: -(one[name] or 0))[:7]])
    behind = ask("/jobs", sort="-" + key, limit=7, cursor=page["next"])["items"]
    whole = ask("/jobs", sort="-" + key, limit=14)["items"]
    same(f"pages sorted by {key}", page["items"] + behind, whole)

# Facets: each count is the length of the list that a click on it gives, and a facet's own filter does not hold for it.
KEYS = {"user": "user", "exe": "exe", "account": "account", "state": "state"}
some = next(job for job in listed if job["logs"] and job["state"] and job["exe"])
for filters in ({}, {"state": some["state"]}, {"exe": some["exe"], "min_lost": "1"}, {"q": some["user"]}):
    facets = ask("/facets", **filters)["items"]
    same(f"facets of {filters}: all", [(one["jobs"], one["capped"]) for one in facets if one["facet"] == "all"],
         [(len(ask("/jobs", limit=1000, **filters)["items"]), False)])
    same(f"facets of {filters}: kinds", {one["facet"] for one in facets} >= {"all", "user", "exe", "account", "state", "month"}, True)
    for kind in KEYS:
        own = [one for one in facets if one["facet"] == kind]
        without = ask("/jobs", limit=1000, **{key: value for key, value in filters.items() if key != kind})["items"]
        same(f"facets of {filters}: {kind}", own, [
            {"facet": kind, "value": one["value"], "jobs": sum(job[KEYS[kind]] == one["value"] for job in without), "capped": False}
            for one in own])
    for one in [one for one in facets if one["facet"] in ("month", "fs", "finding", "min_lost")][::2]:
        narrowed = ask("/jobs", limit=1000, **{**filters, one["facet"]: one["value"]})["items"]
        same(f"facets of {filters}: {one['facet']} {one['value']}", one["jobs"], len(narrowed))

# The first page: sums over the jobs that started in a time, and in the time before
newest = max(job["start"] for job in jobs)
days, end = 30, newest // 1000000 + 1
overview = ask("/overview", days=days, end=end)
for key, first in {"now": end - days * 86400, "before": end - 2 * days * 86400}.items():
    started = [job for job in jobs if first * 1000000 <= job["start"] < (first + days * 86400) * 1000000]
    found = [job for job in started if job["findings"]]
    same(f"overview: there are jobs in {key}", len(started) > 1, True)
    wanted = {"jobs": len(started), "losing": len(found), "lost_s": seconds(sum(job["lost"] for job in found)),
              "node_h": sum(job["cost"] for job in found) / 3.6e9,
              "bytes_read": sum(job["read"] or 0 for job in started), "bytes_written": sum(job["written"] or 0 for job in started),
              "failed": sum(job["state"] in ("FAILED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL") for job in started)}
    fields(f"overview: {key}", overview[key], wanted)
costly = [job for job in jobs if job["findings"] and job["start"] >= (end - days * 86400) * 1000000]
same("overview: jobs by node hours", [job["jobid"] for job in overview["jobs"]],
     [job["job"] for job in sorted(costly, key=lambda one: -one["cost"])[:8]])
worst = overview["worst"]
same("overview: there is a worst finding where jobs have findings", worst is not None, bool(costly))
if worst:
    detail = ask(f"/jobs/{worst['in']['cluster']}/{worst['in']['jobid']}")
    same("overview: the worst finding is one of its job", worst["rule"] in [one["rule"] for one in detail["findings"]], True)
    same("overview: its log is one of its job", worst["in"]["log_id"] in [log["log_id"] for log in detail["logs"]], True)
same("overview: the latest job is late", (overview["latest_job"], overview["late"]), (seconds(newest), True))

# Rankings, screens, the fleet
for metric in ("bytes", "ops", "cost"):
    ranked = command("rank", "--per", "user", "--by", metric, "-n", "1000")
    board = ask("/scoreboard", by="user", metric=metric, top=1000)
    part = 1e6 if metric == "cost" else 1  # the command prints times in microseconds
    same(f"ranking by {metric}", [(row["key"], row["value"], row["read"], row["written"], row["jobs"]) for row in board["rows"]],
         [(row["user"], row["value"] / part, row["bytes_read"], row["bytes_written"], row["logs"]) for row in ranked["entries"]])
    same(f"ranking by {metric}: total", board["total"], {"value": ranked["total"] / part, "jobs": ranked["logs"]})
fleet = command("fleet")
answered = ask("/fleet")
for document in (fleet, answered):
    document.pop("seconds_per_log")  # those of reading, not of the index
same("fleet", answered, fleet)
for number, screen in enumerate(ask("/screens")["items"], 1):
    chosen = command("jobs", "--selected", str(number), "-n", "1000")
    same(f"screen {screen['name']}: jobs and users", (screen["jobs"], screen["users"]),
         (len(chosen), len({job["user"] for job in chosen})))
    figure = {1: "redundant", 2: "meta_ratio", 3: "small_writes"}[number]
    by_id = {(job["cluster"], job["job"], seconds(job["start"])): job for job in chosen}
    for row in ask(f"/screens/{screen['name']}", limit=1000)["items"]:
        job = by_id[row["cluster"], row["jobid"], row["start"]]
        wanted = {key: job[NAMES[key]] for key in ("user", "account", "exe", "nprocs", "bytes_read", "bytes_written", "selected")}
        fields(f"screen {screen['name']}: {row['jobid']}", row, {**wanted, "value": job[figure]})


# What no command prints: rows of the file, by name
def rows_of(sql, *values):
    return [dict(row) for row in db.execute(sql, values)]


def expected_module(row):
    return {**{key: row[key] for key in ("module", "records", "bytes_read", "bytes_written", "reads", "writes")},
            "read_s": seconds(row["read_time"]), "write_s": seconds(row["write_time"]), "meta_s": seconds(row["meta_time"])}


def expected_mount(row):
    wanted = {"mount": row["mountpt"], "fs": row["fs"], "type": row["type"]}
    wanted.update({key: row[key] or 0 for key in ("bytes_read", "bytes_written", "reads", "writes", "opens", "stats")})
    wanted.update({kind + "_s": seconds(row[kind + "_time"]) for kind in ("read", "write", "meta")})
    return wanted


def expected_run(row):
    return {"log_id": str(row["log_id"]), **{key: row[key] for key in ("cluster", "jobid", "nprocs", "bytes_read", "bytes_written", "findings")},
            "user": row["owner"], "start": seconds(row["start"]), "run_s": seconds(row["run"] or 0),
            "io_s": seconds(row["io_time"] or 0), "lost_s": seconds(row["lost"]), "perf_mibs": rate(row)}


def compare_log(row):
    what, log = f"log {row['log_id']}", ask(f"/logs/{row['log_id']}")
    same(what + ": its number is a text", log["log_id"], str(row["log_id"]))
    fields(what, log, {key: row[key] for key in ("identity", "cluster", "jobid", "state", "command", "nprocs", "files",
                                                 "log_version", "lib_version", "bytes_read", "bytes_written")})
    fields(what, log, {"user": row["owner"], "exe": row["exename"], "nnodes": row["nodes"], "start": seconds(row["start"]),
                       "end": seconds(row["ended"]), "run_s": seconds(row["run"]), "io_s": seconds(row["io_time"] or 0),
                       "perf_mibs": rate(row), "readable": True})
    place = rows_of("SELECT dir, name FROM place WHERE log_id = ? AND state = 'ok'", row["log_id"])[0]
    dumped = json.loads(subprocess.run([iolite, "dump", "--json", "-m", "POSIX", "-m", "STDIO", place["dir"] + "/" + place["name"]],
                                       check=True, capture_output=True).stdout)
    for column in ("bytes_read", "bytes_written", "reads", "writes", "opens", "stats"):
        counted = sum(max(0, record["counters"].get(f"{module['name']}_{column.upper()}", 0))
                      for module in dumped["modules"] for record in module["records"])
        same(f"{what}: {column} of the index, by its records", row[column], counted)
    modules = rows_of("SELECT * FROM log_module WHERE log_id = ? ORDER BY module", row["log_id"])
    same(what + ": modules", log["modules"], [expected_module(one) for one in modules])
    mounts = rows_of("SELECT * FROM log_fs JOIN mount USING (mount_id) WHERE log_id = ? ORDER BY mountpt", row["log_id"])
    same(what + ": mounts", log["mounts"], [expected_mount(one) for one in mounts])
    posix = next((one for one in modules if one["module"] == "POSIX"), None)
    if posix:
        same(what + ": sizes", [log["sizes"][kind + "s"] for kind in ("read", "write")],
             [[int(number) for number in posix[kind + "_sizes"].split()] for kind in ("read", "write")])
    found = rows_of("SELECT rule, level, lost, title FROM finding WHERE log_id = ?", row["log_id"])
    same(what + ": findings", {(one["rule"], one["level"], one["lost_s"], one["title"]) for one in log["findings"]},
         {(one["rule"], one["level"], seconds(one["lost"] or 0), one["title"]) for one in found})
    files = rows_of("SELECT * FROM file JOIN mount USING (mount_id) WHERE log_id = ?", row["log_id"])
    answered_files = {one["id"]: one for one in ask(f"/logs/{row['log_id']}/files", limit=1000)["items"]}
    for one in files:
        fields(f"{what}: file {one['record']}", answered_files[one["record"]], {
            **{key: one[key] for key in ("name", "fs", "ranks", "bytes_read", "bytes_written", "reads", "writes", "opens")},
            "io_s": seconds(one["io_time"])})
    if posix:
        whole = ask(f"/logs/{row['log_id']}/files", module="POSIX", limit=1000)
        sums = {key: sum(one[key] for one in whole["items"]) for key in ("bytes_read", "bytes_written", "reads", "writes")}
        if whole["total"] <= 1000:
            fields(f"{what}: all files", sums, {key: posix[key] for key in sums})
    targets = rows_of("SELECT * FROM log_ost JOIN mount USING (mount_id) WHERE log_id = ?", row["log_id"])
    same(what + ": targets", {(one["name"], one["fs"], one["files"], one["bytes_read"], one["bytes_written"])
                              for one in ask(f"/logs/{row['log_id']}/osts")["items"]},
         {("OST%04x" % one["ost"], one["fs"], one["files"], one["bytes_read"], one["bytes_written"]) for one in targets})
    for one in ask(f"/logs/{row['log_id']}/osts")["items"]:
        five = [one[key] for key in ("min_s", "q1_s", "median_s", "q3_s", "max_s")]
        if one["records"]:
            same(f"{what}: times of {one['name']} in order", five, sorted(five))
            same(f"{what}: mean of {one['name']} between them", five[0] <= one["mean_s"] <= five[4], True)
            spreads.append(five[3] - five[1])


def compare_people():
    sums = "COUNT(*) AS logs, SUM(bytes_read) AS bytes_read, SUM(bytes_written) AS bytes_written, SUM(lost) AS lost"
    use = lambda row: {**{key: row[key] for key in ("logs", "bytes_read", "bytes_written")}, "lost_s": seconds(row["lost"])}
    user = rows_of("SELECT owner, COUNT(*) AS n FROM log GROUP BY owner ORDER BY n DESC, owner")[0]["owner"]
    answer = ask(f"/users/{user}")
    fields(f"user {user}", answer, {"user": user, **use(rows_of(f"SELECT {sums} FROM log WHERE owner = ?", user)[0])})
    programs = rows_of(f"SELECT exename, {sums} FROM log WHERE owner = ? GROUP BY exename", user)
    same(f"user {user}: programs", sorted(answer["programs"], key=lambda one: one["exe"]),
         sorted(({"exe": row["exename"] or "", **use(row)} for row in programs), key=lambda one: one["exe"]))
    days = rows_of(f"SELECT day, {sums} FROM log WHERE owner = ? GROUP BY day ORDER BY day", user)
    same(f"user {user}: days", answer["days"], [{"day": row["day"], **use(row)} for row in days])
    traffic = ", ".join(f"SUM({key}) AS {key}" for key in ("bytes_read", "bytes_written", "reads", "writes", "opens"))
    on = rows_of(f"SELECT fs, {traffic} FROM log_fs JOIN mount USING (mount_id) WHERE log_id IN (SELECT log_id FROM log WHERE "
                 "owner = ?) GROUP BY fs", user)
    same(f"user {user}: file systems", sorted(answer["fs"], key=lambda one: one["fs"]), sorted(on, key=lambda one: one["fs"]))
    for program in ask("/programs", limit=50)["items"]:
        exe = program["exe"]
        row = rows_of(f"SELECT {sums}, COUNT(DISTINCT owner) AS users, MAX(start) AS last FROM log WHERE exename = ?", exe)[0]
        fields(f"program {exe}", program, {**use(row), "users": row["users"], "last": seconds(row["last"])})
        runs = rows_of("SELECT * FROM log WHERE exename = ? ORDER BY start DESC, identity", exe)
        same(f"runs of {exe}", ask("/programs/" + urllib.parse.quote(exe, safe=""), limit=1000)["items"],
             [expected_run(one) for one in runs[:1000]])


def compare_failures():
    broken = rows_of("SELECT * FROM place WHERE state <> 'ok' ORDER BY dir, name LIMIT 50")
    same("failures", ask("/failures", limit=50)["items"],
         [{"path": f"{row['dir']}/{row['name']}", "state": row["state"], "reason": row["reason"], "size": row["size"],
           "modified": seconds(row["mtime"])} for row in broken])
    same("there are failures", bool(broken), True)


if os.path.exists(store):
    db = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    db.row_factory = sqlite3.Row
    for one in rows_of("SELECT * FROM log ORDER BY bytes_read + bytes_written DESC, log_id LIMIT 4") + rows_of(
            "SELECT * FROM log WHERE log_id IN (SELECT log_id FROM log_ost) ORDER BY log_id LIMIT 2"):
        compare_log(one)
    same("there are targets with records of different times", max(spreads, default=0) > 0, True)
    compare_people()
    compare_failures()
print(f"{compared} values, {failures} failures")
sys.exit(failures > 0)
