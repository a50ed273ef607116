"""`python3 -m iolite.darshan summary LOG`: the report of a log, by the call that PyDarshan's documentation shows."""

import argparse
import os
import sys
from typing import List, Optional, Sequence

from .._ask import command, operand
from ..errors import Error


def _arguments(words: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m iolite.darshan", description="Reports of logs, as PyDarshan makes them.")
    tools = parser.add_subparsers(metavar="summary", required=True)
    summary = tools.add_parser("summary", description="Writes a page about a log: `iolite report`.")
    summary.add_argument("log_path", help="the log")
    summary.add_argument("--output", help="the file to write (default: LOG_report.html in this directory)")
    summary.add_argument("--enable_dxt_heatmap", action="store_true", help="has no effect: traced operations are always shown")
    summary.add_argument("--exclude_names", action="append", default=[], metavar="RE", help="leave out files whose name matches")
    summary.add_argument("--include_names", action="append", default=[], metavar="RE", help="only files whose name matches")
    return parser.parse_args(words)


def main(words: Optional[Sequence[str]] = None) -> int:
    given = _arguments(words)
    target = given.output or os.path.splitext(os.path.basename(given.log_path))[0] + "_report.html"
    options: List[str] = ["-o", operand(target)]
    for name in given.exclude_names:
        options += ["--exclude_names", name]
    for name in given.include_names:
        options += ["--include_names", name]
    import subprocess

    try:
        return subprocess.call([command(), "report", *options, "--", operand(given.log_path)])
    except Error as error:
        print(error, file=sys.stderr)
        return 4


if __name__ == "__main__":
    sys.exit(main())
