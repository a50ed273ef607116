"""What the examples share: the site and the time, from the command line: NAME.py SITE START END [seconds since the epoch]."""
import sys

import iolite_site


def asked():
    site, start, end = iolite_site.Site(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    return site, site.file_systems()[0], start, end


def pearson(xs, ys):
    n = len(xs)
    mx, my = sum(xs) / n, sum(ys) / n
    cov = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    return cov / (sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys)) ** 0.5
