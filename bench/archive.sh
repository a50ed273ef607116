#!/usr/bin/env bash
# How small a bundle is, how long packing takes, whether every log comes back, and what reading from a bundle costs. Half of
# the logs are as the reference writes them (zlib), half as Iolite does. Status 1 if a promise is broken: at most half of the
# bytes, every byte back, `show BUNDLE#NAME` in at most 1.5 times the time of `show FILE`.
#   bench/archive.sh BIN TOOLS [LOGS]
set -euo pipefail
bin=$1 tools=$2 logs=${3:-10000}
work=$(mktemp -d "${TMPDIR:-/tmp}/iolite-bench-archive.XXXXXX")
trap 'rm -rf "$work"' EXIT
unset IOLITE_STORE
status=0

echo "Making $logs logs."
"$tools/make-centre" --logs "$logs" "$work/centre"
tree=$work/centre/logs
number=0
while IFS= read -r log; do
    number=$((number + 1))
    [ $((number % 2)) = 0 ] || continue
    "$bin/iolite" convert --force "$log" "$work/iolite.darshan" 2>/dev/null && cp "$work/iolite.darshan" "$log"
done < <(find "$tree" -name '*.darshan' | sort)
mkdir "$work/kept"
bundle=$work/kept/all.bundle

# Seconds of wall time, of CPU time, and the most memory in KiB.
measured() { "$tools/measure" 1 "$@"; }
read -r wall cpu memory <<<"$(measured "$bin/iolite" archive pack -q -o "$bundle" "$tree")"
whole=$(find "$tree" -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
packed=$(stat -c %s "$bundle")
awk -v n="$logs" -v w="$wall" -v c="$cpu" -v m="$memory" -v a="$whole" -v b="$packed" 'BEGIN {
    printf "packed, read back and compared: %.1f s, %.1f s of CPU time, %.2f ms per log, %d MiB\n", w, c, 1000 * c / n, m / 1024
    printf "%.1f MiB of logs are a bundle of %.1f MiB: %.1f%%\n", a / 1048576, b / 1048576, 100 * b / a
}'
[ $((packed * 2)) -le "$whole" ] || status=1
read -r wall _ _ <<<"$(measured "$bin/iolite" archive restore -q "$bundle" -o "$work/again")"
if diff -r "$tree" "$work/again" >/dev/null; then
    printf 'all restored byte by byte: %.1f s\n' "$wall"
else
    echo "restored logs differ"
    status=1
fi

# The least of many runs, because a busy machine only ever adds.
least() { # COMMAND...
    local best=
    for ((i = 0; i < 20; i++)); do
        # shellcheck disable=SC2016
        read -r wall _ _ <<<"$(measured sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do "$@"; done' sh "$@")"
        best=$(awk -v a="${best:-$wall}" -v b="$wall" 'BEGIN { print (b < a) ? b : a }')
    done
    echo "$best"
}
for size in "-4k" "+300k"; do
    name=$(cd "$tree" && find . -name '*.darshan' -size "$size" -size +1k | sort | sed -n '5s/^..//p')
    file=$(least "$bin/iolite" show "$tree/$name")
    bundled=$(least "$bin/iolite" show "$bundle#$name")
    awk -v s="$(stat -c %s "$tree/$name")" -v f="$file" -v b="$bundled" 'BEGIN {
        printf "show of a log of %d bytes: %.2f ms from its file, %.2f ms from the bundle: %.2f times\n", s, 100 * f, 100 * b, b / f
        exit b > 1.5 * f }' || status=1
done
exit $status
