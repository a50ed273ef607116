#!/usr/bin/env bash
# One rank of a job dies and the launcher ends the others: the log says which one was first, of what, and what it had open,
# and so do show, diagnose and report.
# Usage: deaths.sh PROGRAM LAUNCHER...
# shellcheck source=tests/mpi/ended.bash
. "$(dirname "$0")/ended.bash"
shift

# dies COMMAND...: rank 2, in this $way; the list of processes has [signal, status] as $known, and texts have $sentence.
dies() {
    fresh_folders
    timeout -k 5 60 "$iolite" run -q --log-dir "$work/logs" -- "$@" >"$work/out" 2>"$work/err"
    [ $? != 124 ] || fail "$way: the job does not end"
    log=$(find "$work/logs" -name '*.darshan' ! -name '*_others.darshan')
    status 0 "$iolite" check "$log"
    status 0 "$iolite" show "$log"
    has "Rank 2 of 4 $sentence at "
    has "Rank 2 had open: $work/files/own.2"
    status 0 "$iolite" diagnose "$log"
    tr -s ' \n' '  ' <"$work/out" >"$work/joined"
    grep -qF "Rank 2 of 4 $sentence at " "$work/joined" || fail "$way: diagnose: $(cat "$work/out")"
    grep -qF "files/own.2 open; 3 others were ended." "$work/joined" || fail "$way: diagnose: $(cat "$work/out")"
    status 0 "$iolite" report -o "$work/page.html" "$log"
    grep -qF "Rank 2 of 4 $sentence at " "$work/page.html" || fail "$way: not in the report"
    status 0 "$iolite" dump --json "$log"
    ! command -v jq >/dev/null || [ "$(jq -c '.processes[] | select(.rank == 2) | [.signal, .status]' "$work/out")" = "$known" ] ||
        fail "$way: $(jq -c .processes "$work/out")"
    [ -z "$(ls -A "$work/records")" ] || fail "$way: left: $(ls "$work/records")"
}

while IFS=: read -r way known sentence; do
    dies "$@" -n 4 "$program" "$way" "$work/files" </dev/null
done <<'END'
segv:[11,null]:was killed by signal 11 (SIGSEGV)
kill:[9,null]:was killed by signal 9 (SIGKILL)
abort:[6,null]:was killed by signal 6 (SIGABRT)
exit:[null,3]:ended with status 3
mpi_abort:[null,5]:ended with status 5
END
finish
