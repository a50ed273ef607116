"""The index of a centre: jobs, rankings, the fleet, logs. Names and values are those of the commands."""

import os
from typing import Any, Dict, List, Optional, Sequence, Union

from ._ask import ask, options
from ._moments import day_option
from ._table import Table, of_rows
from .errors import Error

__all__ = ["Fleet", "Index"]


Path = Union[str, "os.PathLike[str]"]
Day = Any  # what iolite._moments takes: text, dates, datetimes, Timestamps, seconds

_EVERY = 2**31 - 1
_DAYS = ("since", "until")
_JOB = ("cluster", "job", "user", "account", "partition", "program", "name", "state", "start", "ended", "nodes", "nprocs", "logs",
        "run", "read", "written", "reads", "writes", "opens", "stats", "read_time", "write_time", "meta_time", "io_time",
        "redundant", "meta_ratio", "small_writes", "temporary", "findings", "lost", "cost", "selected", "entry", "cause", "missed",
        "covered")
_RANKED = {"fs": ("fs", "mount_point"), "job": ("job_id", "user", "program"), "triple": ("user", "program", "fs")}
_MEASURED = ("value", "share", "cumulative_share", "bytes_read", "bytes_written", "logs")


class Fleet(Dict[str, Any]):
    """The document of `iolite fleet --json`; its lists are tables by table()."""

    def table(self, name: str = "findings", form: Optional[str] = None) -> Table:
        """One of its lists: "findings", "compat", ..."""
        lists = [key for key, value in self.items() if isinstance(value, list)]
        if name not in lists:
            raise Error("there is no list '%s'; there are %s" % (name, ", ".join(lists)))
        return of_rows([row for row in self[name] if isinstance(row, dict)], form)


class Index:
    """An index that `iolite index` made: a path, sqlite:PATH, postgresql://..., clickhouse://...; None: IOLITE_STORE."""

    def __init__(self, url: Optional[Path] = None, site: Optional[Path] = None) -> None:
        self.url = os.fspath(url) if url is not None else None
        self.site = os.fspath(site) if site is not None else None

    def __repr__(self) -> str:
        return "<iolite.Index %r>" % (self.url or os.environ.get("IOLITE_STORE") or "the user's own")

    def _ask(self, command: str, settings: Dict[str, Any], *operands: str) -> Any:
        given = [("--" + name.replace("_", "-"), day_option(value) if name in _DAYS else value) for name, value in settings.items()]
        return ask([command, "--json", *options([("--store", self.url), ("--site", self.site), *given]), *operands])

    def jobs(self, job: Union[str, int, None] = None, *, since: Day = None, until: Day = None, user: Optional[str] = None,
             program: Optional[str] = None, account: Optional[str] = None, finding: Optional[str] = None,
             selected: Optional[int] = None, no_log: bool = False, sort: Optional[str] = None, most: Optional[int] = 1000,
             form: Optional[str] = None, **settings: Any) -> Any:
        """Jobs, latest first, as a table: `most` of them, or all with None; or, with a job id, one job as a document. Days may be
        dates, datetimes, Timestamps or seconds since the epoch; more keywords are options of `iolite jobs`."""
        settings = {"since": since, "until": until, "user": user, "program": program, "account": account, "finding": finding,
                    "selected": selected, "no_log": no_log, "sort": sort, **settings}
        if job is not None:
            return self._ask("jobs", settings, str(job))
        answer = self._ask("jobs", {**settings, "max_show": _EVERY if most is None else most})
        return of_rows(answer, form, usual=() if settings.get("columns") else _JOB)

    def rank(self, per: str = "user", by: Optional[str] = None, *, since: Day = None, until: Day = None,
             finding: Optional[str] = None, limit_fs: Optional[Sequence[str]] = None, exclude_fs: Optional[Sequence[str]] = None,
             limit_user: Optional[Sequence[str]] = None, most: Optional[int] = 10, form: Optional[str] = None,
             **settings: Any) -> Table:
        """One ranking: users, programs, file systems, accounts, jobs, findings or lines of code by bytes, time, cost, ...: the first
        `most`, or all with None. More keywords are options of `iolite rank`."""
        answer = self._ask("rank", {"per": per, "by": by, "since": since, "until": until, "finding": finding, "limit_fs": limit_fs,
                                    "exclude_fs": exclude_fs, "limit_user": limit_user,
                                    "max_show": _EVERY if most is None else most, **settings})
        return of_rows(answer["entries"], form, usual=() if per == "line" else (*_RANKED.get(per, (per,)), *_MEASURED))

    def fleet(self, *, since: Day = None, until: Day = None, mode: Optional[str] = None, **settings: Any) -> Fleet:
        """Findings, metrics and coverage over all jobs. More keywords are options of `iolite fleet`."""
        return Fleet(self._ask("fleet", {"since": since, "until": until, "mode": mode, **settings}))

    def find(self, *, since: Day = None, until: Day = None, user: Optional[str] = None, program: Optional[str] = None,
             job: Union[str, int, None] = None, **settings: Any) -> List[str]:
        """Paths of logs: those that the index knows, and those in the log directories. Asked for nothing, they are the caller's own
        of the last month. More keywords are options of `iolite find`."""
        found: List[str] = self._ask("find", {"since": since, "until": until, "user": user, "program": program, "job": job, **settings})
        return found
