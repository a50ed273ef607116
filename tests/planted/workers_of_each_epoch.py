# Forks a few workers for each of many epochs, as loaders of training data do; each reads its share of the samples.
# INNOCENT
# LACKS process.interpreter
import os
import time

for sample in range(32):
    with open(f"sample{sample}", "wb") as out:
        out.write(b"x" * (1 << 16))
for epoch in range(8):
    workers = []
    for worker in range(4):
        pid = os.fork()
        if pid == 0:
            for sample in range(worker, 32, 4):
                with open(f"sample{sample}", "rb", buffering=0) as file:
                    file.read()
            time.sleep(0.05)
            os._exit(0)
        workers.append(pid)
    for pid in workers:
        assert os.waitpid(pid, 0)[1] == 0
