# Writes a text whose buffer goes out with each line.
# FINDS posix.small.write
# REPAIRED
import sys

with open("lines.txt", "w", buffering=-1 if sys.argv[1:] == ["repaired"] else 1) as lines:
    for i in range(200000):
        lines.write(f"line {i}\n")  # HERE
