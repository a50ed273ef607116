"""Every public function of a log gives what the command gives, for each log that is named. Usage: values.py FORM LOG..."""

import os
import sys
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import iolite
from compared import Comparison, command, rows

FORM = sys.argv[1]
comparison = Comparison()
check = comparison.check


def without(document, *keys):
    return {key: value for key, value in document.items() if key not in keys}


def read(function, *arguments):
    """The table, or what could be read of it."""
    try:
        return rows(function(*arguments, form=FORM), FORM)
    except iolite.Error as error:
        return rows(error.partial, FORM) if error.partial is not None else []


SPECIAL = {"DXT_POSIX": ("host",), "DXT_MPIIO": ("host",), "HEATMAP": ("bin_width",), "H5D": ("file_id",),
           "PNETCDF_VAR": ("file_id",), "DFS": ("pool_uuid", "container_uuid"),
           "DAOS": ("pool_uuid", "container_uuid", "oid_high", "oid_low"), "APMPI": ("processor",),
           "APXC": ("group", "chassis", "blade", "node")}


def check_records(path, log, module, theirs):
    ours = read(log.records, module)
    records = [record for record in theirs if not record.get("header")]
    check(path, "records of " + module, len(ours), len(records))
    for row, record in zip(ours, records):
        for name, key in (("rank", "rank"), ("file_name", "name"), ("mount_point", "mount_point"), ("fs_type", "fs_type")):
            check(path, module + " " + name, row[name], record[key])
        check(path, module + " id", str(row["record_id"]), record["id"])
        for name, value in record["counters"].items():
            value = -1 if value is None and row[name] == -1 else value  # tables of numbers have -1 for what a version lacks
            ids = isinstance(value, str)
            check(path, name, str(row[name] if not ids else row[name] % 2**64) if ids else row[name], value)
        for name in SPECIAL.get(module, ()):
            value = record[name]
            check(path, module + " " + name, str(row[name]) if isinstance(value, str) else row[name], value)


def check_parts(path, log, module, theirs):
    if module == "HEATMAP":
        bins = [(record["rank"], i, w, r) for record in theirs for i, (w, r) in enumerate(zip(record["written"], record["read"]))]
        check(path, "bins", [(row["rank"], row["bin"], row["written"], row["read"]) for row in read(log.parts, module)], bins)
        check(path, "heatmap()", [(row["rank"], row["bin"], row["written"], row["read"]) for row in read(lambda form: log.heatmap(form))], bins)
    if module == "LUSTRE":
        osts = [(record["id"], number + 1, ost) for record in theirs for number, component in enumerate(record["components"])
                for ost in component["osts"] or [-1]]
        check(path, "osts", [(str(row["record_id"]), row["component"], row["ost"]) for row in read(log.parts, module)], osts)


def check_trace(path, log):
    theirs = (command("trace", "--json", path) or {}).get("operations", [])
    try:
        ours = rows(log.trace(FORM), FORM)
    except iolite.Error:
        return
    check(path, "operations", len(ours), len(theirs))
    for row, operation in zip(ours, theirs):
        row["record_id"], row["thread"] = str(row["record_id"]), str(row["thread"]) if "thread" in operation else None
        check(path, "trace()", {key: row[key] for key in operation if not key.endswith("_hex")},
              {key: value for key, value in operation.items() if not key.endswith("_hex")})


def check_log(path):
    show, dump = command("show", "--json", path), command("dump", "--json", path)
    try:
        log = iolite.open(path)
    except iolite.Error as error:
        check(path, "the error", str(error), show["errors"][0]["message"])
        return
    check(path, "job", log.job, without(show["job"], "exe_hex"))
    check(path, "mounts", log.mounts, show["mounts"])
    check(path, "info", log.info, {key: show[key] for key in log.info})
    check(path, "modules", sorted(log.modules), sorted(m["name"] for m in show["modules"] if m["name"]))
    for module in dump["modules"]:
        if module["name"]:
            check_records(path, log, module["name"], module["records"])
            check_parts(path, log, module["name"], module["records"])
    check_trace(path, log)
    check(path, "summary", without(log.summary(), "elapsed_s"), without(show, "elapsed_s"))
    check(path, "figures", log.figures, show["figures"])
    diagnosis = command("diagnose", "--json", path)
    findings = log.findings()
    check(path, "findings", [finding.json for finding in findings], diagnosis["findings"])
    for finding, theirs in zip(findings, diagnosis["findings"]):
        check(path, "a finding", [finding.id, finding.level, finding.title, len(finding.evidence)],
              [theirs["id"], theirs["level"], theirs["title"], len(theirs.get("evidence") or [])])
        check(path, "a cost", finding.cost.lost_s if finding.cost else None, (theirs.get("cost") or {}).get("lost_s"))
    check(path, "metrics", log.metrics(), command("metrics", "--json", path)["metrics"])
    check(path, "files", [row["name"] for row in rows(log.files(form=FORM), FORM)], command("report", "--json", path)["files"]["columns"]["name"])
    log.close()


with warnings.catch_warnings():
    warnings.simplefilter("ignore", iolite.DamageWarning)
    for one in sys.argv[2:]:
        check_log(one)
print("%d logs, %d differences" % (len(sys.argv) - 2, comparison.failures))
sys.exit(comparison.failures != 0)
