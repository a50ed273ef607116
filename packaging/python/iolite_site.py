"""Data of a computing centre: logs, jobs, and time series of its servers, whatever tools the centre runs.

    import iolite_site

    site = iolite_site.Site()                       # IOLITE_SITE_CONFIG, or Site("site.json")
    for path in site.logs("4478544"):
        row = site.job(path)                        # the job beside what the servers saw meanwhile
    series = site.series("scratch", "datatargets/writebytes", start, end)
    series.times, series.names, series.values       # lists; None is what was not measured
    log = site.log("a.darshan")                     # header, mounts and counters of a log

One file, no dependencies, nothing to build: copy it, or put its directory on PYTHONPATH. It loads libiolite-site: the one
that IOLITE_SITE_LIBRARY names, else the one it was installed with, else the one beside the command `iolite` (IOLITE_COMMAND, or
the first in PATH), else what the system finds.
"""

import ctypes
import glob
import json
import math
import os
import shutil
import threading
import weakref
from typing import Any, Dict, List, Optional, Tuple, Union

__all__ = ["Error", "Series", "Site"]


Path = Union[str, "os.PathLike[str]"]


class Error(Exception):
    """What went wrong, in words."""


class _Series(ctypes.Structure):
    _fields_ = [("rows", ctypes.c_size_t), ("columns", ctypes.c_size_t), ("times", ctypes.POINTER(ctypes.c_int64)),
                ("names", ctypes.POINTER(ctypes.c_char_p)), ("values", ctypes.POINTER(ctypes.c_double)),
                ("step", ctypes.c_int64), ("units", ctypes.c_char * 32)]


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("slot", ctypes.c_int), ("offset", ctypes.c_uint64), ("message", ctypes.c_char * 400)]


class Series:
    """Values of many components over time: one list per step, None where nothing was measured."""

    def __init__(self, raw: Any) -> None:
        self.times: List[int] = raw.times[: raw.rows]
        self.names: List[str] = [raw.names[i].decode() for i in range(raw.columns)]
        flat = raw.values[: raw.rows * raw.columns]
        cells = [None if math.isnan(value) else value for value in flat]
        self.values: List[List[Optional[float]]] = [cells[row * raw.columns : (row + 1) * raw.columns] for row in range(raw.rows)]
        self.step: int = raw.step
        self.units: str = raw.units.decode()

    def totals(self) -> Dict[str, float]:
        """The sum of each column that has a name."""
        return {name: sum(row[i] or 0 for row in self.values) for i, name in enumerate(self.names) if name}


def _below(prefix: str) -> Optional[str]:
    for folder in ("lib", "lib64", os.path.join("lib", "*")):
        for path in sorted(glob.glob(os.path.join(glob.escape(prefix), folder, "libiolite-site.so.0"))):
            return path
    return None


def _installed() -> Optional[str]:
    """The library beside this file's place in an installation (PREFIX/share/iolite/python and PREFIX/lib*), or beside the command."""
    found = _below(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))
    command = os.environ.get("IOLITE_COMMAND") or shutil.which("iolite")
    if not found and command:
        found = _below(os.path.dirname(os.path.dirname(os.path.realpath(command))))
    return found


def _library() -> Any:
    library = ctypes.CDLL(os.environ.get("IOLITE_SITE_LIBRARY") or _installed() or "libiolite-site.so.0")
    site, text, texts = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.POINTER(ctypes.c_char_p))
    seconds = ctypes.c_int64
    library.iol_site_open.argtypes = [ctypes.c_char_p, ctypes.POINTER(site), ctypes.POINTER(_Error)]
    library.iol_site_close.argtypes = [site]
    library.iol_site_message.argtypes = [site]
    library.iol_site_message.restype = ctypes.c_char_p
    library.iol_site_free.argtypes = [ctypes.c_void_p]
    library.iol_site_file_systems.argtypes = [site, texts]
    library.iol_site_logs.argtypes = [site, ctypes.c_char_p, texts]
    library.iol_site_series_read.argtypes = [site, ctypes.c_char_p, ctypes.c_char_p, seconds, seconds,
                                             ctypes.POINTER(ctypes.POINTER(_Series))]
    library.iol_site_series_free.argtypes = [ctypes.POINTER(_Series)]
    library.iol_site_jobs.argtypes = [site, seconds, seconds, text]
    library.iol_site_job.argtypes = [site, ctypes.c_char_p, ctypes.c_char_p, seconds, seconds, text]
    library.iol_site_collect.argtypes = [site, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, text]
    return library


def _bytes(text: Optional[Path]) -> Optional[bytes]:
    made = None if text is None else os.fsencode(text)
    if made and b"\0" in made:
        raise ValueError("embedded null byte")
    return made


_open_sites: "weakref.WeakSet[Site]" = weakref.WeakSet()


_waiting = threading.local()


def _wait_for_threads() -> None:
    """Before a fork no thread may be inside the library: a child would wait for ever for what SQLite had locked. Always in the same
    order, because two threads may be about to fork."""
    _waiting.locks = [site._lock for site in sorted(_open_sites, key=id)]
    for lock in _waiting.locks:
        lock.acquire()


def _go_on() -> None:
    for lock in _waiting.locks:
        lock.release()


def _renew_after_fork() -> None:
    """Each site is opened again when the child uses it."""
    for site in list(_open_sites):
        site._forget()


os.register_at_fork(before=_wait_for_threads, after_in_parent=_go_on, after_in_child=_renew_after_fork)


class Site:
    """A centre, as its site file describes it. Threads may share it: they ask one at a time."""

    def __init__(self, path: Optional[Path] = None) -> None:
        self._library = _library()
        self._path = os.path.abspath(path) if path is not None else None
        self._closed = False
        self._forget()
        _open_sites.add(self)  # a fork waits for the opening too
        with self._lock:
            self._handle()

    def _forget(self) -> None:
        self._lock = threading.RLock()
        self._site: Optional[ctypes.c_void_p] = None

    def _handle(self) -> ctypes.c_void_p:
        """The lock is held."""
        if self._closed:
            raise Error("the site is closed")
        if self._site is None:
            site, error = ctypes.c_void_p(), _Error()
            if self._library.iol_site_open(_bytes(self._path), ctypes.byref(site), ctypes.byref(error)) != 0:
                raise Error(error.message.decode(errors="replace"))
            self._site = site
        return self._site

    def __reduce__(self) -> Tuple[Any, ...]:
        """A copy, here or in another process, opens the site by itself."""
        return Site, (self._path,)

    def close(self) -> None:
        with self._lock:
            if self._site is not None:
                self._library.iol_site_close(self._site)
            self._site, self._closed = None, True

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _call(self, out: Any, function: Any, *arguments: Any) -> None:
        """Has `out` filled."""
        with self._lock:
            site = self._handle()
            if function(site, *arguments, ctypes.byref(out)) != 0:
                raise Error(self._library.iol_site_message(site).decode(errors="replace") or "wrong use")

    def _texts(self, function: Any, *arguments: Any) -> List[str]:
        out = ctypes.POINTER(ctypes.c_char_p)()
        self._call(out, function, *arguments)
        found: List[str] = []
        text = out[0]
        while text is not None:
            found.append(os.fsdecode(text))
            text = out[len(found)]
        self._library.iol_site_free(out)
        return found

    def _json(self, function: Any, *arguments: Any) -> Any:
        out = ctypes.c_void_p()
        self._call(out, function, *arguments)
        document = json.loads(ctypes.string_at(out.value or 0))
        self._library.iol_site_free(out)
        return document

    def file_systems(self) -> List[str]:
        """Names of file systems with series."""
        return self._texts(self._library.iol_site_file_systems)

    def logs(self, job: Union[str, int]) -> List[str]:
        """Paths of the logs of a job."""
        return self._texts(self._library.iol_site_logs, _bytes(str(job)))

    def log(self, path: Path) -> Any:
        """Header, mounts and counters of a log."""
        return self.collect("darshan", path)

    def jobs(self, start: float, end: float) -> Any:
        """Jobs that ran between two times, by their number."""
        return self._json(self._library.iol_site_jobs, int(start), int(end))

    def job(self, log: Optional[Path] = None, fs: Optional[str] = None, start: float = 0, end: float = 0) -> Any:
        """A job beside what the servers saw: of a log, or of a file system and a time."""
        return self._json(self._library.iol_site_job, _bytes(log), _bytes(fs), int(start), int(end))

    def series(self, fs: str, dataset: str, start: float, end: float) -> Series:
        """A series over a range of time."""
        out = ctypes.POINTER(_Series)()
        self._call(out, self._library.iol_site_series_read, _bytes(fs), _bytes(dataset), int(start), int(end))
        series = Series(out.contents)
        self._library.iol_site_series_free(out)
        return series

    def collect(self, source: str, *inputs: Path) -> Any:
        """What a source has: `iolite collect SOURCE INPUT...`."""
        array = (ctypes.c_char_p * len(inputs))(*[_bytes(path) for path in inputs])
        return self._json(self._library.iol_site_collect, _bytes(source), array, len(inputs))
