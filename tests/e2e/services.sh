#!/usr/bin/env bash
# The services: systemd takes each unit without a word and calls it exposed below 4; timers belong to services; and what each service
# starts works as its user, with its rights and no others, from an installation, on a machine where nothing was set up by hand.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
build=$(cd "$IOLITE_BIN/.." && pwd)
unset "${!IOLITE_@}" "${!DARSHAN_@}" DESTDIR
has_commands cmake systemd-analyze || skip "no cmake, or no systemd-analyze"
chmod 755 "$work"
prefix=$work/prefix
sed "s:\"$build/\${CMAKE_INSTALL_MANIFEST}\":\"$work/\${CMAKE_INSTALL_MANIFEST}\":" "$build/cmake_install.cmake" >"$work/install.cmake"
for component in tools runtime site; do
    cmake -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_COMPONENT=$component -P "$work/install.cmake" >"$work/out" 2>&1 ||
        give_up "it cannot be installed: $(tail -n 1 "$work/out")"
done
units=$prefix/lib/systemd/system
[ "$(ls "$units"/*.service | wc -l)" -ge 8 ] || fail "services: $(ls "$units")"
! grep -l -e ' /usr/bin/iolite' -e '=/usr/bin/iolite' -e /usr/share/iolite "$units"/* || fail "units with paths of another installation"

for unit in "$units"/*.service "$units"/*.timer; do
    name=${unit##*/}
    case $name in
    *@.*) sed 's/%f/\/tmp/; s/%i/tmp/' "$unit" >"$work/${name/@/@tmp}" && unit=$work/${name/@/@tmp} ;;
    *.timer) [ -e "${unit%.timer}.service" ] || fail "$name has no service" ;;
    esac
    SYSTEMD_UNIT_PATH=$units: systemd-analyze verify --man=no "$unit" >"$work/verify" 2>&1 || fail "$name: $(head -n 3 "$work/verify")"
    ! grep -F "${name%%[@.]*}" "$work/verify" || fail "$name: something about it"
    case $name in *.service)
        SYSTEMD_UNIT_PATH=$units: systemd-analyze security --no-pager --offline=true --threshold=39 "$unit" >"$work/security" 2>&1 ||
            fail "$name: $(tail -n 1 "$work/security")"
        ;;
    esac
done

# Each ExecStart as its user: in a copy of /etc with the users of sysusers.d, and an empty /var/lib.
[ "$(id -u)" = 0 ] && has_commands systemd-sysusers systemd-tmpfiles setpriv sqlite3 || finish
unshare --mount true 2>/dev/null || finish
mkdir -p "$work/etc" "$work/lib" "$work/run" "$work/logs" "$work/probe"
cp -a /etc/passwd /etc/group /etc/shadow /etc/gshadow "$work/etc/" 2>/dev/null
cat >"$work/inside" <<'INSIDE'
set -u
prefix=$1 work=$2 demo=$3
shift 3
mkdir -p /etc/iolite
mount -t tmpfs -o mode=755 tmpfs /etc/iolite
for file in passwd group shadow gshadow; do [ ! -e "/etc/$file" ] || mount --bind "$work/etc/$file" "/etc/$file"; done
mount -t tmpfs -o mode=755 tmpfs /var/lib
mount -t tmpfs -o mode=755 tmpfs /run
# sysusers replaces files, which mount points are not: it works on a copy.
mkdir -p "$work/root/etc" && cp "$work"/etc/* "$work/root/etc/"
systemd-sysusers --root="$work/root" "$prefix/lib/sysusers.d/iolite.conf" || exit 71
for file in passwd group shadow gshadow; do cat "$work/root/etc/$file" >"/etc/$file"; done
systemd-tmpfiles --create "$prefix/lib/tmpfiles.d/iolite.conf" || exit 72
echo "LOGPATH $work/logs" >/etc/iolite/iolite.conf
cat >/etc/iolite/site.json <<JSON
{"cluster": "test", "darshan_log_dirs": "$work/logs", "staff": ["root"],
 "alerts": {"rules": [{"name": "all", "when": "bytes > 0"}], "targets": [{"file": "/var/lib/iolite/messages"}]}}
JSON
echo "md /proc/mdstat" >/etc/iolite/collect.conf

# started UNIT: its ExecStart as systemd would, as its user and with its rights.
started() {
    local unit=$prefix/lib/systemd/system/$1 user group caps bounding command
    user=$(sed -n 's/^User=//p' "$unit") group=$(sed -n 's/^Group=//p' "$unit")
    caps=$(sed -n 's/^AmbientCapabilities=//p' "$unit" | tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')
    bounding=$(sed -n 's/^CapabilityBoundingSet=//p' "$unit" | tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')
    command=$(awk '/^ExecStart=/ || more { print; more = /\\$/ }' "$unit" | sed '1s/^ExecStart=//; s/\\$//; s/%i/tmp/; s:%f:'"$work/probe"':' | tr '\n' ' ')
    local environment
    environment=$(sed -n 's/^Environment=//p' "$unit")
    # shellcheck disable=SC2086 # they are words
    setpriv --reuid "$user" --regid "$group" --init-groups --no-new-privs --bounding-set "-all${bounding:+,$bounding}" \
        --inh-caps "-all${caps:+,$caps}" ${caps:+--ambient-caps "$caps"} env -i PATH=/usr/bin:/bin $environment sh -c "umask $(sed -n 's/^UMask=//p' "$unit" | grep . || echo 022); exec $command"
}
wrong() { echo "$*"; wrong=1; }
wrong=0

started iolite-mk-log-dirs.service 2>/dev/null || wrong "mk-log-dirs ends with $?"
yesterday=$work/logs/$(date -d yesterday +%-Y/%-m/%-d)
mkdir -p "$yesterday" && chmod 1777 "$yesterday"
# A log of a user, which nobody else may read.
install -o nobody -m 0400 "$demo" "$yesterday/ana_heat_id1-1_1-1-1-1.darshan"
started iolite-index.service || wrong "index ends with $?"
[ "$(sqlite3 /var/lib/iolite/index.db 'select count(*) from log')" = 1 ] || wrong "the index does not have the log"
[ "$(stat -c '%U %G' /var/lib/iolite/index.db)" = "iolite-index iolite" ] || wrong "the index belongs to $(stat -c '%U %G' /var/lib/iolite/index.db)"
started iolite-alert.service >/dev/null || wrong "alert ends with $?"
started iolite-report.service || wrong "report ends with $?"
grep -q '^Storage from' /var/lib/iolite-report/latest.txt || wrong "no report"
started iolite-collect.service >/dev/null 2>"$work/collect"
case $? in 0 | 3) ;; *) wrong "collect: $(cat "$work/collect")" ;; esac
chown iolite-probe "$work/probe"
started iolite-probe@.service >/dev/null || wrong "probe ends with $?"
[ -d /var/lib/iolite-probe/tmp ] || wrong "the probe kept nothing"
mkdir -p /run/iolite && chown iolite:iolite /run/iolite
started iolite-serve.service >/dev/null 2>"$work/serve" &
portal=$!
for _ in $(seq 600); do [ ! -S /run/iolite/serve.sock ] || break; sleep 0.1; done
[ -S /run/iolite/serve.sock ] || wrong "no portal: $(cat "$work/serve")"
if command -v curl >/dev/null; then
    curl -s --unix-socket /run/iolite/serve.sock -H 'X-Remote-User: root' http://x/iolite/api/v1/jobs | grep -q '"items"' || wrong "the portal does not list jobs"
fi
kill $portal
wait $portal
started iolite-archive.service || wrong "archive ends with $?"
[ -z "$(ls "$yesterday")" ] || wrong "not archived: $(ls "$yesterday")"
bundle=/var/lib/iolite-archive/$(date -d yesterday +%Y-%m-%d).bundle
"$prefix/bin/iolite" archive restore "$bundle" -o "$work/back" >/dev/null 2>&1
find "$work/back" -name '*.darshan' -exec cmp "$demo" {} \; -quit || wrong "the bundle gives back something else"
# Without its right, the indexer cannot read; and none of them can write where it has no business.
sed -i '/Capabilit/d' "$prefix/lib/systemd/system/iolite-index.service"
install -o nobody -m 0400 "$demo" "$yesterday/eva_heat_id2-2_1-1-1-2.darshan"
started iolite-index.service 2>/dev/null
[ "$(sqlite3 /var/lib/iolite/index.db 'select count(*) from log')" -le 1 ] || wrong "a log was read without the right to"
exit $wrong
INSIDE
status 0 unshare --mount --propagation private bash "$work/inside" "$prefix" "$work" "$demo"
cat "$work/out" "$work/err" >&2
finish
