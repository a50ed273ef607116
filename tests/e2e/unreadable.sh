#!/usr/bin/env bash
# What cannot be read: every command with --json answers with an object that says so, and with status 3; of several
# logs the others are there too.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
: >"$work/empty"
head -c 3000 /dev/urandom >"$work/noise"
head -c 200 "$demo" >"$work/cut"
mkdir "$work/directory"

for file in "$work"/{nowhere,empty,noise,cut}; do
    for command in show dump trace metrics diagnose "diagnose --mode compat" report check; do
        # shellcheck disable=SC2086
        status 3 "$iolite" $command --json "$file"
        valid_json "$command --json $file"
        has '"errors":'
        grep -q -e '"unreadable": *true' -e '"verdict": *"unreadable"' "$work/out" || fail "$command --json: not said unreadable"
        [ -s "$work/err" ] || [ "$command" = check ] || fail "$command --json: nothing for people"
    done
    for command in show dump trace metrics diagnose check; do
        status 3 "$iolite" $command --json "$demo" "$file" "$demo"
        valid_json "$command --json, one of three is $file"
        has "$file"
    done
    for command in dump trace diagnose; do
        status 3 "$iolite" $command --ndjson "$file"
        valid_json "$command --ndjson $file"
        has '"unreadable":true'
        lines 1
    done
    for logs in "$file $demo" "$demo $file" "$file $file"; do
        for way in "" --by-counters; do
            # shellcheck disable=SC2086
            status 3 "$iolite" compare $way --json $logs
            valid_json "compare $way --json $logs"
            has '"errors":'
        done
    done
    status 3 "$iolite" calibrate --json "$file"
    valid_json "calibrate --json $file"
done
status 3 "$iolite" show --json "$work/directory"
valid_json "show --json of a directory"
finish
