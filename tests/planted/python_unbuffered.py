# Reads a table by lines from a file that was opened without a buffer: Python then reads it byte by byte.
# PREPARE
# FINDS posix.small.read
import sys, time

if sys.argv[1:] == ["prepare"]:
    with open("table.csv", "w") as table:
        table.writelines(f"{i},{i * 0.5},{i * i}\n" for i in range(500000))
    sys.exit()

end = time.monotonic() + 1.0
with open("table.csv", "rb", buffering=0) as table:
    for number, line in enumerate(iter(table.readline, b"")):  # HERE
        if number > 1000 and time.monotonic() > end:
            break
