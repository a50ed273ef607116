"""iolite.darshan: values are those of the parsers' text that is expected. Usage: reports.py EXPECTED LOG...
Without EXPECTED ("-"), those of `iolite dump`."""

import gzip
import os
import subprocess
import sys

import iolite.darshan as darshan

EXPECTED = sys.argv[1]
failures = 0


def fail(*words):
    global failures
    failures += 1
    print("FAIL:", *words)


def lines(path, kind):
    if EXPECTED != "-":
        name = os.path.join(EXPECTED, os.path.basename(path)[:-8] + "." + kind + ".txt.gz")
        with gzip.open(name, "rt", errors="replace") as file:
            return file.read().splitlines()
    command = {"parser": ["darshan-parser", "--show-incomplete"], "dxt": ["darshan-dxt-parser", "--show-incomplete"]}[kind]
    done = subprocess.run([os.environ["IOLITE_COMMAND"], *command, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode("utf-8", "replace").splitlines()


def check_counters(path, report):
    ours, theirs = {}, {}
    for mod in report.records:
        if mod in ("LUSTRE", "DXT_POSIX", "DXT_MPIIO", "APMPI", "APXC", "MDHIM", "BG/Q"):
            continue
        for frame in report.records[mod].to_df().values():
            for name in frame.columns[2:]:
                cells = zip(frame["id"].tolist(), frame["rank"].tolist(), frame[name].tolist())
                for key, rank, value in cells:
                    ours.setdefault((mod, rank, key, name), []).append("%f" % value if isinstance(value, float) else str(value))
    for line in lines(path, "parser"):
        words = line.split("\t")
        if len(words) < 5 or line.startswith("#") or words[0] not in report.records:
            continue
        theirs.setdefault((words[0], int(words[1]), int(words[2]), words[3]), []).append(words[4])
    shared = ours.keys() & theirs.keys()
    if theirs and len(shared) < 0.8 * len(ours):
        fail(path, "only %d of %d counters are in the expected text" % (len(shared), len(ours)))
    old = EXPECTED != "-" and report.modules.get("POSIX", {}).get("ver", 4) < 4
    for key in shared:
        if old and key[0] == "POSIX" and "_F_" in key[3]:
            continue  # the parser that made the text shifts the times of old records
        same = ours[key] == theirs[key] or all(abs(float(a) - float(b)) <= 2e-6 * max(1, abs(float(b))) or a.replace("-", "") == b
                                               for a, b in zip(ours[key], theirs[key]))
        if not same and float(theirs[key][0]) < 2**63:
            fail(path, key, ours[key][:3], theirs[key][:3])


def check_traces(path, report):
    ours = []
    for mod, name in (("DXT_POSIX", "X_POSIX"), ("DXT_MPIIO", "X_MPIIO")):
        for record in report.records[mod].to_df() if mod in report.records else []:
            for side, frame in (("write", record["write_segments"]), ("read", record["read_segments"])):
                for i, (offset, length, start, end) in enumerate(frame.itertuples(index=False)):
                    ours.append((name, record["rank"], side, int(offset), int(length), "%.4f" % start, "%.4f" % end))
    theirs = []
    for line in lines(path, "dxt"):
        words = line.split()
        if words and words[0] in ("X_POSIX", "X_MPIIO"):
            theirs.append((words[0], int(words[1]), words[2], int(words[4]) if words[4] != "N/A" else -1, int(words[5]), words[6], words[7]))
    if len(ours) != len(theirs) or ours != theirs:
        wrong = next((pair for pair in zip(ours, theirs) if pair[0] != pair[1]), None)
        if wrong is None or wrong[0][:5] != wrong[1][:5]:
            fail(path, "traces", len(ours), len(theirs), wrong)


def check_rest(path, report):
    facts = {}
    for line in lines(path, "parser"):
        if line.startswith("# ") and ": " in line:
            key, value = line[2:].split(": ", 1)
            facts.setdefault(key, value)
    for key, value in (("jobid", report.metadata["job"]["jobid"]), ("nprocs", report.metadata["job"]["nprocs"]),
                       ("uid", report.metadata["job"]["uid"]), ("start_time", report.metadata["job"]["start_time_sec"])):
        if key in facts and facts[key] != str(value):
            fail(path, key, value, facts[key])
    for mod, heatmap in report.heatmaps.items():
        frame = heatmap.to_df()
        both = heatmap.to_df(ops=["read"]).to_numpy().sum() + heatmap.to_df(ops=["write"]).to_numpy().sum()
        if frame.shape != (len(heatmap.ranks), heatmap.nbins) or frame.to_numpy().sum() != both:
            fail(path, "heat map of", mod)
    report.summarize()
    for mod in ("POSIX", "STDIO"):
        if mod in report.records and report.summary["agg_ioops"][mod]["Read"] != report.records[mod].to_df()["counters"][mod + "_READS"].sum():
            fail(path, "reads of", mod)


def check_examples(path):
    """The steps of the documentation's examples."""
    report = darshan.DarshanReport(path, read_all=False)
    try:
        report.records["POSIX"]
        fail(path, "records are there that nobody asked for")
    except KeyError:
        pass
    for mod in report.modules:
        if mod == "POSIX":
            report.mod_read_all_records("POSIX")
            record = report.records["POSIX"][0]
            if len(record["counters"]) != len(report.counters["POSIX"]["counters"]):
                fail(path, "a record of POSIX")
            as_dict = report.records["POSIX"].to_dict()[0]
            if list(as_dict["counters"].values()) != report.records["POSIX"].to_numpy()[0]["counters"].tolist():
                fail(path, "to_dict and to_numpy differ")
    report.read_all_generic_records()
    darshan.enable_experimental()
    report.summarize()
    report.update_name_records()


for one in sys.argv[2:]:
    with darshan.DarshanReport(one, read_all=True) as opened:
        try:
            check_counters(one, opened)
            check_traces(one, opened)
        except darshan.Error as error:
            if "damaged" in str(error):
                fail(one, error)
            continue
        check_rest(one, opened)
    check_examples(one)
print("%d logs, %d differences" % (len(sys.argv) - 2, failures))
sys.exit(failures != 0)
