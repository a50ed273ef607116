#!/usr/bin/env bash
# demo.sh BIN DIRECTORY: the product's story in a minute. A small program is slow; Iolite says why, and which lines of it; its
# fixed version writes the same files, and the comparison says what that was worth. A made-up centre follows, and on a
# terminal one key opens its portal. BIN holds iolite; everything stays in DIRECTORY.
set -euo pipefail
[ $# = 2 ] || { echo "usage: demo.sh BIN DIRECTORY" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
shown_bin=$1 shown=$2
mkdir -p "$2"
bin=$(cd "$1" && pwd) home=$(cd "$2" && pwd)
runs=${DEMO_RUNS:-5}
centre_maker=$bin/../tests/make-centre # the build's target `demo` makes it

tell() {
    echo
    printf '%s\n' "$@"
}

# show COMMAND: the command as one would type it, and what it says.
show() {
    local bold='' plain=''
    if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1m' plain=$'\e[0m'; fi
    tell "$bold\$ $1$plain" ""
    (cd "$home" && PATH=$bin:$PATH && eval "$1")
}

# Where heat is put in: row, column, how much.
sources() {
    awk 'BEGIN {
        srand(1)
        for (i = 0; i < 5000; i++) printf "%d %d %.4f\n", 1 + rand() * 510, 1 + rand() * 510, rand()
    }'
}

# run VERSION NUMBER: from the beginning, whatever the last run left.
run() {
    (
        cd "$home/$1"
        rm -f history.csv checkpoint.*
        "$bin/iolite" run -q --where -o "../$1-$2.darshan" -- ./heat
    )
}

rm -f "$home"/{before,after}-*.darshan
mkdir -p "$home/before" "$home/after"
for version in before after; do "${CC:-cc}" -g -O2 -o "$home/$version/heat" "$here/heat_$version.c"; done
sources | tee "$home/before/sources.txt" >"$home/after/sources.txt"

tell "A small program computes heat in a plate (examples/demo/heat_before.c), and it" \
    "takes its time. We run it under Iolite and ask why." \
    "" "    iolite run --where -o before-1.darshan -- ./heat"
run before 1
show "iolite diagnose --min-level warn before-1.darshan"
show "iolite report -o report.html before-1.darshan"
echo "That page has it all. Open it in a browser: file://$home/report.html"

tell "heat_after.c does what the findings say: it reads its input once, writes a" \
    "checkpoint in one piece and keeps its history open. Are the files the same?"
for ((i = 1; i <= runs; i++)); do
    [ "$i" = 1 ] || run before "$i"
    run after "$i"
done
diff -r -x heat "$home/before" "$home/after" || { echo "They are not."; exit 1; }
echo "They are, to the byte."

if [ "$runs" = 1 ]; then often="one run"; else often="$runs runs"; fi
tell "And the time? Here are $often of each:"
show "iolite compare before-*.darshan -- after-*.darshan"

# The logs of a centre, in an index. Some of them are broken, as everywhere, and index says so by its status.
make_index() {
    rm -rf "$home/centre"
    "$centre_maker" --logs 400 --large 0 "$home/centre"
    "$bin/iolite" index -q --store "$home/centre/index.db" --site "$home/centre/site.json" \
        --accounting "$home/centre/sacct.txt" --accounting "$home/centre/entries.txt" || true
    [ -s "$home/centre/index.db" ]
}

show_centre() {
    show "iolite rank --per program --by cost --store centre/index.db"
    show "iolite fleet --mode native --store centre/index.db"
}

tell "A centre has thousands of runs. Here is a small one that we made up: its logs" \
    "go into an index, and that answers questions about all of them."
portal=
if [ ! -x "$centre_maker" ]; then
    tell "It is missing: $shown_bin/../tests/make-centre was not built (ninja -C build demo)."
elif make_index; then
    show_centre
    portal=yes
else
    tell "It is missing: there is no index without SQLite (libsqlite3-dev on Debian)."
fi

tell "All of it is in $shown/. Now a program of your own, compiled with -g:" \
    "    $shown_bin/iolite run --where -o my.darshan -- ./program" \
    "    $shown_bin/iolite diagnose my.darshan"
[ -z "$portal" ] || exec "$here/portal.sh" "$shown_bin" "$shown"
