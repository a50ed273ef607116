"""Post-processing that reads a data set across its chunks: analyse.py FILE; the file is made if it is not there."""
import os
import sys

import h5py
import numpy

path = sys.argv[1]
if not os.path.exists(path):
    with h5py.File(path, "w") as out:
        field = out.create_dataset("fields", (512, 2048), "f8", chunks=(512, 64), compression="gzip")
        field[...] = numpy.arange(512 * 2048, dtype="f8").reshape(512, 2048)
with h5py.File(path, "r", rdcc_nbytes=0) as data:
    field = data["fields"]
    print("mean of the rows:", numpy.mean([field[row, :].mean() for row in range(0, 512, 8)]))
