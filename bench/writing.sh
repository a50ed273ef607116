#!/usr/bin/env bash
# Measures writing, totals and merging of large logs, and their size, against their targets.
# Usage: bench/writing.sh BIN-DIRECTORY TOOL-DIRECTORY. Medians of three; times are wall clock, with CPU time beside.
set -euo pipefail
bin=${1:?usage: bench/writing.sh BIN-DIRECTORY TOOL-DIRECTORY}
tools=${2:?usage: bench/writing.sh BIN-DIRECTORY TOOL-DIRECTORY}
files=1000000
logs=10000
runs=3

# A gigabyte of memory spares the disk; what is measured is the program.
base=${TMPDIR:-/tmp}
if [ -w /dev/shm ] && [ "$(df --output=avail -k /dev/shm | tail -n 1)" -gt 1000000 ]; then base=/dev/shm; fi
work=$(mktemp -d "$base/iolite-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
status=0

row='%-52s %12s %12s  %s\n'
# The format is ours, not the user's.
# shellcheck disable=SC2059
print() { printf "$row" "$@"; }
over() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'; }

# judge WHAT MEASURED TARGET UNIT REMARK: one line, and the status if the target is missed.
judge() {
    local mark=
    if over "$2" "$3"; then
        mark="MISSED "
        status=1
    fi
    print "$1" "$2 $4" "$3 $4" "$mark$5"
}

# timed COMMAND...: sets wall, cpu and mib.
timed() {
    local kib
    read -r wall cpu kib < <("$tools/measure" $runs "$@")
    mib=$((kib / 1024))
}

per_file() { awk -v size="$(stat -c %s "$1")" -v n=$files 'BEGIN { printf "%.1f", size / n }'; }

print "what" "measured" "target" ""
for values in synthetic real; do
    log=$work/$values.darshan
    timed "$tools/genlog" --ranks 1024 --files $files --values $values --force "$log"
    judge "write $files POSIX records, $values" "$wall" 3 s "(CPU $cpu s, making up the records included; $mib MiB)"
    if [ $values = synthetic ]; then target=47; else target=70; fi
    judge "  bytes per file" "$(per_file "$log")" $target B ""
    timed "$bin/darshan-parser" --total "$log"
    judge "  totals (darshan-parser --total)" "$wall" 0.5 s "(CPU $cpu s)"
    judge "  its memory" "$mib" 50 MiB ""
    if "$bin/iolite" help convert | grep -q -e --archive; then
        timed "$bin/iolite" convert --archive --force "$log" "$work/archive"
        if [ $values = synthetic ]; then target=33; else target=50; fi
        judge "  bytes per file, archived" "$(per_file "$work/archive")" $target B "(in $wall s, CPU $cpu s, $mib MiB)"
        rm -f "$work/archive"
    fi
    rm -f "$log"
done

"$tools/genlog" --ranks $logs --files $((10 * logs)) --shared 2 --layout mapped --heatmap "$work/mapped"
timed "$bin/iolite" merge --force -o "$work/merged" "$work/mapped"
judge "merge $logs mapped logs" "$wall" 10 s "(CPU $cpu s)"
judge "  its memory" "$mib" 200 MiB ""
rm -rf "$work/mapped" "$work/merged"

"$tools/genlog" --ranks $logs --files $((3 * logs)) --shared 1 --modules POSIX,STDIO --layout run --heatmap "$work/run"
timed "$bin/iolite" merge --force -o "$work/merged" "$work/run"
judge "merge a run of $logs processes" "$wall" 1.5 s "(CPU $cpu s)"
judge "  its memory" "$mib" 100 MiB ""
exit "$status"
