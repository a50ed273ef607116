"""Processes that a test starts: none of them is left when it ends, however it ends."""
import atexit

started = []


@atexit.register
def leave_nothing():
    for process in started:
        if process.poll() is None:
            process.kill()
