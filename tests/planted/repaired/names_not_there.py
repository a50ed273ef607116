# Asks for each of many names whether there is such a file.
# FINDS posix.lookup.failed
# REPAIRED
import os, sys

if sys.argv[1:] == ["repaired"]:
    there = set(os.listdir("."))
    assert not any(f"part{i}" in there for i in range(300000))
else:
    assert not any(os.path.exists(f"part{i}") for i in range(300000))  # HERE
