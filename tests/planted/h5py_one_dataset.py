# The same results as rows of one dataset, written with one call.
# INNOCENT
import sys

try:
    import h5py
    import numpy
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

with h5py.File("results.h5", "w") as f:
    f.create_dataset("results", data=numpy.stack([numpy.arange(16.0)] * 2500))
