# What the tests of neighbours share: a program whose calls are known, preloaded libraries built here, and what is compared.
# To be sourced. Each neighbour runs three times with Iolite - before it, behind it, and under `iolite run` - and once without.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
own_home
here=$(cd "$(dirname "$0")" && pwd)
command -v cc >/dev/null || skip "no C compiler"

# built NAME SOURCE FLAGS...: a program or, with -shared, a library in $work.
built() {
    local name=$1 source=$2
    shift 2
    cc -Wall -Wextra -D_GNU_SOURCE -O1 -o "$work/$name" "$here/$source" "$@" >"$work/cc" 2>&1 ||
        give_up "$source cannot be built: $(head -n 5 "$work/cc")"
}
built program program.c
program=$work/program

# counts LOG NAME: opens, writes and reads of a file by the POSIX module, and opens of its stream by STDIO.
counts() {
    "$iolite" dump --csv "$1" 2>/dev/null | awk -F, -v name="$2" '
        $6 == name && $4 == "POSIX_OPENS" { opens += $5 } $6 == name && $4 == "POSIX_WRITES" { writes += $5 }
        $6 == name && $4 == "POSIX_READS" { reads += $5 } $6 == name ".stream" && $4 == "STDIO_OPENS" { streams += $5 }
        END { print opens + 0, writes + 0, reads + 0, streams + 0 }'
}

# once WHERE COMMAND...: in an empty directory; what it prints is in WHERE.out and WHERE.err, its status in WHERE.status.
once() {
    local where=$work/$1
    shift
    emptied "$work/files"
    # The shell would speak of a crash itself.
    { (cd "$work/files" && timeout 120 "$@" >"$where.out" 2>"$where.err" </dev/null); } 2>/dev/null
    echo $? >"$where.status"
}
same() { # WHAT WHERE FILE...
    local what=$1 where=$2 file
    shift 2
    for file in "$@"; do
        cmp -s "$work/without.$file" "$work/$where.$file" ||
            fail "$what, $where: $file differs: '$(head -n 3 "$work/without.$file")', '$(head -n 3 "$work/$where.$file")'"
    done
}
# recorded WHAT WHERE LOG FILE COUNTS: what Iolite is to have seen.
recorded() {
    local log
    log=$(find "$3" -name '*.darshan' 2>/dev/null | head -n 1)
    [ -n "$log" ] || { fail "$1, $2: there is no log"; return; }
    local got
    got=$(counts "$log" "$4")
    [ "$got" = "$5" ] || fail "$1, $2: the log has opens, writes, reads, streams $got, not $5"
}
