#!/usr/bin/env bash
# Memory maps of files: how much of each a process used is in the log, whether the map went or the process ended, and in
# figures and findings; a forked child counts what it used itself.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
command -v python3 >/dev/null || skip "no python3"
[ -r /proc/self/pagemap ] || skip "no /proc/self/pagemap"
cat >"$work/use.py" <<'PROGRAM'
import mmap, os, sys

path, megabytes, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
length = megabytes << 20
with open(path, "wb") as f:
    f.truncate(length)
with open(path, "rb") as f:
    m = mmap.mmap(f.fileno(), 32768 if how == "small" else length, access=mmap.ACCESS_READ)
use = lambda begin, end: [m[at] for at in range(begin, end, 4096)]
if how == "fork":
    if os.fork() == 0:
        use(length // 2, length)
        os._exit(0)
    os.wait()
elif how == "idle":
    if os.fork() == 0:
        os._exit(0)
    os.wait()
if how != "small":
    use(0, length // 2)
if how == "closed":
    m.close()
if how == "all":
    use(0, length)
PROGRAM

# used HOW NAME MEGABYTES: runs the program; `sum COUNTER` then adds up that counter over processes.
used() { "$iolite" run -q -o "$work/$1.darshan" -- python3 "$work/use.py" "$work/$2" "$3" "$1" || fail "$1: the program failed"; }
sum() { "$iolite" dump "$work/$1.darshan" | awk -v name="$2" '$1 == name { sum += $2 } END { print sum + 0 }'; }
# The kernel maps neighbours that are in memory anyway, 16 pages or a large one.
within() { # what value least most
    if [ "$2" -lt "$3" ] || [ "$2" -gt "$4" ]; then fail "$1: $2, not from $3 to $4"; fi
}
half=4194304

for how in closed kept; do
    used $how data 8
    within "$how, maps" "$(sum $how MAPS_COUNT)" 1 1
    within "$how, length" "$(sum $how MAPS_BYTES)" 8388608 8388608
    within "$how, used" "$(sum $how MAPS_TOUCHED)" $half $((half * 3 / 2))
    within "$how, pieces" "$(sum $how MAPS_PIECES)" 1 1
    within "$how, unmeasured" "$(sum $how MAPS_UNMEASURED)" 0 0
done
used fork data 8
within "forked, maps" "$(sum fork MAPS_COUNT)" 2 2
within "forked, used" "$(sum fork MAPS_TOUCHED)" $((2 * half)) $((3 * half))
used idle data 8
within "an idle child, maps" "$(sum idle MAPS_COUNT)" 1 1
used small data 8
within "a small map" "$(sum small MAPS_COUNT)" 0 0

used all weights.npy 72
within "sampled" "$(sum all MAPS_SAMPLED)" 1 1
within "sampled, used" "$(sum all MAPS_TOUCHED)" 75497472 75497472
status 0 "$iolite" show "$work/all.darshan"
has "72 MiB through maps"
status 0 "$iolite" show --json "$work/all.darshan"
has '"map_bytes": 75497472'
status 0 "$iolite" diagnose "$work/all.darshan"
has "72 MiB of 72 MiB in memory maps were used"
status 0 "$iolite" diagnose --json "$work/all.darshan"
has 'mmap_mode=None'
status 0 "$iolite" convert "$work/all.darshan" "$work/again.darshan"
within "converted" "$(sum again MAPS_TOUCHED)" 75497472 75497472
status 0 env IOLITE_MOD_DISABLE=MAPS "$iolite" run -q -o "$work/off.darshan" -- python3 "$work/use.py" "$work/data" 8 kept
within "switched off" "$(sum off MAPS_COUNT)" 0 0
finish
