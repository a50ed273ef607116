#!/usr/bin/env bash
# SECURITY.md, "Others cannot read": logs, records of running programs, and the directory of a run.
# shellcheck source=tests/security/two_users.bash
. "$(dirname "$0")/two_users.bash"

# Logs that are written, by run and by the tools.
alice iolite run -q -o "$work/logs/alice.darshan" -- cat /etc/passwd >/dev/null || fail "no log"
alice iolite convert "$work/demo.darshan" "$work/logs/converted.darshan" || fail "convert"
alice iolite merge -o "$work/logs/merged.darshan" "$work/logs/alice.darshan" || fail "merge"
for log in alice converted merged; do
    [ "$(stat -c '%u %a' "$work/logs/$log.darshan")" = "$alice_id 400" ] || fail "$log: $(stat -c '%u %a' "$work/logs/$log.darshan")"
    refused mallory cat "$work/logs/$log.darshan"
    refused mallory iolite show "$work/logs/$log.darshan"
done

# Records while a program runs: nothing that it has in the common directory can be read, nor its names guessed.
mkfifo -m 666 "$work/go"
alice iolite run -q -o "$work/logs/running.darshan" -- sh -c "cat /etc/passwd; cat $work/go" >/dev/null 2>&1 &
job=$!
for ((i = 0; i < 100; i++)); do
    [ -n "$(ls "$work/shm")" ] && break
    sleep 0.1
done
[ -n "$(ls "$work/shm")" ] || fail "no records of a running program: nothing is tested"
for entry in "$work"/shm/*; do
    [ "$(($(stat -c '0%a' "$entry") & 077))" = 0 ] || fail "others may use $entry ($(stat -c %a "$entry"))"
    refused mallory cat "$entry"
    refused mallory ls "$entry/"
done
mallory iolite top --json --count 1 >"$work/top" 2>/dev/null
! grep -q passwd "$work/top" || fail "top shows what another's program does"
echo >"$work/go"
wait $job || fail "the run of alice failed"
finish
