# Writes a table of text and reads it line by line, as files are meant to be used.
# INNOCENT
with open("table.csv", "w") as table:
    for i in range(100000):
        table.write(f"{i},{i / 7:.6f},name{i}\n")
total = 0
with open("table.csv") as table:
    for line in table:
        total += len(line.split(","))
assert total == 300000
