#!/usr/bin/env bash
# The site guide, to the letter: its commands in order, from the packages of this tree, in an empty root, and its ways back. What needs a
# running systemd is left to roots/centre and e2e/services: units are enabled here and not started.
# Usage: tests/roots/site_guide.sh [RELEASE]
# shellcheck source=tests/roots/packages.bash
. "$(dirname "$0")/packages.bash"
release=${1:-$(root_here)}
base=$(root_of "$release" guide systemd curl) || exit $?
debs=$(packages_of "$release") || exit $?
root_copy "$base" "$work/root"
mkdir -p "$work/root/test"
cp "$debs"/*.deb "$work/root/test/"

# lines_of SECTION BLOCK: the lines of this block of code of this section, numbered from 1.
lines_of() {
    awk -v section="$1." -v block="$2" '/^## / { inside = $2 == section; n = 0 } inside && /^```$/ { code = 0 } code { print } inside && /^```sh$/ { code = ++n == block }' \
        "$tree/docs/site-guide.md"
}
# way_back SECTION: the first command after "Back:".
way_back() {
    awk -v section="$1." '/^## / { inside = $2 == section } inside' "$tree/docs/site-guide.md" | sed -n 's/.*\*\*Back:\*\* `\([^`]*\)`.*/\1/p'
}
step() { # what, lines on standard input
    echo "what='$1'"
    while IFS= read -r line; do printf 'line=%q; follow\n' "$line"; done
}
{
    cat <<'INSIDE'
wrong=0
wrong() { echo "WRONG: $*"; wrong=1; }
follow() { eval "$line" >/test/said 2>&1 || wrong "$what: '$line' ends with $?: $(tail -n 3 /test/said)"; }
see() { grep -q -e "$1" /test/said || wrong "$what: no '$1': $(tail -n 3 /test/said)"; }
# No systemd runs here: nothing can be started.
systemctl() { command systemctl "${@/--now/--quiet}"; }
apt-get() { command apt-get -q -y "$@"; } # nobody answers questions
useradd -m ana
cd /test || exit
INSIDE
    lines_of 1 1 | step "1. Install"
    echo 'iolite run -- cp /etc/hostname /tmp/copy >/test/said 2>&1; see "the log is"'
    lines_of 2 1 | step "2. Look and write"
    echo '[ -s /etc/iolite/site-setup.list ] || wrong "no list of what was written"'
    lines_of 2 2 | step "2. As it tells you"
    echo 'su ana -c "iolite config" >/test/said; see "^IOLITE_LOG_PATH .*/var/log/iolite"'
    lines_of 3 1 | step "3. Record one job"
    echo 'see " cp "'
    lines_of 4 1 | step "4. The services"
    echo '[ "$(find /etc/systemd/system -name "iolite-*" -type l | wc -l)" = 4 ] || wrong "$what: $(find /etc/systemd/system -name "iolite-*")"'
    lines_of 4 2 | step "4. The index of the services"
    echo 'line="setpriv --reuid iolite-index --regid iolite --clear-groups --inh-caps=+dac_read_search --ambient-caps=+dac_read_search iolite index -q --site /etc/iolite/site.json"; follow'
    echo 'line="iolite jobs"; follow; see " cp "; line="iolite find --broken"; follow; [ ! -s /test/said ] || wrong "$what: $(cat /test/said)"'
    way_back 4 | step "4. Back"
    echo '[ -z "$(find /etc/systemd/system -name "iolite-*" -type l)" ] || wrong "$what: $(find /etc/systemd/system -name "iolite-*" -type l)"'
    lines_of 6 1 | step "6. On for everybody"
    echo '[ -s /etc/profile.d/iolite.sh ] || wrong "$what: no default"'
    way_back 2 | step "7. Rollback"
    echo '[ ! -e /etc/iolite ] && [ ! -e /etc/profile.d/iolite.sh ] || wrong "$what: something is left"'
    way_back 1 | step "1. Back"
    echo '[ ! -e /usr/bin/iolite ] && [ -n "$(find /var/log/iolite -name "*.darshan")" ] || wrong "$what: the command is there, or logs are not"'
    echo 'exit $wrong'
} >"$work/root/test/inside"
[ "$(grep -c '^line=.*; follow$' "$work/root/test/inside")" -ge 15 ] || fail "the guide has lost its commands"
root_run "$work/root" -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive timeout 1200 bash /test/inside ||
    fail "inside of the root: status $?"
finish
