# Fills a dataset row by row.
# FINDS hdf5.rows
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

row = numpy.ones(8)
with h5py.File("rows.h5", "w") as file:
    rows = file.create_dataset("rows", (20000, 8), "f8")
    for i in range(20000):
        rows[i] = row  # HERE
