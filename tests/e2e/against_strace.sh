#!/usr/bin/env bash
# What the log says of real programs is what strace sees of them, file by file and counter by counter.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/programs.bash"
compare=$(cd "$(dirname "$0")/../support" && pwd -P)/against_strace.sh
strace -f -o /dev/null true 2>/dev/null || exit 77
export IOLITE_BIN=$bin

# agrees LABEL FILES ARGUMENTS...: strace and the log agree, on at least FILES files.
agrees() {
    local label=$1 files=$2 compared
    shift 2
    "$compare" "$@" >"$work/compared" || {
        fail "$label: $(tail -n 1 "$work/compared")"
        head -n 30 "$work/compared" | sed 's/^/    /' >&2
        return
    }
    compared=$(sed -n 's/.* counters of \([0-9]*\) files.*/\1/p' "$work/compared")
    [ "$compared" -ge "$files" ] || fail "$label: only $compared files compared"
}

# shellcheck disable=SC2016
tree='mkdir -p tree/deep; seq 1 30000 >data
    for i in 1 2 3; do seq 1 ${i}000 >tree/$i; seq 1 ${i}500 >tree/deep/$i; done'

agrees "cp" 2 -p "$tree" "$here" cp data copy
agrees "cp with read and write" 2 -p "$tree" "$here" cp --reflink=never data copy
agrees "cp -r" 12 -p "$tree" "$here" cp -r tree copied
agrees "dd" 2 -p "$tree" "$here" dd if=data of=copy bs=1000 conv=fsync status=none
agrees "dd with seeks" 2 -p "$tree" "$here" dd if=data of=copy bs=1000 skip=7 seek=9 count=20 conv=fdatasync status=none
agrees "cat" 2 -p "$tree" "$here" cat data tree/1
agrees "tar" 7 -p "$tree" "$here" tar -cf tree.tar tree
agrees "tar, unpacked" 7 -p "$tree; tar -cf tree.tar tree; rm -r tree" "$here" tar -xf tree.tar
agrees "gzip" 2 -p "$tree" "$here" gzip -n data
agrees "a pipeline" 2 -p "$tree" "$here" sh -c 'cat data tree/2 | tail -n 5'

python=/usr/bin/python3
[ -x $python ] || python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
if [ -n "$python" ]; then
    cat >"$work/calls.py" <<'END'
import os
a = os.open("data", os.O_RDONLY)
b = os.open("raw", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
for size in (0, 1, 100, 4096, 70000): os.write(b, os.read(a, size))
os.lseek(a, 0, os.SEEK_SET); os.lseek(b, -5, os.SEEK_END)
os.pwrite(b, b"123", 50); os.pread(a, 10, 500)
os.writev(b, [b"ab", b"cde"]); os.readv(a, [bytearray(7), bytearray(9)])
os.pwritev(b, [b"x"], 10); os.preadv(a, [bytearray(3)], 4)
os.sendfile(os.open("sent", os.O_WRONLY | os.O_CREAT), a, 100, 5000)
os.copy_file_range(a, os.open("copied", os.O_WRONLY | os.O_CREAT), 3000)
os.fsync(b); os.fdatasync(b)
c = os.dup(a); os.read(c, 5); os.dup2(a, 20); os.read(20, 6); os.closerange(20, 22)
os.stat("data"); os.fstat(a); os.lstat("raw"); os.stat("tree")
for i in range(20):
    fd = os.open("tree/1", os.O_RDONLY); os.read(fd, 100); os.close(fd)
if os.fork() == 0:
    os.read(a, 11); os.write(b, b"child"); os.read(os.open("tree/2", os.O_RDONLY), 12); os._exit(0)
os.wait()
d = os.open("tree", os.O_RDONLY | os.O_DIRECTORY); e = os.open("3", os.O_RDONLY, dir_fd=d); os.read(e, 13)
os.chdir("tree/deep"); os.read(os.open("../deep/./1", os.O_RDONLY), 14)
END
    agrees "Python's os" 7 -p "$tree" "$here" "$python" -S -E "$work/calls.py"
fi

if have sqlite3; then
    echo 'CREATE TABLE t (x); WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000)
        INSERT INTO t SELECT hex(x) FROM c; CREATE INDEX i ON t (x);
        DELETE FROM t WHERE x < 1000; VACUUM;' >"$work/script.sql"
    agrees "sqlite3" 2 "$here" sh -c "sqlite3 data.db <'$work/script.sql'"
fi

if have fio; then
    job="--ioengine=psync --bs=4k --size=256k --fallocate=none --zero_buffers=1 --invalidate=0 --output=/dev/null"
    # shellcheck disable=SC2086
    agrees "fio" 1 "$here" fio --name=w --filename=output --rw=randwrite --end_fsync=1 $job
    # shellcheck disable=SC2086
    agrees "fio, two processes" 2 "$here" fio --name=w --numjobs=2 '--filename_format=part.$jobnum' --rw=write $job
fi

if have git; then
    export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
    export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'
    # Temporary names are random. git looks again at files that changed in the second in which it wrote its index, so
    # how often it reads and asks for those depends on the clock. Its lock of gc holds its process id, of any length.
    random='s/(tmp_(obj|pack|idx|rev)|packs|refs)_[A-Za-z0-9]+/\1/; s/\.tmp-[0-9]+-/.tmp-/'
    random+='; s/\.git\/t[A-Za-z0-9]{6}\t/.git\/t\t/'
    agrees "git" 20 -p "$tree" -n "$random" \
        -x '(/(tree/.*|data|\.git/index|\.git/gc\.pid\.lock) )' "$here" \
        sh -c 'git init -q -b main . && git config pack.threads 1 && git add . && git commit -q -m one && git gc -q'
fi

finish
