# shellcheck shell=bash disable=SC2154 # tools, rounds and work are of bench.bash
# Rows of the runtime: what Iolite adds to the calls of a program. Each function prints a figure.

# added_to FEW MANY COMMAND...: instructions that one more call takes with Iolite, less those without; the word "/N" of
# the command stands for the number of calls.
added_to() {
    local few=$1 many=$2 how number counts=()
    shift 2
    command -v valgrind >/dev/null || {
        echo "there is no valgrind"
        return 77
    }
    for how in plain on; do
        for number in "$few" "$many"; do
            counts+=("$(count "$how" "${@/%\/N/$number}")")
        done
    done
    calculate %.1f "(${counts[3]} - ${counts[2]} - ${counts[1]} + ${counts[0]}) / ($many - $few)"
}

added_instructions() { added_to 1000 5000 "$tools/io-loop" "$1" /N "$work/files"; } # KIND

# The program is built here, with the compiler of that MPI, and runs as a job of one rank.
added_to_mpi() { # openmpi | mpich, open | write
    command -v "mpicc.$1" >/dev/null || {
        echo "there is no mpicc.$1"
        return 77
    }
    [ -x "$work/mpi-loop.$1" ] || "mpicc.$1" -O2 -o "$work/mpi-loop.$1" "$(dirname "${BASH_SOURCE[0]}")/../mpi_loop.c" >&2
    local few=20 many=220
    if [ "$2" = write ]; then few=100 many=2100; fi
    added_to "$few" "$many" "$work/mpi-loop.$1" "$2" /N "$work/files/of-mpi"
}

# added_time KIND THREADS COUNT: nanoseconds of processor time, medians of runs that take turns.
added_time() {
    local round how
    rm -f "$work"/row.*
    for ((round = 0; round < rounds; round++)); do
        for how in plain on; do
            with_iolite "$how" "$tools/io-loop" "$1" "$3" "$work/files" "$2" >>"$work/row.$how"
        done
    done
    calculate %.1f "$(middle_of "$work/row.on") - $(middle_of "$work/row.plain")"
}
middle_of() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# Instructions that a whole program takes more with the library than without.
added_to_program() { # COMMAND...
    local plain on
    command -v valgrind >/dev/null || {
        echo "there is no valgrind"
        return 77
    }
    plain=$(count plain "$@")
    on=$(count on "$@")
    calculate %.0f "$on - $plain"
}

one_file_program() { added_to_program "$tools/io-loop" files 1 "$work/files"; }

# Bytes of a process's log per file that it makes, writes and removes; with enough memory for a record of each.
log_bytes() { # FILES
    rm -rf "$work/bytes"
    mkdir "$work/bytes"
    IOLITE_MEMORY=512 IOLITE_LOG_DIR=$work/bytes with_iolite on "$tools/io-loop" files "$1" "$work/files" >/dev/null
    calculate %.1f "$(cat "$work"/bytes/* | wc -c) / $1"
}

# Instructions of `iolite run` itself for one more process of its tree, which forks and records a file.
run_instructions() {
    local number counts=()
    command -v valgrind >/dev/null || {
        echo "there is no valgrind"
        return 77
    }
    for number in 100 300; do
        counts+=("$(count plain "$bin/iolite" run -q --log-dir "$work/logs" -- "$tools/forks" "$number" "$work/files")")
    done
    calculate %.0f "(${counts[1]} - ${counts[0]}) / 200"
}

# A tree of 3,000 small files, which git knows.
made_tree() {
    local folder file
    [ ! -e "$work/tree/.git" ] || return 0
    for folder in {1..30}; do
        mkdir -p "$work/tree/$folder"
        for file in {1..100}; do echo "$folder $file" >"$work/tree/$folder/$file"; done
    done
    git init -q "$work/tree" && git -C "$work/tree" add . >&2
}

# Processor time of a program that looks at each file of the tree, in times of plain.
times_plain() { # on | run, git | find
    local how=$1 command="find $work/tree -type f -size +0" plain with
    command -v git >/dev/null || {
        echo "there is no git"
        return 77
    }
    made_tree
    [ "$2" != git ] || command="git -C $work/tree status --short"
    case $how in
    on) how="LD_PRELOAD=$library $command" ;;
    run) how="$bin/iolite run -q --log-dir $work/logs -- $command" ;;
    esac
    read -r plain with < <("$tools/interleave" -c "$rounds" "$command" "$how")
    calculate %.2f "$with / $plain"
}
