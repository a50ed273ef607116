"""Functions that read a log piece by piece, under the names that PyDarshan's documentation shows:
`import iolite.darshan.backend.cffi_backend as darshanll`. Behind them is the same reader as behind DarshanReport."""

from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .. import DarshanRecordCollection, DarshanReport
from ... import _library as c
from ...errors import Error

__all__ = ["counter_names", "fcounter_names", "log_close", "log_get_dxt_record", "log_get_exe", "log_get_generic_record", "log_get_job",
           "log_get_modules", "log_get_mounts", "log_get_name_records", "log_get_record", "log_lookup_name_records", "log_open"]


class Handle:
    """An open log, and how far each module has been read."""

    def __init__(self, filename: str) -> None:
        self.report = DarshanReport(filename, read_all=False)
        self._records: Dict[str, Iterator[Any]] = {}

    def next_record(self, mod: str, dtype: str, **how: bool) -> Optional[Dict[str, Any]]:
        if mod not in self.report.modules:
            return None
        if mod not in self._records:
            collection = DarshanRecordCollection(mod, self.report, dtype, **how)
            records: List[Any] = collection.to_dict() if how and dtype == "dict" else []
            self._records[mod] = iter(records or collection)
        found: Optional[Dict[str, Any]] = next(self._records[mod], None)
        return found


def log_open(filename: str) -> Handle:
    return Handle(filename)


def log_close(log: Handle) -> None:
    log.report.close()


def log_get_job(log: Handle) -> Dict[str, Any]:
    """Who ran what, when: jobid, uid, start_time, end_time, nprocs, metadata, ..."""
    return dict(log.report.metadata["job"])


def log_get_exe(log: Handle) -> str:
    exe: str = log.report.metadata["exe"]
    return exe


def log_get_mounts(log: Handle) -> List[Tuple[str, str]]:
    return list(log.report.mounts)


def log_get_modules(log: Handle) -> Dict[str, Dict[str, Any]]:
    """Modules that have data, by name: len, ver, idx, partial_flag."""
    return {name: dict(facts) for name, facts in log.report.modules.items()}


def log_get_name_records(log: Handle) -> Dict[int, str]:
    return dict(log.report.name_records)


def log_lookup_name_records(log: Handle, ids: Sequence[int] = ()) -> Dict[int, str]:
    """Names of these records alone."""
    names = log.report.name_records
    return {key: names[key] for key in ids if key in names}


def log_get_record(log: Handle, mod: str, dtype: str = "numpy") -> Optional[Dict[str, Any]]:
    """The next record of a module: id, rank, counters and fcounters, or what records of LUSTRE and traces have; None after the last."""
    return log.next_record(mod, dtype)


def log_get_generic_record(log: Handle, mod_name: str, dtype: str = "numpy") -> Optional[Dict[str, Any]]:
    return log.next_record(mod_name, dtype)


def log_get_dxt_record(log: Handle, mod_name: str, reads: bool = True, writes: bool = True, dtype: str = "dict") -> Optional[Dict[str, Any]]:
    """The next record of a trace, with its segments."""
    return log.next_record(mod_name, dtype, reads=reads, writes=writes)


def _names(mod_name: str, kind: int) -> List[str]:
    library, found = c.library(), []
    slot = int(library.iol_module_find(mod_name.encode()))
    if slot <= 0:
        raise Error("there is no module '%s'" % mod_name)
    for index in range(library.iol_counter_count(slot)):
        counter = c.CCounter()
        library.iol_counter_at(slot, index, counter)
        if counter.kind == kind:
            found.append(c.text_of(counter.name))
    return found


def counter_names(mod_name: str, fcnts: bool = False, special: str = "") -> List[str]:
    """Names of a module's counters that are whole numbers, or with `fcnts` of the others."""
    return _names(mod_name, c.REAL if fcnts else c.INT)


def fcounter_names(mod_name: str) -> List[str]:
    return counter_names(mod_name, fcnts=True)
