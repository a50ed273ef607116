#!/usr/bin/env bash
# iolite index, rank, jobs, find and fleet: what comes out of logs, that only new ones are read, that a log is known by its
# content, and the rankings, tables and paths of the reference.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"

# Nothing set up
status 2 "$iolite" index
status 4 "$iolite" rank
grep -q 'there is no index yet' "$work/err" || fail "a missing index is not reported"
mkdir -p "$work/logs/2026/3/4"
cp "$demo" "$work/logs/2026/3/4/ana_heat3d_id918273_3-4-7-99_1.darshan"
status 0 "$iolite" index "$work/logs"
[ -f "$work/data/iolite/index.db" ] || fail "the usual place"
status 0 "$iolite" rank
has "ana, heat3d, /scratch"
status 0 "$iolite" rank --json
valid_json "rank --json"
status 0 "$iolite" find --job 918273
has "$work/logs/2026/3/4/ana_heat3d_id918273_3-4-7-99_1.darshan"
HOME=$work/nobody status 0 "$iolite" find # own logs of the last month: none
status 2 "$iolite" rank --by nothing
status 2 "$iolite" rank --per nothing
status 2 "$iolite" rank --since yesterday
status 2 "$iolite" jobs --columns nothing
status 2 "$iolite" fleet --mode nothing

# A long name that is not ASCII is cut between characters, and stays within its column
mkdir "$work/names"
cp "$demo" "$work/names/größenwahnsinnigegrößenwahnsinnigergrößen_heat3d_id918273_3-4-7-99_1.darshan"
status 0 "$iolite" index --store "$work/names.db" "$work/names"
status 0 "$iolite" rank --store "$work/names.db"
has 'enwahnsinnige...hnsinnig'
! grep -q '.\{76\}' "$work/out" || fail "a long name moves the columns of rank"

# A log is its content: renamed, recompressed and linked it is the same one
cp "$demo" "$work/logs/2026/3/4/copy.darshan"
"$iolite" convert --none "$demo" "$work/logs/2026/3/4/plain.darshan"
"$iolite" convert --level 1 "$demo" "$work/logs/2026/3/4/level.darshan"
ln "$work/logs/2026/3/4/copy.darshan" "$work/logs/hard.darshan"
ln -s "2026/3/4/copy.darshan" "$work/logs/soft.darshan"
status 0 "$iolite" index --json "$work/logs"
valid_json "index --json"
has '"added": 0'
has '"again": 5'
status 0 "$iolite" index --json "$work/logs"
has '"unchanged": 6'
has '"again": 0'
status 0 "$iolite" jobs --json 918273
valid_json "jobs --json"
has '"logs":1'
# Two logs of one name are two
mkdir "$work/logs/other"
"$iolite" convert --annotate x=y "$seeds/hostile-names.darshan" "$work/logs/other/copy.darshan" 2>/dev/null
status 0 "$iolite" index --json "$work/logs"
has '"added": 1'
# Gone
rm "$work/logs/2026/3/4/copy.darshan" "$work/logs/hard.darshan" "$work/logs/soft.darshan"
status 0 "$iolite" index --json "$work/logs"
has '"gone": 3'
status 0 "$iolite" find --job 918273
lines 3

# A directory that is gone as a whole
mkdir -p "$work/days/1/a" "$work/days/2"
cp "$demo" "$work/days/1/a/x.darshan"
cp "$demo" "$work/days/1/a/y.darshan"
cp "$demo" "$work/days/2/z.darshan"
status 0 "$iolite" index -q --store "$work/days.db" "$work/days"
rm -r "$work/days/1"
status 0 "$iolite" index --json --store "$work/days.db" "$work/days"
has '"gone": 2'
status 0 "$iolite" find --store "$work/days.db" --job 918273
lines 1

# Kept current by looking again and again; a signal ends it
mkdir "$work/watched"
"$iolite" index -q --watch --interval 1 --store "$work/watch.db" "$work/watched" 2>/dev/null &
watcher=$!
cp "$demo" "$work/watched/new.darshan"
for ((i = 0; i < 300; i++)); do
    "$iolite" find --job 918273 --store "$work/watch.db" >"$work/out" 2>/dev/null
    [ ! -s "$work/out" ] || break
    sleep 0.1
done
has "$work/watched/new.darshan"
kill -TERM $watcher
wait $watcher
[ $? = 143 ] || fail "a signal does not end --watch"

# Half a log, then the whole of it
mkdir "$work/grow"
head -c 3000 "$demo" >"$work/grow/a.darshan"
status 3 "$iolite" index -q --store "$store" "$work/grow"
status 0 "$iolite" find --broken --store "$store"
lines 1
cp "$demo" "$work/grow/a.darshan"
status 0 "$iolite" index -q --store "$store" "$work/grow"
status 0 "$iolite" find --broken --store "$store"
lines 0
status 0 "$iolite" rank --per user --by logs --json --store "$store"
has '"logs": 1,'

# The batch system
cat >"$work/sacct.txt" <<'END'
JobIDRaw|JobID|User|Account|Partition|JobName|State|Submit|Start|End|NNodes|AllocCPUS|NodeList
918273|918273|ana|fluids|regular|heat|COMPLETED|1762430000|1762430300|1762430700|1|8|n1
918273.0|918273.0|||||COMPLETED|1762430300|1762430300|1762430700|1|8|n1
918274|918274|ben|fluids|regular|heat|COMPLETED|1762430000|1762430300|1762430700|1|8|n2
918275|918275|cia|other|regular|x|CANCELLED by 7|1762430000|Unknown|1762430700|1|8|None assigned
nonsense
END
printf '%s\n' '918274 start=1762430300 entry=absent status=COMPLETED cause=the program is static' '918275 entry=nonsense' \
    '918273 start=1762430300 entry=absent status=COMPLETED' >"$work/notes.txt"
status 0 "$iolite" index --store "$store" --accounting "$work/sacct.txt" --accounting "$work/notes.txt"
grep -q '3 jobs and 0 notes .*; 1 lines make no sense' "$work/err" || fail "sacct's text"
status 0 "$iolite" index -q --store "$store" --accounting "$work/sacct.txt"
status 0 "$iolite" jobs --store "$store" --csv --columns job,user,account,state,logs,entry,cause
has '918273,ana,fluids,COMPLETED,1,linked,'
has '918274,ben,fluids,COMPLETED,0,absent,the program is static'
has '918275,cia,other,CANCELLED,0,'
lines 4
status 0 "$iolite" jobs --store "$store" --no-log --csv --columns job
lines 3
status 0 "$iolite" rank --store "$store" --per account --json
has '"account":"fluids"'
status 0 "$iolite" fleet --store "$store" --json
valid_json "fleet --json"
has '"jobs": 3'
has '"jobs_logged": 1'
has '"name":"the program is static"'
printf '{"jobs": [{"job_id": 918276, "user": "dan", "state": {"current": ["FAILED"]}, "time": {"start": 1762430300, "end": 1762430400}}]}' >"$work/sacct.json"
status 0 "$iolite" index -q --store "$store" --accounting "$work/sacct.json"
status 0 "$iolite" jobs --store "$store" --csv --columns user,state 918276
has 'dan,FAILED'
printf '{"jobs": [' >"$work/sacct.json"
status 3 "$iolite" index -q --store "$store" --accounting "$work/sacct.json"
grep -q 'sacct.json:1:11: the document ends' "$work/err" || fail "half a JSON document"

# What the site file names as accounting: dated files of yesterday and today, where they are there; and what cannot be read keeps no log out.
mkdir "$work/accounted" "$work/accounted-logs"
cp "$demo" "$work/accounted-logs/"
for day in yesterday today 'tomorrow'; do
    echo "90$(date -d $day +%u) start=$(date -d $day +%s) end=$(date -d $day +%s) entry=absent status=COMPLETED" >"$work/accounted/$(date -d $day +%Y-%m-%d)"
done
echo "{\"darshan_log_dirs\": \"$work/accounted-logs\", \"accounting\": [\"$work/accounted/%Y-%m-%d\"]}" >"$work/accounted.json"
status 0 "$iolite" index -q --store "$work/accounted.db" --site "$work/accounted.json"
status 0 "$iolite" jobs --store "$work/accounted.db" --csv --columns job,logs --no-log
lines 3
lacks "90$(date -d tomorrow +%u),"
status 0 "$iolite" config --site "$work/accounted.json"
has accounting
echo "{\"darshan_log_dirs\": \"$work/accounted-logs\", \"accounting\": [\"$work/not-there\"]}" >"$work/accounted.json"
status 3 "$iolite" index -q --store "$work/accounted-2.db" --site "$work/accounted.json"
grep -q not-there "$work/err" || fail "a list of jobs that is not there: $(cat "$work/err")"
status 0 "$iolite" jobs --store "$work/accounted-2.db" --csv --columns job
lines 2

# The line per job that Slurm's prologue of tasks and epilogue leave
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && getent passwd nobody >/dev/null; then
    nobody=$(id -u nobody)
    chmod 711 "$work"
    mkdir -m 1777 "$work/shm"
    for script in epilog task-prolog; do install -m 755 "$(dirname "$0")/../../packaging/slurm/iolite-$script" "$work/"; done
    echo "IOLITE_MMAP_DIR=$work/shm IOLITE_EPILOG_QUIET=1 IOLITE_EPILOG_JOBS=$work/jobs-%Y" >"$work/epilog.conf"
    step() { # job, NAME=VALUE of its environment...
        setpriv --reuid "$nobody" --clear-groups env -i SLURM_JOB_ID="$1" SLURM_PROCID=0 IOLITE_MMAP_DIR="$work/shm" "${@:2}" \
            "$work/iolite-task-prolog" >"$work/out" 2>"$work/err"
        [ $? = 0 ] && [ ! -s "$work/out" ] || fail "the prologue of tasks says something"
    }
    ended() {
        IOLITE_EPILOG_COMMAND=$iolite IOLITE_EPILOG_CONF=$work/epilog.conf SLURM_JOB_UID=$nobody SLURM_JOB_ID=$1 SLURM_JOB_NUM_NODES=1 \
            status 0 timeout 60 "$work/iolite-epilog"
    }
    : >"$work/shm/libiolite.so" # the loader finds no library in it, and says so on standard error
    step 918281
    step 918281 LD_PRELOAD="$work/shm/libiolite.so"
    step 918282 LD_PRELOAD="$work/shm/libiolite.so" IOLITE_DISABLE=1
    step 918283 IOLITE_DISABLE=0
    # Links and pipes of others, which lead somewhere or nowhere.
    ln -s /etc/passwd "$work/shm/iolite-entry.$nobody.918284"
    step 918284
    mkdir -m 777 "$work/theirs"
    for target in dangling planted; do
        ln -sf "$work/theirs/$target" "$work/shm/iolite-entry.$nobody.918288"
        [ $target = dangling ] || install -m 666 /dev/null "$work/theirs/$target"
        step 918288 timeout 60
        [ ! -s "$work/theirs/$target" ] || fail "the prologue follows a link of another user"
    done
    [ ! -e "$work/theirs/dangling" ] || fail "the prologue follows a link of another user to a file that is not there"
    rm "$work/shm/iolite-entry.$nobody.918288"
    mkfifo -m 666 "$work/shm/iolite-entry.$nobody.918288"
    step 918288 timeout 60
    rm "$work/shm/iolite-entry.$nobody.918288"
    rm "$work/shm/libiolite.so"
    # What the library cannot record is named, by whoever starts it; a name means nothing to a shell or to the line.
    run_there() { # job, what
        setpriv --reuid "$nobody" --clear-groups env -i PATH="$PATH" HOME=/ SLURM_JOB_ID="$1" IOLITE_MMAP_DIR="$work/shm" IOLITE_LOG_DIR="$work/shm/logs" \
            LD_PRELOAD="$library" bash -c "$2" 2>"$work/err" || fail "a job: $(head -n 2 "$work/err")"
    }
    library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
    if [ -e "$library" ]; then
        install -m 755 "$library" "$work/" # this tree may be where nobody else can read
        library=$work/libiolite.so
        step 918286 LD_PRELOAD="$library"
        # shellcheck disable=SC2016 # for the inner shell
        run_there 918286 'IOLITE_DISABLE=1 /bin/true; (IOLITE_DISABLE=1 exec -a x /bin/cat /dev/null)
            cp /bin/true "$IOLITE_MMAP_DIR/a b;c,\$(d) cause=e"; IOLITE_DISABLE=1 "$IOLITE_MMAP_DIR/a b;c,\$(d) cause=e"; rm "$IOLITE_MMAP_DIR"/a*'
        run_there 918287 'IOLITE_DISABLE=1 /bin/true' # without a prologue there is no note
        echo 'missed static app' >>"$work/shm/iolite-entry.$nobody.918286"
        printf '%s\n' 'missed go gone' 'started go gone' >>"$work/shm/iolite-entry.$nobody.918286"
        rm -rf "$work/shm/logs"
    fi
    for job in 918281 918282 918283 918284 918285 918286 918287; do ended $job; done
    if [ -e "$library" ]; then
        grep '^918286 ' "$work/jobs-$(date +%Y)" | grep -q ' entry=preloaded status= missed=switched_off:true,switched_off:cat,switched_off:a?b?c???d??cause?e,static:app$' ||
            fail "programs that could not be recorded: $(grep '^918286' "$work/jobs-$(date +%Y)")"
        status 0 "$iolite" index -q --store "$work/missed.db" --accounting "$work/jobs-$(date +%Y)"
        status 0 "$iolite" jobs --store "$work/missed.db" --csv --columns missed,cause 918286
        has '"statically linked: app; switched off by a setting: a?b?c???d??cause?e, cat, true",could not be recorded: statically linked'
        status 0 "$iolite" fleet --store "$work/missed.db"
        has "could not be recorded: statically linked"
        sed -i '/^918286/d' "$work/jobs-$(date +%Y)"
    fi
    [ "$(cut -d ' ' -f 1,4 "$work/jobs-$(date +%Y)" | tr '\n' ,)" = "918281 entry=preloaded,918282 entry=opted-out,918283 entry=absent," ] ||
        fail "lines of the epilogue: $(cat "$work/jobs-$(date +%Y)")"
    [ -z "$(find "$work/shm" -type f -name 'iolite-entry*')" ] || fail "notes are left"
    status 0 "$iolite" index -q --store "$work/notes.db" --accounting "$work/jobs-$(date +%Y)"
    status 0 "$iolite" jobs --store "$work/notes.db" --csv --columns job,entry
    has '918282,opted-out'
fi

# Temporary data: written and read back, or removed after it was last opened, by whichever process; not what is made again
if [ -e "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}" ] && ! grep -aq __asan_init "$iolite"; then
    # shellcheck disable=SC2016 # for the inner shell
    (
        mkdir "$work/temporary" && cd "$work/temporary" || exit 1
        timeout 60 "$iolite" run -q --log-dir "$work/temporary.logs" -- sh -c 'put() { dd if=/dev/zero of="$1" bs="$2" count=1 2>/dev/null; }
            put gone 5000; rm gone; put back 700; cat back >/dev/null; put kept 90000; put again 4000; rm again; put again 4000'
    ) || fail "the run with temporary files"
    status 0 "$iolite" index -q --store "$work/temporary.db" "$work/temporary.logs"
    status 0 "$iolite" jobs --store "$work/temporary.db" --csv --columns temporary
    [ "$(tail -n 1 "$work/out")" = 6400 ] || fail "temporary data: $(tail -n 1 "$work/out") bytes instead of 6400"
fi

# A job of many logs is one job: one row, one line for a finding of all of them, and its logs below
if [ -x "$tools/make-centre" ]; then
    "$tools/make-centre" --logs 150 --steps 120 --large 0 --broken 0 "$work/steps" || fail "make-centre"
    # Somebody else's log with the same number on the same day is another's job.
    copied=$(find "$work/steps/logs" -name 'user003_*_id4000000-1000_*')
    [ -f "$copied" ] || fail "there is no job with 120 logs"
    status 0 "$iolite" index -q --store "$work/steps.db" --site "$work/steps/site.json"
    python3 - "$copied" "$work/steps/logs/other_x_id4000000-1_8-26-1-1_1.darshan" <<'END'
import struct, sys, zlib
log = bytearray(open(sys.argv[1], "rb").read())
unpack = zlib.decompressobj()
job = bytearray(unpack.decompress(bytes(log[1328:])))
rest = bytes(log[len(log) - len(unpack.unused_data):])
job[0:8] = struct.pack("<q", 54321)
packed = zlib.compress(bytes(job))
moved = 1328 + len(packed) - (len(log) - len(rest))
for at in range(32, 1072, 16): # where names and modules are
    offset, = struct.unpack_from("<Q", log, at)
    if offset:
        struct.pack_into("<Q", log, at, offset + moved)
open(sys.argv[2], "wb").write(bytes(log[:1328]) + packed + rest)
END
    status 0 "$iolite" index -q --store "$work/steps.db" --site "$work/steps/site.json"
    status 0 "$iolite" jobs --store "$work/steps.db" --csv --columns job,user,logs --sort logs 4000000
    [ "$(tail -n +2 "$work/out" | tr '\n' ' ')" = "4000000,user003,120 4000000,other,1 " ] || fail "a job of 120 logs: $(head -n 4 "$work/out")"
    status 0 "$iolite" jobs --store "$work/steps.db" 4000000 --user user003
    has 'Findings, over all logs'
    has ' 120 logs, '
    # shellcheck disable=SC2016 # as it is printed
    has 'Logs: the 20 of 120 that lost most; `iolite find --job 4000000` has all'
    [ "$(grep -c ' processes, ' "$work/out")" = 20 ] || fail "logs of a job: $(grep -c ' processes, ' "$work/out")"
    [ "$(sed -n 's/^  [hw][a-z]* *\([a-z.]*\) .* logs.*/\1/p' "$work/out" | sort | uniq -d | wc -l)" = 0 ] || fail "a rule stands there twice"
    status 0 "$iolite" jobs --store "$work/steps.db" 4000000 --user other
    has ' 1 log'
    lacks ' 121 logs'
    status 0 "$iolite" find --store "$work/steps.db" --job 4000000 --user user003
    lines 120
    status 0 "$iolite" context --store "$work/steps.db" --site "$work/steps/site.json" "$copied"
    has '"logs": 120'
fi

# Pseudonyms: no user, no path of a program and no file of a job in the store; only the places of logs are as they are. The
# batch system's users get the same ones, so that their jobs are found
printf site >"$work/key"
chmod 600 "$work/key"
status 0 "$iolite" index -q --store "$work/secret.db" --key-file "$work/key" --accounting "$work/sacct.txt" "$work/logs/2026"
! grep -aq -e '/scratch/ana' -e '/home/ana' -e 'field.dat' "$work/secret.db"* || fail "names are in the store"
status 0 "$iolite" rank --store "$work/secret.db" --per user
lacks "ana"
cp "$work/out" "$work/hidden"
status 0 "$iolite" jobs --store "$work/secret.db" --csv --columns job,user,account,logs 918273
lacks "ana"
has ",fluids,1"
status 0 "$iolite" index -q --store "$work/secret2.db" --key site "$work/logs/2026"
status 0 "$iolite" rank --store "$work/secret2.db" --per user
cmp -s "$work/out" "$work/hidden" || fail "the same key gives other pseudonyms"
status 0 "$iolite" rank --store "$store" --pseudonyms --key-file "$work/key"
lacks "ana"
cp "$work/out" "$work/hidden"
status 0 "$iolite" rank --store "$store" --pseudonyms --key site
cmp -s "$work/out" "$work/hidden" || fail "the same key gives other names on slides"

# History: how a run stands among earlier ones, as a document, a sentence and through the environment
if [ -x "$tools/make-centre" ]; then
    "$tools/make-centre" --logs 600 --large 0 --broken 0 --months 1 "$work/centre" || fail "make-centre"
    export IOLITE_SITE_CONFIG=$work/centre/site.json
    status 0 "$iolite" index -q --store "$work/history.db"
    log=$("$iolite" jobs --store "$work/history.db" --user user000 -n 1 --csv --columns job | tail -n 1)
    log=$("$iolite" find --store "$work/history.db" --job "$log" | tail -n 1)
    status 0 "$iolite" context --store "$work/history.db" "$log"
    valid_json "context"
    cp "$work/out" "$work/context.json"
    status 0 "$iolite" diagnose --context "$work/context.json" "$log"
    cp "$work/out" "$work/with"
    status 0 "$iolite" diagnose --store "$work/history.db" "$log"
    cmp -s "$work/out" "$work/with" || fail "--store is not --context with the store's document"
    status 0 "$iolite" show --store "$work/history.db" "$log"
    if grep -q '"runs": [1-9][0-9]' "$work/context.json"; then
        has "of its last"
        grep -q 'this run was' <("$iolite" diagnose --store "$work/history.db" "$log" 2>&1) || fail "diagnose does not say how the run stands"
    fi
    IOLITE_STORE=$work/history.db status 0 "$iolite" show "$log"
    cp "$work/out" "$work/with"
    status 0 "$iolite" show --store "$work/history.db" "$log"
    cmp -s "$work/out" "$work/with" || fail "IOLITE_STORE is not --store"
    status 0 "$iolite" jobs --store "$work/history.db" --json --sort read -n 5
    valid_json "jobs --sort"
    status 0 "$iolite" jobs --store "$work/history.db" --finding 'mpiio.%' --csv --columns job,program
    lacks ",python3"
    status 0 "$iolite" calibrate --store "$work/history.db"
    has "from 600 logs"

    # Rankings from daily sums are those from the logs: with a day marked stale, questions go there
    status 0 "$iolite" index -q --store "$work/history.db" --accounting "$work/centre/sacct.txt" --accounting "$work/centre/entries.txt"
    cp "$work/history.db" "$work/stale.db"
    ! command -v sqlite3 >/dev/null || sqlite3 "$work/stale.db" "INSERT INTO stale VALUES (20261001)"
    for question in "--per user --by cost" "--per program --by meta_ratio" "--per account --by tier" "--per triple" "--per finding" \
        "--per user --finding posix.%" "--per job --finding lustre.stripe.%" "--per account --by read --limit-fs scratch" \
        "--per job --exclude-fs /home,%ject" "--per user --limit-fs /scratch,flash" "--per user --limit-fs scratch" "--per fs --by time"; do
        # shellcheck disable=SC2086
        status 0 "$iolite" rank --json --store "$work/history.db" -n 1000 $question
        valid_json "rank $question"
        cp "$work/out" "$work/with"
        # shellcheck disable=SC2086
        status 0 "$iolite" rank --json --store "$work/stale.db" -n 1000 $question
        cmp -s "$work/out" "$work/with" || fail "rank $question differs with stale days"
        # shellcheck disable=SC2086
        status 0 "$iolite" rank --store "$work/history.db" --since 2026-10-05 --until 2026-10-20 $question
        ! grep -q '.\{81\}' "$work/out" || fail "rank $question is wider than 80 columns"
    done
    status 0 "$iolite" fleet --json --store "$work/history.db"
    cp "$work/out" "$work/with"
    status 0 "$iolite" fleet --json --store "$work/stale.db"
    cmp -s "$work/out" "$work/with" || fail "fleet differs with stale days"
    status 0 "$iolite" fleet --store "$work/history.db"
    ! grep -q '.\{81\}' "$work/out" || fail "fleet is wider than 80 columns"
    status 0 "$iolite" jobs --store "$work/history.db"
    ! grep -q '.\{81\}' "$work/out" || fail "jobs is wider than 80 columns"
    job=$("$iolite" jobs --store "$work/history.db" --sort lost -n 1 --csv --columns job | tail -n 1)
    status 0 "$iolite" jobs --store "$work/history.db" "$job"
    ! grep -q '.\{81\}' "$work/out" || fail "jobs $job is wider than 80 columns"
    # A filter of all file systems changes nothing, and what is limited and what is excluded are everything
    sum() { "$iolite" rank --json --store "$work/history.db" --per "$1" "${@:2}" | sed -n 's/^ *"total": \([0-9]*\).*/\1/p'; }
    for per in user account job; do
        all=$(sum $per --limit-fs %) part=$(sum $per --limit-fs scratch) rest=$(sum $per --exclude-fs scratch)
        [ "$all" = $((part + rest)) ] && [ "$part" -gt 0 ] && [ "$rest" -gt 0 ] || fail "$per: $all is not $part and $rest"
        [ "$all" = "$(sum user --limit-fs %)" ] || fail "$per: another sum than that of users"
    done
    [ "$(sum finding)" = "$(sum user --by cost)" ] || fail "findings cost another sum than users"
    [ "$(sum job --finding %)" = "$(sum user --by cost)" ] || fail "findings of jobs cost another sum"
    [ "$(sum account --finding %)" = "$(sum user --by cost)" ] || fail "findings of accounts cost another sum"
    status 2 "$iolite" rank --store "$work/history.db" --per fs --finding posix.%
    status 2 "$iolite" rank --store "$work/history.db" --per finding --by bytes
    # Limits of the site file select
    sed 's/"thresholds": {/"thresholds": {"metric.redundant_bytes": 1, /' "$work/centre/site.json" >"$work/strict.json"
    status 0 "$iolite" index -q --site "$work/strict.json" --store "$work/strict.db"
    status 0 "$iolite" fleet --store "$work/strict.db"
    has "more than 1 B read again"
    [ "$("$iolite" jobs --store "$work/strict.db" --selected 1 --csv --columns job -n 1000 | wc -l)" -gt 10 ] || fail "a low limit selects nobody"
    unset IOLITE_SITE_CONFIG
fi

# Real logs and the reference's answers
if [ -d "$corpus/holistic" ] && command -v python3 >/dev/null; then
    inputs=$corpus/holistic/inputs expected=$corpus/holistic/expected
    status 0 "$iolite" rank "$inputs/darshanlogs.db"
    cmp -s "$work/out" "$expected/scoreboard.txt" || fail "the scoreboard's text"
    same() { # expected rank-options...
        local wanted=$1
        shift
        status 0 "$iolite" rank --json "$@" "$inputs/darshanlogs.db"
        python3 -c 'import json, sys; sys.exit(json.load(open(sys.argv[1])) != json.load(open(sys.argv[2])))' \
            "$work/out" "$expected/$wanted" || fail "$wanted differs"
    }
    same scoreboard.json
    same scoreboard_user.json --limit-user aa4hm0jcwfg
    same scoreboard_fs_logical.json --limit-fs cscratch
    (cd "$corpus/holistic" && "$iolite" find --store "$store" --site inputs/site.json --since 2017-03-20 --until 2017-03-21) >"$work/out"
    cmp -s <(sort "$work/out") <(sort "$expected/find_date.txt") || fail "find by date"
    (cd "$corpus/holistic" && "$iolite" index -q --store "$work/part.db" --site inputs/site.json inputs/*.darshan inputs/darshanlogs)
    python3 - "$work/part.db" "$expected" <<'END' || fail "the index is not index_part.json"
import json, sqlite3, sys
want = json.load(open(sys.argv[2] + "/index_part.json"))
corrections = json.load(open(sys.argv[2] + "/corrections.json"))["index_part.json"]
db = sqlite3.connect(sys.argv[1])
db.row_factory = sqlite3.Row
rows = db.execute("SELECT * FROM summaries JOIN headers USING (log_id) JOIN mounts USING (fs_id)")
got = {(r["filename"], r["mountpt"]): dict(r) for r in rows}
bad = 0
for w in want:
    name = "sample.darshan" if w["filename"].startswith("glock") else w["filename"]
    w.update(corrections.get(name + " @ " + w["mountpt"], {}))
    g = got.get((w["filename"], w["mountpt"]), {})
    for key, value in w.items():
        close = isinstance(value, float) and isinstance(g.get(key), float) and abs(g[key] - value) <= 1e-9 * abs(value)
        if g.get(key, "absent") != value and not close:
            print(w["filename"], w["mountpt"], key, g.get(key, "absent"), value, file=sys.stderr)
            bad = 1
sys.exit(bad)
END
    # The compatible mode over all logs is the sum of its codes over each
    "$iolite" index -q --store "$work/corpus.db" "$corpus/logs"
    "$iolite" fleet --mode compat --json --store "$work/corpus.db" >"$work/fleet.json"
    "$iolite" diagnose --mode compat --ndjson "$corpus/logs" >"$work/each.ndjson" 2>/dev/null
    python3 - "$work/fleet.json" "$work/each.ndjson" <<'END' || fail "fleet --mode compat is not the sum over its logs"
import json, sys
got = {row["code"]: row["logs"] for row in json.load(open(sys.argv[1]))["compat"] if row["logs"]}
pairs = set()
for line in open(sys.argv[2]):
    finding = json.loads(line)
    pairs.add((finding["path"], finding["code"]))
want = {}
for path, code in pairs:
    want[code] = want.get(code, 0) + 1
if got != want:
    print(got, want, sep="\n", file=sys.stderr)
sys.exit(got != want or not want)
END
fi
finish
