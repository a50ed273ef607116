# Inserts each row in a transaction of its own.
# FINDS posix.fsync.heavy
# REPAIRED
import sqlite3, sys, time

repaired = sys.argv[1:] == ["repaired"]
rows = sqlite3.connect("rows.db", isolation_level=None)
rows.execute("CREATE TABLE row (number, text)")
if repaired:
    rows.execute("BEGIN")
begin = time.monotonic()
for i in range(200):
    rows.execute("INSERT INTO row VALUES (?, ?)", (i, "x" * 50))  # HERE
if repaired:
    rows.execute("COMMIT")
elif time.monotonic() - begin < 0.2:
    print("syncs cost nothing here", file=sys.stderr)
    sys.exit(77)
