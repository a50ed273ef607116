# Reads its settings anew for each item.
# PREPARE
# FINDS posix.open.repeat
# REPAIRED
import json, sys

word = sys.argv[1:2]
if word == ["prepare"]:
    with open("settings.json", "w") as out:
        json.dump({f"key{i}": i for i in range(500)}, out)
    sys.exit()
settings, total = {}, 0
for i in range(4000):
    if word != ["repaired"] or not settings:
        with open("settings.json") as file:  # HERE
            settings = json.load(file)  # HERE
    total += settings[f"key{i % 500}"]
assert total == 998000
