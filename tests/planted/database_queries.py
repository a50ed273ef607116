# Asks a database many times over one connection.
# PREPARE
# INNOCENT
# TELLS posix.lookup.database
# LACKS posix.lookup.failed
import sqlite3, sys

entries = sqlite3.connect("entries.db")
if sys.argv[1:] == ["prepare"]:
    with entries:
        entries.execute("CREATE TABLE entry (number INTEGER PRIMARY KEY, text)")
        entries.executemany("INSERT INTO entry VALUES (?, ?)", ((i, "x" * 50) for i in range(5000)))
    sys.exit()
for i in range(20000):
    assert entries.execute("SELECT text FROM entry WHERE number = ?", (i % 5000,)).fetchone()
