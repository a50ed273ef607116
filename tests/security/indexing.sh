#!/usr/bin/env bash
# SECURITY.md, "Who indexes": without the right to read logs nothing is indexed, and it is said; with that one right all are;
# and where the site lets a group read, its members do without any.
# shellcheck source=tests/security/two_users.bash
. "$(dirname "$0")/two_users.bash"
store=$work/mallory/index.db indexer_id=$mallory_id
indexer() { mallory iolite "$@"; }
# The same user with the one right that the service has.
privileged() {
    timeout 60 setpriv --reuid $indexer_id --regid $indexer_id --clear-groups --no-new-privs \
        --inh-caps=-all,+dac_read_search --ambient-caps=-all,+dac_read_search --bounding-set=-all,+dac_read_search \
        env -i PATH="$work/bin:/usr/bin:/bin" HOME="$work/mallory" IOLITE_MMAP_DIR="$work/shm" "$@"
}
broken() { indexer find --broken --store "$store" >"$work/out" || fail "find --broken"; }

# Logs of 0400: status 3, also in silence, and each is noted with the reason.
alice iolite run -q -o "$work/logs/a.darshan" -- cat /etc/passwd >/dev/null || fail "no log"
alice iolite convert "$work/demo.darshan" "$work/logs/b.darshan" || fail "convert"
for quiet in "" -q; do
    # shellcheck disable=SC2086
    indexer index $quiet --store "$store" "$work/logs" >"$work/said" 2>&1
    [ $? = 3 ] || fail "status $? without the right to read (${quiet:-loud}): $(cat "$work/said")"
    broken
    [ "$(grep -c 'broken: Permission denied' "$work/out")" = 2 ] || fail "not noted: $(cat "$work/out")"
done
[ ! -s "$work/said" ] || fail "-q says $(cat "$work/said")"

# With the right, which changes no file, they are read.
privileged true 2>/dev/null || {
    echo "this system does not give single rights" >&2
    exit 77
}
privileged iolite index -q --store "$store" "$work/logs" || fail "with the right: $?"
broken
[ ! -s "$work/out" ] || fail "still broken: $(cat "$work/out")"
indexer rank --per user --by logs --json --store "$store" >"$work/out" || fail "rank"
[ "$(grep -c '"logs":1}' "$work/out")" = 2 ] || fail "not two logs: $(cat "$work/out")"
# It leads nowhere: links of others in a path are not followed, nor those to files of others.
install -d -o $alice_id -m 700 "$work/secret"
alice sh -c "cp $work/logs/a.darshan $work/secret/c.darshan"
alice ln -s "$work/secret" "$work/logs/way"
privileged iolite index -q --store "$store" "$work/logs/way" 2>/dev/null && fail "it followed a link of a user"
# No right to change anything came with it.
privileged sh -c ": >$work/logs/a.darshan" 2>/dev/null && fail "the indexer may write logs"

# A group that reads: directories hand it on, and a user's own group gets nothing.
group=64203 year=$(date +%Y)
mkdir -m 755 "$work/tree" "$work/etc"
printf 'LOGPATH %s\nLOGMODE 0440\nLOGGROUP %s\n' "$work/tree" $group >"$work/etc/conf"
chmod 644 "$work/etc/conf"
IOLITE_CONFIG=$work/etc/conf "$work/bin/iolite" mk-log-dirs --years 1 2>/dev/null || fail "mk-log-dirs"
[ "$(stat -c '%a %g' "$work/tree/$year/1/1")" = "3777 $group" ] || fail "days: $(stat -c '%a %g' "$work/tree/$year/1/1")"
alice env IOLITE_CONFIG="$work/etc/conf" iolite run -q -- cat /etc/passwd >/dev/null
alice env IOLITE_CONFIG="$work/etc/conf" LD_PRELOAD="$library" cat "$work/demo.darshan" >/dev/null
count=0
for log in "$work"/tree/*/*/*/*.darshan; do
    [ "$(stat -c '%a %u %g' "$log")" = "440 $alice_id $group" ] || fail "$log: $(stat -c '%a %u %g' "$log")"
    count=$((count + 1))
done
[ $count = 2 ] || fail "$count logs in the tree"
refused mallory cat "$log"
setpriv --reuid $indexer_id --regid $indexer_id --groups $group --no-new-privs \
    env -i HOME="$work/mallory" IOLITE_MMAP_DIR="$work/shm" "$work/bin/iolite" index -q --store "$work/mallory/group.db" "$work/tree" ||
    fail "a member of the group cannot index: $?"
# The same tree without that bit, and places of the user's own: 0400.
find "$work/tree" -type d -exec chmod g-s {} +
rm -f "$work"/tree/*/*/*/*.darshan
alice env IOLITE_CONFIG="$work/etc/conf" iolite run -q -- cat /etc/passwd >/dev/null
alice env IOLITE_CONFIG="$work/etc/conf" LD_PRELOAD="$library" cat "$work/demo.darshan" >/dev/null
alice env IOLITE_CONFIG="$work/etc/conf" IOLITE_LOG_DIR="$work/alice/own" LD_PRELOAD="$library" cat "$work/demo.darshan" >/dev/null
for log in "$work"/tree/*/*/*/*.darshan "$work"/alice/own/*.darshan; do
    [ "$(stat -c %a "$log")" = 400 ] || fail "readable: $log $(stat -c %a "$log")"
done
finish
