"""The database of make_lmt.py as statements for MySQL, with the types of LMT's schema 1.1: lmt_to_mysql.py FILE."""
import sqlite3
import sys

KEYS = {"TIMESTAMP_INFO": "TS_ID", "OST_INFO": "OST_ID", "OSS_INFO": "OSS_ID", "MDS_INFO": "MDS_ID", "OPERATION_INFO": "OPERATION_ID",
        "OST_DATA": "OST_ID, TS_ID", "OSS_DATA": "OSS_ID, TS_ID", "MDS_DATA": "MDS_ID, TS_ID", "MDS_OPS_DATA": None}


def kind(column):
    if column == "TIMESTAMP":
        return "DATETIME"
    if column == "TS_ID":
        return "INT UNSIGNED"
    if column.endswith("_ID") or column == "OFFLINE":
        return "INT"
    if column.startswith("PCT"):
        return "FLOAT"
    return "VARCHAR(128)" if "NAME" in column or column in ("UNITS", "FAILOVERHOST") else "BIGINT"


db = sqlite3.connect(sys.argv[1])
for table, key in KEYS.items():
    cursor = db.execute(f"SELECT * FROM {table}")
    columns = [column[0] for column in cursor.description]
    types = ", ".join(f"{name} {kind(name)}" for name in columns)
    print(f"CREATE TABLE {table} ({types}{', PRIMARY KEY (' + key + ')' if key else ''});")
    rows = [", ".join("NULL" if value is None else f"'{value}'" for value in row) for row in cursor]
    for at in range(0, len(rows), 500):
        print(f"INSERT INTO {table} VALUES " + ", ".join(f"({row})" for row in rows[at : at + 500]) + ";")
