#!/usr/bin/env bash
# Prints the lines of runtime/layout.ld that say which functions stand first in the library: those that a process calls which
# records nothing, then those that it takes to record a file, also in a forked child. Usage: bench/often.sh BIN-DIRECTORY TOOL-DIRECTORY.
# shellcheck source=bench/bench.bash
. "$(dirname "$0")/bench.bash"
command -v valgrind >/dev/null || { echo "no list: there is no valgrind" >&2; exit 77; }
echo hello >"$work/file"
nm --defined-only "$library" | awk '$2 ~ /^[tTW]$/ { print $3 }' | sort -u >"$work/ours"

# called NAME COMMAND...: the functions of the library that it calls.
called() {
    local name=$1
    shift
    SLURM_JOB_ID=1 LD_PRELOAD=$library valgrind -q --tool=callgrind --callgrind-out-file="$work/$name.%p" "$@" >/dev/null
    sed -n "s/^c\?fn=([0-9]*) //p" "$work/$name".* | sed "s/'[0-9]*\$//; s/@.*//" | sort -u | comm -12 - "$work/ours"
}
lines() { sed 's/^/.text./' | tr '\n' ' ' | fold -s -w 110 | sed 's/^/      /; s/ *$//'; }

export IOLITE_MMAP_DIR=$work
called true /bin/true >"$work/first"
{ called cat cat "$work/file" && called forks "$tools/forks" 2 "$work/files"; } | sort -u | comm -13 "$work/first" - >"$work/then"
printf '    *('
lines <"$work/first"
printf ')\n    *('
lines <"$work/then"
echo ')'
