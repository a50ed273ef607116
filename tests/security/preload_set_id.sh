#!/usr/bin/env bash
# SECURITY.md, "Nobody gains rights": where /etc/ld.so.preload puts Iolite into every program, a set-id program that
# becomes root and starts a helper hands it the environment of its caller. None of the caller's settings gets there, and
# root loads no module and fills no directory that somebody else could have chosen. All of it in a root directory of its own.
# shellcheck source=tests/security/two_users.bash
. "$(dirname "$0")/two_users.bash"
command -v cc >/dev/null || { echo "no C compiler" >&2; exit 77; }
[ -e "$library" ] || { echo "no libiolite.so" >&2; exit 77; }
if mount | grep -q " on $(df --output=target "$work" | tail -n 1) .*nosuid"; then
    echo "files cannot be setuid in $work" >&2
    exit 77
fi

root=$work/root
install -d -m 755 "$root" "$root/etc" "$root/bin" "$root/opt" "$root/proc" "$root/run"
install -d -m 700 "$root/root"
install -d -m 1777 "$root/tmp" "$root/dev" "$root/dev/shm"
install -d -m 755 -o $mallory_id -g $mallory_id "$root/home"

# Becomes root as such programs do, or only effectively, and starts the helper with the environment that it has.
cat >"$work/gate.c" <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "group") != 0 && strcmp(how, "half") != 0 && setresuid(0, 0, 0) != 0) return 3;
    execve("/bin/helper", argv, environ);
    perror("execve");
    return 4;
}
END
# Does some I/O, and says who it is and which settings it sees.
cat >"$work/helper.c" <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    FILE *file = fopen("/tmp/by-helper", "w");
    if (file) fputs("some bytes\n", file), fclose(file);
    printf("uid %d %d", getuid(), geteuid());
    for (char **at = environ; *at; at++)
        if (!strncmp(*at, "IOLITE", 6) || !strncmp(*at, "DARSHAN_", 8) || !strncmp(*at, "DXT_", 4)) printf(" SEES %s", *at);
    printf(" keeps %s%s\n", getenv("FIRST") ? getenv("FIRST") : "nothing", getenv("LAST") ? getenv("LAST") : "");
    return 0;
}
END
# A module that leaves a sign where it runs.
cat >"$work/evil.c" <<'END'
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void run(void) {
    int fd = open("/tmp/module-ran", O_WRONLY | O_CREAT, 0666);
    if (fd >= 0) close(fd);
}
END
if ! cc -o "$root/bin/gate" "$work/gate.c" || ! cc -o "$root/bin/helper" "$work/helper.c" ||
    ! cc -shared -fPIC -o "$root/opt/module.so" "$work/evil.c"; then
    fail "cannot build the programs"
    finish
fi
# What they are linked with, and the library, at the same places.
for object in $(ldd "$root/bin/helper" "$library" | grep -o '/[^ )]*' | grep -v ':$' | sort -u); do
    install -D -m 755 "$object" "$root$object"
done
install -m 755 "$library" "$root/opt/libiolite.so"
echo /opt/libiolite.so >"$root/etc/ld.so.preload"
chroot "$root" /bin/helper >"$work/out" 2>&1 || { fail "nothing runs in the root: $(cat "$work/out")"; finish; }
rm -rf "$root/root/.local"

# nothing_by_root WHAT: neither a module nor a log of mallory's choice.
nothing_by_root() {
    [ ! -e "$root/tmp/module-ran" ] || fail "$1: mallory's module ran"
    [ -z "$(find "$root/root" "$root/home" -mindepth 1 ! -name evil.so)" ] || fail "$1: made $(find "$root/root" "$root/home" -mindepth 1)"
}
cp "$root/opt/module.so" "$root/home/evil.so"
chown $mallory_id:$mallory_id "$root/home/evil.so"

# The programs of this test can show what they are for: with the settings, root's helper writes where they say.
IOLITE_LOG_FILE=/root/own.log IOLITE_MMAP_DIR=/dev/shm chroot "$root" /bin/helper >"$work/out" 2>&1
[ -e "$root/root/own.log" ] || fail "root itself has no log: $(cat "$work/out")"
rm -f "$root/root/own.log"

# through_gate MODE HOW: mallory starts the gate, with everything set that could lead the helper.
through_gate() {
    chown 0:0 "$root/bin/gate"
    chmod "$1" "$root/bin/gate"
    rm -f "$root/tmp/"*
    timeout 60 env -i FIRST=first IOLITE_MODULES=/home/evil.so IOLITE_LOG_FILE=/root/evil.log \
        DARSHAN_LOGFILE=/root/evil.log HOME=/home IOLITE_LOG_DIR=/root/logs DARSHAN_MODMEM=4 DXT_ENABLE_IO_TRACE=1 \
        IOLITE_MMAP_DIR=/root LAST=last PATH="$PATH" \
        chroot --userspec=$mallory_id:$mallory_id --groups= "$root" /bin/gate "$2" >"$work/out" 2>"$work/err"
}
# says WHAT TEXT
says() { [ "$(cat "$work/out")" = "$2" ] || fail "$1: '$(cat "$work/out" "$work/err")'"; }
through_gate 4755 whole
says "set-user-id" "uid 0 0 keeps firstlast"
nothing_by_root "set-user-id"
through_gate 4755 half
says "set-user-id, half" "uid $mallory_id 0 keeps firstlast"
nothing_by_root "set-user-id, half"
through_gate 2755 group
says "set-group-id" "uid $mallory_id $mallory_id keeps firstlast"
nothing_by_root "set-group-id"

# Root, with a home of mallory's: nothing is made there.
rm -f "$root/tmp/"*
env -i HOME=/home PATH="$PATH" chroot "$root" /bin/helper >"$work/out" 2>"$work/err"
says "root with another's home" "uid 0 0 keeps nothing"
nothing_by_root "root with another's home"

# module PATH WHETHER WHAT: root names a module, and it is to be loaded (yes) or not (no).
module() {
    local path=$1 whether=$2 what=$3
    rm -f "$root/tmp/"* "$root"/root/log
    env -i HOME=/root IOLITE_MODULES="$path" IOLITE_LOG_FILE=/root/log PATH="$PATH" chroot "$root" /bin/helper \
        >"$work/out" 2>"$work/err"
    says "$what" "uid 0 0 SEES IOLITE_MODULES=$path SEES IOLITE_LOG_FILE=/root/log keeps nothing"
    [ "$([ -e "$root/tmp/module-ran" ] && echo yes || echo no)" = "$whether" ] || fail "$what: loaded? not $whether"
    [ "$whether" = yes ] || grep -q "^iolite: a module is left out: $path: " "$work/err" || fail "$what: why? $(cat "$work/err")"
}
module /opt/module.so no "a root without /proc"
if mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc" 2>/dev/null; then
    trap 'umount -l "$root/proc"; rm -rf "$work"' EXIT
    module /opt/module.so yes "a module of root's"
    module /opt/../opt/module.so yes "by another path"
    ln -s /opt/module.so "$root/home/link.so"
    module /home/link.so yes "by mallory's link to root's module"
    module /home/evil.so no "a module of mallory's"
    cp "$root/opt/module.so" "$root/home/roots.so"
    module /home/roots.so no "root's file in mallory's directory"
    chmod 775 "$root/opt/module.so"
    module /opt/module.so yes "root's group may write"
    chgrp $mallory_id "$root/opt/module.so"
    module /opt/module.so no "another group may write"
    chgrp 0 "$root/opt/module.so"
    chmod 757 "$root/opt/module.so"
    module /opt/module.so no "everybody may write"
    chmod 755 "$root/opt/module.so"
    chmod 777 "$root/opt"
    module /opt/module.so no "a directory that everybody may write to"
    chmod 1777 "$root/opt"
    module /opt/module.so yes "the same with the sticky bit"
    chmod 755 "$root/opt"
    (cd "$root/opt" && module module.so no "a name without a directory")
else
    echo "no /proc can be mounted in the root: modules were tried without it only" >&2
fi
finish
