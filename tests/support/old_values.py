#!/usr/bin/env python3
"""old_values.py OLD NEW...: do the values of a log of Darshan 1.x or 2.x equal those of the 3.41 log made from it?

A decoder of both formats that shares nothing with Iolite: layouts and counter names are written out here. Every counter
that has a place in the new log is compared, the others with the trailer section OLDC. Pairs of paths; exit status 1 when
anything differs.
"""
import bz2
import gzip
import json
import struct
import sys
import zlib

SIZES = "0_100 100_1K 1K_10K 10K_100K 100K_1M 1M_4M 4M_10M 10M_100M 100M_1G 1G_PLUS".split()
COMBINERS = (
    "NAMED DUP CONTIGUOUS VECTOR HVECTOR_INTEGER HVECTOR INDEXED HINDEXED_INTEGER HINDEXED INDEXED_BLOCK "
    "STRUCT_INTEGER STRUCT SUBARRAY DARRAY F90_REAL F90_COMPLEX F90_INTEGER RESIZED"
).split()
COMMON = ["STRIDE%d_STRIDE", "STRIDE%d_COUNT", "ACCESS%d_ACCESS", "ACCESS%d_COUNT"]
INTS = (
    "INDEP_OPENS COLL_OPENS INDEP_READS INDEP_WRITES COLL_READS COLL_WRITES SPLIT_READS SPLIT_WRITES NB_READS NB_WRITES "
    "SYNCS POSIX_READS POSIX_WRITES POSIX_OPENS POSIX_SEEKS POSIX_STATS POSIX_MMAPS POSIX_FREADS POSIX_FWRITES "
    "POSIX_FOPENS POSIX_FSEEKS POSIX_FSYNCS POSIX_FDSYNCS INDEP_NC_OPENS COLL_NC_OPENS HDF5_OPENS"
).split()
INTS += ["COMBINER_" + c for c in COMBINERS]
INTS += (
    "HINTS VIEWS MODE BYTES_READ BYTES_WRITTEN MAX_BYTE_READ MAX_BYTE_WRITTEN CONSEC_READS CONSEC_WRITES SEQ_READS "
    "SEQ_WRITES RW_SWITCHES MEM_NOT_ALIGNED MEM_ALIGNMENT FILE_NOT_ALIGNED FILE_ALIGNMENT MAX_READ_TIME_SIZE "
    "MAX_WRITE_TIME_SIZE"
).split()
for run in "SIZE_READ SIZE_WRITE SIZE_READ_AGG SIZE_WRITE_AGG EXTENT_READ EXTENT_WRITE".split():
    INTS += [run + "_" + size for size in SIZES]
for form in COMMON:
    INTS += [form % n for n in (1, 2, 3, 4)]
INTS += "DEVICE SIZE_AT_OPEN FASTEST_RANK FASTEST_RANK_BYTES SLOWEST_RANK SLOWEST_RANK_BYTES".split()
REALS = (
    "OPEN_TIMESTAMP READ_START_TIMESTAMP WRITE_START_TIMESTAMP CLOSE_TIMESTAMP READ_END_TIMESTAMP WRITE_END_TIMESTAMP "
    "POSIX_READ_TIME POSIX_WRITE_TIME POSIX_META_TIME MPI_META_TIME MPI_READ_TIME MPI_WRITE_TIME MAX_READ_TIME "
    "MAX_WRITE_TIME FASTEST_RANK_TIME SLOWEST_RANK_TIME VARIANCE_RANK_TIME VARIANCE_RANK_BYTES"
).split()
assert len(INTS) == 144 and len(REALS) == 18
SINCE = {n: 122 for n in "INDEP_NC_OPENS COLL_NC_OPENS HDF5_OPENS MAX_READ_TIME_SIZE MAX_WRITE_TIME_SIZE".split()}
SINCE.update({n: 122 for n in ("MAX_READ_TIME", "MAX_WRITE_TIME")})
SINCE.update({n: 123 for n in ("DEVICE", "SIZE_AT_OPEN")})
SINCE.update({n: 200 for n in INTS + REALS if "_RANK" in n})

# Counters of the new records, in storage order.
BUCKETS = lambda prefix: [prefix + "_" + size for size in SIZES]
EXTREMES = "FASTEST_RANK FASTEST_RANK_BYTES SLOWEST_RANK SLOWEST_RANK_BYTES".split()
TIMES = (
    "OPEN_START_TIMESTAMP READ_START_TIMESTAMP WRITE_START_TIMESTAMP CLOSE_START_TIMESTAMP OPEN_END_TIMESTAMP "
    "READ_END_TIMESTAMP WRITE_END_TIMESTAMP CLOSE_END_TIMESTAMP READ_TIME WRITE_TIME META_TIME MAX_READ_TIME "
    "MAX_WRITE_TIME FASTEST_RANK_TIME SLOWEST_RANK_TIME VARIANCE_RANK_TIME VARIANCE_RANK_BYTES"
).split()
POSIX = (
    "OPENS FILENOS DUPS READS WRITES SEEKS STATS MMAPS FSYNCS FDSYNCS RENAME_SOURCES RENAME_TARGETS RENAMED_FROM MODE "
    "BYTES_READ BYTES_WRITTEN MAX_BYTE_READ MAX_BYTE_WRITTEN CONSEC_READS CONSEC_WRITES SEQ_READS SEQ_WRITES RW_SWITCHES "
    "MEM_NOT_ALIGNED MEM_ALIGNMENT FILE_NOT_ALIGNED FILE_ALIGNMENT MAX_READ_TIME_SIZE MAX_WRITE_TIME_SIZE"
).split()
POSIX += BUCKETS("SIZE_READ") + BUCKETS("SIZE_WRITE")
for form in COMMON:
    POSIX += [form % n for n in (1, 2, 3, 4)]
POSIX += EXTREMES
MPIIO = (
    "INDEP_OPENS COLL_OPENS INDEP_READS INDEP_WRITES COLL_READS COLL_WRITES SPLIT_READS SPLIT_WRITES NB_READS NB_WRITES "
    "SYNCS HINTS VIEWS MODE BYTES_READ BYTES_WRITTEN RW_SWITCHES MAX_READ_TIME_SIZE MAX_WRITE_TIME_SIZE"
).split()
MPIIO += BUCKETS("SIZE_READ_AGG") + BUCKETS("SIZE_WRITE_AGG")
for form in COMMON[2:]:
    MPIIO += [form % n for n in (1, 2, 3, 4)]
MPIIO += EXTREMES
assert (len(POSIX), len(MPIIO), len(TIMES)) == (69, 51, 17)
RENAMED = {"OPEN_TIMESTAMP": "OPEN_START_TIMESTAMP", "CLOSE_TIMESTAMP": "CLOSE_END_TIMESTAMP"}


def read_old(path):
    raw = open(path, "rb").read()
    raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else bz2.decompress(raw) if raw[:3] == b"BZh" else raw
    version = raw[:8].rstrip(b"\0").decode()
    first = version[0] == "1"
    order = ">" if first or raw[8:16] == struct.pack(">q", 6567223) else "<"
    area = 4096 if version >= "2.04" else 1024
    knows = {"1.21": 121, "1.22": 122, "1.23": 123, "1.24": 123}.get(version, 200)
    if version == "2.00" and (len(raw) - area) % 1328:
        knows = 123
    ints = [n for n in INTS if SINCE.get(n, 121) <= knows]
    reals = [n for n in REALS if SINCE.get(n, 121) <= knows]
    size = 32 + 8 * (len(ints) + len(reals))
    records = []
    for at in range(area, len(raw) - size + 1, size):
        piece = raw[at : at + size]
        (ident,) = struct.unpack_from(order + "Q", piece, 0)
        (rank,) = struct.unpack_from(order + ("i" if first else "q"), piece, 8)
        begin = 16 if first else 32
        values = dict(zip(ints, struct.unpack_from(order + "%dq" % len(ints), piece, begin)))
        values.update(zip(reals, struct.unpack_from(order + "%dd" % len(reals), piece, begin + 8 * len(ints))))
        records.append((ident, rank, values))
    return records


def inflate_all(data):
    out = b""
    while data:
        stream = zlib.decompressobj()
        out += stream.decompress(data)
        data = stream.unused_data
    return out


def read_new(path):
    raw = open(path, "rb").read()
    assert raw[:4] == b"3.41" and raw[16] == 0, "a log of 3.41 with zlib"
    module = lambda slot: inflate_all(raw[slice(*(lambda o, n: (o, o + n))(*struct.unpack_from("<QQ", raw, 48 + 16 * slot)))])
    records = {}
    for slot, ints, reals in ((1, POSIX, TIMES), (2, MPIIO, TIMES)):
        data, size = module(slot), 16 + 8 * (len(ints) + len(reals))
        for at in range(0, len(data), size):
            ident, rank = struct.unpack_from("<Qq", data, at)
            values = dict(zip(ints, struct.unpack_from("<%dq" % len(ints), data, at + 16)))
            values.update(zip(reals, struct.unpack_from("<%dd" % len(reals), data, at + 16 + 8 * len(ints))))
            records[(slot, ident, rank)] = values
    for slot, size, count in ((3, 80, 0), (5, 152, 1)):
        data = module(slot)
        for at in range(0, len(data), size):
            ident, rank = struct.unpack_from("<Qq", data, at)
            records[(slot, ident, rank)] = {"OPENS": struct.unpack_from("<q", data, at + 16 + 8 * count)[0]}
    rest = {}
    if raw[-32:-24] == b"IOLTRAIL":
        begin, length = struct.unpack_from("<QQ", raw, len(raw) - 16)
        at = begin
        while at < begin + length:
            tag, method, stored, plain = struct.unpack_from("<4sIQQ", raw, at)
            body = raw[at + 24 : at + 24 + stored]
            at += 24 + stored
            if tag == b"OLDC":
                for line in (body if method == 0 else zlib.decompress(body)).decode().splitlines():
                    entry = json.loads(line)
                    rest[(int(entry.pop("id")), entry.pop("rank"))] = entry
    return records, rest


def same(old, new):
    return struct.pack("<d", old) == struct.pack("<d", new) if isinstance(old, float) else old == new


def compare(old_path, new_path):
    compared, wrong = 0, []
    new, rest = read_new(new_path)
    for ident, rank, old in read_old(old_path):
        mpi = any(old[n] > 0 for n in INTS[:11] + ["VIEWS"])
        layers = {1: new.get((1, ident, rank)), 2: new.get((2, ident, rank))}
        if (layers[2] is not None) != mpi or not any(new.get((slot, ident, rank)) for slot in (1, 2, 3, 5)):
            wrong.append("%d: a record is missing, or too many" % ident)
            continue
        for name in INTS + REALS:
            homes = []
            plain = name.replace("POSIX_", "")
            if name in INTS:
                if name.startswith("POSIX_") and plain in POSIX or name in POSIX and not name.startswith("POSIX_"):
                    if not (name == "MODE" and mpi) and name not in ("OPENS",):
                        homes.append((1, plain))
                if name in MPIIO and "ACCESS" not in name and "TIME_SIZE" not in name and name != "RW_SWITCHES":
                    homes.append((2, name))
            elif name.startswith("POSIX_"):
                homes.append((1, plain))
            elif name.startswith("MPI_"):
                homes.append((2, name[4:]))
            else:
                homes.append((1, RENAMED.get(name, name)))
                if not name.startswith("MAX_"):
                    homes.append((2, RENAMED.get(name, name)))
            for layer, home in homes:
                if layers[layer] is None:
                    continue
                compared += 1
                value = old.get(name, -1 if name in INTS else -1.0)
                if not same(value, layers[layer][home]):
                    wrong.append("%d: CP_%s %r became %r in slot %d" % (ident, name, value, layers[layer][home], layer))
            if all(layers[layer] is None for layer, home in homes) and name in old and name != "HDF5_OPENS":
                compared += 1
                if rest.get((ident, rank), {}).get(("CP_" if name in INTS else "CP_F_") + name, 0) != old[name]:
                    wrong.append("%d: CP_%s %r is not in OLDC" % (ident, name, old[name]))
        for slot, value in ((3, old.get("HDF5_OPENS", 0)), (5, old.get("INDEP_NC_OPENS", 0) + old.get("COLL_NC_OPENS", 0))):
            compared += 1
            if new.get((slot, ident, rank), {"OPENS": 0})["OPENS"] != value:
                wrong.append("%d: opens of slot %d are not %d" % (ident, slot, value))
    print("%s: %d values compared, %d differ" % (old_path.split("/")[-1], compared, len(wrong)))
    for line in wrong[:10]:
        print("  " + line)
    return compared > 0 and not wrong


if __name__ == "__main__":
    pairs = list(zip(sys.argv[1::2], sys.argv[2::2]))
    sys.exit(0 if pairs and all([compare(a, b) for a, b in pairs]) else 1)
