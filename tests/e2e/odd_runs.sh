#!/usr/bin/env bash
# Runs under odd circumstances: no file may grow, nobody reads what Iolite says, the library cannot be loaded, there is
# little memory, the link to a run leads nowhere. The program's output and status are its own in all of them.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
mkdir "$work/logs"
mkfifo "$work/fifo"
nothing_left() { [ -z "$(ls -A "$IOLITE_MMAP_DIR")" ] || fail "$1: left behind: $(ls -A "$IOLITE_MMAP_DIR")"; }

# expect LABEL STATUS TEXT: what came through the pipe, and the status behind it.
expect() { [ "$(cat "$work/got")" = "$3 $2" ] || fail "$1: '$(head -n 3 "$work/got")' instead of '$3 $2'"; }

# No file may grow, neither the records nor the log -------------------------------------------------------------------

(ulimit -f 0; printf '%s %s' "$("$iolite" run --log-dir "$work/logs" -- sh -c 'echo out; exit 5' 2>&3)" $?) \
    3> >(cat >/dev/null) | cat >"$work/got"
expect "a limit of 0" 5 out
nothing_left "a limit of 0"
[ -z "$(find "$work/logs" -type f)" ] || fail "a limit of 0: there is a log"

# Nobody reads standard error ------------------------------------------------------------------------------------------

# unread COMMAND...: with a pipe as standard error that has no reader any more.
unread() {
    (
        exec 7<>"$work/fifo"
        exec 2>"$work/fifo"
        exec 7<&-
        exec "$@"
    )
}
: >"$work/file"
printf '%s %s' "$(unread "$iolite" run --log-dir "$work/file/no" -- sh -c 'echo out; exit 6')" $? >"$work/got"
expect "no reader and no place for the log" 6 out
IOLITE_MEMORY=banana unread "$iolite" run --log-dir "$work/logs" -- sh -c 'exit 7'
[ $? = 7 ] || fail "no reader and a wrong setting"
IOLITE_LOG_DIR=$work/file/no IOLITE_MEMORY=banana IOLITE_VERBOSE=1 LD_PRELOAD=$library unread sh -c 'exec cat /dev/null' ||
    fail "no reader, a wrong setting, and no place for the log of one process"

# A process that did nothing, in a run that has a log all the same: it does not say that there is none.
status 0 env IOLITE_VERBOSE=1 "$iolite" run -o "$work/logs/nothing" -- true
grep -q 'nothing was recorded of a process' "$work/err" && [ -e "$work/logs/nothing" ] || fail "a run of nothing: $(cat "$work/err")"
! grep -q 'there is no log' "$work/err" || fail "a run of nothing says that it has no log"

# A library that the loader would refuse, in every process on standard error --------------------------------------------

head -c 100000 "$library" >"$work/cut.so"
for wrong in "$work/cut.so is not complete" "$work/file is no library for this machine" "$work is no library for this machine"; do
    IOLITE_LIBRARY=${wrong%% is *} status 5 "$iolite" run -o "$work/logs/none" -- sh -c 'echo out; cat /dev/null; exit 5'
    has out
    [ "$(cat "$work/err")" = "iolite: $wrong; sh runs without Iolite" ] || fail "$wrong: $(cat "$work/err")"
    [ ! -e "$work/logs/none" ] || fail "$wrong: there is a log"
done

# Little memory, which is the program's (a build with sanitizers needs more than that for itself) ------------------------

if (ulimit -v 60000 && "$iolite" --version) >/dev/null 2>&1; then
    (
        ulimit -v 60000
        printf '%s %s' "$("$iolite" run -o "$work/logs/none" -- sh -c 'echo out; exit 8' 2>"$work/err")" $?
    ) >"$work/got"
    expect "little memory" 8 out
    grep -q 'libiolite.so has no room within the limits .* sh runs without Iolite' "$work/err" || fail "little memory: $(cat "$work/err")"
    [ ! -e "$work/logs/none" ] || fail "little memory: there is a log"
fi
# A stack that is enough for a small program and not for one more library. How much the loader takes differs from release to
# release, and where the stack begins from run to run, unless that is switched off; a little more environment must fit too.
small='ulimit -s "$1"; sh -c "echo in >\"$0/small\"; cat \"$0/small\""' more=$(printf '%1000s' '')
fixed=(setarch -R)
for limit in 16 20 24 32 40 48; do
    if MORE=$more "${fixed[@]}" bash -c "$small" "$work" $limit >/dev/null 2>&1; then break; fi
    limit=
done
if [ -n "$limit" ] && ! grep -aq __asan_init "$library"; then
    status 0 "${fixed[@]}" "$iolite" run -o "$work/logs/small" -- bash -c "$small" "$work" "$limit"
    has in
fi
rm -rf "$HOME" "$IOLITE_MMAP_DIR" "$work/logs"
mkdir "$work/logs"

# A link to a run that is not there -----------------------------------------------------------------------------------

key=00112233445566778899aabbccddeeff
for link in "1-$key:1700000000.000000000:1:$work/gone" "1-$key:1700000000.000000000:1:" "zz-$key:1:1:/" ":::" "x" "1" "1-" \
    "1-$key:99999999999.000000000:9223372036854775807:$IOLITE_MMAP_DIR" "1-$key:1.9999999999:1:$IOLITE_MMAP_DIR" \
    "ffffffffffffffffffff-$key:1:1:$IOLITE_MMAP_DIR" "1:1700000000.000000000:1:$IOLITE_MMAP_DIR" \
    "1-${key%f}:1700000000.000000000:1:$IOLITE_MMAP_DIR" "1-${key}0:1700000000.000000000:1:$IOLITE_MMAP_DIR"; do
    IOLITE_RUN=$link IOLITE_LOG_DIR=$work/logs LD_PRELOAD=$library status 3 sh -c 'echo out; exit 3'
    has out
    IOLITE_RUN=$link status 4 "$iolite" run --log-dir "$work/logs" -- sh -c 'echo out; exit 4'
    has out
    nothing_left "IOLITE_RUN=$link"
    for log in "$work"/logs/*; do
        [ ! -e "$log" ] || "$iolite" check "$log" >"$work/checked" 2>&1 || fail "$link: $(head -n 2 "$work/checked")"
    done
    rm -rf "${work:?}"/logs/*
done
finish
