#!/usr/bin/env bash
# iolite explain: every name that a command prints has a meaning: figures, counters, rules, thresholds, variables.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
status 0 "$iolite" explain io_share io_time
has "figure of the job, in s"
has "Not known when"
status 0 "$iolite" explain POSIX_BYTES_READ posix_f_meta_time
has "counter of POSIX"
has "POSIX_F_META_TIME"
status 0 "$iolite" explain
has bytes_read
has rate
status 2 "$iolite" explain no_such_name
grep -q no_such_name "$work/err" || fail "an unknown name is not named"
status 0 "$iolite" explain --json io_share rate
valid_json "explain --json"

# A rule, by its name and its old code, as diagnose explains it.
rule=$("$iolite" diagnose --list-rules | awk 'NR == 5 { print $1 }')
"$iolite" diagnose --explain "$rule" >"$work/expected"
status 0 "$iolite" explain "$rule"
cmp -s "$work/expected" "$work/out" || fail "explain and diagnose --explain differ about $rule"

# All figures of the JSON, all thresholds and all variables.
names=$("$iolite" show --json "$demo" | tr -d '\n' | grep -o '"figures": *{[^}]*}' | grep -o '"[a-z_]*":' | tr -d '":' | grep -v figures)
[ "$(wc -w <<<"$names")" -ge 10 ] || fail "hardly any figures: $names"
# shellcheck disable=SC2086
status 0 "$iolite" explain $names
# shellcheck disable=SC2046
status 0 "$iolite" explain $("$iolite" diagnose --list-thresholds | awk '/^[a-z_]+\./ { print $1 }' | head -n 20)
# shellcheck disable=SC2046
status 0 "$iolite" explain $("$iolite" diagnose --list-variables | awk '{ print $1 }')
# Each variable that is a number has a unit
# shellcheck disable=SC2046
status 0 "$iolite" explain --json $("$iolite" diagnose --list-variables | awk '{ print $1 }')
! command -v python3 >/dev/null || python3 - "$work/out" <<'END' || fail "variables without a unit"
import json, sys
without = [one["name"] for one in json.load(open(sys.argv[1])) if one["kind"] == "variable of rules" and not one["unit"]]
truths = {"empty_reads", "sharing", "hdf5", "standard_stream", "local_fs", "shared_fs", "slow_fs", "python_package", "on_slow_ost", "ost_bound",
          "stripe_misfit", "opened_by_all", "process_tree", "stdout_slow", "stdout_pipe", "nodes_known", "launcher", "launcher_log", "damaged"}
assert set(without) == truths, sorted(set(without) ^ truths)
END
finish
