# A Python program as many are: imports some modules, reads its settings, goes through a table by lines, writes another.
# PREPARE
# INNOCENT
import csv, json, sys, xml.dom.minidom

if sys.argv[1:] == ["prepare"]:
    with open("settings.json", "w") as settings:
        json.dump({"factor": 2.0, "column": 1}, settings)
    with open("table.csv", "w") as table:
        table.writelines(f"{i},{i * 0.5},{i * i}\n" for i in range(100000))
    sys.exit()

with open("settings.json") as settings:
    wanted = json.load(settings)
with open("table.csv") as table, open("result.csv", "w") as result:
    out = csv.writer(result)
    for row in csv.reader(table):
        out.writerow([row[0], wanted["factor"] * float(row[wanted["column"]])])
