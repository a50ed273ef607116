#!/usr/bin/env bash
# Arguments of programs can be kept out of logs: of a program that is preloaded, of all processes of a run, and of one
# that is not recorded at all. Nobody but the owner can read a log. Names can be kept out of what is printed.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
unset "${!IOLITE_@}" "${!DARSHAN_@}"
export HOME=$work/home IOLITE_MMAP_DIR=$work/records
mkdir "$HOME" "$IOLITE_MMAP_DIR"

# --names hash: nothing of what the log says about people, programs, files and hosts is in any output.
cp "$demo" "$work/ana_heat3d_id1.darshan"
cd "$work" || exit 1
words='home/ana|ana_|heat3d|scratch/|run7|checkpoint\.dat|node0'
status 0 "$iolite" dump --json ana_heat3d_id1.darshan
grep -qE "$words" "$work/out" || fail "the log has none of $words: nothing is tested"
for form in text json ndjson csv html svg sarif; do
    status 0 "$iolite" diagnose --names hash --format $form --details --snippets ana_heat3d_id1.darshan
    ! grep -oE "$words" "$work/out" || fail "diagnose --names hash --format $form tells names"
done
status 0 "$iolite" diagnose --names hash --mode compat --details ana_heat3d_id1.darshan
! grep -oE "$words" "$work/out" || fail "diagnose --mode compat --names hash tells names"
for form in --json "-o -"; do
    # shellcheck disable=SC2086
    status 0 "$iolite" report --names hash $form ana_heat3d_id1.darshan
    ! grep -aoE "$words" "$work/out" || fail "report --names hash $form tells names"
done

[ -f "$library" ] || exit 77
echo text >"$work/file"

# holds LOG TEXT: anywhere in it, as it is read and as it is stored.
holds() {
    { "$iolite" dump --json "$1"; "$iolite" show --json "$1"; "$iolite" convert --none --force "$1" "$work/plain"; } \
        >"$work/text" 2>&1
    grep -qa -e "$2" "$work/text" "$work/plain"
}

for setting in 1 0; do
    export IOLITE_COMMAND_LINE=$setting
    rm -rf "$work/logs"
    IOLITE_LOG_DIR=$work/logs LD_PRELOAD=$library head -c 98765432109876 "$work/file" >/dev/null
    status 0 "$iolite" run -o "$work/logs/run.darshan" -- sh -c "head -c 98765432109876 $work/file; cat $work/file"
    status 0 "$iolite" run -o "$work/logs/unseen.darshan" -- true 98765432109876
    for log in "$work"/logs/*.darshan; do
        [ "$(stat -c %a "$log")" = 400 ] || [ "$(stat -c %a "$log")" = 600 ] || fail "$log: mode $(stat -c %a "$log")"
        holds "$log" 98765432109876
        [ $? = $((1 - setting)) ] || fail "IOLITE_COMMAND_LINE=$setting: arguments in $(basename "$log")"
    done
done
status 0 "$iolite" show "$work/logs/run.darshan"
has sh
echo 'COMMAND_LINE 0' >"$work/config"
unset IOLITE_COMMAND_LINE
IOLITE_CONFIG=$work/config status 0 "$iolite" run -o "$work/logs/again.darshan" -- head -c 98765432109876 "$work/file"
! holds "$work/logs/again.darshan" 98765432109876 || fail "the config file is not obeyed"
finish
