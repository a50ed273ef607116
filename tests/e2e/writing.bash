# What the scripts that write logs share. To be sourced after checks.bash.
tools=${IOLITE_TOOLS:-}
[ -x "$tools/checklist" ] || exit 77
parser=$IOLITE_BIN/darshan-parser
dxt_parser=$IOLITE_BIN/darshan-dxt-parser
# Syncing files that are gone in a moment to a disk is most of the time otherwise.
if [ -w /dev/shm ]; then
    rm -rf "$work"
    work=$(mktemp -d /dev/shm/iolite-e2e-XXXXXX)
fi

# Everything that a log holds, as text; comments differ between forms of one log.
content() {
    "$parser" --all "$1" 2>/dev/null | grep '^[^#]'
    "$dxt_parser" --show-incomplete "$1" 2>/dev/null | grep -e '^[^#]' -e '^# DXT, \(file\|rank\|write\)'
    return 0
}

# listed LOG OPTIONS...: it keeps to the writer's checklist.
listed() {
    local log=$1
    shift
    "$tools/checklist" "$@" "$log" 2>"$work/complaints" || fail "checklist: $(head -n 3 "$work/complaints")"
}

# The value of a "# key: value" line.
field() { "$parser" "$1" 2>/dev/null | sed -n "s/^# $2: //p" | head -n 1; }
