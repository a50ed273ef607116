"""The digest of a time series file, as recorded: shapes, sums, missing points and attributes of each dataset."""
import json
import sys

import h5py
import numpy


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def matrix(dataset):
    values = dataset[...]
    missing = (values == 0) & numpy.signbit(values)
    rows = numpy.nonzero((~missing).any(axis=1))[0]
    columns = [text(name) for name in dataset.attrs["columns"]]
    with_data = [i for i in range(len(columns)) if (~missing[:, i]).any()]
    return {
        "shape": list(values.shape),
        "dtype": str(values.dtype),
        "units": text(dataset.attrs["units"]),
        "n_named_columns": len(columns),
        "columns_with_data": [columns[i] for i in with_data],
        "column_sums": [float(values[:, i].sum()) for i in with_data],
        "missing": int(missing.sum()),
        "missing_per_column": [int(missing[:, i].sum()) for i in with_data],
        "negatives": int((values < 0).sum()),
        "rows_with_data": [int(rows[0]), int(rows[-1])] if len(rows) else [],
        "total": float(values.sum()),
    }


def digest(path):
    found = {}
    with h5py.File(path, "r") as file:
        found["_root"] = {"version": text(file.attrs["version"]), "start": int(file.attrs["start"]),
                          "end": int(file.attrs["end"])}

        def visit(name, item):
            if not isinstance(item, h5py.Dataset):
                return
            if name.endswith("/timestamps"):
                found[name] = {"dtype": str(item.dtype), "first": int(item[0]), "last": int(item[-1]),
                               "shape": list(item.shape)}
            else:
                found[name] = matrix(item)

        file.visititems(visit)
    return found


json.dump(digest(sys.argv[1]), sys.stdout, indent=1, sort_keys=True)
