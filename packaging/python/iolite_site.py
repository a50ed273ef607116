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
from typing import Any, Dict, List, Optional, Union

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


class Site:
    """A centre, as its site file describes it."""

    def __init__(self, path: Optional[Path] = None) -> None:
        self._library = _library()
        self._site = ctypes.c_void_p()
        error = _Error()
        if self._library.iol_site_open(_bytes(path), ctypes.byref(self._site), ctypes.byref(error)) != 0:
            raise Error(error.message.decode(errors="replace"))

    def close(self) -> None:
        self._library.iol_site_close(self._site)
        self._site = ctypes.c_void_p()

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _check(self, status: int) -> None:
        if status != 0:
            raise Error(self._library.iol_site_message(self._site).decode(errors="replace") or "wrong use")

    def _texts(self, function: Any, *arguments: Any) -> List[str]:
        out = ctypes.POINTER(ctypes.c_char_p)()
        self._check(function(self._site, *arguments, ctypes.byref(out)))
        found: List[str] = []
        text = out[0]
        while text is not None:
            found.append(os.fsdecode(text))
            text = out[len(found)]
        self._library.iol_site_free(out)
        return found

    def _json(self, function: Any, *arguments: Any) -> Any:
        out = ctypes.c_void_p()
        self._check(function(self._site, *arguments, ctypes.byref(out)))
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
        self._check(self._library.iol_site_series_read(self._site, _bytes(fs), _bytes(dataset), int(start), int(end),
                                                       ctypes.byref(out)))
        series = Series(out.contents)
        self._library.iol_site_series_free(out)
        return series

    def collect(self, source: str, *inputs: Path) -> Any:
        """What a source has: `iolite collect SOURCE INPUT...`."""
        array = (ctypes.c_char_p * len(inputs))(*[_bytes(path) for path in inputs])
        return self._json(self._library.iol_site_collect, _bytes(source), array, len(inputs))
