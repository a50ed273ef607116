#!/usr/bin/env bash
# Commands that write logs where something goes wrong: the message says what, the status too, the input stays as it is,
# and nothing is left behind.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/writing.bash
. "$(dirname "$0")/writing.bash"
input=$work/input.darshan
place=$work/place # where outputs go
mkdir "$place" "$work/mapped"
"$tools/genlog" --ranks 8 --files 20000 --values real "$input"
"$tools/genlog" --ranks 4 --files 4000 --values real --layout mapped "$work/mapped"
before=$(cksum <"$input")

# says TEXT: the last command complained about it. untouched: the input is the same, and nothing is in the place.
says() { grep -qF -e "$1" "$work/err" || fail "no '$1' in the complaint: $(head -n 1 "$work/err")"; }
untouched() {
    [ "$before" = "$(cksum <"$input")" ] || fail "the input has changed: $*"
    [ -z "$(ls -A "$place")" ] || fail "left behind after $*: $(ls -A "$place")"
    rm -rf "${place:?}"/*
}

# A disk without room -------------------------------------------------------------------------------------------------

# limited COMMAND...: no file may grow beyond 64 KiB, and writing more fails.
limited() { (trap '' XFSZ; ulimit -f 64; exec "$@"); }
for form in "" --none --bzip2 --zstd --one-stream --archive; do
    # shellcheck disable=SC2086
    "$iolite" convert $form "$input" "$work/probe" 2>/dev/null || continue # this build may not know it
    rm -f "$work/probe"
    # shellcheck disable=SC2086
    status 4 limited "$iolite" convert $form "$input" "$place/out"
    says "$place/out"
    says "File too large"
    untouched "a full disk, convert $form"
done
status 4 limited "$iolite" merge -o "$place/out" "$work/mapped"
says "File too large"
untouched "a full disk, merge"
status 255 limited "$IOLITE_BIN/darshan-convert" "$input" "$place/out"
says "File too large"
untouched "a full disk, darshan-convert"

# The same with a real file system, where this may be mounted.
if mount -t tmpfs -o size=64k tmpfs "$place" 2>/dev/null; then
    status 4 "$iolite" convert "$input" "$place/out"
    says "No space left on device"
    untouched "a full file system"
    umount "$place"
fi

# Where temporary files cannot be.
TMPDIR=$work/nowhere status 4 "$iolite" merge -o "$place/out" "$work/mapped"
says "temporary file"
untouched "no place for temporary files"

# A process that is killed in the middle of writing -------------------------------------------------------------------

# killed WRITE COMMAND...: at that write. Sanitizers want to come first; here they must not insist.
killed() {
    local at=$1
    shift
    (ASAN_OPTIONS=verify_asan_link_order=0 IOLITE_TEST_KILL_AT=$at LD_PRELOAD=$tools/killer.so exec "$@")
}
for command in convert merge; do
    if [ $command = convert ]; then set -- "$input" "$place/out"; else set -- -o "$place/out" "$work/mapped"; fi
    killed 5 "$iolite" $command "$@" 2>/dev/null
    [ $? -eq 137 ] || fail "$command was not killed"
    [ ! -e "$place/out" ] || fail "half a log after a killed $command"
    [[ $work != /dev/shm/* ]] || untouched "a killed $command" # nameless files are known to work there
    rm -rf "${place:?}"/*
done

# Targets -------------------------------------------------------------------------------------------------------------

status 4 "$iolite" convert "$input" "$place"
says "Is a directory"
status 4 "$iolite" convert --force "$input" "$place"
says "Is a directory"
status 4 "$iolite" convert "$input" "$place/no/such/folder"
says "No such file or directory"
untouched "targets that cannot be"
status 2 "$iolite" convert --force "$input" "$input"
ln "$input" "$work/other-name"
status 2 "$iolite" convert --force "$input" "$work/other-name"
status 2 "$iolite" merge --force -o "$input" "$input" "$demo"
says "one of the inputs"
untouched "the input as target"

# What is no ordinary file is not replaced: as root that would be the end of /dev/null.
mkfifo "$work/pipe"
status 4 "$iolite" convert --force "$input" "$work/pipe"
says "not an ordinary file"
[ -p "$work/pipe" ] || fail "a pipe was replaced by a log"
status 4 "$iolite" merge --force -o "$work/pipe" "$demo"
[ -p "$work/pipe" ] || fail "a pipe was replaced by a merged log"

# An existing file stays, unless it may go.
echo precious >"$work/precious"
status 4 "$iolite" convert "$input" "$work/precious"
says "File exists"
status 4 "$iolite" merge -o "$work/precious" "$demo"
says "File exists"
[ "$(cat "$work/precious")" = precious ] || fail "an existing file was overwritten"
status 4 limited "$iolite" convert --force "$input" "$work/precious"
[ "$(cat "$work/precious")" = precious ] || fail "an existing file is gone although its successor failed"
status 0 "$iolite" convert --force "$input" "$work/precious"
listed "$work/precious"

# A folder that may not be written to; root may write anywhere.
chmod 555 "$place"
unprivileged=()
if [ "$(id -u)" = 0 ]; then unprivileged=(setpriv --reuid 65534 --regid 65534 --clear-groups); fi
chmod a+rx "$work"
chmod a+r "$input"
if "${unprivileged[@]}" "$iolite" help >/dev/null 2>&1 && "${unprivileged[@]}" test -r "$input"; then
    status 4 "${unprivileged[@]}" "$iolite" convert "$input" "$place/out"
    says "Permission denied"
    status 4 "${unprivileged[@]}" "$iolite" merge -o "$place/out" "$work/mapped"
    says "Permission denied"
fi
chmod 755 "$place"
untouched "a folder without permission"

# Two at once: one wins, the other says so.
for round in 1 2 3 4 5; do
    for writer in 1 2 3; do
        { "$iolite" convert "$input" "$place/out" 2>"$work/err.$writer"; echo $? >"$work/status.$writer"; } &
    done
    wait
    statuses=$(cat "$work"/status.? | sort | tr '\n' ' ')
    [ "$statuses" = "0 4 4 " ] || fail "round $round: $statuses"
    [ "$(cat "$work"/err.? | grep -c 'File exists')" = 2 ] || fail "who lost does not say why"
    listed "$place/out"
    rm -f "$place/out"
    untouched "three writers"
done
finish
