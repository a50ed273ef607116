#!/usr/bin/env bash
# Which line of code: programs whose lines carry the word HERE with a name are recorded with --where, and `iolite where` must
# name these lines and no other, in optimised builds without frame pointers, through libraries, in threads and children,
# after a kill, and as far as it can be known where there is no debug information.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
[ "$(uname -m)" = x86_64 ] || skip "chains of callers are followed on x86-64 only"
for tool in cc python3; do command -v $tool >/dev/null || skip "no $tool"; done
ls /usr/lib/*/libdw.so.1 /usr/lib64/libdw.so.1 >/dev/null 2>&1 || ldconfig -p 2>/dev/null | grep 'libdw[.]so[.]1' >/dev/null || skip "no libdw.so.1"
own_home
cd "$work" || exit 1
flags="-O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls"

# line SOURCE WORD: the number of the line with that word.
line() { grep -n "HERE $2\b" "$1" | cut -d: -f1; }
# places LOG: "FILE:LINE FUNCTION CALLS BYTES" of all lines, most time first.
places() {
    "$iolite" where --json "$1" | python3 -c '
import json, os, sys
for l in json.load(sys.stdin)["lines"]:
    print("%s:%s %s %d %d" % (os.path.basename(l["file"] or "?"), l["line"], l["function"], l["calls"], l["bytes"]))'
}
# expect LOG SOURCE WORD FUNCTION CALLS BYTES
expect() {
    local found
    found=$(places "$1")
    grep -qxF "$(basename "$2"):$(line "$2" "$3") $4 $5 $6" <<<"$found" || fail "$1: no $3 ($4 $5 $6) in: $found"
}
record() { "$iolite" run --quiet --where --output "$@" || fail "status of $*"; }

# Two callers behind one helper, and streams ---------------------------------------------------------------------------
cat >rows.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static __attribute__((noinline)) int put(int fd, int n) {
    char row[64] = {0};
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += (int)pwrite(fd, row, sizeof row, i * 64); /* HERE pwrite */
    return sum;
}
static __attribute__((noinline)) int first(int fd) { return put(fd, 100) + 1; } /* HERE first */
static __attribute__((noinline)) int second(int fd) { return put(fd, 300) + 2; } /* HERE second */
int main(void) {
    int fd = open("table", O_RDWR | O_CREAT, 0644); /* HERE open */
    int sum = first(fd) + second(fd);
    close(fd);
    FILE *f = fopen("text", "w");
    for (int i = 0; i < 50; i++)
        fprintf(f, "%d\n", i); /* HERE print */
    fclose(f);
    return sum == 0;
}
END
# shellcheck disable=SC2086
cc $flags -o rows rows.c || give_up "cannot compile"
record rows.darshan -- ./rows
expect rows.darshan rows.c pwrite put 400 25600
expect rows.darshan rows.c open main 1 0
expect rows.darshan rows.c print main 50 140
"$iolite" where --json rows.darshan | python3 -c '
import json, sys
first, second = map(int, sys.argv[1:])
calls = {}
for c in json.load(sys.stdin)["chains"]:
    for f in c["frames"]:
        if f["function"] in ("first", "second"):
            calls[f["line"]] = calls.get(f["line"], 0) + sum(r["calls"] for r in c["calls"])
assert calls == {first: 100, second: 300}, calls' "$(line rows.c first)" "$(line rows.c second)" || fail "callers are mixed up"
status 0 "$iolite" where rows.darshan
has "rows.c:$(line rows.c pwrite) put"
has 'sum += (int)pwrite'
status 0 "$iolite" where --file '*text' rows.darshan
lacks "pwrite"
has 'fprintf(f, "%d\n", i);' # as it stands in the source
"$iolite" check rows.darshan >/dev/null || fail "check finds something in a log with lines"

# Without it there is nothing.
"$iolite" run --quiet --output plain.darshan -- ./rows
status 0 "$iolite" where plain.darshan
has "iolite run --where"

# The names are in the log: the program may be gone. An offset that nobody named stays one, and another program is not asked.
cp rows.darshan kept.darshan
mv rows rows.away
expect kept.darshan rows.c pwrite put 400 25600
IOLITE_WHERE=1 LD_PRELOAD=$library IOLITE_LOG_FILE=$work/bare.darshan ./rows.away || fail "status of a bare preload"
mv rows.away other
cp "$(type -P true)" rows.away
status 0 "$iolite" where bare.darshan
grep -q "is not the file that the program used" "$work/err" || fail "another program is taken for the one that ran"
lacks "put"
status 0 "$iolite" where --source-path "$work/rows.away=$work/other" bare.darshan
has "rows.c:$(line rows.c pwrite) put"

# Symbols alone, and nothing at all --------------------------------------------------------------------------------------
rm rows.away
# shellcheck disable=SC2086
cc ${flags/-g/} -o rows_plain rows.c
record symbols.darshan -- ./rows_plain
status 0 "$iolite" where symbols.darshan
has "put in rows_plain"
strip -o rows_bare rows_plain
record stripped.darshan -- ./rows_bare
status 0 "$iolite" where stripped.darshan
has "rows_bare+0x"
IOLITE_WHERE=1 LD_PRELOAD=$library IOLITE_LOG_FILE=$work/raw.darshan ./other
status 0 env IOLITE_LIBDW=0 "$iolite" where raw.darshan
has "put in other"
status 0 "$iolite" symbolize raw.darshan
rm other
expect raw.darshan rows.c pwrite put 400 25600

# Threads, children, signals, a kill -------------------------------------------------------------------------------------
cat >lives.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int fd;
static __attribute__((noinline)) long in_thread(void) { return write(fd, "t", 1) + 1; } /* HERE thread */
static __attribute__((noinline)) long in_child(void) { return write(fd, "c", 1) + 1; } /* HERE child */
static __attribute__((noinline)) long in_handler(void) { return write(fd, "h", 1) + 1; } /* HERE handler */
static void handle(int signal) { if (in_handler() < 0) exit(signal); }
static void *run(void *left) {
    for (int i = 0; i < 1000; i++) if (in_thread() < 0) return NULL;
    return left;
}
int main(int n, char **a) {
    static char other[1 << 16];
    const stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    fd = open("bytes", O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (fd < 0) return 1;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    if (fork() == 0) {
        for (int i = 0; i < 70; i++) if (in_child() < 0) return 1;
        return 0;
    }
    wait(NULL);
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 30; i++) raise(SIGUSR1);
    if (n > 1 && a[1][0] == 'k') raise(SIGKILL);
    return 0;
}
END
# shellcheck disable=SC2086
cc $flags -pthread -o lives lives.c || give_up "cannot compile"
record lives.darshan -- ./lives
expect lives.darshan lives.c thread in_thread 4000 4000
expect lives.darshan lives.c child in_child 70 70
expect lives.darshan lives.c handler in_handler 30 30
("$iolite" run --quiet --where --output killed.darshan -- ./lives kill) 2>/dev/null
expect killed.darshan lives.c thread in_thread 4000 4000
expect killed.darshan lives.c handler in_handler 30 30

# Findings name the line, in every form --------------------------------------------------------------------------------
cat >synced.c <<'END'
#include <fcntl.h>
#include <unistd.h>
static __attribute__((noinline)) int write_row(int fd, int i) {
    char row[64] = {0};
    int sum = (int)pwrite(fd, row, sizeof row, (off_t)i * 64);
    return sum + (fsync(fd) != 0); /* HERE sync */
}
int main(void) {
    int fd = open("checkpoint", O_RDWR | O_CREAT, 0644), sum = 0;
    for (int i = 0; i < 500; i++) sum += write_row(fd, i);
    close(fd);
    return sum == 0;
}
END
# shellcheck disable=SC2086
cc $flags -o synced synced.c || give_up "cannot compile"
record synced.darshan -- ./synced
status 0 "$iolite" diagnose --set posix.fsync.share=0 --only posix.fsync.heavy synced.darshan
has "at synced.c:$(line synced.c sync) write_row: 100% of it, 500 calls"
has 'return sum + (fsync(fd) != 0);'
"$iolite" diagnose --set posix.fsync.share=0 --format sarif --only posix.fsync.heavy synced.darshan | python3 -c '
import json, sys
at = json.load(sys.stdin)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
assert at["artifactLocation"]["uri"].endswith("/synced.c") and at["region"]["startLine"] == int(sys.argv[1]), at' \
    "$(line synced.c sync)" || fail "SARIF does not name the line"
"$iolite" diagnose --set posix.fsync.share=0 --json --only posix.fsync.heavy synced.darshan | python3 -c '
import json, sys
def findings(d):
    if isinstance(d, dict):
        if d.get("id") == "posix.fsync.heavy": yield d
        for v in d.values(): yield from findings(v)
    elif isinstance(d, list):
        for v in d: yield from findings(v)
at = next(findings(json.load(sys.stdin)))["places"][0]
assert (at["line"], at["function"], at["calls"]) == (int(sys.argv[1]), "write_row", 500), at' "$(line synced.c sync)" ||
    fail "JSON of findings does not name the line"
status 0 "$iolite" show --where synced.darshan
has "synced.c:$(line synced.c sync) write_row"

# Many files of one line: the log grows by a tenth at most, the line has all of their calls, and single files those that fit --------
cat >many.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char name[64], row[100] = {0};
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "parts/part-%d", i);
        int fd = open(name, O_WRONLY | O_CREAT, 0644);
        for (int k = 0; k < (i == 777 ? 60000 : 1); k++)
            if (write(fd, row, sizeof row) < 0) return 1; /* HERE many */
        close(fd);
    }
    return 0;
}
END
# shellcheck disable=SC2086
cc $flags -o many many.c || give_up "cannot compile"
mkdir parts && record many.darshan -- ./many
rm -r parts && mkdir parts && "$iolite" run --quiet --output few.darshan -- ./many
expect many.darshan many.c many main 60999 6099900
plain=$(stat -c %s few.darshan) whole=$(stat -c %s many.darshan)
[ $((whole * 100)) -le $((plain * 112)) ] || fail "lines make a log of $plain bytes one of $whole"
"$iolite" where --json --file '*part-777' many.darshan | python3 -c '
import json, sys
lines = json.load(sys.stdin)["lines"]
assert [l["calls"] for l in lines if l["line"] == int(sys.argv[1])] == [60000], lines' "$(line many.c many)" ||
    fail "the file with the most time is not told from the others"

# Each traced request with its chain of callers, of several processes as well; times stay in order -----------------------------------
cat >traced.c <<'END'
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
static __attribute__((noinline)) int put(int fd, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += (int)pwrite(fd, "row", 3, i * 3L); /* HERE put */
    return sum;
}
static __attribute__((noinline)) int first(int fd) { return put(fd, 3) + 1; } /* HERE first */
static __attribute__((noinline)) int second(int fd) { return put(fd, 4) + 2; } /* HERE second */
int main(void) {
    char row[9];
    int fd = open("rows", O_RDWR | O_CREAT, 0644), sum = first(fd);
    if (fork() == 0) return read(fd, row, sizeof row) != 9; /* HERE child */
    sum += second(fd);
    wait(NULL);
    return sum == 0;
}
END
# shellcheck disable=SC2086
cc $flags -o traced traced.c || give_up "cannot compile"
"$iolite" run --quiet --where --trace --output traced.darshan -- ./traced || fail "status of a traced run"
"$iolite" trace --json traced.darshan | python3 -c '
import json, sys
put, first, second, child = sys.argv[1:]
operations = json.load(sys.stdin)["operations"]
got = [(o["op"], o["line"], o["chain"].split(" < ")[1:]) for o in operations]
want = [("write", "traced.c:%s put" % put, ["traced.c:%s first" % first]) for _ in range(3)]
want += [("write", "traced.c:%s put" % put, ["traced.c:%s second" % second]) for _ in range(4)]
want += [("read", "traced.c:%s main" % child, [])]
assert [(a, b, c[:1]) for a, b, c in got] == want, got
assert all(0 < o["start"] <= o["end"] < 60 for o in operations), operations' \
    "$(line traced.c put)" "$(line traced.c first)" "$(line traced.c second)" "$(line traced.c child)" || fail "chains of traced requests"
status 0 "$iolite" trace traced.darshan
has ", traced.c:$(line traced.c put) put"
status 0 "$iolite" trace --csv traced.darshan
has "traced.c:$(line traced.c put) put < traced.c:$(line traced.c second) second < traced.c"
"$iolite" run --quiet --trace --output unknown.darshan -- ./traced
"$iolite" trace --json unknown.darshan | grep -q '"line"' && fail "lines of a log that has none"

# Sources that were compiled by a relative path are found from elsewhere -------------------------------------------------------
# shellcheck disable=SC2086
mkdir -p built && (cd built && cc $flags -o relative ../rows.c) || give_up "cannot compile"
(cd built && "$iolite" run --quiet --where --output ../relative.darshan -- ./relative) || fail "status of relative"
status 0 "$iolite" where relative.darshan
has 'sum += (int)pwrite'
"$iolite" where --json relative.darshan | grep -qF "\"file\": \"$PWD/rows.c\"" || fail "the path of the source begins nowhere"

# Two runs: which lines changed ----------------------------------------------------------------------------------------------
sed 's/i < 500/i < 200/' synced.c >fewer.c
# shellcheck disable=SC2086
mkdir less && mv fewer.c less/synced.c && cc $flags -o less/synced less/synced.c || give_up "cannot compile"
record fewer.darshan -- less/synced
"$iolite" compare --json synced.darshan fewer.darshan | python3 -c '
import json, sys
lines = {l["line"]: l for l in json.load(sys.stdin)["lines"]}
one = lines["synced.c:%s write_row" % sys.argv[1]]
assert (one["a"]["calls"], one["b"]["calls"]) == (500, 200) and one["a"]["seconds"] > 0, one' "$(line synced.c sync)" ||
    fail "compare does not say which lines changed"
status 0 "$iolite" compare synced.darshan fewer.darshan
has "synced.c:$(line synced.c sync) write_row"
has "500 -> 200"
status 0 "$iolite" compare synced.darshan plain.darshan
lacks "LINES OF CODE"

# The index: what a line of one build of a program costs over logs -----------------------------------------------------------
"$iolite" index --quiet --store lines.sqlite rows.darshan synced.darshan >/dev/null 2>&1 || fail "cannot index logs with lines"
record again.darshan -- ./synced
"$iolite" index --quiet --store lines.sqlite again.darshan >/dev/null 2>&1 || fail "cannot index a third log"
"$iolite" rank --store lines.sqlite --per line --by calls --json | python3 -c '
import json, sys
sync, put = sys.argv[1:]
entries = {e["line"]: e for e in json.load(sys.stdin)["entries"]}
one = entries["synced.c:%s write_row" % sync]
assert (one["program"], one["value"], one["logs"]) == ("synced", 1000, 2) and len(one["build"]) == 40, one
other = entries["rows.c:%s put" % put]
assert (other["value"], other["bytes_written"], other["logs"]) == (400, 25600, 1), other
assert other["build"] != one["build"], entries' "$(line synced.c sync)" "$(line rows.c pwrite)" || fail "lines in the index"
status 0 "$iolite" rank --store lines.sqlite --per line
has "synced.c:$(line synced.c sync) write_row"
has "node time in I/O calls of lines of code"
status 0 "$iolite" fleet --store lines.sqlite
has "Lines of code by node time"
has "synced.c:$(line synced.c sync) write_row, synced ("
"$iolite" fleet --store lines.sqlite --json | python3 -c '
import json, sys
lines = {l["line"]: l for l in json.load(sys.stdin)["lines"]}
one = lines["synced.c:%s write_row" % sys.argv[1]]
assert one["logs"] == 2 and one["node_us"] > 0 and 0 < one["share"] <= 1 and len(one["build"]) == 40, lines' "$(line synced.c sync)" ||
    fail "fleet does not name lines"
status 2 "$iolite" rank --store lines.sqlite --per line --by cost
status 2 "$iolite" rank --store lines.sqlite --per user --by calls
"$iolite" index --quiet --key secret --store hidden.sqlite synced.darshan >/dev/null 2>&1 || fail "cannot index under pseudonyms"
"$iolite" rank --store hidden.sqlite --per line --json | python3 -c '
import json, sys
assert json.load(sys.stdin)["entries"] == []' || fail "an index under pseudonyms names lines"

# A site that forbids it: nothing overrides that -----------------------------------------------------------------------------
# forbidden SETTING COMMAND...: with this in the site's file
forbidden() {
    # shellcheck disable=SC2016 # the inner shell's
    unshare -rm sh -c 'mount -t tmpfs tmpfs /etc && mkdir /etc/iolite && echo "$1" >/etc/iolite/iolite.conf && shift && exec "$@"' - "$@"
}
if forbidden "" true 2>/dev/null; then
    # shellcheck disable=SC2086
    cc $flags -o rows rows.c
    echo "WHERE 1" >mine.conf
    for site in "WHERE never" "WHERE 0"; do
        rm -f by.darshan bare.darshan
        forbidden "$site" env IOLITE_CONFIG="$work/mine.conf" IOLITE_WHERE=1 "$iolite" run --quiet --where --output by.darshan -- ./rows || fail "$site: status of run"
        forbidden "$site" env IOLITE_CONFIG="$work/mine.conf" IOLITE_WHERE=1 LD_PRELOAD="$library" IOLITE_LOG_FILE="$work/bare.darshan" ./rows ||
            fail "$site: status of a bare preload"
        for log in by bare; do
            case "$("$iolite" where $log.darshan 2>/dev/null)" in
            *rows.c*) [ "$site" = "WHERE 0" ] || fail "$site: $log.darshan names lines" ;;
            *) [ "$site" = "WHERE never" ] || fail "$site: $log.darshan names no lines" ;;
            esac
        done
        if [ "$site" = "WHERE never" ] && grep -qa "rows\.c" by.darshan bare.darshan; then fail "$site: a source file is in a log"; fi
    done
fi

# Anonymised logs have none of it ----------------------------------------------------------------------------------------
"$iolite" convert --anonymise all rows.darshan hidden.darshan || fail "cannot anonymise"
grep -qa 'rows\.c' hidden.darshan && fail "an anonymised log names a source file"
status 0 "$iolite" where hidden.darshan
has "iolite run --where"
finish
