# What the tests of `iolite serve` share, on the made-up centre in $work/centre: a server on $store, tokens, and a log to ask
# about. To be sourced after checks.bash.
# shellcheck shell=bash disable=SC2034,SC2154 # who sources it has these
portal=

# start_portal OPTIONS...: sets portal (the process), address and token.
start_portal() {
    : >"$work/url"
    "$iolite" serve --store "$store" --site "$work/centre/site.json" --state "$work/state" "$@" \
        >"$work/url" 2>>"$work/serve.err" &
    portal=$!
    until_true test -s "$work/url"
    address=$(sed 's|/?token=.*||' "$work/url") token=$(sed 's|.*token=||' "$work/url")
}
stop_portal() {
    kill "$portal"
    wait "$portal" || fail "the server ended with $?: $(tail -n 3 "$work/serve.err")"
    portal=
}
token_of() { "$iolite" serve --state "$work/state" --make-token "$1" 2>/dev/null; }

# people: the three users with the most jobs and their tokens go into $users, a log of the centre into $log.
people() {
    local user
    users=()
    for user in $(sed -n 's/^[^|]*|[^|]*|\([^|]*\)|.*/\1/p' "$work/centre/sacct.txt" | tail -n +2 | sort | uniq -c | sort -rn |
        awk 'NR <= 3 {print $2}'); do
        users+=("$user=$(token_of "user:$user")")
    done
    log=$(find "$work/centre/logs" -name '*.darshan' -size -200k | sort | sed -n 5p)
}
