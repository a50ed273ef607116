#!/usr/bin/env bash
# A machine with many users: what one of them puts where mapped files are does neither stop nor change the logs of others.
# Needs two users that are nobody in particular, so root has to become them.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
[ -e "$library" ] || exit 77
[ "$(id -u)" = 0 ] && has_commands setpriv mkfifo || { echo "only root can become two users"; exit 77; }
unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD "${!SLURM_@}" JOB_ID
work=$(cd "$work" && pwd -P)
chmod 755 "$work"
mkdir -m 755 "$work/bin" "$work/lib"
cp "$iolite" "$work/bin/iolite"
mkdir -p "$work/libexec/iolite"
cp "${iolite%/bin/iolite}/libexec/iolite/iolite" "$work/libexec/iolite/"
cp "$library" "$work/lib/libiolite.so"
iolite=$work/bin/iolite
victim=64123 attacker=64124
mkdir -m 1777 "$work/shm"
for user in 0 $victim $attacker; do
    mkdir -m 700 "$work/home.$user"
    chown $user "$work/home.$user"
done
export IOLITE_LIBRARY=$work/lib/libiolite.so IOLITE_MMAP_DIR=$work/shm

# as USER COMMAND...: with an end, because what is tested here used to have none.
as() {
    local user=$1
    shift
    HOME=$work/home.$user TMPDIR=$work/home.$user timeout -k 5 60 setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs "$@"
}
as $victim test -x "$iolite" -a -r "$IOLITE_LIBRARY" || { echo "other users cannot reach $work"; exit 77; }
mapped() { set -- "$work"/shm/iolite-0*.mapped; [ -e "$1" ]; }
run_of() { set -- "$work"/shm/iolite-run-"$1"-*; [ -d "$1" ]; }

# A mapped file of the attacker's own, of a program that was killed.
LD_PRELOAD=$IOLITE_LIBRARY as $attacker sh -c 'echo forged >"$HOME/forged.dat"; kill -KILL $$' >/dev/null 2>&1
mapped || fail "the killed program left nothing"
mv "$work"/shm/iolite-0*.mapped "$work/home.$attacker/own"

# plant NUMBER: what the attacker can make of the public number of a run.
plant() {
    local bytes='' i
    for ((i = 14; i >= 0; i -= 2)); do bytes+="\\x${1:i:2}"; done
    as $attacker sh -c "cd $work/shm && mkfifo iolite-$1-1-1.mapped && ln -s iolite-$1-1-1.mapped iolite-$1-1-2.mapped &&
        ln -s /dev/zero iolite-$1-1-3.mapped && truncate -s 1T iolite-$1-1-4.mapped && chmod 600 iolite-$1-1-4.mapped &&
        cp \$HOME/own iolite-$1-1-5.mapped && chmod 600 iolite-$1-1-5.mapped && mkdir iolite-$1-1-6.mapped &&
        mkfifo iolite-run-$victim-0123456789abcdef iolite-run-0-0123456789abcdef" 2>/dev/null
    # the number of the run, behind magic, size, end, pid, parent and birth
    printf "$bytes" | as $attacker dd of="$work/shm/iolite-$1-1-5.mapped" bs=1 seek=$((5424 + 32)) conv=notrunc 2>/dev/null
}

# Records of a run: neither a wait without end, nor a stranger's file in the log.
for user in $victim 0; do
    as $user "$iolite" run -q -o "$work/home.$user/log.darshan" -- sh -c \
        'echo true >"$HOME/true.dat"; while [ ! -e "$0" ]; do sleep 0.05; done' "$work/go" >"$work/out" 2>"$work/err" &
    job=$!
    until_true run_of $user
    public=$(basename "$work"/shm/iolite-run-$user-*)
    plant "${public##*-}"
    : >"$work/go"
    wait $job || fail "run of user $user: status $? $(head -n 2 "$work/err")"
    rm -f "$work/go"
    log=$work/home.$user/log.darshan
    [ ! -s "$work/err" ] || fail "user $user got a message: $(head -n 2 "$work/err")"
    status 0 "$iolite" check "$log"
    status 0 "$iolite" dump "$log"
    has true.dat
    lacks forged.dat

    # What else looks there.
    status 0 as $user "$iolite" merge --leftovers
    lines 0
    status 0 as $user "$iolite" top -n 1 -i 0.1
    status 0 as $user "$iolite" doctor -- true
    lacks "-1-5.mapped"
    status 0 as $user "$iolite" merge -o "$work/home.$user/all.darshan" "$work/home.$user"
    as $user timeout 20 "$iolite" merge -o "$work/home.$user/none.darshan" "$work/shm" >"$work/out" 2>"$work/err"
    [ $? != 124 ] || fail "merge of a folder with a pipe in it does not end"
    [ -e "$work"/shm/iolite-"${public##*-}"-1-5.mapped ] || fail "a stranger's file is gone"
    find "$work/shm" -mindepth 1 -delete
    rm -f "$work"/home.$user/*.darshan
done

# The epilogue runs as the job's user, with the same pipes about.
if getent passwd nobody >/dev/null; then
    nobody=$(id -u nobody)
    mkdir -p "$work/share/iolite"
    cp "$(dirname "$0")/../../packaging/slurm/iolite-epilog" "$work/share/iolite/"
    as $attacker mkfifo "$work/shm/iolite-0000000000000000-1-1.mapped" "$work/shm/iolite-run-$nobody-00"
    echo "IOLITE_MMAP_DIR=$work/shm IOLITE_EPILOG_QUIET=1" >"$work/epilog.conf"
    IOLITE_EPILOG_CONF=$work/epilog.conf SLURM_JOB_UID=$nobody SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=1 \
        status 0 timeout 60 "$work/share/iolite/iolite-epilog"
fi

# A process of root's run that has become somebody else leaves its records beside the run's directory; they are known by
# the key of the run.
find "$work/shm" -mindepth 1 -delete
chmod 711 "$work/home.0"
HOME=$work/home.0 status 0 timeout 60 "$iolite" run -o "$work/home.0/log.darshan" -- \
    setpriv --reuid $victim --regid $victim --clear-groups sh -c "echo x >$work/home.$victim/became.dat"
status 0 "$iolite" dump "$work/home.0/log.darshan"
has became.dat
[ -z "$(ls -A "$work/shm")" ] || fail "left: $(ls -A "$work/shm")"
finish
