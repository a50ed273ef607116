# Opens an archive of arrays for each array that it takes from it.
# PREPARE
# FINDS posix.open.repeat
# REPAIRED
import sys

try:
    import numpy
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

word = sys.argv[1:2]
if word == ["prepare"]:
    numpy.savez("arrays.npz", **{f"v{i}": numpy.full(100, 1.0) for i in range(100)})
    sys.exit()
arrays, total = {}, 0
for i in range(600):
    if word == ["repaired"]:
        if not arrays:
            with numpy.load("arrays.npz") as archive:
                arrays = {name: archive[name] for name in archive.files}
        total += arrays[f"v{i % 100}"].sum()
    else:
        with numpy.load("arrays.npz") as archive:  # HERE
            total += archive[f"v{i % 100}"].sum()  # HERE
assert total == 60000
