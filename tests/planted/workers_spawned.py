# Starts many workers at once, each an interpreter of its own, and gives them the parts of the work.
# INNOCENT
# LACKS process.many
import multiprocessing


def write_part(number):
    with open(f"part{number}", "wb") as out:
        out.write(b"x" * (1 << 20))
    return number


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(8) as pool:
        assert sum(pool.map(write_part, range(16))) == 120
