#!/usr/bin/env bash
# Ranks that only look at names: the job has a log when that matters, with the calls of all ranks in it and those that
# failed apart; and everything that speaks of the log says so.
# usage: names_only.sh program launcher...
# shellcheck source=tests/mpi/recorded.bash
. "$(dirname "$0")/recorded.bash"
recorded "$@"
mkdir "$work/here"
cd "$work/here" || exit 1

# record CALLS VARIABLE...: four ranks, which make a log or none.
record() {
    local calls=$1
    shift
    rm -rf "$work/logs"
    timeout 120 "${launcher[@]}" -n 4 env LD_PRELOAD="$library" IOLITE_LOG_DIR="$work/logs" IOLITE_MMAP_DIR="$work" \
        "$@" "$program" "$calls" >"$work/out" 2>"$work/said" || fail "$*: the program failed: $(head -n 5 "$work/said")"
    log=$(find "$work/logs" -type f 2>/dev/null)
}

# counted LABEL CALLS: of each rank.
counted() {
    [ -f "$log" ] || { fail "$1: not one log: $log"; return; }
    status 0 "$iolite" check "$log"
    status 0 "$iolite" dump --json "$log"
    python3 - "$1" "$2" "$work/out" <<'END' || failures=$((failures + 1))
import json, sys
label, calls, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
log = json.load(open(path, encoding="utf-8"))
found = (log["job"]["processes"], log["operations"]["stat"]["count"], log["operations"]["stat"]["failed"])
if found != (4, 4 * calls, 4 * calls): sys.exit(f"FAIL: {label}: {found}")
END
}

record 15000
counted "many calls" 15000
status 0 "$iolite" show "$log"
has "120 k stat (60,000 failed)"
status 0 "$iolite" diagnose "$log"
lacks "holds no file I/O"
has "calls that open or look at a file fail"
record 2000
counted "many calls only together" 2000
record 10
[ -z "$log" ] || fail "a log of ten calls"
record 10 IOLITE_METADATA_CALLS=50
counted "ten calls, with another limit" 10
record 15000 IOLITE_METADATA_CALLS=0 IOLITE_METADATA_TIME=0
[ -z "$log" ] || fail "a log of what does not matter by the settings"

# Through `run`, the job has a log of its own, and that knows its ranks.
export IOLITE_LIBRARY=$library
rm -rf "$work/logs"
status 0 timeout 120 "$iolite" run --json --log-dir "$work/logs" -- "${launcher[@]}" -n 4 "$program" 15000
grep -q '"stat":{"count":60000,"failed":60000' "$work/err" || fail "the summary of run: $(tail -n 6 "$work/err")"
log=$(find "$work/logs" -name '*names_only*')
counted "through run" 15000
finish
