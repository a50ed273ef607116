# Saves its state a few times between computing: into a new file, to the device, and then under its name.
# INNOCENT
import os, time

state = b"x" * (4 << 20)
for step in range(8):
    end = time.monotonic() + 0.1
    while time.monotonic() < end:
        step += 1
    with open("state.new", "wb") as out:
        out.write(state)
        out.flush()
        os.fsync(out.fileno())
    os.rename("state.new", "state")
