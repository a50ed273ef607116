#!/usr/bin/env bash
# floor.sh COMPILER READELF LIBRARY...: every object that is loaded into programs can be loaded by glibc 2.17, by all that its
# tables say. First, objects that cannot be are refused: one that needs a newer version, and one that asks for an old version of a
# function that was in another library then.
set -uo pipefail
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

floor() { # readelf object
    "$1" -W -h -d -V --dyn-syms "$2" | awk -v object="${2##*/}" -f "$here/needs.awk" "$here/glibc-2.17.txt" -
}

compiler=$1 readelf=$2
shift 2
read -ra compiler <<<"$compiler"

refuses() { # text of the refusal, source on standard input
    "${compiler[@]}" -shared -fPIC -x c - -o "$work/object.so" 2>"$work/err" || { cat "$work/err"; failed=1; return; }
    if floor "$readelf" "$work/object.so" >"$work/said" || ! grep -q -e "$1" "$work/said"; then
        echo "FAIL: no '$1' of an object that cannot be loaded: $(<"$work/said")"
        failed=1
    fi
}

newer='int statx(int, const char *, int, unsigned, void *); int call(void) { return statx(0, 0, 0, 0, 0); }'
refuses 'refers to statx' <<<"$newer"
refuses 'needs GLIBC_2.28' <<<"$newer"
refuses 'refers to dlopen' <<<'void *dlopen(const char *, int); void *call(void) { return dlopen("x", 1); }'

for object; do floor "$readelf" "$object" || failed=1; done
exit $failed
