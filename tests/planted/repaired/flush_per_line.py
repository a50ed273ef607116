# Flushes a text after each line.
# FINDS posix.small.write
# REPAIRED
import sys

repaired = sys.argv[1:] == ["repaired"]
with open("lines.txt", "w") as lines:
    for i in range(200000):
        lines.write(f"line {i}\n")
        if not repaired:
            lines.flush()  # HERE
