# Writes a dataset by one call, in chunks of 128 bytes.
# FINDS hdf5.chunk.tiny
# LACKS hdf5.chunk.partial hdf5.rows
# LEAST hdf5.chunk.tiny h5d_tiny_chunks 64000
# REPAIRED
import sys

try:
    import h5py, numpy as np
except ImportError:
    sys.exit(77)

with h5py.File("table.h5", "w") as f:
    whole = sys.argv[1:] == ["repaired"]
    table = f.create_dataset("table", (2000, 512), dtype="f8", chunks=(250, 512) if whole else (1, 16))
    table[...] = np.ones((2000, 512))  # HERE
