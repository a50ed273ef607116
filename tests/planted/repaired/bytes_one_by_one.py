# Reads a file byte by byte, without a buffer.
# PREPARE
# FINDS posix.small.read
# REPAIRED
import sys

word = sys.argv[1:2]
if word == ["prepare"]:
    with open("bytes", "wb") as out:
        out.write(b"x" * 400000)
    sys.exit()
count = 0
with open("bytes", "rb", buffering=-1 if word == ["repaired"] else 0) as file:
    while file.read(1):  # HERE
        count += 1
assert count == 400000
