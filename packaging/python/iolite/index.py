"""The index of a centre: jobs, rankings, the fleet, logs. Names and values are those of the commands."""

from typing import Any, Dict, List, Optional, Sequence

from ._ask import ask, options
from ._table import Table, of_rows

__all__ = ["Fleet", "Index"]


class Fleet(Dict[str, Any]):
    """The document of `iolite fleet --json`; its lists are tables by table()."""

    def table(self, name: str = "findings", form: Optional[str] = None) -> Table:
        """One of its lists: "findings", "compat", ..."""
        return of_rows([row for row in self[name] if isinstance(row, dict)], form)


class Index:
    """An index that `iolite index` made: a path, sqlite:PATH, postgresql://..., clickhouse://...; None: IOLITE_STORE."""

    def __init__(self, url: Optional[str] = None, site: Optional[str] = None) -> None:
        self.url = url
        self.site = site

    def _ask(self, command: str, *more: str) -> Any:
        return ask([command, "--json", *options([("--store", self.url), ("--site", self.site)]), *more])

    def jobs(self, job: Optional[str] = None, *, since: Optional[str] = None, until: Optional[str] = None,
             user: Optional[str] = None, program: Optional[str] = None, account: Optional[str] = None,
             finding: Optional[str] = None, selected: Optional[int] = None, no_log: bool = False,
             sort: Optional[str] = None, most: int = 1000, form: Optional[str] = None) -> Any:
        """Jobs, latest first, as a table; or, with a job id, one job as a document."""
        filters = options([("--since", since), ("--until", until), ("--user", user), ("--program", program),
                           ("--account", account), ("--finding", finding), ("--selected", selected), ("--no-log", no_log),
                           ("--sort", sort), ("--max-show", None if job else most)])
        answer = self._ask("jobs", *filters, *([str(job)] if job else []))
        return answer if job else of_rows(answer, form)

    def rank(self, per: str = "user", by: Optional[str] = None, *, since: Optional[str] = None,
             until: Optional[str] = None, finding: Optional[str] = None, limit_fs: Optional[Sequence[str]] = None,
             exclude_fs: Optional[Sequence[str]] = None, limit_user: Optional[Sequence[str]] = None, most: int = 10,
             form: Optional[str] = None) -> Table:
        """One ranking: users, programs, file systems, accounts, jobs or findings by bytes, time, cost, ..."""
        answer = self._ask("rank", *options([("--per", per), ("--by", by), ("--since", since), ("--until", until),
                                             ("--finding", finding), ("--limit-fs", limit_fs), ("--exclude-fs", exclude_fs),
                                             ("--limit-user", limit_user), ("--max-show", most)]))
        return of_rows(answer["entries"], form)

    def fleet(self, *, since: Optional[str] = None, until: Optional[str] = None, mode: Optional[str] = None) -> Fleet:
        """Findings, metrics and coverage over all jobs."""
        return Fleet(self._ask("fleet", *options([("--since", since), ("--until", until), ("--mode", mode)])))

    def find(self, *, since: Optional[str] = None, until: Optional[str] = None, user: Optional[str] = None,
             program: Optional[str] = None, job: Optional[str] = None) -> List[str]:
        """Paths of logs."""
        found: List[str] = self._ask("find", *options([("--since", since), ("--until", until), ("--user", user),
                                                       ("--program", program), ("--job", job)]))
        return found
