#!/usr/bin/env bash
# Measures every row of bench/rows/table, or those that are named, and judges each by its goal.
# Usage: bench/rows/rows.sh [--table FILE] BIN-DIRECTORY TOOL-DIRECTORY [ROW...]. Status 1 if a goal is missed.
folder=$(cd "$(dirname "$0")" && pwd -P)
table=$folder/table
if [ "${1-}" = --table ]; then
    table=$2
    shift 2
fi
# shellcheck source=bench/bench.bash
. "$folder/../bench.bash"
shift 2

# The commands of the table are functions of these files, or programs.
for part in "$folder"/*.bash; do
    # shellcheck source=/dev/null
    . "$part"
done

trim() { # VARIABLE...: without blanks at both ends
    local name text
    for name in "$@"; do
        text=${!name}
        text=${text#"${text%%[![:blank:]]*}"}
        printf -v "$name" %s "${text%"${text##*[![:blank:]]}"}"
    done
}

# Row 8 stands for 8 itself and for 8.files, 8.trace and so on.
is_wanted() { # ROW WANTED...
    local row=$1 wanted
    shift
    [ $# -gt 0 ] || return 0
    for wanted in "$@"; do
        case $row in "$wanted" | "$wanted".*) return 0 ;; esac
    done
    return 1
}

# judgement MEASURED BETTER GOAL REACHED: one word. Ten percent are within what measuring itself may be wrong by.
judgement() {
    awk -v measured="$1" -v better="$2" -v goal="$3" -v reached="$4" '
        function worse(than) { return better == "less" ? measured > than * 1.1 : measured < than / 1.1 }
        BEGIN {
            if (measured !~ /^[0-9.]+$/) print "NO-FIGURE"
            else if (!worse(goal)) print "ok"
            else if (reached == "-") print "MISSED"
            else print worse(reached) ? "WORSE" : "as-before"
        }'
}

line='%-12s %-66s %12s %10s %10s %-15s %s\n'
# The format is ours.
# shellcheck disable=SC2059
row_line() { printf "$line" "$@"; }

seen=0
row_line row "what is measured" measured goal reached unit ""
while IFS='|' read -r row what unit better goal reached command; do
    trim row what unit better goal reached command
    case $row in "" | \#*) continue ;; esac
    is_wanted "$row" "$@" || continue
    seen=$((seen + 1))
    outcome=0
    read -r -a words <<<"$command"
    measured=$("${words[@]}" </dev/null) || outcome=$?
    if [ "$outcome" = 77 ]; then
        row_line "$row" "$what" - "$goal" "$reached" "$unit" "skipped: $measured"
        continue
    fi
    verdict=$(judgement "$measured" "$better" "$goal" "$reached")
    [ "$outcome" = 0 ] || verdict=FAILED
    row_line "$row" "$what" "${measured:--}" "$goal" "$reached" "$unit" "$verdict"
    [ "$verdict" = ok ] || status=1
done <"$table"
if [ "$seen" = 0 ]; then
    echo "rows: no such row: $*" >&2
    status=2
fi
exit "$status"
