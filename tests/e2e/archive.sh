#!/usr/bin/env bash
# iolite convert --archive: every log becomes an archive and comes back, with nothing lost, and mostly smaller.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
if ! "$iolite" convert --archive "$demo" "$work/try" 2>"$work/err" && grep -q "cannot compress with" "$work/err"; then
    exit 77 # this build has no zstd
fi

# What darshan-parser and darshan-dxt-parser print, without the lines that tell of sizes and of compression.
text() {
    {
        "${IOLITE_BIN:-}/darshan-parser" --all "$1"
        "${IOLITE_BIN:-}/darshan-dxt-parser" --show-incomplete "$1"
    } 2>/dev/null | sed '/^# compression method/d; /(compressed)/d'
}

# round_trip LOG: what convert makes of it without an archive is what the archive must say, and what comes back from it.
round_trip() {
    "$iolite" convert --force --none "$1" "$work/plain" 2>/dev/null
    case $? in 0 | 3) ;; *) return ;; esac
    status 0 "$iolite" convert --force "$work/plain" "$work/zlib"
    status 0 "$iolite" convert --force --archive "$work/plain" "$work/archive"
    text "$work/zlib" >"$work/expected"
    text "$work/archive" >"$work/text"
    cmp -s "$work/expected" "$work/text" || fail "the archive of $1 reads differently"
    status 0 "$iolite" convert --force --none "$work/archive" "$work/back"
    cmp -s "$work/plain" "$work/back" || fail "$1 comes back from its archive with other bytes"
    tried=$((tried + 1))
    zlib=$((zlib + $(stat -c %s "$work/zlib")))
    archived=$((archived + $(stat -c %s "$work/archive")))
}

tried=0 zlib=0 archived=0
for log in "$seeds"/*.darshan; do round_trip "$log"; done
[ "$tried" -gt 10 ] || fail "only $tried logs could be archived"

# Real logs, where they are at hand
zlib=0 archived=0
for log in "$corpus"/logs/*.darshan; do [ -f "$log" ] && round_trip "$log"; done
[ $((10 * archived)) -le $((9 * zlib)) ] || fail "archives of real logs take $archived bytes, zlib $zlib"

# An archive says what it is.
status 0 "$iolite" convert --force --archive "$demo" "$work/archive"
status 0 "$iolite" dump --json "$work/archive"
has '"compression": "zstd-columns"'
status 0 "${IOLITE_BIN:-}/darshan-parser" "$work/archive"
has "# compression method: ZSTD-COLUMNS"
status 2 "$iolite" convert --archive --zstd "$demo" "$work/both"
finish
