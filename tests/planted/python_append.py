# Opens its log again for every line, as a careful logger would.
# FINDS posix.open.repeat
import time

end = time.monotonic() + 1.0
step = 0
while step < 2000 or time.monotonic() < end:
    with open("progress.log", "a") as log:  # HERE
        log.write(f"step {step} done\n")
    step += 1
