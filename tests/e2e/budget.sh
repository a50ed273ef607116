#!/usr/bin/env bash
# Limits that a run has to keep: exit status, every form, wrong tables, and JUnit that XML readers take.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# budget LINE...: a table of these limits
budget() { printf '%s\n' "$@" >"$work/budget"; }
writes=$("$iolite" show --json "$demo" | sed -n 's/.*"writes": \([0-9]*\),.*/\1/p' | head -n 1)
[ "${writes:-0}" -gt 1 ] || give_up "the log has no writes"

budget "writes <= $writes" "# a comment" "" "bytes_read <= 1,000 TiB" "findings_high <= 0" "lost_share <= 100%"
status 0 "$iolite" diagnose --budget "$work/budget" "$demo"
has 'within the budget of'
budget "writes <= $((writes - 1)) \"large pieces\"" "bytes_written >= 1 PB"
status 2 "$iolite" diagnose --budget "$work/budget" "$demo" # no such unit
budget "writes <= $((writes - 1)) \"large pieces\"" "bytes_written >= 1 TiB" "io_share <= 100%"
status 1 "$iolite" diagnose --budget "$work/budget" "$demo"
has 'large pieces: writes is'
has 'at least 1 TiB'
status 1 "$iolite" diagnose --json --budget "$work/budget" "$demo"
has '"id":"budget.writes"'
status 1 "$iolite" diagnose --format sarif --budget "$work/budget" "$demo"
has '"ruleId":"budget.writes"'
status 1 "$iolite" diagnose --budget "$work/budget" -o "$work/io.xml" "$demo"
grep -q '<testcase classname="iolite" name="budget.bytes_written">' "$work/io.xml" || fail "a limit is no test case"
grep -q '<failure message="large pieces: writes is' "$work/io.xml" || fail "no failure"
# A name that is not there would keep its limit for ever
budget 'wrtes <= 5'
status 2 "$iolite" diagnose --budget "$work/budget" "$demo"
grep -q "budget:1: there is no figure 'wrtes'. Did you mean 'writes'?" "$work/err" || fail "an unknown figure: $(cat "$work/err")"
budget 'writes <= 5000000' 'finding:posix.smal.write <= 0'
status 2 "$iolite" diagnose --budget "$work/budget" "$demo"
grep -q "budget:2: no rule is called 'posix.smal.write'. Did you mean 'posix.small.write'?" "$work/err" || fail "an unknown rule: $(cat "$work/err")"
budget 'finding: <= 0'
status 2 "$iolite" diagnose --budget "$work/budget" "$demo"
# What findings cost, and how many there are
budget 'lost_s <= 0' 'finding:posix.mix <= 0'
status 1 "$iolite" diagnose --budget "$work/budget" "$demo"
has 'lost_s is'
# A figure that is not known keeps no limit
budget 'run_time <= 1 h'
if "$iolite" show --json "$seeds/mapped-iolite.darshan" | grep -q '"run_time": null'; then
    status 1 "$iolite" diagnose --budget "$work/budget" "$seeds/mapped-iolite.darshan"
    has 'not known'
fi
# Tables that make no sense
for line in 'nothing <= 1' 'writes < 1' 'writes <= many' 'writes <= 1 lots' 'writes <= 1 "words' 'writes <= 1 "words" more' '<= 1'; do
    budget "$line"
    status 2 "$iolite" diagnose --budget "$work/budget" "$demo"
    grep -q 'budget:1: ' "$work/err" || fail "$line: $(cat "$work/err")"
done
: >"$work/budget"
status 2 "$iolite" diagnose --budget "$work/budget" "$demo"
status 2 "$iolite" diagnose --budget "$work/none" "$demo"
budget 'writes <= 1'
status 2 "$iolite" diagnose --mode compat --budget "$work/budget" "$demo"

# JUnit, also of names that are none of XML's, and of what cannot be read
echo none >"$work/text.darshan"
"$iolite" diagnose --format junit "$seeds"/*.darshan "$work/text.darshan" >"$work/all.xml" 2>/dev/null
if command -v python3 >/dev/null; then
    python3 - "$work/all.xml" "$(find "$seeds" -maxdepth 1 -name '*.darshan' | wc -l)" <<'END' || fail "junit"
import sys, xml.etree.ElementTree as tree
top = tree.parse(sys.argv[1]).getroot()
assert top.tag == "testsuites" and len(top) == int(sys.argv[2]) + 1, len(top)
for suite in top:
    assert int(suite.get("tests")) == len(suite) and int(suite.get("failures")) == sum(case.find("failure") is not None for case in suite)
assert sum(int(suite.get("errors")) for suite in top) >= 1
END
fi
# The example of the documentation is the file
sed -n '/^# What this test may do/,/^```$/p' docs/ci.md | grep -v '^```$' | cmp -s - examples/ci/budget.txt || fail "docs/ci.md shows another table"
status 1 "$iolite" diagnose --budget examples/ci/budget.txt "$demo"
finish
