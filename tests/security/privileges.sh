#!/usr/bin/env bash
# SECURITY.md, "Nobody gains rights": programs that run with other rights than their caller's do not see Iolite, root's
# parts become the user first, and nothing that root runs walks a tree in which users choose the names.
# shellcheck disable=SC2016  # the shells of alice and mallory expand these
# shellcheck source=tests/security/two_users.bash
. "$(dirname "$0")/two_users.bash"

# A setuid program with everything set that could lead it: no log of its I/O, no file of its owner's.
if mount | grep -q " on $(df --output=target "$work" | tail -n 1) .*nosuid"; then
    echo "files cannot be setuid in $work" >&2
else
    cp /bin/cat "$work/bin/setuid_cat"
    chmod 4755 "$work/bin/setuid_cat"
    timeout 60 setpriv --reuid $mallory_id --regid $mallory_id --clear-groups \
        env -i HOME=/ LD_PRELOAD="$library" IOLITE_LOG_DIR="$work/logs" IOLITE_MMAP_DIR="$work/shm" \
        IOLITE_ENABLE_NONMPI=1 DARSHAN_LOGFILE="$work/logs/exact.darshan" "$work/bin/setuid_cat" /etc/passwd >/dev/null 2>&1
    [ -z "$(find "$work/logs" "$work/shm" -type f -user 0)" ] || fail "a setuid program wrote $(find "$work/logs" "$work/shm" -user 0 -type f)"
    rm -f "$work/bin/setuid_cat"
fi

# The epilogue does nothing before it has become the job's user, and believes a config of root's only.
source=$(cd "$(dirname "$0")/../.." && pwd)
epilog=$source/packaging/slurm/iolite-epilog
cp "$epilog" "$work/epilog"
echo 'touch "$work/logs/believed"' >"$work/conf"
chown $mallory_id "$work/conf"
env -i PATH=/usr/bin:/bin work="$work" SLURM_JOB_ID=1 SLURM_JOB_UID=$mallory_id IOLITE_EPILOG_CONF="$work/conf" \
    IOLITE_EPILOG_COMMAND="$iolite" timeout 60 bash "$work/epilog" </dev/null >/dev/null 2>&1
[ ! -e "$work/logs/believed" ] || fail "root's epilogue ran a line of a user's file"

# No script for root that finds files by name in the common tree.
[ ! -e "$source/packaging/cron/iolite-archive" ] || fail "iolite-archive is back"
! grep -rlE 'find .*(-delete|-exec rm|\| *xargs)' "$source/packaging" || fail "a script removes what it finds by name"
finish
