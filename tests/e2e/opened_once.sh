#!/usr/bin/env bash
# Commands about one log open it once, also when they ask a store for earlier runs and a site for what its servers did; and
# the context that they ask for says the same to rules as the document of `iolite context`.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
strace -f -o /dev/null true 2>/dev/null || skip "strace cannot trace here"
unset IOLITE_SITE_CONFIG IOLITE_STORE
log=$work/run.darshan
cp "$demo" "$log"
printf 'obdfilter.f-OST0001.degraded=1\nobdfilter.f-OST0002.degraded=0\n' >"$work/mdstat"
cat >"$work/site.json" <<'END'
{"mount_to_fsname": {".*": "f"}, "fsname_to_backend_name": {"f": "f"}, "md_files": "mdstat"}
END
status 0 "$iolite" index -q --store "$work/index.db" --site "$work/site.json" "$work/run.darshan"

# opens N COMMAND...: COMMAND opens the log N times; --store and --site come behind.
site=(--site "$work/site.json")
opens() {
    local wanted=$1 found
    shift
    ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/calls" -e trace=open,openat "$iolite" "$@" --store "$work/index.db" \
        "${site[@]}" "$log" >"$work/out" 2>"$work/err" || [ $? -eq 1 ] || fail "$*: $(tail -n 1 "$work/err")"
    found=$(grep -c '"[^"]*run\.darshan"' "$work/calls")
    [ "$found" = "$wanted" ] || fail "$*: the log was opened $found times instead of $wanted"
}
opens 1 diagnose
opens 1 diagnose --names hash
opens 1 diagnose --format json
opens 1 report --json
opens 1 context
cp "$work/out" "$work/context.json"
site=() # of which it asks nothing
opens 1 show

# The same findings from both forms of the context
status 0 "$iolite" diagnose --set site.io_share=0 --store "$work/index.db" --site "$work/site.json" --format json "$log"
grep -v '"elapsed' "$work/out" >"$work/direct"
grep -q '"site\.' "$work/direct" || fail "no finding about the site"
status 0 "$iolite" diagnose --set site.io_share=0 --context "$work/context.json" --format json "$log"
grep -v '"elapsed' "$work/out" | cmp -s - "$work/direct" || fail "the document says something else: $(grep -v '"elapsed' "$work/out" | diff - "$work/direct" | head -n 6)"
finish
