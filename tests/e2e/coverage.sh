#!/usr/bin/env bash
# Coverage counts applications: a job of which only the shell, the launcher or a tool beside the program was recorded is not
# covered, and the index says why. A user who is a number in a log is the person that others know; a start that nobody knows is
# unknown, and not in 1970.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
[ -x /sbin/ldconfig ] || skip "no statically linked program"
work=$(cd "$work" && pwd -P)
export IOLITE_LOG_DIR=$work/logs
store=$work/index.db
user=$(id -un) || skip "this user has no name"
export LOGNAME=$user
prolog=$PWD/packaging/slurm/iolite-task-prolog
cd "$work" || exit 1
head -c 100000 /dev/zero >in.dat
cp "$(command -v cp)" mpirun

# job NUMBER SCRIPT: a batch job in always-on mode, in a shell that leaves a record too.
# shellcheck disable=SC2016
job() {
    local note missed
    note=$IOLITE_MMAP_DIR/iolite-entry.$(id -u).$1
    SLURM_JOB_ID=$1 SLURM_PROCID=0 LD_PRELOAD=$library "$prolog"
    SLURM_JOB_ID=$1 LD_PRELOAD=$library bash -c 'echo begins >begun; '"$2" >/dev/null 2>&1
    "$iolite" merge --leftovers --job "$1" >/dev/null 2>&1
    missed=$(awk '$1 == "missed" { printf "%s%s:%s", n++ ? "," : "", $2, $3 }' "$note") # as the epilogue does
    echo "$1 entry=preloaded${missed:+ missed=$missed}" >>notes.txt
}
job 1 'cp in.dat out.dat'
job 2 '/sbin/ldconfig -p; :'                    # static
job 3 'env -u LD_PRELOAD cp in.dat out.dat; :'  # opted out, as `module unload` is
job 4 './not-there; :'
job 5 './mpirun in.dat out.dat; :'              # nothing but the launcher
job 6 'for i in 1 2 3; do cp in.dat out.dat; done'
# An application beside a program that cannot be recorded, for most of the time of the job.
job 7 '/sbin/ldconfig -p; python3 -c "import time; open(\"in.dat\").read(); time.sleep(1)"'
# A tool of the script in a job that ran for ten minutes: what it was for, nobody saw.
job 10 'cp in.dat out.dat; ./not-there; :'
# A loop over a tool is what the job is for, though most of its time goes by between the processes.
job 11 'for i in {1..400}; do cp in.dat out.dat; done'
# By number: neither USER nor LOGNAME.
(unset USER LOGNAME && SLURM_JOB_ID=8 LD_PRELOAD=$library cp in.dat out.dat && "$iolite" merge --leftovers --job 8 >/dev/null 2>&1)
[ -n "$(find logs -name "$(id -u)_cp_id8-*")" ] || fail "no log by number: $(ls logs)"
{
    echo 'JobIDRaw|User|Account|JobName|State|Submit|Start|End|NNodes|AllocCPUS'
    now=$(date +%s)
    for id in 1 2 3 4 5 6 7 8 9; do echo "$id|$user|fluids|j|COMPLETED|$((now - 100))|$((now - 60))|$((now - 58))|1|1"; done
    echo "10|$user|fluids|j|COMPLETED|$((now - 700))|$((now - 660))|$((now - 58))|1|1"
    echo "11|$user|fluids|j|COMPLETED|$((now - 700))|$((now - 120))|$((now - 58))|1|1"
} >sacct.txt
status 0 "$iolite" index -q --store "$store" --accounting sacct.txt --accounting notes.txt logs
status 0 "$iolite" jobs --store "$store" --sort job --columns job,user,covered,cause --csv
sort -n "$work/out" >jobs.csv
while IFS='|' read -r id covered cause; do
    line=$(grep "^$id," jobs.csv)
    case $line in
    "$id,$user,$covered,"*"$cause"*) ;;
    *) fail "job $id: '$line', not $covered '$cause'" ;;
    esac
done <<'END'
1|1|
2|0|statically linked
3|0|without the preload
4|0|only shells and launchers
5|0|only shells and launchers
6|1|
7|1|statically linked
8|1|
9|0|
10|0|only tools were recorded
11|1|
END
[ "$(wc -l <jobs.csv)" = 12 ] || fail "jobs twice: $(cat jobs.csv)"
status 0 "$iolite" fleet --store "$store" --json
python3 - "$work/out" <<'END' || fail "coverage of the fleet: $(cat "$work/out")"
import json, sys
c = json.load(open(sys.argv[1]))["coverage"]
assert c["jobs"] == 11 and c["jobs_logged"] == 5, c
END
# Sums by user know the name too.
status 0 "$iolite" rank --per user --by logs --json --store "$store"
lacks 'uid:'

# A log by number that is of nobody here: the batch system knows whose it is, else the site file does.
if [ "$(id -u)" != 1000 ]; then
    mkdir one
    cp "$demo" one/1000_app_id77-77_1-1-1-1_1.darshan
    parsed=$("${iolite%/*}/darshan-parser" "$demo")
    id=$(sed -n 's/^# jobid: //p' <<<"$parsed") began=$(sed -n 's/^# start_time: //p' <<<"$parsed")
    printf 'JobIDRaw|User|State|Start|End\n%s|carla|COMPLETED|%s|%s\n' "$id" "$began" "$((began + 100))" >sacct.txt
    echo '{"users": {"1000": "bert"}}' >site.json
    status 0 "$iolite" index -q --store "$work/one.db" --accounting sacct.txt one
    status 0 "$iolite" jobs --store "$work/one.db" --columns user,logs --csv
    [ "$(tail -n +2 "$work/out")" = carla,1 ] || fail "by number and by name: $(cat "$work/out")"
    status 0 "$iolite" rank --per user --by logs --json --store "$work/one.db"
    has '"carla"'
    lacks 'uid:'
    status 0 "$iolite" index -q --store "$work/two.db" --site site.json one
    status 0 "$iolite" jobs --store "$work/two.db" --columns user --csv
    has bert
fi

# A log of a clock that was never set.
mkdir old
began=$("${iolite%/*}/darshan-parser" "$demo" | sed -n 's/^# start_time: //p')
python3 "$(dirname "$0")/../support/shift_job.py" "-$((began - 3600))" "$demo" old/old.darshan 2>/dev/null || cp "$demo" old/old.darshan
began=$("${iolite%/*}/darshan-parser" old/old.darshan | sed -n 's/^# start_time: //p')
[ "$began" = 3600 ] || fail "the log begins at $began"
status 0 "$iolite" index -q --store "$work/old.db" old
status 0 "$iolite" jobs --store "$work/old.db"
has unknown
lacks 1970
status 0 "$iolite" jobs --json --columns start --store "$work/old.db"
has '"start":null'
status 0 "$iolite" fleet --store "$work/old.db"
lacks 1970
finish
