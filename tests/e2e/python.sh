#!/usr/bin/env bash
# The Python package: every value is that of the commands, for all logs and in every form of table; nothing that a log holds
# does more than raise; threads and forks; the examples of its page; its types; the wheel and the installation.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
root=$PWD
python=/usr/bin/python3
$python -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip "no Python from 3.9 on with ctypes"
build=$(cd "$IOLITE_BIN/.." && pwd)
[ -e "$build/lib/libiolite-log.so" ] || skip "libiolite-log is not built"
own_home
export IOLITE_LOG_LIBRARY=$build/lib/libiolite-log.so IOLITE_SITE_LIBRARY=$build/lib/libiolite-site.so IOLITE_COMMAND=$build/bin/iolite
export PYTHONPATH=$root/packaging/python PYTHONDONTWRITEBYTECODE=1
$python -c 'import iolite; iolite.open(b"")' 2>"$work/err"
grep -q 'ASan\|sanitizer\|undefined symbol: __' "$work/err" && skip "Python cannot load a library with sanitizers"
grep -q 'iolite.errors.Error: ' "$work/err" || fail "the package does not load: $(tail -n 1 "$work/err")"

# passes NAME COMMAND...: it succeeds, or what it said is shown.
passes() {
    local name=$1
    shift
    "$@" >"$work/out" 2>&1 || fail "$name: $(tail -n 12 "$work/out")"
}

second=$seeds/every-module-none-be-3.41.darshan
forms="lists"
for form in numpy pandas; do $python -c "import $form" 2>/dev/null && forms+=" $form"; done
for form in $forms; do passes "values as $form" $python tests/python/values.py "$form" "$seeds"/*.darshan; done
"$tools/make-old" "$work/old" && cp "$work"/old/*1.21-be* "$work/old/nameless-1.21.gz" && passes "values of old logs" $python tests/python/values.py lists "$work"/old/*{1.21,2.06}*
passes behaviour $python tests/python/behaviour.py "$demo" "$second" "$work"
# Without pandas and NumPy, where they are installed too
cat >"$work/bare.py" <<'END'
import runpy, sys
sys.modules["pandas"] = sys.modules["numpy"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
END
passes "values with nothing else installed" $python "$work/bare.py" tests/python/values.py lists "$demo" "$second"

# Every log of the corpus
if [ -d "$corpus/logs" ]; then
    find "$corpus/logs" "$corpus/twins" "$corpus/unusual" -name '*.darshan' -print0 2>/dev/null |
        xargs -0 $python tests/python/values.py "${forms##* }" >"$work/out" 2>&1 || fail "the corpus: $(tail -n 12 "$work/out")"
fi

# Programs that were written for PyDarshan
if [ "${forms##* }" = pandas ]; then
    passes "behaviour of reports" $python tests/python/report_behaviour.py "$seeds" "$work"
    passes reports $python tests/python/reports.py - "$demo" "$seeds"/{every-module,dxt,posix-v4,lustre,heatmap}*.darshan
    if [ -d "$corpus/logs" ]; then passes "reports of the corpus" $python tests/python/reports.py "$corpus/expected" "$corpus"/logs/*.darshan; fi
fi

# The page
mkdir "$work/page" "$work/logs"
cp "$demo" "$work/page/job.darshan"
cp "$second" "$work/page/second.darshan"
if "$iolite" index --store "$work/page/index.db" "$demo" >/dev/null 2>&1 && [ -e "$IOLITE_SITE_LIBRARY" ] && [ "${forms##* }" = pandas ]; then
    mkdir -p "$work/logs/2025/11/6"
    cp "$demo" "$work/logs/2025/11/6/ada_heat3d_id918273_11-6-43800-1234_1.darshan"
    $python tests/site/two_sites.py "$work" "$work/logs" || fail "the site could not be made"
    $python tests/site/make_summaries.py "$work/summaries.csv" || fail "the summaries could not be made"
    for form in $forms; do
        passes "values of a site as $form" $python tests/python/site_values.py "$form" "$work/alpha/site.json" "$work/summaries.csv" \
            "$demo" "$second" "$seeds/lustre-v2-be-3.41.darshan"
    done
    if [ -d "$corpus/logs" ]; then
        find "$corpus/logs" "$corpus/twins" "$corpus/unusual" "$corpus/holistic" -name '*.darshan' -print0 2>/dev/null |
            xargs -0 $python tests/python/site_values.py pandas "$work/beta/site.json" "$work/summaries.csv" >"$work/out" 2>&1 ||
            fail "a site and the corpus: $(tail -n 12 "$work/out")"
    fi
    cp "$work"/page/* "$work/summaries.csv" "$work/alpha"
    (cd "$work/alpha" && IOLITE_SITE_CONFIG=$work/alpha/site.json $python "$root/tests/python/page.py" "$root/docs/python.md") >"$work/out" 2>&1 ||
        fail "an example of docs/python.md: $(tail -n 4 "$work/out")"
fi

# Types
if command -v mypy >/dev/null; then
    (cd "$work" && passes types mypy --strict --cache-dir="$work/mypy" "$root/packaging/python/iolite" "$root/packaging/python/iolite_site.py")
fi

# Installed, and moved: library and command are found beside the package
unset IOLITE_LOG_LIBRARY IOLITE_SITE_LIBRARY IOLITE_COMMAND PYTHONPATH
question='import iolite; log = iolite.open("'$demo'"); print(log.records("POSIX", ["rank"], "lists") and log.figures["bytes"] > 0)'
if command -v cmake >/dev/null && [ -f "$build/cmake_install.cmake" ] && DESTDIR='' cmake --install "$build" --prefix "$work/first" >"$work/out" 2>&1; then
    mv "$work/first" "$work/prefix"
    [ "$(cd / && PYTHONPATH=$work/prefix/share/iolite/python $python -c "$question" 2>&1)" = True ] || fail "the installed package does not answer"
    # The wheel, with the command in PATH
    if $python -c 'import build.__main__, wheel' 2>/dev/null; then
        (cd "$work/prefix/share/iolite/python" && $python -m build --no-isolation --wheel --outdir "$work/wheels" >"$work/out" 2>&1) ||
            fail "the wheel cannot be built: $(tail -n 3 "$work/out")"
        wheel=$(find "$work/wheels" -name 'iolite-*-py3-none-any.whl')
        [ -n "$wheel" ] || fail "no wheel py3-none-any"
        $python -m zipfile -e "$wheel" "$work/site-packages"
        [ -e "$work/site-packages/iolite/py.typed" ] || fail "the wheel has no type hints"
        (cd "$root/packaging/python" && find . -name '*.py') | sort >"$work/modules"
        (cd "$work/site-packages" && find . -name '*.py') | sort | diff "$work/modules" - >"$work/out" || fail "modules of the wheel: $(cat "$work/out")"
        [ "$(cd / && PATH=$work/prefix/bin:$PATH PYTHONPATH=$work/site-packages $python -c "$question" 2>&1)" = True ] ||
            fail "the package of the wheel does not answer"
    fi
fi
release=$(sed -n 's/^#define IOL_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' include/iolite/version.h | paste -sd .)
grep -q "^__version__ = \"$release\"" packaging/python/iolite/__init__.py || fail "the package is of another release than $release"
finish
