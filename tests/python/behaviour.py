"""Errors, threads, forks, batches, runs, comparisons, the index and the site. Usage: behaviour.py DEMO-LOG SECOND-LOG WORK"""

import json
import os
import random
import shutil
import subprocess
import sys
import threading
import unittest
import warnings

import iolite
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

    def test_a_module_without_data_is_an_empty_table(self):
        self.assertEqual(len(iolite.open(DEMO).records("BG/Q", form="lists")), 0)

    def test_a_closed_log_raises(self):
        with iolite.open(DEMO) as log:
            batches = log.batches("POSIX", 1, form="lists")
            next(batches)
        for call in (lambda: log.job, lambda: log.records("POSIX"), log.findings, lambda: next(batches)):
            self.assertRaises(iolite.Error, call)
        log.close()

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

    def test_bytes_and_path_are_the_same_log(self):
        with open(DEMO, "rb") as file:
            log = iolite.open(file.read())
        other = iolite.open(DEMO)
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
        self.assertEqual(len(iolite.open(DEMO).where()), len(command("where", "--json", DEMO)["lines"]))

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

    def test_looks_escape_what_is_in_logs(self):
        log = iolite.open(DEMO)
        self.assertIn("time in I/O", log._repr_html_())
        self.assertNotIn("<script", log._repr_html_())
        self.assertIn("<details><summary>Report</summary><iframe sandbox='allow-scripts'", log._repr_html_())
        self.assertIn(log.findings()[0].title, str(log.findings()))
        finding = iolite.Finding({"id": "x", "level": "info", "title": "<script>alert(1)</script>"})
        self.assertNotIn("<script>", finding._repr_html_())
        self.assertTrue(str(log).strip())


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
