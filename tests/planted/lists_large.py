# Looks for a new part by listing a large directory again and again.
# PREPARE
# FINDS posix.names.heavy
import os
import sys

if sys.argv[1:] == ["prepare"]:
    os.mkdir("parts")
    for i in range(2000):
        open(f"parts/{i}", "w").close()
    sys.exit()
for _ in range(400):
    assert len(os.listdir("parts")) == 2000  # HERE
