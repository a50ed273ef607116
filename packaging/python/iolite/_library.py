"""The C library, loaded once: where it is, and what its functions take. include/iolite/log.h is the reference."""

import ctypes
import glob
import os
import shutil
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from functools import lru_cache
from typing import List, Optional

from .errors import NotThere

OK, END, SYSTEM, NOT_A_LOG, UNSUPPORTED, DAMAGED, LIMIT, INVALID = range(8)
INT, UINT, REAL, TEXT = range(4)
RECORDS, PARTS = range(2)
NO_OFFSET = 2**64 - 1


class CError(ctypes.Structure):
    _fields_ = [("status", c_int), ("slot", c_int), ("offset", c_uint64), ("message", c_char * 400)]


class CJob(ctypes.Structure):
    _fields_ = [("uid", c_int64), ("start_seconds", c_int64), ("start_nanoseconds", c_int64), ("end_seconds", c_int64),
                ("end_nanoseconds", c_int64), ("processes", c_int64), ("job_id", c_int64), ("run_time", c_double),
                ("exe", c_char_p)]


class CInfo(ctypes.Structure):
    """The beginning of iol_info; it may grow."""

    _fields_ = [("path", c_char_p), ("version", c_char * 9), ("minor", c_int), ("compression", c_int),
                ("foreign_order", c_bool), ("mapped", c_bool), ("file_bytes", c_uint64), ("job_bytes", c_uint64),
                ("name_bytes", c_uint64), ("partial_flags", c_uint64), ("job_damaged", c_bool)]


class CModule(ctypes.Structure):
    _fields_ = [("slot", c_int), ("name", c_char_p), ("offset", c_uint64), ("length", c_uint64), ("version", ctypes.c_uint),
                ("partial", c_bool)]


class CCounter(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("meaning", c_char_p), ("kind", c_int)]


def _prefix() -> str:
    """Of an installation, whose share/iolite/python/iolite this file is in."""
    return os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..", ".."))


def _below(prefix: str, name: str) -> Optional[str]:
    for folder in ("lib", "lib64", os.path.join("lib", "*")):
        found: List[str] = sorted(glob.glob(os.path.join(glob.escape(prefix), folder, name)))
        if found:
            return found[0]
    return None


def find_command() -> Optional[str]:
    """The program `iolite`: IOLITE_COMMAND, else the one of this installation, else the first in PATH."""
    own = os.path.join(_prefix(), "bin", "iolite")
    return os.environ.get("IOLITE_COMMAND") or (own if os.access(own, os.X_OK) else shutil.which("iolite"))


def _find_library() -> str:
    name = "libiolite-log.so.0"
    named = os.environ.get("IOLITE_LOG_LIBRARY") or _below(_prefix(), name)
    command = find_command()
    if not named and command:
        named = _below(os.path.dirname(os.path.dirname(os.path.realpath(command))), name)
    return named or name


@lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """libiolite-log: IOLITE_LOG_LIBRARY, else the one beside this package or the command, else what the loader finds."""
    try:
        return _with_types(ctypes.CDLL(_find_library()))
    except (AttributeError, OSError) as error:
        raise NotThere("libiolite-log cannot be loaded: %s; install Iolite, or name it in IOLITE_LOG_LIBRARY" % error) from None


def _with_types(c: ctypes.CDLL) -> ctypes.CDLL:
    error = POINTER(CError)
    texts = POINTER(c_char_p)
    for name, arguments, result in (
        ("iol_version", [], c_int),
        ("iol_log_open", [c_char_p, POINTER(c_void_p), error], c_int),
        ("iol_log_open_memory", [c_char_p, c_size_t, c_char_p, POINTER(c_void_p), error], c_int),
        ("iol_log_close", [c_void_p], None),
        ("iol_log_error_count", [c_void_p], c_size_t),
        ("iol_log_error", [c_void_p, c_size_t], error),
        ("iol_log_info", [c_void_p], POINTER(CInfo)),
        ("iol_log_job", [c_void_p], POINTER(CJob)),
        ("iol_log_metadata", [c_void_p, c_size_t, texts, texts], c_int),
        ("iol_log_mount", [c_void_p, c_size_t, texts, texts], c_int),
        ("iol_log_module", [c_void_p, c_int, POINTER(CModule)], c_int),
        ("iol_log_name_count", [c_void_p], c_size_t),
        ("iol_log_name_at", [c_void_p, c_size_t, POINTER(c_uint64), texts], c_int),
        ("iol_module_find", [c_char_p], c_int),
        ("iol_status_text", [c_int], c_char_p),
        ("iol_counter_count", [c_int], c_size_t),
        ("iol_counter_at", [c_int, c_size_t, POINTER(CCounter)], c_int),
        ("iol_table_open", [c_void_p, c_int, c_int, POINTER(c_void_p)], c_int),
        ("iol_table_close", [c_void_p], None),
        ("iol_table_columns", [c_void_p], c_size_t),
        ("iol_table_column", [c_void_p, c_size_t, POINTER(CCounter)], c_int),
        ("iol_table_fill", [c_void_p, POINTER(c_void_p), c_size_t, POINTER(c_size_t)], c_int),
        ("iol_table_texts", [c_void_p, c_size_t, POINTER(c_void_p), POINTER(c_size_t), POINTER(c_size_t)], c_int),
    ):
        function = getattr(c, name)
        function.argtypes = arguments
        function.restype = result
    return c


def text_of(value: Optional[bytes]) -> str:
    """Text of a log as the commands print it: what is not UTF-8 becomes U+FFFD."""
    return (value or b"").decode("utf-8", "replace")
