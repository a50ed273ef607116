#!/usr/bin/env bash
# judge.sh [--keep DIRECTORY] PROGRAM SOURCE: runs a planted program under `iolite run` in an empty directory and asks
# `iolite diagnose` what is wrong with it. What has to come out stands in the first comment of the source:
#
#   FINDS ID          the first finding above INFO; nothing else will do
#   INNOCENT          there is no finding above INFO
#   TELLS ID          this one is reported too, at whatever level
#   LACKS ID          this one is not, at any level
#   LEAST ID FIGURE N a figure of this one is at least N; MOST: at most
#   PREPARE           call the program with the word `prepare` first, unrecorded, so that it makes what it needs
#   REPAIRED          called with the word `repaired` the program does the same without its fault, and there is no finding
#                     above INFO
#   RUN OPTION...     options of `iolite run`
#   SET PATH=VALUE    another threshold
#   NEEDS COMMAND...  without these the test is skipped
#   LIBRARY HEADER NAME...  for the build: a header, and libraries to link with (the first name that is there)
#
# Lines with the word HERE, of the source or a header of tests/planted, are those of the fault: the finding has to name one of
# them first, where lines are recorded (x86-64) and their names can be read (libdw, but for Python).
#
# Standard output of a program is a file. Status 77: something that it needs is not here. --keep leaves log, output and
# diagnosis in a directory.
set -u -o pipefail
export TZ=UTC LC_ALL=C
keep=
if [ "${1:-}" = --keep ]; then
    keep=$2
    shift 2
fi
[ $# = 2 ] || { echo "usage: judge.sh [--keep DIRECTORY] PROGRAM SOURCE" >&2; exit 2; }
iolite=${IOLITE_BIN:-.}/iolite
program=$(realpath -m "$1") source=$(realpath "$2") name=$(basename "${2%.*}")

fail() { echo "$name: $*" >&2; failed=1; }
skip() { echo "$name: skipped, $*"; exit 77; }

# words DIRECTIVE: what follows it in the first lines of the source. asks DIRECTIVE: whether it is there, alone.
words() { sed -n -E '1,20s/^[#! ]+'"$1"' +//p' "$source" | sed 's/ *\*\/$//'; }
asks() { sed -n 1,20p "$source" | grep -q -E "^[#! ]+$1( \*/)?\$"; }

# The interpreter itself: what is called python3 may be a script that looks for one.
find_python() {
    local candidate
    for candidate in /usr/bin/python3 python3; do
        command -v "$candidate" >/dev/null && "$candidate" -c 'import sys; print(sys.executable)' && return
    done
    return 1
}

# The program as words: Python is started by name, because its first line may name a script.
command=("$program")
case $source in
*.py)
    python=$(find_python) || skip "there is no python3"
    command=("$python" "$program")
    ;;
esac
[ -x "$iolite" ] || skip "there is no $iolite"
[ -e "${IOLITE_BIN:-.}/../lib/libiolite.so" ] || skip "there is no libiolite.so"
if [ ! -e "$program" ]; then
    [[ -n $(words LIBRARY) || $source == *.cpp || $source == *.f90 ]] || { echo "$name: there is no $program" >&2; exit 1; }
    skip "it was not built: no $(words LIBRARY) or no compiler"
fi
for what in $(words NEEDS); do command -v "$what" >/dev/null || skip "there is no $what"; done

unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/iolite-planted-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/home"
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home
failed=0

# Whether the line of a call in this program can be known.
knows_lines() {
    local header
    header=$(sed -n 's|^#include "tests/planted/\(.*_file\.h\)"$|\1|p' "$source")
    [ "$(uname -m)" = x86_64 ] && grep -q '\bHERE\b' "$source" ${header:+"$(dirname "$source")/$header"} || return
    [[ $source == *.py ]] || ldconfig -p 2>/dev/null | grep 'libdw[.]so[.]1' >/dev/null
}

# run [WORD]: in a directory of its own, as the program or its repaired version.
run() {
    local where=()
    rm -rf "$scratch/work" "$scratch/log.darshan"
    mkdir "$scratch/work"
    cd "$scratch/work" || return
    if asks PREPARE; then
        "${command[@]}" prepare >/dev/null 2>"$scratch/stderr" </dev/null || return
    fi
    ! knows_lines || where=(--where)
    # shellcheck disable=SC2046  # several words
    "$iolite" run -q --output "$scratch/log.darshan" ${where+"${where[@]}"} $(words RUN) -- "${command[@]}" "$@" \
        >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
}

# How the line of a finding begins, up to its id.
start='^ *\{"schema":"iolite.finding[^"]*","id":'

# judge [sound]: lines of level, id, title; the worst first, in the order of the output.
judge() {
    local set=()
    # They take a few hundredths of a second, which a busy machine stretches.
    [ -n "${1:-}" ] && set=(--set level.least_seconds=0.3 --set level.least_share=1)
    asks INNOCENT && set=(--set level.least_seconds=0.3)
    local value
    for value in $(words SET); do set+=(--set "$value"); done
    "$iolite" diagnose --json ${set+"${set[@]}"} "$scratch/log.darshan" >"$scratch/diagnosis.json" || return
    sed -n -E 's/'"$start"'"([^"]*)".*"level":"([^"]*)".*"title":"([^"]*)".*/\2 \1 \3/p' \
        "$scratch/diagnosis.json" >"$scratch/findings"
    [ "$(wc -l <"$scratch/findings")" = "$(grep -c '"iolite.finding' "$scratch/diagnosis.json")" ]
}

# figure ID NAME: a figure of a finding, without its fraction; nothing if it is not reported.
figure() {
    sed -n -E '/'"$start"'"'"$1"'"/ {
        s/"evidence":.*//
        s/.*"figures":\{[^}]*"'"$2"'":([0-9]+).*/\1/p
    }' "$scratch/diagnosis.json"
}

check_figures() {
    local id what limit
    while read -r id what limit; do
        [ "$(figure "$id" "$what")" -ge "$limit" ] 2>/dev/null || fail "$what of $id is '$(figure "$id" "$what")'"
    done < <(words LEAST)
    while read -r id what limit; do
        [ "$(figure "$id" "$what")" -le "$limit" ] 2>/dev/null || fail "$what of $id is '$(figure "$id" "$what")'"
    done < <(words MOST)
}

# The first place that the finding names is a line of the fault.
check_line() {
    local file line
    knows_lines || return 0
    read -r line file < <(sed -n -E '/'"$start"'"'"$1"'"/ s/.*"places":\[\{"text":"[^"]*","file":"([^"]*)","line":([0-9]+).*/\2 \1/p' \
        "$scratch/diagnosis.json")
    sed -n "${line:-0}p" "$file" 2>/dev/null | grep -q '\bHERE\b' || fail "$1 names line ${line:-none} of ${file:-no file}"
}

check() {
    local serious first expected id
    serious=$(grep -E '^(warn|high) ' "$scratch/findings")
    first=$(head -n 1 <<<"$serious" | cut -d ' ' -f 2)
    expected=$(words FINDS)
    ! grep -q ' job.io.none ' "$scratch/findings" || fail "nothing was recorded"
    if asks INNOCENT; then
        [ -z "$serious" ] || fail "innocent, and yet: $serious"
    elif [ -z "$expected" ]; then
        fail "$source does not say what is expected"
    elif [ "$first" != "$expected" ]; then
        fail "$expected should come first, not ${first:-nothing}"
    else
        check_line "$expected"
    fi
    for id in $(words TELLS); do grep -q "^[a-z]* $id " "$scratch/findings" || fail "$id is not reported"; done
    for id in $(words LACKS); do ! grep -q "^[a-z]* $id " "$scratch/findings" || fail "$id is reported"; done
    check_figures
}

run
status=$?
[ "$status" != 77 ] || skip "$(head -n 1 "$scratch/stderr")"
if [ "$status" != 0 ]; then
    fail "ended with $status: $(head -n 3 "$scratch/stderr")"
elif judge; then
    check
else
    fail "no diagnosis"
fi
[ "$failed" = 0 ] || cat "$scratch/findings" >&2
if [ "$failed" = 0 ] && asks REPAIRED; then
    if run repaired && judge sound; then
        ! grep -E '^(warn|high) ' "$scratch/findings" >"$scratch/serious" || fail "repaired, and yet: $(cat "$scratch/serious")"
    else
        fail "the repaired version: $(head -n 3 "$scratch/stderr")"
    fi
fi
if [ -n "$keep" ]; then
    mkdir -p "$keep"
    for what in log.darshan stdout stderr diagnosis.json findings; do cp "$scratch/$what" "$keep/"; done
fi
exit "$failed"
