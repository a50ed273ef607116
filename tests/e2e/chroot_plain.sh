#!/usr/bin/env bash
# Package builders work in a chroot that is not a mount point: the kernel's table of mounts has no line for its root. The log
# lists it all the same, with its type, and files are on it.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
need_library
become=(unshare --mount --propagation private)
[ "$(id -u)" = 0 ] || become+=(--map-root-user)
"${become[@]}" true 2>/dev/null || skip "this user cannot have mounts of their own here"

jail=$work/jail
mkdir -p "$jail"/{usr,proc,dev,tmp,iolite,home}
for name in bin sbin lib lib64; do
    if [ -L "/$name" ]; then cp -P "/$name" "$jail/"; fi
done
[ -L "$jail/lib" ] || skip "/lib is not in /usr here"
cat >"$work/enter" <<'END'
jail=$1 built=$2
shift 2
mount --rbind /usr "$jail/usr" && mount --rbind /proc "$jail/proc" && mount --rbind /dev "$jail/dev" &&
    mount --bind "$built" "$jail/iolite" || exit 70
exec chroot "$jail" /usr/bin/env HOME=/home TMPDIR=/tmp PATH=/iolite/bin:/usr/bin:/bin "$@"
END
inside() { "${become[@]}" bash "$work/enter" "$jail" "$(dirname "$(dirname "$library")")" "$@"; }

status 1 inside grep " / " /proc/self/mounts
seq 1 1000 >"$jail/tmp/numbers"
for way in run preload; do
    rm -f "$jail/tmp/copy"
    if [ $way = run ]; then
        status 0 inside iolite run -q -o /tmp/run.darshan -- cp /tmp/numbers /tmp/copy
    else
        status 0 inside env LD_PRELOAD=/iolite/lib/libiolite.so IOLITE_LOG_FILE=/tmp/preload.darshan cp /tmp/numbers /tmp/copy
    fi
    cmp "$jail/tmp/numbers" "$jail/tmp/copy" || fail "$way: another copy"
    status 0 "$iolite" check "$jail/tmp/$way.darshan"
    status 0 "$(dirname "$iolite")/darshan-parser" "$jail/tmp/$way.darshan"
    if [ "$(stat -f -c %T "$jail")" = tmpfs ]; then # what is in memory is not listed, here as elsewhere
        lacks $'# mount entry:\t/\t'
        continue
    fi
    type=$(sed -n $'s/^# mount entry:\t\\/\t//p' "$work/out")
    known=$(findmnt -n -o FSTYPE -T "$jail" | tail -n 1) # by the table, from outside
    [ -n "$type" ] || fail "$way: the root is not among the mounts"
    [ -z "$known" ] || [ "$type" = "$known" ] || fail "$way: the root is of type $type, and not $known"
    grep -q $'POSIX_BYTES_WRITTEN\t3893\t/tmp/copy\t/\t'"$type" "$work/out" || fail "$way: the copy is on another mount"
done
finish
