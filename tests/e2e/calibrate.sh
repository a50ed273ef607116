#!/usr/bin/env bash
# iolite calibrate: a config that diagnose takes, figures only from enough logs, and nothing changed by it.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
export XDG_CONFIG_HOME=$work/config HOME=$work

status 2 "$iolite" calibrate
status 2 "$iolite" calibrate --least 0 "$demo"
status 3 "$iolite" calibrate "$work/nothing"
lines 0
grep -q 'there is nothing to propose' "$work/err" || fail "a proposal from no log"
status 0 "$iolite" calibrate "$demo"
has "from 1 log,"
has "too few: 20 at least"
! grep -q '^ *set' "$work/out" || fail "a value from a single log"

# Twenty jobs of one kind on Lustre, of which it is known what they say: 1.8 ms a write
mkdir "$work/logs"
for i in $(seq 20); do cp "$seeds/hostile-names.darshan" "$work/logs/$i.darshan"; done
status 0 "$iolite" calibrate --threads 3 "$work/logs"
grep -q '^set site.latency = 0.0018$' "$work/out" || fail "the latency is not 1.8 ms"
grep -q '^mount "/scratch"$' "$work/out" || fail "no section for the mount"
grep -q '^  set site.latency = 0.0018$' "$work/out" || fail "no latency for the mount"
grep -q '^# too few: 20 at least$' "$work/out" || fail "nothing is called too few"
cp "$work/out" "$work/proposed.rules"
[ ! -e "$work/config" ] || fail "something was applied"
status 0 "$iolite" diagnose --config "$work/proposed.rules" --list-thresholds
[ ! -s "$work/err" ] || fail "diagnose does not like the config: $(head -n 2 "$work/err")"
grep -q "^site.latency *0.0018  ($work/proposed.rules)" "$work/out" || fail "the config has no effect"
status 0 "$iolite" calibrate --threads 1 -o "$work/alone.rules" "$work/logs"
lines 0
cmp -s "$work/proposed.rules" "$work/alone.rules" || fail "the number of threads shows"
status 0 "$iolite" calibrate --least 21 "$work/logs"
! grep -q '^ *set' "$work/out" || fail "--least"
status 0 "$iolite" calibrate --json "$work/logs"
valid_json "calibrate --json"
has '"usable":true'
status 3 "$iolite" calibrate "$work/logs" "$work/nothing"
grep -q '^set site.latency' "$work/out" || fail "a log that is missing costs the others"
finish
