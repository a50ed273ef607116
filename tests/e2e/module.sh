#!/usr/bin/env bash
# Modules and marks as their authors use them: Iolite is installed somewhere, the example modules are built out of the
# tree with pkg-config, run, and seen in every output. The same programs run without Iolite, and nothing happens.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
build=$(cd "$(dirname "$iolite")/.." && pwd)
[ -e "$build/lib/libiolite.so" ] || exit 77
for tool in cc cmake pkg-config python3; do command -v $tool >/dev/null || exit 77; done
sources=$(cd "$(dirname "$0")/../.." && pwd)
python=$(python3 -c 'import sys; print(sys.executable)') # the program itself, not a script that looks for it

# Installed ------------------------------------------------------------------------------------------------------
prefix=$work/prefix
cmake --install "$build" --prefix "$prefix" >"$work/install" 2>&1 || fail "cannot install: $(tail -n 1 "$work/install")"
pc=$(dirname "$(find "$prefix" -name iolite-module.pc)")
flags() { PKG_CONFIG_PATH=$pc pkg-config "$@" iolite-module; }
[ -e "$(flags --variable=includedir)/iolite/module.h" ] || fail "iolite-module.pc does not know where it is"
log_place() { PKG_CONFIG_PATH=$pc pkg-config --variable="$1" iolite-log; }
[ -e "$(log_place includedir)/iolite/log.h" ] || fail "iolite-log.pc does not know where its header is"
[ -e "$(log_place libdir)/libiolite-log.so" ] || fail "iolite-log.pc does not know where its library is"
mkdir "$work/modules" "$work/logs"
cp "$sources"/examples/module/*.c "$work/modules"
cd "$work/modules" || exit 1
for name in sockets usage; do
    # shellcheck disable=SC2046
    cc -shared -fPIC -Wall -Wextra -Werror $(flags --cflags) $name.c -o iolite-$name.so || fail "$name does not build"
    [ "$(wc -l <$name.c)" -lt 150 ] || fail "$name.c is long"
done
iolite=$prefix/bin/iolite

# A module that wraps functions ----------------------------------------------------------------------------------
cat >talk.py <<'END'
import os, socket, sys, threading
server = socket.create_server(("127.0.0.1", 0))
def answer():
    peer, _ = server.accept()
    left = 100000
    while left:
        left -= len(peer.recv(4096))
    peer.sendall(b"y" * 500)
    peer.close()
thread = threading.Thread(target=answer)
thread.start()
client = socket.create_connection(server.getsockname())
client.sendall(b"x" * 100000)
got = 0
while got < 500:
    got += len(client.recv(500))
thread.join()
open("said", "w").write("done\n")
print("talked")
END
status 0 env LD_PRELOAD="$PWD/iolite-sockets.so" "$python" talk.py
has "talked"
log=$work/talk.darshan
# (Where iolite itself has a sanitizer in it, that would insist on being first.)
status 0 env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$PWD/iolite-sockets.so" "$iolite" run --quiet --output "$log" -- "$python" talk.py
has "talked"
status 0 "$iolite" dump --json "$log"
valid_json "dump --json with a module"
python3 - "$work/out" <<'END' || fail "the module in dump --json"
import json, sys
module, = (m for m in json.load(open(sys.argv[1]))["added"] if m["name"] == "SOCKETS")
assert module["version"] == 1 and not module["failed"] and module["meaning"] == "traffic over sockets, by peer"
assert [c["name"] for c in module["schema"]][:2] == ["SOCKETS_CONNECTIONS", "SOCKETS_SENDS"]
total = lambda name: sum(r["counters"][name] for r in module["records"])
assert total("SOCKETS_BYTES_SENT") == total("SOCKETS_BYTES_RECEIVED") == 100500, module["records"]
assert total("SOCKETS_CONNECTIONS") == 2 and all("127.0.0.1 port" in r["name"] for r in module["records"])
assert 0 < module["records"][0]["counters"]["SOCKETS_F_FIRST"] < 300
END
status 0 "$iolite" dump --module SOCKETS --counter 'SOCKETS_BYTES*' "$log"
has "SOCKETS  rank 0  127.0.0.1 port"
lacks "SOCKETS_SENDS"
status 0 "$iolite" dump --csv --module SOCKETS "$log"
has "SOCKETS_BYTES_SENT,"
status 0 "$iolite" dump --ndjson "$log"
has '"module":"SOCKETS"'
status 2 "$iolite" dump --module SOCKET "$log"
status 0 "$iolite" show "$log"
has "SOCKETS  2 records, SOCKETS_CONNECTIONS 2"
status 0 "$iolite" show --json "$log"
has '"name": "SOCKETS"'
valid_json "show --json with a module"
status 0 "$iolite" report --json "$log"
valid_json "report --json with a module"
python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["added"][0]["name"] == "SOCKETS"' "$work/out" ||
    fail "the module in report --json"
status 0 "$iolite" check "$log"
status 0 "$iolite" convert "$log" "$work/again.darshan"
status 0 "$iolite" dump --module SOCKETS "$work/again.darshan"
has "SOCKETS_BYTES_SENT"
status 0 "$iolite" convert --anonymise all "$log" "$work/anonymous.darshan"
status 0 "$iolite" dump --json "$work/anonymous.darshan"
lacks SOCKETS

# One that a site loads into every program ----------------------------------------------------------------------
status 0 env IOLITE_MODULES="$PWD/iolite-usage.so" "$iolite" run --quiet --output "$work/two.darshan" -- \
    sh -c 'echo a >a; cp a b'
status 0 "$iolite" dump --json --module USAGE "$work/two.darshan"
python3 - "$work/out" <<'END' || fail "two processes with a module each"
import json, sys
module, = json.load(open(sys.argv[1]))["added"]
assert sorted(r["rank"] for r in module["records"]) == [0, 1], module["records"]
assert all(r["counters"]["USAGE_PEAK_MEMORY"] > 100000 for r in module["records"])
END
status 0 env IOLITE_MODULES="$work/none.so" "$iolite" run --output "$work/three.darshan" -- cp a c
grep -q "none.so" "$work/err" || fail "nothing is said of a module that is not there"
cmp -s a c || fail "a module that is not there changes the program"
status 0 env IOLITE_MOD_DISABLE='*' IOLITE_MOD_ENABLE=POSIX IOLITE_MODULES="$PWD/iolite-usage.so" "$iolite" run \
    --quiet --output "$work/four.darshan" -- cp a c
status 0 "$iolite" dump --json "$work/four.darshan"
lacks USAGE

# Marks in Python and Fortran -----------------------------------------------------------------------------------
cat >marks.py <<'END'
import iolite
with iolite.region("check\u00e9"):
    open("out", "w").write("x" * 1000)
@iolite.region("load")
def load():
    return len(open("out").read())
print(load(), load(), iolite.active(), iolite.now() > 0)
END
PYTHONPATH=$(flags --variable=pythondir)
export PYTHONPATH
status 0 python3 marks.py
has "1000 1000 False False"
status 0 "$iolite" run --quiet --output "$work/marks.darshan" -- "$python" marks.py
has "1000 1000 True True"
status 0 "$iolite" dump --json --module REGIONS "$work/marks.darshan"
python3 - "$work/out" <<'END' || fail "regions of Python"
import json, sys
module, = json.load(open(sys.argv[1]))["added"]
regions = {r["name"]: r["counters"] for r in module["records"]}
assert regions["check\u00e9"]["REGION_BYTES_WRITTEN"] == 1000 and regions["load"]["REGION_COUNT"] == 2, regions
assert regions["load"]["REGION_BYTES_READ"] >= 2000 and len(module["spans"]) == 3
END
if command -v gfortran >/dev/null; then
    cat >marks.f90 <<'END'
program marks
    use iolite
    implicit none
    integer :: i
    do i = 1, 3
        call iolite_region_begin("step   ")
        open (unit=10, file="fortran.out", form="unformatted", access="stream")
        write (10) i
        close (10)
        call iolite_region_end("step")
    end do
    print *, "steps are done"
end program marks
END
    gfortran "$(flags --variable=fortran)" marks.f90 -o marks || fail "the Fortran module does not build"
    status 0 ./marks
    has "steps are done"
    status 0 "$iolite" run --quiet --output "$work/fortran.darshan" -- ./marks
    status 0 "$iolite" dump --module REGIONS "$work/fortran.darshan"
    has "REGIONS  rank 0  step  record"
    has "REGION_COUNT          3"
    has "REGION_BYTES_WRITTEN  12"
fi

# Marks in show, diagnose, trace and report ----------------------------------------------------------------------
cat >job.c <<'END'
#include <fcntl.h>
#include <iolite/iolite.h>
#include <unistd.h>
int main(void) {
    char byte = 'x';
    int fd = open("result", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (write(fd, &byte, 1) != 1) return 1;
    for (int i = 0; i < 3; i++) {
        iolite_region_begin("checkpoint");
        int file = open("checkpoint", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        for (int k = 0; k < 3000; k++)
            if (write(file, &byte, 1) != 1) return 1;
        close(file);
        iolite_region_end("checkpoint");
    }
    return 0;
}
END
# shellcheck disable=SC2046
cc $(flags --cflags) job.c -o job || fail "a program with marks does not build"
status 0 ./job
status 0 "$iolite" run --quiet --trace --output "$work/job.darshan" -- ./job
status 0 "$iolite" show "$work/job.darshan"
grep -q '^checkpoint  *3 ' "$work/out" || fail "no region in show"
status 0 "$iolite" trace --csv "$work/job.darshan"
lines 9002
status 0 "$iolite" trace --chrome "$work/job.darshan"
[ "$(grep -c '"name":"checkpoint","cat":"REGIONS"' "$work/out")" = 3 ] || fail "no slices in the trace"
valid_json "trace --chrome with regions"
status 0 "$iolite" diagnose --json --min-level info "$work/job.darshan"
valid_json "diagnose --json with regions"
python3 - "$work/out" <<'END' || fail "regions in the diagnosis"
import json, sys
diagnosis = json.load(open(sys.argv[1]))
region, = diagnosis["regions"]
assert region["name"] == "checkpoint" and region["count"] == 3 and 0.5 < region["io_share"] <= 1
at_home = [f for f in diagnosis["findings"] if f.get("region") == "checkpoint"]
assert at_home and all(f["region_io_share"] == region["io_share"] for f in at_home), diagnosis["findings"]
END
status 0 "$iolite" diagnose "$work/job.darshan"
grep -q '^in checkpoint: [0-9.<>]*% of the I/O time' "$work/out" || fail "no region in the text of the diagnosis"
status 0 "$iolite" diagnose --csv --min-level info "$work/job.darshan"
grep -q ',checkpoint$' "$work/out" || fail "no region in the CSV of the diagnosis"
status 0 "$iolite" report --json "$work/job.darshan"
python3 - "$work/out" <<'END' || fail "regions in report --json"
import json, sys
regions = json.load(open(sys.argv[1]))["regions"]
assert [s["name"] for s in regions["spans"]] == ["checkpoint"] * 3
assert all(0 <= s["t0"] <= s["t1"] and s["rank"] == 0 for s in regions["spans"])
assert regions["totals"][0]["bytes_written"] == 9000 and regions["spans_lost"] == 0
END

# Ranks stay apart in a merged log, and become one if that is asked for -------------------------------------------
for how in no-reduce reduce; do
    status 0 "$iolite" merge --$how --output "$work/$how.darshan" "$work/job.darshan" "$work/two.darshan"
    status 0 "$iolite" check "$work/$how.darshan"
    status 0 "$iolite" dump --json "$work/$how.darshan"
    python3 - "$work/out" $how <<'END' || fail "custom modules after merge --$how"
import json, sys
added = {m["name"]: m for m in json.load(open(sys.argv[1]))["added"]}
ranks = lambda name: sorted(r["rank"] for r in added[name]["records"])
reduced = sys.argv[2] == "reduce"
assert len(ranks("USAGE")) == (1 if reduced else 2) and len(ranks("REGIONS")) == 1
together = ranks("USAGE") + ranks("REGIONS")
assert together == [-1, -1] if reduced else sorted(together) == [0, 1, 2], together
assert len(added["REGIONS"]["spans"]) == 3
END
done
finish
