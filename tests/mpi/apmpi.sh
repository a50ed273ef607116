#!/usr/bin/env bash
# MPI's own statistics, for a program that knows what it did: every counter of every rank is what the program says,
# whatever it asked of MPI-IO in between; nothing of it is there unless it is asked for; and what a killed rank leaves
# can be read.
# usage: apmpi.sh ranks programs launcher...
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
ranks=$1 programs=$2
shift 2
launcher=("$@")
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
[ -e "$library" ] && [ -x "$programs/apmpi_operations" ] || exit 77
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD
IOLITE_LIBRARY=$(realpath "$library")
mkdir "$work/records"
export IOLITE_LIBRARY HOME=$work IOLITE_MMAP_DIR=$work/records

# record PROGRAM ARGUMENT...: runs it on all ranks. The logs of the run are $logs: of the MPI job, and of its launcher
# if that did anything.
record() {
    local program=$1
    shift
    rm -rf "$work/logs"
    timeout 240 "$iolite" run -q --log-dir "$work/logs" -- "${launcher[@]}" -n "$ranks" "$programs/$program" "$@" \
        >"$work/out" 2>"$work/err"
    ended=$?
    logs=("$work"/logs/*.darshan)
    [ -e "${logs[0]}" ] || fail "$program: there is no log: $(tail -n 3 "$work/err")"
}

# counters GLOB: rank, counter and value of each record of a rank.
counters() { "$iolite" dump --csv -m APMPI -c "$1" "${logs[@]}" | awk -F, '$6 == "APMPI" { print $2, $4, $5 }'; }

same_as_expected() { # folder label [ranks]
    [ "$ended" = 0 ] || fail "$2: status $ended: $(tail -n 3 "$work/err")"
    LC_ALL=C sort "$1"/expected.* >"$work/expected"
    { counters '*_CALL_COUNT' && counters '*_TOTAL_BYTES' && counters '*_MSG_SIZE_*'; } | LC_ALL=C sort >"$work/got"
    [ "$(wc -l <"$work/expected")" = $((396 * ${3:-ranks})) ] || fail "$2: the program did not say what it did"
    cmp -s "$work/expected" "$work/got" ||
        fail "$2: counters differ (< expected, > got): $(diff "$work/expected" "$work/got" | grep '^[<>]' | head -n 12)"
}

# An operation that was called has a time, the shortest is not longer than the longest, and all of them make the total.
# A call may be over within a grain of the clock.
times_are_sound() { # label
    { counters '*_CALL_COUNT' && counters '*_TIME'; } | awk '
        { value[$1, $2] = $3; ranks[$1] }
        $2 ~ /_CALL_COUNT$/ { sub(/_CALL_COUNT$/, "", $2); names[$2] }
        END {
            for (rank in ranks) {
                sum = 0
                for (name in names) {
                    calls = value[rank, name "_CALL_COUNT"]; total = value[rank, name "_TOTAL_TIME"]
                    least = value[rank, name "_MIN_TIME"]; most = value[rank, name "_MAX_TIME"]
                    sum += total + value[rank, name "_TOTAL_SYNC_TIME"]
                    if (calls == 0 ? total + least + most != 0 : !(least >= 0 && least <= most && 0 < most && most <= total))
                        print rank, name, calls, total, least, most
                }
                all = value[rank, "MPI_TOTAL_COMM_TIME"]
                if (all < sum * 0.999999 || all > sum * 1.000001) print rank, "in all", all, "instead of", sum
            } }' >"$work/unsound"
    [ ! -s "$work/unsound" ] || fail "$1: times: $(head -n 5 "$work/unsound")"
}

# Asked for ---------------------------------------------------------------------------------------------------------

mkdir "$work/plain" "$work/excluded" "$work/synced" "$work/off" "$work/alone"
export IOLITE_MOD_ENABLE=APMPI
record apmpi_operations "$work/plain"
same_as_expected "$work/plain" "every operation"
times_are_sound "every operation"
status 0 "$iolite" check "${logs[@]}"
status 0 "$iolite" dump --json -m APMPI "${logs[@]}"
[ ${#logs[@]} -gt 1 ] || valid_json "APMPI"
has '"header":true'
has '"sync_times":false'
lacks 'SYNC_TIME'
has "\"processor\":\"$(uname -n)\""

# Without MPI-IO's own records, what that sends is not the program's either.
IOLITE_MOD_DISABLE=MPI-IO record apmpi_operations "$work/alone"
same_as_expected "$work/alone" "without the module MPI-IO"

# A rank that is left alone has no record, also if it is the one that writes the log.
if [ "$ranks" -gt 1 ]; then
    IOLITE_RANK_EXCLUDE=0 record apmpi_operations "$work/excluded"
    rm "$work/excluded/expected.0"
    same_as_expected "$work/excluded" "without rank 0" $((ranks - 1))
    status 0 "$iolite" check "${logs[@]}"
fi

IOLITE_APMPI_SYNC=1 record apmpi_operations "$work/synced"
same_as_expected "$work/synced" "with barriers"
times_are_sound "with barriers"
status 0 "$iolite" dump --json -m APMPI "${logs[@]}"
has '"sync_times":true'
# Where nobody else has to come, a barrier may be over within a grain of the clock; all of them together are not.
synced=MPI_BCAST_TOTAL_SYNC_TIME
[ "$ranks" -gt 1 ] || synced=MPI_TOTAL_COMM_SYNC_TIME
[ "$(counters $synced | awk '$3 > 0' | wc -l)" = "$ranks" ] || fail "no sync time on some rank"

record apmpi_threads
[ "$(counters 'MPI_SEND_CALL_COUNT' | awk '{ n += $3 } END { print n }')" = $((ranks * 4 * 500)) ] ||
    fail "threads: $(counters 'MPI_SEND_CALL_COUNT')"
[ "$(counters 'MPI_RECV_TOTAL_BYTES' | awk '{ n += $3 } END { print n }')" = $((ranks * 4 * 500 * 24)) ] ||
    fail "threads: $(counters 'MPI_RECV_TOTAL_BYTES')"

# The end is never reached ------------------------------------------------------------------------------------------

record apmpi_killed # whose status is not looked at: mpirun of MPICH 4.2 sometimes ends with 0 after a rank was killed
[ "$(counters 'MPI_SENDRECV_CALL_COUNT' | awk '$3 == 10' | wc -l)" = "$ranks" ] ||
    fail "killed: $(counters 'MPI_SENDRECV_CALL_COUNT')"
status 0 "$iolite" check "${logs[@]}"

# Not asked for -----------------------------------------------------------------------------------------------------

unset IOLITE_MOD_ENABLE
IOLITE_APMPI_SYNC=1 record apmpi_operations "$work/off"
[ "$ended" = 0 ] || fail "not asked for: status $ended"
status 0 "$iolite" dump --csv "${logs[@]}"
has /expected.0
lacks APMPI

check_documents || fail "not JSON"
exit $((failures > 0))
