#!/usr/bin/env bash
# The services: systemd takes each unit without a word and calls it exposed below 4; timers belong to services; and what each service
# starts works as its user, with its rights and no others, from an installation, on a machine where nothing was set up by hand. A user
# opens a page of an own job through nginx, set up as docs/serve.md says, and of nobody else's; others read no file of a service.
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
has_commands python3 && unshare --mount --net true 2>/dev/null || finish
mkdir -p "$work/etc" "$work/lib" "$work/run" "$work/logs" "$work/probe"
cp -a /etc/passwd /etc/group /etc/shadow /etc/gshadow "$work/etc/" 2>/dev/null
cat >"$work/inside" <<'INSIDE'
set -u
prefix=$1 work=$2 demo=$3 other=$4 docs=$5 tools=$6
python3 -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH14x", b"lo", 1))' # lo is up
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
printf '%s\n' "LOGPATH $work/logs" 'LOGMODE 0440' 'LOGGROUP iolite' >/etc/iolite/iolite.conf
cat >/etc/iolite/site.json <<JSON
{"cluster": "test", "darshan_log_dirs": "$work/logs", "staff": ["root"],
 "alerts": {"rules": [{"name": "all", "when": "bytes > 0"}], "targets": [{"file": "/var/lib/iolite/messages"}]}}
JSON
echo "md /proc/mdstat" >/etc/iolite/collect.conf

# started UNIT: its ExecStart as systemd would, as its user and with its rights.
started() { ( start_unit "$1" ); }
start_unit() {
    local unit=$prefix/lib/systemd/system/$1 user group groups caps bounding command
    groups=$(sed -n 's/^SupplementaryGroups=//p' "$unit")
    user=$(sed -n 's/^User=//p' "$unit") group=$(sed -n 's/^Group=//p' "$unit")
    caps=$(sed -n 's/^AmbientCapabilities=//p' "$unit" | tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')
    bounding=$(sed -n 's/^CapabilityBoundingSet=//p' "$unit" | tr 'A-Z' 'a-z' | sed 's/cap_/+/g; s/ /,/g')
    command=$(awk '/^ExecStart=/ || more { print; more = /\\$/ }' "$unit" | sed '1s/^ExecStart=//; s/\\$//; s/%i/tmp/; s:%f:'"$work/probe"':' | tr '\n' ' ')
    local environment
    environment=$(sed -n 's/^Environment=//p' "$unit")
    # shellcheck disable=SC2086 # they are words
    exec setpriv --reuid "$user" --regid "$group" --groups "$group${groups:+,$groups}" --no-new-privs --bounding-set "-all${bounding:+,$bounding}" \
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

# Running programs of a user: the service sees them with its right, and without it says that there is something.
if [ -x "$tools/holders" ]; then
    mount -t tmpfs -o mode=1777 tmpfs /dev/shm
    install -d -o nobody "$work/held"
    mkfifo "$work/hold" && exec 9<>"$work/hold"
    (cd "$work/held" && exec setpriv --reuid nobody --regid nogroup --clear-groups env -i HOME="$work/held" "$prefix/bin/iolite" run --quiet \
        --log-dir "$work/held" -- "$tools/holders" 1 "$work/held") <&9 >"$work/holding" 2>&1 &
    for _ in $(seq 600); do [ ! -s "$work/holding" ] || break; sleep 0.1; done
    sed 's/ --token-file .*/ --ndjson --count 1/' "$prefix/lib/systemd/system/iolite-live.service" >"$prefix/lib/systemd/system/once.service"
    started once.service >"$work/live" || wrong "live ends with $?"
    grep -q '"job_id":.*"user":"nobody","exe":"holders".*"processes":2,' "$work/live" || wrong "live sees $(cat "$work/live") $(cat "$work/holding")"
    sed -i '/Capabilit/d' "$prefix/lib/systemd/system/once.service"
    started once.service >"$work/live" || wrong "live without its right ends with $?"
    grep -q '"foreign_runs":1,.*"jobs":\[\]' "$work/live" || wrong "without its right live sees $(cat "$work/live")"
    echo over >&9
    wait
fi

# The portal, with one log that the site's group may read, and one that it may not
install -o nobody -g iolite -m 0440 "$other" "$yesterday/eva_heat_id7-7_1-1-1-3.darshan"
started iolite-index.service || wrong "index ends with $?"
install -d -o iolite -g iolite -m "$(sed -n 's/^RuntimeDirectoryMode=//p' "$prefix/lib/systemd/system/iolite-serve.service")" /run/iolite
start_unit iolite-serve.service >/dev/null 2>"$work/serve" &
portal=$!
for _ in $(seq 600); do [ ! -S /run/iolite/serve.sock ] || break; sleep 0.1; done
[ -S /run/iolite/serve.sock ] || wrong "no portal: $(cat "$work/serve")"
[ "$(stat -c '%a %G' /run/iolite/serve.sock)" = "660 iolite-proxy" ] || wrong "the socket is $(stat -c '%a %G' /run/iolite/serve.sock)"
if command -v curl >/dev/null && command -v nginx >/dev/null && id www-data >/dev/null 2>&1; then
    sed 's/^\(iolite-proxy:.*:\)$/\1www-data/' /etc/group >"$work/group" && cat "$work/group" >/etc/group
    mount -t tmpfs tmpfs /etc/nginx
    mkdir "$work/nginx"
    printf 'ana:{PLAIN}a\neva:{PLAIN}e\nroot:{PLAIN}r\n' >/etc/nginx/iolite.users
    awk '/^```nginx/ { inside = !done } /^```$/ { done = done || inside; inside = 0 } inside && !/^```/' "$docs" >/etc/nginx/iolite.conf
    # The same with a login service, which knows everybody as eva
    awk '/^```nginx/ { n++; inside = n == 2; next } /^```$/ { inside = 0 } inside' "$docs" >"$work/login"
    sed -e "/auth_basic  /r $work/login" -e '/auth_basic/d; /X-Remote-User .remote_user/d; s/listen 80/listen 81/' /etc/nginx/iolite.conf >/etc/nginx/second.conf
    sed -i 's|^}$|    location = /login { internal; proxy_pass http://127.0.0.1:82; }\n}|' /etc/nginx/second.conf
    cat >/etc/nginx/nginx.conf <<NGINX
user www-data;
worker_processes 1;
pid $work/nginx/pid;
error_log $work/nginx/error;
events { worker_connections 64; }
http {
    access_log off;
    client_body_temp_path $work/nginx/body;
    proxy_temp_path $work/nginx/proxy;
    fastcgi_temp_path $work/nginx/fastcgi;
    uwsgi_temp_path $work/nginx/uwsgi;
    scgi_temp_path $work/nginx/scgi;
    include /etc/nginx/iolite.conf;
    include /etc/nginx/second.conf;
    server { listen 127.0.0.1:82; add_header X-User eva; return 204; }
}
NGINX
    nginx -c /etc/nginx/nginx.conf 2>"$work/nginx/said" || wrong "nginx: $(cat "$work/nginx/said")"
    # page PERSON PATH [OPTION...]: the answer into $work/page; prints the status
    page() { curl -s --noproxy '*' -o "$work/page" -w '%{http_code}' -u "$1:${1:0:1}" "${@:3}" "http://127.0.0.1/iolite$2"; }
    [ "$(curl -s --noproxy '*' -o "$work/page" -w '%{http_code}' -H 'X-Remote-User: root' http://127.0.0.1/iolite/api/v1/jobs)" = 401 ] || wrong "nginx lets anybody in"
    [ "$(page eva /api/v1/jobs)" = 200 ] || wrong "eva's jobs: $(cat "$work/page")"
    [ "$(grep -c '"user":"eva"' "$work/page")" = 1 ] && ! grep -q '"ana"' "$work/page" || wrong "eva sees $(cat "$work/page")"
    id_of() { sqlite3 /var/lib/iolite/index.db "select log_id from log where owner = '$1'"; }
    [ "$(page eva "/api/v1/logs/$(id_of eva)/page")" = 200 ] && grep -q '"job"' "$work/page" || wrong "eva's own page: $(head -c 300 "$work/page")"
    [ "$(page eva "/api/v1/logs/$(id_of eva)/page" -H 'X-Remote-User: ana')" = 200 ] || wrong "a header of the browser counts"
    [ "$(page ana "/api/v1/logs/$(id_of eva)/page")" = 404 ] || wrong "ana opens eva's page"
    cp "$work/page" "$work/another"
    [ "$(page ana /api/v1/logs/12345/page)" = 404 ] && cmp -s "$work/page" "$work/another" || wrong "another's page is not like one that does not exist"
    [ "$(page ana "/api/v1/logs/$(id_of ana)/page")" = 404 ] && grep -q 'may not read' "$work/page" || wrong "a log of mode 0400: $(head -c 300 "$work/page")"
    [ "$(page root "/api/v1/logs/$(id_of eva)/page")" = 200 ] || wrong "staff do not see eva's page"
    [ "$(curl -s --noproxy '*' -o "$work/page" -w '%{http_code}' http://127.0.0.1:81/iolite/api/v1/me)" = 200 ] && grep -q '"eva"' "$work/page" ||
        wrong "with a login service: $(head -c 300 "$work/page")"
    kill "$(cat "$work/nginx/pid")"
else
    echo "not tried: there is no nginx, curl or www-data"
fi
# Nobody else reads a file of a service, nor opens the socket.
others=$(find /var/lib/iolite* /run/iolite ! -type d -perm /007)
[ -z "$others" ] || wrong "open to others: $others"
stranger() { setpriv --reuid nobody --regid nogroup --clear-groups "$@" 2>/dev/null; }
for file in /var/lib/iolite/index.db /var/lib/iolite-serve/* /var/lib/iolite-report/latest.txt /var/lib/iolite-archive/*; do
    [ ! -f "$file" ] || ! stranger head -c 1 "$file" >/dev/null || wrong "others read $file"
done
! stranger curl -s --unix-socket /run/iolite/serve.sock -H 'X-Remote-User: root' http://x/iolite/api/v1/jobs >/dev/null || wrong "others open the socket"
# What staff mute in the portal, alert can read.
printf '{"made": 1, "action": "mute", "rule": "all", "until": 4000000000}\n' |
    setpriv --reuid iolite --regid iolite --clear-groups sh -c 'umask 027; cat >/var/lib/iolite-serve/alert-notes'
started iolite-alert.service 2>"$work/muted" || wrong "alert ends with $?: $(cat "$work/muted")"
kill $portal
wait $portal
rm "$yesterday"/eva_*
started iolite-archive.service || wrong "archive ends with $?"
[ -z "$(ls "$yesterday")" ] || wrong "not archived: $(ls "$yesterday")"
bundle=/var/lib/iolite-archive/$(date -d yesterday +%Y-%m-%d).bundle
"$prefix/bin/iolite" archive restore "$bundle" -o "$work/back" >/dev/null 2>&1
find "$work/back" -name '*.darshan' -exec cmp "$demo" {} \; -quit || wrong "the bundle gives back something else"
# Without its right, the indexer cannot read; and none of them can write where it has no business.
sed -i '/Capabilit/d' "$prefix/lib/systemd/system/iolite-index.service"
install -o nobody -m 0400 "$demo" "$yesterday/eva_heat_id2-2_1-1-1-2.darshan"
started iolite-index.service 2>/dev/null
[ "$(sqlite3 /var/lib/iolite/index.db 'select count(*) from log')" -le 2 ] || wrong "a log was read without the right to"
exit $wrong
INSIDE
status 0 unshare --mount --net --propagation private bash "$work/inside" "$prefix" "$work" "$demo" "$seeds/dfs-v1-3.41.darshan" "$PWD/docs/serve.md" "$tools"
cat "$work/out" "$work/err" >&2
finish
