# Opens an archive anew for each of its members: its directory is read and understood each time.
# PREPARE
# FINDS posix.open.repeat
# LACKS posix.redundant.read
import sys
import zipfile

if sys.argv[1:] == ["prepare"]:
    with zipfile.ZipFile("parts.zip", "w") as archive:
        for i in range(200):
            archive.writestr(f"part{i}", b"x" * 400)
    sys.exit()
total = 0
for i in range(800):
    with zipfile.ZipFile("parts.zip") as archive:  # HERE
        total += len(archive.read(f"part{i % 200}"))
assert total == 800 * 400
