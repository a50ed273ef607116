#!/usr/bin/env python3
"""shift_job.py SECONDS IN OUT: a log of version 3.41 whose job began and ended that much later; nothing else changes."""
import struct
import sys
import zlib

HEADER, MAPS = 1328, 32
seconds, source, target = int(sys.argv[1]), sys.argv[2], sys.argv[3]
raw = open(source, "rb").read()
assert raw[:4] == b"3.41" and raw[16] == 0, "a log of 3.41 with zlib"
stream = zlib.decompressobj()
job = bytearray(stream.decompress(raw[HEADER:]))
rest = stream.unused_data
for at in (8, 24):  # start and end, each followed by nanoseconds
    struct.pack_into("<q", job, at, struct.unpack_from("<q", job, at)[0] + seconds)
packed = zlib.compress(bytes(job))
moved = HEADER + len(packed) - (len(raw) - len(rest))
header = bytearray(raw[:HEADER])
for place in range(65):  # names, then 64 modules
    at = MAPS + 16 * place
    offset = struct.unpack_from("<Q", header, at)[0]
    if offset:
        struct.pack_into("<Q", header, at, offset + moved)
open(target, "wb").write(bytes(header) + packed + rest)
