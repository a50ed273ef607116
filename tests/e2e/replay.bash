# The made-up Prometheus and Elasticsearch of tests/site/replay.py. To be sourced after checks.bash.
# shellcheck disable=SC2154 # python: who sources this has it
servers=()

# replay_at PORT-FILE [PAGES]: starts one more; what it says goes into $work/server.
replay_at() {
    "$python" -B tests/site/replay.py "$@" 2>>"$work/server" &
    servers+=($!)
    trap 'kill "${servers[@]}" 2>/dev/null; rm -rf "$work"' EXIT
    until_true test -e "$1" || skip "no server could be started"
}

# replay [PAGES]: the one whose address is $base.
replay() {
    replay_at "$work/port" "$@"
    base=http://127.0.0.1:$(cat "$work/port")
    export no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
}
