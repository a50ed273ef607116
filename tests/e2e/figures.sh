#!/usr/bin/env bash
# One owner for every figure: show, diagnose, report, compare and metrics give the same values for every log, as numbers
# and as people read them; so do run for the log that it wrote, and the index.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
command -v python3 >/dev/null || exit 77
compare() { python3 "$(dirname "$0")/figures.py" "$iolite" "$@" || fail "figures differ"; }

mapfile -t logs < <(find "$seeds" "$corpus/logs" -name '*.darshan' -size -4000k 2>/dev/null | sort)
[ ${#logs[@]} -ge 30 ] || fail "only ${#logs[@]} logs"
compare "${logs[@]}"

# figure NAME: its value in the JSON of the last command, at its first place.
figure() { grep -o "\"$1\":[^,}]*" "$work/out" | head -n 1 | cut -d : -f 2; }

library=${IOLITE_LIBRARY:-$IOLITE_BIN/../lib/libiolite.so}
[ -f "$library" ] || finish
unset "${!IOLITE_@}" "${!DARSHAN_@}"
export IOLITE_MMAP_DIR=$work IOLITE_LIBRARY=$library

# The summary of a run agrees with its log, and with itself: no file takes longer than all calls together.
status 0 "$iolite" run --json -o "$work/run.darshan" -- dd if=/dev/zero of="$work/file" bs=64k count=100
python3 - "$work/err" "$work/summary" <<'END' || fail "the summary contradicts itself"
import json, sys
text = open(sys.argv[1]).read()
summary = json.JSONDecoder().raw_decode(text[text.index("{\n") if "{\n" in text else text.index("{"):])[0]["summary"]
assert summary["figures"]["call_time"] >= max(file["time"] for file in summary["top_files"]) - 1e-9, summary
assert summary["figures"]["bytes_written"] >= 6553600, summary["figures"]
json.dump(summary["figures"], open(sys.argv[2], "w"), sort_keys=True)
END
"$iolite" show --json "$work/run.darshan" | python3 -c '
import json, sys
assert json.load(sys.stdin)["figures"] == json.load(open(sys.argv[1]))' "$work/summary" || fail "run and show differ"
status 0 "$iolite" run --verbose -o "$work/again.darshan" -- dd if=/dev/zero of="$work/file" bs=64k count=100
printed=$(sed -n 's/^  read .*; I/I/p' "$work/err")
"$iolite" show "$work/again.darshan" | grep -qxF -e "${printed:-nothing}" || fail "run and show print different lines"

# Programs that run one after the other: the job waits for all of them, in its only layer too.
"$iolite" run -q -o "$work/turns.darshan" -- sh -c 'for i in 1 2 3; do dd if=/dev/zero of="$0.$i" bs=64k count=50 conv=fsync status=none; done' \
    "$work/turn" || fail "three programs"
compare "$work/turns.darshan"
"$iolite" show --json "$work/turns.darshan" | python3 -c '
import json, sys
shown = json.load(sys.stdin)
assert shown["figures"]["io_time"] > shown["top_files"][0]["time"], shown["figures"]' || fail "the job waits for one of three programs"

# A stream over a descriptor that was read itself: bytes are counted once, wherever one looks, and its file has them all.
head -c 5000000 /dev/zero >"$work/data"
cat >"$work/stream.py" <<'END'
import ctypes, os, sys
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
libc.fread.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
libc.fclose.argtypes = [ctypes.c_void_p]
fd = os.open(sys.argv[1], os.O_RDONLY)
os.read(fd, 128)  # as the head of an array is read
stream = libc.fdopen(fd, b"r")
libc.fread(ctypes.create_string_buffer(5000000), 1, 5000000, stream)
libc.fclose(stream)
END
"$iolite" run -q -o "$work/stream.darshan" -- python3 -S -E "$work/stream.py" "$work/data" || fail "a program with a stream"
compare "$work/stream.darshan"
status 0 "$iolite" index -q --store "$work/index.db" "$work/stream.darshan"
python3 - "$work/index.db" "$work/data" <<'END' || fail "the index does not have all bytes of a stream"
import sqlite3, sys
found = sqlite3.connect(sys.argv[1]).execute("SELECT bytes_read, reads FROM file WHERE name = ?", sys.argv[2:]).fetchall()
assert found == [(5000000, 2)], found
END
status 0 "$iolite" diagnose --json "$work/stream.darshan"
[ "$(figure bytes_read | cut -d . -f 1)" -ge 5000000 ] || fail "diagnose has $(figure bytes_read) bytes of a stream"

# Mapped memory, threads, and children that run one after the other.
cat >"$work/mixed.py" <<'END'
import mmap, os, sys, threading

with open(sys.argv[1], "r+b") as file:
    with mmap.mmap(file.fileno(), 0) as memory:
        memory[:4096] = bytes(4096)
        memory.flush()


def write(number):
    fd = os.open(f"{sys.argv[1]}.{number % 3}", os.O_RDWR | os.O_CREAT, 0o600)
    for block in range(100):
        os.pwrite(fd, bytes(4096), 4096 * block)
    os.close(fd)


threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for number in range(3):
    child = os.fork()
    if not child:
        write(number)
        os._exit(0)
    os.waitpid(child, 0)
END
"$iolite" run -q -o "$work/mixed.darshan" -- python3 -S -E "$work/mixed.py" "$work/data" || fail "a program of several kinds"
"$iolite" run -q -o "$work/nothing.darshan" -- true || fail "a program that does nothing"
compare "$work/mixed.darshan" "$work/nothing.darshan"
finish
