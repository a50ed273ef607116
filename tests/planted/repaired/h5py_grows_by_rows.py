# Makes a dataset longer for each row that it writes.
# FINDS hdf5.rows
# REPAIRED
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

with h5py.File("rows.h5", "w") as file:
    if sys.argv[1:] == ["repaired"]:
        file.create_dataset("rows", data=numpy.ones((5000, 10)), maxshape=(None, 10), chunks=(1024, 10))
    else:
        rows = file.create_dataset("rows", (0, 10), maxshape=(None, 10), chunks=(1024, 10))
        for i in range(5000):
            rows.resize(i + 1, axis=0)
            rows[i] = 1  # HERE
