#!/usr/bin/env bash
# The Debian packages of this tree on a machine that has nothing else: built twice to the same bytes, nothing for lintian to say, installed, used, half
# installed, installed twice, beside an older version, below a prefix that cannot be written, and removed without a trace but users' data.
# Usage: tests/roots/packages.sh [RELEASE]
# shellcheck source=tests/roots/packages.bash
. "$(dirname "$0")/packages.bash"
release=${1:-$(root_here)}
base=$(root_of "$release") || exit $?
debs=$(packages_of "$release") || exit $?

! grep '^[EW]:' "$debs/lintian.log" || fail "lintian says something"
packages_snapshot "$work/tree"
"$work/tree/packaging/build-deb" "$release" "$work/again" >"$work/out" 2>&1 || fail "a second build: $(tail -n 3 "$work/out")"
for deb in "$debs"/*.deb; do cmp "$deb" "$work/again/${deb##*/}" || fail "${deb##*/} is another one each time"; done

root_copy "$base" "$work/root"
mkdir -p "$work/root/test"
cp "$debs"/*.deb "$work/root/test/"
cat >"$work/root/test/inside" <<'INSIDE'
wrong=0
wrong() { echo "WRONG: $*"; wrong=1; }
apt() { apt-get -q -y --no-install-recommends "$@" >/test/said 2>&1 || wrong "apt-get $*: $(tail -n 4 /test/said)"; }
everything() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /test -o -path /tmp -o -path /run -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log/apt \) -prune -o -print | sort; }
apt update
apt install man-db bash-completion systemd zlib1g-dev python3
useradd -m ana
everything >/test/before

# All of it, and all of it again.
apt install /test/iolite_*.deb /test/iolite-runtime_*.deb /test/libiolite0_*.deb /test/iolite-site_*.deb /test/libiolite-dev_*.deb /test/python3-iolite_*.deb
! grep -e 'Failed to' /test/said || wrong "installing says something"
apt install --reinstall /test/iolite_*.deb /test/iolite-runtime_*.deb /test/iolite-site_*.deb
# Half of it: the command without its library runs programs, and says what is missing.
dpkg --force-depends --remove iolite-runtime >/dev/null 2>&1
su ana -c 'iolite run -- sh -c "exit 7"' 2>/test/said
[ $? = 7 ] || wrong "half an installation: the program does not run: $(cat /test/said)"
grep -q 'libiolite.so' /test/said || wrong "half an installation: $(cat /test/said)"
dpkg -i /test/iolite-runtime_*.deb >/dev/null 2>&1 || wrong "the other half cannot be installed"
[ "$(stat -c '%U %G %a' /var/lib/iolite)" = "iolite-index iolite 750" ] || wrong "the directory of the index: $(ls -ld /var/lib/iolite)"
man iolite-run 2>/dev/null | grep -q 'run a program and record its I/O' || wrong "man iolite-run"
for page in /usr/share/man/man*/iolite*; do man "$page" >/dev/null 2>/test/said && [ ! -s /test/said ] || wrong "$page: $(head -n 1 /test/said)"; done
completed=$(bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader iolite; COMP_WORDS=(iolite di) COMP_CWORD=1; _iolite iolite di iolite; echo "${COMPREPLY[@]}"' 2>&1)
[ "$completed" = diagnose ] || wrong "completion: '$completed'"
[ -s /usr/share/zsh/vendor-completions/_iolite ] || wrong "no completion for zsh"
[ -s /usr/share/fish/vendor_completions.d/iolite.fish ] || wrong "no completion for fish"
su ana -c 'cd && iolite run -o log.darshan -- cp /etc/hostname copy && iolite check log.darshan && iolite diagnose log.darshan >/dev/null' >/test/said 2>&1 || wrong "a job: $(cat /test/said)"
su ana -c 'cd && python3 -c "import iolite; print(iolite.__file__)"' | grep -qx '/usr/lib/python3/dist-packages/iolite/__init__.py' || wrong "python3-iolite"
su ana -c 'cd && darshan-parser log.darshan' | grep -q '^# darshan log version' || wrong "darshan-parser"

# An older one under a prefix of its own, beside this one: each records with its own library.
mkdir /opt/older && for deb in /test/iolite_*.deb /test/iolite-runtime_*.deb; do dpkg-deb -x $deb /opt/older; done
su ana -c 'cd && LD_DEBUG=libs LD_DEBUG_OUTPUT=/tmp/libs /opt/older/usr/bin/iolite run -o older.darshan -- true && iolite check older.darshan' >/test/said 2>&1
grep -qs 'calling init: /opt/older/usr/lib/.*libiolite.so' /tmp/libs.* || wrong "the older command takes another library"
! grep -qs 'calling init: /usr/lib/.*libiolite.so$' /tmp/libs.* || wrong "the older command takes this one's library"
rm -rf /opt/older /tmp/libs.*

# Where nobody can write.
mount --bind /usr /usr && mount -o remount,bind,ro /usr
su ana -c 'cd && iolite run -o ro.darshan -- cp /etc/hostname copy && iolite check ro.darshan' >/test/said 2>&1 || wrong "a prefix that cannot be written: $(cat /test/said)"
umount -l /usr

# No trace but users' data, and users of the services, whose numbers are not to be given to others.
iolite site-setup --default-on >/test/said 2>&1 || wrong "site-setup: $(cat /test/said)"
[ -s /etc/profile.d/iolite.sh ] || wrong "site-setup wrote no default"
mkdir -p /var/log/iolite && iolite mk-log-dirs >/dev/null 2>&1
su ana -c '. /etc/profile.d/iolite.sh; SLURM_JOB_ID=5 cp /etc/hostname /tmp/copied' || wrong "a job with the default"
su ana -c 'iolite merge --leftovers --job 5' >/test/said 2>&1
apt purge 'iolite*' libiolite0 libiolite-dev python3-iolite
apt autoremove --purge
everything >/test/after
comm -13 /test/before /test/after | grep -v -e '^/home/ana/' -e '^/var/log/iolite\(/\|$\)' -e '^/var/lib/systemd' -e '^/etc/.*-$' >/test/left
[ ! -s /test/left ] || wrong "left: $(head -n 20 /test/left)"
comm -23 /test/before /test/after >/test/gone
[ ! -s /test/gone ] || wrong "gone: $(head -n 20 /test/gone)"
[ -s /home/ana/log.darshan ] && [ -n "$(find /var/log/iolite -name '*.darshan')" ] || wrong "users' logs are gone"
exit $wrong
INSIDE
root_run "$work/root" -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive timeout 1200 bash /test/inside ||
    fail "inside of the root: status $?"
finish
