#!/usr/bin/env bash
# A bare preload: programs of a batch job leave one spool on the node and one log in the end, whoever makes it; what cannot be
# written is bounded, counted and said once; programs that have nothing to tell leave nothing.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
work=$(cd "$work" && pwd -P)
export IOLITE_MMAP_DIR=$work/records IOLITE_LOG_DIR=$work/logs
living=()
trap '[ ${#living[@]} -eq 0 ] || kill -KILL "${living[@]}" 2>/dev/null; rm -rf "$work"' EXIT

fresh() { rm -rf "$work/logs" "$work/records"; mkdir "$work/logs" "$work/records"; }
files() { find "$work/records" -type f | wc -l; }
left() { find "$work/records" -type f ! -name 'spare-?' | wc -l; } # of processes; the rest is for the next ones
spares() { find "$work/records" -path '*/iolite-job-*/spare-?' | wc -l; }
logs() { find "$work/logs" -type f | wc -l; }
spools() { find "$work/records" -path '*/iolite-job-*/spool' | wc -l; }
field() { "${iolite%/*}/darshan-parser" "$1" | sed -n "s/^# \(metadata: \)\?$2\( =\|:\) //p"; }
# counted FILE-NAME COUNTER: its sum over all records of that file in the only log.
counted() {
    "${iolite%/*}/darshan-parser" "$work"/logs/*.darshan | awk -v file="$work/$1" -v counter="$2" -F '\t' \
        '$4 == counter && $6 == file { sum += $5 } END { print sum + 0 }'
}
# in_job JOB COMMAND...: a program that the site preloads the library into, in a batch job.
in_job() { SLURM_JOB_ID=$1 LD_PRELOAD=$library "${@:2}"; }
# is_dead PID: it is gone, or waits to be collected.
is_dead() { ! grep -qs '^State:.[^Z]' "/proc/$1/status"; }
# write_file NAME: a process that records one file.
write_file() { echo "echo hello >$work/$1"; }

# One spool for all processes of a job, and no log before somebody makes it.
fresh
for i in 1 2 3 4 5; do in_job 501 sh -c "$(write_file "f$i")"; done
[ "$(left)-$(spools)-$(logs)" = 2-1-0 ] || fail "five processes left $(find "$work/records" "$work/logs")"
directory=$(dirname "$(find "$work/records" -name spool)")
[ "$(stat -c %a "$directory")" = 700 ] || fail "$directory has mode $(stat -c %a "$directory")"
status 0 "$iolite" merge --leftovers --job 501
lines 1
[ "$(files)-$(logs)" = 0-1 ] || fail "a job's log leaves $(find "$work/records")"
[ "$(field "$work"/logs/* jobid)-$(field "$work"/logs/* nprocs)" = 501-5 ] || fail "$(field "$work"/logs/* jobid), $(field "$work"/logs/* nprocs) processes"
"$iolite" check "$work"/logs/* >/dev/null 2>&1 || fail "the log of a job is not sound"
for i in 1 2 3 4 5; do [ "$(counted f$i POSIX_BYTES_WRITTEN)" = 6 ] || fail "f$i: $(counted f$i POSIX_BYTES_WRITTEN) bytes"; done

# Jobs, and starts of a job, have one each; a job that is asked for is the only one that is touched.
fresh
in_job 502 sh -c "$(write_file a)"
in_job 503 sh -c "$(write_file b)"
SLURM_RESTART_COUNT=1 in_job 502 sh -c "$(write_file c)"
[ "$(spools)" = 3 ] || fail "three jobs have $(spools) spools"
status 0 "$iolite" merge --leftovers --job 503
[ "$(spools)-$(logs)" = 2-1 ] || fail "after one of three: $(spools) spools, $(logs) logs"
status 0 "$iolite" merge --leftovers
[ "$(files)-$(logs)" = 0-3 ] || fail "after all of three: $(files) files, $(logs) logs"

# Processes take over the files of others, and nothing that was in them; one that was killed keeps its own.
fresh
for i in 1 2 3; do
    in_job 505 sh -c "for f in a b c d e; do echo long line >$work/many-\$f; done; rm $work/many-e"
    in_job 505 sh -c "$(write_file "few$i"); [ $i != 2 ] || kill -KILL \$\$" || [ "$i" = 2 ] || fail "process $i"
done
case $(spares) in [1-4]) ;; *) fail "$(spares) spare files" ;; esac
[ "$(find "$work/records" -name '*.mapped' | wc -l)" = 1 ] || fail "a killed process left $(find "$work/records")"
status 0 "$iolite" merge --leftovers
[ "$(files)-$(logs)" = 0-1 ] || fail "spare files: $(find "$work/records" "$work/logs")"
[ "$(field "$work"/logs/* nprocs)" = 9 ] || fail "$(field "$work"/logs/* nprocs) of 9 processes"
for f in a b c d e; do [ "$(counted many-$f POSIX_BYTES_WRITTEN)" = 30 ] || fail "many-$f: $(counted many-$f POSIX_BYTES_WRITTEN) bytes"; done
for i in 1 2 3; do [ "$(counted "few$i" POSIX_BYTES_WRITTEN)" = 6 ] || fail "few$i: $(counted "few$i" POSIX_BYTES_WRITTEN) bytes"; done
"$iolite" check "$work"/logs/* >/dev/null 2>&1 || fail "the log of processes that share files is not sound"

# What they take over of the mounts is what is mounted now.
fresh
mkdir -p "$work/there" "$work/bound"
if unshare --mount mount --bind "$work/there" "$work/bound" 2>/dev/null; then
    # shellcheck disable=SC2016 # the inner shell's
    SLURM_JOB_ID=520 library=$library work=$work unshare --mount sh -c '
        LD_PRELOAD=$library sh -c "echo hello >$work/there/f"
        mount --bind "$work/there" "$work/bound"
        LD_PRELOAD=$library sh -c "echo hello >$work/bound/f; kill -KILL \$\$"' 2>/dev/null
    killed=$(find "$work/records" -name '*.mapped')
    "${iolite%/*}/darshan-parser" "$killed" | grep -q "^# mount entry:.$work/bound" || fail "a mount is not in ${killed:-any file}"
fi

# A program that starts another one in its place has left what it did, once, whether that works or not.
fresh
in_job 504 sh -c "$(write_file before); exec cat $work/before" >/dev/null
in_job 504 bash -c "shopt -s execfail; : >$work/tried; exec $work/nowhere 2>/dev/null; : >>$work/tried"
[ "$(find "$work/records" -name '*.mapped' | wc -l)" = 0 ] || fail "exec leaves $(find "$work/records" -name '*.mapped')"
status 0 "$iolite" merge --leftovers
[ "$(counted before POSIX_BYTES_WRITTEN)-$(counted before POSIX_BYTES_READ)" = 6-6 ] ||
    fail "exec: $(counted before POSIX_BYTES_WRITTEN) written, $(counted before POSIX_BYTES_READ) read"
tried=$(counted tried POSIX_OPENS)
fresh
"$iolite" run -q -- bash -c "shopt -s execfail; : >$work/tried; exec $work/nowhere 2>/dev/null; : >>$work/tried"
[ "$tried" = "$(counted tried POSIX_OPENS)" ] || fail "an exec that failed: $tried opens instead of $(counted tried POSIX_OPENS)"

# Killed: what was measured is there. A living process of the job keeps all of it from a log, unless the job is asked for.
fresh
in_job 505 sh -c "$(write_file killed); kill -KILL \$\$" 2>/dev/null
in_job 505 sh -c "$(write_file ended)"
mkfifo "$work/fifo"
in_job 505 sh -c "$(write_file lives); echo >$work/ready; exec 3<>$work/fifo; read -r line <&3" >/dev/null 2>&1 &
living+=($!)
until_true [ -e "$work/ready" ]
status 0 "$iolite" merge --leftovers
lines 0
[ "$(spools)" = 1 ] || fail "a job with a living process has lost its spool"
status 0 "$iolite" merge --leftovers --job 505
lines 1
[ "$(counted killed POSIX_BYTES_WRITTEN)-$(counted ended POSIX_BYTES_WRITTEN)-$(counted lives POSIX_BYTES_WRITTEN)" = 6-6-0 ] ||
    fail "of a killed, an ended and a living process: $(counted killed POSIX_BYTES_WRITTEN), $(counted ended POSIX_BYTES_WRITTEN), $(counted lives POSIX_BYTES_WRITTEN)"
child=$(pgrep -P "${living[0]}")
kill -KILL "$child" "${living[0]}" 2>/dev/null
wait "${living[0]}" 2>/dev/null
until_true is_dead "$child" # nobody waits for it, and until it is dead it holds its lock
living=()
status 0 "$iolite" merge --leftovers
lines 1

# Nothing is written through a link, or into a directory of somebody else's choice, that has the job's name.
fresh
in_job 506 sh -c "$(write_file a)"
name=$(basename "$(dirname "$(find "$work/records" -name spool)")")
fresh
mkdir "$work/elsewhere"
ln -s "$work/elsewhere" "$work/records/$name"
IOLITE_SPOOL_MEMORY=1 in_job 506 sh -c "$(write_file a)" 2>/dev/null
[ -z "$(ls -A "$work/elsewhere")" ] || fail "a link was followed: $(ls -A "$work/elsewhere")"
rm -rf /dev/shm/"$name" /tmp/"$name" "$work/records/$name"
mkdir -m 777 "$work/records/$name"
in_job 506 sh -c "$(write_file a)" 2>/dev/null
[ -z "$(ls -A "$work/records/$name")" ] || fail "a directory that everybody may write was used: $(ls -A "$work/records/$name")"
rm -rf /dev/shm/"$name" /tmp/"$name"

# A later run makes the log of a job that is over, and so does an index; never that of a job that has processes.
fresh
in_job 507 sh -c "$(write_file a)"
status 0 "$iolite" run -q -- true
[ "$(files)-$(find "$work/logs" -name '*_id507-*' | wc -l)" = 0-1 ] || fail "after a run: $(files) files, $(ls "$work/logs")"
in_job 508 sh -c "$(write_file a)"
SLURM_JOB_ID=508 sleep 1000 &
living+=($!)
until_true grep -qz SLURM_JOB_ID=508 "/proc/$!/environ"
status 0 "$iolite" run -q -- true
[ "$(spools)" = 1 ] || fail "a run made the log of a job that is not over"
kill "${living[0]}"
wait "${living[0]}" 2>/dev/null
living=()
status 0 "$iolite" index -q --store "$work/store.db" "$work/logs"
[ "$(files)-$(find "$work/logs" -name '*_id508-*' | wc -l)" = 0-1 ] || fail "after an index: $(files) files, $(ls "$work/logs")"

# Past the room for it, records are dropped, the log says how many processes that were, and one line is said in the job.
fresh
for i in {1..80}; do IOLITE_SPOOL_MEMORY=0.06 in_job 509 sh -c "$(write_file f)"; done 2>"$work/err"
[ "$(grep -c '^iolite: no room' "$work/err")-$(wc -l <"$work/err")" = 1-1 ] || fail "said in a job that has no room: $(cat "$work/err")"
size=$(du -s -B 1 "$work/records" | cut -f 1)
[ "$size" -lt 100000 ] || fail "$size bytes where 62,900 are allowed"
status 0 "$iolite" merge --leftovers
dropped=$("$iolite" dump --json "$work"/logs/* | tr -d ' \n' | sed -n 's/.*"why":"no_room","program":null,"count":\([0-9]*\).*/\1/p')
kept=$(field "$work"/logs/* nprocs)
[ "$((kept + ${dropped:-0}))" = 80 ] || fail "$kept processes kept and ${dropped:-none} dropped of 80"

# Without any place for a log: the same for processes without a job.
fresh
unset IOLITE_LOG_DIR
for i in 1 2 3; do HOME='' LD_PRELOAD=$library sh -c "$(write_file f)"; done 2>"$work/err"
[ "$(grep -c '^iolite: there is no place for a log' "$work/err")-$(wc -l <"$work/err")" = 1-1 ] || fail "said without a place for logs: $(cat "$work/err")"
[ "$(left)-$(spools)" = 2-1 ] || fail "without a place for logs: $(find "$work/records")"
HOME='' IOLITE_VERBOSE=1 LD_PRELOAD=$library sh -c "$(write_file f)" 2>"$work/err"
grep -q '^iolite: there is no place for a log: neither a setting nor HOME names one; what was recorded is in' "$work/err" || fail "the reason: $(cat "$work/err")"
export IOLITE_LOG_DIR=$work/logs
status 0 "$iolite" merge --leftovers
[ "$(files)-$(field "$work"/logs/* nprocs)" = 0-4 ] || fail "$(files) files, $(field "$work"/logs/* nprocs) processes without a place"

# What settings say: no spool, a file of one's own, nothing outside of jobs.
fresh
IOLITE_JOB_SPOOL=0 in_job 510 sh -c "$(write_file a)"
[ "$(spools)-$(logs)" = 0-1 ] || fail "without a spool: $(spools) spools, $(logs) logs"
IOLITE_LOG_FILE=$work/logs/mine.darshan in_job 510 sh -c "$(write_file a)"
[ -e "$work/logs/mine.darshan" ] || fail "a log that is asked for by name is not there"
fresh
IOLITE_WITHOUT_JOB=0 LD_PRELOAD=$library sh -c "$(write_file a)"
[ "$(files)-$(logs)" = 0-0 ] || fail "recorded outside of a job: $(find "$work/records" "$work/logs" -type f)"
IOLITE_WITHOUT_JOB=0 in_job 511 sh -c "$(write_file a)"
[ "$(spools)" = 1 ] || fail "not recorded in a job"
IOLITE_WITHOUT_JOB=0 "$iolite" run -q -o "$work/logs/run.darshan" -- sh -c "$(write_file a)"
[ -e "$work/logs/run.darshan" ] || fail "not recorded under iolite run"

# One log of a login session, where the site wants that: made when nobody of the session lives any more, or when it is asked for.
fresh
# shellcheck disable=SC2016 # the session's shell expands it
session='for i in 1 2 3; do LD_PRELOAD=$library sh -c "echo hello >$work/f$i"; done
    "$iolite" index -q --store "$work/sessions.db" "$work/logs"
    find "$work/logs" -type f | wc -l >"$work/early"; [ "$1" = 0 ] || "$iolite" merge --leftovers; echo $$ >>"$work/leaders"'
: >"$work/leaders"
for ask in 0 0 1; do
    IOLITE_WITHOUT_JOB=0 IOLITE_SESSION_LOG=1 library=$library work=$work iolite=$iolite setsid -w bash -c "$session" bash $ask >/dev/null
done
# The second one made the log of the first, the third that of the second and, since it asked for it, its own.
[ "$(spools)-$(logs)-$(cat "$work/early")" = 0-3-2 ] || fail "three sessions: $(spools) spools, $(logs) logs, $(cat "$work/early") before the last one asked"
[ "$(files)" = 0 ] || fail "after three sessions: $(find "$work/records")"
while read -r leader; do
    log=$(find "$work/logs" -name "*_id$leader-*")
    [ "$(field "$log" jobid)-$(field "$log" nprocs)" = "$leader-3" ] || fail "session $leader: $(field "$log" jobid), $(field "$log" nprocs) processes: $log"
done <"$work/leaders"
fresh
# Where the leader of the session is outside of the container, nothing tells sessions apart, and there is no log of each process.
if unshare --user --map-root-user --pid --fork true 2>/dev/null; then
    # shellcheck disable=SC2016 # the inner shell's
    IOLITE_WITHOUT_JOB=0 IOLITE_SESSION_LOG=1 unshare --user --map-root-user --pid --fork env LD_PRELOAD="$library" \
        sh -c "$(write_file a); sh -c '$(write_file b)'; :" >/dev/null
    [ "$(spools)-$(logs)" = 0-0 ] || fail "a session whose leader is outside: $(spools) spools, $(logs) logs"
fi
fresh
IOLITE_SESSION_LOG=1 in_job 513 sh -c "$(write_file a)"
[ -n "$(find "$work/records" -path '*-513-*/spool')" ] || fail "a batch job in a session: $(find "$work/records")"

# Programs that only print leave nothing, nor do Iolite's own.
fresh
for words in 'sleep 0.01' id 'basename /a/b' "$iolite --version" "$iolite help"; do
    # shellcheck disable=SC2086 # words
    in_job 512 $words >"$work/printed"
    # shellcheck disable=SC2086
    LD_PRELOAD=$library $words >"$work/printed"
    status 0 "$iolite" merge --leftovers
    [ "$(files)-$(logs)" = 0-0 ] || fail "$words leaves $(find "$work/records" "$work/logs" -type f)"
done
in_job 512 "$iolite" show "$demo" >/dev/null
[ "$(files)-$(logs)" = 0-0 ] || fail "iolite show records itself"
LD_PRELOAD=$library sort <"$work/f" >"$work/printed"
[ "$(logs)" = 1 ] || fail "a file that is read from standard input is not recorded"
LD_PRELOAD=$library head -c 2000000 /dev/zero >"$work/printed"
[ "$(logs)" = 2 ] || fail "much that is printed into a file is not recorded"
finish
