#!/usr/bin/env bash
# Kills programs at random moments and looks at what is left: always one readable log, in which nothing is counted that
# did not happen, and nothing is missing but what was in the making.
# Usage: tests/kill/campaign.sh [MOMENTS] [SEED]. The ways of dying take turns; the seed gives the moments.
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/../e2e/programs.bash"
moments=${1:-20}
RANDOM=${2:-1}
[ -x "$tools/kill-worker" ] && [ -x "$tools/kill-verify" ] && [ -x "$tools/kill-at" ] || exit 77
truth=$work/truth
files=$work/files
mapped=$work/mapped # where records are while a program runs
export IOLITE_MMAP_DIR=$mapped

# The shell has a word to say about each death; failures go past it.
exec 3>&2
fail() {
    echo "FAIL: $*" >&3
    failures=$((failures + 1))
}

# A new place for each moment.
prepare() {
    rm -rf "$files" "$mapped" "$logs" "$work/merged"
    mkdir "$files" "$mapped" "$logs"
    for i in 0 1 2 3 4 5 6 7; do head -c 4096 /dev/zero >"$files/file.$i"; done
    "$tools/kill-worker" new "$truth"
}

# start COMMAND...: in the background, in a session of its own. Everyone in it holds a lock, so that one can wait for
# all.
start() {
    (
        flock -s 9
        exec setsid "$@" >"$work/out" 2>"$work/err" </dev/null
    ) 9>"$work/lock" &
    started=$!
}

everyone_gone() { flock -w 90 -x "$work/lock" true || fail "$what: some processes do not end"; }

a_moment() { sleep "$(printf '0.%03d' $((RANDOM % 140)))"; }

# die PROCESS: at once; a group with a minus.
die() { kill -KILL -- "$1" 2>/dev/null; }

kill_tree() {
    local group child
    group=$("$tools/kill-worker" group "$truth")
    if [ "$group" != 0 ]; then
        die "-$group"
        return
    fi
    for child in $(cat "/proc/$started/task/$started/children" 2>/dev/null); do die "$child"; done
}

# verify LOG [--ended]: sound, and true.
verify() {
    "$iolite" check "$1" >"$work/checked" 2>&1 || fail "$what: check: $(head -n 3 "$work/checked")"
    "$tools/checklist" "$1" 2>"$work/checked" || fail "$what: checklist: $(head -n 3 "$work/checked")"
    # shellcheck disable=SC2086
    "$tools/kill-verify" ${2:-} "$truth" "$1" >"$work/verdict" ||
        fail "$what: $(head -n 4 "$work/verdict" | tr '\n' ';')"
}

# one_log HOW [--ended]: the log that is there, or else the one that `iolite merge` makes of what is left. HOW is
# "ready" when it has to be there. A process that died before it did anything may leave none.
one_log() {
    local found
    found=$(find "$logs" -name '*.darshan' | wc -l)
    if [ "$found" = 1 ]; then
        verify "$(find "$logs" -name '*.darshan')" "${2:-}"
        [ "$1" = any ] || [ -z "$(ls -A "$mapped")" ] || fail "$what: left behind: $(ls -A "$mapped")"
        return
    fi
    [ "$found" = 0 ] || fail "$what: $found logs"
    "$tools/kill-verify" "$truth" || { nothing=$((nothing + 1)); return; }
    [ "$1" = any ] || { fail "$what: no log; $(head -n 2 "$work/err")"; return; }
    "$iolite" merge -o "$work/merged" "$mapped"/* >"$work/out" 2>"$work/err" ||
        fail "$what: merge: status $?: $(head -n 3 "$work/err")"
    if [ -e "$work/merged" ]; then verify "$work/merged" "${2:-}"; else fail "$what: nothing could be recovered"; fi
    recovered=$((recovered + 1))
}

# The ways of dying -----------------------------------------------------------------------------------------------

the_program() {
    start "$iolite" run --log-dir "$logs" -- "$tools/kill-worker" work "$truth" "$files"
    a_moment
    kill_tree
    wait "$started"
    everyone_gone
    one_log ready
}

everything() {
    start "$iolite" run --log-dir "$logs" -- "$tools/kill-worker" work "$truth" "$files"
    a_moment
    if [ $((RANDOM % 2)) = 0 ]; then
        kill_tree
        die "-$started"
    else
        die "-$started"
        kill_tree
    fi
    wait "$started"
    kill_tree # who was started in between
    everyone_gone
    one_log any
}

# The program goes on without it, and ends in order.
iolite_run() {
    start "$iolite" run --log-dir "$logs" -- "$tools/kill-worker" work "$truth" "$files"
    a_moment
    die "$started"
    wait "$started"
    a_moment
    "$tools/kill-worker" stop "$truth"
    everyone_gone
    one_log any
}

# At some system call of a program that writes its own log, mostly in the last of them.
at_exit() {
    local calls
    calls=$(<"$work/calls.plain")
    start "$tools/kill-at" $((calls - RANDOM % 60)) "$work/calls" \
        env LD_PRELOAD="$library" IOLITE_LOG_DIR="$logs" "$tools/kill-worker" once "$truth" "$files"
    wait "$started"
    everyone_gone
    one_log any
}

# At some system call of `iolite run`, when its program has ended.
merging() {
    local calls
    calls=$(<"$work/calls.run")
    start "$tools/kill-at" $((calls - RANDOM % 150)) "$work/calls" \
        "$iolite" run --log-dir "$logs" -- "$tools/kill-worker" once "$truth" "$files"
    wait "$started"
    everyone_gone
    one_log any
}

# Nobody dies but the children that their own parent kills.
nobody() {
    start "$iolite" run --log-dir "$logs" -- "$tools/kill-worker" work "$truth" "$files"
    a_moment
    a_moment
    "$tools/kill-worker" stop "$truth"
    wait "$started" || fail "$what: the program failed: $(head -n 2 "$work/err")"
    everyone_gone
    one_log ready
}

# How many system calls there are, where they are counted; and the whole thing without a death.
measure_calls() {
    prepare
    what="no death, preloaded"
    "$tools/kill-at" 0 "$work/calls.plain" \
        env LD_PRELOAD="$library" IOLITE_LOG_DIR="$logs" "$tools/kill-worker" once "$truth" "$files" || exit 77
    one_log ready --ended
    prepare
    what="no death, iolite run"
    "$tools/kill-at" 0 "$work/calls.run" \
        "$iolite" run --log-dir "$logs" -- "$tools/kill-worker" once "$truth" "$files" || fail "$what: failed"
    one_log ready --ended
}

nothing=0 recovered=0
measure_calls
ways=(the_program everything at_exit iolite_run merging nobody)
for ((moment = 0; moment < moments; moment++)); do
    way=${ways[moment % ${#ways[@]}]}
    what="moment $moment, $way"
    prepare
    $way 2>"$work/words"
done
echo "$moments deaths: $recovered logs recovered by merge, $nothing times nothing had happened yet, $failures failures"
finish
