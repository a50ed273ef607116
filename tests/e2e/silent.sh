#!/usr/bin/env bash
# A program that Iolite is preloaded into sees nothing of it: no line about settings that are not its own, no files in
# its jail. What is wrong is said by the commands, once.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=$(realpath "${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}")
program=${IOLITE_TOOLS:-}/hazards/chroot_jail
[ -e "$library" ] && [ -x "$program" ] || exit 77
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD
export HOME=$work/home IOLITE_MMAP_DIR=$work/records
mkdir "$HOME" "$IOLITE_MMAP_DIR" "$work/logs"
said() { [ "$(grep -c "$1" "$work/err")" = "$2" ] || fail "$3: '$1' is not said $2 times: $(cat "$work/err")"; }
silent() { [ ! -s "$work/err" ] || fail "$1: $(head -n 3 "$work/err")"; }

# Settings that do not exist, or are nonsense ---------------------------------------------------------------------------

# shellcheck disable=SC2016  # the shells of the tree expand it
tree='echo a >"$work/a"; (cat "$work/a" >"$work/b"); sh -c "cat \"$work/b\" >/dev/null"; exit 3'
export work
for wrong in IOLITE_FOO=1 IOLITE_MEMORY=banana 'IOLITE_NAME_EXCLUDE=[ *' IOLITE_CONFIG="$work/gone.conf"; do
    status 3 env "$wrong" IOLITE_LOG_DIR="$work/logs" LD_PRELOAD="$library" sh -c "$tree"
    silent "$wrong, preloaded"
done
status 3 env IOLITE_FOO=1 "$iolite" run --log-dir "$work/logs" -- sh -c "$tree"
said "IOLITE_FOO is not a setting" 1 "run"
status 0 env IOLITE_FOO=1 "$iolite" config
said "IOLITE_FOO is not a setting" 1 "config"
IOLITE_FOO=1 "$iolite" doctor -- sh >"$work/out" 2>&1
[ "$(grep -c "IOLITE_FOO is not a setting" "$work/out")" = 1 ] || fail "doctor does not say it once"
status 0 env IOLITE_FOO=1 IOLITE_VERBOSE=1 IOLITE_LOG_DIR="$work/logs" LD_PRELOAD="$library" cat "$work/a"
said "IOLITE_FOO is not a setting" 1 "who asks"
rm -rf "$work/logs"

# A jail ----------------------------------------------------------------------------------------------------------------

mkdir "$work/here"
(cd "$work/here" && IOLITE_LOG_DIR=$work/logs LD_PRELOAD=$library "$program" >"$work/out" 2>"$work/err")
case $? in
0)
    silent "a jail"
    [ "$(cd "$work/here" && find . -type f | sort | tr '\n' ' ')" = "./before.dat ./jail/child.dat ./jail/inside.dat " ] ||
        fail "a jail: there are other files: $(find "$work/here")"
    [ -z "$(ls -A "$IOLITE_MMAP_DIR")" ] || fail "a jail: left behind: $(ls -A "$IOLITE_MMAP_DIR")"
    [ "$(find "$work/logs" -type f | wc -l)" = 1 ] || fail "a jail: not one log: $(ls "$work/logs")"
    status 0 "$iolite" check "$work"/logs/*
    status 0 "$iolite" show "$work"/logs/*
    has "Not recorded to the end: 1 process"
    lacks "Complete"
    ;;
77) echo "left out: only root may change the root directory" >&2 ;;
*) fail "a jail: $(cat "$work/err")" ;;
esac

# A root directory that is moved, by the process or by another one ---------------------------------------------------------

pivot='mkdir new && mount -t tmpfs none new && mkdir new/old new/bin && cp /bin/busybox new/bin/ && cd new && pivot_root . old &&
    /bin/busybox ls / && echo x >/file && /bin/busybox umount -l /old && /bin/busybox ls /'
mkdir "$work/moved" "$work/moved2"
if [ -x /bin/busybox ] && (cd "$work/moved" && unshare -r -m sh -c "$pivot") >"$work/plain" 2>&1; then
    (cd "$work/moved2" && IOLITE_LOG_DIR=$work/logs LD_PRELOAD=$library unshare -r -m sh -c "$pivot") >"$work/out" 2>&1
    cmp -s "$work/plain" "$work/out" || fail "another root, preloaded: $(diff "$work/plain" "$work/out")"
    rm -rf "$work/moved2" "${IOLITE_MMAP_DIR:?}"/* && mkdir "$work/moved2"
    (cd "$work/moved2" && IOLITE_LOG_DIR=$work/logs "$iolite" run -q -- unshare -r -m sh -c "$pivot") >"$work/out" 2>&1
    cmp -s "$work/plain" "$work/out" || fail "another root, run: $(diff "$work/plain" "$work/out")"
else
    echo "left out: nobody here may move the root directory, or there is no static busybox" >&2
fi

# A mapped file that another file system hides when its process ends is no log any more ------------------------------------

if unshare -r -m true 2>/dev/null; then
    rm -rf "$work/logs" "${IOLITE_MMAP_DIR:?}"/*
    # shellcheck disable=SC2016  # the shell inside expands it
    (cd "$work/moved" && IOLITE_LOG_DIR=$work/logs LD_PRELOAD=$library unshare -r -m bash -c \
        'echo a >hidden.dat; mount -t tmpfs none "$IOLITE_MMAP_DIR"; echo b >>hidden.dat') || fail "a hidden file: $?"
    IOLITE_LOG_DIR=$work/merged "$iolite" merge --leftovers >"$work/out" 2>&1
    [ -z "$(find "$work/merged" -type f 2>/dev/null)" ] || fail "a hidden file: there is a second log of it"
fi

# Tools that run a program on a processor of their own ---------------------------------------------------------------------

if command -v valgrind >/dev/null && ! grep -aq __asan_init "$iolite"; then
    echo a >"$work/a"
    status 0 env IOLITE_LOG_DIR="$work/logs" LD_PRELOAD="$library" valgrind -q --trace-children=yes sh -c "cat $work/a; exit 0"
    silent "memcheck"
    (cd "$work/here" && "$iolite" run -q -o "$work/races.darshan" -- valgrind -q --tool=helgrind \
        "${program%/*}/threads_one_file" >"$work/out" 2>"$work/err")
    silent "helgrind"
    status 0 "$iolite" show "$work/races.darshan"
    has "under a tool that looks for races"
fi
finish
