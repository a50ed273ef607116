# Saves its whole state after each item.
# FINDS posix.open.repeat
# REPAIRED
import json, sys

repaired, state = sys.argv[1:] == ["repaired"], {}
for i in range(900):
    state[f"item{i}"] = {"done": True, "value": i}
    if not repaired or i == 899:
        with open("state.json", "w") as out:  # HERE
            json.dump(state, out)
