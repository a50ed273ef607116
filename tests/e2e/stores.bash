# What the tests of stores on servers share: a small centre, every question of every command, and what bad luck may not
# change. To be sourced after checks.bash and centre.bash. The server's script says how it is started, stopped and asked:
# server_start, server_stop (by force: kill -9), fresh NAME (prints the URL of a new, empty store), set_version URL NUMBER.
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

# Every question. Times that reading took differ from run to run.
answers() { # store
    local store=$1 per by sort metric job log
    for per in user account program fs job triple; do
        for by in bytes logs meta_time; do "$iolite" rank --store "$store" --per "$per" --by "$by" --json; done
    done
    for by in read written time ops opens cost lost findings redundant small_writes selected tier; do
        "$iolite" rank --store "$store" --per account --by "$by" --json
        "$iolite" rank --store "$store" --per user --by "$by" --csv
    done
    "$iolite" rank --store "$store" --since 2026-03 --json
    "$iolite" rank --store "$store" --limit-fs 'SCR%' --json
    "$iolite" rank --store "$store" --limit-user '%0_' --limit-user '%\_%' --json
    for sort in bytes start user program account nodes lost ended cause; do
        "$iolite" jobs --store "$store" --sort "$sort" -n 60 --json
    done
    "$iolite" jobs --store "$store" --finding 'posix.%' -n 100 --csv
    "$iolite" jobs --store "$store" --no-log -n 100 --csv
    for metric in 1 2 3; do "$iolite" jobs --store "$store" --selected "$metric" -n 100 --csv; done
    "$iolite" fleet --store "$store" --json | grep -v -e '"least"' -e '"mean"' -e '"third_quartile"' -e '"most"'
    "$iolite" fleet --store "$store" --since 2026-02 | grep -v '^time per log'
    "$iolite" fleet --store "$store" --mode compat | grep -v '^time per log'
    "$iolite" find --store "$store" --broken
    "$iolite" find --store "$store" --user '%a%' --since 2026-01
    "$iolite" find --store "$store" --program '%s%'
    job=$("$iolite" jobs --store "$store" --sort bytes -n 1 --csv --columns job | tail -n 1)
    "$iolite" jobs --store "$store" "$job"
    "$iolite" find --store "$store" --job "$job"
    log=$("$iolite" find --store "$store" --job "$job" | head -n 1)
    "$iolite" context --store "$store" --site "$site" "$log"
    "$iolite" show --store "$store" "$log"
    "$iolite" diagnose --store "$store" "$log"
    "$iolite" calibrate --store "$store"
}
answers "$work/calm.db" >"$work/answers" 2>&1
[ "$(wc -l <"$work/answers")" -gt 1000 ] || fail "there are hardly any answers"

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

told() { grep -q -e "$1" "$work/err" || fail "$2: $(head -n 3 "$work/err")"; }

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
    told 'has logs already' "a copy onto something"
}

# Another version of the tables
check_versions() {
    local store
    store=$(fresh version)
    status 4 "$iolite" rank --store "$store"
    told 'there is no index yet' "an empty store"
    status 0 "$iolite" index -q --store "$store" "$demo"
    set_version "$store" 99
    status 3 "$iolite" rank --store "$store"
    told 'made by a newer Iolite' "a newer store"
    status 3 "$iolite" index -q --store "$store" "$demo"
    told 'made by a newer Iolite' "a newer store"
    set_version "$store" 1
    status 3 "$iolite" rank --store "$store"
    told 'made by an older Iolite' "an older store"
    status 0 "$iolite" index -q --store "$store" "$demo"
    status 0 "$iolite" rank --store "$store"
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
        told 'cannot be reached' "a stopped server"
        server_start || fail "the server does not start again"
    done
}
# Then to the end. Who was killed late may have left nothing to do: broken logs that are known do not count again.
to_the_end() { # store, what
    index "$1" 2>"$work/err"
    case $? in 0 | 3) ;; *) fail "$2: $(head -n 3 "$work/err")" ;; esac
    same_rows "$1" "$2"
}
