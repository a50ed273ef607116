# A small database, written in one transaction and asked by its index.
# INNOCENT
import sqlite3

base = sqlite3.connect("base.sqlite")
base.execute("create table samples (id integer primary key, value real)")
with base:
    base.executemany("insert into samples values (?, ?)", ((i, i / 7) for i in range(20000)))
assert base.execute("select count(*) from samples where id < 100").fetchone()[0] == 100
base.close()
