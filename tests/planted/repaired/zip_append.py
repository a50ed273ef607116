# Adds each member to an archive that it opens anew: the directory of the archive is read and written each time.
# FINDS posix.open.repeat
# REPAIRED
import sys, zipfile

if sys.argv[1:] == ["repaired"]:
    with zipfile.ZipFile("parts.zip", "w") as archive:
        for i in range(400):
            archive.writestr(f"part{i}", b"x" * 300)
else:
    for i in range(400):
        with zipfile.ZipFile("parts.zip", "a") as archive:  # HERE
            archive.writestr(f"part{i}", b"x" * 300)  # HERE
