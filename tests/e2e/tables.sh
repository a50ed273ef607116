#!/usr/bin/env bash
# --arrow and --parquet: every command that has them writes a file of the form, and they exclude the other forms.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# is_table FORM COMMAND...
is_table() {
    local form=$1
    shift
    "$iolite" "$@" "--$form" >"$work/table" 2>"$work/err" || { fail "$* --$form: $(cat "$work/err")"; return; }
    case $form in
    arrow) [ "$(head -c 6 "$work/table")$(tail -c 6 "$work/table")" = ARROW1ARROW1 ] ;;
    parquet) [ "$(head -c 4 "$work/table")$(tail -c 4 "$work/table")" = PAR1PAR1 ] ;;
    esac || fail "$* --$form is none"
}
# same_columns A B: names and types, which are the first message of an Arrow file.
same_columns() {
    local length
    length=$(od -An -tu4 -j12 -N4 "$1")
    cmp -n $((length + 16)) "$1" "$2" >"$work/differs" 2>&1
}
for form in arrow parquet; do
    is_table $form dump "$demo"
    is_table $form dump --module POSIX --counter 'POSIX_BYTES_*' "$demo" "$seeds/processes.darshan"
    is_table $form trace "$demo"
    is_table $form job "$demo"
    for other in json csv; do
        status 2 "$iolite" dump "--$form" "--$other" "$demo"
        status 2 "$iolite" trace "--$form" "--$other" "$demo"
    done
done
status 2 "$iolite" dump --arrow --parquet "$demo"
if "$iolite" index --store "$work/index.db" "$demo" >/dev/null 2>&1; then
    for form in arrow parquet; do
        is_table $form jobs --store "$work/index.db"
        is_table $form rank --store "$work/index.db"
        is_table $form rank --store "$work/index.db" --per program
        status 0 "$iolite" fleet --store "$work/index.db" --export "$work/$form" "--$form"
        [ -e "$work/$form/jobs.$form" ] && [ ! -e "$work/$form/jobs.csv" ] || fail "no jobs.$form"
        grep -q "^jobs.$form," "$work/$form/columns.csv" || fail "columns.csv names other files"
        status 2 "$iolite" fleet --store "$work/index.db" "--$form"
        status 2 "$iolite" jobs --store "$work/index.db" "--$form" --json
    done
    status 0 "$iolite" rank --store "$work/index.db" --per user --csv
    has 'user,value,share,bytes_read,bytes_written,logs'
    status 0 "$iolite" rank --store "$work/index.db" --csv
    has 'per,key,bytes_read,bytes_written,logs'
    # Columns have the same types in a table without rows
    for question in jobs 'rank --per user' 'rank --per fs' 'rank --per job' rank; do
        for until in 2001 2099; do
            # shellcheck disable=SC2086
            "$iolite" $question --store "$work/index.db" --since 2000 --until $until --arrow >"$work/$until.arrow" 2>/dev/null || fail "$question until $until"
        done
        same_columns "$work/2001.arrow" "$work/2099.arrow" || fail "$question: $(cat "$work/differs")"
    done
    "$iolite" fleet --store "$work/index.db" --since 2099 --export "$work/none" --arrow >/dev/null 2>&1 || fail "no export of nothing"
    for table in "$work"/arrow/*.arrow; do
        same_columns "$table" "$work/none/${table##*/}" || fail "export: ${table##*/}: $(cat "$work/differs")"
    done
fi
finish
