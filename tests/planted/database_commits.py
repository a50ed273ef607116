# A commit for each row of a database.
# FINDS posix.fsync.heavy
# LACKS posix.open.repeat
import sqlite3

base = sqlite3.connect("base.db")
base.execute("create table samples (id integer primary key, value real)")
base.commit()
for i in range(150):
    base.execute("insert into samples values (?, ?)", (i, i / 7))
    base.commit()  # HERE
base.close()
