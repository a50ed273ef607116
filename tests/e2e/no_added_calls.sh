#!/usr/bin/env bash
# Iolite adds no system call to open, close, read and write: what twice as many calls of a kind cost in system calls is
# the same with and without it.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/programs.bash"
strace -f -o /dev/null true 2>/dev/null || exit 77
[ -x "$tools/io-loop" ] || exit 77
files=$work/files
mkdir "$files" "$work/mapped"

# calls FILE HOW KIND COUNT THREADS: the system calls of a run, as sorted lines of name and number.
calls() {
    local file=$1 how=$2 traced=(strace -f -o "$work/trace")
    shift 2
    set -- "$tools/io-loop" "$1" "$2" "$files" "$3"
    case $how in
    plain) "${traced[@]}" "$@" ;;
    preloaded) "${traced[@]}" -E LD_PRELOAD="$library" -E IOLITE_LOG_DIR="$logs" "$@" ;;
    run) "$iolite" run --log-dir "$logs" -- "${traced[@]}" "$@" ;;
    esac >/dev/null || fail "$how: io-loop $* failed"
    # Lock and scheduler calls depend on who came first, not on what was called.
    sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' "$work/trace" |
        grep -v -x -e futex -e sched_yield -e restart_syscall | sort | uniq -c | awk '{ print $2, $1 }' >"$file"
}

# growth HOW KIND THREADS: how many calls of each name 60 more calls of a kind bring. A few are chance: where threads
# find their memory depends on their order.
growth() {
    calls "$work/few" "$1" "$2" 60 "$3"
    calls "$work/many" "$1" "$2" 120 "$3"
    awk 'NR == FNR { few[$1] = $2; next } { many[$1] = $2 }
        END { for (name in many) if (many[name] - few[name] >= 10) print name, many[name] - few[name] }' \
        "$work/few" "$work/many" | sort
}

for threads in 0 2; do
    for kind in open pread pwrite lseek fwrite fputc zero pipe; do
        growth plain $kind $threads >"$work/expected"
        [ $kind = fwrite ] || [ $kind = fputc ] || [ -s "$work/expected" ] || fail "$kind: strace sees no system calls"
        for how in preloaded run; do
            growth $how $kind $threads >"$work/got"
            cmp -s "$work/expected" "$work/got" ||
                fail "$how, $kind, $threads threads: $(diff "$work/expected" "$work/got" | grep '^[<>]' | tr '\n' ';')"
        done
    done
done

# How many calls start and end cost altogether is not a promise, but good to know.
calls "$work/few" plain nothing 0 0
calls "$work/many" preloaded nothing 0 0
echo "system calls of the smallest program: $(awk '{ n += $2 } END { print n }' "$work/few") without, \
$(awk '{ n += $2 } END { print n }' "$work/many") with Iolite"
finish
