# Reads records from the last to the first, each by a seek.
# PREPARE
# FINDS posix.random.read
# REPAIRED
import sys

word = sys.argv[1:2]
if word == ["prepare"]:
    with open("records", "wb") as out:
        out.write(b"abcdefgh" * 1500000)
    sys.exit()
total = 0
with open("records", "rb", buffering=0) as file:
    data = file.read() if word == ["repaired"] else b""
    for i in range(149999, -1, -1):
        if data:
            total += data[80 * i]
        else:
            file.seek(80 * i)
            total += file.read(80)[0]  # HERE
assert total == 97 * 150000
