# Opens a table for each row that it appends.
# FINDS posix.open.repeat
# REPAIRED
import csv, sys

if sys.argv[1:] == ["repaired"]:
    with open("rows.csv", "w", newline="") as table:
        csv.writer(table).writerows([i, 2 * i] for i in range(20000))
else:
    for i in range(20000):
        with open("rows.csv", "a", newline="") as table:  # HERE
            csv.writer(table).writerow([i, 2 * i])
