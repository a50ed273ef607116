#!/usr/bin/env bash
# Measures what Iolite adds to a program: instructions per call (callgrind; they repeat exactly), then time, as medians of
# runs that take turns. Usage: bench/runtime.sh BIN-DIRECTORY TOOL-DIRECTORY. Status 1 if a budget is exceeded.
# shellcheck source=bench/bench.bash
. "$(dirname "$0")/bench.bash"

# Instructions ----------------------------------------------------------------------------------------------------

# a_call HOW KIND: instructions of one more call.
a_call() {
    local few many
    few=$(count "$1" "$tools/io-loop" "$2" 1000 "$work/files")
    many=$(count "$1" "$tools/io-loop" "$2" 9000 "$work/files")
    calculate %.1f "($many - $few) / 8000"
}

instructions() { # WHAT KIND HOW LIMIT
    local plain with added
    plain=$(a_call plain "$2")
    with=$(a_call "$3" "$2")
    added=$(calculate %.1f "$with - $plain")
    verdict "$added" "$4"
    print "$1" "$plain" "$added" "$4" "$mark"
}

whole() { # WHAT HOW LIMIT COMMAND...
    local what=$1 how=$2 limit=$3 plain with added
    shift 3
    plain=$(count plain "$@")
    with=$(count "$how" "$@")
    added=$((with - plain))
    verdict "$added" "$limit"
    print "$what" "$plain" "$added" "$limit" "$mark"
}

# What was compiled how, because instruction counts depend on it.
options_of() { # OBJECT
    grep -m 1 -e "$1" "$bin/../compile_commands.json" | tr ' ' '\n' | grep -E '^-(O|f|DNDEBUG)' | tr '\n' ' '
}
built_with() {
    local cache=$bin/../CMakeCache.txt compiler
    [ -r "$cache" ] && [ -r "$bin/../compile_commands.json" ] || return 0
    compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$cache")
    echo "Program: io-loop (bench/io_loop.c). Compiler: $("$compiler" --version | head -n 1)."
    echo "Program compiled with: $(options_of 'io-loop.dir/bench/io_loop.c.o')"
    echo "Library compiled with: $(options_of 'runtime/process/start.c.o')"
}

if command -v valgrind >/dev/null; then
    built_with
    print "instructions" "plain" "added" "at most" ""
    instructions "pread, 8 bytes" pread on 180
    instructions "pwrite, 8 bytes" pwrite on 180
    instructions "pwrite, traced" pwrite traced -
    instructions "pwrite, with its chain of callers" pwrite where 250
    instructions "lseek" lseek on -
    instructions "fwrite, 8 bytes" fwrite on 120
    instructions "fputc" fputc on -
    instructions "open and close" open on 500
    instructions "stat" stat on 180
    instructions "read of a descriptor that is not tracked" zero on 40
    instructions "write and read of a pipe" pipe on 40
    instructions "pwrite, Iolite switched off" pwrite off -
    whole "the smallest program, preloaded" on 800000 "$tools/io-loop" nothing 0 "$work/files"
    whole "the smallest program, under iolite run" run 1500000 "$tools/io-loop" nothing 0 "$work/files"
    whole "a program that uses one file, preloaded" on 1500000 "$tools/io-loop" pwrite 1 "$work/files"
    whole "a program that uses one file, under iolite run" run 1500000 "$tools/io-loop" pwrite 1 "$work/files"
else
    echo "no instruction counts: there is no valgrind"
fi

# Memory ----------------------------------------------------------------------------------------------------------

# What a process takes more, at its peak; the end of it, and the log, included.
memory() { # WHAT FILES LIMIT-KIB
    local plain with added
    read -r _ _ plain < <("$tools/measure" 1 "$tools/io-loop" files "$2" "$work/files")
    read -r _ _ with < <(LD_PRELOAD=$library "$tools/measure" 1 "$tools/io-loop" files "$2" "$work/files")
    added=$((with - plain))
    verdict "$added" "$3"
    print "$1" "$plain" "$added" "$3" "$mark"
}

echo
print "peak memory, KiB" "plain" "added" "at most" ""
memory "1,000 files, one after the other" 1000 3174
memory "20,000 files: 8 MiB and the library" 20000 9728
memory "100,000 files: 8 MiB and the library" 100000 9728

# Time ------------------------------------------------------------------------------------------------------------

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

once() { # HOW KIND COUNT THREADS [shared]: nanoseconds per call
    with_iolite "$1" "$tools/io-loop" "$2" "$3" "$work/files" "${@:4}"
}

# times COUNT CASES: medians of all cases "HOW:KIND:THREADS" or "HOW:KIND:THREADS:shared", in turns; they go to median_of.
times() {
    local number=$1 round case how kind threads shared
    shift
    rm -f "$work"/time.*
    for ((round = 0; round < rounds; round++)); do
        for case in "$@"; do
            IFS=: read -r how kind threads shared <<<"$case"
            once "$how" "$kind" "$number" "$threads" "$shared" >>"$work/time.$case"
        done
    done
    for case in "$@"; do median_of[$case]=$(median <"$work/time.$case"); done
}

# What Darshan 3.5 adds to a call was measured on one machine, where an fwrite of 8 bytes without it took 12.4 ns: nothing
# but code of libc. This machine is as many times slower as that call takes longer here, and so are the budgets larger. (A
# share of the system call itself would be no measure: how long the kernel takes differs by more than processors do.)
declare -A median_of
times 1000000 plain:fwrite:0
slower=$(calculate %.2f "${median_of[plain:fwrite:0]} / 12.4")
timing() { # WHAT CASE-TAIL COUNT NS-THERE
    local plain on added most=-
    times "$3" "plain:$2" "on:$2"
    plain=${median_of[plain:$2]} on=${median_of[on:$2]}
    added=$(calculate %.1f "$on - $plain")
    [ "$4" = - ] || most=$(calculate %.1f "$4 * $slower")
    verdict "$added" "$most"
    print "$1" "$plain" "$added" "$most" "$(calculate %.2f "$on / $plain") $mark"
}

echo
echo "An fwrite takes $slower times as long as where Darshan was measured."
print "time, ns per call, one thread" "plain" "added" "at most" "with / without"
timing "pread, 8 bytes: a fourth of Darshan's 171" pread:0 100000 42.75
timing "pwrite, 8 bytes: a fourth of Darshan's 164" pwrite:0 60000 41
timing "fwrite, 8 bytes" fwrite:0 1000000 50
timing "lseek" lseek:0 200000 -
timing "fputc" fputc:0 2000000 -
timing "open and close" open:0 20000 -
timing "read of a descriptor that is not tracked" zero:0 200000 -
timing "write and read of a pipe" pipe:0 60000 -

echo
print "time, ns per call, two threads" "plain" "added" "at most" "with / without"
timing "pwrite, one file per thread: a fifth of Darshan's 236" pwrite:2 150000 47.2
timing "pwrite, both on one descriptor: the same" pwrite:2:shared 150000 47.2

# What is locked as soon as there is a second thread is compared with itself: one working thread in a process of two.
threads() { # WHAT KIND COUNT
    times "$3" "plain:$2:1" "on:$2:1" "plain:$2:2" "on:$2:2"
    local one two ratio
    one=$(calculate %.1f "${median_of[on:$2:1]} - ${median_of[plain:$2:1]}")
    two=$(calculate %.1f "${median_of[on:$2:2]} - ${median_of[plain:$2:2]}")
    ratio=$(calculate %.2f "$two / ($one > 1 ? $one : 1)")
    verdict "$ratio" 1.2
    print "$1" "$one" "$two" 1.2 "$ratio $mark"
}

echo
print "time added a call, ns, one file per thread" "one thread" "two threads" "ratio below" ""
threads "pread, 8 bytes" pread 300000
threads "pwrite, 8 bytes" pwrite 150000
threads "fwrite, 8 bytes" fwrite 1000000

times 60000 plain:pwrite:0 traced:pwrite:0
added=$(calculate %.1f "${median_of[traced:pwrite:0]} - ${median_of[plain:pwrite:0]}")
echo
print "time" "plain" "added" "at most" ""
most=$(calculate %.1f "100 * $slower")
verdict "$added" "$most"
print "pwrite, traced, ns: 100" "${median_of[plain:pwrite:0]}" "$added" "$most" "$mark"

starts() { # WHAT LIMIT PLAIN WITH
    local plain with added
    read -r plain with < <("$tools/interleave" $((rounds * 9)) "$3" "$4")
    added=$((with - plain))
    verdict "$added" "$2"
    print "$1" "$plain" "$added" "$2" "$mark"
}

starts "/bin/true, preloaded, us" 1500 /bin/true "LD_PRELOAD=$library /bin/true"
starts "/bin/true, preloaded but off, us" - /bin/true "IOLITE_DISABLE=1 LD_PRELOAD=$library /bin/true"
starts "a program that uses one file, preloaded, us" - "$tools/io-loop pwrite 1 $work/files" \
    "LD_PRELOAD=$library $tools/io-loop pwrite 1 $work/files"
starts "iolite run /bin/true, us" - /bin/true "$bin/iolite run --log-dir $work/logs -- /bin/true"
exit "$status"
