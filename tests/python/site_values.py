"""Every public function of a site gives what the command gives, for a site that tests/site/two_sites.py made, a table of job
summaries, and each log that is named. Usage: site_values.py FORM SITE-FILE SUMMARIES LOG..."""

import copy
import datetime
import os
import pickle
import sys
import threading
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import iolite
from compared import Comparison, command, rows

FORM, SITE, SUMMARIES = sys.argv[1:4]
LOGS = sys.argv[4:]
START, END = 1762430400, 1762434000
comparison = Comparison()


def asked(name, *arguments):
    return command(name, "--json", "--site", SITE, *arguments)


def check_rows(where, what, table, theirs, usual=()):
    """A table has a row per object of a list, and all their keys as columns; what an object lacks is not known."""
    names = dict.fromkeys([*usual, *(name for row in theirs for name in row)])
    comparison.check(where, what, rows(table, FORM), [{name: row.get(name) for name in names} for row in theirs])
    if FORM == "pandas":
        comparison.check(where, what + ": the columns", sorted(table.columns), sorted(names))


def check_series(site, fs):
    theirs = asked("traffic", "--fs", fs, "--dataset", "datatargets/writebytes", "--start", "@%d" % START, "--end", "@%d" % END)
    expected = [{"time": time, **dict(zip(theirs["columns"], cells))} for time, cells in zip(theirs["index"], theirs["values"])]
    check_rows(fs, "series()", site.series(fs, "datatargets/writebytes", START, END, FORM), expected)
    comparison.check(fs, "rows of series()", len(expected), 60)


def check_sharing(site, fs):
    """Threads, forked children and copies get what one thread alone gets; times come in any form."""
    def ask(site):
        return rows(site.series(fs, "datatargets/writebytes", START, END, FORM), FORM), rows(site.jobs(START, END, FORM), FORM)

    def ask_often():
        for _ in range(10):
            try:
                answers.append(ask(site))
                site.series("no such one", "datatargets/writebytes", START, END)
            except iolite.Error as error:
                errors.add(str(error))

    expected, answers, errors = ask(site), [], set()
    threads = [threading.Thread(target=ask_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    child = os.fork()
    if child == 0:
        os._exit(0 if ask(site) == expected else 1)
    comparison.check(fs, "a forked child", os.waitpid(child, 0)[1], 0)
    for thread in threads:
        thread.join()
    comparison.check(fs, "what threads get", [answer for answer in answers if answer != expected], [])
    comparison.check(fs, "errors of threads", errors, {"there is no data of no such one for that time"})
    for again in (copy.copy(site), pickle.loads(pickle.dumps(site))):
        again.close()
        comparison.check(fs, "what a site gives whose copy was closed", ask(site), expected)
    moment = datetime.datetime.fromtimestamp(START, datetime.timezone.utc)
    comparison.check(fs, "series() of other times", rows(site.series(fs, "datatargets/writebytes", moment, "@%d" % END, FORM), FORM), expected[0])
    comparison.check(fs, "jobs() of other times", rows(site.jobs(moment, float(END), FORM), FORM), expected[1])
    comparison.check(fs, "columns of jobs() without any", list(site.jobs(0, 1, "lists")), list(site.jobs(START, END, "lists")))


def check_jobs(site, fs):
    jobs = rows(site.jobs(START, END, FORM), FORM)
    comparison.check(fs, "jobs()", [row["job"] for row in jobs], ["918273", "918274", "918275"])
    for row in jobs:
        theirs = asked("job", "--fs", fs, row["job"])
        check_rows(fs, "job() of an id", site.job(row["job"], fs=fs, form=FORM), theirs)
        between = asked("job", "--fs", fs, "--start", "@%d" % row["start"], "--end", "@%d" % row["end"])
        check_rows(fs, "job() of a time", site.job(fs=fs, start=row["start"], end=row["end"], form=FORM), between)
    found = asked("job", "--find-logs", "--start", "@%d" % START, "--end", "@%d" % END, "--job", "918273")
    comparison.check(fs, "logs()", site.logs("918273"), found)


def check_umami(site, *inputs, **settings):
    options = [part for name, value in settings.items() for part in ("--" + name, value)]
    theirs, ours = asked("umami", *options, *inputs), site.umami(*inputs, **settings)
    comparison.check(inputs[0], "umami()", dict(ours), theirs)
    plain = [{**{key: value for key, value in row.items() if not isinstance(value, (dict, list))},
              **{key: value for key, value in row["box"].items() if key != "fliers"}} for row in theirs["rows"]]
    check_rows(inputs[0], "metrics of umami()", ours.table(form=FORM), plain, ours.table(form="lists"))
    values = [{"jobid": job, "timestamp": time, **{row["key"]: row["values"][i] for row in theirs["rows"]}}
              for i, (job, time) in enumerate(zip(theirs["jobids"], theirs["timestamps"]))]
    check_rows(inputs[0], "values of umami()", ours.table("values", FORM), values)
    if "contributors" in settings:
        check_rows(inputs[0], "contributors of umami()", ours.table("contributors", FORM), theirs["contributors"]["metrics"])


def check_correlations(site, *inputs, **settings):
    options = [part for name, value in settings.items() for part in ("--" + name, value)]
    theirs = [{"benchmark": benchmark, "metric": metric, **found} for benchmark, metrics in asked("correlate", *options, *inputs).items()
              for metric, found in metrics.items()]
    ours = site.correlate(*inputs, form=FORM, **settings)
    check_rows(inputs[0], "correlate()", ours, theirs, site.correlate(*inputs, form="lists"))
    return len(theirs)


def check_osts(site, logs, where):
    for settings in ({}, {"fdr": True}, {"p_value": 2, "coefficient": -1}, {"by_file": True}):
        options = [part for name, value in settings.items() for part in ["--" + name.replace("_", "-"), str(value)][: 1 if value is True else 2]]
        theirs = asked("bad-ost", *options, *logs)
        try:
            check_rows(where, "bad_ost(%s)" % settings, site.bad_ost(*logs, form=FORM, **settings), theirs, site.bad_ost(*logs, form="lists", **settings))
        except iolite.Error as error:
            comparison.check(where, "an error: %s" % error, theirs or [], [])


def check_log(site, path):
    """One log by itself."""
    theirs = asked("job", path)
    try:
        check_rows(path, "job()", site.job(iolite.open(path), form=FORM), theirs)
    except iolite.Error as error:
        comparison.check(path, "an error: %s" % error, theirs or [], [])
    check_osts(site, [path], path)


with warnings.catch_warnings(), iolite.Site(SITE) as site:
    warnings.simplefilter("ignore", iolite.DamageWarning)
    for fs in site.file_systems():
        check_series(site, fs)
        check_sharing(site, fs)
        check_jobs(site, fs)
    check_umami(site, SUMMARIES)
    check_umami(site, SUMMARIES, job="5044", contributors="bad")
    comparison.check(SUMMARIES, "how much goes with performance", check_correlations(site, SUMMARIES) > 1, True)
    check_correlations(site, SUMMARIES, metrics="fs_max_oss_cpu", method="spearman")
    readable = [path for path in LOGS if asked("job", path)]
    comparison.check("all logs", "that some can be read", len(readable) > 0, True)
    check_rows("all logs", "job()", site.job(*readable, form=FORM), asked("job", *readable))
    check_osts(site, readable, "all logs")
    if len(readable) > 1:
        check_umami(site, *readable)
    check_correlations(site, *readable)
    for log in LOGS:
        check_log(site, log)
print("%d logs, %d differences" % (len(LOGS), comparison.failures))
sys.exit(comparison.failures != 0)
