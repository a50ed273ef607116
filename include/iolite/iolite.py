"""Marks in a Python program, for Iolite to show: what it read and wrote while it was busy with what.

    import iolite

    with iolite.region("checkpoint"):
        ...

    @iolite.region("load")
    def load(path):
        ...

One file, no dependencies: copy it, or put its directory on PYTHONPATH. Without Iolite in the process nothing happens.
"""

import contextlib
import ctypes

__all__ = ["active", "begin", "end", "now", "region"]

_Mark = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_Now = ctypes.CFUNCTYPE(ctypes.c_double)


class _Functions(ctypes.Structure):
    """The beginning of iolite_functions in iolite.h."""

    _fields_ = [("bytes", ctypes.c_size_t), ("region_begin", _Mark), ("region_end", _Mark), ("now", _Now)]


def _find():
    try:
        ask = ctypes.CDLL(None).iolite_interface
    except (AttributeError, OSError, TypeError):
        return None
    ask.restype = ctypes.POINTER(_Functions)
    functions = ask()
    if not functions or functions.contents.bytes < ctypes.sizeof(_Functions):
        return None
    return functions.contents


_functions = _find()


def active():
    """Whether Iolite is in the process."""
    return _functions is not None


def begin(name):
    if _functions:
        _functions.region_begin(name.encode("utf-8", "surrogateescape"))


def end(name):
    if _functions:
        _functions.region_end(name.encode("utf-8", "surrogateescape"))


def now():
    """Seconds since the start of the run; -1 without Iolite."""
    return _functions.now() if _functions else -1.0


class region(contextlib.ContextDecorator):
    """A region as long as a `with` block or a function."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        begin(self.name)
        return self

    def __exit__(self, *exception):
        end(self.name)
        return False
