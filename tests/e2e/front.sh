#!/usr/bin/env bash
# bin/iolite is a small program for `run` and a door to libexec/iolite/iolite, which has all commands: nobody notices
# that there are two, in a tree that was copied too; and without the second one programs still run and are recorded.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
unset IOLITE_LIBRARY
work=$(cd "$work" && pwd -P)
tree=$work/tree
mkdir -p "$tree/bin" "$tree/lib" "$tree/libexec/iolite"
cp "$iolite" "$tree/bin/"
cp "${iolite%/bin/iolite}/libexec/iolite/iolite" "$tree/libexec/iolite/"
cp "$library" "$tree/lib/"
front=$tree/bin/iolite
logs() { find "$work/logs" -name '*.darshan' 2>/dev/null | wc -l; }

# Through the door: the same text and status, also by way of a link in another directory.
ln -s "$front" "$work/link"
for words in --version help "help run" "run --help" "show $demo" "no-such-command" "run" "run --no-such-option" ""; do
    # shellcheck disable=SC2086 # words
    "$tree/libexec/iolite/iolite" $words >"$work/wanted.out" 2>"$work/wanted.err"
    wanted=$?
    for program in "$front" "$work/link"; do
        # shellcheck disable=SC2086
        status $wanted "$program" $words
        cmp -s "$work/wanted.out" "$work/out" && cmp -s "$work/wanted.err" "$work/err" || fail "$program $words: other text"
    done
done

# A silent run is the small one's; what has something to say is handed over, once, with options and settings as they are.
export IOLITE_LOG_DIR=$work/logs
status 0 "$front" run -q -- sh -c 'echo word >'"$work/file"
[ ! -s "$work/err" ] && [ "$(logs)" = 1 ] || fail "a silent run: $(cat "$work/err"), $(logs) logs"
status 7 "$front" run -v -- sh -c 'echo word >'"$work/file"'; exit 7'
grep -q '^iolite: ran ' "$work/err" && [ "$(logs)" = 2 ] || fail "a run with a summary: $(cat "$work/err"), $(logs) logs"
(cd "$work" && "$front" run --json -o of-its-own.darshan -- true) 2>/dev/null || fail "run --json"
status 0 "$front" check "$work/of-its-own.darshan"
IOLITE_RUN_WAIT=soon status 0 "$front" run -- true
[ "$(grep -c IOLITE_RUN_WAIT "$work/err")" = 1 ] || fail "a wrong setting: $(cat "$work/err")"
status 0 env IOLITE_VERBOSE=1 "$front" run -- true
grep -q '^iolite: ran ' "$work/err" || fail "no summary by a setting: $(cat "$work/err")"

# What a program is given is its own: arguments that look like options, closed descriptors, ignored signals.
status 0 "$front" run -v -- printf '%s\n' --json -v run
[ "$(tr '\n' ' ' <"$work/out")" = "--json -v run " ] || fail "arguments: $(cat "$work/out")"
for talk in -q -v; do
    (trap '' PIPE && "$front" run $talk -- grep -q '^SigIgn:.*1...$' /proc/self/status 2>/dev/null) ||
        fail "run $talk: a signal that was ignored is not"
    "$front" run $talk -- grep -q '^SigIgn:.*0...$' /proc/self/status 2>/dev/null || fail "run $talk: a signal is ignored"
    (exec 0<&-; "$front" run $talk -- sh -c '[ ! -e /proc/self/fd/0 ]' 2>/dev/null) || fail "run $talk: a closed descriptor"
done

# Half an installation: programs run and are recorded, everything else says what is missing.
rm "$tree/libexec/iolite/iolite"
before=$(logs)
status 5 "$front" run -v -- sh -c 'echo word >'"$work/file"'; exit 5'
[ "$(logs)" = $((before + 1)) ] || fail "no log without the second program"
status 4 "$front" show "$demo"
grep -q 'libexec/iolite/iolite.*cannot be started' "$work/err" || fail "nothing says what is missing: $(cat "$work/err")"
status 125 "$front" run --no-such-option -- true
# What a silent run does stands together in it, where the linker can be told so (cmds/front.ld).
end=$(readelf -SW "$iolite" | sed -n 's/.* \.often  *PROGBITS  *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/16#\1 + 16#\2/p')
apart=$(nm "$iolite" 2>/dev/null | awk '$3 ~ /^(main|run_program|write_run_log|iol__inputs_add|iol__merge_write|iol_writer_job|iol__resolve|__libc_start_main|malloc|__vfprintf_internal)$/' |
    while [ -n "$end" ] && read -r address _ name; do [ $((16#$address < end)) = 1 ] || echo "$name"; done)
[ -z "$apart" ] || fail "not with the rest of a silent run: $apart"

finish
