"""Marks in a Python program: `with iolite.region("checkpoint"): ...`, and the same as a decorator.

Iolite then shows what the program read and wrote while it was in which region. One file without dependencies: a program that
must run where Iolite is not installed may carry a copy of it under the name iolite.py. Without Iolite in the process nothing
happens."""


import contextlib
import ctypes
from typing import Any, Optional

__all__ = ["active", "begin", "end", "now", "region"]

_Mark = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_Now = ctypes.CFUNCTYPE(ctypes.c_double)


class _Functions(ctypes.Structure):
    """The beginning of iolite_functions in iolite.h."""

    _fields_ = [("bytes", ctypes.c_size_t), ("region_begin", _Mark), ("region_end", _Mark), ("now", _Now)]


def _find() -> Optional[_Functions]:
    try:
        ask = ctypes.CDLL(None).iolite_interface
    except (AttributeError, OSError, TypeError):
        return None
    ask.restype = ctypes.POINTER(_Functions)
    functions = ask()
    if not functions or functions.contents.bytes < ctypes.sizeof(_Functions):
        return None
    found: _Functions = functions.contents
    return found


_functions = _find()


def active() -> bool:
    """Whether Iolite is in the process."""
    return _functions is not None


def begin(name: str) -> None:
    """Begins a region; regions may lie inside one another."""
    if _functions:
        _functions.region_begin(name.encode("utf-8", "surrogateescape"))


def end(name: str) -> None:
    """Ends the innermost region of this name."""
    if _functions:
        _functions.region_end(name.encode("utf-8", "surrogateescape"))


def now() -> float:
    """Seconds since the start of the run; -1 without Iolite."""
    return float(_functions.now()) if _functions else -1.0


class region(contextlib.ContextDecorator):
    """A region as long as a `with` block or a function."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> "region":
        begin(self.name)
        return self

    def __exit__(self, *exception: Any) -> None:
        end(self.name)
