"""Recording a command."""

import os
from typing import Any, Mapping, Optional, Sequence, Union

from ._ask import command, options
from .errors import Error
from .log import Log

__all__ = ["Run", "run"]


class Run:
    """A command that ran: its exit status `returncode`, what it printed if that was captured, and its `log`."""

    def __init__(self, returncode: int, path: str, stdout: Any, stderr: Any) -> None:
        self.returncode = returncode
        self.path = path
        self.stdout = stdout
        self.stderr = stderr

    @property
    def log(self) -> Log:
        if not os.path.exists(self.path):
            raise Error("the command left no log: nothing of it was recorded")
        return Log(self.path)

    def __repr__(self) -> str:
        return "<iolite.Run status %d, log %r>" % (self.returncode, self.path)


def run(arguments: Sequence[Union[str, "os.PathLike[str]"]], log: Optional[Union[str, "os.PathLike[str]"]] = None, trace: bool = False,
        where: bool = False, env: Optional[Mapping[str, str]] = None, **keywords: Any) -> Run:
    """Runs a command, a list of words, and records its I/O: `iolite run -- COMMAND`. `log` is the file to write, a temporary one by
    default; `trace` records single operations, `where` the lines of code that make them. Other keywords go to subprocess.run()."""
    import subprocess
    import tempfile

    if isinstance(arguments, (str, bytes, os.PathLike)):
        raise TypeError('a command is a list of words, as in ["ls", "-l"]')
    words = [os.fspath(word) for word in arguments]
    if not words:
        raise Error("a command has at least one word")
    if log is None:
        log = os.path.join(tempfile.mkdtemp(prefix="iolite-"), "run.darshan")
    path = os.path.abspath(os.fspath(log))
    if os.path.exists(path):
        raise Error("%s exists" % path)
    done = subprocess.run([command(), "run", *options([("--trace", trace), ("--where", where)]), "-o", path, "--", *words],
                          env=env, **keywords)
    return Run(done.returncode, path, done.stdout, done.stderr)
