"""Mapped files that were made up, beside `iolite live`: whatever is in them, it ends with 0 and valid JSON, and takes little memory.

Usage: live_forged.py IOLITE DIRECTORY JOB..., where DIRECTORY has the mapped files of programs of these jobs.
"""
import fcntl
import glob
import json
import os
import resource
import struct
import subprocess
import sys

IOLITE, PLACE, *JOBS = sys.argv[1:]
MAPPED_AT, HEAD = 5424, 20480
PID_AT = MAPPED_AT + 16
NAME = f"{PLACE}/iolite-00000000deadbeef-{os.getpid()}-1.mapped"
ODD = (1, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1, (1 << 64) - 1, (1 << 64) - 20480)


def real_parts():
    """The head of a real file, and what else of it is on the disk: most of such a file is a hole."""
    paths = glob.glob(f"{PLACE}/iolite-run-*/*.mapped") + glob.glob(f"{PLACE}/iolite-*.mapped")
    with open(paths[0], "rb") as file:
        head, parts, at = bytearray(file.read(HEAD)), [], HEAD
        size = os.fstat(file.fileno()).st_size
        while at < size:
            try:
                at = os.lseek(file.fileno(), at, os.SEEK_DATA)
            except OSError:
                break
            end = os.lseek(file.fileno(), at, os.SEEK_HOLE)
            parts.append((at, os.pread(file.fileno(), end - at, at)))
            at = end
        return head, parts


def take_little():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def can_take_little():
    """A checked build needs more addresses than that for itself."""
    return subprocess.run([IOLITE, "--version"], capture_output=True, preexec_fn=take_little, check=False).returncode == 0


def look(limit=can_take_little()):
    """A look; how many processes it sees of the jobs."""
    done = subprocess.run([IOLITE, "live", "--ndjson", "--count", "2", "--interval", "0.1"], capture_output=True,
                          preexec_fn=take_little if limit else None, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr[-500:])
    looks = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(looks) == 2
    return sum(job["processes"] for job in looks[-1]["jobs"] if job["job_id"] in JOBS)


def with_file(head, parts=(), size=None):
    """The same while a file of this content is there, and in use."""
    with open(NAME, "wb") as file:
        file.write(head)
        for at, content in parts:
            file.seek(at)
            file.write(content)
        file.flush()
        if size:
            file.truncate(size)
        fcntl.flock(file, fcntl.LOCK_EX)
        return look()


def main():
    real, parts = real_parts()
    struct.pack_into("<i", real, PID_AT, os.getpid())
    before = look()
    assert with_file(real, parts) == before + 1  # a copy that is in use counts: so do the ones below, if they can be read
    # Places and lengths of names and modules, and the first words of the facts.
    for at in list(range(32, 1328, 8 * 13)) + [MAPPED_AT + 8, MAPPED_AT + 120, MAPPED_AT + 136]:
        forged = bytearray(real)
        struct.pack_into("<QQ", forged, at, ODD[at % len(ODD)], ODD[(at + 3) % len(ODD)])
        with_file(forged, parts)
    # Cut short, and far longer than what is on the disk.
    for cut in (0, 1, 1327, 5430, 8191, 20479):
        with_file(real[:cut])
    with_file(real, parts, 1 << 40)
    # Records of another process in their place
    with_file(real, [(at, os.urandom(len(content))) for at, content in parts])
    # Cut while it is being looked at.
    with open(NAME, "wb") as file:
        file.write(real)
        fcntl.flock(file, fcntl.LOCK_EX)
        child = subprocess.Popen([IOLITE, "live", "--ndjson", "--count", "20", "--interval", "0.1"], stdout=subprocess.DEVNULL)
        for size in (30000, 9000, 100, 0) * 5:
            file.truncate(size)
            os.pwrite(file.fileno(), real, 0)
        assert child.wait() == 0
    os.unlink(NAME)
    assert look() == before


main()
