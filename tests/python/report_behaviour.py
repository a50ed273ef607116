"""iolite.darshan: what is read belongs to the report, and is read once. Usage: report_behaviour.py SEEDS WORK"""

import contextlib
import io
import os
import random
import struct
import sys
import unittest

import numpy

import iolite.darshan as darshan
import iolite.darshan.backend.cffi_backend as darshanll
from iolite.darshan.__main__ import main

SEEDS, WORK = sys.argv[1:3]
del sys.argv[1:]


def report_of(name, **how):
    return darshan.DarshanReport(os.path.join(SEEDS, name + ".darshan"), **how)


class Editing(unittest.TestCase):
    def test_a_frame_can_be_edited_without_changing_the_report(self):
        records = report_of("demo").records["POSIX"]
        writes = records.to_df()["counters"]["POSIX_WRITES"].tolist()
        self.assertGreater(sum(writes), 0)
        frames = records.to_df()
        frames["counters"].loc[:, "POSIX_WRITES"] = 0
        frames["counters"].loc[:, "rank"] = 77
        self.assertNotIn(77, frames["fcounters"]["rank"].tolist())
        self.assertEqual(records.to_df()["counters"]["POSIX_WRITES"].tolist(), writes)
        self.assertNotIn(77, records.to_df()["counters"]["rank"].tolist())

    def test_a_record_can_be_edited_without_changing_the_report(self):
        layouts = report_of("lustre-v2-be-3.41").records["LUSTRE"]
        before = layouts.to_json()
        for record in [*layouts, *layouts.to_dict(), *layouts.to_list()]:
            record["rank"] = 77
            for component in record["components"]:
                component["ost_ids"].append(77)
                component["counters"].clear()
        for osts in layouts.to_df()["components"]["ost_ids"]:
            osts.append(77)
        self.assertEqual(layouts.to_json(), before)
        for mod in ("POSIX", "DXT_POSIX"):
            records = report_of("demo").records[mod]
            before = records.to_json()
            for record in [*records, *records.to_numpy()]:
                for part in record.values():
                    for cells in part.values() if isinstance(part, dict) else [part]:
                        if isinstance(cells, numpy.ndarray):
                            cells[:] = 77
            self.assertEqual(records.to_json(), before)


class Reading(unittest.TestCase):
    def test_records_are_read_once_however_often_they_are_looked_at(self):
        for name, mod in (("lustre-v2-be-3.41", "LUSTRE"), ("demo", "LUSTRE"), ("demo", "POSIX"), ("demo", "DXT_POSIX")):
            report = report_of(name, dtype="pandas")
            records, seen = report.records[mod], []
            whole = report.log._whole
            report.log._whole = lambda *arguments: seen.append(arguments) or whole(*arguments)
            self.assertEqual(len(list(records)), len(records))
            first = len(seen)
            self.assertLessEqual(first, 2)
            list(records), records[0], records[-1], records.to_df()
            self.assertEqual(len(seen), first)
            self.assertRaises(IndexError, lambda: records[len(records)])

    def test_records_as_frames_are_rows_of_the_frame(self):
        records = report_of("demo", dtype="pandas").records["POSIX"]
        frames, made = records.to_df(), []
        records.to_df = lambda *arguments, **keywords: made.append(1) or frames
        for index, record in enumerate(records):
            for name in ("counters", "fcounters"):
                self.assertEqual(record[name].values.tolist(), [frames[name].iloc[index].tolist()])
                record[name].loc[:, "rank"] = 77
        self.assertEqual(len(made), 1)
        self.assertNotIn(77, records[0]["counters"]["rank"].tolist())


class Overview(unittest.TestCase):
    def test_info_has_the_lines_of_the_documentation(self):
        report, printed = report_of("demo"), io.StringIO()
        with contextlib.redirect_stdout(printed):
            report.info()
        lines = dict(line.split(":", 1) for line in printed.getvalue().splitlines())
        self.assertEqual(list(lines), ["Filename", "Times", "Executeable", "Processes", "JobID", "UID", "Modules in Log", "Loaded Records",
                                       "Name Records", "Darshan/Hints", "DarshanReport"])
        self.assertTrue(lines["Times"].endswith("(Duration %s)" % (report.end_time - report.start_time)))
        self.assertIn("'POSIX': 17", lines["Loaded Records"])

    def test_metadata_modules_and_frames_have_the_documented_keys_and_types(self):
        report = report_of("demo")
        self.assertLessEqual({"version", "metadata", "records", "summary", "modules", "counters", "name_records", "mounts"}, set(report.data))
        self.assertLessEqual({"uid", "jobid", "nprocs", "start_time_sec", "end_time_sec", "run_time", "metadata"}, set(report.metadata["job"]))
        self.assertLessEqual({"len", "ver", "idx"}, set(report.modules["POSIX"]))
        frames = report.records["POSIX"].to_df()
        self.assertEqual(list(frames), ["counters", "fcounters"])
        self.assertEqual([str(kind) for kind in frames["counters"].dtypes[:3]], ["uint64", "int64", "int64"])
        self.assertEqual(set(map(str, frames["fcounters"].dtypes[2:])), {"float64"})
        self.assertEqual(set(report.records["DXT_POSIX"][0]), {"id", "rank", "hostname", "write_count", "read_count", "write_segments", "read_segments"})
        self.assertEqual(list(report.records["DXT_POSIX"].to_df()[0]["write_segments"]), ["offset", "length", "start_time", "end_time"])


class OddLogs(unittest.TestCase):
    def test_a_module_that_had_no_room_for_records_is_summarized(self):
        for name in ("incomplete", "incomplete-be-3.21"):
            report = report_of(name)
            empty = [mod for mod, facts in report.modules.items() if facts["partial_flag"] and not facts["len"]]
            self.assertTrue(empty)
            report.summarize()
            for mod in empty:
                frames = report.records[mod].to_df()
                self.assertEqual([len(frame) for frame in frames.values()], [0, 0])
                self.assertEqual(frames["counters"].columns.tolist(), ["id", "rank", *report.counters[mod]["counters"]])
                self.assertIn(mod + "_READS", report.counters[mod]["counters"])
                self.assertIn(mod + "_F_READ_TIME", report.counters[mod]["fcounters"])
                self.assertEqual(report.summary["agg_ioops"][mod]["Read"], 0)
                self.assertEqual(report.records[mod].to_dict(), [])
                self.assertEqual(report.records[mod].to_numpy(), [])

    def test_a_trace_that_had_no_room_for_records_is_empty(self):
        report = report_of("incomplete")
        report.modules["DXT_MPIIO"] = {"len": 0, "ver": 2, "idx": 8, "partial_flag": True}
        report.mod_read_all_dxt_records("DXT_MPIIO")
        self.assertEqual(report.records["DXT_MPIIO"].to_df(), [])
        self.assertEqual(report.records["DXT_MPIIO"].to_dict(), [])
        self.assertEqual(list(report.records["DXT_MPIIO"]), [])

    def test_a_record_without_components_has_none(self):
        records = report_of("lustre-unused-components").records["LUSTRE"]
        for form in (list(records), records.to_dict(), records.to_numpy()):
            self.assertEqual([[part["ost_ids"] for part in record["components"]] for record in form], [[[11, 12], [13]], []])

    def test_hostile_logs_never_do_more_than_raise(self):
        names = sorted(name for name in os.listdir(SEEDS) if name.endswith(".darshan") and os.path.getsize(os.path.join(SEEDS, name)) < 100000)
        chance, path, read, raised = random.Random(11), os.path.join(WORK, "hostile.darshan"), 0, 0
        for name in names * 2:
            with open(os.path.join(SEEDS, name), "rb") as file:
                broken = bytearray(file.read())
            for _ in range(chance.randrange(1, 16)):
                broken[chance.randrange(min(len(broken), chance.choice((2048, len(broken)))))] = chance.randrange(256)
            if chance.random() < 0.2:
                del broken[chance.randrange(len(broken)):]
            with open(path, "wb") as file:
                file.write(broken)
            try:
                with darshan.DarshanReport(path) as report:
                    report.summarize()
                    for records in report.records.values():
                        records.to_df(), records.to_numpy()
                    for heatmap in report.heatmaps.values():
                        heatmap.to_df()
                    report.to_json()
                read += 1
            except darshan.Error:
                raised += 1
        self.assertGreater(read, 0)
        self.assertGreater(raised, 0)

    def test_job_times_beyond_the_calendar_are_read(self):
        with open(os.path.join(SEEDS, "every-module-none-be-3.41.darshan"), "rb") as file:
            content = file.read()
        start = struct.pack(">q", report_of("every-module-none-be-3.41").metadata["job"]["start_time_sec"])
        self.assertEqual(content.count(start), 1)
        path = os.path.join(WORK, "far.darshan")
        for second in (2**40, 2**62, -2**62):
            with open(path, "wb") as file:
                file.write(content.replace(start, struct.pack(">q", second)))
            report = darshan.DarshanReport(path)
            self.assertEqual(report.metadata["job"]["start_time_sec"], second)
            self.assertIsNone(report.start_time)
            self.assertIsNotNone(report.end_time)
            self.assertGreater(len(report.records["POSIX"]), 0)


class Backend(unittest.TestCase):
    """Functions below the report."""

    def test_records_come_one_by_one_as_the_report_has_them(self):
        for name, module in (("demo", "POSIX"), ("demo", "STDIO"), ("lustre-v2-be-3.41", "LUSTRE"), ("every-module-none-be-3.41", "H5D")):
            for dtype in ("numpy", "dict"):
                expected = list(report_of(name, dtype=dtype).records[module])
                log, found = darshanll.log_open(os.path.join(SEEDS, name + ".darshan")), []
                while (record := darshanll.log_get_record(log, module, dtype)) is not None:
                    found.append(record)
                self.assertEqual(repr(found), repr(expected))
                self.assertIsNone(darshanll.log_get_record(log, module, dtype))
                darshanll.log_close(log)
                self.assertGreater(len(found), 0)

    def test_a_trace_has_the_sides_that_are_wanted(self):
        path, expected = os.path.join(SEEDS, "dxt-posix-v2-be-3.41.darshan"), report_of("dxt-posix-v2-be-3.41").records["DXT_POSIX"].to_dict()
        log = darshanll.log_open(path)
        self.assertEqual([darshanll.log_get_dxt_record(log, "DXT_POSIX") for _ in expected], expected)
        self.assertIsNone(darshanll.log_get_dxt_record(log, "DXT_POSIX"))
        self.assertEqual(darshanll.log_get_dxt_record(darshanll.log_open(path), "DXT_POSIX", reads=False)["read_segments"], {})

    def test_facts_are_those_of_the_report(self):
        report, log = report_of("demo"), darshanll.log_open(os.path.join(SEEDS, "demo.darshan"))
        self.assertEqual(darshanll.log_get_job(log), report.metadata["job"])
        self.assertEqual((darshanll.log_get_exe(log), darshanll.log_get_mounts(log)), (report.metadata["exe"], report.mounts))
        self.assertEqual(darshanll.log_get_modules(log)["POSIX"]["idx"], 1)
        self.assertEqual(darshanll.log_get_name_records(log), report.name_records)
        key = next(iter(report.name_records))
        self.assertEqual(darshanll.log_lookup_name_records(log, [key, 1]), {key: report.name_records[key]})
        self.assertIsNone(darshanll.log_get_record(log, "H5D"))

    def test_names_of_counters_need_no_log(self):
        counters = report_of("demo").counters["POSIX"]
        self.assertEqual(darshanll.counter_names("POSIX"), counters["counters"])
        self.assertEqual(darshanll.fcounter_names("POSIX"), counters["fcounters"])
        self.assertRaises(darshan.Error, darshanll.counter_names, "NOSUCH")

    def test_a_summary_is_written_beside_the_caller(self):
        before = os.getcwd()
        os.chdir(WORK)
        try:
            self.assertEqual(main(["summary", os.path.join(SEEDS, "demo.darshan")]), 0)
            self.assertEqual(main(["summary", "--output", "named.html", "--enable_dxt_heatmap", os.path.join(SEEDS, "demo.darshan")]), 0)
            for name in ("demo_report.html", "named.html"):
                with open(name, encoding="utf-8") as file:
                    self.assertIn("<html", file.read(2000))
            self.assertNotEqual(main(["summary", "/nowhere.darshan"]), 0)
        finally:
            os.chdir(before)


unittest.main()
