# Opens a file a dozen times and computes for a while each time before it closes it: that is no time of I/O.
# INNOCENT
import time

for step in range(14):
    with open("steps.txt", "a") as steps:
        end = time.monotonic() + 0.05
        while time.monotonic() < end:
            step += 1
        steps.write("done\n")
