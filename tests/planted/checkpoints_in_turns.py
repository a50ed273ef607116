# Two checkpoints that take turns, each written whole: the older one is always there.
# INNOCENT
# TELLS posix.rewrite.whole
state = b"s" * (4 << 20)
for step in range(8):
    with open(f"checkpoint{step % 2}.bin", "wb", buffering=0) as f:
        f.write(state)
