#!/usr/bin/env bash
# A day of 248 OSTs summarised, and rows of 10,000 one-hour jobs out of a year of such days, on two processors.
#   bench/site.sh BIN TOOLS [DAYS [JOBS]]
# Budgets: 0.3 s for the day, 60 s for the jobs; they hold for 365 days and 10,000 jobs on an idle machine.
set -euo pipefail
bin=$1 tools=$2 days=${3:-365} jobs=${4:-10000}
folder=$(dirname "$0")
work=$(mktemp -d "${TMPDIR:-/tmp}/iolite-bench-site.XXXXXX")
trap 'rm -rf "$work"' EXIT
export TZ=UTC
unset IOLITE_SITE_CONFIG
echo "Making $days days and $jobs jobs."
/usr/bin/python3 "$folder/site.py" "$work" "$days" "$jobs"
du -sm "$work" | awk '{ printf "%d MiB\n", $1 }'
find "$work" -name '*.hdf5' -exec cat {} + >/dev/null # warm, as far as there is room
day=$work/2025-01-01.hdf5
mapfile -t ids < <(cut -d'|' -f1 "$work/jobs.txt" | tail -n +2)
read -r day_wall day_cpu day_memory <<<"$("$tools/measure" 5 "$bin/iolite" traffic "$day")"
read -r wall cpu memory <<<"$("$tools/measure" 1 "$bin/iolite" job --csv --fs onyx --site "$work/site.json" \
    --job-record "$work/jobs.txt" -j 2 -o "$work/rows.csv" "${ids[@]}")"
rows=$(($(wc -l <"$work/rows.csv") - 1))
[ "$rows" = "$jobs" ] || { echo "$rows rows instead of $jobs" >&2; exit 1; }
command -v valgrind >/dev/null && valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bin/iolite" traffic "$day" 2>&1 >/dev/null |
    awk '/Collected/ { printf "a day             %8.0f M instructions\n", $4 / 1e6 }'
awk -v dw="$day_wall" -v dc="$day_cpu" -v dm="$day_memory" -v w="$wall" -v c="$cpu" -v m="$memory" -v n="$jobs" '
BEGIN {
    printf "a day             %8.2f s, %6.2f s of CPU, %4d MiB (0.3 s)\n", dw, dc, dm / 1024
    printf "%-6d jobs       %8.1f s, %6.1f s of CPU, %4d MiB, %.2f ms each (60 s)\n", n, w, c, m / 1024, 1000 * w / n
    exit dw > 0.3 || w > 60
}'
