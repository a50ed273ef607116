#!/usr/bin/env bash
# Whatever a setting or a variable leads to - a pipe that nobody writes to, a file without an end, a directory, a terminal -
# no program waits for it, and its output is what it is without Iolite. Nor does a command wait.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
own_home
patience=20 # seconds; what waits for a pipe waits for ever
pipe=$work/pipe
mkfifo "$pipe"
mkdir "$work/logs" "$work/zones" "$work/below" "$work/state"
mkfifo "$work/zones/Pipe" "$work/below/pipe"
echo content >"$work/file"
odd=("$pipe" /dev/zero "$work/logs" /proc/kmsg)

# every_setting: the names of all variables that settings come from.
every_setting() { "$iolite" config --json | grep -oE '"(IOLITE|DARSHAN|DXT)_[A-Z0-9_]+"' | tr -d '"' | sort -u; }
mapfile -t settings < <(every_setting)
[ ${#settings[@]} -gt 30 ] || give_up "config names ${#settings[@]} variables only"

# preloaded NAME=VALUE...: cat, with these, says what it says without.
preloaded() {
    timeout $patience env "$@" LD_PRELOAD="$library" cat "$work/file" >"$work/out" 2>"$work/err"
    local got=$?
    [ $got = 0 ] || fail "preloaded, $*: status $got"
    [ "$(cat "$work/out")" = content ] || fail "preloaded, $*: '$(cat "$work/out")'"
}

# waits_not NAME=VALUE... -- ARGUMENTS...: a command that ends, well or not.
waits_not() {
    local set=()
    while [ "$1" != -- ]; do set+=("$1"); shift; done
    shift
    timeout $patience env "${set[@]}" "$iolite" "$@" >"$work/out" 2>"$work/err" </dev/null
    [ $? -lt 124 ] || fail "${set[*]} iolite $*: it waits"
}

for name in "${settings[@]}"; do preloaded "$name=$pipe" IOLITE_LOG_DIR="$work/logs"; done
for value in "${odd[@]}"; do
    for name in IOLITE_CONFIG DARSHAN_CONFIG_PATH IOLITE_MODULES IOLITE_LUSTRE_STATUS; do
        preloaded "$name=$value" IOLITE_LOG_DIR="$work/logs"
        waits_not "$name=$value" -- run -q -o "$work/log" -- cat "$work/file"
        [ "$(cat "$work/out")" = content ] || fail "run, $name=$value: '$(cat "$work/out")'"
        rm -f "$work/log"
        waits_not "$name=$value" -- config
        waits_not "$name=$value" -- doctor -- cat
    done
    preloaded "TZ=:$value" IOLITE_LOG_DIR="$work/logs"
    waits_not "TZ=:$value" -- run -q -o "$work/log" -- cat "$work/file"
    waits_not "TZ=$value" -- show "$demo"
    rm -f "$work/log"
    for name in IOLITE_SITE_CONFIG IOLITE_CONNECTORS IOLITE_HDF5 IOLITE_STORE IOLITE_LIBRARY; do
        [ "$name $value" != "IOLITE_STORE /proc/kmsg" ] || continue # an empty file is an index to be made
        waits_not "$name=$value" -- jobs
        waits_not "$name=$value" -- site-check
        waits_not "$name=$value" -- job "$demo"
    done
done
preloaded TZ=Pipe TZDIR="$work/zones" IOLITE_LOG_DIR="$work/logs"
waits_not TZ=Pipe TZDIR="$work/zones" -- show "$demo"

# Files that a home leads to.
mkdir -p "$work/config/iolite"
mkfifo "$work/config/iolite/insight.rules"
waits_not XDG_CONFIG_HOME="$work/config" -- diagnose "$demo"
grep -q "is not a regular file" "$work/err" || fail "a pipe as rules: $(cat "$work/err")"

# Modules that can be loaded still are, and what cannot is named once.
status 0 env IOLITE_MODULES="$pipe" "$iolite" run -o "$work/log" -- cat "$work/file"
[ "$(grep -c "a module is left out: $pipe: it is no file" "$work/err")" = 1 ] || fail "not said once: $(cat "$work/err")"
finish
