#!/usr/bin/env bash
# What Iolite costs short programs: instructions of whole programs (callgrind; they repeat exactly), processor time of
# many forks and of programs that only look at names, and the time that `iolite run` adds, as medians of runs that take
# turns. Usage: bench/short.sh BIN-DIRECTORY TOOL-DIRECTORY. Status 1 if a budget is exceeded.
# shellcheck source=bench/bench.bash
. "$(dirname "$0")/bench.bash"
mkdir "$work/tree" "$work/thousand"

# 700 files of up to 5 kB in ten folders; 1,000 empty ones.
for i in {1..700}; do
    [ -d "$work/tree/$((i % 10))" ] || mkdir "$work/tree/$((i % 10))"
    head -c $((i * 37 % 5000)) /dev/zero >"$work/tree/$((i % 10))/file$i"
done
for i in {1..1000}; do
    [ -d "$work/thousand/$((i % 20))" ] || mkdir "$work/thousand/$((i % 20))"
    echo "$i" >"$work/thousand/$((i % 20))/file$i"
done

# Instructions ----------------------------------------------------------------------------------------------------

whole() { # WHAT LIMIT-OF-ALL COMMAND...
    local what=$1 limit=$2 plain with
    shift 2
    plain=$(count plain "$@")
    with=$(count on "$@")
    verdict "$with" "$limit"
    print "$what" "$plain" "$with" "$limit" "$mark"
}

if command -v valgrind >/dev/null; then
    print "instructions of all" "plain" "preloaded" "at most" ""
    cd "$work"
    whole "$(tar --version | sed -n 1p), 700 files" 12000000 tar cf "$work/x.tar" tree
    whole "find, 1,000 files" 9000000 find thousand -type f -size +0
else
    echo "no instruction counts: there is no valgrind"
fi

# Compression: what the end of tar does with its records.
if [ -x "$tools/packing" ] && command -v valgrind >/dev/null; then
    rm -f "$work"/logs/*
    (cd "$work" && LD_PRELOAD=$library tar cf "$work/x.tar" tree)
    log=$(echo "$work"/logs/*tar*)
    packed() { # HOW
        local one three
        one=$(count plain "$tools/packing" "$1" 1 "$log")
        three=$(count plain "$tools/packing" "$1" 3 "$log")
        read -r _ bytes nanoseconds < <("$tools/packing" "$1" 20 "$log")
        instructions=$(((three - one) / 2))
    }
    echo
    print "POSIX records of that tar, compressed" "instructions" "bytes" "us" ""
    packed 1
    least=$instructions
    packed zlib
    theirs=$instructions
    for how in quick own zlib 1 6; do
        packed "$how"
        mark=
        [ "$how" != quick ] || verdict "$instructions" "$((least / 2))"
        [ "$how" != own ] || verdict "$instructions" "$((theirs * 2 / 3))"
        case $how in
        quick) what="a single process: one pass, fixed codes" ;;
        own) what="ranks of a job: the cheapest way" ;;
        zlib) what="zlib, as Darshan" ;;
        *) what="libdeflate, level $how" ;;
        esac
        print "$what" "$instructions" "$bytes" "$((nanoseconds / 1000))" "$mark"
    done
fi

# Time ------------------------------------------------------------------------------------------------------------

ratio() { # WHAT LIMIT PLAIN WITH
    local times
    times=$(calculate %.2f "$4 / $3")
    verdict "$times" "$2"
    print "$1" "$3" "$4" "$2" "$times $mark"
}
# in_turns ROUNDS PLAIN WITH: user and system time of all processes of each, medians in microseconds.
in_turns() { read -r plain with < <("$tools/interleave" -c "$1" "$2" "$3"); }

echo
print "processor time, us" "plain" "iolite run" "at most" "ratio"
in_turns $((rounds * 3)) /bin/true "$bin/iolite run -q -- /bin/true"
ratio "/bin/true: 2.5 ms where plain takes 0.9" 2.78 "$plain" "$with"
in_turns "$rounds" "$tools/forks 300 $work/files" "$bin/iolite run -q -- $tools/forks 300 $work/files"
ratio "300 forks that write a file each" 2.5 "$plain" "$with"

added() { # WHAT LIMIT-US COMMAND: what a preload adds
    in_turns "$rounds" "$3" "LD_PRELOAD=$library $3"
    verdict "$((with - plain))" "$2"
    print "$1" "$plain" "+$((with - plain))" "$2" "$mark"
}
echo
print "processor time, us" "plain" "added" "at most" ""
added "find, 1,000 files" 3000 "find $work/thousand -type f -size +0"
if command -v git >/dev/null && git init -q "$work/thousand" && git -C "$work/thousand" add . 2>/dev/null; then
    added "git status, 1,000 files" 8000 "git -C $work/thousand status --short"
fi
exit "$status"
