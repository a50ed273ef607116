# What the tests of SECURITY.md share: two ordinary users, alice and mallory, and a place that both can reach. To be
# sourced. They have no names in the system, only numbers; so only root can become them, and others skip the tests.
set -u -o pipefail
export TZ=UTC LC_ALL=C
[ "$(id -u)" = 0 ] || {
    echo "only root can become two other users" >&2
    exit 77
}
command -v setpriv >/dev/null || {
    echo "no setpriv" >&2
    exit 77
}
build=$(cd "${IOLITE_BIN:?}/.." && pwd)
seeds=${IOLITE_SEEDS:?}
[ -f "$seeds/demo.darshan" ] || exit 77
work=$(mktemp -d /tmp/iolite-security-XXXXXX)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
failures=0
alice_id=64201 mallory_id=64202

# The build may be where other users cannot go.
mkdir -p "$work/bin" "$work/libexec/iolite" "$work/lib" "$work/logs" "$work/shm"
cp "$build/bin/iolite" "$work/bin/"
cp "$build/libexec/iolite/iolite" "$work/libexec/iolite/"
cp "$build"/lib/libiolite*.so "$work/lib/" 2>/dev/null
cp "$seeds/demo.darshan" "$work/demo.darshan"
chmod 644 "$work/demo.darshan"
chmod 1777 "$work/logs" "$work/shm"
iolite=$work/bin/iolite library=$work/lib/libiolite.so

fail() {
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# alice COMMAND..., mallory COMMAND...: as that user, with a home and a clean environment. No test may hang.
as_user() {
    local name=$1 id=$2
    shift 2
    [ -d "$work/$name" ] || install -d -m 700 -o "$id" -g "$id" "$work/$name"
    timeout 60 setpriv --reuid "$id" --regid "$id" --clear-groups --no-new-privs \
        env -i PATH="$work/bin:/usr/bin:/bin" HOME="$work/$name" USER="$name" IOLITE_MMAP_DIR="$work/shm" \
        iolite="$iolite" library="$library" work="$work" "$@"
}
alice() { as_user alice $alice_id "$@"; }
mallory() { as_user mallory $mallory_id "$@"; }
alice true || {
    echo "cannot become another user here" >&2
    exit 77
}

# refused USER COMMAND...: it fails.
refused() {
    ! "$@" >/dev/null 2>&1 || fail "allowed: $*"
}

finish() {
    [ "$failures" = 0 ] || echo "$failures checks failed" >&2
    exit $((failures > 0))
}
