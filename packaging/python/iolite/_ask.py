"""Questions to the command `iolite`, in a process of its own: conclusions (findings, comparisons, rankings) are drawn there, so
that there is one place where they are drawn, and so that no log can harm the program that asks."""

import itertools
import json
import os
import re
import warnings
from typing import Any, Iterable, List, Optional, Sequence, Tuple, Union

from ._library import find_command
from .errors import DamageWarning, Error, NotThere

FOUND_SOMETHING, USAGE, INPUT = 1, 2, 3
_SENTENCES = 3
_NAME = re.compile(r"^iolite( [a-z-]+)?: ")


def command() -> str:
    found = find_command()
    if not found:
        raise NotThere("the command iolite is not found: install Iolite, or name it in IOLITE_COMMAND")
    return found


def run_command(arguments: Sequence[str], data: Optional[bytes] = None, folder: Optional[str] = None) -> Tuple[int, bytes, str]:
    """Exit status, output, and the lines on standard error. `folder` is where paths begin, if that is not this directory."""
    import subprocess

    environment = dict(os.environ, NO_COLOR="1", IOLITE_DISABLE="1")
    done = subprocess.run([command(), *arguments], input=data, stdin=None if data is not None else subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=folder)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def sentence(talk: str) -> str:
    """What a command said is wrong, without its name. Hints are left out; a list below a sentence is named in short: the first word of
    each line. Where it said several things, one may be the reason of the next."""
    lines = [line for line in talk.splitlines() if line.strip()]
    said = []
    for at, line in enumerate(lines):
        if not _NAME.match(line):
            continue
        words = _NAME.sub("", line)
        if words.endswith(":"):
            words += " " + ", ".join(more.split()[0] for more in itertools.takewhile(lambda more: more.startswith(" "), lines[at + 1:]))
        said.append(words)
    if len(said) > _SENTENCES:
        said[_SENTENCES:] = ["and %d more" % (len(said) - _SENTENCES)]
    return "; ".join(said) or (lines[0] if lines else "the command failed without a word")


def _unreadable(document: Any) -> Optional[str]:
    if isinstance(document, dict) and document.get("unreadable"):
        errors = document.get("errors") or [{}]
        return str(errors[0].get("message", "it cannot be read"))
    return None


def ask(arguments: Sequence[str], data: Optional[bytes] = None) -> Any:
    """The JSON document that a command prints. What is partly damaged gives a warning, everything else that goes wrong an
    Error."""
    status, output, talk = run_command(arguments, data)
    document = None
    if status in (0, FOUND_SOMETHING, INPUT) and output.strip():
        try:
            document = json.loads(output)
        except ValueError:
            raise Error("the answer of iolite %s is not JSON" % arguments[0], status) from None
    wrong = _unreadable(document)
    nothing = document is None or (status == INPUT and not document)  # rows of which none could be read
    if wrong or nothing:
        raise Error(wrong or sentence(talk), status)
    if status == INPUT and talk.strip():
        warnings.warn(sentence(talk), DamageWarning, stacklevel=4)
    return document


def options(pairs: Iterable[Tuple[str, Any]]) -> List[str]:
    """Options of a command: None and False are left out, True is a switch, a list is the option several times."""
    made: List[str] = []
    for name, value in pairs:
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            made += [name] if one is True else [name, str(one)]
    return made


def operand(path: Union[str, "os.PathLike[str]"]) -> str:
    """A path as an argument that no command takes for an option, or for standard input."""
    name = os.fspath(path)
    return os.path.join(os.curdir, name) if name.startswith("-") else name
