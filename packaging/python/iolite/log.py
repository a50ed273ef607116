"""A log: facts and records straight from the C library, conclusions from the command."""

import builtins
import os
import threading
import weakref
from ctypes import byref, c_char_p, c_size_t, c_uint64, c_void_p
from typing import Any, BinaryIO, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, cast

from . import _library as c
from ._ask import INPUT, ask, operand, options, run_command, sentence
from ._show import byte_count, framed, page, rows_html, safe, seconds, shown_as_text
from ._table import Column, Reader, Table, _FIRST, _MOST, described, empty_columns, joined, numpy_for, of_columns, of_rows, shaped
from .errors import Error
from .findings import Finding, Findings

__all__ = ["Log", "Module", "open"]

Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, bytes, bytearray, memoryview, BinaryIO]

_SLOTS = 64
_YEAR = 365 * 86400  # clocks of old machines began in 1970
_COMPRESSIONS = {0: "zlib", 1: "bzip2", 2: "none", 128: "zstd", 129: "zstd-columns"}
_TRACES = ("DXT_POSIX", "DXT_MPIIO")
_TRACE_COLUMNS = {"start": "float64", "end": "float64", "duration": "float64", "rank": "int64", "op": "text", "offset": "int64",
                  "length": "int64", "module": "text", "file_name": "text", "host": "text", "thread": "uint64", "record_id": "uint64"}
_REGION = ("name", "ranks", "count", "unended", "unbalanced", "unmeasured", "time", "slowest", "first", "last", "io_time", "io_share",
           "bytes_read", "bytes_written")
_LINE = ("file", "line", "function", "calls", "bytes", "time", "share", "kinds", "source", "object", "build_id", "offset")


class Module(NamedTuple):
    """A module that has data in a log."""

    name: Optional[str]
    slot: int
    version: int
    bytes: int
    partial: bool


_open_logs: "weakref.WeakSet[Log]" = weakref.WeakSet()


def _renew_after_fork() -> None:
    """In a forked child, another thread may have been inside the library: each log is opened again when it is used."""
    for log in list(_open_logs):
        log._forget()


os.register_at_fork(after_in_child=_renew_after_fork)


def _identity(path: str) -> Optional[Tuple[int, int]]:
    """Of the file that has this name now; commands that write one anew give the name to another file."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _absolute(path: str) -> str:
    try:
        return os.path.abspath(path)
    except OSError:  # this directory was removed
        return path


def _content(source: Source) -> Optional[bytes]:
    """The bytes of a log, where they are given, or can be read from what is given; None for a path."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    read = getattr(source, "read", None)
    if read is None:
        return None
    content = read()
    if not isinstance(content, bytes):
        raise TypeError("a log is read from a file in binary mode")
    return content


class Log:
    """A log that is open for reading; iolite.open() makes it. Threads may share it: they read one at a time."""

    def __init__(self, source: Source) -> None:
        self._c = c.library()
        self._bytes = _content(source)
        self.path: str = os.fspath(cast(Path, source)) if self._bytes is None else "-"
        if "\0" in self.path:
            raise ValueError("embedded null byte in a path")
        self._place = _absolute(self.path)
        self._lock = threading.RLock()
        self._log: Optional[c_void_p] = None
        self._closed = False
        with self._lock:
            self._handle()
        _open_logs.add(self)

    # Opening and closing

    def _operand(self) -> str:
        """Its name for the library and the commands, in whatever directory the program is now; "-" is what they read from memory or
        standard input."""
        if self._bytes is not None:
            return "-"
        return operand(self.path) if _absolute(self.path) == self._place else self._place

    def _file(self) -> str:
        """The same for commands that take several logs."""
        if self._bytes is not None:
            raise Error("a log that was opened from bytes can be asked only about itself: write it to a file")
        return self._operand()

    def _forget(self) -> None:
        self._lock = threading.RLock()
        self._log = None

    def _handle(self) -> c_void_p:
        """The lock is held."""
        if self._closed:
            raise Error("the log %s is closed" % self.path)
        if self._log is None:
            log, error = c_void_p(), c.CError()
            if self._bytes is not None:
                status = self._c.iol_log_open_memory(self._bytes, len(self._bytes), b"-", byref(log), byref(error))
            else:
                status = self._c.iol_log_open(os.fsencode(self._operand()), byref(log), byref(error))
            if status != c.OK:
                raise Error(c.text_of(error.message) or c.text_of(self._c.iol_status_text(status)), status)
            self._log = log
        return self._log

    def close(self) -> None:
        """Gives memory and file back; a closed log raises."""
        with self._lock:
            if self._log is not None:
                self._c.iol_log_close(self._log)
            self._log, self._closed = None, True

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __reduce__(self) -> Tuple[Any, ...]:
        """A copy, here or in another process, opens the log by itself: handles of the library have one owner."""
        return Log, (self._place if self._bytes is None else self._bytes,)

    def __del__(self) -> None:
        if getattr(self, "_log", None) is not None:
            self._c.iol_log_close(self._log)
            self._log = None

    # Facts

    @property
    def info(self) -> Dict[str, Any]:
        """Facts about the file: path, version, compression, foreign_order, mapped, file_bytes."""
        with self._lock:
            info = self._c.iol_log_info(self._handle()).contents
            return {"path": c.text_of(info.path), "version": c.text_of(info.version),
                    "compression": _COMPRESSIONS.get(info.compression, "unknown"), "foreign_order": bool(info.foreign_order),
                    "mapped": bool(info.mapped), "file_bytes": int(info.file_bytes)}

    @property
    def job(self) -> Dict[str, Any]:
        """Who ran what and when: the object `job` of `iolite show --json`."""
        with self._lock:
            job = self._c.iol_log_job(self._handle()).contents
            metadata = self._metadata()
            version = metadata.get("prev_ver") or c.text_of(self._c.iol_log_info(self._handle()).contents.version)
            old = version.startswith(("1.", "2."))
            timeless = old and job.start_seconds < _YEAR
            return {"uid": job.uid, "job_id": None if old and job.job_id == 0 else job.job_id, "exe": c.text_of(job.exe),
                    "start_time": None if timeless else job.start_seconds, "start_nanoseconds": job.start_nanoseconds,
                    "end_time": None if timeless else job.end_seconds, "end_nanoseconds": job.end_nanoseconds,
                    "run_time": job.run_time, "processes": job.processes, "metadata": metadata}

    def _pairs(self, function: Any) -> Iterator[Any]:
        left, right, index = c_char_p(), c_char_p(), 0
        while function(self._handle(), c_size_t(index), byref(left), byref(right)) == c.OK:
            yield c.text_of(left.value), c.text_of(right.value)
            index += 1

    def _metadata(self) -> Dict[str, str]:
        return dict(self._pairs(self._c.iol_log_metadata))

    @property
    def mounts(self) -> List[Dict[str, str]]:
        """Mounted file systems, longest mount point first: mount_point, fs_type."""
        with self._lock:
            return [{"mount_point": point, "fs_type": kind} for point, kind in self._pairs(self._c.iol_log_mount)]

    @property
    def modules(self) -> Dict[str, Module]:
        """Modules that have data, or had no room for it, by name. Slots that no module is assigned to have none and are left out."""
        found = {}
        with self._lock:
            for slot in range(_SLOTS):
                module = c.CModule()
                if self._c.iol_log_module(self._handle(), slot, byref(module)) != c.OK:
                    break
                if module.name and (module.length or module.partial):
                    name = c.text_of(module.name)
                    found[name] = Module(name, slot, module.version, module.length, bool(module.partial))
        return found

    @property
    def names(self) -> Dict[int, str]:
        """Names by record id."""
        found = {}
        with self._lock:
            key, name = c_uint64(), c_char_p()
            for index in range(self._c.iol_log_name_count(self._handle())):
                if self._c.iol_log_name_at(self._handle(), index, byref(key), byref(name)) == c.OK:
                    found[key.value] = c.text_of(name.value)
        return found

    @property
    def errors(self) -> List[str]:
        """Damage that was met so far."""
        with self._lock:
            handle, found = self._handle(), []
            for index in range(self._c.iol_log_error_count(handle)):
                error = self._c.iol_log_error(handle, index)
                if not error:
                    break
                found.append(c.text_of(error.contents.message))
            return found

    # Records

    def _slot(self, module: str) -> int:
        slot = int(self._c.iol_module_find(module.encode()))
        if slot <= 0:  # the first one is an example
            raise Error("there is no module '%s'" % module, c.INVALID)
        return slot

    def _reader(self, module: str, kind: int, columns: Optional[Sequence[str]]) -> Reader:
        """The lock is held."""
        reader = Reader(self._handle(), self._slot(module), kind, columns)
        if reader.status == c.INVALID:
            raise Error("records of %s have no parts" % module, c.INVALID)
        if reader.status != c.OK:
            raise self._trouble(reader.status)
        return reader

    def _trouble(self, status: int, partial: Any = None) -> Error:
        errors = self.errors
        return Error(errors[-1] if errors else c.text_of(self._c.iol_status_text(status)), status, partial)

    def _batches(self, module: str, kind: int, columns: Optional[Sequence[str]], form: Optional[str], first: int,
                 most: int) -> Iterator[Dict[str, Any]]:
        numpy = numpy_for(form)
        with self._lock:
            reader = self._reader(module, kind, columns)
        try:
            rows = reader.batches(numpy, first, most)
            while True:
                with self._lock:
                    self._handle()
                    batch = next(rows, None)
                if batch is None:
                    break
                yield batch
            if reader.status != c.END:
                raise self._trouble(reader.status)
        finally:
            with self._lock:
                if self._log is not None:
                    reader.close()

    def _whole(self, module: str, kind: int, columns: Optional[Sequence[str]], form: Optional[str]) -> Dict[str, Any]:
        numpy = numpy_for(form)
        with self._lock:
            reader = self._reader(module, kind, columns)
            try:
                batches = list(reader.batches(numpy, _FIRST, _MOST))
                columns_made = joined(batches, reader.empty(numpy), numpy)
                if reader.status != c.END:
                    raise self._trouble(reader.status, shaped(columns_made, form))
                return columns_made
            finally:
                reader.close()

    def records(self, module: str, columns: Optional[Sequence[str]] = None, form: Optional[str] = None) -> Table:
        """Records of a module, a row each: rank, record_id, file_name, mount_point, fs_type, and its counters. Without data of
        the module there are no rows. `form` is "pandas", "numpy", "arrow" or "lists"; the first of them that is there.
        Damage raises; what was read before it is `partial` of the Error."""
        return shaped(self._whole(module, c.RECORDS, columns, form), form)

    def parts(self, module: str, columns: Optional[Sequence[str]] = None, form: Optional[str] = None) -> Table:
        """Parts of records, a row each: operations of DXT_POSIX and DXT_MPIIO, bins of HEATMAP, OSTs of LUSTRE, servers of
        MDHIM, the header of APMPI and APXC."""
        return shaped(self._whole(module, c.PARTS, columns, form), form)

    def batches(self, module: str, rows: int = _MOST, columns: Optional[Sequence[str]] = None,
                form: Optional[str] = None, parts: bool = False) -> Iterator[Table]:
        """The same in tables of at most `rows` rows, for logs that do not fit into memory."""
        if rows < 1:
            raise Error("a batch has at least one row")
        for batch in self._batches(module, c.PARTS if parts else c.RECORDS, columns, form, rows, rows):
            yield shaped(batch, form)

    def columns(self, module: str, parts: bool = False) -> List[Column]:
        """What the columns of records() or parts() are: name, unit, meaning, kind."""
        with self._lock:
            reader = self._reader(module, c.PARTS if parts else c.RECORDS, None)
            try:
                return reader.columns
            finally:
                reader.close()

    def trace(self, form: Optional[str] = None) -> Table:
        """Traced operations (DXT), a row each, in the order of `iolite trace`."""
        numpy, made = numpy_for(form), []
        for module in _TRACES:
            columns = self._whole(module, c.PARTS, None, form)
            count = len(columns["rank"])
            if not count:
                continue
            if numpy is not None:
                columns["duration"] = columns["end"] - columns["start"]
                columns["module"] = numpy.full(count, module, dtype=object)
            else:
                columns["duration"] = [end - start for start, end in zip(columns["start"], columns["end"])]
                columns["module"] = [module] * count
            made.append({name: columns[name] for name in _TRACE_COLUMNS})
        return shaped(joined(made, empty_columns(_TRACE_COLUMNS, numpy), numpy), form)

    def heatmap(self, form: Optional[str] = None) -> Table:
        """Bytes over time, a row per interface, rank and bin: module, rank, bin, start, width, written, read."""
        columns = self._whole("HEATMAP", c.PARTS, ["file_name", "rank", "bin", "start", "width", "written", "read"], form)
        names = [(name or "").split(":", 1)[-1] for name in columns.pop("file_name")]
        numpy = numpy_for(form)
        return shaped({"module": names if numpy is None else numpy.array(names, dtype=object), **columns}, form)

    # Conclusions

    def _ask(self, command: str, *arguments: str) -> Any:
        if self._closed:
            raise Error("the log %s is closed" % self.path)
        return ask([command, "--json", *arguments, "--", self._operand()], self._bytes)

    def summary(self) -> Dict[str, Any]:
        """The job at a glance: `iolite show --json`."""
        document: Dict[str, Any] = self._ask("show")
        return document

    @property
    def figures(self) -> Dict[str, Any]:
        """The figures of the job (docs/figures.md): bytes_read, io_time, rate, ..."""
        figures: Dict[str, Any] = self.summary()["figures"]
        return figures

    def findings(self, **settings: Any) -> Findings:
        """What deserves a look, worst first. Keywords are options of `iolite diagnose`: nodes=4, set="posix.small.ratio=0.2"."""
        arguments = options(("--" + name.replace("_", "-"), value) for name, value in settings.items())
        document = self._ask("diagnose", *arguments)
        return Findings([Finding(finding) for finding in document["findings"]], document)

    def metrics(self) -> Dict[str, Any]:
        """Figures that select jobs for a closer look: `metrics` of `iolite metrics --json`."""
        metrics: Dict[str, Any] = self._ask("metrics")["metrics"]
        return metrics

    def files(self, most: int = 10000, form: Optional[str] = None) -> Table:
        """Files, most costly first: the columns of `files` in the page document (docs/page.md)."""
        return of_columns(self._ask("report", "--files", str(most))["files"]["columns"], form)

    def regions(self, form: Optional[str] = None) -> Table:
        """Regions that the program marked, most I/O time first; empty if it marked none."""
        return of_rows((self.summary().get("regions") or {}).get("totals") or [], form, usual=_REGION)

    def where(self, form: Optional[str] = None) -> Table:
        """Lines of code that did the I/O, most time first (`iolite where`); empty if they were not recorded."""
        return of_rows(self._ask("where").get("lines") or [], form, usual=_LINE)

    def report(self, path: Optional[Path] = None) -> str:
        """Writes the one-file HTML report, and returns its path. Without one it is named after the log, in this directory."""
        name = os.path.basename(self.path)
        target = os.fspath(path) if path is not None else (name[:-8] if name.endswith(".darshan") else name) + ".html"
        written = operand(target)
        before = _identity(written)
        status, _, talk = run_command(["report", "-o", written, "--", self._operand()], self._bytes)
        if status != 0 and (status != INPUT or _identity(written) == before):  # with damage there is a page
            raise Error(sentence(talk), status)
        return target

    # Looks

    def __repr__(self) -> str:
        return "<iolite.Log %r>" % self.path

    def __str__(self) -> str:
        if self._closed:
            return repr(self)
        status, output, talk = run_command(["show", "--", self._operand()], self._bytes)
        return output.decode("utf-8", "replace") if output else sentence(talk)

    _repr_pretty_ = shown_as_text

    def _repr_html_(self) -> str:
        job, figures = self.job, self.figures
        facts = [("processes", job["processes"]), ("run time", seconds(job["run_time"])),
                 ("read", byte_count(figures["bytes_read"])), ("written", byte_count(figures["bytes_written"])),
                 ("time in I/O", seconds(figures["io_time"]))]
        head = framed("<b>%s</b>%s" % (safe(job["exe"][:200]), rows_html(facts)))
        return head + self.findings()._repr_html_() + self._report_html()

    def _report_html(self) -> str:
        """The report's own page, to be unfolded."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="iolite-") as folder:
            try:
                with builtins.open(self.report(os.path.join(folder, "report.html")), encoding="utf-8", errors="replace") as file:
                    return "<details><summary>Report</summary>%s</details>" % page(file.read(), height=720, scripts=True)
            except (Error, OSError):
                return ""


def open(source: Source) -> Log:
    """Opens a log: a path, the bytes of one, or a file in binary mode from which they can be read."""
    return Log(source)
