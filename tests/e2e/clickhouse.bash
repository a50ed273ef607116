# A ClickHouse cluster of our own: two shards on free ports of this machine. To be sourced by who has $work, $iolite and skip;
# ends with them. The servers make files by the ten thousand: where there is room for them, they are in memory.
# shellcheck disable=SC2154 # who sources this has them
PATH=$PATH:/usr/sbin:/sbin
command -v clickhouse-server >/dev/null || skip "ClickHouse is not here"
"$iolite" rank --store clickhouse://127.0.0.1:1/x 2>"$work/err"
! grep -q 'is not on this machine' "$work/err" || skip "libcurl is not here"
pids=()
cluster=$work/cluster
free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
if [ -w /dev/shm ] && [ "${free:-0}" -gt 2000000 ]; then cluster=$(mktemp -d /dev/shm/iolite-test-XXXXXX); fi
server_remove() {
    kill -9 "${pids[@]}"
    wait "${pids[@]}"
    umount "$cluster/shard1/data/data/small"
    rm -rf "$cluster"
} 2>/dev/null
trap 'server_remove; rm -rf "$work"' EXIT
cat >"$work/users.xml" <<'END'
<yandex><profiles><default></default></profiles><quotas><default></default></quotas><users><default><password></password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>
END
# Ports that are free now: another program may take one before the servers do.
configure() {
    local i ports=() next=$((20000 + RANDOM % 12000))
    while [ "${#ports[@]}" -lt 4 ]; do
        next=$((next + 1))
        (exec 3<>"/dev/tcp/127.0.0.1/$next") 2>/dev/null || ports+=("$next")
    done
    http=("${ports[0]}" "${ports[1]}") tcp=("${ports[2]}" "${ports[3]}")
    for i in 0 1; do
        mkdir -p "$cluster/shard$i/data" "$cluster/shard$i/tmp"
        cat >"$cluster/shard$i/config.xml" <<END
<yandex><logger><level>warning</level><log>$cluster/shard$i/log</log><errorlog>$cluster/shard$i/errors</errorlog></logger>
<http_port>${http[i]}</http_port><tcp_port>${tcp[i]}</tcp_port><listen_host>127.0.0.1</listen_host>
<path>$cluster/shard$i/data/</path><tmp_path>$cluster/shard$i/tmp/</tmp_path><users_config>$work/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database><mark_cache_size>5368709120</mark_cache_size>
<remote_servers><centre>
<shard><replica><host>127.0.0.1</host><port>${tcp[0]}</port></replica></shard>
<shard><replica><host>127.0.0.1</host><port>${tcp[1]}</port></replica></shard>
</centre></remote_servers></yandex>
END
    done
}

request() { # shard, database, statement
    local answer
    exec 3<>"/dev/tcp/127.0.0.1/${http[$1]}" || return 1
    printf 'POST /?insert_distributed_sync=1&database=%s HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s' "$2" "${#3}" "$3" >&3
    answer=$(cat <&3)
    exec 3>&-
    [[ $answer == *" 200 "* ]] || { echo "$answer" >&2; return 1; }
    printf '%s\n' "$answer" | sed '1,/^\r*$/d'
}
shard_start() { # shard
    clickhouse-server "--config-file=$cluster/shard$1/config.xml" >"$cluster/shard$1/out" 2>&1 &
    pids[$1]=$!
    local i
    for ((i = 0; i < 300; i++)); do
        request "$1" default 'SELECT 1' >/dev/null 2>&1 && return 0
        kill -0 "${pids[$1]}" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}
shard_stop() {
    kill -9 "${pids[$1]}" 2>/dev/null
    wait "${pids[$1]}" 2>/dev/null
} 2>/dev/null
server_start() { shard_start 0 && shard_start 1; }
server_stop() { shard_stop 0; shard_stop 1; }
fresh() {
    request 0 default "CREATE DATABASE $1" >&2
    request 1 default "CREATE DATABASE $1" >&2
    printf 'clickhouse://127.0.0.1:%s,127.0.0.1:%s/%s?cluster=centre' "${http[0]}" "${http[1]}" "$1"
}
make_version_3() {
    local i table name=${1##*/}
    for i in 0 1; do
        for table in job sched; do
            request "$i" "${name%%\?*}" "DROP TABLE ${table}_here"
            request "$i" "${name%%\?*}" "ALTER TABLE ${table}_kept DROP COLUMN missed"
            request "$i" "${name%%\?*}" "CREATE VIEW ${table}_here AS SELECT cluster, jobid FROM ${table}_kept FINAL"
            request "$i" "${name%%\?*}" "ALTER TABLE ${table}_all DROP COLUMN missed"
            request "$i" "${name%%\?*}" "ALTER TABLE $table DROP COLUMN missed"
        done
    done
    set_version "$1" 3
}
set_version() {
    local name=${1##*/}
    request 0 "${name%%\?*}" "INSERT INTO meta_all VALUES ('schema', '$2', $((2 * $(date +%s%6N))), 0)"
}
small_store() { # the second server keeps this database on a disk of its own
    local store small=$cluster/shard1/data/data/small
    store=$(fresh small)
    mount -t tmpfs -o size=6m none "$small" 2>/dev/null || return
    chown --reference="$cluster/shard1/data" "$small"
    printf '%s' "$store"
}
enlarge() { mount -o remount,size=1g "$cluster/shard1/data/data/small"; }
for ((tries = 0; tries < 3; tries++)); do
    configure
    ! server_start || break
    server_stop
done
[ "$tries" -lt 3 ] || skip "ClickHouse does not start: $(tail -n 3 "$cluster"/shard?/out 2>/dev/null)"
