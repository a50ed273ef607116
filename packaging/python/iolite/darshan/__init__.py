"""For programs that were written for PyDarshan: change `import darshan` to `import iolite.darshan as darshan`.

DarshanReport has the attributes, methods and layouts of DataFrames that PyDarshan's public documentation shows. Records are read
when they are first looked at, whole columns at a time. docs/python.md lists what is there and what is not. Needs NumPy and
pandas, as PyDarshan does. `python3 -m iolite.darshan summary LOG` writes a report."""

import datetime
import json
import warnings as _warnings
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from .._library import PARTS, RECORDS
from .._table import module_or_none
from ..errors import Error, NotThere
from ..log import Log

__all__ = ["DarshanRecordCollection", "DarshanReport", "Heatmap", "enable_experimental"]

__version__ = "3.5.0"  # the release of PyDarshan whose documentation this follows

_TRACES = ("DXT_POSIX", "DXT_MPIIO")
_SPECIAL = ("LUSTRE", "HEATMAP", *_TRACES)
_SEGMENTS = ("offset", "length", "start_time", "end_time")


def enable_experimental(verbose: bool = False) -> None:
    """Summaries need no permission here; the function is there for programs that call it."""
    if verbose:
        print("Nothing has to be enabled: summarize() is part of iolite.darshan.")


def _need(name: str) -> Any:
    module = module_or_none(name)
    if module is None:
        raise NotThere("iolite.darshan needs %s" % name)
    return module


def _moment(second: Optional[int]) -> Optional[datetime.datetime]:
    """None where it is not known, or the calendar of Python ends: logs can hold any number."""
    try:
        return None if second is None else datetime.datetime.fromtimestamp(second, datetime.timezone.utc)
    except (OSError, OverflowError, ValueError):
        return None


def _kinds(log: Log, module: str) -> Dict[str, str]:
    """Kinds of columns by name."""
    return {column.name: column.kind for column in log.columns(module)}


def _ints(kinds: Dict[str, str]) -> List[str]:
    return [name for name, kind in kinds.items() if kind in ("int64", "uint64") and name.isupper()]


def _reals(kinds: Dict[str, str]) -> List[str]:
    return [name for name, kind in kinds.items() if kind == "float64" and name.isupper()]


class _Columns:
    """Columns of a module, read once."""

    def __init__(self, log: Log, module: str) -> None:
        _need("numpy")
        kinds = _kinds(log, module)
        self.ints, self.reals = _ints(kinds), _reals(kinds)
        more = ("file_id", "host", "writes", "reads", "components", "processor", "group", "chassis", "blade", "node")
        wanted = ["record_id", "rank", *self.ints, *self.reals, *(name for name in more if name in kinds)]
        self.cells = log._whole(module, RECORDS, wanted, "numpy")
        self.count = len(self.cells["rank"])


def _copied(part: Any) -> Any:
    """A copy of a record that shares no list, dict or array with it."""
    if isinstance(part, dict):
        return {name: _copied(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_copied(value) for value in part]
    return part.copy() if hasattr(part, "copy") else part


class DarshanRecordCollection:
    """Records of one module: a sequence of dicts, and to_df(), to_numpy(), to_dict(), to_json()."""

    def __init__(self, mod: str, report: "DarshanReport", dtype: str = "numpy", reads: bool = True, writes: bool = True) -> None:
        self.mod = mod
        self.report = report
        self.dtype = dtype
        self._reads, self._writes = reads, writes
        self._columns: Optional[_Columns] = None
        self._traced: Optional[List[Dict[str, Any]]] = None
        self._laid_out: Optional[List[Dict[str, Any]]] = None
        self._frames: Optional[Dict[str, Any]] = None

    # What was read

    def _read(self) -> _Columns:
        if self._columns is None:
            self._columns = _Columns(self.report.log, self.mod)
            self.report.modules[self.mod]["num_records"] = self._columns.count
        return self._columns

    def _trace(self) -> List[Dict[str, Any]]:
        """Records of a trace with arrays of segments: a slice of the table of operations each."""
        if self._traced is None:
            columns, at = self._read(), 0
            if not columns.count:
                return []
            cells = self.report.log._whole(self.mod, PARTS, ["offset", "length", "start", "end"], "numpy")
            segments = dict(zip(_SEGMENTS, cells.values()))
            self._traced = []
            of = columns.cells
            for key, rank, host, writes, reads in zip(*(of[name].tolist() for name in ("record_id", "rank", "host", "writes", "reads"))):
                middle, end = at + writes, at + writes + reads
                self._traced.append({
                    "id": key, "rank": rank, "hostname": host, "write_count": writes, "read_count": reads,
                    "write_segments": {name: values[at:middle] for name, values in segments.items()} if self._writes else {},
                    "read_segments": {name: values[middle:end] for name, values in segments.items()} if self._reads else {}})
                at = end
        return self._traced

    def _layouts(self) -> List[Dict[str, Any]]:
        """Records of LUSTRE: each with its components, and they with their OSTs."""
        if self._laid_out is None:
            self._laid_out = self._read_layouts()
        return self._laid_out

    def _read_layouts(self) -> List[Dict[str, Any]]:
        log, records = self.report.log, self._read().cells
        names = [column.name for column in log.columns("LUSTRE", parts=True) if column.name.startswith("LUSTRE_")]
        facts = ["record_id", "rank", "component", "stripe", "ost", "pool"]
        cells = log._whole("LUSTRE", PARTS, [*facts, *names], "numpy")
        made: List[Dict[str, Any]] = [{"id": key, "rank": rank, "components": []} for key, rank in
                                      zip(records["record_id"].tolist(), records["rank"].tolist())]
        rows = zip(*(values.tolist() for values in cells.values()))
        following, components = iter(made), []
        for row in rows:
            key, rank, component, stripe, ost, pool = row[:6]
            if component == 1 and stripe == 0:  # the next record, but for those without components
                components = next(part["components"] for part in following if (part["id"], part["rank"]) == (key, rank))
            if stripe == 0:
                components.append({"counters": dict(zip(names, row[6:])), "pool_name": pool, "ost_ids": []})
            if ost >= 0:
                components[-1]["ost_ids"].append(ost)
        return made

    # A sequence

    def __len__(self) -> int:
        return self._read().count

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, key: Union[int, slice]) -> Any:
        """A record, which is the caller's own."""
        if isinstance(key, slice):
            return [self[index] for index in range(*key.indices(len(self)))]
        if self.mod in _TRACES:
            return _copied(self._trace()[key])
        if self.mod == "LUSTRE":
            return _copied(self._layouts()[key])
        columns = self._read()
        if not -columns.count <= key < columns.count:
            raise IndexError("there are %d records of %s" % (columns.count, self.mod))
        record = {"id": int(columns.cells["record_id"][key]), "rank": int(columns.cells["rank"][key])}
        if self.dtype == "pandas":
            self._frames = self._frames or self.to_df()
            return {**record, **{name: frame.iloc[[key]].copy() for name, frame in self._frames.items()}}
        numpy = _need("numpy")
        ints = numpy.array([columns.cells[name][key] for name in columns.ints])
        reals = numpy.array([columns.cells[name][key] for name in columns.reals])
        if self.dtype == "dict":
            return {**record, "counters": dict(zip(columns.ints, ints.tolist())), "fcounters": dict(zip(columns.reals, reals.tolist()))}
        return {**record, "counters": ints, "fcounters": reals}

    def __repr__(self) -> str:
        return "<DarshanRecordCollection %s: %d records>" % (self.mod, len(self))

    def info(self, describe: bool = False, plot: bool = False) -> None:
        """Prints what there is."""
        columns = self._read()
        print("Module:       ", self.mod)
        print("Records:      ", columns.count)
        print("Unique Ranks: ", len(set(columns.cells["rank"].tolist())))
        print("Unique IDs:   ", len(set(columns.cells["record_id"].tolist())))
        if describe and self.mod not in _SPECIAL:
            for frame in self.to_df(attach=None).values():
                print(frame.describe())

    # Exports

    def to_df(self, attach: Union[str, Sequence[str], None] = "default") -> Any:
        """Two DataFrames, `counters` and `fcounters`, a row per record; `attach` names the columns in front ("id" and "rank").
        Of a trace: a list of records whose segments are DataFrames. Of LUSTRE: `components`, a row per component. They are the
        caller's own: editing them changes nothing here."""
        pandas = _need("pandas")
        if self.mod in _TRACES:
            return [{**record, "write_segments": pandas.DataFrame(record["write_segments"], columns=_SEGMENTS),
                     "read_segments": pandas.DataFrame(record["read_segments"], columns=_SEGMENTS)} for record in self._trace()]
        if self.mod == "LUSTRE":
            return {"components": pandas.DataFrame(
                [{"id": record["id"], "rank": record["rank"], **component["counters"], "pool_name": component["pool_name"],
                  "ost_ids": list(component["ost_ids"])} for record in self._layouts() for component in record["components"]])}
        front = ["id", "rank"] if attach == "default" else [attach] if isinstance(attach, str) else list(attach or [])
        columns = self._read()
        before = {name: columns.cells["record_id" if name == "id" else name] for name in front}
        return {"counters": pandas.DataFrame({**before, **{name: columns.cells[name] for name in columns.ints}}, copy=True),
                "fcounters": pandas.DataFrame({**before, **{name: columns.cells[name] for name in columns.reals}}, copy=True)}

    def to_list(self) -> List[Any]:
        return list(self)

    def to_numpy(self) -> List[Any]:
        """A list of records with arrays."""
        if self.mod in _SPECIAL:
            return list(self)
        numpy, columns = _need("numpy"), self._read()
        ints = numpy.column_stack([columns.cells[name] for name in columns.ints]) if columns.ints else numpy.empty((columns.count, 0))
        reals = numpy.column_stack([columns.cells[name] for name in columns.reals]) if columns.reals else numpy.empty((columns.count, 0))
        return [{"id": key, "rank": rank, "counters": ints[i], "fcounters": reals[i]} for i, (key, rank) in
                enumerate(zip(columns.cells["record_id"].tolist(), columns.cells["rank"].tolist()))]

    def to_dict(self) -> List[Dict[str, Any]]:
        """A list of records with counters by name."""
        if self.mod in _TRACES:
            return [{**record, **{side: {name: list(map(float, cells)) if "time" in name else [int(cell) for cell in cells]
                                         for name, cells in record[side].items()} for side in ("write_segments", "read_segments")}}
                    for record in self._trace()]
        if self.mod == "LUSTRE":
            return list(self)
        columns = self._read()
        rows = zip(*(columns.cells[name].tolist() for name in ("record_id", "rank", *columns.ints, *columns.reals)))
        split = 2 + len(columns.ints)
        return [{"id": row[0], "rank": row[1], "counters": dict(zip(columns.ints, row[2:split])),
                 "fcounters": dict(zip(columns.reals, row[split:]))} for row in rows]

    def to_json(self) -> str:
        return json.dumps(self.to_dict())


class Heatmap:
    """Bytes over time of one interface, by rank."""

    def __init__(self, mod: str, cells: Dict[str, Any]) -> None:
        numpy = _need("numpy")
        self.mod = mod
        self.ranks = numpy.unique(cells["rank"]).tolist()
        self.nbins = int(cells["bin"].max()) + 1 if len(cells["bin"]) else 0
        self.bin_width_seconds = float(cells["width"][0]) if len(cells["width"]) else 0.0
        self._rows: Dict[str, Any] = {}
        for op, name in (("read", "read"), ("write", "written")):
            grid = numpy.zeros((len(self.ranks), self.nbins), dtype=numpy.int64)
            grid[numpy.searchsorted(self.ranks, cells["rank"]), cells["bin"]] = cells[name]
            self._rows[op] = grid

    def info(self) -> None:
        print("Module:       ", self.mod)
        print("Ranks:        ", len(self.ranks))
        print("Num. bins:    ", self.nbins)
        print("Bin width (s):", self.bin_width_seconds)

    def to_df(self, ops: Union[str, Sequence[str]] = ("read", "write"), interval_index: bool = True) -> Any:
        """Bytes by rank (rows) and bin (columns), of reads, writes or both together."""
        pandas = _need("pandas")
        chosen = [ops] if isinstance(ops, str) else list(ops)
        for op in chosen:
            if op not in self._rows:
                raise ValueError("ops are 'read' and 'write', not %r" % op)
        frame = pandas.DataFrame(sum(self._rows[op] for op in chosen), index=pandas.Index(self.ranks, name="rank"))
        if interval_index:
            edges = [bin * self.bin_width_seconds for bin in range(self.nbins + 1)]
            frame.columns = pandas.IntervalIndex.from_breaks(edges)
        return frame


class DarshanReport:
    """A log as PyDarshan shows it."""

    def __init__(self, filename: Optional[str] = None, dtype: str = "numpy", start_time: Any = None, end_time: Any = None,
                 automatic_summary: bool = False, read_all: bool = True, lookup_name_records: bool = True) -> None:
        self.filename = filename
        self.dtype = dtype
        self.lookup_name_records = lookup_name_records
        self.records: Dict[str, DarshanRecordCollection] = {}
        self.summary: Dict[str, Any] = {}
        self.start_time, self.end_time = start_time, end_time
        self.metadata: Dict[str, Any] = {}
        self.modules: Dict[str, Dict[str, Any]] = {}
        self.mounts: List[Any] = []
        self.counters: Dict[str, Dict[str, List[str]]] = {}
        self._names: Optional[Dict[int, str]] = None
        self._heatmaps: Optional[Dict[str, Heatmap]] = None
        self._log: Optional[Log] = None
        if filename:
            self.open(filename, read_all=read_all)
            if automatic_summary:
                self.summarize()

    @property
    def log(self) -> Log:
        if self._log is None:
            raise Error("no log is open")
        return self._log

    def open(self, filename: str, read_all: bool = False) -> None:
        self._log = Log(filename)
        self.filename = filename
        self.read_metadata(read_all=read_all)
        if read_all:
            self.read_all()

    def close(self) -> None:
        if self._log is not None:
            self._log.close()

    def __enter__(self) -> "DarshanReport":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    # Metadata

    def read_metadata(self, read_all: bool = False) -> None:
        job = self.log.job
        self.metadata = {
            "job": {"uid": job["uid"], "start_time_sec": job["start_time"], "start_time_nsec": job["start_nanoseconds"],
                    "end_time_sec": job["end_time"], "end_time_nsec": job["end_nanoseconds"], "start_time": job["start_time"],
                    "end_time": job["end_time"], "nprocs": job["processes"], "jobid": job["job_id"], "run_time": job["run_time"],
                    "log_ver": self.log.info["version"], "metadata": job["metadata"]},
            "exe": job["exe"]}
        self.start_time = self.start_time or _moment(job["start_time"])
        self.end_time = self.end_time or _moment(job["end_time"])
        self.mounts = [(mount["mount_point"], mount["fs_type"]) for mount in self.log.mounts]
        self.modules = {name: {"len": module.bytes, "ver": module.version, "idx": module.slot, "partial_flag": module.partial}
                        for name, module in self.log.modules.items()}

    @property
    def name_records(self) -> Dict[int, str]:
        if self._names is None:
            self._names = self.log.names if self._log is not None and self.lookup_name_records else {}
        return self._names

    def update_name_records(self, mod: Optional[str] = None) -> None:
        """Reads the names, if that was not wanted before."""
        self._names = self.log.names

    @property
    def data(self) -> Dict[str, Any]:
        """Everything under its name, as the documentation shows it."""
        return {"version": 1, "metadata": self.metadata, "records": self.records, "summary": self.summary, "modules": self.modules,
                "mounts": self.mounts, "counters": self.counters, "name_records": self.name_records, "heatmaps": self.heatmaps}

    # Records

    def read_all(self, dtype: Optional[str] = None) -> None:
        self.read_all_generic_records(dtype=dtype)
        self.read_all_dxt_records(dtype=dtype)
        for mod in ("LUSTRE", "APMPI", "APXC"):
            if mod in self.modules:
                self._add(mod, dtype)

    def read_all_generic_records(self, counters: bool = True, fcounters: bool = True, dtype: Optional[str] = None) -> None:
        for mod in self.modules:
            if mod not in (*_SPECIAL, "APMPI", "APXC"):
                self.mod_read_all_records(mod, dtype=dtype)

    def read_all_dxt_records(self, reads: bool = True, writes: bool = True, dtype: Optional[str] = None) -> None:
        for mod in _TRACES:
            if mod in self.modules:
                self.mod_read_all_dxt_records(mod, dtype=dtype, reads=reads, writes=writes)

    def read_all_heatmap_records(self) -> None:
        self._heatmaps = None

    def _add(self, mod: str, dtype: Optional[str], warnings: bool = True, **how: bool) -> None:
        if mod not in self.modules:
            if warnings:
                _warnings.warn("there are no records of %s in this log" % mod, stacklevel=3)
            return
        self.records[mod] = DarshanRecordCollection(mod, self, dtype or self.dtype, **how)
        if mod not in _SPECIAL:
            kinds = _kinds(self.log, mod)
            self.counters[mod] = {"counters": _ints(kinds), "fcounters": _reals(kinds)}

    def mod_read_all_records(self, mod: str, dtype: Optional[str] = None, warnings: bool = True) -> None:
        if mod in _SPECIAL:
            if warnings:
                _warnings.warn("%s has a function of its own" % mod, stacklevel=2)
            return
        self._add(mod, dtype, warnings)

    def mod_read_all_dxt_records(self, mod: str, dtype: Optional[str] = None, warnings: bool = True, reads: bool = True,
                                 writes: bool = True) -> None:
        self._add(mod, dtype, warnings, reads=reads, writes=writes)

    def mod_read_all_lustre_records(self, mod: str = "LUSTRE", dtype: Optional[str] = None, warnings: bool = True) -> None:
        self._add(mod, dtype, warnings)

    def mod_read_all_apmpi_records(self, mod: str = "APMPI", dtype: Optional[str] = None, warnings: bool = True) -> None:
        self._add(mod, dtype, warnings)

    def mod_read_all_apxc_records(self, mod: str = "APXC", dtype: Optional[str] = None, warnings: bool = True) -> None:
        self._add(mod, dtype, warnings)

    def mod_records(self, mod: str, dtype: str = "numpy", warnings: bool = True) -> Iterator[Any]:
        """Records one by one."""
        return iter(DarshanRecordCollection(mod, self, dtype)) if mod in self.modules else iter(())

    @property
    def heatmaps(self) -> Dict[str, Heatmap]:
        """By interface: "POSIX", "MPIIO", "STDIO"."""
        if self._heatmaps is None:
            self._heatmaps = {}
            cells = self.log._whole("HEATMAP", PARTS, ["file_name", "rank", "bin", "width", "written", "read"], "numpy") \
                if self._log is not None else {}
            names = cells.pop("file_name") if cells else []
            for name in dict.fromkeys(names):
                here = names == name
                mod = (name or "").split(":", 1)[-1]
                self._heatmaps[mod] = Heatmap(mod, {key: values[here] for key, values in cells.items()})
        return self._heatmaps

    # Summaries

    def mod_agg_iohist(self, mod: str, mode: str = "append") -> Dict[str, int]:
        """How many requests there were of which size: READ_0_100, ..., WRITE_1G_PLUS."""
        prefix = mod.replace("-", "") + "_SIZE_"
        frame = self.records[mod].to_df(attach=None)["counters"]
        sums = {name[len(prefix):].replace("_AGG", ""): int(frame[name].sum()) for name in frame if name.startswith(prefix)}
        if mode == "append":
            self.summary.setdefault("agg_iohist", {})[mod] = sums
        return sums

    def agg_ioops(self, mode: str = "append") -> Dict[str, Dict[str, Any]]:
        """How many operations of which kind each interface saw."""
        kinds = {"POSIX": ("POSIX", {"Read": ["READS"], "Write": ["WRITES"], "Open": ["OPENS"], "Stat": ["STATS"], "Seek": ["SEEKS"],
                                     "Mmap": ["MMAPS"], "Fsync": ["FSYNCS", "FDSYNCS"]}),
                 "MPI-IO": ("MPIIO", {"Read": ["INDEP_READS", "COLL_READS", "SPLIT_READS", "NB_READS"],
                                      "Write": ["INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "NB_WRITES"],
                                      "Open": ["INDEP_OPENS", "COLL_OPENS"]}),
                 "STDIO": ("STDIO", {"Read": ["READS"], "Write": ["WRITES"], "Open": ["OPENS"], "Seek": ["SEEKS"],
                                     "Flush": ["FLUSHES"]})}
        found: Dict[str, Dict[str, Any]] = {}
        for mod, (prefix, groups) in kinds.items():
            if mod in self.records:
                frame = self.records[mod].to_df(attach=None)["counters"]
                found[mod] = {name: int(sum(frame[prefix + "_" + part].sum() for part in parts)) for name, parts in groups.items()}
                found[mod]["type"] = mod
        if mode == "append":
            self.summary["agg_ioops"] = found
        return found

    def summarize(self) -> None:
        """Fills `summary`: operations and request sizes by interface."""
        self.agg_ioops()
        for mod in ("POSIX", "MPI-IO"):
            if mod in self.records:
                self.mod_agg_iohist(mod)

    # Exports

    def info(self, metadata: bool = False) -> None:
        """Prints an overview."""
        job = self.metadata.get("job", {})
        print("Filename:       ", self.filename)
        duration = self.end_time - self.start_time if self.start_time and self.end_time else None
        print("Times:          ", "%s to %s (Duration %s)" % (self.start_time, self.end_time, duration))
        print("Executeable:    ", self.metadata.get("exe"))  # as the documentation writes it
        print("Processes:      ", job.get("nprocs"))
        print("JobID:          ", job.get("jobid"))
        print("UID:            ", job.get("uid"))
        print("Modules in Log: ", list(self.modules))
        print("Loaded Records: ", {mod: len(records) for mod, records in self.records.items()})
        print("Name Records:   ", len(self.name_records))
        print("Darshan/Hints:  ", job.get("metadata"))
        print("DarshanReport:  ", "id(%d)" % id(self))
        if metadata:
            print("Mounts:         ", self.mounts)

    def to_dict(self) -> Dict[str, Any]:
        return {**{key: value for key, value in self.data.items() if key not in ("records", "heatmaps")},
                "records": {mod: records.to_dict() for mod, records in self.records.items()}}

    def to_json(self) -> str:
        return json.dumps(self.to_dict())
