# Makes a temporary file for each item.
# FINDS posix.files.many
# REPAIRED
import io, os, sys, tempfile

os.mkdir("scratch")
repaired = sys.argv[1:] == ["repaired"]
for i in range(5000):
    with io.BytesIO() if repaired else tempfile.NamedTemporaryFile(dir="scratch") as part:  # HERE
        part.write(b"x" * 100)
        part.seek(0)
        assert len(part.read()) == 100
