"""Errors, threads, forks, batches, runs, comparisons, the index and the site. Usage: behaviour.py DEMO-LOG SECOND-LOG WORK"""

import copy
import datetime
import io
import json
import os
import pathlib
import pickle
import random
import shutil
import subprocess
import sys
import threading
import time
import unittest
import warnings

import iolite
from iolite._moments import day_option, epoch_seconds
from iolite._table import usual_form

DEMO, SECOND, WORK = sys.argv[1:4]
del sys.argv[1:]
COMMAND = os.environ["IOLITE_COMMAND"]


def command(*arguments):
    return json.loads(subprocess.run([COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout)


class Errors(unittest.TestCase):
    def test_what_is_no_log_raises_the_sentence_of_the_library(self):
        path = os.path.join(WORK, "text")
        with open(path, "w") as file:
            file.write("not a log at all" * 100)
        with self.assertRaisesRegex(iolite.Error, "text"):
            iolite.open(path)
        with self.assertRaisesRegex(iolite.Error, "No such file"):
            iolite.open(os.path.join(WORK, "nowhere"))
        with self.assertRaises(iolite.Error):
            iolite.open(b"")

    def test_unknown_names_raise(self):
        log = iolite.open(DEMO)
        for call in (lambda: log.records("NOSUCH"), lambda: log.records("POSIX", ["NO_COLUMN"]), lambda: log.parts("POSIX"),
                     lambda: log.records("POSIX", form="cards"), lambda: log.findings(set="no.such=1"),
                     lambda: iolite.compare(DEMO, "/nowhere"), lambda: iolite.Index("/nowhere/index.db").jobs(),
                     lambda: iolite.Site("/nowhere"), lambda: list(log.batches("POSIX", 0))):
            with self.assertRaises(iolite.Error) as caught:
                call()
            self.assertTrue(str(caught.exception))

    def test_wrong_use_raises_the_line_that_says_what_is_wrong(self):
        log = iolite.open(DEMO)
        for call, said in ((lambda: log.findings(nonsense=4), "^there is no option '--nonsense'$"),
                           (lambda: log.findings(nodes="x"), "^'x' is not a number of nodes$"),
                           (lambda: iolite.Index("/nowhere/index.db").rank("user", by="waste"), "^there is no measure 'waste'; there are: bytes, "),
                           (lambda: iolite.Index("/nowhere/index.db").rank("cat"), "^--per takes user, "),
                           (lambda: iolite.compare("/nowhere", DEMO), "^/nowhere: cannot open: ")):
            with self.assertRaisesRegex(iolite.Error, said):
                call()

    def test_all_that_a_command_says_is_in_the_error(self):
        from iolite._ask import sentence
        self.assertEqual(sentence("iolite: the source has no load\niolite: fewer than two jobs remain\n"),
                         "the source has no load; fewer than two jobs remain")
        self.assertEqual(sentence("iolite rank: there are:\n  bytes of calls\n  time in calls\nTry 'iolite help rank'.\n"), "there are: bytes, time")
        self.assertEqual(sentence("".join("iolite: %d\n" % i for i in range(9))), "0; 1; 2; and 6 more")
        self.assertEqual(sentence("killed\n"), "killed")
        self.assertEqual(sentence(""), "the command failed without a word")

    def test_a_path_with_a_zero_byte_is_refused_whole(self):
        for call in (iolite.open, iolite.Site, lambda path: iolite.compare(path, DEMO), lambda path: iolite.open(DEMO).report(path)):
            self.assertRaises(ValueError, call, DEMO + "\0.darshan")
        with open(os.path.join(WORK, "empty-site.json"), "w") as file:
            file.write("{}")
        if os.path.exists(os.environ["IOLITE_SITE_LIBRARY"]):
            with iolite.Site(os.path.join(WORK, "empty-site.json")) as site:
                for call in (lambda: site.job(DEMO + "\0"), lambda: site.logs("1\0"), lambda: site.series("a\0", "b", 0, 1)):
                    self.assertRaises(ValueError, call)

    def test_names_of_logs_may_look_like_options(self):
        folder, before = os.path.join(WORK, "dashes"), os.getcwd()
        os.mkdir(folder)
        names = ["-", "--", "--help", "-x"]
        for name in names:
            shutil.copy(DEMO, os.path.join(folder, name))
        expected, figures = iolite.compare(DEMO, SECOND), iolite.open(DEMO).figures
        os.chdir(folder)
        try:
            for name in names:
                log = iolite.open(name)
                self.assertEqual(log.path, name)
                self.assertEqual(log.figures, figures)
                self.assertEqual(log.report("page.html"), "page.html")
                self.assertIn("heat3d", str(log))
                for by_counters in (False, True):
                    self.assertEqual(iolite.compare(name, SECOND, by_counters).keys(), iolite.compare(DEMO, SECOND, by_counters).keys())
                self.assertEqual(iolite.compare(log, SECOND)["verdict"], expected["verdict"])
                self.assertTrue(str(iolite.compare(SECOND, name)).strip())
        finally:
            os.chdir(before)

    def test_a_log_in_memory_cannot_be_compared_by_its_path(self):
        with open(DEMO, "rb") as file:
            log = iolite.open(file.read())
        with self.assertRaisesRegex(iolite.Error, "bytes"):
            iolite.compare(log, DEMO)

    def test_a_module_without_data_is_a_table_without_rows(self):
        log = iolite.open(DEMO)
        self.assertEqual(log.records("BG/Q", ["rank", "BGQ_NNODES"], "lists"), {"rank": [], "BGQ_NNODES": []})
        self.assertEqual(list(log.batches("BG/Q", form="lists")), [])
        for call in (lambda: log.records("BG/Q", ["NO_COLUMN"]), lambda: log.parts("BG/Q"), lambda: log.records("NULL")):
            self.assertRaises(iolite.Error, call)

    def test_a_closed_log_raises(self):
        with iolite.open(DEMO) as log:
            batches = log.batches("POSIX", 1, form="lists")
            next(batches)
        for call in (lambda: log.job, lambda: log.records("POSIX"), log.findings, lambda: next(batches)):
            self.assertRaises(iolite.Error, call)
        log.close()

    def test_what_is_no_command_or_run_is_said_to_be(self):
        for words in ("ls -l", b"ls", pathlib.Path("ls")):
            with self.assertRaisesRegex(TypeError, "a list of words"):
                iolite.run(words)
        self.assertRaises(iolite.Error, iolite.run, [])
        with self.assertRaisesRegex(TypeError, "not by bytes"):
            iolite.compare(DEMO, b"a log")
        with self.assertRaisesRegex(TypeError, "binary"):
            iolite.open(io.StringIO("text"))
        with self.assertRaisesRegex(iolite.Error, "there is no list 'x'; there are findings"):
            iolite.Fleet({"findings": []}).table("x")

    def test_damage_gives_what_comes_before_it(self):
        with open(DEMO, "rb") as file:
            content = file.read()
        whole = iolite.open(content).records("POSIX", form="lists")["rank"]
        told = 0
        for at in range(1400, len(content) - 64, 97):
            damaged = content[:at] + bytes(64) + content[at + 64:]
            try:
                ranks = iolite.open(damaged).records("POSIX", form="lists")["rank"]
            except iolite.Error as error:
                told += 1
                ranks = error.partial["rank"] if error.partial else []
            self.assertEqual(ranks, whole[:len(ranks)])
        self.assertGreater(told, 0)

    def test_hostile_bytes_never_do_more_than_raise(self):
        with open(DEMO, "rb") as file:
            content = file.read()
        chance, raised = random.Random(7), 0
        for _ in range(400):
            broken = bytearray(content)
            for _ in range(chance.randrange(1, 12)):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
            if chance.random() < 0.3:
                del broken[chance.randrange(len(broken)):]
            try:
                log = iolite.open(bytes(broken))
                log.job, log.mounts, log.names, log.info
                for module in log.modules:
                    log.records(module, form="lists")
                log.trace("lists")
                log.heatmap("lists")
            except iolite.Error:
                raised += 1
        self.assertGreater(raised, 0)


class Places(unittest.TestCase):
    """Where the libraries are: asked in a process that knows nothing from this one."""

    def answer(self, code, **settings):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("IOLITE_")}
        code = "import iolite\ntry:\n    %s\nexcept iolite.Error as error:\n    print(type(error).__name__, error)" % code
        return subprocess.check_output([sys.executable, "-c", code], env={**environment, **settings}, stderr=subprocess.STDOUT).decode()

    def test_libraries_are_found_through_the_command_in_the_path(self):
        folder = os.path.join(WORK, "bin")
        os.mkdir(folder)
        os.symlink(os.path.realpath(COMMAND), os.path.join(folder, "iolite"))
        for settings in ({"PATH": folder}, {"PATH": "/nowhere", "IOLITE_COMMAND": COMMAND}):
            self.assertRegex(self.answer("iolite.open('/nowhere.darshan')", **settings), "^Error /nowhere.darshan: ")
            if os.path.exists(os.environ["IOLITE_SITE_LIBRARY"]):
                self.assertRegex(self.answer("iolite.Site('/nowhere.json')", **settings), "^Error .*/nowhere.json")

    def test_a_library_that_is_not_there_is_said_to_be(self):
        for name, code in (("IOLITE_LOG_LIBRARY", "iolite.open('x')"), ("IOLITE_SITE_LIBRARY", "iolite.Site('x')")):
            for path in ("/nowhere/lib.so", DEMO):
                self.assertRegex(self.answer(code, **{name: path}), "^NotThere libiolite-(log|site) cannot be loaded: .*" + path)
        self.assertRegex(self.answer("iolite.open('x')", IOLITE_LOG_LIBRARY="libc.so.6"), "^NotThere libiolite-log cannot be loaded: .*iol_")
        self.assertRegex(self.answer("iolite.Site('x')", IOLITE_SITE_LIBRARY="libc.so.6"), "^NotThere libiolite-site cannot be loaded: .*iol_")


class Sharing(unittest.TestCase):
    def test_threads_share_a_log(self):
        log = iolite.open(DEMO)
        expected, wrong = repr(log.records("POSIX", form="lists")), []

        def use():
            for _ in range(20):
                if repr(log.records("POSIX", form="lists")) != expected or log.job["processes"] < 1:
                    wrong.append(1)

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_forked_child_uses_the_log_while_a_thread_of_its_parent_reads(self):
        log = iolite.open(DEMO)
        expected, stop = len(log.records("POSIX", form="lists")["rank"]), threading.Event()

        def use():
            while not stop.is_set():
                log.records("POSIX", form="lists")

        thread = threading.Thread(target=use)
        thread.start()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                for _ in range(10):
                    child = os.fork()
                    if child == 0:
                        os._exit(0 if len(log.records("POSIX", form="lists")["rank"]) == expected else 1)
                    self.assertEqual(os.waitpid(child, 0)[1], 0)
        finally:
            stop.set()
            thread.join()


    def test_copies_are_logs_of_their_own(self):
        log = iolite.open(DEMO)
        expected = log.records("POSIX", form="lists")
        for again in (copy.copy(log), copy.deepcopy(log), pickle.loads(pickle.dumps(log))):
            again.close()
            self.assertEqual(log.records("POSIX", form="lists"), expected)
        with open(DEMO, "rb") as file:
            self.assertEqual(copy.copy(iolite.open(file.read())).records("POSIX", form="lists"), expected)

    def test_a_program_may_go_to_another_directory(self):
        before, folder = os.getcwd(), os.path.join(WORK, "elsewhere")
        os.mkdir(folder)
        shutil.copy(DEMO, os.path.join(folder, "here.darshan"))
        os.chdir(folder)
        try:
            log = iolite.open("here.darshan")
            comparison = iolite.compare("here.darshan", SECOND)
            os.chdir(before)
            self.assertEqual(log.path, "here.darshan")
            self.assertEqual(log.figures, iolite.open(DEMO).figures)
            self.assertIn("here.darshan", str(comparison))
            self.assertEqual(iolite.compare(log, SECOND).keys(), comparison.keys())
            self.assertEqual(copy.copy(log).job, log.job)
            child = os.fork()
            if child == 0:
                os._exit(0 if log.job["processes"] else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
        finally:
            os.chdir(before)


class Moments(unittest.TestCase):
    def setUp(self):
        self.zone = os.environ.get("TZ")
        os.environ["TZ"] = "Asia/Tokyo"
        time.tzset()

    def tearDown(self):
        if self.zone is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = self.zone
        time.tzset()

    def test_times_of_python(self):
        utc = datetime.timezone.utc
        for given in (1490000867, 1490000867.0, "@1490000867", "2017-03-20T18:07:47", datetime.datetime(2017, 3, 20, 18, 7, 47),
                      datetime.datetime(2017, 3, 20, 9, 7, 47, tzinfo=utc), "2017-03-20T09:07:47+00:00"):
            self.assertEqual(epoch_seconds(given), 1490000867)
        self.assertEqual(epoch_seconds(datetime.date(2017, 3, 20)), 1489935600)
        for given, day in (("2017-03", "2017-03"), (datetime.date(2017, 3, 20), "2017-03-20"), (1490000867, "2017-03-20"),
                           (datetime.datetime(2017, 3, 20, 23), "2017-03-20"), (None, None),
                           (datetime.datetime(2017, 3, 20, 23, tzinfo=utc), "2017-03-21")):
            self.assertEqual(day_option(given), day)

    def test_what_is_no_time_raises(self):
        for given in ("yesterday", "@x", [], True, float("nan"), b"2017"):
            with self.assertRaisesRegex(iolite.Error, "no time"):
                epoch_seconds(given)

    def test_times_of_pandas_and_numpy(self):
        if usual_form() != "pandas":
            self.skipTest("no pandas")
        import numpy
        import pandas
        for given in (pandas.Timestamp(1490000867, unit="s"), pandas.Timestamp("2017-03-20T18:07:47", tz="Asia/Tokyo"),
                      numpy.datetime64("2017-03-20T09:07:47"), numpy.int64(1490000867), numpy.float64(1490000867)):
            self.assertEqual(epoch_seconds(given), 1490000867)
            self.assertEqual(day_option(given), "2017-03-20")
        self.assertEqual(day_option(numpy.datetime64("2017-03-20")), "2017-03-20")
        self.assertEqual(day_option(pandas.Timestamp("2017-03-20")), "2017-03-20")
        for given in (pandas.NaT, numpy.datetime64("NaT")):
            self.assertRaises(iolite.Error, epoch_seconds, given)
            self.assertRaises(iolite.Error, day_option, given)


class Tables(unittest.TestCase):
    def test_batches_are_the_table_in_pieces(self):
        log = iolite.open(DEMO)
        whole = log.records("POSIX", ["rank", "file_name", "POSIX_WRITES"], "lists")
        for rows in (1, 3, 1000):
            pieces = list(log.batches("POSIX", rows, ["rank", "file_name", "POSIX_WRITES"], "lists"))
            self.assertTrue(all(len(piece["rank"]) <= rows for piece in pieces))
            self.assertEqual({name: sum((piece[name] for piece in pieces), []) for name in whole}, whole)

    def test_tables_without_rows_have_the_columns_and_types_of_others(self):
        if usual_form() != "pandas":
            self.skipTest("no pandas")
        empty = iolite.open(os.path.join(os.path.dirname(DEMO), "no-records.darshan"))
        for full, none in ((iolite.open(DEMO).trace(), empty.trace()), (iolite.open(DEMO).heatmap(), empty.heatmap())):
            self.assertEqual((len(none), list(none.columns), list(none.dtypes)), (0, list(full.columns), list(full.dtypes)))
            self.assertGreater(len(full), 0)

    def test_modules_have_the_same_columns_with_data_and_without(self):
        if usual_form() != "pandas":
            self.skipTest("no pandas")
        every, empty = iolite.open(SECOND), iolite.open(os.path.join(os.path.dirname(DEMO), "no-records.darshan"))
        for module in every.modules:
            full, none = every.records(module), empty.records(module)
            self.assertEqual((len(none), list(none.columns), list(none.dtypes)), (0, list(full.columns), list(full.dtypes)), module)
            self.assertEqual(every.columns(module), empty.columns(module))

    def test_columns_are_named_by_a_text_or_by_anything_with_texts(self):
        log = iolite.open(DEMO)
        self.assertEqual(log.records("POSIX", "POSIX_READS", "lists").keys(), {"POSIX_READS"})
        self.assertEqual(list(log.records("POSIX", (name for name in ("POSIX_READS", "rank")), "lists")), ["POSIX_READS", "rank"])
        if usual_form() == "pandas":
            self.assertEqual(list(log.records("POSIX", log.records("POSIX").columns[:2])), ["rank", "record_id"])

    def test_bytes_and_path_are_the_same_log(self):
        with open(DEMO, "rb") as file:
            content = file.read()
        other = iolite.open(pathlib.Path(DEMO))
        for source in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
            log = iolite.open(source)
            self.assertEqual(log.job, other.job)
            self.assertEqual(log.figures, other.figures)
            self.assertEqual([finding.json for finding in log.findings()], [finding.json for finding in other.findings()])

    def test_columns_say_what_they_are(self):
        columns = {column.name: column for column in iolite.open(DEMO).columns("POSIX")}
        self.assertEqual(columns["POSIX_BYTES_READ"].unit, "bytes")
        self.assertTrue(columns["POSIX_F_READ_TIME"].meaning)


class Commands(unittest.TestCase):
    def test_a_run_is_recorded(self):
        target = os.path.join(WORK, "written")
        done = iolite.run([sys.executable, "-S", "-c", "import sys; open(sys.argv[1], 'wb').write(bytes(5000)); sys.exit(3)", target],
                          log=os.path.join(WORK, "run.darshan"), capture_output=True)
        self.assertEqual(done.returncode, 3)
        table = done.log.records("POSIX", ["file_name", "POSIX_BYTES_WRITTEN"], "lists")
        self.assertIn(5000, [size for name, size in zip(*table.values()) if name == target])
        self.assertRaises(iolite.Error, iolite.run, ["true"], done.path)

    def test_a_traced_run_has_its_operations(self):
        target = os.path.join(WORK, "traced")
        code = "import os, sys; os.write(os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY), bytes(5000))"
        for trace, lengths in ((True, [5000]), (False, [])):
            done = iolite.run([sys.executable, "-S", "-c", code, target], os.path.join(WORK, "trace-%d.darshan" % trace), trace, capture_output=True)
            table = done.log.trace("lists")
            self.assertEqual([length for name, length in zip(table["file_name"], table["length"]) if name == target], lengths)
            self.assertNotIn(b"setting", done.stderr)

    def test_a_comparison_is_that_of_the_command(self):
        ours, theirs = iolite.compare(DEMO, iolite.open(SECOND)), command("compare", "--json", DEMO, "--", SECOND)
        self.assertEqual(ours, theirs)
        self.assertEqual(iolite.compare(DEMO, SECOND, by_counters=True), command("compare", "--json", "--by-counters", DEMO, SECOND))
        self.assertIn("<iframe sandbox=''", ours._repr_html_())
        self.assertTrue(str(ours).strip())

    def test_a_report_is_written(self):
        path = iolite.open(DEMO).report(os.path.join(WORK, "page.html"))
        with open(path, encoding="utf-8") as file:
            self.assertIn("<html", file.read(2000))
        self.assertRaises(iolite.Error, iolite.open(DEMO).report, os.path.join(WORK, "no", "where.html"))

    def test_a_report_that_cannot_be_made_is_not_the_one_of_before(self):
        path, page = os.path.join(WORK, "passing.darshan"), os.path.join(WORK, "passing.html")
        shutil.copy(DEMO, path)
        log = iolite.open(path)
        self.assertEqual(log.report(page), page)
        with open(path + ".new", "w") as file:
            file.write("not a log at all" * 100)
        os.replace(path + ".new", path)
        with self.assertRaisesRegex(iolite.Error, "not a Darshan log"):
            log.report(page)
        os.remove(path)
        with self.assertRaisesRegex(iolite.Error, "No such file"):
            log.report(page)

    def test_a_log_with_damage_has_a_report(self):
        page = os.path.join(WORK, "damage.html")
        path = os.path.join(os.path.dirname(DEMO), "invalid-module-versions.darshan")
        for _ in range(2):
            self.assertEqual(iolite.open(path).report(page), page)

    def test_a_report_can_be_called_like_an_option(self):
        log, before = iolite.open(DEMO), os.getcwd()
        folder = os.path.join(WORK, "options")
        os.mkdir(folder)
        os.chdir(folder)
        try:
            for name in ("-", "-x.html", "--json"):
                self.assertEqual(log.report(name), name)
            self.assertEqual(sorted(os.listdir(folder)), ["-", "--json", "-x.html"])
        finally:
            os.chdir(before)

    def test_lines_of_code_are_those_of_the_command(self):
        self.assertEqual(len(iolite.open(DEMO).where("lists")["file"]), len(command("where", "--json", DEMO)["lines"]))
        target = os.path.join(WORK, "from-a-line")
        code = "import iolite, sys\nwith iolite.region('a'):\n    open(sys.argv[1], 'w').write('x' * 9999)\n"
        program = os.path.join(WORK, "program.py")
        with open(program, "w") as file:
            file.write(code)
        log = iolite.run([sys.executable, program, target], os.path.join(WORK, "where.darshan"), where=True, capture_output=True).log
        empty = iolite.open(DEMO)
        self.assertIn(3, [line for name, line in zip(*map(log.where("lists").get, ("file", "line"))) if name == program])
        self.assertLessEqual(set(log.where("lists")), set(empty.where("lists")))
        self.assertEqual((log.regions("lists")["name"], list(log.regions("lists"))), (["a"], list(empty.regions("lists"))))

    def test_the_index_answers_as_the_commands(self):
        store = os.path.join(WORK, "index.db")
        done = subprocess.run([COMMAND, "index", "--store", store, DEMO, SECOND], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if b"SQLite" in done.stdout and done.returncode:
            self.skipTest("built without SQLite")
        index = iolite.Index(store)
        jobs = index.jobs(form="lists")
        theirs = command("jobs", "--json", "--store", store, "--max-show", "1000")
        self.assertEqual(jobs, {name: [job[name] for job in theirs] for name in theirs[0]})
        self.assertEqual(index.jobs(theirs[0]["job"]), command("jobs", "--json", "--store", store, theirs[0]["job"]))
        self.assertEqual(index.rank("program", "bytes", form="lists")["value"],
                         [row["value"] for row in command("rank", "--json", "--store", store, "--per", "program", "--by", "bytes")["entries"]])
        fleet = index.fleet()
        self.assertEqual(fleet, command("fleet", "--json", "--store", store))
        self.assertEqual(fleet.table(form="lists")["rule"], [row["rule"] for row in fleet["findings"]])
        self.assertEqual(sorted(index.find(since="1970")), sorted(command("find", "--json", "--store", store, "--since", "1970")))
        self.check_index_of_nothing(index, pathlib.Path(store))

    def check_index_of_nothing(self, index, store):
        """Tables without rows have the columns of others; days and options are taken in all forms."""
        never = datetime.date(2099, 1, 1)
        self.assertEqual(list(iolite.Index(store).jobs(since=never, form="lists")), list(index.jobs(form="lists")))
        for per in ("user", "program", "fs", "account", "job", "triple", "finding"):
            self.assertEqual(list(index.rank(per, since=never, form="lists")), list(index.rank(per, form="lists")), per)
        self.assertEqual(index.fleet(since=datetime.datetime(2099, 1, 1))["logs"], 0)
        self.assertEqual(index.find(since=4070908800), [])
        self.assertEqual(list(index.jobs(columns="user,job", most=None, form="lists")), ["user", "job"])
        everyone = index.rank("user", form="lists")["user"]
        self.assertEqual(index.rank("user", exclude_user=everyone, form="lists")["user"], [])
        self.assertIn("index.db", repr(index))

    def test_looks_escape_what_is_in_logs(self):
        log = iolite.open(DEMO)
        self.assertIn("time in I/O", log._repr_html_())
        self.assertNotIn("<script", log._repr_html_())
        self.assertIn("<details><summary>Report</summary><iframe sandbox='allow-scripts'", log._repr_html_())
        self.assertIn(log.findings()[0].title, str(log.findings()))
        finding = iolite.Finding({"id": "x", "level": "info", "title": "<script>alert(1)</script>"})
        self.assertNotIn("<script>", finding._repr_html_())
        self.assertTrue(str(log).strip())


class Numbers(unittest.TestCase):
    def test_numbers_are_written_as_the_commands_write_them(self):
        from iolite._show import byte_count, seconds
        for value, text in ((None, ""), (0, "0 B"), (1000, "1000 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (1048575, "1 MiB"), (2**70, "1048576 PiB")):
            self.assertEqual(byte_count(value), text)
        for value, text in ((None, ""), (0, "0 s"), (0.00018099, "181 us"), (0.0254, "25.4 ms"), (2.5, "2.5 s"), (999, "999 s"),
                            (1469, "24 m 29 s"), (3600, "1 h"), (90000, "1 d 1 h"), (2e-8, "20 ns")):
            self.assertEqual(seconds(value), text)

    def test_commands_that_a_program_asks_are_not_recorded_with_it(self):
        code = "import iolite, sys; log = iolite.open(sys.argv[1]); log.figures, str(log)"
        done = iolite.run([sys.executable, "-c", code, DEMO], os.path.join(WORK, "asking.darshan"), capture_output=True)
        self.assertEqual((done.returncode, done.log.job["processes"]), (0, 1))


class Terminals(unittest.TestCase):
    """What IPython asks for in a terminal: _repr_pretty_."""

    class Printer:
        def __init__(self):
            self.written = ""

        def text(self, words):
            self.written += words

        def break_(self):
            self.written += "\n"

    def shown(self, thing, cycle=False):
        printer = self.Printer()
        thing._repr_pretty_(printer, cycle)
        return printer.written

    def test_answers_show_themselves_as_text(self):
        log = iolite.open(DEMO)
        for thing in (log, log.findings(), log.findings()[0], iolite.compare(DEMO, SECOND), iolite.recorded()):
            self.assertEqual(self.shown(thing), str(thing).rstrip("\n"))
            self.assertEqual(self.shown(thing, cycle=True), "...")

    def test_ipython_shows_one_as_text_and_many_in_short(self):
        try:
            from IPython.lib.pretty import pretty
        except ImportError:
            self.skipTest("no IPython")
        log = iolite.open(DEMO)
        self.assertEqual(pretty(log), str(log).rstrip("\n"))
        self.assertEqual(pretty([log]), repr([log]))
        comparison = iolite.compare(DEMO, SECOND)
        self.assertEqual(pretty(comparison), str(comparison).rstrip("\n"))

    def test_text_of_logs_does_not_steer_the_terminal(self):
        finding = iolite.Finding({"id": "x", "level": "info", "title": "a\x1b[31m\x9bb\tc"})
        self.assertEqual(self.shown(finding), "INFO  a\\x1b[31m\\x9bb\tc")

    def test_what_is_gone_still_shows_itself(self):
        path = os.path.join(WORK, "gone.darshan")
        shutil.copy(DEMO, path)
        comparison, log = iolite.compare(path, SECOND), iolite.open(path)
        os.remove(path)
        log.close()
        self.assertIn("No such file", self.shown(comparison))
        self.assertEqual(self.shown(log), repr(log))


class Marks(unittest.TestCase):
    def test_marks_cost_nothing_and_do_nothing_here(self):
        self.assertFalse(iolite.active())
        self.assertEqual(iolite.now(), -1.0)

        @iolite.region("load")
        def load():
            with iolite.region("inside"):
                return 7

        self.assertEqual(load(), 7)

    def test_hooks_of_frameworks_begin_and_end_regions(self):
        here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "marks")
        code = """
import sys, types
sys.path.insert(0, %r)
lightning = types.ModuleType("lightning.pytorch"); lightning.Callback = object
sys.modules["lightning"], sys.modules["lightning.pytorch"] = types.ModuleType("lightning"), lightning
import iolite
seen = []
iolite.begin, iolite.end = (lambda name: seen.append("+" + name)), (lambda name: seen.append("-" + name))
iolite.marks.begin, iolite.marks.end = iolite.begin, iolite.end
import pytorch_marks, lightning_marks, dask_marks
assert pytorch_marks.Marked([5, 6])[1] == 6 and len(pytorch_marks.Marked([5, 6])) == 2
assert pytorch_marks.marked_save(lambda x: x + 1)(1) == 2
marks = lightning_marks.Marks(); marks.on_train_epoch_start(None, None); marks.on_train_batch_start(0); marks.on_train_batch_end(0); marks.on_train_epoch_end()
plugin = dask_marks.Marks(); plugin.transition(("load-1a2b", 3), "ready", "executing"); plugin.transition(("load-1a2b", 3), "executing", "memory")
assert seen == ["+sample", "-sample", "+checkpoint", "-checkpoint", "+train_epoch", "+train_batch", "-train_batch", "-train_epoch", "+load", "-load"], seen
""" % here
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_importing_for_marks_loads_nothing_else(self):
        code = "import sys, iolite; print([name for name in ('pandas', 'numpy', 'subprocess', 'json') if name in sys.modules])"
        self.assertEqual(subprocess.check_output([sys.executable, "-S", "-c", code]).strip(), b"[]")


unittest.main()
