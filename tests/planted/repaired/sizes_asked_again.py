# Asks for the size of the same files again and again.
# PREPARE
# FINDS posix.stat.heavy
# REPAIRED
import os, sys

word = sys.argv[1:2]
if word == ["prepare"]:
    for i in range(300):
        open(f"part{i}", "w").close()
elif word == ["repaired"]:
    sizes = {entry.name: entry.stat().st_size for entry in os.scandir(".")}
    assert sum(sizes[f"part{i % 300}"] for i in range(300000)) == 0
else:
    assert sum(os.path.getsize(f"part{i % 300}") for i in range(300000)) == 0  # HERE
