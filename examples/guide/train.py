"""A training job as most are: small images, one file each, read by worker processes in every epoch."""
import argparse
import multiprocessing
import os
import random

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--images", type=int, default=1000)
parser.add_argument("--cache", action="store_true", help="keep images in memory after the first epoch")
arguments = parser.parse_args()
folder = "images"
kept = {}


def make_images():
    """The data set, once."""
    os.makedirs(folder, exist_ok=True)
    for number in range(arguments.images):
        path = os.path.join(folder, f"{number:05}.raw")
        if not os.path.exists(path):
            with open(path, "wb") as image:
                image.write(bytes(random.Random(number).choices(range(256), k=700)))


def load(number):
    path = os.path.join(folder, f"{number:05}.raw")
    if path not in kept:
        with open(path, "rb", buffering=0) as image:
            data = image.read(700)
        if not arguments.cache:
            return data
        kept[path] = data
    return kept[path]


def work(part):
    """What a worker of a data loader does: its share of the images, in every epoch."""
    total = 0
    for _ in range(arguments.epochs):
        for number in part:
            total += sum(load(number))
    return total


if __name__ == "__main__":
    make_images()
    parts = [range(start, arguments.images, 2) for start in range(2)]
    pool = multiprocessing.Pool(2)
    print("sum of all pixels:", sum(pool.map(work, parts, chunksize=1)))
    pool.close()
    pool.join()
