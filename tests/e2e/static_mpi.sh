#!/usr/bin/env bash
# MPI programs that are linked with their MPI and with Iolite, in C and Fortran, say the same of what they did as their
# dynamic twins that it is preloaded into: linked with MPICH's static library, and with no shared library at all. Those
# that are linked with Iolite and with a shared MPI, of either kind, say the same as far as the program itself goes.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/counters.bash
. "$(dirname "$0")/counters.bash"
programs=$(cd "$(dirname "$0")/../static" && pwd)
libraries=$(cd "$IOLITE_BIN/../lib" && pwd)
bin=$IOLITE_BIN
unset "${!IOLITE_@}" "${!DARSHAN_@}"
export HOME=$work/home IOLITE_MMAP_DIR=$work/records IOLITE_MOD_ENABLE=APMPI
mkdir "$HOME" "$IOLITE_MMAP_DIR"
: "${MPICC_openmpi:=}" "${MPICC_mpich:=}" "${MPIRUN_mpich:=}"
tried=0
for abi in mpich openmpi; do
    compiler=MPICC_$abi
    [ -n "${!compiler:-}" ] && "$iolite" link-flags --static --mpi $abi >"$work/flags.$abi" 2>/dev/null && tried=1
done
[ $tried = 1 ] || {
    echo "skipped: there is no libiolite-mpi-*.a" >&2
    exit 77
}
tried=0

# make PROGRAM COMMAND...
make() {
    local program=$1
    shift
    "$@" -o "$work/$program" 2>"$work/err" || {
        fail "cannot be linked: $*: $(grep -v 'in function' "$work/err" | head -n 3)"
        return 1
    }
}

# launch ABI COMMAND...: on three ranks, in a new directory of always the same name.
launch() {
    local launcher=MPIRUN_$1
    shift
    rm -rf "$work/here"
    mkdir "$work/here"
    # shellcheck disable=SC2086  # options stand behind it
    (cd "$work/here" && timeout 120 ${!launcher} -n 3 "$@")
}

# counters LABEL: those of the one log there is.
counters() {
    [ "$(find "$work/logs" -name '*.darshan' | wc -l)" = 1 ] || fail "$1: $(find "$work/logs" -type f | wc -l) logs"
    lasting "$work"/logs/*.darshan >"$work/$1.counters"
    "$iolite" dump --json "$work"/logs/*.darshan | grep -o '"nprocs": *[0-9]*' | head -n 1 >>"$work/$1.counters"
    rm -rf "$work/logs"
}

recorded() { # LABEL ABI COMMAND...
    local label=$1
    shift
    IOLITE_LOG_DIR=$work/logs launch "$@" >"$work/out" 2>"$work/err" ||
        fail "$label: status $?: $(head -n 2 "$work/err")"
    counters "$label"
    grep -q '^MPI-IO,-1,.*/shared' "$work/$label.counters" || fail "$label: MPI-IO of all ranks is not recorded"
}

same() { # LABEL
    tried=$((tried + 1))
    cmp -s "$work/$1.counters" "$work/twin.counters" ||
        fail "$1: other counters than the dynamic twin's: $(diff "$work/$1.counters" "$work/twin.counters" | head -n 4)"
}

# twin ABI SOURCE COMPILER OPTIONS...: the program as it is, preloaded.
twin() {
    local abi=$1 source=$programs/$2
    shift 2
    make twin "$@" "$source" && recorded twin "$abi" env LD_PRELOAD="$libraries/libiolite.so" "$work/twin"
}

# What a shared library does is not seen from within the program.
for abi in mpich openmpi; do
    [ -s "$work/flags.$abi" ] || continue
    compiler=MPICC_$abi
    twin $abi ranks.c "${!compiler}"
    # shellcheck disable=SC2046  # they are words
    make shared "${!compiler}" "$programs/ranks.c" $(cat "$work/flags.$abi") && recorded shared $abi "$work/shared"
    cp "$work/twin.counters" "$work/$abi.twin"
    grep -v '^POSIX,.*/shared[,.]' "$work/$abi.twin" >"$work/twin.counters"
    same shared
done

# MPICH from its static library. What that needs is linked as it comes; or all of it statically, but for a library that
# tells the names of devices and that there is no static form of.
cat >"$work/udev.c" <<'END'
void *udev_new(void) { return 0; }
void *udev_unref(void *u) { return u; }
void *udev_device_unref(void *u) { return u; }
void *udev_device_new_from_subsystem_sysname(void *u, const char *a, const char *b) { return a && b ? (void *)0 : u; }
const char *udev_device_get_property_value(void *u, const char *a) { return u && a ? (void *)0 : 0; }
END
cc -c "$work/udev.c" -o "$work/udev.o"
forced=-Wl,-u,uct_init,-u,ucs_init,-u,ucp_global_init
all="-Wl,--start-group -lmpich -lucp -luct -lucs -lucm -lhwloc -Wl,--end-group -lrt -lm -lpthread"

# inside LABEL SOURCE COMPILER OPTIONS...
inside() {
    local label=$1 source=$programs/$2 fortran=
    shift 2
    case $source in *.F90) fortran="-static-libgfortran $libmpichfort" ;; esac
    # shellcheck disable=SC2086
    make "$label" "$@" $folders "$source" $flags $fortran "$libmpich" -lucp -lucs -lhwloc -lm -lpthread &&
        recorded "$label" mpich "$work/$label" && same "$label"
    # shellcheck disable=SC2086
    "$@" -static $forced $folders "$source" "$work/udev.o" $fortran $all -o "$work/plain" 2>/dev/null || return
    # shellcheck disable=SC2086
    make "static-$label" "$@" -static $forced $folders "$source" "$work/udev.o" $flags $fortran $all &&
        recorded "static-$label" mpich "$work/static-$label" && same "static-$label"
}

if [ -s "$work/flags.mpich" ]; then
    libmpich=$("$MPICC_mpich" -print-file-name=libmpich.a)
    libmpichfort=$("$MPICC_mpich" -print-file-name=libmpichfort.a)
    folders=$("$MPICC_mpich" -show | tr ' ' '\n' | grep '^-I')
    flags=$(cat "$work/flags.mpich")
fi
if [ -f "${libmpich:-}" ]; then
    fortran=${MPICC_mpich/mpicc/mpif90}
    if [ -x "$fortran" ] && [ -f "$libmpichfort" ]; then
        twin mpich ranks.F90 "$fortran" && inside fortran ranks.F90 gfortran
        twin mpich ranks.F90 "$fortran" -DF08 && inside fortran08 ranks.F90 gfortran -DF08
    fi
    cp "$work/mpich.twin" "$work/twin.counters"
    inside inside ranks.c cc

    # Preloaded as well, by hand or by a run: the preloaded one cannot see its MPI, and leaves it to the other. Counted
    # once.
    recorded both mpich env LD_PRELOAD="$libraries/libiolite.so" "$work/inside" && same both
    launch mpich true
    (cd "$work/here" && "$iolite" run --quiet --log-dir "$work/logs" -- "$MPIRUN_mpich" -n 3 "$work/inside") ||
        fail "under run: status $?"
    for log in "$work"/logs/*_others*; do
        [ ! -e "$log" ] || ! "$iolite" dump --csv "$log" | grep -q /here/ || fail "under run: files of a rank in $log"
        rm -f "$log"
    done
    counters run && same run

    # The order of build scripts: one list before the objects, another behind the libraries. MPI or not.
    pre=$("$bin/darshan-config" --mpi mpich --pre-ld-flags)
    post=$("$bin/darshan-config" --mpi mpich --post-ld-flags)
    # shellcheck disable=SC2086
    make script cc $pre $folders "$programs/ranks.c" "$libmpich" -lucp -lucs -lhwloc -lm -lpthread $post &&
        recorded script mpich "$work/script" && same script
    # shellcheck disable=SC2086
    make serial cc $pre "$programs/files.c" -lpthread $post && launch mpich true && cd "$work" && status 0 "$work/serial"

    # Switched off, it is a program like any other; ended by MPI_Abort, its records are there.
    rm -rf "$work/logs"
    IOLITE_DISABLE=1 IOLITE_LOG_DIR=$work/logs launch mpich "$work/inside" >/dev/null 2>&1 || fail "disabled: status $?"
    [ ! -e "$work/logs" ] || fail "it is recorded although it is switched off"
    IOLITE_LOG_DIR=$work/logs launch mpich "$work/inside" abort >/dev/null 2>&1 && fail "aborted, and no status"
    status 0 "$iolite" merge --output "$work/aborted.darshan" "$IOLITE_MMAP_DIR"
    "$iolite" dump --csv "$work/aborted.darshan" | grep -q '^POSIX,.*POSIX_WRITES,[1-9].*/rank\.' ||
        fail "records of an abort"
    rm -rf "$work/logs"

    # Linked for the wrong MPI, if that is possible at all, it leaves MPI alone.
    # shellcheck disable=SC2086
    if [ -n "$MPICC_openmpi" ] && "$MPICC_openmpi" "$programs/ranks.c" $flags -o "$work/wrong" 2>/dev/null; then
        IOLITE_LOG_DIR=$work/logs launch openmpi "$work/wrong" >/dev/null 2>&1 ||
            fail "linked for the wrong MPI: status $?"
    fi
fi

# Nothing of ours is visible but what has our name.
for library in "$libraries"/libiolite-mpi-*.a; do
    visible=$(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }' |
        grep -v -e '^__wrap_P\{0,1\}MPI_' -e '^iolite_')
    [ -z "$visible" ] || fail "visible in $library: $visible"
done
echo "$tried programs compared" >&2
finish
