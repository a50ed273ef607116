"""The data of a centre: series of its servers, jobs beside them, and the analyses."""

import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ._ask import ask, operand, options, run_command, sentence
from ._moments import epoch_seconds, moment_option
from ._show import shown_as_text
from ._table import Table, numpy_for, of_columns, of_rows, shaped
from .errors import Error, NotThere
from .log import Log

__all__ = ["Site", "Umami"]

Path = Union[str, "os.PathLike[str]"]
Run = Union[Path, Log, int]  # a log, or the id of a job
Moment = Any  # what iolite._moments takes: seconds since the epoch, text, datetimes, Timestamps

_TIMES = ("start", "end")
_JOB = ("job", "end", "jobidraw", "nodelist", "start", "user")
_METRICS = ("key", "label", "big_is_good", "highlight_value", "whislo", "q1", "med", "q3", "whishi", "colour", "colour_index")
_CORRELATIONS = ("benchmark", "metric", "coefficient", "p_value", "n", "significant", "effect")
_SUSPECTS = ("ost_name", "coefficient", "p-value")
_STRIPED = ("file", "bytes_per_sec", "osts")


def _library() -> Any:
    try:
        import iolite_site
    except ImportError:
        raise NotThere("the module iolite_site is not beside the package iolite") from None
    return iolite_site


def _named(settings: Dict[str, Any]) -> Iterator[Tuple[str, Any]]:
    """Options of a command."""
    for name, value in settings.items():
        yield "--" + name.replace("_", "-"), moment_option(value) if name in _TIMES else value


def _operand(run: Run) -> str:
    return run._file() if isinstance(run, Log) else operand(str(run) if isinstance(run, int) else run)


class Umami(Dict[str, Any]):
    """The document of `iolite umami --json`, which shows itself as text and as a picture; its lists are tables by table()."""

    def __init__(self, document: Dict[str, Any], arguments: List[str]) -> None:
        super().__init__(document)
        self._arguments = arguments
        self._folder = os.getcwd()

    def __str__(self) -> str:
        status, output, talk = run_command(["umami", *self._arguments], folder=self._folder)
        return output.decode("utf-8", "replace") if output else sentence(talk)

    def svg(self) -> str:
        """The picture."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="iolite-") as folder:
            target = os.path.join(folder, "umami.svg")
            status, _, talk = run_command(["umami", "-o", target, *self._arguments], folder=self._folder)
            if not os.path.exists(target):
                raise Error(sentence(talk), status)
            with open(target, encoding="utf-8") as file:
                return file.read()

    def table(self, name: str = "rows", form: Optional[str] = None) -> Table:
        """"rows": a row per metric, with its quartiles and where the run stands; "values": a row per run, with a column per metric;
        "contributors", of umami(contributors="bad"): which metrics stand out."""
        if name == "rows":
            return of_rows([{**row["box"], **row} for row in self["rows"]], form, _METRICS)
        if name == "values":
            columns = {"jobid": self["jobids"], "timestamp": self["timestamps"]}
            return of_columns({**columns, **{row["key"]: row["values"] for row in self["rows"]}}, form)
        if name == "contributors" and name in self:
            return of_rows(self[name]["metrics"], form)
        raise Error("there is no list '%s'; there are rows, values and, where they were asked for, contributors" % name)

    _repr_pretty_ = shown_as_text

    def _repr_html_(self) -> str:
        return self.svg()


class Site:
    """A centre, as its site file describes it; None: IOLITE_SITE_CONFIG, else the usual place."""

    def __init__(self, path: Optional[Path] = None) -> None:
        self._module = _library()
        self.path = os.path.abspath(path) if path is not None else None
        try:
            self._site = self._module.Site(self.path)
        except self._module.Error as error:
            raise Error(str(error)) from None
        except (AttributeError, OSError) as error:
            raise NotThere("libiolite-site cannot be loaded: %s; install Iolite, or name it in IOLITE_SITE_LIBRARY" % error) from None

    def __repr__(self) -> str:
        return "<iolite.Site %r>" % (self.path or os.environ.get("IOLITE_SITE_CONFIG") or "the usual one")

    def __reduce__(self) -> Tuple[Any, ...]:
        """A copy, here or in another process, opens the site by itself."""
        return Site, (self.path,)

    def close(self) -> None:
        self._site.close()

    def __enter__(self) -> "Site":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def _call(self, name: str, *arguments: Any) -> Any:
        try:
            return getattr(self._site, name)(*arguments)
        except self._module.Error as error:
            raise Error(str(error)) from None

    def _arguments(self, operands: Sequence[Run], settings: Dict[str, Any]) -> List[str]:
        return [*options([("--site", self.path), *_named(settings)]), *map(_operand, operands)]

    def _ask(self, command: str, operands: Sequence[Run], settings: Dict[str, Any]) -> Any:
        return ask([command, "--json", *self._arguments(operands, settings)])

    def file_systems(self) -> List[str]:
        """Names of file systems with series."""
        names: List[str] = self._call("file_systems")
        return names

    def logs(self, job: Union[str, int]) -> List[str]:
        """Paths of the logs of a job."""
        paths: List[str] = self._call("logs", job)
        return paths

    def series(self, fs: str, dataset: str, start: Moment, end: Moment, form: Optional[str] = None) -> Table:
        """A series over [start, end): `time`, seconds since the epoch, and a column per component. What was not measured is
        NaN (None in lists)."""
        series = self._call("series", fs, dataset, epoch_seconds(start), epoch_seconds(end))
        columns: Dict[str, Any] = {"time": series.times}
        for index, name in enumerate(series.names):
            if name:
                columns[name] = [row[index] for row in series.values]
        numpy = numpy_for(form)
        if numpy is not None:
            columns = {name: numpy.array(cells, dtype="int64" if name == "time" else float) for name, cells in columns.items()}
        return shaped(columns, form)

    def jobs(self, start: Moment, end: Moment, form: Optional[str] = None) -> Table:
        """Jobs that ran between two times."""
        found = self._call("jobs", epoch_seconds(start), epoch_seconds(end))
        return of_rows([{"job": key, **row} for key, row in found.items()], form, usual=_JOB)

    def job(self, *jobs: Run, form: Optional[str] = None, **settings: Any) -> Table:
        """Jobs beside what the servers saw, a row each: logs, or ids of jobs, or, with fs, start and end, a file system and a time.
        Columns are the keys of `iolite job --json`, keywords its options."""
        return of_rows(self._ask("job", jobs, settings), form)

    def umami(self, *inputs: Run, **settings: Any) -> Umami:
        """How one run compares with earlier ones, metric by metric: logs, or tables of job summaries. Keywords are options of
        `iolite umami`."""
        return Umami(self._ask("umami", inputs, settings), self._arguments(inputs, settings))

    def correlate(self, *inputs: Run, form: Optional[str] = None, **settings: Any) -> Table:
        """What performance goes along with, a row per benchmark and metric: `iolite correlate`, with its options as keywords."""
        answer = self._ask("correlate", inputs, settings)
        return of_rows([{"benchmark": benchmark, "metric": metric, **found} for benchmark, metrics in answer.items()
                        for metric, found in metrics.items()], form, _CORRELATIONS)

    def bad_ost(self, *logs: Run, form: Optional[str] = None, **settings: Any) -> Table:
        """OSTs that look unhealthy, a row each: `iolite bad-ost`, with its options as keywords. With by_file=True a row per file:
        its speed and its OSTs."""
        rows = self._ask("bad-ost", logs, settings)
        columns = _STRIPED if settings.get("by_file") else _SUSPECTS
        return of_rows(rows, form, (*columns, "adjusted_p-value") if settings.get("fdr") else columns)
