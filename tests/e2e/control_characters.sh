#!/usr/bin/env bash
# Names in a log are whatever a program passed to open(): none of their control characters reaches a terminal, and CSV has
# one record a line. The darshan-* text is byte by byte that of the log where it does not go to a terminal.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
export NO_COLOR=1 LC_ALL=C.UTF-8

# harmless WHAT: no control character but newlines and tabs in $work/out, neither of one byte nor of two.
harmless() {
    ! LC_ALL=C grep -aq $'[\x01-\x08\x0b-\x1f\x7f]' "$work/out" || fail "control characters: $*"
    ! LC_ALL=C grep -aq $'\xc2[\x80-\x9f]' "$work/out" || fail "control characters of two bytes: $*"
    ! LC_ALL=C grep -aq $'\xe2\x80\xae' "$work/out" || fail "changes of direction: $*"
}

for log in "$seeds"/hostile-{names,trace}.darshan; do
    for command in dump trace metrics diagnose; do
        status 0 "$iolite" $command --csv "$log"
        harmless "$command --csv $log"
    done
    status 0 "$iolite" dump --csv "$log"
    ! grep -vqE '^(module|POSIX|DXT_POSIX),' "$work/out" ||
        fail "dump --csv: a record of more than one line"
    for tool in darshan-parser darshan-dxt-parser; do
        "$IOLITE_BIN/$tool" "$log" >"$work/out" 2>/dev/null
        LC_ALL=C grep -aq $'\x1b]0;' "$work/out" || fail "$tool: other bytes than those of the log in a pipe"
    done
done
status 0 "$iolite" dump --csv "$seeds/hostile-trace.darshan"
has '\x1b]0;title\x07\x0a\u{9b}31m'

# Names of the logs themselves, and of directories among them, which others may have made: in what is said of them, too.
hostile=$work/$'tree/a\e]0;title\a\xc2\x9b31m\nforged: sound'
mkdir -p "$hostile"
cp "$demo" "$hostile/plain.darshan"
head -c 300 "$demo" >"$hostile/cut.darshan"
mkdir "$hostile/none"
for line in "diagnose $work/tree" "trace --csv" "trace" "show" "dump" "check" "merge -o $work/merged.darshan" \
    convert report diagnose; do
    for log in plain cut none; do
        rm -f "$work/merged.darshan"
        # shellcheck disable=SC2086
        case $line in
        convert) "$iolite" convert --force "$hostile/$log.darshan" "$work/converted.darshan" ;;
        report) "$iolite" report "$hostile/plain.darshan" -o "$hostile/$log.html" ;;
        *tree) "$iolite" $line ;;
        *) "$iolite" $line "$hostile/$log$([ $log = none ] || echo .darshan)" ;;
        esac >/dev/null 2>"$work/out" </dev/null
        harmless "what '$line' says of $log"
        ! grep -q '^forged' "$work/out" || fail "a name of two lines: $line, $log"
    done
done
[ -e "$hostile/plain.html" ] || fail "no report"

# Whatever a command is given and cannot use.
for command in show diagnose report compare explain metrics dump trace check convert merge find job umami correlate \
    bad-ost ost traffic ssd "index add --store $work/store.sqlite" "rank --by" "jobs --columns" "archive list" "archive verify" \
    "collect lmt" "collect slurm" "collect ldms" "site-check --site" "diagnose --rules" "alert --rules" "calibrate" \
    "context --store" "convert --key-file" "help" "doctor" "link-flags"; do
    for name in "$hostile/cut.darshan" "$hostile/nothing"; do
        # shellcheck disable=SC2086
        timeout 60 "$iolite" $command "$name" >/dev/null 2>"$work/out" </dev/null
        harmless "what '$command' says of $name"
        ! grep -q '^forged' "$work/out" || fail "a name of two lines: $command"
    done
done

# On a terminal.
command -v script >/dev/null || {
    [ "$failures" = 0 ] || finish
    echo "no script(1) to make a terminal with" >&2
    exit 77
}
for log in "$seeds"/hostile-{names,trace}.darshan; do
    for line in "$IOLITE_BIN/darshan-parser --all" "$IOLITE_BIN/darshan-dxt-parser --show-incomplete" \
        "$IOLITE_BIN/darshan-diff $demo" "$iolite dump" "$iolite dump --csv" "$iolite trace" "$iolite trace --csv" \
        "$iolite show" "$iolite check" "$iolite metrics" "$iolite diagnose --details --snippets"; do
        timeout 60 script -qec "stty -onlcr; exec $line $log" /dev/null </dev/null 2>/dev/null |
            sed 's/\x1b\[K//g; s/\r$//' >"$work/out"
        [ -s "$work/out" ] || fail "nothing on a terminal: $line"
        harmless "$line $log on a terminal"
    done
done
timeout 60 script -qec "$IOLITE_BIN/darshan-parser $seeds/hostile-trace.darshan" /dev/null </dev/null >"$work/out"
has '\x1b]0;title\x07\x0a\u{9b}31m'
! LC_ALL=C tr -d '\r' <"$work/out" | grep -avqE $'^(#.*|total_.*|[A-Z0-9_-]+(\t[^\t]*){7}|)$' ||
    fail "a record of more than one line, or of other columns"
timeout 60 script -qec "$IOLITE_BIN/darshan-dxt-parser $seeds/hostile-trace.darshan" /dev/null </dev/null >"$work/out"
has '\x1b]0;title\x07\x0a\u{9b}31m'
finish
