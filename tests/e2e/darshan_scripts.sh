#!/usr/bin/env bash
# What users of Darshan have in their scripts, as its documentation describes it, runs unchanged: the tools with their options, the questions to
# darshan-config, the library by its name, and the variables.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
need_library
export HOME=$work PATH=${iolite%/*}:$PATH IOLITE_MMAP_DIR=$work
cd "$work" || exit 1

# Reading a log.
bytes=$(darshan-parser "$demo" | grep -v '^#' | awk '$1 == "POSIX" && $4 == "POSIX_BYTES_WRITTEN" { sum += $5 } END { print sum }')
[ "${bytes:-0}" -gt 1000000 ] || fail "bytes written by a script: $bytes"
status 0 darshan-parser --total "$demo"
[ "$(awk -F': ' '$1 == "total_POSIX_BYTES_WRITTEN" { print $2 }' "$work/out")" = "$bytes" ] || fail "the total is another"
status 0 darshan-parser --perf "$demo"
has agg_perf_by_slowest
status 0 darshan-parser --base --file "$demo"
has POSIX_OPENS
has '# <file_type>'
status 0 darshan-parser --all "$demo"
for value in exe uid jobid nprocs 'run time'; do darshan-parser "$demo" | grep -q "^# $value: " || fail "no line '# $value:'"; done
status 0 darshan-dxt-parser "$demo"
has '# DXT, file_id'

# Reports and conversions.
status 0 darshan-job-summary.pl "$demo" --output summary.html
grep -qi '<!doctype html>' summary.html || fail "no page"
status 0 darshan-job-summary.pl --summary --verbose "$demo"
[ "$(find . -name 'demo*.html' | wc -l)" = 1 ] || fail "no page under the log's name"
status 0 darshan-summary-per-file.sh "$demo" pages
[ "$(find pages -name '*.html' | wc -l)" = 18 ] || fail "$(find pages -name '*.html' | wc -l) pages of 18 files"
# A page is of its file alone.
grep -q 'run7/result\.1' pages/result.1-*.html || fail "the page of result.1 is about something else"
! grep -q -e 'run7/result\.2' -e 'run7/checkpoint\.dat' pages/result.1-*.html || fail "the page of result.1 has other files"
status 4 darshan-summary-per-file.sh "$demo" nowhere/pages
status 1 darshan-summary-per-file.sh "$demo"
status 0 darshan-convert --bzip2 "$demo" small.darshan
status 0 darshan-convert --obfuscate --key 17 "$demo" hidden.darshan
darshan-parser hidden.darshan | grep -q /scratch/ana && fail "names are not hidden"
status 0 darshan-diff "$demo" small.darshan
mkdir logs && cp "$demo" logs/
status 0 darshan-analyzer logs

# Recording, by the library's name and the variables.
libdir=$(darshan-config --libdir)
[ -e "$libdir/libdarshan.so" ] || fail "no libdarshan.so in $libdir"
echo text >input
mkdir -p tree "tree/$(date +%-Y/%-m/%-d)"
recorded() { # pattern
    local found
    found=$(find . -newer mark -name "$1" | head -n 1)
    [ -n "$found" ] || { fail "no log $1"; return; }
    darshan-parser "$found" | grep -q "$work/copy" || fail "$found does not know the file"
}
touch -d '1 second ago' mark
status 0 env LD_PRELOAD="$libdir/libdarshan.so" DARSHAN_ENABLE_NONMPI=1 DARSHAN_LOGFILE="$work/exact.darshan" cp input copy
recorded exact.darshan
status 0 env LD_PRELOAD="$libdir/libdarshan.so" DARSHAN_ENABLE_NONMPI= DARSHAN_LOGPATH="$work/tree" cp input copy
recorded '*_cp_*.darshan'
status 0 env LD_PRELOAD="$libdir/libdarshan.so" DXT_ENABLE_IO_TRACE=1 DARSHAN_LOGFILE="$work/traced.darshan" cp input copy
darshan-dxt-parser traced.darshan | grep -q "file_name: $work/copy" || fail "no trace"
printf 'MAX_RECORDS 5000 POSIX\nMOD_ENABLE DXT_POSIX,DXT_MPIIO\nNAME_EXCLUDE .pyc$,^/bin/ *\n' >darshan.conf
status 0 env LD_PRELOAD="$libdir/libdarshan.so" DARSHAN_CONFIG_PATH="$work/darshan.conf" DARSHAN_LOGFILE="$work/configured.darshan" cp input copy
darshan-dxt-parser configured.darshan | grep -q "file_name: $work/copy" || fail "MOD_ENABLE of the config file does not count"
status 0 env LD_PRELOAD="$libdir/libdarshan.so" DARSHAN_DISABLE=1 DARSHAN_LOGFILE="$work/none.darshan" cp input copy
[ ! -e none.darshan ] || fail "recorded though it was switched off"

# Building.
if command -v cc >/dev/null; then
    printf '#include <stdio.h>\nint main(void) { FILE *f = fopen("copy", "w"); return !f || fclose(f); }\n' >main.c
    # shellcheck disable=SC2046 # they are words
    status 0 cc main.c $(darshan-config --dyn-ld-flags) -o linked
    status 0 env DARSHAN_ENABLE_NONMPI=1 DARSHAN_LOGFILE="$work/linked.darshan" ./linked
    recorded linked.darshan

    # Compilers that stand in for others, by any path, one with a quote in it, and when they are called from elsewhere.
    mkdir -p "it's"
    ln -s "$(command -v cc)" "it's/mpicc"
    status 0 darshan-gen-cc.pl "it's/mpicc" --output wrapped-cc
    status 0 sh -c 'cd / && "$1" -c "$2/main.c" -o "$2/main.o" && "$1" "$2/main.o" -o "$2/wrapped"' - "$work/wrapped-cc" "$work"
    status 0 env DARSHAN_ENABLE_NONMPI=1 DARSHAN_LOGFILE="$work/wrapped.darshan" ./wrapped
    recorded wrapped.darshan
    for word in --version -dumpmachine; do
        [ "$(./wrapped-cc $word)" = "$("it's/mpicc" $word)" ] || fail "the compiler does not answer to $word"
    done
    if printf 'int main(void) { return 0; }\n' | cc -static -x c - -o static 2>/dev/null && [ -e "$libdir/libiolite.a" ]; then
        status 0 ./wrapped-cc -static main.c -o wrapped-static
        status 0 env DARSHAN_ENABLE_NONMPI=1 DARSHAN_LOGFILE="$work/wrapped-static.darshan" ./wrapped-static
        recorded wrapped-static.darshan
    fi
    darshan-gen-cxx.pl cc >printed && darshan-gen-fortran.pl "$(command -v cc)" | grep -q "^compiler='$(command -v cc)'" && sh -n printed ||
        fail "printed: $(cat printed)"
    status 1 darshan-gen-cc.pl no-such-compiler -o nothing
    status 1 darshan-gen-cc.pl
    [ ! -e nothing ] || fail "a script for no compiler"
fi
finish
