#!/usr/bin/env bash
# Probes: a benchmark under Iolite whose results and logs are kept, variability by month, alarms for what is slower than
# usual and for what fails; and the regular report.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
root=$PWD
[ -e "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}" ] || skip "libiolite.so is not built"
cd "$work" || exit 1
mkdir d
status 0 "$iolite" probe d --mib 1 --processes 2 --json
valid_json probe
has '"kind": "shared"'
has '"kind": "fpp"'
grep -q '"bytes": 4194304' out || fail "two processes write and read 1 MiB each: $(cat out err)"
[ "$(ls d)" = iolite-probe ] || fail "files of the benchmark stay: $(ls d)"
[ "$(wc -l <d/iolite-probe/results.jsonl)" = 2 ] || fail "results: $(cat d/iolite-probe/results.jsonl)"
log=$(sed -n 's/.*"log":"\([^"]*fpp[^"]*\)".*/\1/p' d/iolite-probe/results.jsonl)
status 0 "$iolite" dump "$log"
has iolite-probe.1
# The site's own benchmark, under a name of its own
status 0 "$iolite" probe d --kind ours --command 'dd if=/dev/zero of="$PROBE_DIR/f" bs=64k count=16 2>/dev/null; rm "$PROBE_DIR/f"'
grep -q '"kind":"ours"' d/iolite-probe/results.jsonl || fail "the site's own benchmark is not in the results"
# Far faster runs before: an alarm, by the command that is given
for i in 1 2 3 4 5; do echo "{\"kind\": \"ours\", \"rate\": ${i}e15, \"time\": 176243${i}000, \"status\": 0}"; done >>d/iolite-probe/results.jsonl
status 1 "$iolite" probe d --kind ours --alert "cat >$work/mail" --command 'dd if=/dev/zero of="$PROBE_DIR/f" bs=64k count=16 2>/dev/null'
grep -q "probe 'ours' moved .* of the usual" mail || fail "no alarm for a slow run: $(cat mail err)"
status 1 "$iolite" probe d --kind bad --command 'exit 7'
grep -q "failed with status 7" err || fail "a benchmark that fails goes by: $(cat err)"
echo 'rubbish' >>d/iolite-probe/results.jsonl
status 0 "$iolite" probe d --report
grep -q '^2025-11 *ours *5 .* 5.0x$' out || fail "variability: $(cat out)"
status 0 "$iolite" probe d --report --json
valid_json report
has '"slowest_over_fastest": 5'
status 2 "$iolite" probe
status 2 "$iolite" probe d --kind odd
status 4 "$iolite" probe /nowhere

# The regular report: parts that cannot be made leave the others
status 0 env IOLITE="$iolite" IOLITE_STORE="$work/none.sqlite" "$root/packaging/site/iolite-site-report" --probe d --output "$work/report.txt"
grep -q '== Probe of d ==' report.txt && grep -q 'could not be made' report.txt && grep -q '5.0x' report.txt || fail "the report: $(cat report.txt)"
check_documents || fail "JSON that is none"
finish
