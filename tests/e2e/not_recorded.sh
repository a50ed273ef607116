#!/usr/bin/env bash
# What a run started and could not record is counted by reason and name; "Complete" is said only where there is nothing
# of the kind.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
cd "$work" || exit 99
echo content >in.dat

# shown COMMAND...: a run of it; what `show` says of its log is in $work/out.
shown() {
    rm -rf logs
    timeout 60 "$iolite" run -v --log-dir logs -- "$@" >said.out 2>said.err </dev/null
    log=$(find logs -type f)
    [ -f "$log" ] || fail "not one log: $*: $log $(head -n 2 said.err)"
    "$iolite" check "$log" >checked
    [ $? -le 1 ] || fail "check: $*: $(cat checked)" # 1: it has something to remark
    status 0 "$iolite" show "$log"
}
# says REASON PROGRAMS: in `show` and in the summary of the run; and then nothing is complete.
says() {
    has "Not recorded, $1: $2"
    grep -qF "  not recorded, $1: $2" said.err || fail "not in the summary: $1: $2"
    lacks "Complete"
}

shown sh -c 'cp in.dat copy.dat; env -i /bin/cp in.dat copy2.dat; unset LD_PRELOAD; cp in.dat copy3.dat; ./absent; true'
has "Complete"
lacks "Not recorded"

# Opting out is a wish, and still nobody knows what was done.
shown sh -c 'IOLITE_DISABLE=1 cp in.dat copy.dat; env -i IOLITE_DISABLE=1 /bin/cp in.dat copy2.dat'
says "switched off by a setting" "cp (2)"
IOLITE_APP_EXCLUDE='cp$' shown sh -c 'cp in.dat copy.dat'
says "switched off by a setting" "cp"

# A process that lives on.
# shellcheck disable=SC2016 # for the inner shell
shown bash -c '(exec >/dev/null 2>&1; exec sleep 30) & echo $! >pid; exec -a x true'
says "still running when this log was made" "sleep"
kill "$(cat pid)"

# Programs that limit themselves until nothing is left for what they did. Descriptors are taken before the limit holds.
limited=$tools/hazards/limits_leave_no_room
if [ -x "$limited" ] && ! grep -aq __asan_init "$library"; then
    shown "$limited" addresses
    has "Not recorded, left no memory or descriptor for records by their limits:"
    has "  limits_leave_no_room"
    lacks "Complete"
    shown "$limited" memory
    has "Complete" # the first file needs no more memory than the library has
    shown "$limited" descriptors
    has few.dat
    has "Complete"
    for limit in addresses memory descriptors; do
        IOLITE_LOG_DIR=$work/logs LD_PRELOAD=$library "$limited" "$limit" 2>said.err || fail "$limit: status $?"
        [ ! -s said.err ] || fail "$limit: $(cat said.err)"
    done
    rm -rf "${IOLITE_MMAP_DIR:?}"/*
fi

# A program in a sandbox, where we make no system call, ends by itself as others do.
sandboxed=$tools/hazards/seccomp_filter
if [ -x "$sandboxed" ] && ! grep -aq __asan_init "$library"; then
    shown "$sandboxed"
    has "Complete"
    lacks "did not end by itself"
fi

# Without /proc there is a log all the same, and it is known that somebody lives on, not who. A sanitizer cannot do without.
cat >without <<'END'
mount -t tmpfs none /proc && exec "$@"
END
# shellcheck disable=SC2016 # for the inner shell
if ! grep -aq __asan_init "$iolite" && unshare -r -m sh without true 2>/dev/null; then
    rm -f log
    status 3 unshare -r -m sh without "$iolite" run -o log -- \
        bash -c 'cp in.dat copy.dat; (exec >/dev/null 2>&1; exec sleep 30) & echo $! >pid; exit 3'
    status 0 "$iolite" show log
    has "copy.dat"
    has "Not recorded, still running when this log was made: 1 program"
    kill "$(cat pid)"
fi

# A program that mounts a file system over the place of the run, and starts another one there: that one cannot tell it from
# a run that is over, and would leave a log of its own in it.
# shellcheck disable=SC2016 # for perl
covered='my ($number, $what, $type, $where) = (0 + $ARGV[0], @ARGV[1, 2], $ENV{PLACE_OF_RUN});
    syscall($number, $what, $where, $type, 0, 0) == 0 or exit 77;
    exec "sh", "-c", "echo x >covered.dat; ls -A \"\$PLACE_OF_RUN\""'
export PLACE_OF_RUN=$IOLITE_MMAP_DIR
if [ "$(uname -m)" = x86_64 ] && unshare -r -m perl -e "$covered" 165 none tmpfs >/dev/null 2>&1; then
    IOLITE_LOG_DIR=$IOLITE_MMAP_DIR/logs shown unshare -r -m perl -e "$covered" 165 none tmpfs
    says "out of reach of libiolite.so, or of the run" "sh"
    [ ! -s said.out ] || fail "there is something in the new file system: $(cat said.out)"
fi

# Programs that mount something over the run's directory and end, that move it, remove it, or remove what is in it, as jobs
# do that clean up: there is a log of what is left, and it says that something is not.
# lost COMMAND [PREFIX...]: what a shell does in a run between two copies.
lost() {
    local command=$1
    shift
    rm -rf logs moved
    mkdir logs moved
    status 0 "$@" timeout 60 "$iolite" run -v -o logs/log -- sh -c "cp in.dat copy.dat; $command; cp in.dat copy2.dat"
    mv "$work/err" said.err
    status 0 "$iolite" check logs/log
    status 0 "$iolite" show logs/log
    says "lost with the run's directory, at least" "1 program"
}
# shellcheck disable=SC2016 # for the inner shell
lost 'rm -rf "$PLACE_OF_RUN"/iolite-run-*'
# shellcheck disable=SC2016 # for the inner shell
lost 'find "$PLACE_OF_RUN" -type f -delete'
# shellcheck disable=SC2016 # for the inner shell
lost 'mv "$PLACE_OF_RUN"/iolite-run-* moved'
has "copy.dat"
# shellcheck disable=SC2016 # for the inner shell
hide='mount -t tmpfs none "$PLACE_OF_RUN"'
if unshare -r -m sh -c "$hide" 2>/dev/null; then
    lost "$hide" unshare -r -m
    has "copy.dat"
    rmdir "$IOLITE_MMAP_DIR"/iolite-run-* # nobody gets at it below what is mounted
    lost "unshare -r -m sh -c '$hide; cp in.dat copy3.dat'"
    has "copy2.dat"
fi
unset PLACE_OF_RUN

# Programs with more rights than their user: of another user for root, an ordinary one of root for others.
if [ "$(id -u)" = 0 ]; then
    cp "$(type -P true)" other && chown 65534 other && chmod 4755 other
else
    ln -s "$(type -P mount)" other
fi
rights() { [ -u "$1" ] && ! findmnt -n -o OPTIONS -T "$(realpath "$1")" | grep -q nosuid && ! grep -q '^NoNewPrivs:.*1' /proc/self/status; }
if rights other; then
    shown sh -c './other --version'
    says "with more rights than their user" "other"
fi

# Static programs, in every way of starting them.
echo 'int main(int argc, char **argv) { return argc > 9 && argv[0][0]; }' >empty.c
if gcc -static -o still empty.c 2>/dev/null && ./still; then
    shown sh -c './still; env ./still a; env -i ./still; exec ./still'
    says "statically linked" "still (4)"
    shown ./still
    says "statically linked" "still"
    # Where the list has no room, nobody knows which ones.
    shown sh -c 'cp in.dat copy.dat; ulimit -f 0; ./still; exec ./still'
    says "unlisted for want of room, at least" "1 program"
    shown env -i ./still
    says "statically linked" "still"
    if command -v python3 >/dev/null; then
        shown python3 -c "
import os, subprocess
subprocess.run(['./still'])
os.waitpid(os.posix_spawn('./still', ['x'], {}), 0)
os.system('./still; exec ./still')
pid = os.fork()
if pid == 0: os.execve(os.open('./still', os.O_RDONLY), ['some/still', 'x'], {})
os.waitpid(pid, 0)
os.posix_spawn('./still', ['x'], os.environ, file_actions=[(os.POSIX_SPAWN_CLOSE, 0)])
os.wait()"
        says "statically linked" "still (6)"
    fi
    # What could not be started is no program that is missing.
    shown bash -c 'cp still busy; exec 3>>busy; ./busy; true'
    has "Complete"
    # Many names: those that have a line are counted by name, the others together.
    shown sh -c 'i=100; while [ $i -lt 200 ]; do ln -s still s$i; ./s$i; ./s150; i=$((i + 1)); done'
    says "statically linked" "s150 (51), s100, s101"
    [ "$("$iolite" dump --json "$log" | grep -c '"why": "static"')" = 65 ] || fail "not 64 programs and the others"
    # Tools keep what they were given.
    shown sh -c './still; cp in.dat copy.dat'
    cp "$log" one.darshan
    status 0 "$iolite" convert one.darshan two.darshan
    status 0 "$iolite" show two.darshan
    has "Not recorded, statically linked: still"
    status 0 "$iolite" convert --anonymise=all one.darshan hidden.darshan
    status 0 "$iolite" show hidden.darshan
    has "Not recorded, statically linked: 1 program"
    lacks "Complete"
    lacks still
    status 0 "$iolite" diagnose one.darshan
    has "! Not recorded, statically linked: still."
    status 0 "$iolite" report one.darshan -o page.html
    grep -q "Not recorded, statically linked: still" page.html || fail "not on the page"
    status 0 "$iolite" merge -o merged.darshan one.darshan two.darshan
    status 0 "$iolite" show merged.darshan
    has "Not recorded, statically linked: still (2)"
    status 0 "$iolite" run --json --log-dir logs2 ./still
    grep -q '"not_recorded":\[{"why":"static","program":"still","count":1}\]' "$work/err" || fail "not in the JSON of the run"
else
    echo "gcc -static makes no programs here: static ones are not tried"
fi
finish
