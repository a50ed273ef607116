#!/usr/bin/env python3
"""Which part of the house may include which: the tables of docs/design.md, checked on every #include.

Tests may look everywhere, because they stand outside of the parts. Prints each include that points the wrong way.
"""
import os
import re
import sys

MAY_KNOW = {
    "base": set(),
    "schema": set(),
    "text": {"base"},
    "record": {"schema"},
    "log": {"base", "schema", "record"},
    "runtime": {"schema", "record"},
    "insight": {"base", "text", "schema", "record", "log"},
    "report": {"base", "text", "schema", "record", "log", "insight"},
    "site": {"base", "text", "schema", "record", "log", "insight"},
    "mcp": {"base", "text", "schema", "record", "log", "site"},
    "live": {"base", "text", "schema", "record", "log", "insight"},
    "serve": {"base", "text", "schema", "record", "log", "insight", "report", "site", "mcp", "live"},
    "cmds": {"base", "text", "schema", "record", "log", "insight", "report", "site", "mcp", "live", "serve"},
}
# Rooms inside of a part, which may know less than the part: prefixes of what they include. A room knows itself.
SITE_DATA = ("site/connect/", "base/")
RUNTIME = ("runtime/core/", "runtime/functions.h", "schema/", "record/")
MODULES = ("runtime/custom/", "runtime/lustre/", "runtime/mpiio/", "runtime/posix/", "runtime/stdio/")
ROOMS = {
    "site/store/": ("site/fs_counters.def", "site/log_sums.def", "site/fs_sums.def", "site/curl.h", "site/sqlite_cut.h",
                    "base/", "log/error.h"),
    "site/alert/": ("site/store/", "site/site.h", "site/tree.h", "text/json.h", "site/query/sql.h", "site/query/query.h",
                    "insight/language/", "base/"),
    "site/connect/": ("site/tree.h", "site/index/names.h", "site/curl.h", "site/sqlite_cut.h", "base/", "text/", "schema/"),
    "site/series/": SITE_DATA + ("text/plain_file.h",),
    "site/analyze/": SITE_DATA + ("site/series/", "site/site.h", "insight/compare/statistics.h", "text/"),
    "site/library/": ("site/connect/", "site/series/", "site/analyze/"),
    "site/mpi/": (),
    # The runtime: the core knows no module, modules know the core, what writes logs knows both.
    "runtime/core/": RUNTIME,
    "runtime/pack/": RUNTIME,
    "runtime/lustre/": RUNTIME,
    "runtime/mpiio/": RUNTIME + ("runtime/where/where.h",),
    "runtime/lazy/": RUNTIME + ("runtime/posix/queues.def", "runtime/hdf5/hdf5.def", "runtime/pnetcdf/pnetcdf.def",
                                "runtime/mpi/names.def"),
    "runtime/posix/": RUNTIME + ("runtime/custom/maps.h", "runtime/lustre/", "runtime/lazy/", "runtime/where/where.h"),
    "runtime/stdio/": RUNTIME + ("runtime/lustre/", "runtime/posix/", "runtime/process/exec.h", "runtime/where/where.h"),
    "runtime/where/": RUNTIME + ("runtime/custom/", "runtime/lazy/"),
    "runtime/hdf5/": RUNTIME + ("runtime/lazy/", "runtime/where/where.h"),
    "runtime/pnetcdf/": RUNTIME + ("runtime/lazy/", "runtime/mpi/mpi.h"),
    "runtime/apmpi/": RUNTIME + ("runtime/mpi/mpi.h",),
    "runtime/custom/": RUNTIME + ("runtime/lazy/", "runtime/pack/", "runtime/posix/", "runtime/stdio/"),
    "runtime/output/": RUNTIME + MODULES + ("runtime/lazy/", "runtime/pack/", "runtime/process/exec.h"),
    "runtime/finalize/": RUNTIME + MODULES + ("runtime/output/", "runtime/pack/", "runtime/mpi/", "runtime/apmpi/"),
}
# Headers that only some files may see: who knows a library or a secret of the part.
ONLY = {"serve/microhttpd.h": ("serve/listen.c", "serve/microhttpd.c")}
# Public headers: everybody may see log.h and what a module author sees.
PUBLIC = {"iolite", "web", "generated"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def is_test(path):
    return re.search(r"_test(ing)?\.[ch]$", path) is not None


def files_of(part):
    for folder, _, names in os.walk(part):
        for name in names:
            if name.endswith((".c", ".h", ".def", ".S")):
                yield os.path.join(folder, name)


def is_known(path, target):
    """By the rules inside of a part."""
    if path not in ONLY.get(target, (path,)):
        return False
    for room, known in ROOMS.items():
        if path.startswith(room):
            return target.startswith((room, "iolite/") + known)
    return True


def main():
    wrong = 0
    for part, known in MAY_KNOW.items():
        for path in files_of(part):
            if is_test(path):
                continue
            with open(path, encoding="utf-8") as source:
                for target in INCLUDE.findall(source.read()):
                    other = target.split("/")[0]
                    if "/" not in target or (other in PUBLIC | {part} | known and is_known(path, target)):
                        continue
                    print(f"{path}: {os.path.dirname(path)} must not know {target}")
                    wrong += 1
    return 1 if wrong else 0


sys.exit(main())
