#!/usr/bin/env bash
# libiolite-site, its module for Python, and connectors of others: three analyses run unchanged at two centres that share
# neither scheduler nor monitoring nor names, and find the same.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
root=$PWD
python=/usr/bin/python3
$python -c 'import ctypes, sqlite3' 2>/dev/null || skip "no ctypes or SQLite in Python"
library=$(realpath "$IOLITE_BIN/../lib/libiolite-site.so") 2>/dev/null
[ -e "$library" ] || skip "libiolite-site is not built"
export IOLITE_SITE_LIBRARY=$library PYTHONPATH=$root/packaging/python PYTHONDONTWRITEBYTECODE=1
unset IOLITE_SITE_CONFIG IOLITE_CONNECTORS
$python -c 'import iolite_site; iolite_site.Site()' 2>"$work/err" || {
    grep -q 'ASan\|sanitizer\|undefined symbol: __' "$work/err" && skip "Python cannot load a library with sanitizers"
    fail "the module does not load: $(tail -n 1 "$work/err")"
}
mkdir -p "$work/logs/2025/11/6"
cp "$demo" "$work/logs/2025/11/6/ada_heat3d_id918273_11-6-43800-1234_1.darshan"
$python tests/site/two_sites.py "$work" "$work/logs" || fail "the two sites could not be made"
start=1762430400
for site in alpha beta; do
    for example in coverage slow_target load; do
        $python examples/site/$example.py "$work/$site/site.json" $start $((start + 3600)) >"$work/$site.$example" 2>"$work/err" ||
            { grep -q 'no SQLite' "$work/err" && skip "built without SQLite"; fail "$example at $site: $(tail -n 1 "$work/err")"; }
    done
done
for example in coverage load; do
    cmp -s "$work/alpha.$example" "$work/beta.$example" || fail "$example: $(diff "$work/alpha.$example" "$work/beta.$example" | head -n 4)"
done
grep -q '^snow-OST0005 took 10%' "$work/alpha.slow_target" || fail "the slow target at alpha: $(cat "$work/alpha.slow_target")"
grep -q '^nsd1:lun05 took 10%' "$work/beta.slow_target" || fail "the slow target at beta: $(cat "$work/beta.slow_target")"
[ "$(wc -l <"$work/alpha.slow_target")" = 1 ] || fail "more than one slow target"
grep -q '^job 918273: .*% of it its own' "$work/alpha.coverage" || fail "coverage: $(cat "$work/alpha.coverage")"
grep -q '^job 918275: .* no log' "$work/alpha.coverage" || fail "a job without a log: $(cat "$work/alpha.coverage")"
grep -q '^3 jobs: .*r = +1.000' "$work/alpha.load" || fail "load: $(cat "$work/alpha.load")"

# Errors are words
$python - "$work" <<'END' || fail "errors of the module"
import sys, iolite_site
site = iolite_site.Site(sys.argv[1] + "/alpha/site.json")
assert site.logs("918273")[0].endswith("_1.darshan") and site.file_systems() == ["snow"]
assert site.log(site.logs("918273")[0])["header"]["nprocs"] > 0
for call in (lambda: site.logs("5"), lambda: site.series("snow", "no/such", 0, 10), lambda: site.collect("nobody"), lambda: iolite_site.Site("/none")):
    try:
        call()
    except iolite_site.Error as error:
        assert str(error), "no words"
    else:
        raise AssertionError("no error")
END

# Connectors of others
if command -v cc >/dev/null; then
    # The examples in C
    libraries=$(dirname "$library")
    cc -Wall -Wextra -Werror -I "$root/include" -o "$work/series" "$root/examples/site/series.c" -L "$libraries" -liolite-site -lm ||
        fail "examples/site/series.c does not compile"
    LD_LIBRARY_PATH=$libraries status 0 "$work/series" "$work/alpha/site.json" snow datatargets/writebytes $start $((start + 3600))
    grep -q '^snow-OST0000 [1-9][0-9]* bytes, 0 of [0-9]* steps missing$' "$work/out" || fail "a series in C: $(head -n 1 "$work/out")"
    LD_LIBRARY_PATH=$libraries status 3 "$work/series" "$work/alpha/site.json" snow no/such $start $((start + 3600))
    cc -Wall -Wextra -Werror -shared -fPIC -I "$root/include" -o "$work/zpool.so" "$root/examples/site/zpool.c" ||
        fail "examples/site/zpool.c does not compile"
    printf 'tank\t1000\t400\tONLINE\nscratch-2\t500\t10\tDEGRADED\n' >"$work/pools.txt"
    IOLITE_CONNECTORS=$work/zpool.so status 0 "$iolite" collect zpool "$work/pools.txt"
    has '"health": "DEGRADED"'
    has '"alloc": 400'
    IOLITE_CONNECTORS=$work/zpool.so status 3 "$iolite" collect zpool "$0"
    cat >"$work/mine.c" <<'END'
#include <iolite/site.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *read_it(const iol_site_request *request, char why[400]) {
    char *text = malloc(200);
    if (request->count && strcmp(request->inputs[0], "bad") == 0) return strcpy(text, "{\"a\": ");
    if (request->count && strcmp(request->inputs[0], "none") == 0) return free(text), strcpy(why, "the tank is empty"), NULL;
    snprintf(text, 200, "{\"tank\": {\"level\": %d, \"job\": \"%s\"}}", request->ranged ? 7 : 3, request->job ? request->job : "");
    return text;
}
const iol_site_connector iol_site_connectors[] = {{IOL_SITE_CONNECTOR_VERSION, "tank", "a tank of water", read_it}, {99, "later", "", read_it}, {0}};
END
    cc -shared -fPIC -I "$root/include" -o "$work/mine.so" "$work/mine.c" || fail "a connector of others does not compile"
    export IOLITE_CONNECTORS=$work/none.so:$work/mine.so
    status 0 "$iolite" collect
    has "a tank of water"
    lacks later
    grep -q "none.so" "$work/err" || fail "an object that is not there goes by in silence"
    grep -q "'later' has version 99" "$work/err" || fail "another version of the interface goes by in silence"
    status 0 "$iolite" collect tank --start @1 --end @2 --job 5
    has '"level": 7'
    has '"job": "5"'
    status 3 "$iolite" collect tank none
    grep -q 'the tank is empty' "$work/err" || fail "what a connector says is lost"
    status 3 "$iolite" collect tank bad
    status 0 $python -c 'import iolite_site; print(iolite_site.Site().collect("tank"))'
    has "'level': 3"
fi
finish
