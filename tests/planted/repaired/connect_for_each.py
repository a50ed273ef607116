# Connects to a database for each question.
# PREPARE
# FINDS posix.open.repeat
# REPAIRED
import sqlite3, sys

word = sys.argv[1:2]
if word == ["prepare"]:
    with sqlite3.connect("table.db") as table:
        table.execute("CREATE TABLE entry (number INTEGER PRIMARY KEY, text)")
        table.executemany("INSERT INTO entry VALUES (?, ?)", ((i, "x" * 50) for i in range(5000)))
    sys.exit()
kept = sqlite3.connect("table.db") if word == ["repaired"] else None
if kept:
    kept.execute("BEGIN")
for i in range(4000):
    table = kept or sqlite3.connect("table.db")  # HERE
    assert table.execute("SELECT text FROM entry WHERE number = ?", (i,)).fetchone()
    if not kept:
        table.close()
