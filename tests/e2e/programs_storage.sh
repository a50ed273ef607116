#!/usr/bin/env bash
# Programs that live from their I/O, sqlite3, git and fio, behave as without Iolite, and what they do is in the log.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/programs.bash"

# sqlite3 ---------------------------------------------------------------------------------------------------------

given() {
    cat >script.sql <<'END'
CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, value REAL);
BEGIN;
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 5000)
    INSERT INTO t SELECT x, 'name of ' || x, x * 1.5 FROM c;
COMMIT;
CREATE INDEX by_name ON t (name);
DELETE FROM t WHERE id % 3 = 0;
SELECT count(*), sum(value) FROM t;
VACUUM;
PRAGMA integrity_check;
END
}

if have sqlite3; then
    both "sqlite3" sh -c 'sqlite3 data.db <script.sql'
    expect data.db POSIX_BYTES_WRITTEN -ge "$(was data.db)"
    expect data.db POSIX_OPENS -ge 1
    expect data.db 'POSIX_FSYNCS|POSIX_FDSYNCS' -ge 3
    expect data.db-journal POSIX_BYTES_WRITTEN -ge 512

    both "sqlite3, write-ahead log" sh -c '
        (echo "PRAGMA journal_mode=WAL;"; cat script.sql) | sqlite3 data.db
        sqlite3 data.db "SELECT name FROM t WHERE id > 4990"'
    expect data.db-wal POSIX_BYTES_WRITTEN -ge 10000
    [ "$processes" -ge 3 ] || fail "$label: $processes processes in the log"
fi

# git -------------------------------------------------------------------------------------------------------------

given() {
    mkdir project
    for i in 1 2 3 4 5 6 7 8; do seq "$i" $((i * 700)) >"project/file$i"; done
    cat >script <<'END'
set -e
cd project
git init -q -b main .
git config pack.threads 1
git config gc.auto 0
git add .
git commit -q -m first
for i in 1 2 3; do echo "line $i" >>file$i; git commit -q -a -m "change $i"; done
git checkout -q -b side HEAD~1
echo side >side && git add side && git commit -q -m side
git checkout -q main
git merge -q -m merged side
git log --format='%h %s' --stat
git gc -q
git fsck
cd ..
git clone -q --no-hardlinks project clone
git -C clone log --oneline
git -C clone diff --stat HEAD~2
END
}

if have git; then
    export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
    export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'
    volatile='/\.git/index$'
    both "git" sh script
    volatile='^$'
    pack=$(cd "$here" && echo project/.git/objects/pack/*.pack)
    expect 'project/.git/objects/*' POSIX_BYTES_WRITTEN -ge "$(was "$pack")"
    expect 'clone/.git/objects/*' POSIX_BYTES_WRITTEN -ge "$(was "$pack")"
    expect 'clone/file*' POSIX_BYTES_WRITTEN "$(cat "$here"/clone/file* | wc -c)"
    expect 'project/file*' POSIX_BYTES_READ -ge 1
    [ "$processes" -ge 20 ] || fail "$label: $processes processes in the log"
fi

# fio -------------------------------------------------------------------------------------------------------------

given() { head -c 1048576 /dev/zero >input; }
job=(--ioengine=psync --bs=4k --size=1m --fallocate=none --zero_buffers=1 --invalidate=0 --output=/dev/null)

if have fio; then
    both "fio, writes" fio --name=w --filename=output --rw=write --end_fsync=1 "${job[@]}"
    expect output POSIX_WRITES 256
    expect output POSIX_BYTES_WRITTEN 1048576
    expect output POSIX_FSYNCS 1
    expect output POSIX_SIZE_WRITE_1K_10K 256

    both "fio, random reads" fio --name=r --filename=input --rw=randread "${job[@]}"
    expect input POSIX_READS 256
    expect input POSIX_BYTES_READ 1048576

    both "fio, two processes" fio --name=p --numjobs=2 --filename_format='part.$jobnum' --rw=randwrite "${job[@]}"
    for part in 0 1; do
        expect part.$part POSIX_WRITES 256
        expect part.$part POSIX_BYTES_WRITTEN 1048576
    done

    both "fio, two threads on one file" fio --name=t --thread --numjobs=2 --filename=input --rw=randread "${job[@]}"
    expect input POSIX_READS 512
    expect input POSIX_BYTES_READ 2097152
fi

finish
