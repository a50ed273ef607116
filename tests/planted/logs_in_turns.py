# Writes a log that begins a new file whenever one is full.
# INNOCENT
import logging.handlers

log = logging.getLogger()
log.setLevel(logging.INFO)
log.addHandler(logging.handlers.RotatingFileHandler("run.log", maxBytes=50000, backupCount=5))
for step in range(2000):
    log.info("step %d of the run is done", step)
