"""Iolite in Python: logs, indexes and the data of a centre, and marks in programs.

    import iolite

    log = iolite.open("job.darshan")
    log.job, log.figures                   # what ran, and how much I/O it did
    log.records("POSIX")                   # a DataFrame, a row per record
    for finding in log.findings():
        print(finding.title, finding.cost)

    with iolite.region("checkpoint"):      # shown when the program runs under `iolite run`
        ...

docs/python.md of Iolite has an example of everything. Pure Python over libiolite-log and the command `iolite`; pandas, NumPy
and pyarrow are used where they are. What is not used is not loaded.
"""

from typing import TYPE_CHECKING, Any, List

from .marks import active, begin, end, now, region

if TYPE_CHECKING:
    from .comparison import Comparison, compare
    from .errors import DamageWarning, Error, NotThere
    from .findings import Advice, Cost, Finding, Findings
    from .index import Fleet, Index
    from .live import Recorded, recorded
    from .log import Log, Module, open
    from .recording import Run, run
    from .site import Site, Umami

__version__ = "0.1.0"

_WHERE = {
    "Comparison": "comparison", "compare": "comparison", "DamageWarning": "errors", "Error": "errors", "NotThere": "errors",
    "Advice": "findings", "Cost": "findings", "Finding": "findings", "Findings": "findings", "Fleet": "index",
    "Index": "index", "Recorded": "live", "recorded": "live", "Log": "log", "Module": "log", "open": "log", "Run": "recording",
    "run": "recording", "Site": "site", "Umami": "site",
}

__all__ = ["Advice", "Comparison", "Cost", "DamageWarning", "Error", "Finding", "Findings", "Fleet", "Index", "Log", "Module",
           "NotThere", "Recorded", "Run", "Site", "Umami", "active", "begin", "compare", "end", "now", "open", "recorded", "region",
           "run"]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError("module 'iolite' has no attribute %r" % name)
    from importlib import import_module

    value = getattr(import_module("." + _WHERE[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted(set(__all__) | set(globals()))


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext iolite` in a notebook: see iolite.live."""
    from .live import load_magic

    load_magic(shell)
