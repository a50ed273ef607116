# Opens an HDF5 file for every row that it writes.
# FINDS posix.open.repeat
# LACKS hdf5.rows
import sys

try:
    import h5py
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

with h5py.File("rows.h5", "w") as f:
    f.create_dataset("rows", (800, 16))
for i in range(800):
    with h5py.File("rows.h5", "a") as f:  # HERE
        f["rows"][i] = i
