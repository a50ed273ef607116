# What the tests of stores on servers share: a small centre, every question of every command, and what bad luck may not
# change. To be sourced after checks.bash and centre.bash. The server's script says how it is started, stopped and asked:
# server_start, server_stop (by force: kill -9), fresh NAME (prints the URL of a new, empty store), set_version URL NUMBER,
# make_version_3 URL (takes away what later versions added).
# shellcheck disable=SC2154 # who sources this has them
make=$tools/make-centre
[ -x "$make" ] || skip "no make-centre"
command -v sqlite3 >/dev/null || skip "no sqlite3 to look into the index with"
export no_proxy='*' NO_PROXY='*'

logs=${IOLITE_STORE_LOGS:-200}
"$make" --logs "$logs" --large 2 --broken 20 "$work/centre" || fail "make-centre"
site=$work/centre/site.json
all=(--site "$site" --accounting "$work/centre/sacct.txt" --accounting "$work/centre/entries.txt")
index() { timeout 600 "$iolite" index -q --store "$1" "${all[@]}"; } # some logs are broken, so the status is 3
index "$work/calm.db"
[ $? = 3 ] || fail "the status of the first index"
normal "$work/calm.db" >"$work/calm"

# Every question of every command: each ranking by each measure, each column to sort by, each filter, each form of output.
# Times that reading took differ from run to run.
(umask 077 && echo key >"$work/key")
words() { sed -n "s/.*there are: //p; s/^  \([a-z_]*\)  .*/\1/p"; } # that a command says it knows
measures=$("$iolite" rank --store "$work/calm.db" --by "?" 2>&1 | words)
columns=$("$iolite" jobs --store "$work/calm.db" --sort "?" 2>&1 | words)
[ "$(wc -w <<<"$measures $columns")" -gt 45 ] || fail "what there is to ask for is not reported: $measures $columns"
rankings() { # store
    local per by every="user fs program account job triple" some=account
    "$iolite" rank --store "$1"
    for by in bytes logs meta_time; do
        for per in $every; do "$iolite" rank --store "$1" --per "$per" --by "$by"; done
    done
    [ "$logs" -lt 1000 ] || some=$every # in campaigns
    for by in $measures; do
        for per in $some; do "$iolite" rank --store "$1" --per "$per" --by "$by" --json; done
    done
    "$iolite" rank --store "$1" --per user --by cost -n 1000
    "$iolite" rank --store "$1" --per job --by meta_ratio -n 1000 --json # not known of all of them
    "$iolite" rank --store "$1" --since 2026-03 --json
    "$iolite" rank --store "$1" --until 2026-02 --per triple -n 50
    "$iolite" rank --store "$1" --limit-fs 'SCR%' --json
    "$iolite" rank --store "$1" --exclude-fs 'scr%' --per user
    "$iolite" rank --store "$1" --limit-user '%0_' --limit-user '%\_%' --json
    "$iolite" rank --store "$1" --exclude-user '%1%' --per program --by logs
    "$iolite" rank --store "$1" --limit-exe '%A%' --exclude-exe '%x' --per job --since 2026-02-03
    "$iolite" rank --store "$1" --limit-user "o'brien\\" --limit-exe '"%"' --json
}
lists() { # store
    local sort metric form
    [ "$logs" -lt 1000 ] || for sort in $columns; do "$iolite" jobs --store "$1" --sort "$sort" -n 60 --json; done
    for sort in user lost cause; do "$iolite" jobs --store "$1" --sort "$sort" -n 60; done
    "$iolite" jobs --store "$1" --columns "${columns// /,}" -n 100000 --csv
    "$iolite" jobs --store "$1" --finding 'posix.%' -n 100 --csv
    "$iolite" jobs --store "$1" --no-log -n 100 --csv
    "$iolite" jobs --store "$1" --user '%A%' --program '%_o%' --since 2026-02 --until 2026-04
    "$iolite" jobs --store "$1" --account '%1%' --sort cost
    for metric in 1 2 3; do "$iolite" jobs --store "$1" --selected "$metric" -n 100 --csv; done
    for form in --json "" --days "--mode compat" "--mode native --since 2026-02" "--mode both --until 2026-03 --json"; do
        # shellcheck disable=SC2086
        "$iolite" fleet --store "$1" $form | grep -v -e '"least"' -e '"mean"' -e '"third_quartile"' -e '"most"' -e '^time per log'
    done
    "$iolite" find --store "$1" --broken
    "$iolite" find --store "$1" --broken --json
    "$iolite" find --store "$1" --user '%a%' --since 2026-01
    "$iolite" find --store "$1" --program '%s%' --until 2026-02
    "$iolite" find --store "$1" --user '%\%' --json
}
# Three jobs and their logs, with what came before them
closer() { # store, the column that says which
    local job log
    for job in $("$iolite" jobs --store "$1" --sort "$2" -n 3 --csv --columns job | tail -n +2); do
        "$iolite" jobs --store "$1" "$job"
        "$iolite" jobs --store "$1" "$job" --json
        "$iolite" find --store "$1" --job "$job"
        log=$("$iolite" find --store "$1" --job "$job" | head -n 1)
        "$iolite" context --store "$1" --site "$site" "$log"
        "$iolite" show --store "$1" "$log"
        "$iolite" diagnose --store "$1" --site "$site" "$log"
        "$iolite" report --json --store "$1" --site "$site" -o - "$log" | sed -e '/"made"/d' -e 's/"elapsed_s":[^,}]*//'
    done
}
dataset() { # store
    rm -rf "$work/set"
    "$iolite" fleet --store "$1" --key-file "$work/key" --export "$work/set"
    (cd "$work/set" && grep -v -n ^log- logs.csv modules.csv file_systems.csv files.csv findings.csv)
    # Numbers of logs and mounts are the store's own; so are their pseudonyms.
    sed -E 's/(log|fs)-[0-9a-f]{16}/\1/g' "$work/set"/*.csv | sort
}
answers() { # store
    rankings "$1"
    lists "$1"
    closer "$1" read
    [ "$logs" -lt 1000 ] || closer "$1" cost
    "$iolite" calibrate --store "$1"
    "$iolite" alert --store "$1" --site "$site" --dry-run --since 2026 --until 2026
    "$iolite" alert --store "$1" --site "$site" --dry-run --since 2026-02 --until 2026-03 --json
    dataset "$1"
}
answers "$work/calm.db" >"$work/answers" 2>&1
[ "$(wc -l <"$work/answers")" -gt 1000 ] || fail "there are hardly any answers"
! grep '^iolite [a-z]*: ' "$work/answers" || fail "questions that cannot be asked"

same_answers() { # store, what
    answers "$1" >"$work/got" 2>&1
    cmp -s "$work/answers" "$work/got" || fail "$2: other answers than SQLite's: $(diff "$work/answers" "$work/got" | head -n 4 | cut -c -300)"
}

# Row by row: what is in the store, looked at through a copy of it.
same_rows() { # store, what
    rm -f "$work/copy.db"*
    status 0 timeout 600 "$iolite" index -q --copy "$1" "$work/copy.db"
    cmp -s "$work/calm" <(normal "$work/copy.db") || fail "$2: other rows than SQLite's: $(diff "$work/calm" <(normal "$work/copy.db") | head -n 4 | cut -c -300)"
}

says() { grep -q -e "$1" "$work/err" || fail "$2: $(head -n 3 "$work/err")"; }

# The same rows and the same answers, however they came in: by two at once, again, by a copy.
check_answers() {
    local store copy
    store=$(fresh first)
    index "$store" 2>/dev/null &
    index "$store" 2>"$work/err"
    [ $? = 3 ] || fail "two at once: $(head -n 3 "$work/err")"
    wait $!
    same_answers "$store" "two at once"
    same_rows "$store" "two at once"
    status 3 "$iolite" index -q --again --store "$store" "${all[@]}"
    same_rows "$store" "read again"
    status 0 "$iolite" index --json --store "$store" --site "$site" "$demo"
    has '"added": 1'
    status 0 "$iolite" index --json --store "$store" --site "$site" "$demo"
    has '"unchanged": 1'
    copy=$(fresh copy)
    status 0 "$iolite" index -q --copy "$work/calm.db" "$copy"
    same_rows "$copy" "copied"
    status 3 "$iolite" index -q --copy "$work/calm.db" "$copy"
    says 'has logs already' "a copy onto something"
}

incompressible() { head -c $((2 * $1)) /dev/urandom | base64 -w 0 | tr -d '/+=' | head -c "$1"; } # so many bytes
# What users of a batch system can call their jobs
odd_accounting() {
    local times='2026-03-01T00:00:00|2026-03-01T00:00:10|2026-03-01T01:00:00|2|8' long
    long=$(incompressible 3000)
    echo 'JobIDRaw|User|Account|Partition|JobName|State|Submit|Start|End|NNodes|AllocCPUS|NodeList'
    printf '%s\n' "501|o'brien|a'b\"|p\\q|n\\a	b|COMPLETED|$times|n1" '502|%|_|%%|\N|CANCELLED by 7|'"$times|n1" "503|||||FAILED|$times|" \
        $'504|\xff\xfe|\xc3\x28|\xed\xa0\x80|\xf8\x88|TIMEOUT|'"$times"$'|\xff' "505|$long|$long|$long|$long|FAILED|$times|$long"
}
# Every form of log, of all years, with names of all kinds: the same rows, also after a copy to a store of the same kind and back
check_odd_names() {
    local name log number=0 store copy odd=$work/odd
    mkdir "$odd"
    cp "$seeds"/*.darshan "$odd"
    for name in $'b\xff\xfe\x80' "q'uo\"te\\back" 'per%cent_%under\_' $'tab\there\nline' "$(printf 'l%.0s' {1..200})" '$(x)`y`' \
        $'\xf0\x9f\x98\x80' "'; DROP TABLE log; --" '\N' NULL ' ' '?'; do
        number=$((number + 1))
        log=$(printf '%s\n' "$seeds"/*.darshan | sed -n "$((3 * number))p")
        cp "$log" "$odd/${name}_program${number}_id${number}-${number}_1-1-${number}-${number}_1.darshan"
    done
    # Thousands of files below a mount point that is no text
    "$make" --logs 1 --large 1000 --broken 0 "$work/large" || fail "make-centre"
    log=$(find "$work/large/logs" -name '*.darshan')
    status 0 "$iolite" convert --none "$log" "$work/plain.darshan"
    LC_ALL=C sed -e 's#/flash#/fl\xffsh#g' -e 's#/scratch#/scr\xfftch#g' "$work/plain.darshan" >"$odd/mount.darshan"
    # A path and names that no key of PostgreSQL can hold
    name=$odd
    for number in {1..12}; do name+=/$(incompressible 240); done
    mkdir -p "$name"
    cp "$demo" "$name"
    odd_accounting >"$work/odd_accounting"
    for store in "$work/odd.db" "$(fresh odd)"; do
        "$iolite" index --files all --store "$store" --site "$site" --accounting "$work/odd_accounting" "$odd" 2>"$work/err"
        [ $? = 3 ] || fail "odd names: $(head -n 3 "$work/err" | cut -c -300)"
        says 'longer than an index can hold' "a long path"
    done
    copy=$(fresh odd_copy)
    status 0 "$iolite" index -q --copy "$store" "$copy"
    status 0 "$iolite" index -q --copy "$copy" "$work/odd_copy.db"
    normal "$work/odd.db" >"$work/odd_rows"
    [ "$(wc -l <"$work/odd_rows")" -gt 200 ] || fail "there are hardly any odd rows"
    cmp -s "$work/odd_rows" <(normal "$work/odd_copy.db") || fail "odd names: $(diff "$work/odd_rows" <(normal "$work/odd_copy.db") | head -n 4 | cut -c -300)"
    for name in $'\xff%' $'%\xef\xbf\xbd%' "%'%" '%\\%' '%\%%' '%"%' '?' '%b\\xff%' '%te\ba%' '%\' "'; DROP TABLE log; --"; do
        "$iolite" jobs --store "$work/odd.db" --user "$name" -n 1000 --csv >"$work/a" 2>&1
        "$iolite" jobs --store "$store" --user "$name" -n 1000 --csv >"$work/b" 2>&1
        cmp -s "$work/a" "$work/b" || fail "jobs of $name: $(diff "$work/a" "$work/b" | head -n 3)"
    done
}

# Logs of runs that come in several passes
check_runs() {
    local store day
    "$tools/make-workflow" "$work/flow" || fail "make-workflow"
    "$iolite" index -q --store "$work/flow.db" "$work/flow" || fail "index of runs"
    store=$(fresh runs)
    for day in 3 1 2; do status 0 "$iolite" index -q --store "$store" "$work/flow/$day"; done
    status 0 "$iolite" index -q --again --store "$store" "$work/flow"
    status 0 "$iolite" index -q --store "$store" "$work/flow"
    status 0 "$iolite" index -q --copy "$store" "$work/flow_copy.db"
    cmp -s <(flow_rows "$work/flow.db") <(flow_rows "$work/flow_copy.db") || fail "runs in several passes: $(diff <(flow_rows "$work/flow.db") <(flow_rows "$work/flow_copy.db") | head -n 4)"
}
flow_rows() {
    sqlite3 "$1" 'SELECT identity, jobid, run_evidence FROM log ORDER BY identity; SELECT * FROM job ORDER BY jobid, owner, start;
        SELECT * FROM day_use ORDER BY day, owner, exename; SELECT * FROM day_steps ORDER BY day, logs; SELECT SUM(waits) FROM run_log'
}

# Lines of code: of Python, which have no build id, and of a program that has one, in one log and in several.
check_lines() {
    local store copy by number python
    [ "$(uname -m)" = x86_64 ] || return 0
    python=$(python3 -c 'import sys; print(sys.executable)') || return 0 # what is called python3 may be a script
    mkdir "$work/lines"
    printf 'with open("%s/row", "wb", buffering=0) as f:\n    for i in range(200):\n        f.write(b"row")\n' "$work" >"$work/rows.py"
    for number in 1 2 3; do
        "$iolite" run -q --where --output "$work/lines/python$number.darshan" -- "$python" "$work/rows.py" || fail "rows.py"
        "$iolite" run -q --where --output "$work/lines/dd$number.darshan" -- \
            dd if=/dev/zero of="$work/row" bs=1 count=$((100 * number)) status=none || fail "dd"
    done
    store=$(fresh lines)
    for copy in "$work/lines.db" "$store"; do
        status 0 "$iolite" index -q --store "$copy" --site "$site" "$work/lines"
    done
    status 0 "$iolite" rank --store "$work/lines.db" --per line --by calls --json
    has '"line":"rows.py:3 <module>"'
    copy=$(fresh lines_copy)
    status 0 "$iolite" index -q --copy "$store" "$copy"
    for by in node_time time calls bytes read written ops opens logs; do
        "$iolite" rank --store "$work/lines.db" --per line --by "$by" --json >"$work/a"
        for number in "$store" "$copy"; do
            "$iolite" rank --store "$number" --per line --by "$by" --json >"$work/b"
            cmp -s "$work/a" "$work/b" || fail "lines by $by: $(diff "$work/a" "$work/b" | head -n 4)"
        done
    done
    for by in "rank --per line" fleet; do
        for number in "$work/lines.db" "$store"; do
            # shellcheck disable=SC2086
            "$iolite" $by --store "$number" --since 2026-01 --until 2099-01 2>&1 | grep -v '^time per log' >"$work/${number##*/}.lines"
        done
        cmp -s "$work/lines.db.lines" "$work/${store##*/}.lines" ||
            fail "$by of a time: $(diff "$work/lines.db.lines" "$work/${store##*/}.lines" | head -n 4)"
    done
}

# Another version of the tables
check_versions() {
    local store
    store=$(fresh version)
    status 4 "$iolite" rank --store "$store"
    says 'there is no index yet' "an empty store"
    status 0 "$iolite" index -q --store "$store" "$demo"
    set_version "$store" 99
    status 3 "$iolite" rank --store "$store"
    says 'made by a newer Iolite' "a newer store"
    status 3 "$iolite" index -q --store "$store" "$demo"
    says 'made by a newer Iolite' "a newer store"
    set_version "$store" 1
    status 3 "$iolite" rank --store "$store"
    says 'made by an older Iolite' "an older store"
    status 0 "$iolite" index -q --store "$store" "$demo"
    status 0 "$iolite" rank --store "$store"
    # A column that version 3 did not have
    "$iolite" jobs --store "$store" --json >"$work/today" 2>&1
    make_version_3 "$store"
    status 3 "$iolite" rank --store "$store"
    echo '77 start=1762430300 end=1762430400 entry=preloaded status=FAILED missed=go:tool' >"$work/note"
    status 0 "$iolite" index -q --store "$store" --accounting "$work/note"
    status 0 "$iolite" jobs --store "$store" --json --user '%'
    cmp -s "$work/out" "$work/today" && fail "a job that was noted is missing"
    status 0 "$iolite" jobs --store "$store" --csv --columns missed 77
    has 'Go, enters the kernel without libc: tool'
}

# Killed at any moment
kill_indexers() { # store, how often
    local i
    RANDOM=7
    for ((i = 0; i < $2; i++)); do
        timeout -s KILL "$(printf '%d.%02d' $((RANDOM % ${IOLITE_STORE_SECONDS:-1})) $((RANDOM % 100)))" "$iolite" index -q --store "$1" "${all[@]}" 2>/dev/null
        "$iolite" rank --store "$1" >/dev/null 2>&1
    done 2>/dev/null
}
kill_servers() { # store, how often
    local i
    for ((i = 0; i < $2; i++)); do
        index "$1" 2>/dev/null &
        sleep "0.$(printf '%02d' $((RANDOM % 100)))"
        server_stop
        wait $!
        status 4 timeout 100 "$iolite" rank --store "$1"
        says 'cannot be reached' "a stopped server"
        server_start || fail "the server does not start again"
    done
}
# Then to the end. A writer that was killed late may have left nothing to do: broken logs that are known do not count again.
to_the_end() { # store, what
    index "$1" 2>"$work/err"
    case $? in 0 | 3) ;; *) fail "$2: $(head -n 3 "$work/err")" ;; esac
    same_rows "$1" "$2"
}

# A disk of the server that is full: what was written before is kept, nothing else is there, and it goes on with more room.
# Needs root, for a small disk: small_store prints the URL of a store on one (nothing: there is none), enlarge gives it room.
full_disk() {
    local store
    store=$(small_store)
    [ -n "$store" ] || return 0
    status 4 timeout 100 "$iolite" index -q --store "$store" "${all[@]}"
    says "the server's disk is full" "a full disk"
    enlarge
    to_the_end "$store" "a full disk"
}

# check_all: what every store has to pass, before the script does its own.
check_all() {
    check_answers
    check_odd_names
    check_runs
    check_lines
    check_versions
    full_disk
}
