# A dataset for each of many small results.
# FINDS hdf5.objects
# LACKS hdf5.rows
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

values = numpy.arange(16.0)
with h5py.File("results.h5", "w") as f:
    for i in range(2500):
        f.create_dataset(f"result{i}", data=values)  # HERE
