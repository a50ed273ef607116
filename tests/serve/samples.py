#!/usr/bin/env python3
"""samples.py END FILE...: ten minutes of samples before END in the OpenMetrics format, every 15 seconds, from what two scrapers got:
counters grow, gauges stay. `promtool tsdb create-blocks-from openmetrics` makes a database of it."""
import sys

end = int(sys.argv[1])
samples = {}
for number, name in enumerate(sys.argv[2:]):
    counters = set()
    for line in open(name):
        if line.startswith("# TYPE") and line.split()[3] in ("counter", "histogram"):
            counters.add(line.split()[2])
        if line.startswith("#"):
            continue
        series, value = line.rstrip("\n").rsplit(" ", 1)
        metric, _, labels = series.partition("{")
        grows = any(metric == one or metric in (one + "_bucket", one + "_sum", one + "_count") for one in counters)
        series = f'{metric}{{instance="n{number}"' + ("," + labels if labels else "}")
        samples.setdefault(metric, []).append((series, float(value), grows))
for metric, rows in samples.items():
    print(f"# TYPE {metric} unknown")
    for series, value, grows in rows:
        for step in range(41):
            print(series, value + step if grows else value, end - 600 + 15 * step)
print("# EOF")
