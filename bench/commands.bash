# shellcheck shell=bash
# The benchmarks of ./dev bench, which sources this file: what each needs to be built, and how it is started. need, configure,
# build and is_there are ./dev's.

# How long the ranks of an MPI job take to write its log: all numbers of ranks that are given, and a model. With --simulate,
# what the ranks of the largest published jobs would send and hold.
bench_finalize() { # [ranks] | --simulate [options of bench/simulate.py]
    need build test
    configure release -DIOLITE_TESTS=ON
    if [ "${1-}" = --simulate ]; then
        build release iolite simulate >&2
        bench/simulate.py build/tests/simulate build/bin "${@:2}"
        return
    fi
    build release iolite iolite-runtime iolite-plugins >&2
    bench/finalize.py build/lib/libiolite.so build/bin --ranks "${1:-2,8,32}" --real /tmp
}

# What Iolite adds to a parallel job that does nothing but I/O, for each MPI that is here.
bench_overhead() { # [options of bench/overhead.py]
    local abi launcher status=0
    need build test
    configure release -DIOLITE_TESTS=ON
    build release iolite iolite-runtime iolite-plugins >&2
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    for abi in openmpi mpich; do
        is_there command "mpicc.$abi" || continue
        "mpicc.$abi" -O2 bench/overhead.c -o "build/tests/overhead-$abi"
        launcher="mpirun.$abi"
        if [ "$abi" = openmpi ]; then launcher+=" --oversubscribe --mca btl self,vader"; fi
        echo "== $abi"
        bench/overhead.py "build/tests/overhead-$abi" build/lib/libiolite.so build --mpirun "$launcher" "$@" || status=1
    done
    return "$status"
}

# How fast logs get into the index of a centre, and questions out of it.
bench_index() { # [logs]
    need build test
    configure release -DIOLITE_TESTS=ON
    build release iolite make-centre measure >&2
    bench/index.sh build/bin build/tests "${1:-100000}"
}

# How small bundles of logs are, and what reading from them costs.
bench_archive() { # [logs]
    need build test
    configure release -DIOLITE_TESTS=ON
    build release iolite make-centre measure >&2
    bench/archive.sh build/bin build/tests "${1:-10000}"
}

# How fast the server answers, beside nginx with a file.
bench_serve() { # [logs]
    need build test bench
    configure release -DIOLITE_TESTS=ON
    build release iolite make-centre >&2
    bench/serve.sh build/bin build/tests "${1:-100000}"
}

# How fast a day of server data is summarised, and rows of jobs come out of a year of them.
bench_site() { # [days [jobs]]
    need build test bench
    configure release -DIOLITE_TESTS=ON
    build release iolite measure >&2
    bench/site.sh build/bin build/tests "$@"
}

# What findings are said to cost against what their repair saves.
bench_pairs() { # [options of bench/pairs.py]
    local abi options=()
    need build test
    configure release -DIOLITE_TESTS=ON
    build release >&2
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    for abi in openmpi mpich; do
        is_there command "mpicc.$abi" || continue
        options+=(--mpi "$abi=mpirun.$abi")
        if [ "$abi" = openmpi ]; then options[-1]+=" --oversubscribe --bind-to none --mca btl self,vader"; fi
    done
    bench/pairs.py build/bin build/tests "${options[@]}" "$@"
}

# How often findings are right: programs with a fault and sound ones, public twins, and labels by construction.
bench_truth() {
    local launcher status=0
    need build test
    configure release -DIOLITE_TESTS=ON
    build release >&2
    if is_there command mpicc.openmpi; then
        launcher="mpirun.openmpi --oversubscribe --bind-to none --mca btl self,vader"
    elif is_there command mpicc.mpich; then
        launcher=mpirun.mpich
    else
        die 1 "bench truth needs an MPI"
    fi
    bench/truth/programs.py build --mpi "$launcher" || status=1
    echo
    bench/truth/truth.py build --mpi "$launcher" "$@" || status=1
    return "$status"
}

# The axes that have goals, all of them or those that are named: bench/rows/README.md.
bench_rows() { # [row...]
    need build test bench
    configure release -DIOLITE_TESTS=ON
    build release >&2
    bench/rows/rows.sh build/bin build/tests "$@"
}

# Instructions of the usual jobs, and time, memory and size of large logs, against their budgets.
bench_all() {
    need build test bench
    local status=0
    configure release -DIOLITE_TESTS=ON
    build release iolite iolite-runtime genlog measure io-loop interleave forks >&2
    if ninja -C build -t query packing >/dev/null 2>&1; then build release packing >&2; fi
    bench/runtime.sh build/bin build/tests || status=1
    echo
    bench/short.sh build/bin build/tests || status=1
    echo
    bench/instructions.sh build/bin || status=1
    echo
    bench/writing.sh build/bin build/tests || status=1
    if is_there command mpicc.openmpi || is_there command mpicc.mpich; then
        build release iolite-plugins >&2
        bench/finalize.py build/lib/libiolite.so build/bin --ranks 32 --real /tmp --real-only || status=1
    fi
    echo
    bench_rows || status=1
    return "$status"
}
