#!/usr/bin/env bash
# Parallel h5py with mpi4py, which load MPI and HDF5 when they are imported: one record per file for all ranks.
# HDF5_LAUNCHER starts the ranks.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/../e2e/programs.bash"

python=/usr/bin/python3
H5PY_ALWAYS_USE_MPI=1 "$python" -c '
import sys, mpi4py, h5py
sys.exit(not h5py.get_config().mpi)' 2>/dev/null || { echo "left out, not here: h5py with MPI"; exit 77; }

cat >"$work/ranks.py" <<'END'
from mpi4py import MPI
import h5py, numpy
world = MPI.COMM_WORLD
row = numpy.arange(100, dtype="i4") + world.rank
with h5py.File("all.h5", "w", driver="mpio", comm=world) as f:
    d = f.create_dataset("data", (world.size, 100), dtype="i4")
    with d.collective: d[world.rank, :] = row
    alone = f.create_dataset("alone", (10,), dtype="f8")
    if world.rank == 1: alone[:] = 1
with h5py.File("all.h5", "r", driver="mpio", comm=world) as f:
    total = world.reduce(int(f["data"][world.rank].sum()))
with h5py.File("own%d.h5" % world.rank, "w") as f: f["x"] = row
if world.rank == 0: print(total)
END

label="ranks of Python"
fresh
read -r -a launcher <<<"${HDF5_LAUNCHER:?}"
(cd "$here" && "${launcher[@]}" -n 4 "$python" "$work/ranks.py") >"$work/plain.out" 2>"$work/plain.err" </dev/null ||
    { echo "left out, it does not run here: $(head -n 3 "$work/plain.err")"; exit 77; }
fresh
(cd "$here" && "$iolite" run --log-dir "$logs" -- "${launcher[@]}" -n 4 "$python" "$work/ranks.py") \
    >"$work/seen.out" 2>"$work/seen.err" </dev/null || fail "$label: status $?: $(head -n 3 "$work/seen.err")"
same "standard output" "$work/plain.out" "$work/seen.out"

# What the launcher did may be in a log of its own.
for log in "$logs"/*; do
    "$iolite" check "$log" >"$work/checked" 2>&1 || fail "$label: check: $(head -n 3 "$work/checked")"
    "$bin/darshan-parser" --base "$log" 2>/dev/null | grep '^[^#]'
done >"$work/counters"
expect all.h5 H5F_OPENS 8
expect all.h5 H5F_USE_MPIIO 1
expect all.h5:/data H5D_OPENS 8
expect all.h5:/data H5D_WRITES 4
expect all.h5:/data H5D_READS 4
expect all.h5:/data H5D_BYTES_WRITTEN 1600
expect all.h5:/data H5D_BYTES_READ 1600
expect all.h5:/data H5D_USE_MPIIO_COLLECTIVE 1
expect all.h5:/data H5D_SLOWEST_RANK_BYTES 800
expect all.h5:/alone H5D_WRITES 1
expect all.h5:/alone H5D_USE_MPIIO_COLLECTIVE 0
expect 'own*' H5F_OPENS 4
expect 'own*' H5F_USE_MPIIO 0
expect 'own*' H5D_BYTES_WRITTEN 1600
expect all.h5 MPIIO_COLL_OPENS 8
[ "$(grep -c "H5D_OPENS.*$here/all.h5:/data" "$work/counters")" = 1 ] || fail "the shared dataset has several records"
exit $((failures > 0))
