# shellcheck shell=bash disable=SC2154 # bin, tools and work are of bench.bash
# Rows of the commands: what reading, judging, indexing, converting and showing logs costs. Each function prints a figure.

# make_once NAME COMMAND...: a log or directory $work/NAME that a command makes, which gets its path as last argument.
make_once() {
    local made=$work/$1
    shift
    [ -e "$made" ] || "$@" "$made" >&2
}

made_centre() { make_once centre "$tools/make-centre" --logs 3196 --large 0 --broken 0; }
made_files() { make_once files.darshan "$tools/genlog" --ranks 64 --files 100000 --values real; }
made_trace() { make_once trace.darshan "$tools/genlog" --ranks 64 --files 64 --traces 3578 --values real; }
made_long() { make_once long.darshan "$tools/genlog" --ranks 64 --files 64 --traces 7156 --values real; }
made_records() { make_once records.darshan "$tools/genlog" --ranks 1024 --files 1000000 --values real; }

# measured_field FIELD COMMAND...: 1 wall clock, 2 processor seconds, 3 KiB of memory.
measured_field() {
    local field=$1
    shift
    "$tools/measure" "${runs:-5}" "$@" | cut -d ' ' -f "$field"
}

centre_rate() { # index | diagnose: logs per processor second
    local seconds
    made_centre
    if [ "$1" = index ]; then
        seconds=$(IOLITE_SITE_CONFIG=$work/centre/site.json measured_field 2 sh -c \
            "rm -f '$work/rows.db'* && exec '$bin/iolite' index -q -j 1 --store '$work/rows.db'")
    else
        seconds=$(measured_field 2 "$bin/iolite" diagnose -j 1 "$work/centre/logs")
    fi
    calculate %.0f "3196 / $seconds"
}

convert_seconds() { # files | long
    "made_$1"
    measured_field 2 "$bin/iolite" convert --force "$work/$1.darshan" "$work/converted.darshan"
}

records_memory() { # diagnose | report: megabytes
    local kib
    made_records
    if [ "$1" = report ]; then set -- report --output "$work/records.html"; fi
    kib=$(runs=1 measured_field 3 "$bin/iolite" "$@" "$work/records.darshan")
    calculate %.0f "$kib * 1024 / 1e6"
}

trace_page() { # megabytes of HTML
    made_trace
    "$bin/iolite" report --output "$work/trace.html" "$work/trace.darshan" 2>/dev/null
    calculate %.2f "$(stat -c %s "$work/trace.html") / 1e6"
}

trace_seconds() {
    made_trace
    measured_field 2 "$bin/iolite" diagnose "$work/trace.darshan"
}
