#!/usr/bin/env bash
# h5py from the system's packages, which brings its HDF5 along when it is imported and closes by giving up claims: its
# programs behave as without Iolite, and their H5F and H5D records are right.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/../e2e/checks.bash"
# shellcheck source=tests/e2e/programs.bash
. "$(dirname "$0")/../e2e/programs.bash"

python=/usr/bin/python3
"$python" -c 'import h5py, numpy' 2>/dev/null || { echo "left out, not here: h5py"; exit 77; }

# Two openings of the file and of the dataset, one write and one read; the second time by the generic function.
test_round_trip() {
    cat >"$work/round.py" <<'END'
import h5py, numpy
with h5py.File("round.h5", "w") as f:
    f.create_dataset("data", data=numpy.arange(1000, dtype="i8"))
with h5py.File("round.h5", "r") as f:
    print(f["data"][:].sum())
END
    both "the round trip" "$python" "$work/round.py"
    expect round.h5 H5F_OPENS 2
    expect round.h5:/data H5D_OPENS 2
    expect round.h5:/data H5D_READS 1
    expect round.h5:/data H5D_WRITES 1
    expect round.h5:/data H5D_BYTES_READ 8000
    expect round.h5:/data H5D_BYTES_WRITTEN 8000
    expect round.h5:/data H5D_DATATYPE_SIZE 8
    expect round.h5:/data H5D_DATASPACE_NDIMS 1
    [ "$(grep -c 'H5[FD]_F_CLOSE_END_TIMESTAMP[[:space:]]*[0-9.]*[1-9]' "$work/counters")" = 2 ] || fail "closing was not seen"
}

test_slices() {
    cat >"$work/slices.py" <<'END'
import h5py, numpy
with h5py.File("slices.h5", "w") as f:
    group = f.create_group("run/step")
    d = group.create_dataset("grid", (100, 200), dtype="f4", chunks=(10, 50), maxshape=(None, 200))
    for i in range(100): d[i, :] = i
    d[::2, 10:20] = 1
    d[[1, 5, 7], 3] = 2
    mask = numpy.zeros((100, 200), bool)
    mask[3, 4] = mask[5, 6] = True
    d[mask] = 4
    d.resize((150, 200))
    f.flush()
    print(d[:].shape, d[99, 0], d[3, 4], group.name)
    group.create_dataset("text", data="words")
    print(group["text"][()])
    group["grid"].attrs["unit"] = "m"
    del group["text"]
END
    both "slices" "$python" "$work/slices.py"
    expect slices.h5 H5F_OPENS 1
    expect slices.h5 H5F_FLUSHES 1
    # created as seen from its group, opened as seen from there again for the attribute
    expect slices.h5:/run/stepgrid H5D_OPENS 2
    expect slices.h5:/run/stepgrid H5D_WRITES 103
    expect slices.h5:/run/stepgrid H5D_READS 3
    expect slices.h5:/run/stepgrid H5D_BYTES_WRITTEN $((4 * (100 * 200 + 50 * 10 + 3 + 2)))
    expect slices.h5:/run/stepgrid H5D_BYTES_READ $((4 * (150 * 200 + 1 + 1)))
    expect slices.h5:/run/stepgrid H5D_REGULAR_HYPERSLAB_SELECTS -ge 104
    expect slices.h5:/run/stepgrid H5D_POINT_SELECTS 1
    expect slices.h5:/run/stepgrid H5D_CHUNK_SIZE_D1 50
    expect slices.h5:/run/stepgrid H5D_CHUNK_SIZE_D2 10
    expect slices.h5:/run/stepgrid H5D_ACCESS1_ACCESS 800
    expect slices.h5:/run/stepgrid H5D_ACCESS1_COUNT 100
    expect slices.h5:/run/stepgrid H5D_ACCESS1_LENGTH_D4 200
    expect slices.h5:/run/stepgrid H5D_ACCESS1_LENGTH_D5 1
    expect slices.h5:/run/steptext H5D_OPENS 2
}

# What its worker processes read is in the log of the run.
test_workers() {
    cat >"$work/workers.py" <<'END'
import h5py, multiprocessing, numpy
def work(i):
    with h5py.File("shared.h5", "r") as f: return int(f["data"][i])
if __name__ == "__main__":
    with h5py.File("shared.h5", "w") as f: f["data"] = numpy.arange(40)
    with multiprocessing.Pool(4) as pool: print(pool.map(work, range(40), chunksize=10))
END
    both "worker processes" "$python" "$work/workers.py"
    expect shared.h5 H5F_OPENS 41
    expect shared.h5:/data H5D_READS 40
    expect shared.h5:/data H5D_BYTES_READ 320
}

test_errors() {
    cat >"$work/errors.py" <<'END'
import h5py
for path in "absent.h5", "empty.h5":
    try: h5py.File(path, "r")
    except OSError as error: print(error)
with h5py.File("some.h5", "w") as f:
    try: f["absent"]
    except KeyError as error: print(error)
    print("absent" in f)
END
    given() { : >empty.h5; }
    both "what is not there" "$python" "$work/errors.py"
    given() { :; }
    expect some.h5 H5F_OPENS 1
    expect absent.h5 H5F_OPENS 0
    expect empty.h5 H5F_OPENS 0
}

test_round_trip
test_slices
test_workers
test_errors
exit $((failures > 0))
