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
        quick) what="a single process: one pass" ;;
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

# Scripts of many short processes: plain, with an empty library, as in a batch job of a site that preloads Iolite, and under
# `iolite run`. The empty one shows what any preload costs here.
script() { # NAME: its text comes from standard input
    cat >"$work/$1.sh"
}
script cats <<END
i=0
while [ \$i -lt 100 ]; do cat $work/tree/1/file1; i=\$((i + 1)); done
END
script trues <<END
i=0
while [ \$i -lt 100 ]; do /bin/true; i=\$((i + 1)); done
END
script configure <<END
cd $work/files
exec 5>config.log
for name in a b c d e f g h i j k l m n o p q r s t; do
    echo "configure: checking for \$name" >&5
    echo "int main(void) { return sizeof(\"\$name\"); }" >conftest.c
    (eval "cc -c conftest.c") 2>conftest.err
    if test -s conftest.err; then cat conftest.err >&5; fi
    value=\`echo "\$name" | sed 's/x/y/'\`
    expr "x\$value" : 'x\\(.*\\)' >/dev/null
    grep -c main conftest.c >/dev/null
    rm -f conftest.c conftest.o conftest.err
done
END
script make60 <<END
cd $work/files
rm -f m*.o
make -s -j2 -f $work/Makefile
END
for i in {1..60}; do echo "int f$i(void) { return $i; }" >"$work/files/m$i.c"; done
printf 'all: %s\n%%.o: %%.c\n\tcc -c $< -o $@\n' "$(printf 'm%d.o ' {1..60})" >"$work/Makefile"
scripts() { # WHAT LIMIT COMMAND
    local job run empty
    read -r plain empty job run < <("$tools/interleave" -c "$((rounds / 3 + 1))" "$3" "LD_PRELOAD=$tools/empty.so $3" \
        "SLURM_JOB_ID=1 LD_PRELOAD=$library $3" "$bin/iolite run -q -- $3")
    verdict "$(calculate %.2f "$job / $plain")" "$2"
    print "$1" "$(calculate %.2f "$empty / $plain")" "$(calculate %.2f "$job / $plain")" "$2" \
        "$(calculate %.2f "$run / $plain") $mark"
    IOLITE_LOG_DIR=$work/logs "$bin/iolite" merge --leftovers >/dev/null
}
echo
mapped=$work/shm # of the same kind as /dev/shm where that is there
if [ -w /dev/shm ]; then
    mapped=$(mktemp -d /dev/shm/iolite-bench-XXXXXX)
    trap 'rm -rf "$work" "$mapped"' EXIT
else
    mkdir "$mapped"
fi
export IOLITE_MMAP_DIR=$mapped
print "processor time, times plain" "empty" "in a job" "at most" "iolite run"
scripts "100 times cat" 1.25 "sh $work/cats.sh"
scripts "100 times true" - "sh $work/trues.sh"
scripts "300 forks that write a file each" 1.6 "$tools/forks 300 $work/files"
if command -v cc >/dev/null && command -v make >/dev/null; then
    scripts "configure, 20 checks" 1.10 "sh $work/configure.sh"
    scripts "make -j2, 60 files" 1.10 "sh $work/make60.sh"
fi
unset IOLITE_MMAP_DIR

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
