"""The data of a centre: series of its servers, jobs beside them, and the analyses."""

import os
from typing import Any, Dict, List, Optional, Sequence, Union

from ._ask import ask, operand, options, run_command, sentence
from ._show import shown_as_text
from ._table import Table, of_rows, shaped, numpy_for
from .errors import Error, NotThere

__all__ = ["Site", "Umami"]

Path = Union[str, "os.PathLike[str]"]


def _library() -> Any:
    try:
        import iolite_site
    except ImportError:
        raise NotThere("the module iolite_site is not beside the package iolite") from None
    return iolite_site


class Umami(Dict[str, Any]):
    """The document of `iolite umami --json`, which shows itself as text and as a picture."""

    def __init__(self, document: Dict[str, Any], arguments: List[str]) -> None:
        super().__init__(document)
        self._arguments = arguments

    def __str__(self) -> str:
        status, output, talk = run_command(["umami", *self._arguments])
        return output.decode("utf-8", "replace") if output else sentence(talk)

    def svg(self) -> str:
        """The picture."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="iolite-") as folder:
            target = os.path.join(folder, "umami.svg")
            status, _, talk = run_command(["umami", "-o", target, *self._arguments])
            if not os.path.exists(target):
                raise Error(sentence(talk), status)
            with open(target, encoding="utf-8") as file:
                return file.read()

    _repr_pretty_ = shown_as_text

    def _repr_html_(self) -> str:
        return self.svg()


class Site:
    """A centre, as its site file describes it; None: IOLITE_SITE_CONFIG, else the usual place."""

    def __init__(self, path: Optional[Path] = None) -> None:
        self._module = _library()
        self.path = os.fspath(path) if path is not None else None
        try:
            self._site = self._module.Site(self.path)
        except self._module.Error as error:
            raise Error(str(error)) from None
        except (AttributeError, OSError) as error:
            raise NotThere("libiolite-site cannot be loaded: %s; install Iolite, or name it in IOLITE_SITE_LIBRARY" % error) from None

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

    def _ask(self, command: str, operands: Sequence[Path], settings: Dict[str, Any]) -> Any:
        return ask(self._arguments(command, operands, settings))

    def _arguments(self, command: str, operands: Sequence[Path], settings: Dict[str, Any]) -> List[str]:
        named = [("--" + name.replace("_", "-"), value) for name, value in settings.items()]
        return [command, "--json", *options([("--site", self.path), *named]), *map(operand, operands)]

    def file_systems(self) -> List[str]:
        """Names of file systems with series."""
        names: List[str] = self._call("file_systems")
        return names

    def logs(self, job: str) -> List[str]:
        """Paths of the logs of a job."""
        paths: List[str] = self._call("logs", job)
        return paths

    def series(self, fs: str, dataset: str, start: int, end: int, form: Optional[str] = None) -> Table:
        """A series over [start, end), seconds since the epoch: `time`, and a column per component. What was not measured is
        NaN (None in lists)."""
        series = self._call("series", fs, dataset, start, end)
        columns: Dict[str, Any] = {"time": series.times}
        for index, name in enumerate(series.names):
            if name:
                columns[name] = [row[index] for row in series.values]
        numpy = numpy_for(form)
        if numpy is not None:
            columns = {name: numpy.array(cells, dtype="int64" if name == "time" else float) for name, cells in columns.items()}
        return shaped(columns, form)

    def jobs(self, start: int, end: int, form: Optional[str] = None) -> Table:
        """Jobs that ran between two times."""
        return of_rows([{"job": key, **row} for key, row in self._call("jobs", start, end).items()], form)

    def job(self, log: Optional[Path] = None, fs: Optional[str] = None, start: int = 0, end: int = 0) -> Dict[str, Any]:
        """A job beside what the servers saw: the keys of `iolite job --json`."""
        row: Dict[str, Any] = self._call("job", log, fs, start, end)
        return row

    def umami(self, *inputs: Path, **settings: Any) -> Umami:
        """How one run compares with earlier ones, metric by metric: logs, or tables of job summaries."""
        arguments = self._arguments("umami", inputs, settings)
        return Umami(ask(arguments), [argument for argument in arguments[1:] if argument != "--json"])

    def correlate(self, *inputs: Path, **settings: Any) -> Any:
        """What performance goes along with: `iolite correlate --json`."""
        return self._ask("correlate", inputs, settings)

    def bad_ost(self, *logs: Path, **settings: Any) -> Any:
        """OSTs that look unhealthy: `iolite bad-ost --json`."""
        return self._ask("bad-ost", logs, settings)
