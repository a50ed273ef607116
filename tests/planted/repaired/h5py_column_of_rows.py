# Reads columns of a dataset that is packed by rows: each takes all chunks apart.
# PREPARE
# FINDS hdf5.chunk.partial
# REPAIRED
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

word = sys.argv[1:2]
if word == ["prepare"]:
    values = numpy.random.default_rng(1).random((1500, 1000))
    with h5py.File("table.h5", "w") as file:
        file.create_dataset("by_rows", data=values, chunks=(4, 1000), compression="gzip", compression_opts=1)
        file.create_dataset("by_columns", data=values, chunks=(1500, 10))
    sys.exit()
with h5py.File("table.h5") as file:
    table = file["by_columns" if word == ["repaired"] else "by_rows"]
    assert sum(table[:, i].sum() for i in range(12)) > 0  # HERE
