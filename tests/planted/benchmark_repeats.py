# Writes a file and reads it back, five times, as a benchmark does.
# INNOCENT
# LACKS posix.redundant.read
block = b"x" * (1 << 20)
for repetition in range(5):
    with open("blocks", "wb", buffering=0) as out:
        for _ in range(20):
            out.write(block)
    with open("blocks", "rb", buffering=0) as back:
        while back.read(1 << 20):
            pass
