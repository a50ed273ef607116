# Appends each row to a table by a call that opens the file.
# FINDS posix.open.repeat
# REPAIRED
import sys

try:
    import pandas
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(77)

repaired = sys.argv[1:] == ["repaired"]
if repaired:
    rows = range(1500)
    pandas.DataFrame({"step": rows, "value": [0.5 * i for i in rows]}).to_csv("table.csv")
else:
    for i in range(1500):
        row = pandas.DataFrame({"step": [i], "value": [0.5 * i]})
        row.to_csv("table.csv", mode="a", header=False)  # HERE
