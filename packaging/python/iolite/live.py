"""What a part of a running program did: the difference of what Iolite has recorded in this process before and after it.

Works in programs that run under Iolite (`iolite run -- python3 program.py`, or a notebook kernel of `iolite kernel install`)."""

import os
import tempfile
import time
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from functools import lru_cache
from typing import Any, Dict, List, Optional, Tuple

from . import _library as c
from . import marks
from ._show import byte_count, framed, rows_html, seconds, shown_as_text
from ._table import Table, of_rows
from .errors import Error
from .findings import Findings
from .log import Log

__all__ = ["Recorded", "how_to_record", "live_log", "recorded"]

_MODULES = ("POSIX", "MPI-IO", "STDIO")  # in the order of their slots
_KEPT = ("MODE", "ALIGNMENT", "MAX_BYTE", "FASTEST", "SLOWEST", "STRIDE", "ACCESS", "MAX_", "VARIANCE", "TIMESTAMP")
_FACTS = ("rank", "record_id", "file_name", "mount_point", "fs_type")

how_to_record = ("This program does not run under Iolite, so nothing of it is recorded. Start it with `iolite run -- python3 PROGRAM`; for "
                 "notebooks, `iolite kernel install` adds a kernel that is recorded: choose it in the menu of kernels.")


def live_log() -> Optional[str]:
    """The path of this process's own records, a log that grows; None if it is not recorded."""
    if not marks.active():
        return None
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            for line in maps:
                name = line.rstrip("\n").rsplit(" ", 1)[-1]
                if name.endswith(".mapped") and "iolite-" in name:
                    return name
    except OSError:
        pass
    return None


Record = Dict[str, Any]
Snapshot = Dict[Tuple[str, int, int], Record]


def _snapshot(path: str) -> Tuple[Snapshot, Dict[str, Any], List[Dict[str, str]]]:
    found: Snapshot = {}
    with Log(path) as log:
        for module in _MODULES:
            table = log.records(module, form="lists")
            names = list(table)
            for row in zip(*table.values()):
                record = dict(zip(names, row))
                if record["file_name"] != path:  # that we look is not what the program did
                    found[module, record["record_id"], record["rank"]] = record
        return found, log.job, log.mounts


def _difference(before: Snapshot, after: Snapshot, start: float) -> Snapshot:
    """Records that changed, with what was added since; times count from `start`."""
    changed: Snapshot = {}
    for key, now in after.items():
        then, made, moved = before.get(key, {}), dict(now), False
        for name, value in now.items():
            if name in _FACTS:
                continue
            if "TIMESTAMP" in name:
                made[name] = max(value - start, 0.0) if value > start else 0.0
            elif not any(part in name for part in _KEPT):
                made[name] = value - then.get(name, 0)
                moved = moved or made[name] != 0
        if moved or not then:
            changed[key] = made
    return changed


@lru_cache(maxsize=None)
def _writer() -> Any:
    library = c.library()
    for name, arguments, result in (
        ("iol_writer_open", [c_char_p, c_void_p, POINTER(c_void_p), POINTER(c.CError)], c_int),
        ("iol_writer_job", [c_void_p, POINTER(c.CJob), c_char_p, POINTER(c_char_p), c_size_t], c_int),
        ("iol_writer_name", [c_void_p, c_uint64, c_char_p], c_int),
        ("iol_writer_module", [c_void_p, c_int, c_bool], c_int),
        ("iol_writer_record", [c_void_p, c_void_p], c_int),
        ("iol_writer_finish", [c_void_p], c_int),
        ("iol_writer_abort", [c_void_p], None),
        ("iol_record_new", [c_int], c_void_p),
        ("iol_record_free", [c_void_p], None),
        ("iol_record_set_base", [c_void_p, c_uint64, c_int64], None),
        ("iol_record_set_int", [c_void_p, c_size_t, c_int64], c_int),
        ("iol_record_set_real", [c_void_p, c_size_t, c_double], c_int),
        ("iol_counter_find", [c_int, c_char_p], c_int),
    ):
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = result
    return library


def _write(path: str, records: Snapshot, job: Dict[str, Any], mounts: List[Dict[str, str]], begun: float, took: float) -> None:
    library, writer, error = _writer(), c_void_p(), c.CError()
    if library.iol_writer_open(os.fsencode(path), None, byref(writer), byref(error)) != c.OK:
        raise Error(c.text_of(error.message))
    end = begun + took
    made = c.CJob(uid=job["uid"], start_seconds=int(begun), start_nanoseconds=int(begun % 1 * 1e9), end_seconds=int(end),
                  end_nanoseconds=int(end % 1 * 1e9), processes=1, job_id=job["job_id"], run_time=took,
                  exe=job["exe"].encode("utf-8", "replace"))
    pairs = [text.encode("utf-8", "replace") for mount in mounts for text in (mount["mount_point"], mount["fs_type"])]
    statuses = [library.iol_writer_job(writer, byref(made), b"", (c_char_p * max(len(pairs), 1))(*pairs), len(mounts))]
    names = {key[1]: record["file_name"] for key, record in records.items() if record["file_name"]}
    statuses += [library.iol_writer_name(writer, key, name.encode("utf-8", "replace")) for key, name in names.items()]
    for module in _MODULES:
        rows = [record for key, record in records.items() if key[0] == module]
        slot = library.iol_module_find(module.encode())
        if rows:
            statuses.append(library.iol_writer_module(writer, slot, False))
        for row in rows:
            statuses.append(_write_record(library, writer, slot, row))
    statuses.append(library.iol_writer_finish(writer) if not any(statuses) else c.INVALID)
    if any(statuses):
        library.iol_writer_abort(writer)
        raise Error("the difference cannot be written as a log")


def _write_record(library: Any, writer: c_void_p, slot: int, row: Record) -> int:
    record = library.iol_record_new(slot)
    library.iol_record_set_base(record, row["record_id"], 0)
    for name, value in row.items():
        index = library.iol_counter_find(slot, name.encode()) if name not in _FACTS else -1
        if index >= 0 and isinstance(value, float):
            library.iol_record_set_real(record, index, value)
        elif index >= 0:
            library.iol_record_set_int(record, index, value)
    status = int(library.iol_writer_record(writer, record))
    library.iol_record_free(record)
    return status


class Recorded:
    """What a block did. `active` says whether it was recorded; `log` is a log of the block alone, with all that logs have."""

    def __init__(self) -> None:
        self.path = live_log()  # None in a forked child that has not read or written yet
        self.active = marks.active()
        self.seconds = 0.0
        self._before: Snapshot = {}
        self._bytes: Optional[bytes] = None

    def __enter__(self) -> "Recorded":
        if self.path:
            self._before = _snapshot(self.path)[0]
        self._since, self._begun, self._clock = marks.now(), time.time(), time.perf_counter()
        return self

    def __exit__(self, *exception: Any) -> None:
        self.seconds = time.perf_counter() - self._clock
        before, self.path = self.path, live_log()
        if self.path != before:  # this process has records of its own only now
            self._before = {}
        if not self.path:
            self.active = False
            return
        after, job, mounts = _snapshot(self.path)
        changed = _difference(self._before, after, self._since)
        with tempfile.TemporaryDirectory(prefix="iolite-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            path = os.path.join(folder, "block.darshan")
            _write(path, changed, job, mounts, self._begun, max(self.seconds, 1e-6))
            with open(path, "rb") as file:
                self._bytes = file.read()
        self._before = {}

    @property
    def log(self) -> Log:
        """A log of the block alone."""
        if self._bytes is None:
            raise Error(how_to_record if not self.active else "the block has not ended yet")
        return Log(self._bytes)

    @property
    def figures(self) -> Dict[str, Any]:
        return self.log.figures

    def findings(self) -> Findings:
        return self.log.findings()

    def files(self, form: Optional[str] = None) -> Table:
        """Files that the block used: module, file_name, bytes_read, bytes_written, reads, writes, opens, time."""
        rows = []
        with self.log as log:
            for module, prefix in (("POSIX", "POSIX"), ("STDIO", "STDIO")):
                table = log.records(module, form="lists")
                for index in range(len(table.get("rank", []))):
                    row = {name: table[name][index] for name in table}
                    rows.append({"module": module, "file_name": row["file_name"], "bytes_read": row[prefix + "_BYTES_READ"],
                                 "bytes_written": row[prefix + "_BYTES_WRITTEN"], "reads": row[prefix + "_READS"],
                                 "writes": row[prefix + "_WRITES"], "opens": row[prefix + "_OPENS"],
                                 "time": row[prefix + "_F_READ_TIME"] + row[prefix + "_F_WRITE_TIME"] + row[prefix + "_F_META_TIME"]})
        rows.sort(key=lambda row: float(row["time"]), reverse=True)
        return of_rows(rows, form, ["module", "file_name", "bytes_read", "bytes_written", "reads", "writes", "opens", "time"])

    def __str__(self) -> str:
        if not self.active:
            return how_to_record
        figures = self.figures
        head = "%s: read %s in %d calls, wrote %s in %d calls; %s in I/O calls" % (
            seconds(self.seconds), byte_count(figures["bytes_read"]), figures["reads"], byte_count(figures["bytes_written"]),
            figures["writes"], seconds(figures["call_time"]))
        found = [finding for finding in self.findings() if finding.level in ("high", "warn")]
        return "\n".join([head] + [str(finding) for finding in found])

    def __repr__(self) -> str:
        return "<iolite.Recorded %.3g s%s>" % (self.seconds, "" if self.active else ", not recorded")

    _repr_pretty_ = shown_as_text

    def _repr_html_(self) -> str:
        if not self.active:
            return framed("<p>%s</p>" % how_to_record)
        figures, table = self.figures, self.files(form="lists")
        head = rows_html([("cell", "read", "calls", "written", "calls", "time in calls"),
                          (seconds(self.seconds), byte_count(figures["bytes_read"]), figures["reads"],
                           byte_count(figures["bytes_written"]), figures["writes"], seconds(figures["call_time"]))])
        files = rows_html([("file", "read", "written", "time")] + [
            (name, byte_count(read), byte_count(written), seconds(took)) for name, read, written, took in
            list(zip(table["file_name"], table["bytes_read"], table["bytes_written"], table["time"]))[:8]])
        return framed(head + files) + self.findings()._repr_html_()


def recorded() -> Recorded:
    """`with iolite.recorded() as block: ...`, then block.files(), block.figures, block.findings(). In a program that does not
    run under Iolite nothing happens, and print(block) says how to have it recorded."""
    return Recorded()


def load_magic(shell: Any) -> None:
    """`%load_ext iolite`: the cell magic `%%iolite`."""

    def show_cell(line: str, cell: str) -> Optional[Recorded]:
        block = Recorded()
        if not block.active:
            print(how_to_record)
            shell.run_cell(cell)
            return None
        with block:
            result = shell.run_cell(cell)
        return block if result.success else None

    shell.register_magic_function(show_cell, magic_kind="cell", magic_name="iolite")
