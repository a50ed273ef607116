#!/usr/bin/env bash
# What is built here, in roots with other C libraries: by each way in, programs do what they do without Iolite, and are recorded
# where that can be. `libcs.sh --table` prints the table of docs/libcs.md; without it, that page must have the same one.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/roots/roots.bash
. "$here/roots.bash"
IOLITE_BIN=$(realpath "$IOLITE_BIN")
tree=$(realpath "$IOLITE_BIN/..")
binaries=$IOLITE_BIN
roots=$IOLITE_ROOTS # of the machine, and no setting
unset "${!IOLITE_@}" "${!DARSHAN_@}" LD_PRELOAD "${!SLURM_@}"
IOLITE_ROOTS=$roots
releases=(bullseye bookworm trixie)

# A little of everything: files in one process, in several, and in an interpreter.
cat >"$work/work.sh" <<'END'
cd /tmp/place || exit 9
cp /tmp/in.dat copy.dat && cat copy.dat copy.dat >twice.dat && find . -name 'twice*' &&
    perl -e 'open(F, "twice.dat") or die; my @l = <F>; print scalar(@l), "\n"' && dd if=copy.dat of=dd.dat bs=7 2>/dev/null
(exit 3)
echo "status $?"
END
cat >"$work/linked.c" <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char line[64] = "";
    const int fd = open("/tmp/in.dat", O_RDONLY), to = open("copy.dat", O_WRONLY | O_CREAT, 0644);
    const ssize_t got = read(fd, line, 63);
    printf("%zd %zd\n", got, write(to, line, (size_t)got));
    return close(fd) | close(to);
}
END
cat >"$work/threads.c" <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *write_five(void *name) {
    const int fd = open(name, O_WRONLY | O_CREAT, 0644);
    if (fd < 0 || write(fd, "12345", 5) != 5 || close(fd) != 0) perror(name);
    return NULL;
}
int main(void) {
    pthread_t thread;
    write_five("before.dat");
    if (pthread_create(&thread, NULL, write_five, "inside.dat") != 0 || pthread_join(thread, NULL) != 0) return 1;
    write_five("after.dat");
    return 0;
}
END
printf 'one\ntwo\n' >"$work/in.dat"

# enter COMMAND...: in the root, with this build under its own path, which nothing in the root knows.
enter() { root_run "$root" -b "$tree:$tree" -- env -i PATH=/usr/bin:/bin HOME=/tmp/home IOLITE_LOG_DIR=/tmp/logs "$@"; }
# In containers: the library alone is bound in, or nothing is.
with_library() { root_run "$root" -b "$tree/lib:$tree/lib" -- "$@"; }
alone() { root_run "$root" -- "$@"; }
inside=(env -i PATH=/usr/bin:/bin HOME=/tmp/home IOLITE_LOG_DIR=/tmp/logs)

# What a way in gives, beside the same without Iolite: status, output and files; then whether there is a log of it.
cell() { # command...
    local result
    emptied "$root/tmp/place"
    emptied "$root/tmp/logs"
    "$plain" >"$work/plain.out" 2>"$work/plain.err"
    echo "$?" >>"$work/plain.out"
    (cd "$root/tmp/place" && md5sum -- *) >>"$work/plain.out"
    emptied "$root/tmp/place"
    "$@" >"$work/with.out" 2>"$work/with.err"
    echo "$?" >>"$work/with.out"
    (cd "$root/tmp/place" && md5sum -- *) >>"$work/with.out"
    if ! cmp -s "$work/plain.out" "$work/with.out"; then
        result="program fails"
        diff "$work/plain.out" "$work/with.out" >&2
        head -n 3 "$work/with.err" >&2
    elif find "$root/tmp/logs" -name '*.darshan' -exec "$binaries/darshan-parser" {} \; |
        awk '$4 == "POSIX_BYTES_WRITTEN" && $5 == 8 && $6 ~ "/copy.dat$" { found = 1 } END { exit !found }'; then
        result=recorded
    else
        result="runs, not recorded"
    fi
    if ! cmp -s "$work/plain.err" "$work/with.err"; then
        if grep -q 'cannot be preloaded' "$work/with.err"; then result+=", a line of the loader"; else
            fail "$release: standard error: $(head -n 3 "$work/with.err")"
        fi
    fi
    if [ "$result" = "program fails" ]; then fail "$release: $*"; fi
    printf ' %s |' "$result"
}

# What threads do is recorded, and what comes after them: older C libraries make them by a function that is wrapped.
try_threads() {
    local written
    emptied "$root/tmp/place"
    emptied "$root/tmp/logs"
    enter LD_PRELOAD="$library" sh -c 'cd /tmp/place && exec /tmp/threads' || fail "$release: the program with a thread fails"
    written=$(find "$root/tmp/logs" -name '*.darshan' -exec "$binaries/darshan-parser" {} \; |
        awk '$4 == "POSIX_BYTES_WRITTEN" && $5 == 5 { sub(".*/", "", $6); print $6 }' | sort -u | tr '\n' ' ')
    [ "$written" = "after.dat before.dat inside.dat " ] || fail "$release: files of a program with a thread: $written"
}

script=(sh /tmp/work.sh)
linked=(sh -c 'cd /tmp/place && /tmp/linked')
library=$tree/lib/libiolite.so
plain_script() { alone "${inside[@]}" "${script[@]}"; }
plain_linked() { enter IOLITE_DISABLE=1 "${linked[@]}"; }
in_bubblewrap() {
    unshare --mount --propagation private bwrap --bind "$root" / --proc /proc --dev /dev --ro-bind "$tree/lib" "$tree/lib" \
        --clearenv --setenv PATH /usr/bin:/bin --setenv HOME /tmp/home --setenv IOLITE_LOG_DIR /tmp/logs \
        --setenv LD_PRELOAD "$library" "${script[@]}"
}
in_user_namespace() {
    mkdir -p "$root$tree/lib"
    # shellcheck disable=SC2016 # the inner shell's
    unshare --user --map-root-user --mount bash -c 'mount --bind "$2" "$1$2" && mount --rbind /proc "$1/proc" && exec chroot "$1" "${@:3}"' \
        - "$root" "$tree/lib" "${inside[@]}" LD_PRELOAD="$library" "${script[@]}"
}

# `iolite run` of this machine, with a program in the root: the library and the run's directory are to be seen there, or not.
run_outside() { # yes|no
    mkdir -p "$root$tree/lib"
    # shellcheck disable=SC2016 # the inner shell's
    unshare --mount --propagation private bash -c '
        if [ "$3" = yes ]; then mount --bind "$2/lib" "$1$2/lib" && mount --rbind /dev "$1/dev" && mount --rbind /proc "$1/proc"; fi
        exec "$2/bin/iolite" run -q --log-dir "$1/tmp/logs" -- chroot "$1" "${@:4}"' - "$root" "$tree" "$1" "${inside[@]}" "${script[@]}"
}

row() { # release
    local base
    release=$1 root=$work/$1
    base=$(root_of "$1" linked gcc libc6-dev) || return
    root_copy "$base" "$root"
    mkdir -p "$root/tmp/home" "$root/tmp/place"
    cp "$work/work.sh" "$work/linked.c" "$work/threads.c" "$work/in.dat" "$root/tmp/"
    enter sh -c "cd /tmp && gcc linked.c -o linked -L$tree/lib -Wl,-rpath,$tree/lib -liolite" || fail "$1: the program cannot be linked"
    enter sh -c "cd /tmp && gcc -pthread threads.c -o threads" || fail "$1: the program with a thread cannot be linked"
    try_threads
    printf '| %s, glibc %s |' "$1" "$(alone ldd --version | sed -n '1s/.* //p')"
    plain=plain_script
    cell enter LD_PRELOAD="$library" "${script[@]}"
    cell enter "$tree/bin/iolite" run -q -- "${script[@]}"
    plain=plain_linked
    cell enter "${linked[@]}"
    plain=plain_script
    cell with_library "${inside[@]}" LD_PRELOAD="$library" "${script[@]}"
    cell in_user_namespace
    if command -v bwrap >/dev/null; then cell in_bubblewrap; else printf ' not tried |'; fi
    cell run_outside yes
    cell run_outside no
    cell alone "${inside[@]}" LD_PRELOAD="$library" "${script[@]}"
    echo
    rm -rf "$root"
}

table() {
    cat <<'END'
| C library | preloaded | `iolite run` | linked | preloaded in a chroot | in a user namespace | in bubblewrap | `run` outside, library bound in | `run` outside, no library inside | preloaded path is not there |
|---|---|---|---|---|---|---|---|---|---|
END
    for release in "${releases[@]}"; do row "$release" || exit; done
}

if [ "${1-}" = --table ]; then
    table
    finish
fi
table >"$work/table" || exit
grep -e '^| [a-z]*, glibc ' -e '^| C library' "$here/../../docs/libcs.md" >"$work/expected" || fail "docs/libcs.md has no table"
grep '^| [a-zC]' "$work/table" | diff -u "$work/expected" - >&2 || fail "docs/libcs.md has another table"
finish
