#!/usr/bin/env bash
# Runs a program under `strace -f` without Iolite, and again under `iolite run`, and compares what both saw: for each
# file below a directory the opens, duplicates, transfers, bytes, seeks, syncs, maps and status calls.
# Usage: against_strace.sh [-p PREPARE] [-n NORMALISE] [-x EXEMPT] DIRECTORY COMMAND...
#   -p  shell commands that fill the directory; it is emptied before each of the two runs
#   -n  a sed program for lines of name and counter: gives files with random names one name
#   -x  an extended expression of lines "name counter" that are not compared
# Never compared: directories (opendir opens them inside the C library) and files used through streams (the calls below
# stdio are the C library's own). IOLITE_BIN is the directory of the binaries. Status 0: no difference; 1: some, which
# are printed; 77: no tracing here.
set -u -o pipefail
export LC_ALL=C
prepare=: normalise='' exempt='^$'
while getopts p:n:x: option; do
    case $option in
    p) prepare=$OPTARG ;;
    n) normalise=$OPTARG ;;
    x) exempt=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ $# -lt 2 ]; then
    echo "usage: against_strace.sh [-p PREPARE] [-n NORMALISE] [-x EXEMPT] DIRECTORY COMMAND..." >&2
    exit 2
fi
root=$1
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
bin=${IOLITE_BIN:?the directory of the binaries}
strace -f -y -o /dev/null true 2>/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

empty() { rm -rf "${root:?}" && mkdir -p "$root" && root=$(cd "$root" && pwd -P) && (cd "$root" && eval "$prepare"); }

# Lines of name, counter and value become one per name and counter, in order.
gathered() {
    sed -E -e "$normalise" |
        awk -F '\t' '{ sum[$1 "\t" $2] += $3 } END { for (key in sum) print key "\t" sum[key] }' | sort
}

# A runtime that does not wrap copy_file_range says nothing of copies.
copies=$(grep -ca copy_file_range "$bin/../lib/libiolite.so")

calls=open,openat,openat2,creat,dup,dup2,dup3,fcntl
calls+=,read,pread64,readv,preadv,preadv2,write,pwrite64,writev,pwritev,pwritev2
calls+=,copy_file_range,splice,sendfile,lseek,fsync,fdatasync,mmap,stat,lstat,fstat,newfstatat,statx
empty
(cd "$root" && strace -ff -y -s 0 -e "trace=$calls" -e signal=none -o "$work/trace" -- "$@") \
    >"$work/out.1" 2>"$work/err.1" </dev/null
status_plain=$?
cat "$work"/trace.* | awk -v root="$root" -v copies="$copies" -f "$here/against_strace.awk" | gathered >"$work/traced"

empty
(cd "$root" && "$bin/iolite" run -q --log-dir "$work/logs" -- "$@") >"$work/out.2" 2>"$work/err.2" </dev/null
status_seen=$?
[ "$status_plain" = "$status_seen" ] || { echo "exit status $status_seen with Iolite, $status_plain without"; exit 1; }
log=$(find "$work/logs" -type f 2>/dev/null | head -n 1)
[ -n "$log" ] || { echo "no log: $(head -n 2 "$work/err.2")"; exit 1; }

# The log, in the same terms: opens by path are those that are neither duplicates nor fileno().
"$bin/darshan-parser" --base "$log" 2>/dev/null | awk -F '\t' -v root="$root" '
    index($6, root "/") != 1 { next }
    { name = $6; sub(/\/\.$/, "", name); while (sub(/\/[^\/]+\/\.\.\//, "/", name)) continue }
    $1 == "STDIO" { print name "\tSTREAM\t1" }
    $1 != "POSIX" { next }
    $4 == "POSIX_OPENS" { print name "\tPATH_OPENS\t" $5 }
    $4 == "POSIX_DUPS" || $4 == "POSIX_FILENOS" { print name "\tPATH_OPENS\t" (-$5) }
    $4 ~ /^POSIX_(DUPS|SEEKS|FSYNCS|FDSYNCS|MMAPS|STATS)$/ { print name "\t" $4 "\t" $5 }
    $4 ~ /^POSIX_(READS|WRITES|BYTES_READ|BYTES_WRITTEN)$/ { print name "\t" $4 "\t" $5 }
' | gathered >"$work/logged"

awk -F '\t' -v exempt="$exempt" '
    $2 == "DIRECTORY" || $2 == "STREAM" { skipped[$1] = 1; next }
    FILENAME == ARGV[1] { traced[$1 "\t" $2] = $3 }
    FILENAME == ARGV[2] { logged[$1 "\t" $2] = $3 }
    { keys[$1 "\t" $2] = 1 }
    END {
        for (key in keys) {
            split(key, part, "\t")
            if (part[1] in skipped || part[1] " " part[2] ~ exempt) continue
            files[part[1]] = 1
            compared++
            if (traced[key] + 0 == logged[key] + 0) continue
            printf "%s %s: strace %d, log %d\n", part[1], part[2], traced[key], logged[key]
            different++
        }
        for (name in files) count++
        printf "%d counters of %d files compared, %d differ\n", compared, count, different
        exit different > 0 || compared == 0
    }' "$work/traced" "$work/logged"
