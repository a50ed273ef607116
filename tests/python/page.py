"""The examples of docs/python.md run as they stand, one after the other. Usage: page.py PAGE"""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.S | re.M))
assert len(blocks) > 5, "the page has lost its examples"
names = {"__name__": "page"}
for block in blocks:
    line = text[: block.start()].count("\n") + 1
    exec(compile("\n" * line + block.group(1), sys.argv[1], "exec"), names)

# Every public name has an example, and every method of what the page shows.
import iolite  # noqa: E402

SHOWN_OTHERWISE = {"Advice", "Comparison", "Cost", "Finding", "Findings", "Fleet", "Log", "Module", "Recorded", "Run", "Umami"}
missing = [name for name in iolite.__all__ if "iolite." + name not in text and name not in SHOWN_OTHERWISE]
for kind, prefix in ((iolite.Log, "log."), (iolite.Index, "index."), (iolite.Site, "site.")):
    missing += [prefix + name for name in vars(kind) if not name.startswith("_") and name not in ("close", "path", "errors")
                and prefix + name not in text]
import iolite.darshan  # noqa: E402

code = "".join(block.group(1) for block in blocks)
for kind, prefix in ((iolite.Umami, "umami."), (iolite.Fleet, "fleet."), (iolite.Recorded, "block."), (iolite.Run, "done."),
                     (iolite.Findings, "log.findings()."), (iolite.darshan.DarshanReport, "report."),
                     (iolite.darshan.DarshanRecordCollection, "."), (iolite.darshan.Heatmap, ".")):
    missing += [prefix + name for name in vars(kind) if not name.startswith("_") and prefix + name not in code]
assert not missing, "no example of %s" % ", ".join(missing)
