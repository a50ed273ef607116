# Debian roots: what a release has, tried on a machine of another one. Sourced by bash scripts of tests and CI, as root.
#
#     . tests/roots/roots.bash
#     base=$(root_of trixie) || exit $?                        # an empty root; 77 if it is not to be had, and a line why
#     base=$(root_of trixie build gcc libc6-dev) || exit $?    # the same with packages, under a name of its own
#     root_copy "$base" "$work/root"                           # one to write in
#     root_run "$work/root" -b "$PWD:/tree" -- make -C /tree   # a command in it; nothing stays mounted, no process is left
#
# Roots are made once, by debootstrap, and kept in $IOLITE_ROOTS, outside of any source tree. Nobody writes into those:
# they are copied first. NAME.ok beside a root says that it is whole, and which packages were added.
IOLITE_ROOTS=${IOLITE_ROOTS:-/var/cache/iolite-roots}

roots_skip() { # reason: a line, and the status of what was skipped
    echo "skipped: $*" >&2
    return 77
}

# Releases that left the mirrors are in the archive, where signatures are past their date.
root_mirror() { # release
    case $1 in
    jessie | stretch | buster) echo http://archive.debian.org/debian ;;
    *) echo "${IOLITE_MIRROR:-http://deb.debian.org/debian}" ;;
    esac
}

# The release of this machine, and the one that is tried beside it.
root_here() { sed -n 's/^VERSION_CODENAME=//p' /etc/os-release; }
root_other() { if [ "$(root_here)" = trixie ]; then echo bookworm; else echo trixie; fi; }

# Can roots be made and entered by this user on this machine?
roots_usable() {
    [ "$(id -u)" = 0 ] || { roots_skip "only root can make a root of another release"; return; }
    unshare --mount --pid --fork true 2>/dev/null || { roots_skip "no right to mount file systems here"; return; }
}

roots_debootstrap() {
    command -v debootstrap >/dev/null || [ -x /usr/sbin/debootstrap ] && return
    { compgen -G '/var/lib/apt/lists/*_Packages*' || apt-get -q update; } >/dev/null 2>&1 || true
    apt-get -q install -y --no-install-recommends debootstrap >/dev/null 2>&1 || roots_skip "debootstrap is not to be had"
}

# Prints the directory of a cached root, which is made if it is not there. Two that want it at once wait for each other.
root_of() { # release [name package...]
    local release=$1 name=$1${2:+-$2} packages
    packages="${*:3}"
    roots_usable || return
    mkdir -p "$IOLITE_ROOTS" || return
    (
        flock 9 || exit
        if [ -e "$IOLITE_ROOTS/$name.ok" ] && [ "$packages" = "$(<"$IOLITE_ROOTS/$name.ok")" ]; then exit 0; fi
        rm -rf "$IOLITE_ROOTS/$name.ok" "${IOLITE_ROOTS:?}/$name"
        if [ $# = 1 ]; then root_make "$release"; else root_add "$release" "$name" "${@:3}"; fi || {
            status=$?
            rm -rf "${IOLITE_ROOTS:?}/$name"
            exit $status
        }
        echo "$packages" >"$IOLITE_ROOTS/$name.ok"
    ) 9>"$IOLITE_ROOTS/$name.lock" || return
    echo "$IOLITE_ROOTS/$name"
}

root_make() { # release
    local mirror log=$IOLITE_ROOTS/$1.log
    mirror=$(root_mirror "$1")
    roots_debootstrap || return
    # A mirror behind a wall would be asked for hours.
    timeout 30 wget -q -O /dev/null "$mirror/dists/$1/Release" || { roots_skip "$mirror has no $1, or cannot be reached"; return; }
    timeout 1200 debootstrap --variant=minbase --include=ca-certificates "$1" "$IOLITE_ROOTS/$1" "$mirror" >"$log" 2>&1 ||
        roots_skip "debootstrap of $1: $(tail -n 1 "$log")"
}

root_add() { # release name package...
    local base log=$IOLITE_ROOTS/$2.log
    base=$(root_of "$1") || return
    root_copy "$base" "$IOLITE_ROOTS/$2" || return
    { root_apt "$IOLITE_ROOTS/$2" update && root_apt "$IOLITE_ROOTS/$2" install "${@:3}"; } >"$log" 2>&1 ||
        roots_skip "packages for $1: $(tail -n 1 "$log")"
}

root_apt() { # root update|install package...
    local root=$1
    shift
    timeout 1200 chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y --no-install-recommends "$@"
}

root_copy() { # base directory
    cp -a "$1" "$2" || return
    cp -L /etc/resolv.conf "$2/etc/resolv.conf" 2>/dev/null || true
}

# Runs a command in a root, with /proc, /sys, /dev and a /dev/shm of its own. -p: plainly in a directory, as package builders
# do; otherwise the root is a mount point, as in containers. -b FROM:TO makes a directory of this machine appear inside.
root_run() { # root [-p] [-b FROM:TO]... -- command...
    local root=$1 itself=yes binds=()
    shift
    while [ "$1" != -- ]; do
        case $1 in
        -p) itself= ;;
        -b) binds+=("$2") && shift ;;
        esac
        shift
    done
    shift
    # shellcheck disable=SC2016 # the inner shell's
    unshare --mount --propagation private --pid --fork --kill-child bash -euc '
        root=$1 itself=$2 binds=$3
        shift 3
        if [ -n "$itself" ]; then mount --bind "$root" "$root"; fi
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        while read -r bind; do
            [ -n "$bind" ] || continue
            mkdir -p "$root${bind#*:}"
            mount --rbind "${bind%%:*}" "$root${bind#*:}"
        done <<<"$binds"
        status=0
        chroot "$root" "$@" || status=$? # this shell stays, and collects orphans
        exit $status' - "$root" "$itself" "$(printf '%s\n' "${binds[@]}")" "$@"
}

# A root of another processor, unpacked and not set up: enough to run programs in by an emulator, and to link for it.
root_foreign() { # processor release package...
    local name=$2-$1 processor=$1 release=$2 mirror packages log
    shift 2
    packages="$*"
    roots_usable && roots_debootstrap || return
    mirror=$(root_mirror "$release") log=$IOLITE_ROOTS/$name.log
    mkdir -p "$IOLITE_ROOTS" || return
    (
        flock 9 || exit
        if [ -e "$IOLITE_ROOTS/$name.ok" ] && [ "$packages" = "$(<"$IOLITE_ROOTS/$name.ok")" ]; then exit 0; fi
        rm -rf "$IOLITE_ROOTS/$name.ok" "${IOLITE_ROOTS:?}/$name"
        timeout 1200 debootstrap --foreign --arch="$processor" --variant=minbase --include="${packages// /,}" "$release" \
            "$IOLITE_ROOTS/$name" "$mirror" >"$log" 2>&1 || { roots_skip "debootstrap for $processor: $(tail -n 1 "$log")"; exit; }
        rm -f "$IOLITE_ROOTS/$name/proc" # in containers debootstrap makes a link of it, to itself
        mkdir -p "$IOLITE_ROOTS/$name/proc"
        for package in "$IOLITE_ROOTS/$name"/var/cache/apt/archives/*.deb; do
            dpkg-deb --fsys-tarfile "$package" |
                tar -x -C "$IOLITE_ROOTS/$name" --keep-directory-symlink --skip-old-files || exit
        done
        echo "$packages" >"$IOLITE_ROOTS/$name.ok"
    ) 9>"$IOLITE_ROOTS/$name.lock" || return
    echo "$IOLITE_ROOTS/$name"
}
