# What the scripts with programs of others share: a program runs plain, plain again, and recorded, and all that it prints
# and leaves is the same. What differs between the two plain runs is left out, and named. To be sourced.
: "${IOLITE_BIN:=build/bin}" "${IOLITE_SEEDS:=build/seeds}" "${IOLITE_TOOLS:=build/tests}"
IOLITE_BIN=$(realpath "$IOLITE_BIN")
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/programs.bash"
patience=120 # seconds for one program
compared=0

# recorded COMMAND...: what makes a record of it, with a log in $logs.
recorded() { timeout -k 5 "$patience" "$iolite" run -q --log-dir "$logs" -- "$@"; }
plain() { timeout -k 5 "$patience" "$@"; }

# one_run NAME HOW COMMAND...: its output, status and files go to $work/NAME.*
one_run() {
    local name=$1
    shift
    fresh
    (cd "$here" && "$@") >"$work/$name.out" 2>"$work/$name.err" </dev/null
    echo $? >"$work/$name.status"
    (contents "$here") >"$work/$name.files"
}

# agree PART: of the three runs.
agree() {
    local part=$1
    if cmp -s "$work/first.$part" "$work/second.$part"; then
        same "$part" "$work/first.$part" "$work/seen.$part"
        return
    fi
    comm -12 <(sort "$work/first.$part") <(sort "$work/second.$part") >"$work/lasting"
    echo "$label: left out of $part, two plain runs differ: $(comm -3 <(sort "$work/first.$part") \
        <(sort "$work/second.$part") | head -n 3 | cut -c 1-100 | tr '\n' ';')"
    comm -23 "$work/lasting" <(sort "$work/seen.$part") >"$work/lost"
    [ ! -s "$work/lost" ] || fail "$label: $part differs: $(head -n 3 "$work/lost")"
}

# three LABEL COMMAND...: in an empty directory that `given` fills.
three() {
    label=$1
    shift
    one_run first plain "$@"
    one_run second plain "$@"
    rm -rf "$logs"
    one_run seen recorded "$@"
    local part
    for part in status out err files; do agree $part; done
    sound_logs
    compared=$((compared + 1))
}

# What logs there are can be read. Static programs leave none.
sound_logs() {
    local found=("$logs"/*.darshan)
    [ -e "${found[0]}" ] || return 0
    "$iolite" check "${found[@]}" >"$work/checked" 2>&1
    [ $? -le 1 ] || fail "$label: check: $(head -n 3 "$work/checked")"
}

# serve HOW COMMAND...: a server in the background. `ended STATUS` waits for its end.
serve() {
    "$@" >"$work/server.out" 2>&1 </dev/null &
    server=$!
}
ended() {
    local got=0
    wait "$server" || got=$?
    [ "$got" = "$1" ] || fail "$label: the server ends with $got instead of $1: $(tail -n 3 "$work/server.out")"
}

# give_up WHY: without the server there is nothing to compare.
give_up() {
    fail "$@"
    kill "$server" 2>/dev/null
    wait "$server"
    finish
}

# the_same: what `plain` and `recorded` left in $work/plain.output and $work/recorded.output.
the_same() {
    cmp -s "$work/plain.output" "$work/recorded.output" ||
        fail "$label: $(diff "$work/plain.output" "$work/recorded.output" | head -n 5)"
    [ -s "$work/plain.output" ] || fail "$label: nothing was compared"
    sound_logs
    compared=$((compared + 1))
}

done_with() {
    echo "$compared compared"
    finish
}
