#!/usr/bin/env bash
# Layouts of files, from a file system that serves them as Lustre does: what is recorded is what the layouts say, for
# every kind of them and every way to close a file, and nothing is asked where there is no Lustre.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
tools=$IOLITE_TOOLS/lustre
[ -e "$library" ] && [ -x "$tools/fuse_lustre" ] && [ -w /dev/fuse ] || exit 77
command -v fusermount3 >/dev/null || exit 77
library=$(realpath "$library")
parser=$IOLITE_BIN/darshan-parser
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD ASAN_OPTIONS "${!SLURM_@}" JOB_ID
work=$(cd "$work" && pwd -P)
mount=$work/scratch
logs=$work/logs
status=$work/status
mkdir "$work/behind" "$mount" "$work/records" "$work/elsewhere"
export IOLITE_LIBRARY=$library HOME=$work IOLITE_MMAP_DIR=$work/records

"$tools/fuse_lustre" "$work/behind" "$mount" -f -o subtype=lustre,fsname=10.0.0.1@tcp:10.0.0.2@tcp:/testfs 2>/dev/null &
server=$!
trap 'fusermount3 -u -z "$mount"; wait "$server"; rm -rf "$work"' EXIT
tries=0
until grep -q " $mount fuse.lustre " /proc/self/mounts; do
    kill -0 "$server" 2>/dev/null || exit 77 # mounting is not allowed here
    tries=$((tries + 1))
    [ $tries -lt 600 ] || { echo "the file system is not there" >&2; exit 1; }
    sleep 0.05
done

# What a client of Lustre says about its servers.
mkdir -p "$status/lov/testfs-clilov-ffff8800" "$status/lov/testfs2-clilov-ffff8801" "$status/lmv/testfs-clilmv-ffff8800"
echo 12 >"$status/lov/testfs-clilov-ffff8800/numobd"
echo 99 >"$status/lov/testfs2-clilov-ffff8801/numobd"
echo 2 >"$status/lmv/testfs-clilmv-ffff8800/numobd"
export IOLITE_LUSTRE_TYPES=fuse.lustre IOLITE_LUSTRE_STATUS=$status

# record HOW FILE...: runs it on these files, alone; its log is $log.
record() {
    rm -rf "$logs"
    LD_PRELOAD=$library IOLITE_LOG_DIR=$logs "$tools/striped" "$@" || fail "striped $* failed"
    log=$(find "$logs" -type f)
    [ -f "$log" ] || fail "striped $*: not exactly one log: $log"
}

# layouts: the LUSTRE records of $log, a line per file: name, components, stripes, and the rest in its order.
layouts() {
    "$parser" --base "$log" 2>/dev/null | awk -F'\t' '$1 == "LUSTRE" {
        name = $6; sub(/.*\//, "", name)
        if (name != last) printf "%s%s", last == "" ? "" : "\n", name
        last = name
        printf " %s", $5 } END { if (last != "") print "" }' | sort
}

# expect TEXT: the layouts of $log.
expect() {
    local got
    got=$(layouts)
    [ "$got" = "$1" ] || fail "layouts are: $got, not: $1"
}

plain="1 4 1048576 4 raid0 0 0 -1 0 N/A 3 5 0 7"
pool="1 2 4194304 2 raid0 0 0 -1 0 flash 3 5"
first="1048576 1 raid0 init 0 67108864 0 flash"
second="4194304 4 raid0 init 67108864 1073741824 0 disk"
third="16777216 12 raid0 init 1073741824 -1 0 disk"
progressive="2 5 $first 3 $second 5 0 7 11"
full="3 17 $first 3 $second 5 0 7 11 $third 3 5 0 7 11 12 13 14 15 16 17 18"

# Every kind.
record close "$mount"/{plain,pool,progressive,mirrored,on_mdt,overstriped,released,extending,foreign}
expect "extending 1 1 1048576 1 raid0 init 0 67108864 0 N/A 3
foreign 1 0 0 0 foreign 0 0 -1 0 N/A
mirrored 2 4 1048576 2 raid0 prefwr,init 0 -1 1 N/A 3 5 1048576 2 raid0 stale,init 0 -1 2 N/A 0 7
on_mdt 2 2 1048576 0 mdt init 0 1048576 0 N/A 1048576 2 raid0 init 1048576 -1 0 N/A 3 5
overstriped 1 4 1048576 4 raid0,overstriped 0 0 -1 0 flash 1 2 1 2
plain $plain
pool $pool
progressive $progressive
released 1 0 1048576 0 raid0 0 0 -1 0 N/A"

# Every way to close a file, and not to.
record stream "$mount/plain" && expect "plain $plain"
record copies "$mount/plain" && expect "plain $plain"
record open "$mount/pool" "$mount/plain" && expect "plain $plain
pool $pool"
record thread "$mount/plain" && expect "plain $plain"

# One whose attribute is larger than what is usual.
record close "$mount/wide"
case $(layouts) in
"wide 1 2000 1048576 2000 raid0 0 0 -1 0 N/A 0 1 2 "*" 1998 1999") ;;
*) fail "wide: $(layouts)" ;;
esac

# A file that grows gets a new record, in the log once.
record again "$mount/growing"
expect "growing $full"
record again "$mount/growing.2" "$mount/plain"
expect "growing.2 $full
plain $plain"

# What is damaged, and what has no layout, has no record, and the program does not notice.
record close "$mount"/bad_{empty,magic,short,head,table,size,offset,length,none,nested,overlap} "$mount"/{nothing,plain}
expect "plain $plain"
"$iolite" check "$log" >/dev/null || fail "the log is not sound"
IOLITE_VERBOSE=1 record close "$mount/bad_magic" 2>"$work/err"
grep -qF "layout cannot be understood: $mount/bad_magic" "$work/err" || fail "said: $(cat "$work/err")"

# A link that leads there; a file that is elsewhere.
ln -s "$mount" "$work/link"
record close "$work/link/plain" "$work/elsewhere/plain"
expect "plain $plain"
layouts=$("$parser" --base "$log" 2>/dev/null | grep -c "LUSTRE_NUM_COMPONENTS.*$work/link/plain")
[ "$layouts" = 1 ] || fail "the record of a file by a link has another name"

# Switched off; and a file system that is not called Lustre, but has such an attribute.
IOLITE_MOD_DISABLE=LUSTRE record close "$mount/plain"
expect ""
IOLITE_LUSTRE_TYPES=lustre record close "$mount/plain"
expect "plain $plain"
if strace -o /dev/null true 2>/dev/null; then
    asked() { rm -rf "$logs"; strace -f -o "$work/trace" -E LD_PRELOAD="$library" -E IOLITE_LOG_DIR="$logs" "$@"; }
    asked "$tools/striped" close "$work/elsewhere"/{a,b,c}
    [ "$(grep -c fgetxattr "$work/trace")" -le 1 ] || fail "a mount that is not Lustre is asked more than once"
    asked "$tools/striped" close "$mount/plain"
    [ "$(grep -c fgetxattr "$work/trace")" = 1 ] || fail "a file is asked $(grep -c fgetxattr "$work/trace") times"
    ! grep -q -e ioctl "$work/trace" || fail "an ioctl"
fi

# servers TEXT: what $log says of them.
servers() {
    status 0 "$iolite" dump --json "$log"
    valid_json "$log"
    tr -d ' \n' <"$work/out" | grep -qF "\"lustre\":{\"testfs\":{\"mount\":\"$mount\"$1}}" || fail "not in $log: $1"
}

# The servers of the file system, in the log of a process and after merging.
record close "$mount/plain"
servers ',"osts":12,"mdts":2'
status 0 "$iolite" show "$log"
has "$mount: 12 OSTs, 2 MDTs"
IOLITE_LUSTRE_STATUS=$work/nowhere record close "$mount/plain"
servers ''

# run HOW FILE...: the same under `iolite run`.
run() {
    rm -rf "$logs"
    ("$iolite" run --log-dir "$logs" -- "$tools/striped" "$@") >"$work/err" 2>&1
    log=$(find "$logs" -type f)
    [ -f "$log" ] || fail "run striped $*: not exactly one log: $log"
    "$iolite" check "$log" >/dev/null || fail "striped $*: the log is not sound"
}
run again "$mount/growing.3" "$mount/plain"
expect "growing.3 $full
plain $plain"
servers ',"osts":12,"mdts":2'
run killed "$mount/pool"
expect "pool $pool"
servers ',"osts":12,"mdts":2'
run fork "$mount/plain"
case $(layouts) in "plain $plain"*) ;; *) fail "after a fork: $(layouts)" ;; esac

# Ranks of a job that all use a file have one record of it.
if [ -n "${MPIRUN:-}" ] && [ -x "$tools/../pnetcdf/forms" ]; then
    read -r -a launch <<<"$MPIRUN"
    rm -rf "$logs"
    "${launch[@]}" -n 2 env LD_PRELOAD="$library" IOLITE_LOG_DIR="$logs" "$tools/../pnetcdf/forms" "$mount/plain.nc" \
        >/dev/null 2>"$work/err" || fail "forms: $(head -n 2 "$work/err")"
    log=$(find "$logs" -type f -name '*_forms_id*')
    # Open MPI tries locks on files of its own beside it.
    [ "$(layouts | grep '^plain.nc ')" = "plain.nc $plain" ] || fail "ranks: $(layouts)"
    "$parser" --base "$log" 2>/dev/null | grep -q $'^LUSTRE\t-1\t.*plain.nc\t' || fail "it is not that of all ranks"
    servers ',"osts":12,"mdts":2'
fi
finish
