# Opens an archive anew for each of its members: all headers are read and understood each time.
# PREPARE
# FINDS posix.open.repeat
# REPAIRED
import io, sys, tarfile

word = sys.argv[1:2]
if word == ["prepare"]:
    with tarfile.open("parts.tar", "w") as archive:
        for i in range(200):
            info = tarfile.TarInfo(f"part{i}")
            info.size = 500
            archive.addfile(info, io.BytesIO(b"x" * 500))
elif word == ["repaired"]:
    with tarfile.open("parts.tar") as archive:
        assert sum(len(archive.extractfile(f"part{i}").read()) for i in range(200)) == 100000
else:
    for i in range(200):
        with tarfile.open("parts.tar") as archive:  # HERE
            assert len(archive.extractfile(f"part{i}").read()) == 500  # HERE
