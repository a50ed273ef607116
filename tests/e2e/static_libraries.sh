#!/usr/bin/env bash
# Programs that are linked with Iolite and with HDF5 or PnetCDF say the same of them as their dynamic twins.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/counters.bash
. "$(dirname "$0")/counters.bash"
programs=$(cd "$(dirname "$0")/../static" && pwd)
libraries=$(cd "$IOLITE_BIN/../lib" && pwd)
unset "${!IOLITE_@}" "${!DARSHAN_@}"
export HOME=$work/home IOLITE_MMAP_DIR=$work/records
mkdir "$HOME" "$IOLITE_MMAP_DIR"
: "${MPICC_openmpi:=}" "${MPIRUN_openmpi:=}"
if ! "$iolite" link-flags --static >/dev/null 2>&1 || ! command -v pkg-config >/dev/null; then
    echo "skipped: there is no libiolite.a, or no pkg-config" >&2
    exit 77
fi
tried=0

# counters LABEL PATTERN COMMAND...: those lines of its log that the pattern takes.
counters() {
    local label=$1 pattern=$2
    shift 2
    rm -rf "$work/here" "$work/logs"
    mkdir "$work/here"
    (cd "$work/here" && IOLITE_LOG_DIR=$work/logs timeout 120 "$@") >"$work/out" 2>"$work/err" ||
        fail "$label: status $?: $(head -n 2 "$work/err")"
    lasting "$work"/logs/*.darshan | grep "$pattern" >"$work/$label.counters"
}

same() { # LABEL MODULE
    grep -q "^$2,.*_WRITES,[1-9]" "$work/$1.counters" || fail "$1: nothing of $2 is recorded"
    cmp -s "$work/$1.counters" "$work/twin.counters" ||
        fail "$1: other counters than the twin's: $(diff "$work/$1.counters" "$work/twin.counters" | head -n 4)"
    tried=$((tried + 1))
}

# Our flags stand before the library that is built on HDF5. Which others HDF5 needs is a matter of its build.
folder=$(pkg-config --libs-only-L hdf5-serial 2>/dev/null | sed 's/^-L//; s/ .*//')
include=$(pkg-config --cflags hdf5-serial 2>/dev/null)
shared=$(pkg-config --libs hdf5-serial 2>/dev/null)
others="-lcrypto -lcurl -lsz -laec -lz -ldl -lm -lpthread"
for way in "" -static; do
    archives="$folder/libhdf5_hl.a $folder/libhdf5.a"
    # shellcheck disable=SC2086  # they are words
    cc $way $include "$programs/datasets.c" $archives $others -o "$work/plain" 2>/dev/null || continue
    # shellcheck disable=SC2086
    cc $include "$programs/datasets.c" $shared -lhdf5_hl -o "$work/twin" || fail "the twin cannot be built"
    counters twin '.' env LD_PRELOAD="$libraries/libiolite.so" "$work/twin"
    for linker in bfd gold lld; do
        echo 'int main(void) { return 0; }' >"$work/empty.c"
        cc "-fuse-ld=$linker" "$work/empty.c" -o "$work/empty" 2>/dev/null || continue
        # shellcheck disable=SC2046,SC2086
        cc $way "-fuse-ld=$linker" $include "$programs/datasets.c" $("$iolite" link-flags --static --hdf5) $archives \
            $others -o "$work/linked" 2>"$work/err" || fail "$linker $way: $(grep undefined "$work/err" | head -n 2)"
        counters linked '.' "$work/linked"
        same linked H5D
    done
done

# PnetCDF as packages have it: for Open MPI. What goes on inside that is not seen from the program.
# shellcheck disable=SC2086
if [ -n "$MPICC_openmpi" ] &&
    "$MPICC_openmpi" "$programs/variables.c" -l:libpnetcdf.a -lm -o "$work/plain" 2>/dev/null &&
    (cd "$work" && timeout 60 $MPIRUN_openmpi -n 2 ./plain); then
    "$MPICC_openmpi" "$programs/variables.c" -lpnetcdf -o "$work/twin" || fail "PnetCDF: the twin cannot be built"
    mine='^\(PNETCDF\|MPI-IO\)'
    counters twin "$mine" $MPIRUN_openmpi -n 2 env LD_PRELOAD="$libraries/libiolite.so" "$work/twin"
    # shellcheck disable=SC2046
    "$MPICC_openmpi" "$programs/variables.c" $("$iolite" link-flags --static --pnetcdf --mpi openmpi) \
        -l:libpnetcdf.a -lm -o "$work/linked" 2>"$work/err" || fail "PnetCDF: $(grep undefined "$work/err" | head -n 2)"
    counters linked "$mine" $MPIRUN_openmpi -n 2 "$work/linked"
    same linked PNETCDF_VAR
fi
echo "$tried programs compared" >&2
[ $tried -gt 0 ] || exit 77
finish
