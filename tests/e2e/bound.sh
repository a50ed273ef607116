#!/usr/bin/env bash
# The runtime as it is built for processors without stubs: a library for each MPI is preloaded beside it. MPI programs,
# and one that uses a library that the runtime was not linked with, give the same counters as with stubs.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/counters.bash
. "$(dirname "$0")/counters.bash"
programs=$(cd "$(dirname "$0")/../static" && pwd)
libraries=$(cd "$IOLITE_BIN/../lib" && pwd)
unset "${!IOLITE_@}" "${!DARSHAN_@}"
[ -n "${BOUND:-}" ] || {
    echo "skipped: this is how it is built here anyway" >&2
    exit 77
}
export HOME=$work/home IOLITE_MMAP_DIR=$work/records IOLITE_MOD_ENABLE=APMPI
mkdir "$HOME" "$IOLITE_MMAP_DIR"
tried=0

# counters LABEL PRELOAD LAUNCHER... PROGRAM: of one run.
counters() {
    local label=$1 preload=$2
    shift 2
    rm -rf "$work/here" "$work/logs"
    mkdir "$work/here"
    (cd "$work/here" && IOLITE_LOG_DIR=$work/logs timeout 120 "${@:1:$#-1}" env LD_PRELOAD="$preload" "${@: -1}") \
        >"$work/out" 2>"$work/err" || fail "$label: status $?: $(head -n 2 "$work/err")"
    [ "$(find "$work/logs" -name '*.darshan' | wc -l)" = 1 ] || fail "$label: not one log"
    lasting "$work"/logs/*.darshan >"$work/$label.counters"
}

same() { # PROGRAM, WHAT, PRELOAD, LAUNCHER...
    local program=$1 what=$2 preload=$3
    shift 3
    counters with "$libraries/libiolite.so" "$@" "$program"
    counters without "$preload" "$@" "$program"
    grep -q "$what" "$work/without.counters" || fail "$program: no $what"
    cmp -s "$work/with.counters" "$work/without.counters" ||
        fail "$program: not as with stubs: $(diff "$work/with.counters" "$work/without.counters" | head -n 4)"
    tried=$((tried + 1))
}

for abi in openmpi mpich; do
    compiler=MPICC_$abi launcher=MPIRUN_$abi
    [ -n "${!compiler:-}" ] || continue
    "${!compiler}" "$programs/ranks.c" -o "$work/ranks-$abi" || fail "$abi: cannot be built"
    # shellcheck disable=SC2086  # options stand behind it
    same "$work/ranks-$abi" '^MPI-IO,-1,.*/shared' "$BOUND/libiolite.so $BOUND/libiolite-mpi-$abi.so" ${!launcher} -n 2
    fortran=${!compiler/mpicc/mpif90}
    if [ -x "$fortran" ]; then
        "$fortran" "$programs/ranks.F90" -o "$work/fortran-$abi" || fail "$abi: cannot be built, Fortran"
        # shellcheck disable=SC2086
        same "$work/fortran-$abi" '^MPI-IO,-1,.*/shared' "$BOUND/libiolite.so $BOUND/libiolite-mpi-$abi.so" \
            ${!launcher} -n 2
    fi
    # Switched off, MPI is as it was.
    # shellcheck disable=SC2086
    (cd "$work/here" && rm -f ./* && ${!launcher} -n 2 env IOLITE_DISABLE=1 IOLITE_LOG_DIR="$work/off" \
        LD_PRELOAD="$BOUND/libiolite.so $BOUND/libiolite-mpi-$abi.so" "$work/ranks-$abi") || fail "$abi, off: status $?"
    [ ! -e "$work/off" ] || fail "$abi: recorded although it is switched off"
done

# One library of another kind.
cat >"$work/queue.c" <<'END'
#include <fcntl.h>
#include <libaio.h>
#include <string.h>
int main(void) {
    static char block[4096];
    io_context_t queue = 0;
    struct iocb request, *list = &request;
    struct io_event event;
    const int fd = open("queued", O_CREAT | O_RDWR, 0600);
    if (fd < 0 || io_setup(1, &queue) != 0) return 1;
    io_prep_pwrite(&request, fd, block, sizeof block, 0);
    if (io_submit(queue, 1, &list) != 1 || io_getevents(queue, 1, 1, &event, NULL) != 1) return 2;
    return event.res == sizeof block ? 0 : 3;
}
END
if cc "$work/queue.c" -laio -o "$work/queue" 2>/dev/null; then
    same "$work/queue" 'POSIX_WRITES,1' "$BOUND/libiolite.so"
fi
echo "$tried programs compared" >&2
[ $tried -gt 0 ] || exit 77
finish
