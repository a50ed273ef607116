# Lists a directory for each name that it looks for.
# PREPARE
# FINDS posix.names.heavy
# REPAIRED
import os, sys

word = sys.argv[1:2]
if word == ["prepare"]:
    os.mkdir("parts")
    for i in range(1500):
        open(f"parts/{i}", "w").close()
    sys.exit()
names, found = set(), 0
for i in range(1500):
    if word != ["repaired"] or not names:
        names = set(os.listdir("parts"))  # HERE
    found += str(i) in names
assert found == 1500
