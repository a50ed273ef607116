# Fills a database that writes its log ahead, in transactions of thousands of rows.
# INNOCENT
import sqlite3

rows = sqlite3.connect("rows.db")
rows.execute("PRAGMA journal_mode=WAL")
rows.execute("CREATE TABLE row (number INTEGER PRIMARY KEY, text)")
for batch in range(10):
    with rows:
        rows.executemany("INSERT INTO row (text) VALUES (?)", (("x" * 100,) for _ in range(3000)))
