#!/usr/bin/env bash
# `./dev demo` on a machine without the packages of the tests shows all that the README promises, the fleet and the portal
# included; so it does a second time, when these packages have come, and when they have gone again. The machine is this one,
# seen through a layer in which they are removed.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
source_tree=$(cd "$(dirname "$0")/../.." && pwd)
unset "${!IOLITE_@}" "${!DARSHAN_@}" CFLAGS
[ "$(id -u)" = 0 ] || skip "only root can hide files of the system"
root=$work/root
mkdir -p "$root"/{usr,etc,proc,dev,home,tmp/tree} "$work/layer"
for name in bin sbin lib lib64; do
    if [ -L "/$name" ]; then cp -P "/$name" "$root/"; fi
done
[ -L "$root/lib" ] || skip "/lib is not in /usr here"
tar -C "$source_tree" --exclude=./build --exclude=./.git --exclude=./web/node_modules -c . | tar -C "$root/tmp/tree" -x

# The table of ./dev says which packages are the tests'. Nothing is to be installed in any case.
echo /usr/bin/apt-get >"$work/installed"
sed -n 's/^test  *\([^ ]*\) .*/\1/p' "$source_tree/dev" | tr '|' '\n' | while read -r package; do
    dpkg-query -L "$package" 2>/dev/null
done | grep '^/usr/' | cat - "$work/installed" >"$work/bare"
compgen -G '/usr/include/cmocka*' >>"$work/bare"

cat >"$work/enter" <<'END'
root=$1 layer=$1/../layer hidden=$2
shift 2
mount --rbind /proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --rbind /etc "$root/etc" &&
    mount -t tmpfs tmpfs "$layer" && mkdir "$layer/over" "$layer/work" &&
    mount -t overlay -o "lowerdir=/usr,upperdir=$layer/over,workdir=$layer/work" overlay "$root/usr" || exit 70
sed "s:^:$root:" "$hidden" | xargs -d '\n' rm -f 2>/dev/null
exec chroot "$root" /usr/bin/env HOME=/home TMPDIR=/tmp PATH=/usr/bin:/bin:/usr/sbin:/sbin "$@"
END
inside() { # hidden command...
    unshare --mount --propagation private bash "$work/enter" "$root" "$work/$1" "${@:2}"
}
inside bare true 2>"$work/err" || skip "no layer over /usr here: $(tail -n 1 "$work/err")"
status 1 inside bare test -e /usr/include/cmocka.h
status 0 inside installed test -e /usr/include/cmocka.h

# shows_all HIDDEN: what is promised, to its end.
shows_all() {
    status 0 inside "$1" env DEMO_RUNS=1 /tmp/tree/dev demo
    has "to the byte"
    has "iolite fleet --mode native"
    has "posix.random.read"
    has "preloaded"
    has "build/bin/iolite serve --store build/demo/centre/index.db"
    has "Now a program of your own"
}
tests_are() { grep -q "^IOLITE_TESTS:BOOL=$1$" "$root/tmp/tree/build/CMakeCache.txt" || fail "IOLITE_TESTS is not $1"; }

shows_all bare
tests_are OFF
shows_all bare
shows_all installed
tests_are OFF
status 0 inside installed cmake -S /tmp/tree -B /tmp/tree/build -DIOLITE_TESTS=ON
tests_are ON
shows_all installed
shows_all bare
finish
