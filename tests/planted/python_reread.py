# Loads a table of parameters from its file in every step.
# PREPARE
# FINDS posix.redundant.read
import sys, time

if sys.argv[1:] == ["prepare"]:
    with open("parameters.bin", "wb") as table:
        table.write(bytes(4 * 1024 * 1024))
    sys.exit()

end = time.monotonic() + 1.0
step = 0
while step < 50 or time.monotonic() < end:
    with open("parameters.bin", "rb") as table:
        parameters = table.read()  # HERE
    step += 1
