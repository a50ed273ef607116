#!/usr/bin/env bash
# The table of goals: what is better than its goal, within a tenth of it, as far as was reached, worse, skipped or broken, and
# which of these fail. And every line of the real table can be read.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
rows=$(dirname "$0")/../../bench/rows
[ -e "$IOLITE_BIN/../lib/libiolite.so" ] || skip "libiolite.so is not built"

# judged EXPECTED-STATUS EXPECTED-WORD LINE...: what a table of this one line comes to.
judged() {
    local expected=$1 word=$2
    printf '%s\n' "# a comment" "" "$3" >"$work/table"
    status "$expected" "$rows/rows.sh" --table "$work/table" "$IOLITE_BIN" "$tools"
    has "$word"
}
judged 0 ok '1 | less is better | s | less | 10 | - | echo 9'
judged 0 ok '1 | a tenth more | s | less | 10 | - | echo 11'
judged 1 MISSED '1 | more than that | s | less | 10 | - | echo 11.1'
judged 0 ok '1 | more is better | logs | more | 110 | - | echo 100'
judged 1 MISSED '1 | less than that | logs | more | 110 | - | echo 99'
judged 1 as-before '1 | not there yet | s | less | 10 | 20 | echo 21'
judged 1 WORSE '1 | farther away | s | less | 10 | 20 | echo 23'
judged 0 ok '1 | better than recorded | s | less | 10 | 20 | echo 3'
judged 1 NO-FIGURE '1 | no figure | s | less | 10 | - | true'
judged 1 FAILED '1 | a figure, then trouble | s | less | 10 | - | eval echo 1; false'
judged 0 'skipped: no such machine' '1 | skipped | s | less | 10 | - | eval echo no such machine; (exit 77)'

# Rows are chosen by number or by name.
printf '%s\n' '1 | one | s | less | 1 | - | echo 1' '8.a | eight a | s | less | 1 | - | echo 1' \
    '8.b | eight b | s | less | 1 | - | echo 1' '81 | other | s | less | 1 | - | echo 5' >"$work/table"
status 0 "$rows/rows.sh" --table "$work/table" "$IOLITE_BIN" "$tools" 8
has 'eight a'
has 'eight b'
lacks one
lacks other
status 2 "$rows/rows.sh" --table "$work/table" "$IOLITE_BIN" "$tools" 9

# Seven columns, numbers where there should be numbers, each row once, commands that are there.
grep -v '^#' "$rows/table" | awk -F ' *[|] *' '
    NF != 7 { print "not seven columns: " $0; bad = 1 }
    $4 != "less" && $4 != "more" { print "neither less nor more: " $0; bad = 1 }
    $5 !~ /^[0-9.]+$/ || $6 !~ /^([0-9.]+|-)$/ { print "no number: " $0; bad = 1 }
    seen[$1]++ { print "twice: " $1; bad = 1 }
    END { exit bad }' >&2 || fail "the table has wrong lines"
grep -v '^#' "$rows/table" | awk -F ' *[|] *' '{ split($7, word, " "); print word[1] }' | sort -u >"$work/commands"
while read -r command; do
    grep -qE "^$command\(\)" "$rows"/*.bash || fail "no function $command in bench/rows"
done <"$work/commands"
finish
