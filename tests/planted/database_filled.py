# Fills a table in one transaction, builds an index and looks rows up: a database moves pages of a few KiB, in its own order.
# INNOCENT
# LACKS posix.small.write posix.small.read posix.random.read
import random, sqlite3

database = sqlite3.connect("table.db")
database.execute("create table items(number integer primary key, name text)")
with database:
    database.executemany("insert into items values(?, ?)", ((i, "x" * 100) for i in range(100000)))
database.execute("create index by_name on items(name, number)")
database.execute("pragma cache_size = 50")
random.seed(1)
for i in range(3000):
    database.execute("select name from items where number = ?", (random.randrange(100000),)).fetchone()
database.close()
