"""The storage target that lags behind, as in the heat maps of the HACC study: less than half of the median target's bytes."""
import statistics

from common import asked

site, fs, start, end = asked()
totals = site.series(fs, "datatargets/writebytes", start, end).totals()
median = statistics.median(totals.values())
for name, total in sorted(totals.items()):
    if total < median / 2:
        print(f"{name} took {100 * total / median:.0f}% of what the median target did")
