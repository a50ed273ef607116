#!/usr/bin/env bash
# Threads of `index`, `diagnose` and `serve` at work at once: they end well, count the same as one thread, and under
# ThreadSanitizer (./dev test --tsan) no two of them touch the same memory unasked.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/centre.bash
. "$(dirname "$0")/centre.bash"
command -v python3 >/dev/null || skip "python3 is not there"
[ -x "$tools/make-centre" ] || skip "make-centre was not built"
export TSAN_OPTIONS="exitcode=66 log_path=$work/races"
races() { # what
    ! ls "$work"/races.* >/dev/null 2>&1 || fail "$1: $(grep -h -m 3 -A 6 'WARNING: ThreadSanitizer' "$work"/races.* | head -n 12)"
    rm -f "$work"/races.*
}
"$tools/make-centre" --logs 60 --large 0 --broken 10 "$work/centre"

# The index: several readers, one writer at a time; a signal ends it early, and the next run makes it whole
for threads in 1 4; do
    status 0 "$iolite" index -q --threads "$threads" --store "$work/$threads.db" --site "$work/centre/site.json"
    races "index with $threads threads"
    "$iolite" jobs --store "$work/$threads.db" --csv -n 1000 >"$work/jobs.$threads"
done
cmp -s "$work/jobs.1" "$work/jobs.4" || fail "four threads list other jobs than one"
"$iolite" index -q --threads 4 --store "$work/ended.db" --site "$work/centre/site.json" &
index=$!
until_true test -s "$work/ended.db"
kill -INT $index 2>/dev/null
wait $index
races "an index that was interrupted"
status 0 "$iolite" index -q --threads 4 --store "$work/ended.db" --site "$work/centre/site.json"
"$iolite" jobs --store "$work/ended.db" --csv -n 1000 | cmp -s - "$work/jobs.1" || fail "an interrupted index lists other jobs"
# A store that fails while others read: the first reason is reported
mkdir "$work/readonly"
: >"$work/readonly/index.db"
chmod 400 "$work/readonly/index.db"
[ "$(id -u)" = 0 ] || status 4 "$iolite" index -q --threads 4 --store "$work/readonly/index.db" --site "$work/centre/site.json"
races "an index that cannot be written"

# Diagnoses in order, whatever thread made them
status 0 "$iolite" diagnose --threads 1 "$work/centre/logs"
cp "$work/out" "$work/alone"
status 0 "$iolite" diagnose --threads 4 "$work/centre/logs"
cmp -s "$work/out" "$work/alone" || fail "four threads diagnose otherwise than one"
races "diagnose"

# The server: questions from eight sides while its indexer looks for logs and some are handed in
timeout 10 "$iolite" serve --listen nowhere --state "$work/probe" 2>"$work/err" >/dev/null
if ! grep -q -e 'has no HTTP server' -e 'not on this machine' "$work/err"; then
    # shellcheck source=tests/e2e/portal.bash
    . "$(dirname "$0")/portal.bash"
    store=$work/4.db
    trap '[ -z "$portal" ] || kill -9 "$portal" 2>/dev/null; rm -rf "$work"' EXIT
    people
    start_portal --interval 1 --logs "$work/centre/logs"
    timeout 200 python3 -B "$(dirname "$0")/../serve/crowd.py" "$address" "$token" "$log" || fail "the crowd: status $?"
    stop_portal
    races "serve"
fi
finish
