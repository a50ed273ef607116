#!/usr/bin/env bash
# The index under bad luck and malice: killed at any moment, two at once, a locked or full database, one of another version,
# something that is not a database, and a tree with everything in it that a user can plant.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
make=$tools/make-centre
[ -x "$make" ] || { echo "skipped: no make-centre" >&2; exit 77; }
command -v sqlite3 >/dev/null || { echo "skipped: no sqlite3 to look into the index with" >&2; exit 77; }

"$make" --logs 400 --large 2 --broken 20 "$work/centre" || fail "make-centre"
site=$work/centre/site.json
all=(--site "$site" --accounting "$work/centre/sacct.txt" --accounting "$work/centre/entries.txt")
# Some logs are broken, so the status is 3.
undisturbed() { timeout 100 "$iolite" index -q --store "$1" "${all[@]}"; [ $? = 3 ] || fail "the status should be 3"; }
undisturbed "$work/calm.db"
normal "$work/calm.db" >"$work/calm"
[ "$(wc -l <"$work/calm")" -gt 1000 ] || fail "there is hardly anything in the index"

# The same by one thread and by four, and again
"$iolite" index -q -j 4 --store "$work/four.db" "${all[@]}"
cmp -s "$work/calm" <(normal "$work/four.db") || fail "the number of threads shows"
"$iolite" index -q --again --store "$work/four.db" "${all[@]}"
cmp -s "$work/calm" <(normal "$work/four.db") || fail "reading everything again changes something"

# Killed, again and again; then to the end
kills=${IOLITE_KILLS:-4}
RANDOM=7
for ((i = 0; i < kills; i++)); do
    timeout -s KILL "0.$(printf '%02d' $((RANDOM % 40)))" "$iolite" index -q --store "$work/killed.db" "${all[@]}" 2>/dev/null
    [ ! -f "$work/killed.db" ] || "$iolite" rank --store "$work/killed.db" >/dev/null 2>&1
done
timeout 100 "$iolite" index -q --store "$work/killed.db" "${all[@]}" 2>/dev/null
cmp -s "$work/calm" <(normal "$work/killed.db") || fail "killed indexers leave something else"

# Two at once
"$iolite" index -q -j 1 --store "$work/both.db" "${all[@]}" 2>/dev/null &
"$iolite" index -q -j 1 --store "$work/both.db" "${all[@]}" 2>/dev/null
wait
cmp -s "$work/calm" <(normal "$work/both.db") || fail "two indexers at once make something else"

# Locked: who cannot wait says so, and nothing is lost
mkfifo "$work/hold"
sqlite3 "$work/both.db" <"$work/hold" >"$work/held" &
exec 7>"$work/hold"
printf '.timeout 60000\nBEGIN EXCLUSIVE;\nSELECT 1;\n' >&7
until_true test -s "$work/held"
cp "$demo" "$work/centre/logs/new.darshan"
IOLITE_STORE_TIMEOUT=0 status 4 timeout 60 "$iolite" index -q --store "$work/both.db" "$work/centre/logs/new.darshan"
grep -q 'another process is writing' "$work/err" || fail "a locked database is not reported: $(cat "$work/err")"
exec 7>&-
wait
status 0 "$iolite" index --json --store "$work/both.db" "$work/centre/logs/new.darshan"
has '"added": 1'
rm "$work/centre/logs/new.darshan"

# No room
(ulimit -f 200; timeout 60 "$iolite" index -q --store "$work/full.db" "${all[@]}") 2>"$work/err"
[ $? = 4 ] || fail "no room is no trouble"
[ -s "$work/err" ] || fail "no room is not reported"
undisturbed "$work/full.db"
cmp -s "$work/calm" <(normal "$work/full.db") || fail "something was lost when there was no room"

# Of another version, or no index at all
cp "$work/calm.db" "$work/version.db"
sqlite3 "$work/version.db" "UPDATE meta SET value = '99' WHERE name = 'schema'"
for command in "rank" "index -q $demo"; do
    # shellcheck disable=SC2086
    status 3 "$iolite" $command --store "$work/version.db"
    grep -q 'made by a newer Iolite' "$work/err" || fail "$command: a newer index is not reported"
done
sqlite3 "$work/version.db" "UPDATE meta SET value = '0' WHERE name = 'schema'; DROP TABLE day_fs"
status 3 "$iolite" rank --store "$work/version.db"
grep -q 'made by an older Iolite' "$work/err" || fail "an older index is not reported"
# What a version 3 had: an index that nothing uses now, and no column for programs that could not be recorded
cp "$work/calm.db" "$work/three.db"
sqlite3 "$work/three.db" "DROP INDEX job_by_lost; DROP INDEX job_by_bytes; CREATE INDEX job_lost ON job (lost);
    ALTER TABLE job DROP COLUMN missed; ALTER TABLE sched DROP COLUMN missed; UPDATE meta SET value = '3' WHERE name = 'schema'" ||
    fail "tables of version 3 cannot be made"
status 3 "$iolite" rank --store "$work/three.db"
status 0 "$iolite" index -q --store "$work/three.db" "${all[@]}" # broken logs are known
cmp -s "$work/calm" <(normal "$work/three.db") || fail "an index that was brought up to date differs"
[ "$(sqlite3 "$work/three.db" "SELECT group_concat(name) FROM (SELECT name FROM sqlite_master WHERE name LIKE 'job#_%' ESCAPE '#' AND name LIKE '%l%st' ORDER BY name)")" = job_by_lost ] ||
    fail "the index of jobs by time lost"
cp "$demo" "$work/notadb"
status 3 "$iolite" rank --store "$work/notadb"
status 3 "$iolite" index -q --store "$work/notadb" "$demo"
cmp -s "$demo" "$work/notadb" || fail "a file that is no index was written to"
sqlite3 "$work/foreign.db" 'CREATE TABLE mine (x)'
status 3 "$iolite" index -q --store "$work/foreign.db" "$demo"
grep -q "not an index of Iolite" "$work/err" || fail "a foreign database is not reported"
timeout 60 "$iolite" rank --store "postgresql://127.0.0.1:1/x" 2>"$work/err"
grep -q -e 'PostgreSQL cannot be reached' -e 'libpq is not on this machine' "$work/err" || fail "a server that is not there is not reported"

# A log that takes too long or too much memory is marked, and the others are read
"$make" --logs 40 --large 500 --broken 0 "$work/large" || fail "make-centre"
large=$(find "$work/large/logs" -size +2048 | wc -l)
if [ "$large" -gt 0 ] && [ "$large" -lt 40 ]; then
    declare -A written=(["seconds 0.001"]="1 ms" ["memory 102400"]="100 KiB")
    for limit in "${!written[@]}"; do
        # With a sanitizer in it, iolite reads all logs in one process, without limits.
        ! grep -aq __asan_init "$iolite" || continue
        # shellcheck disable=SC2086
        status 3 "$iolite" index -q -j 1 --store "$work/${limit%% *}.db" --limit-$limit "$work/large/logs"
        status 0 "$iolite" find --broken --store "$work/${limit%% *}.db"
        [ "${limit%% *}" = memory ] || lines "$large" # memory that is there already is used
        has "than the limit of ${written[$limit]}"
        status 0 "$iolite" index -q --again --store "$work/${limit%% *}.db" "$work/large/logs"
        status 0 "$iolite" find --broken --store "$work/${limit%% *}.db"
        lines 0
    done
else
    fail "the centre has $large large logs of 40"
fi

# What a user can plant
mkdir -p "$work/tree/deep"
mkfifo "$work/tree/fifo.darshan"
ln -s /dev/zero "$work/tree/zero.darshan"
ln -s .. "$work/tree/deep/up"
ln -s "$work/tree" "$work/tree/deep/loop.darshan"
ln -s /etc/passwd "$work/tree/passwd.darshan"
ln -s nowhere "$work/tree/dangling.darshan"
mkdir "$work/tree/directory.darshan"
cp "$demo" "$work/tree/new
line.darshan"
cp "$seeds/hostile-names.darshan" "$work/tree/$(printf 'not\377utf8').darshan"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$work/tree/s.darshan" 2>/dev/null
mkdir "$work/tree/locked" && chmod 000 "$work/tree/locked"
dir=$work/tree/deep
for ((i = 0; i < 80; i++)); do dir=$dir/d; done
mkdir -p "$dir" && cp "$demo" "$dir/deep.darshan"
timeout 60 "$iolite" index --store "$work/tree.db" "$work/tree" 2>"$work/err" >"$work/out"
[ $? -lt 5 ] || fail "the planted tree stops the index"
chmod 700 "$work/tree/locked"
[ "$(sqlite3 "$work/tree.db" 'SELECT COUNT(*) FROM log')" = 2 ] || fail "the two logs in the planted tree are not found"
status 0 "$iolite" find --store "$work/tree.db" --job 918273
[ "$(cat "$work/out")" = "$work/tree/new
line.darshan" ] || fail "the name with a newline"
[ "$(sqlite3 "$work/tree.db" "SELECT COUNT(*) FROM place WHERE name LIKE '%fifo%' OR name LIKE '%zero%' OR name LIKE '%s.darsh%'")" = 0 ] || fail "what is no file was looked at"
finish
