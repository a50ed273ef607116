# What the end-to-end scripts share: where things are, and how a check fails. To be sourced.
set -u -o pipefail
export TZ=UTC LC_ALL=C
iolite=${IOLITE_BIN:-}/iolite     # the directory of the binaries
seeds=${IOLITE_SEEDS:-}           # of the generated logs
tools=${IOLITE_TOOLS:-}           # of programs that tests need
corpus=${IOLITE_CORPUS:-../shared/corpus} # of real ones, if there are any
demo=$seeds/demo.darshan
[ -x "$iolite" ] && [ -f "$demo" ] || { echo "skipped: no iolite in IOLITE_BIN, or no logs in IOLITE_SEEDS" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
documents=0

# skip WHY: what the test needs is not on this machine.
skip() {
    echo "skipped: $*" >&2
    exit 77
}

# need_library: the runtime's path goes into $library, and nothing of the tester's environment reaches a program.
need_library() {
    library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
    [ -e "$library" ] || skip "libiolite.so is not built"
    library=$(realpath "$library")
    unset "${!IOLITE_@}" "${!DARSHAN_@}" "${!DXT_@}" LD_PRELOAD ASAN_OPTIONS "${!SLURM_@}" JOB_ID
}

# emptied FOLDER: it is there, and empty.
emptied() { rm -rf "$1" && mkdir "$1"; }

# own_home: the library, and a home and a place for records of this test alone.
own_home() {
    need_library
    export IOLITE_LIBRARY=$library HOME=$work/home IOLITE_MMAP_DIR=$work/records
    mkdir "$HOME" "$IOLITE_MMAP_DIR"
}

# until_true COMMAND...: waits for something that must happen, however slow the machine is; what it prints is dropped.
deadline=60 # seconds
until_true() {
    local tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt $((deadline * 20)) ] || { fail "never: $*"; return 1; }
        sleep 0.05
    done
}

fail() {
    echo "FAIL: $*" >&2
    failures=$((failures + 1))
}

# has_commands NAME...: all of them are there. (`command -v` with several names asks for one of them.)
has_commands() {
    local name
    for name; do command -v "$name" >/dev/null || return 1; done
}

# give_up WHY: the rest of the script would only fail for the same reason.
give_up() {
    fail "$@"
    finish
}

# status EXPECTED COMMAND...: run it, keep its output in $work/out and $work/err, compare the exit status.
status() {
    local expected=$1 got
    shift
    "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ "$got" = "$expected" ] || fail "status $got instead of $expected: $*: $(head -n 2 "$work/err")"
}

# has TEXT: the output holds this text. lacks TEXT: it does not.
has() { grep -qF -e "$1" "$work/out" || fail "no '$1' in the output of the last command"; }
lacks() { ! grep -qF -e "$1" "$work/out" || fail "'$1' in the output of the last command"; }
lines() { [ "$(wc -l <"$work/out")" = "$1" ] || fail "$(wc -l <"$work/out") lines instead of $1"; }

# valid_json LABEL: the output is one JSON document. They are collected and looked at together, because starting a JSON
# reader takes longer than all the rest.
valid_json() {
    documents=$((documents + 1))
    cp "$work/out" "$work/document.$documents"
    echo "$*" >"$work/label.$documents"
}

# Without a JSON reader at hand, they must at least begin and end like JSON.
check_documents() {
    local ends
    if command -v python3 >/dev/null; then
        python3 - "$work" "$documents" <<'END'
import json, sys
def no_constants(word): raise ValueError(word)
bad = 0
for number in range(1, int(sys.argv[2]) + 1):
    try:
        with open(f"{sys.argv[1]}/document.{number}", encoding="utf-8") as document:
            json.load(document, parse_constant=no_constants)
    except ValueError as error:
        print("not JSON:", open(f"{sys.argv[1]}/label.{number}").read().strip(), error, file=sys.stderr)
        bad = 1
sys.exit(bad)
END
        return
    fi
    for ((number = 1; number <= documents; number++)); do
        ends=$(head -c 1 "$work/document.$number")$(tail -c 2 "$work/document.$number")
        [ "$ends" = "{}" ] || [ "$ends" = "[]" ] || return 1
    done
}

finish() {
    check_documents || fail "some of the output is not JSON"
    [ "$failures" = 0 ] || echo "$failures checks failed" >&2
    exit $((failures > 0))
}
