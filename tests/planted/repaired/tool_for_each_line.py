# Starts a program for each line.
# FINDS process.many
# REPAIRED
import subprocess, sys

lines = [b"line\n"] * 300
if sys.argv[1:] == ["repaired"]:
    lines = [b"".join(lines)]
for line in lines:
    subprocess.run(["tr", "a-z", "A-Z"], input=line, stdout=subprocess.DEVNULL, check=True)
