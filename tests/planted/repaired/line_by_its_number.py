# Reads a text from its beginning for each line that it looks for.
# PREPARE
# FINDS posix.redundant.read
# REPAIRED
import sys

word = sys.argv[1:2]
if word == ["prepare"]:
    with open("lines.txt", "w") as out:
        out.writelines(f"line {i} of the text\n" for i in range(200000))
    sys.exit()
lines = []
for i in range(100):
    number = 997 * i
    if word == ["repaired"]:
        if not lines:
            with open("lines.txt") as text:
                lines = text.readlines()
        line = lines[number]
    else:
        with open("lines.txt") as text:
            for at, line in enumerate(text):  # HERE
                if at == number:
                    break
    assert line == f"line {number} of the text\n"
