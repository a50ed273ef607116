# Prints its progress and flushes after every line; standard output is a file.
# FINDS posix.small.write
import time

end = time.monotonic() + 1.0
step = 0
while step < 5000 or time.monotonic() < end:
    print("step", step, "residual", 1.0 / (step + 1), flush=True)  # HERE
    step += 1
