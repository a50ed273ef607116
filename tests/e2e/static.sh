#!/usr/bin/env bash
# Programs that Iolite is linked into: static ones in C, C++ and Fortran, by every compiler and linker that is here, say
# the same of what they did as their dynamic twins that it is preloaded into.
# shellcheck source=tests/e2e/checks.bash
. "$(dirname "$0")/checks.bash"
# shellcheck source=tests/e2e/counters.bash
. "$(dirname "$0")/counters.bash"
programs=$(cd "$(dirname "$0")/../static" && pwd)
library=$IOLITE_BIN/../lib/libiolite.a
unset "${!IOLITE_@}" "${!DARSHAN_@}"
export HOME=$work/home IOLITE_MMAP_DIR=$work/records
mkdir "$HOME" "$IOLITE_MMAP_DIR"
flags=$("$iolite" link-flags --static 2>/dev/null) || {
    echo "skipped: there is no libiolite.a" >&2
    exit 77
}
echo 'int main(void) { return 0; }' >"$work/empty.c"

# can COMPILER OPTIONS...: whether programs can be made like that here, without us.
can() { "$@" -o "$work/empty" "$work/empty.c" 2>/dev/null && "$work/empty"; }

# make PROGRAM COMMAND...
make() {
    local program=$1
    shift
    "$@" -o "$work/$program" 2>"$work/err" || {
        fail "cannot be linked: $*: $(head -n 3 "$work/err")"
        return 1
    }
    [ ! -s "$work/err" ] || fail "the linker complains: $*: $(head -n 3 "$work/err")"
}

# counters PROGRAM: all of one run that last, in a new directory of always the same name.
counters() {
    rm -rf "$work/here" "$work/logs"
    mkdir "$work/here"
    (cd "$work/here" && "$iolite" run --log-dir "$work/logs" -- "$work/$1" >/dev/null 2>&1) || fail "$1: status $?"
    [ "$(find "$work/logs" -name '*.darshan' | wc -l)" = 1 ] || fail "$1: not one log"
    lasting "$work"/logs/*.darshan >"$work/$1.counters"
    grep -q '^POSIX,.*POSIX_OPENS,[1-9]' "$work/$1.counters" || fail "$1: nothing is recorded"
}

same() { # STATIC DYNAMIC LABEL
    counters "$1"
    cmp -s "$work/$1.counters" "$work/$2.counters" ||
        fail "$3: other counters than the dynamic twin's: $(diff "$work/$1.counters" "$work/$2.counters" | head -n 4)"
}

# twins SOURCE COMPILER OPTIONS...: statically in all ways, and dynamically.
twins() {
    local source=$programs/$1 compiler=$2 way linker name
    shift
    name=$(basename "$compiler")
    make dynamic "$@" "$source" -pthread || return
    counters dynamic
    for way in -static -static-pie; do
        for linker in bfd gold lld; do
            can "$compiler" $way "-fuse-ld=$linker" || continue
            # shellcheck disable=SC2086  # they are words
            make static "$@" $way "-fuse-ld=$linker" "$source" -pthread $flags || continue
            same static dynamic "$name $way, $linker, $source"
            tried=$((tried + 1))
        done
    done
}

tried=0
for compiler in gcc clang; do
    can $compiler && twins files.c $compiler -O2
done
for compiler in g++ clang++; do can $compiler -x c++ && twins streams.cc $compiler -O2; done
can gcc && command -v gfortran >/dev/null && twins units.f90 gfortran -O2
can gcc && twins files.c gcc -O0 # other functions: those that are made of others by the optimiser are called as such
echo "$tried static programs compared" >&2
[ "$tried" -gt 0 ] || exit 77

# One of them by itself: a log of its own, as with LD_PRELOAD; off where it is switched off; a dead one is recovered.
# shellcheck disable=SC2086
make alone cc -O2 -static "$programs/files.c" -pthread $flags
mkdir "$work/there" && cd "$work/there" || exit 1
IOLITE_LOG_DIR=$work/single status 0 "$work/alone"
[ "$(find "$work/single" -name '*.darshan' | wc -l)" = 2 ] || fail "a log of the program and one of its child"
IOLITE_LOG_DIR=$work/none IOLITE_DISABLE=1 status 0 "$work/alone"
[ ! -e "$work/none" ] || fail "it is recorded although it is switched off"
[ -z "$(ls -A "$IOLITE_MMAP_DIR")" ] || fail "it left something"
mkfifo "$work/pipe"
IOLITE_LOG_DIR=$work/none "$work/alone" hang >"$work/pipe" &
victim=$!
read -r _ <"$work/pipe"
kill -9 $victim
{ wait $victim; } 2>/dev/null
status 0 "$iolite" merge --output "$work/merged.darshan" "$IOLITE_MMAP_DIR"/*
"$iolite" dump --csv "$work/merged.darshan" | grep -q 'POSIX_WRITES,65,.*/renamed' || # of which 64 under its first name
    "$iolite" dump --csv "$work/merged.darshan" | grep -q 'POSIX_WRITES,65,.*/blocks' || fail "writes of a killed program"

# Programs that are linked with it are known by looking at them.
status 0 "$iolite" doctor "$work/alone"
has "which is linked with Iolite"
has "will be recorded."
status 0 "$iolite" doctor --json "$work/alone"
valid_json doctor
strip -o "$work/stripped" "$work/alone" && status 0 "$iolite" doctor "$work/stripped"

# Linked into a program that has a loader, and preloaded as well: counted once.
# shellcheck disable=SC2086
make both cc -O2 "$programs/files.c" -pthread $flags
make dynamic cc -O2 "$programs/files.c" -pthread && counters dynamic && same both dynamic "linked and preloaded"

# Marks of Fortran, which can only ask a loader, although there is none.
if can gcc -static && command -v gfortran >/dev/null; then
    cat >"$work/marks.f90" <<'END'
program marks
    use iolite
    implicit none
    call iolite_region_begin("step")
    open (unit=10, file="marked", form="unformatted", access="stream")
    write (10) 1
    close (10)
    call iolite_region_end("step")
end program marks
END
    module=$(cd "$programs/../../include/iolite" && pwd)/iolite.f90
    # shellcheck disable=SC2086
    make marks gfortran -static "-J$work" "$module" "$work/marks.f90" $flags &&
        status 0 "$iolite" run --quiet --output "$work/marks.darshan" -- "$work/marks"
    status 0 "$iolite" dump --module REGIONS "$work/marks.darshan"
    has "REGION_BYTES_WRITTEN  4"
    # shellcheck disable=SC2086
    make unmarked gfortran -static "-J$work" "$module" "$work/marks.f90" && status 0 "$work/unmarked"
fi

# A program's own function is never taken for libc's.
# shellcheck disable=SC2086
make own cc -static -fno-builtin "$programs/own_name.c" "$programs/own_name_main.c" $flags && status 0 "$work/own"

# Nothing of ours is visible but what has our name.
visible=$(nm -g --defined-only "$library" 2>/dev/null | awk 'NF == 3 { print $3 }' |
    grep -v -e '^__wrap_' -e '^iolite_' -e '^iol__')
[ -z "$visible" ] || fail "visible in libiolite.a: $visible"
finish
