"""What changed between runs."""

import os
from typing import Any, Dict, List, Sequence, Union

from ._ask import ask, operand, options, run_command, sentence
from ._show import page, shown_as_text
from .errors import Error
from .log import Log

__all__ = ["Comparison", "compare"]

Run = Union[str, "os.PathLike[str]", Log]


def _paths(runs: Union[Run, Sequence[Run]]) -> List[str]:
    listed = [runs] if isinstance(runs, (str, bytes, os.PathLike, Log)) else list(runs)
    for run in listed:
        if not isinstance(run, (str, os.PathLike, Log)):
            raise TypeError("runs are compared by their paths or logs, not by %s" % type(run).__name__)
    return [run._file() if isinstance(run, Log) else operand(run) for run in listed]


class Comparison(Dict[str, Any]):
    """The document of `iolite compare --json`, which shows itself as text and in notebooks."""

    def __init__(self, document: Dict[str, Any], arguments: List[str]) -> None:
        super().__init__(document)
        self._arguments = arguments
        self._folder = os.getcwd()

    def __str__(self) -> str:
        status, output, talk = run_command(["compare", *self._arguments], folder=self._folder)
        if not output:
            raise Error(sentence(talk), status)
        return output.decode("utf-8", "replace")

    _repr_pretty_ = shown_as_text

    def _repr_html_(self) -> str:
        import tempfile

        with tempfile.TemporaryDirectory(prefix="iolite-") as folder:
            target = os.path.join(folder, "comparison.html")
            status, _, talk = run_command(["compare", "-o", target, *self._arguments], folder=self._folder)
            if not os.path.exists(target):
                raise Error(sentence(talk), status)
            with open(target, encoding="utf-8", errors="replace") as file:
                return page(file.read())


def compare(a: Union[Run, Sequence[Run]], b: Union[Run, Sequence[Run]], by_counters: bool = False) -> Comparison:
    """Compares one run with another, or one group of runs with another: `iolite compare --json A... -- B...`."""
    arguments = options([("--by-counters", by_counters)]) + ([*_paths(a), *_paths(b)] if by_counters
                                                               else [*_paths(a), "--", *_paths(b)])
    return Comparison(ask(["compare", "--json", *arguments]), arguments)
