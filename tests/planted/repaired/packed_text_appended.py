# Opens a packed text for each line that it appends.
# FINDS posix.open.repeat
# REPAIRED
import gzip, sys

if sys.argv[1:] == ["repaired"]:
    with gzip.open("lines.gz", "wt") as lines:
        lines.writelines(f"line {i}\n" for i in range(4000))
else:
    for i in range(4000):
        with gzip.open("lines.gz", "at") as lines:  # HERE
            lines.write(f"line {i}\n")
