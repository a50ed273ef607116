# Reads all members of an archive that it opens once.
# PREPARE
# INNOCENT
import sys
import zipfile

if sys.argv[1:] == ["prepare"]:
    with zipfile.ZipFile("parts.zip", "w") as archive:
        for i in range(1500):
            archive.writestr(f"part{i}", b"x" * 400)
    sys.exit()
with zipfile.ZipFile("parts.zip") as archive:
    assert sum(len(archive.read(f"part{i}")) for i in range(1500)) == 1500 * 400
